#!/usr/bin/env python3
"""stages.py TILE-RUN CHIP[,CHIP...] WARPS[,..] STAGES[,..] NAME.json... - run_kernels.py on the simulated chips for each number of
warps and of pipeline stages; prints what fails and ends with status 1."""
import itertools
import os
import subprocess
import sys


def main(tool, chips, warps, stages, *kernels):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_kernels.py")
    runs = failed = 0
    for chip, w, s in itertools.product(chips.split(","), warps.split(","), stages.split(",")):
        command = [sys.executable, script, "--tile-run=" + tool, "--device=sim", *kernels, "--"]
        command += [f"--target={chip}", f"--num-warps={w}", f"--num-stages={s}"]
        run = subprocess.run(command, capture_output=True, text=True)
        runs += 1
        if run.returncode:
            failed += 1
            print(f"{chip}, {w} warps, {s} stages:\n{run.stdout}{run.stderr}", flush=True)
    print(f"{runs - failed} of {runs} runs agree")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
