"""direct_copies.py FOLDER STAGES SIZES BK - products of f16 on the simulated gfx950, BK of K an iteration, with these numbers of stages and
sizes along K, against the cpu."""
import itertools
import os
import re
import subprocess
import sys
import tempfile

M = N = 128
DEFINES = [f"-DB{d}={v}" for d, v in (("M", 64), ("M1", 63), ("N", 64), ("N1", 63))]


def variants(text):
    """With masks along K; with pointers of which 32 bits reach everything, too."""
    masked = re.sub(r"(tt.load %pa_33) :", r"\1, %x_39, %cst_0 :", text)
    masked = re.sub(r"(tt.load %pb_34) :", r"\1, %y_42, %cst :", masked)
    return [masked, masked.replace(": !tt.ptr<f16> {", ": !tt.ptr<f16> {tt.pointer_range = 32 : i32, ")]


def main(folder, stages, sizes, bk):
    defines = [*DEFINES, f"-DBK={bk}", f"-DBK1={int(bk) - 1}"]
    with tempfile.TemporaryDirectory() as temporary:
        for name in ("matmul", "matmul_nt"):
            for text in variants(open(os.path.join(folder, name + ".ttir")).read()):
                source = os.path.join(temporary, "kernel.ttir")
                with open(source, "w") as f:
                    f.write(text)
                for s, k in itertools.product(stages.split(","), map(int, sizes.split(","))):
                    row = N if name == "matmul" else k
                    command = ["tile-run", source, *defines, "--device=sim", "--target=gfx950", f"--num-stages={s}", "--grid=4"]
                    command += ["--against=cpu", "--rtol=2e-3", "--atol=2e-3", f"--arg=f16[{max(M * k, 8)}]=randn:1"]
                    command += [f"--arg=f16[{max(k * N, 8)}]=randn:2", f"--arg=f16[{M * N}]=zeros"]
                    command += [f"--arg=i32={v}" for v in (M, N, k, k, row, N)]
                    run = subprocess.run(command, capture_output=True, text=True)
                    if run.returncode:
                        sys.exit(" ".join(command) + f"\n{run.stdout}{run.stderr}exit status {run.returncode}")


main(*sys.argv[1:])
