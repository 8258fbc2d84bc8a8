#!/usr/bin/env python3
"""check_shapes.py [--tile-run=PATH] [--chip=CHIP | --device=hip]... [--only=TEXT] [--bundle=FOLDER] FILE.mlir... - runs kernels
on the simulator, or a device, against cpu.

The comment lines at a file's top say what is run:

  // for N in 1 3 100           the values of N: each line `run` is executed for each
  // let M = 2 * N              another name
  // run: --kernel=k --arg=f32[{N}]=randn:1 ...   options for tile-run; {..} is Python

Names replace ${N} in the text, too. The grid is 1 unless a line says otherwise. Warps change from run to run: 4, 1, 8, 2.
Lines may go on after a backslash. With --bundle=FOLDER nothing is compared: binaries for the first chip, what cpu gives and a
script are written, for a machine with a GPU; tile-run (scripts/build-runtime) has to be put beside them.
"""
import os
import re
import shlex
import subprocess
import sys

WARPS = [4, 1, 8, 2]


def plan(path):
    """Names ('N', values), definitions and run lines of a file's head."""
    head, lets, runs, loop = [], [], [], ("N", ["1"])
    with open(path) as f:
        for line in f:
            if not line.startswith("//"):
                break
            text = line[2:].strip()
            if head and head[-1].endswith("\\"):
                head[-1] = head[-1][:-1] + text
            else:
                head.append(text)
    for text in head:
        if m := re.match(r"for (\w+) in (.*)", text):
            loop = (m[1], m[2].split())
        elif m := re.match(r"let (\w+) = (.*)", text):
            lets.append((m[1], m[2]))
        elif m := re.match(r"run: (.*)", text):
            runs.append(m[1])
    return loop, lets, runs


def names_for(loop, lets, value):
    names = {loop[0]: int(value)}
    for name, text in lets:
        names[name] = eval(text, {}, names)
    return names


def options_of(line, names):
    options = shlex.split(re.sub(r"\{([^}]*)\}", lambda m: str(eval(m[1], {}, names)), line))
    return options if "--grid=" in line else options + ["--grid=1"]


def defines(names):
    return [x for name, value in names.items() for x in ("-D", f"{name}={value}")]


def execute(tool, path, names, line, chip, warps):
    command = tool + [path] + options_of(line, names) + defines(names)
    if chip in ("hip", "cuda"):
        command += [f"--device={chip}", "--against=cpu"]
    elif chip != "cpu":
        command += ["--device=sim", f"--target={chip}", "--against=cpu"]
    if "--num-warps=" not in line:
        command.append(f"--num-warps={warps}")
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 0:
        return True
    print("FAILED " + shlex.join(command))
    print("  " + "\n  ".join(run.stdout.strip().splitlines()[:8]), flush=True)
    return False


def bundle(folder, tool, chip, paths):
    """Every third size: each a binary a file, and for each run the buffers that the cpu device leaves."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples"))
    from run import write_script

    os.makedirs(folder)
    commands = []
    for path in paths:
        loop, lets, runs = plan(path)
        for value in loop[1][1::3]:
            names = names_for(loop, lets, value)
            base = os.path.join(folder, f"{os.path.basename(path)[:-5]}{value}")
            translate = tool[:-8] + "tile-translate"
            subprocess.run([translate, path, f"--target={chip}", "--emit=cubin", "-o", base + ".cubin"] + defines(names), check=True)
            for number, line in enumerate(runs):
                options, name = options_of(line, names), f"{base}-{number}"
                buffers = [i for i, o in enumerate(o for o in options if o.startswith("--arg=")) if "]=" in o or "desc(" in o]
                outs = [f"--out={i}:{name}-{i}.npy" for i in buffers]
                subprocess.run([tool, path] + options + defines(names) + outs, check=True, stdout=subprocess.DEVNULL)
                expected = [f"--expect={i}:{os.path.basename(name)}-{i}.npy" for i in buffers]
                commands.append("./tile-run " + shlex.join([os.path.basename(base) + ".cubin", "--device=cuda"] + options + expected))
    write_script(folder, commands)


def main(arguments):
    tool, chips, only, paths, folder = ["tile-run"], [], "", [], ""
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name == "--tile-run":
            tool = [value]
        elif name in ("--chip", "--device"):
            chips.append(value)
        elif name == "--only":
            only = value
        elif name == "--bundle":
            folder = value
        elif name.startswith("-"):
            sys.exit(__doc__)
        else:
            paths.append(argument)
    if folder:
        bundle(folder, tool[0], (chips or ["sm_90a"])[0], paths)
        return 0
    good = total = 0
    for path in paths:
        before = total - good
        loop, lets, runs = plan(path)
        for value in loop[1]:
            for line in runs:
                for chip in chips or ["cpu"]:
                    if only in line:
                        total += 1
                        good += execute(tool, path, names_for(loop, lets, value), line, chip, WARPS[total % 4])
        print(f"{'ok' if total - good == before else 'FAILED':7}{os.path.basename(path)}", flush=True)
    print(f"{good} of {total} runs agree")
    return 0 if good == total and total else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
