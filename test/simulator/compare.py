#!/usr/bin/env python3
"""compare.py --tile-run=PATH MODE - runs generated kernels in the simulator and compares with what hardware gave.

  programs   random programs, matrix instructions and products of warp groups, results of an H200 (test/data/simulator/h200_programs.*)
  counters   access patterns, an H200's counters (test/data/simulator/h200_counters.json)
  amd        random programs and every matrix form for the AMD chips, against their code objects executed by the program
             that TILE_AMDEXEC names; needs --tile-translate=PATH; --seed=N --count=N --chips=A,B choose others. Exit status 77: no TILE_AMDEXEC

Everything has to agree bit for bit. AMD's sums of real numbers may differ by one unit in the last place of the accumulator's type
at the exponent of the largest product or addend of that element: an emulator's order is not the hardware's either.
"""
import argparse
import ast
import gzip
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data", "simulator")
sys.path.insert(0, HERE)
import generate  # noqa: E402
import generate_access  # noqa: E402
import generate_matrix  # noqa: E402
import generate_wgmma  # noqa: E402

AMD_CHIPS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]


def read_npy(path):
    """Words of a one-dimensional array of 32-bit numbers."""
    with open(path, "rb") as f:
        data = f.read()
    length = struct.unpack_from("<H", data, 8)[0]
    header = ast.literal_eval(data[10:10 + length].decode())
    assert header["descr"] in ("<i4", "<u4", "<f4"), header
    count = (len(data) - 10 - length) // 4
    return list(struct.unpack_from(f"<{count}I", data, 10 + length))


class Runner:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(text)
        return self.path(name)

    def simulate(self, text, chip, grid, arguments, extra=()):
        """Words of the last argument, and what was printed."""
        command = [self.options.tile_run, self.write("k.mlir", text), "--device=sim", f"--target={chip}", f"--grid={grid}"]
        command += [f"--arg={a}" for a in arguments] + [f"--out={len(arguments) - 1}:{self.path('out.npy')}", *extra]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        return read_npy(self.path("out.npy")), done.stdout


# ---- Programs ----

def random_arguments(seed):
    n = 2 * generate.THREADS
    return [f"i32[{n * generate.INPUTS}]=rand:{seed}:-2147483648:2147483647", f"i32[{n * generate.OUTPUTS}]=zeros"]


def matrix_case(runner, chip, form, values, seed=1):
    kernel = generate_wgmma.Kernel(form) if form.startswith("wgmma.") else generate_matrix.Kernel(chip, form)
    text = kernel.text()
    words = kernel.input(seed, values)
    generate_matrix.write_npy(runner.path("in.npy"), words)
    out = kernel.lanes * kernel.output_words()
    return kernel, text, words, [f"i32[{len(words)}]=file:{runner.path('in.npy')}", f"i32[{out}]=zeros"], out


def program(runner, name):
    """Text, what else its checksum covers, arguments, grid and warps of a golden case."""
    if name.startswith("seed"):
        seed = int(name[4:])
        return generate.Kernel(seed, "sm_90a", 60).text(), "", random_arguments(seed), 2, generate.THREADS // 32
    form, values, *seed = name.split()
    if form == "wgmma":
        return generate_wgmma.text(values), "", generate_wgmma.arguments(values, int(seed[0]), runner.folder), 1, 4
    kernel, text, words, arguments, out = matrix_case(runner, "sm_90a", form, values, int(seed[0]) if seed else 1)
    return text, f"// in: i32[{len(words)}] out: i32[{out}]\n", arguments, 1, kernel.lanes // 32


def golden():
    """Entries and words of the results that a GPU gave."""
    with open(os.path.join(DATA, "h200_programs.json")) as f:
        entries = json.load(f)["programs"]
    with gzip.open(os.path.join(DATA, "h200_programs.bin.gz")) as f:
        blob = f.read()
    words, at = [], 0
    for entry in entries:
        words.append(list(struct.unpack_from(f"<{entry['words']}I", blob, at)))
        at += 4 * entry["words"]
    return entries, words


