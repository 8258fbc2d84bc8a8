#!/usr/bin/env python3
"""dots.py [options] - products of one block each, on sim against cpu.

For every chip, element types, shape and number of warps: a kernel that loads a, b and c, multiplies and stores; its result has to
agree with the cpu device's as far as the types' sums allow.
"""
import argparse
import os
import subprocess
import sys
import tempfile

KERNEL = """
func.func @dot(%pa: !tile.ptr<{A}> {{tile.divisibility = 16 : i32}}, %pb: !tile.ptr<{B}> {{tile.divisibility = 16 : i32}},
    %pc: !tile.ptr<{C}> {{tile.divisibility = 16 : i32}}, %pd: !tile.ptr<{C}> {{tile.divisibility = 16 : i32}}) attributes {{tile.kernel}} {{
  %na = tile.make_range 0 to {NA} : tensor<{NA}xi32>
  %nb = tile.make_range 0 to {NB} : tensor<{NB}xi32>
  %nc = tile.make_range 0 to {NC} : tensor<{NC}xi32>
  %ia = tile.reshape %na : tensor<{NA}xi32> -> tensor<{SA}xi32>
  %ib = tile.reshape %nb : tensor<{NB}xi32> -> tensor<{SB}xi32>
  %ic = tile.reshape %nc : tensor<{NC}xi32> -> tensor<{SC}xi32>
  %sa = tile.splat %pa : tensor<{SA}x!tile.ptr<{A}>>
  %sb = tile.splat %pb : tensor<{SB}x!tile.ptr<{B}>>
  %sc = tile.splat %pc : tensor<{SC}x!tile.ptr<{C}>>
  %sd = tile.splat %pd : tensor<{SC}x!tile.ptr<{C}>>
  %qa = tile.addptr %sa, %ia : tensor<{SA}x!tile.ptr<{A}>>, tensor<{SA}xi32>
  %qb = tile.addptr %sb, %ib : tensor<{SB}x!tile.ptr<{B}>>, tensor<{SB}xi32>
  %qc = tile.addptr %sc, %ic : tensor<{SC}x!tile.ptr<{C}>>, tensor<{SC}xi32>
  %qd = tile.addptr %sd, %ic : tensor<{SC}x!tile.ptr<{C}>>, tensor<{SC}xi32>
  %a = tile.load %qa : tensor<{SA}x!tile.ptr<{A}>>
  %b = tile.load %qb : tensor<{SB}x!tile.ptr<{B}>>
  %c = tile.load %qc : tensor<{SC}x!tile.ptr<{C}>>
  %d = tile.dot %a, %b, %c {P} : tensor<{SA}x{A}> * tensor<{SB}x{B}> -> tensor<{SC}x{C}>
  tile.store %qd, %d : tensor<{SC}x!tile.ptr<{C}>>
  return
}}
"""


def kernel(a, b, c, shape, precision):
    batch, m, n, k = ([1] + list(shape))[-4:]
    lead = f"{batch}x" if len(shape) == 4 else ""
    return KERNEL.format(A=a, B=b, C=c, NA=batch * m * k, NB=batch * k * n, NC=batch * m * n, SA=f"{lead}{m}x{k}",
                         SB=f"{lead}{k}x{n}", SC=f"{lead}{m}x{n}", P=f"precision = {precision}" if precision else "")


# NVIDIA's sums drop bits below the largest addend's last (docs/spec/numerics.md); f16 sums round at each instruction.
BOUND = {"f64": 1e-14, "f32": 4e-6, "f16": 4e-3, "i32": 0}


def run(options, chip, a, b, c, shape, precision, warps):
    text = kernel(a, b, c, shape, precision)
    batch, m, n, k = ([1] + list(shape))[-4:]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "dot.mlir")
        with open(path, "w") as out:
            out.write(text)
        kind = lambda e: "rand" if e.startswith("i") else "randn"
        bound = BOUND[c]
        command = [options.tile_run, path, "--device=sim", f"--target={chip}", f"--num-warps={warps}", "--grid=1",
                   f"--arg={a}[{batch * m * k}]={kind(a)}:1", f"--arg={b}[{batch * k * n}]={kind(b)}:2",
                   f"--arg={c}[{batch * m * n}]={kind(c)}:3", f"--arg={c}[{batch * m * n}]=zeros",
                   "--against=cpu", f"--atol={max(bound, 1e-30) * (k ** 0.5) if bound else 0}", f"--rtol={bound}"]
        return subprocess.run(command, capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--chip", action="append")
    parser.add_argument("--types", action="append", help="a,b,c[,precision]")
    parser.add_argument("--shape", action="append", help="MxNxK or BxMxNxK")
    parser.add_argument("--warps", default="1,2,4,8")
    options = parser.parse_args()
    failed = total = 0
    for chip in options.chip:
        for types in options.types:
            a, b, c, *precision = types.split(",")
            for shape in options.shape:
                for warps in options.warps.split(","):
                    total += 1
                    result = run(options, chip, a, b, c, [int(x) for x in shape.split("x")], (precision or [""])[0], warps)
                    if result.returncode:
                        failed += 1
                        text = (result.stdout + result.stderr).strip().splitlines()
                        print(f"{chip} {types} {shape} warps={warps}: " + " | ".join(text[-2:])[:400])
    print(f"{total - failed} of {total} agree")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
