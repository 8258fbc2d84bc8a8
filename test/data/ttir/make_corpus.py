"""Compiles every kernel of kernels.py to Triton IR text with the installed triton, without a GPU.

    python -m venv /tmp/corpus/v3.4.0 && /tmp/corpus/v3.4.0/bin/pip install setuptools numpy triton==3.4.0
    cp kernels.py make_corpus.py /tmp/corpus && cd /tmp/corpus
    v3.4.0/bin/python make_corpus.py OUT [KERNEL...]

(for the newest version /tmp/corpus/vnew; of 3.3.1 only the experimental_* kernels are kept)

writes OUT/<version>/<kernel>.source.ttir (what the front end builds) and, where it differs,
OUT/<version>/<kernel>.ttir (after the compiler's own target-independent passes). Kernels that this version
refuses are named on standard error. Locations name the files as they lie in /tmp/corpus.
"""
import inspect
import os
import sys

import triton
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend

from kernels import KERNELS

VERSION = tuple(int(part) for part in triton.__version__.split(".")[:2])
TARGETS = {
    "cuda": ("cuda", 80, 32),
    "cuda90": ("cuda", 90, 32),
    "cuda100": ("cuda", 100, 32),
    "hip": ("hip", "gfx942", 64),
}


def make_source(fn, signature, constants):
    """The front end's description of one kernel, in the form that this version takes."""
    names = list(fn.arg_names)
    aligned = [names.index(n) for n, t in signature.items() if t.endswith(":16")]
    types = {n: t.removesuffix(":16") for n, t in signature.items()}
    if VERSION <= (3, 1):
        from triton.compiler.compiler import AttrsDescriptor
        return ASTSource(fn, {names.index(n): t for n, t in types.items()},
                         {names.index(n): v for n, v in constants.items()},
                         AttrsDescriptor(divisible_by_16=tuple(aligned)))
    if VERSION <= (3, 2):
        from triton.backends.compiler import AttrsDescriptor
        return ASTSource(fn, types, constants, AttrsDescriptor.from_hints({i: 16 for i in aligned}))
    ordered = {n: types.get(n, "constexpr") for n in names}
    return ASTSource(fn, ordered, constants, {(i,): [["tt.divisibility", 16]] for i in aligned})


def make_module(source, target, backend, options, context):
    available = {
        "target": target,
        "options": options,
        "codegen_fns": backend.get_codegen_implementation(*([options] if VERSION >= (3, 3) else [])),
        "module_map": getattr(backend, "get_module_map", dict)(),
        "context": context,
    }
    wanted = inspect.signature(source.make_ir).parameters
    return source.make_ir(**{name: available[name] for name in wanted})


def compile_kernel(fn, signature, constants, options):
    options = dict(options)
    target = GPUTarget(*TARGETS[options.pop("target", "cuda")])
    backend = make_backend(target)
    source = make_source(fn, signature, constants)
    options = backend.parse_options(options)
    stages = {}
    backend.add_stages(stages, options, *([source.language] if VERSION >= (3, 4) else []))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = make_module(source, target, backend, options, context)
    yield str(module)
    yield str(stages["ttir"](module, dict(options.__dict__)))


def write_kernel(path, arguments):
    """Writes both texts of one kernel; returns what went wrong, or None. Runs in a process of its own,
    since a failed assertion of the compiler ends the process."""
    before = None
    try:
        for text in compile_kernel(*arguments):
            if '"builtin.module"' in text:
                raise ValueError("does not verify")
            if text != before:
                with open(path + (".ttir" if before else ".source.ttir"), "w") as file:
                    file.write(text)
            before = text
    except Exception as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip(" ^")]
        return f"{type(error).__name__}: {lines[-1] if lines else ''}"
    return None


def write_kernel_in_child(path, arguments):
    child = os.fork()
    if child == 0:
        reason = write_kernel(path, arguments)
        if reason:
            print(f"{os.path.basename(path)}: {reason}", file=sys.stderr)
        os._exit(1 if reason else 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    folder = os.path.join(sys.argv[1], triton.__version__)
    os.makedirs(folder, exist_ok=True)
    skipped = 0
    for fn, *arguments in KERNELS:
        if sys.argv[2:] and fn.__name__ not in sys.argv[2:]:
            continue
        path = os.path.join(folder, fn.__name__)
        skipped += write_kernel_in_child(path, (fn, *arguments)) != 0
    print(triton.__version__, len(KERNELS) - skipped, "compiled,", skipped, "skipped or without the second text")


main()
