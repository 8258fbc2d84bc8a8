#!/usr/bin/env python3
"""run.py [options] - runs kernels on many inputs and compares with results computed here in f64.

  --tile-run=PATH        the tool (default: tile-run)
  --device=DEVICE        cpu (default), sim, cuda, hip
  --target=CHIP          for sim (may be repeated); for --bundle
  --cases=FOLDER         where cases_*.py and their kernels are; without it, those of examples/
  --only=TEXT            cases whose name contains it
  --bundle=FOLDER        runs nothing: writes binaries, inputs, expected results and run.sh for a machine with a GPU
  --tile-translate=PATH  compiles for --bundle

The cases of the examples have odd and zero lengths, rows of NaN and infinities, repeated indices. Needs only Python's own library.
"""
import glob
import importlib
import os
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "..", "examples")
FORMATS = {"f16": "e", "f32": "f", "f64": "d", "bf16": "f", "f8E4M3FN": "f", "f8E5M2": "f", "i1": "b", "i8": "b", "i16": "h", "i32": "i", "i64": "q"}
WARPS = [4, 1, 8, 2]


def write_npy(path, element, values):
    code = FORMATS[element]
    kind = {"e": "f2", "f": "f4", "d": "f8", "b": "i1", "h": "i2", "i": "i4", "q": "i8"}[code]
    header = f"{{'descr': '{'|' if kind == 'i1' else '<'}{kind}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{len(values)}{code}", *values))


def options_of(case, folder):
    """Files into `folder`; options of tile-run."""
    options = [f"--kernel={case['kernel']}", "--grid=" + ",".join(map(str, case["grid"]))]
    for i, (element, value) in enumerate(case["args"]):
        if not isinstance(value, list):
            options.append(f"--arg={element}={value!r}")
        elif not value:  # a buffer that nothing may touch
            options.append(f"--arg={element}[1]=zeros")
        else:
            write_npy(os.path.join(folder, f"arg{i}.npy"), element, value)
            options.append(f"--arg={element}[]=file:{folder}/arg{i}.npy")
    for i, value in case["outs"].items():
        if value:
            write_npy(os.path.join(folder, f"out{i}.npy"), case["args"][i][0], value)
            options.append(f"--expect={i}:{folder}/out{i}.npy")
    return options + [f"--{name}={value}" for name, value in case.get("tolerance", {}).items()]


def defines(case):
    return [x for name, value in case.get("defs", {}).items() for x in ("-D", f"{name}={value}")]


def load(folder):
    """The cases of a folder, each with the path of its text."""
    sys.path[:0] = [HERE, folder]
    texts = EXAMPLES if folder == HERE else folder
    for path in sorted(glob.glob(os.path.join(folder, "cases_*.py"))):
        for case in importlib.import_module(os.path.basename(path)[:-3]).cases():
            yield dict(case, path=os.path.relpath(os.path.join(texts, case["file"])))


def run_case(case, tool, device, target, warps):
    with tempfile.TemporaryDirectory() as folder:
        command = [tool, case["path"], f"--device={device}", f"--num-warps={case.get('warps', warps)}"]
        command += ([f"--target={target}"] if target else []) + defines(case) + options_of(case, folder)
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 0:
        return True
    print(f"FAILED {case['name']} {target}: {shlex.join(command)}")
    print("  " + "\n  ".join(run.stdout.strip().splitlines()[:8]), flush=True)
    return False


RUN = """#!/bin/bash
# Executes the lines of `commands` eight at a time; prints those that fail, then how many agree.
cd "$(dirname "$0")"
check() { if out=$(eval "$1" 2>&1); then echo ok; else echo "FAILED $1"; echo "$out" | tail -2; fi; }
export -f check
xargs -P 8 -d '\\n' -I LINE bash -c 'check "LINE"' < commands > results
grep -v '^ok$' results
echo "$(grep -c '^ok$' results) of $(wc -l < commands) runs agree on this GPU"
! grep -q '^FAILED' results
"""


def write_script(folder, commands):
    with open(os.path.join(folder, "commands"), "w") as f:
        f.write("\n".join(commands) + "\n")
    with open(os.path.join(folder, "run.sh"), "w") as f:
        f.write(RUN)


def bundle(cases, folder, translate, target, kind="cubin"):
    """A binary for each text and set of definitions, a folder of arrays for each case; `tile-run` has to be put beside."""
    commands, compiled = [], {}
    for number, case in enumerate(cases):
        key = (case["path"], tuple(defines(case)), case.get("warps", 4))
        if key not in compiled:
            compiled[key] = f"{case['file'][:-5]}{len(compiled)}.{kind}"
            subprocess.run([translate, case["path"], f"--target={target}", f"--emit={kind}", f"--num-warps={key[2]}",
                            "-o", os.path.join(folder, compiled[key])] + defines(case), check=True)
        data = os.path.join(folder, f"case{number}")
        os.makedirs(data)
        options = [o.replace(data, f"case{number}") for o in options_of(case, data)]
        commands.append("./tile-run " + shlex.join([compiled[key], "--device=cuda"] + options))
    write_script(folder, commands)


def main(arguments):
    o = {"--tile-run": "tile-run", "--device": "cpu", "--cases": HERE, "--only": "", "--bundle": "", "--tile-translate": "tile-translate"}
    targets = []
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name == "--target":
            targets.append(value)
        elif name in o:
            o[name] = value
        else:
            sys.exit(__doc__)
    cases = [c for c in load(o["--cases"]) if o["--only"] in c["name"]]
    if o["--bundle"]:
        shutil.rmtree(o["--bundle"], ignore_errors=True)
        os.makedirs(o["--bundle"])
        bundle(cases, o["--bundle"], o["--tile-translate"], (targets or ["sm_90a"])[0])
        return 0
    good = total = 0
    for case in cases:
        for target in targets or [""]:
            total += 1
            good += run_case(case, o["--tile-run"], o["--device"], target, WARPS[total % 4])
    print(f"{good} of {total} cases agree")
    return 0 if good == total and total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
