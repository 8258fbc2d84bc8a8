#!/usr/bin/env python3
"""mutate_masks.py --bin=FOLDER [--chip=CHIP] FILE.mlir... - whether a wrong mask of an added element would be noticed.

Pads the kernels of check_shapes.py for N = 3 and 5, and makes each comparison that padding has added (`index < size`) true for
one element more. Then the simulator has to report an access out of bounds or a race, or a buffer has to differ from what the
unpadded kernel gives on cpu. A change that is not noticed is listed; those of EQUIVALENT change nothing that could be seen.
"""
import os
import re
import subprocess
import sys
import tempfile

from check_shapes import defines, names_for, options_of, plan

# kernel: why a larger mask makes no difference there
EQUIVALENT = {
    "made": "beyond the block's columns the tensor ends; a row too many is what the next block's first row will be",
    "histogram_masked": "the kernel's own mask ends before",
}


def output_of(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def kernels_of(text):
    return re.findall(r"func\.func @(\w+)\(", text)


def padded(folder, path, names, kernel, chip, out):
    tile = os.path.join(out, "tile.mlir")
    command = [os.path.join(folder, "tile-translate"), path, f"--kernel={kernel}", "--emit=tile", "-o", tile] + defines(names)
    if (run := output_of(command)).returncode:
        sys.exit(run.stdout)
    run = output_of([os.path.join(folder, "tile-opt"), tile, f"--convert-tile-to-tile-gpu=target={chip}", "--canonicalize", "--cse"])
    if run.returncode:
        sys.exit(run.stdout)
    return run.stdout


def masks_of(text):
    """Comparisons of a range that starts at 0 with a splat that is no power of two: lines, by number."""
    ranges = set(re.findall(r"(%\w+) = tile\.make_range 0 to", text))
    sizes = {v for v, n in re.findall(r"(%\w+) = arith\.constant dense<(\d+)> : tensor<[0-9x]+xi32>", text) if int(n) & (int(n) - 1)}
    for number, line in enumerate(text.split("\n")):
        m = re.search(r"arith\.cmpi slt, (%\w+), (%\w+) :", line)
        if m and m[1] in ranges and m[2] in sizes:
            yield number


def expected_of(folder, path, names, line, out):
    options = options_of(line, names)
    buffers = [i for i, o in enumerate(o for o in options if o.startswith("--arg=")) if "]=" in o or "desc(" in o]
    outs = [f"--out={i}:{out}/{i}.npy" for i in buffers]
    if (run := output_of([os.path.join(folder, "tile-run"), path] + options + defines(names) + outs)).returncode:
        sys.exit(run.stdout)
    return options + [f"--expect={i}:{out}/{i}.npy" for i in buffers]


def simulate(folder, chip, lines, options, out):
    path = os.path.join(out, "changed.mlir")
    with open(path, "w") as f:
        f.write("\n".join(lines))
    return output_of([os.path.join(folder, "tile-run"), path, "--device=sim", f"--target={chip}"] + options)


def main(arguments):
    folder, chip, paths = "", "sm_90a", []
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name == "--bin":
            folder = os.path.abspath(value)
        elif name == "--chip":
            chip = value
        else:
            paths.append(argument)
    if not folder or not paths:
        sys.exit(__doc__)
    total = noticed = excused = 0
    for path in paths:
        loop, lets, runs = plan(path)
        for value in [v for v in loop[1] if v in ("3", "5")]:
            names = names_for(loop, lets, value)
            with tempfile.TemporaryDirectory() as out:
                texts = {}
                for line in runs:
                    kernel = re.search(r"--kernel=(\w+)", line)[1]
                    if "desc(" in line:  # its parameters are others once it is padded
                        continue
                    if kernel not in texts:
                        texts[kernel] = padded(folder, path, names, kernel, chip, out)
                    text = texts[kernel].split("\n")
                    options = expected_of(folder, path, names, line, out)
                    if (run := simulate(folder, chip, text, options, out)).returncode:
                        sys.exit(f"{kernel}, N = {value}, fails as it is: {run.stdout}")
                    for number in masks_of(texts[kernel]):
                        changed = list(text)
                        changed[number] = changed[number].replace("slt", "sle")
                        run = simulate(folder, chip, changed, options, out)
                        total += 1
                        if run.returncode:
                            noticed += 1
                        elif kernel in EQUIVALENT:
                            excused += 1
                        else:
                            print(f"NOT NOTICED {os.path.basename(path)} {kernel} N={value}: {text[number].strip()}", flush=True)
    print(f"{noticed} of {total} wrong masks are noticed, {excused} make no difference")
    return 0 if noticed + excused == total and total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
