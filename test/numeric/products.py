#!/usr/bin/env python3
"""products.py TILE-RUN CHIP[,CHIP...] [WARPS[,..] [STAGES[,..]]] - every kernel of products.mlir on the simulated chips against the
cpu device: largest |got - expected| within 4e-3 of the largest result (two roundings to bf16 in between), and all checks of the
simulator."""
import itertools
import os
import re
import subprocess
import sys


def main(tool, chips, warps="1,4,8", stages="1,2,4"):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "products.mlir")
    names = re.findall(r"func\.func @(\w+)", open(path).read())
    runs = failed = 0
    for chip, w, s, name, element in itertools.product(chips.split(","), warps.split(","), stages.split(","), names, ("f16", "bf16")):
        command = [tool, path, "-D", f"T={element}", "--device=sim", f"--target={chip}", f"--num-warps={w}", f"--num-stages={s}",
                   f"--kernel={name}", "--grid=1", f"--arg={element}[16384]=rand:1", "--arg=i8[8192]=rand:2", "--arg=f32[8192]=rand:3",
                   "--arg=i32=5", "--arg=i32=1", "--against=cpu", "--atol=0", "--rtol=0"]
        run = subprocess.run(command, capture_output=True, text=True)
        runs += 1
        scaled = re.search(r"f32\[8192\]: .*scaled ([0-9.e+-]+)", run.stdout)
        if run.returncode and not (scaled and float(scaled.group(1)) <= 4e-3):
            failed += 1
            print(f"{chip} {element} warps={w} stages={s} {name}: {(run.stdout + run.stderr).strip()[-300:]}", flush=True)
    print(f"{runs - failed} of {runs} runs agree")
    return 1 if failed else 0


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