def programs(runner):
    failed, (entries, words) = 0, golden()
    for entry, expected in zip(entries, words):
        text, comment, arguments, grid, _ = program(runner, entry["name"])
        if zlib.crc32((text + comment).encode()) != entry["text"]:
            raise SystemExit(f"{entry['name']}: the generator writes another program than the one that was run on the GPU")
        got, _ = runner.simulate(text, "sm_90a", grid, arguments)
        if got != expected:
            failed += 1
            first = next(k for k, (g, e) in enumerate(zip(got, expected)) if g != e)
            print(f"FAILED {entry['name']}: word {first} is {got[first]:#x}, expected {expected[first]:#x}")
    print(f"{len(entries) - failed} of {len(entries)} programs equal the H200 bit for bit")
    return failed


def counters(runner):
    with open(os.path.join(DATA, "h200_counters.json")) as f:
        kernels = json.load(f)["kernels"]
    failed = 0
    for name, expected in kernels.items():
        kernel = generate_access.Kernel()
        if name in generate_access.MATRIX:
            kernel.matrix_access(*generate_access.MATRIX[name])
        elif name.startswith("global_"):
            kernel.global_access(*generate_access.GLOBAL[name[7:]])
        else:
            kernel.shared_access(*generate_access.SHARED[name[7:]])
        _, stdout = runner.simulate(kernel.text(), "sm_90a", 4, ["i32[16384]=iota", "i32[16384]=zeros"], ["--stats=json"])
        stats = json.loads(stdout)
        got = {kind: {key: stats[kind][key] for key in values} for kind, values in expected.items()}
        if got != expected:
            failed += 1
            print(f"FAILED {name}: got {got}, expected {expected}")
    print(f"{len(kernels) - failed} of {len(kernels)} access patterns have the H200's counters")
    return failed


# ---- AMD ----

def execute_amd(runner, text, chip, grid, threads, arguments):
    plain = runner.write("plain.mlir", text.replace(" {tile.element = i32}", ""))
    subprocess.run([runner.options.tile_translate, f"--target={chip}", "--emit=hsaco", plain, "-o", runner.path("k.hsaco")], check=True)
    command = [os.environ["TILE_AMDEXEC"], runner.path("k.hsaco"), "--kernel=k", f"--grid={grid}", f"--threads={threads}"]
    command += [f"--arg={a}" for a in arguments] + [f"--out={len(arguments) - 1}:{runner.path('hw.npy')}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if "unimplemented instruction" in done.stdout + done.stderr:
        print(f"{chip}: {(done.stdout + done.stderr).strip().splitlines()[-1]}")
        return None
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return read_npy(runner.path("hw.npy"))


def signed_npy(path):
    """The same array as signed integers, which amdexec wants."""
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data.replace(b"'<u4'", b"'<i4'", 1))


