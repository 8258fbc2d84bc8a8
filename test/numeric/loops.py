#!/usr/bin/env python3
"""loops.py TILE-RUN CHIP[,CHIP...] STAGES[,..] COUNTS[,..] [WARPS[,..]] - loops with products of loops/*.ttir on the simulated chips
against the cpu device, for each number of pipeline stages and of iterations.

Masks with another value behind them, products of reduced and of carried values, in branches, in while loops, in nested loops, in
chains, two sums, indices from memory, weights of bytes as either factor, early exits, pointers that change places, stores in the loop. All
checks of the simulator are on; no result differs between numbers of stages.
"""
import glob
import itertools
import os
import re
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops")


def main(tool, chips, stages, counts, warps="4"):
    runs = failed = 0
    results = {}
    for path, chip, s, n, w in itertools.product(sorted(glob.glob(os.path.join(HERE, "*.ttir"))), chips.split(","), stages.split(","),
                                                 counts.split(","), warps.split(",")):
        name = os.path.basename(path)[:-5]
        n = min(int(n), 4) if name.startswith(("factors", "weights")) else int(n)  # these take 64 of K an iteration
        command = [tool, path, "--device=sim", f"--target={chip}", f"--num-warps={w}", f"--num-stages={s}", "--grid=1",
                   "--arg=f16[9000]=randn:1", "--arg=f16[40000]=randn:2", "--arg=f32[9216]=zeros", "--arg=i32[256]=rand:3:0:200",
                   f"--arg=i32={n}", f"--arg=i32={n % 2}", "--against=cpu", "--atol=0.03", "--rtol=4e-3"]
        run = subprocess.run(command, capture_output=True, text=True)
        runs += 1
        line = re.sub(r"^.*: (agrees|equals)", r"\\1", run.stdout.strip())
        same = results.setdefault((name, chip, n, w), line) == line
        if run.returncode or not same:
            failed += 1
            why = (run.stdout + run.stderr).strip()[-300:] if run.returncode else "the result is another one than with fewer stages"
            print(f"{chip} warps={w} stages={s} n={n} {name}: {why}", flush=True)
    print(f"{runs - failed} of {runs} runs agree")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    if not 5 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
