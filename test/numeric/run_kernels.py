#!/usr/bin/env python3
"""run_kernels.py [options] NAME.json... - runs kernels with tile-run and compares with the results kept beside them.

  --tile-run=PATH   the tool (default: tile-run)
  --device=DEVICE   cpu (default), sim, cuda, hip
  --exact=NAME      this kernel's floats have to agree bit for bit (may be repeated)
  -- OPTION...      more options for tile-run, such as --target=gfx942

Each kernel is one line: largest |got - expected| / max(1, largest |expected|) of each output. Integers agree exactly, floats
within 2e-5 (f32), 2e-3 (f16), 2e-2 (bf16); NaN and infinities stand at the same places. Needs only Python's own library.
"""
import array
import ast
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

TOLERANCE = {"f64": 1e-12, "f32": 2e-5, "f16": 2e-3, "bf16": 2e-2}
CODES = {"f8": "d", "f4": "f", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "b1": "B"}


def read_npy(data):
    """Type code such as 'f4', shape and flat list of an .npy file's bytes."""
    length = struct.unpack_from("<H", data, 8)[0] if data[6] == 1 else struct.unpack_from("<I", data, 8)[0]
    start = (10 if data[6] == 1 else 12) + length
    header = ast.literal_eval(data[start - length : start].decode())
    code = header["descr"].lstrip("<|")
    if code == "f2":
        values = [v for (v,) in struct.iter_unpack("<e", data[start:])]
    else:
        values = array.array(CODES[code], data[start:]).tolist()
    return code, header["shape"], values


def bits(value):
    return struct.pack("<d", value)


def compare(element, got, expected, exact):
    """Largest scaled error of two lists, and what is wrong with them ('' if nothing)."""
    if len(got) != len(expected):
        return 0.0, f"{len(got)} elements, expected {len(expected)}"
    if element not in TOLERANCE:
        wrong = [i for i, (g, e) in enumerate(zip(got, expected)) if g != e]
        return float(len(wrong)), f"[{wrong[0]}] {got[wrong[0]]}, expected {expected[wrong[0]]}" if wrong else ""
    scale = max([1.0] + [abs(e) for e in expected if math.isfinite(e)])
    worst, where = 0.0, -1
    for i, (g, e) in enumerate(zip(got, expected)):
        if math.isnan(e) and math.isnan(g):
            continue
        if not math.isfinite(e) or not math.isfinite(g):
            if g != e:
                return math.inf, f"[{i}] {g}, expected {e}"
        elif abs(g - e) / scale > worst or (exact and bits(g) != bits(e)):
            worst, where = max(worst, abs(g - e) / scale), i
            if exact:
                return worst, f"[{i}] {g!r}, expected exactly {e!r}"
    return worst, f"[{where}] {got[where]!r}, expected {expected[where]!r}" if worst > TOLERANCE[element] else ""


def element_of(parameter):
    kind = parameter["type"]
    return kind[len("!tt.ptr<") :].split(",")[0].split(">")[0] if kind.startswith("!tt.ptr<") else kind


def run_kernel(path, options, exact):
    with open(path) as f:
        kernel = json.load(f)
    base = path[: -len(".json")]
    text = next(base + end for end in (".mlir", ".ttir") if os.path.exists(base + end))
    arrays = zipfile.ZipFile(base + ".npz")
    command = options["tool"] + [text, "--device=" + options["device"], "--kernel=" + kernel["name"]]
    command += ["--grid=" + ",".join(map(str, kernel["grid"])), f"--num-warps={kernel['num_warps']}"]
    command += [f"--num-stages={kernel['num_stages']}"] + options["more"]
    with tempfile.TemporaryDirectory() as folder:
        for parameter in kernel["params"]:
            data, element = arrays.read(f"arg{parameter['arg']}.npy"), element_of(parameter)
            if parameter["type"].startswith("!tt.ptr<"):
                name = os.path.join(folder, f"arg{parameter['arg']}.npy")
                with open(name, "wb") as f:
                    f.write(data)
                command.append(f"--arg={element}[]=file:{name}")
            else:
                command.append(f"--arg={element}={read_npy(data)[2][0]}")
        outputs = {}
        if not kernel["outs"]:
            return False, "no result is known"
        for number in kernel["outs"]:
            index = next(i for i, p in enumerate(kernel["params"]) if p["arg"] == number)
            outputs[number] = (index, os.path.join(folder, f"out{number}.npy"))
            command.append(f"--out={index}:{outputs[number][1]}")
        start = time.time()
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        seconds = time.time() - start
        if run.returncode:
            return False, f"tile-run ended with {run.returncode}: {run.stdout.strip()}"
        parts, good = [], True
        for number, (index, name) in outputs.items():
            element = element_of(kernel["params"][index])
            with open(name, "rb") as f:
                got = read_npy(f.read())[2]
            error, problem = compare(element, got, read_npy(arrays.read(f"out{number}.npy"))[2], exact)
            parts.append(f"out{number} {element} {error:.2g}" + (f" WRONG at {problem}" if problem else ""))
            good = good and not problem
    return good, f"{seconds:.2f} s, " + ", ".join(parts)


def main(arguments):
    options = {"tool": ["tile-run"], "device": "cpu", "more": []}
    exact, paths = set(), []
    while arguments:
        argument = arguments.pop(0)
        name, _, value = argument.partition("=")
        if name == "--":
            options["more"], arguments = arguments, []
        elif name == "--tile-run":
            options["tool"] = [value]
        elif name == "--device":
            options["device"] = value
        elif name == "--exact":
            exact.add(value)
        elif name.startswith("-") or not argument.endswith(".json"):
            sys.exit(__doc__)
        else:
            paths.append(argument)
    failed = []
    for path in paths:
        name = os.path.basename(path)[: -len(".json")]
        good, line = run_kernel(path, options, name in exact)
        print(f"{'ok' if good else 'FAILED':7}{name:24}{line}", flush=True)
        failed += [] if good else [name]
    print(f"{len(paths) - len(failed)} of {len(paths)} kernels agree" + (": not " + ", ".join(failed) if failed else ""))
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