def within_bound(kernel, words, got, expected):
    """Whether each element of the sums is within one unit of its largest product or addend."""
    limits, number, width = kernel.limits(words), kernel.formats[2], kernel.result_bits()
    mask = (1 << width) - 1
    for k, (g, e) in enumerate(zip(got, expected)):
        for part in range(0, 32, width):
            x, y = (generate_matrix.decode(number, w >> part & mask, False) for w in (g, e))
            element = (k // kernel.lanes) * (32 // width) + part // width
            if (g ^ e) >> part & mask and not abs(x - y) <= limits[k % kernel.lanes].get(element, 0):
                return False
    return True


def same(kernel, words, values, got, expected):
    inexact = values == "real" and kernel.formats[2] in ("f16", "bf16", "f32")
    return got == expected or (inexact and within_bound(kernel, words, got, expected))


def amd_program(runner, chip, seed):
    """Whether both give the same; None if the emulator lacks an instruction."""
    text = generate.Kernel(seed, chip, 60).text()
    arguments = random_arguments(seed)
    got, _ = runner.simulate(text, chip, 2, arguments, [f"--out=0:{runner.path('in.npy')}"])
    arguments[0] = f"i32[{2 * generate.THREADS * generate.INPUTS}]=file:{runner.path('in.npy')}"
    expected = execute_amd(runner, text, chip, 2, generate.THREADS, arguments)
    if expected is not None and got != expected:
        print(f"FAILED {chip} seed {seed}: {sum(g != e for g, e in zip(got, expected))} words differ")
    return None if expected is None else (got == expected, False)


def amd_matrix(runner, chip, form, values):
    kernel, text, words, arguments, _ = matrix_case(runner, chip, form, values, runner.options.seed)
    signed_npy(runner.path("in.npy"))
    got, _ = runner.simulate(text, chip, 1, arguments)
    expected = execute_amd(runner, text, chip, 1, kernel.lanes, arguments)
    good = same(kernel, words, values, got, expected)
    if not good:
        print(f"FAILED {chip} {form} {values}: {sum(g != e for g, e in zip(got, expected))} words differ")
    return good, got != expected


def amd_modified(runner, chip, form, values):
    """An instruction with cbsz, abid and blgp, which the emulator lacks: it executes the one without them on operands that are moved."""
    plain = generate_matrix.Kernel(chip, form)
    modifiers = plain.any_modifiers(random.Random(f"{runner.options.seed} {chip} {form} {values}"))
    kernel = generate_matrix.Kernel(chip, form, modifiers)
    text, words = kernel.text(), kernel.input(runner.options.seed, values)
    arguments = [f"i32[{len(words)}]=file:{runner.path('in.npy')}", f"i32[{kernel.lanes * kernel.output_words()}]=zeros"]
    generate_matrix.write_npy(runner.path("in.npy"), words)
    got, _ = runner.simulate(text, chip, 1, arguments)
    moved = kernel.without_modifiers(words)
    generate_matrix.write_npy(runner.path("in.npy"), moved)
    signed_npy(runner.path("in.npy"))
    expected = execute_amd(runner, plain.text(), chip, 1, kernel.lanes, arguments)
    good = same(kernel, moved, values, got, expected) and encoded(runner, text, chip, kernel)
    if not good:
        print(f"FAILED {chip} {form} {values} cbsz, abid, blgp = {modifiers}: {sum(g != e for g, e in zip(got, expected))} words differ")
    return good, got != expected


def encoded(runner, text, chip, kernel):
    """Whether the instruction has the modifiers in assembly."""
    plain = runner.write("plain.mlir", text.replace(" {tile.element = i32}", ""))
    assembly = subprocess.run([runner.options.tile_translate, f"--target={chip}", "--emit=amdgcn", plain], check=True,
                              capture_output=True, text=True).stdout
    line = next(line for line in assembly.splitlines() if "v_mfma" in line)
    if kernel.formats[2] == "f64":
        expected = [f"neg:[{','.join(str(kernel.modifiers[2] >> k & 1) for k in range(3))}]"]
    else:
        expected = [f"{name}:{value}" for name, value in zip(("cbsz", "abid", "blgp"), kernel.modifiers) if value]
    return all(word in line.split() for word in expected)


def amd_cases(runner):
    """Results of all of them, by chip."""
    for chip in runner.options.chips.split(","):
        for seed in range(runner.options.seed, runner.options.seed + runner.options.count):
            yield chip, amd_program(runner, chip, seed)
        for form, parts in generate_matrix.forms(chip).items():
            for values in ("exact", "real"):
                yield chip, amd_matrix(runner, chip, form, values)
                if parts[5] == "mfma" and (parts[4][2] != "f64" or chip != "gfx90a"):
                    yield chip, amd_modified(runner, chip, form, values)


def amd(runner):
    if "TILE_AMDEXEC" not in os.environ:
        print("TILE_AMDEXEC is not set")
        sys.exit(77)
    results = [result for _, result in amd_cases(runner)]
    compared = [result for result in results if result]
    failed, neighbours = sum(not good for good, _ in compared), sum(differs for _, differs in compared)
    print(f"{len(compared) - failed} of {len(compared)} kernels agree with the AMD code objects, {neighbours} of them within the bound of their sums; "
          f"{len(results) - len(compared)} have instructions that the emulator lacks")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("mode", choices=["programs", "counters", "amd"])
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-translate", default="tile-translate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--chips", default=",".join(AMD_CHIPS))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options, folder)
        sys.exit(1 if {"programs": programs, "counters": counters, "amd": amd}[options.mode](runner) else 0)


if __name__ == "__main__":
    main()
