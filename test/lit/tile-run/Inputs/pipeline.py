"""pipeline.py FILE STAGES ITERATIONS CHIP... - runs FILE's kernels with these numbers (1,2,4) of both; the first difference ends it."""
import itertools
import os
import struct
import subprocess
import sys
import tempfile


def write_npy(path, values):
    header = "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header += " " * (-(11 + len(header)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack("<%di" % len(values), *values))


def arguments(folder, n):
    """Of each kernel, for n iterations."""
    rows, chain = os.path.join(folder, f"rows{n}.npy"), os.path.join(folder, "chain.npy")
    write_npy(rows, [(i * 37 + 11) % 24 for i in range(max(1, n * 16))])
    write_npy(chain, [(i * 5 + 3) % 64 for i in range(64)])
    pages = os.path.join(folder, f"pages{n}.npy")
    write_npy(pages, [(i * 5 + 2) % 8 for i in range(max(1, n))])
    blocks, out = lambda k: f"f16[{1024 * max(1, k)}]=rand:", "f16[1024]=zeros"
    block, last = f"f32[{32 * (32 * n + 1)}]=randn:", 2**31 - 1
    return {
        "indirect": ["f32[1536]=randn:1", f"i32[]=file:{rows}", "f32[1024]=zeros", f"i32={n}", "i32=20"],
        "chase": [f"i32[]=file:{chain}", "i32[1]=zeros", f"i32={n}"],
        "prefix": [f"f32[{4096 * (n + 1)}]=randn:1", f"i32={n}"],
        "branch": [f"f32[{256 * n + 1}]=randn:1", "f32[256]=zeros", "i64=-3", f"i64={2 * n - 3}", "i64=2"],
        "last": [f"f32[{256 * n + 1}]=randn:1", "f32[256]=zeros", f"i32={last - 3 * n}", f"i32={last}"],
        "both": [block + "1", block + "2", "f32[1024]=zeros", "f32[32]=zeros", f"i32={max(0, 32 * n - 5)}"],
        "seven": [blocks(4 * n) + "1", blocks(4 * n) + "2", out, f"i32={n}"],
        "chained": [blocks(2 * n) + "1", blocks(2 * n) + "2", out, f"i32={n}"],
        "pages": ["f16[1024]=randn:1", "f16[8192]=randn:2", "f16[8192]=randn:3", f"i32[]=file:{pages}", out, f"i32={n}"],
        "nested": [blocks(n) + "1", f"i8[{1024 * max(1, n)}]=rand:2", out, f"i32={n}"],
    }


HALF = ["--rtol=2e-3", "--atol=2e-3"]
TOLERANCE = {"both": ["--rtol=1e-5", "--atol=1e-5"], "seven": HALF, "chained": HALF, "pages": HALF, "nested": HALF}


def main(path, all_stages, all_iterations, *chips):
    with tempfile.TemporaryDirectory() as folder:
        for chip, stages, n in itertools.product(chips, all_stages.split(","), map(int, all_iterations.split(","))):
            for kernel, values in arguments(folder, n).items():
                command = [os.environ.get("TILE_RUN", "tile-run"), path, "-D", f"S={stages}", f"--num-stages={stages}", "--device=sim"]
                command += [f"--target={chip}", f"--kernel={kernel}", "--grid=1", "--against=cpu"]
                command += TOLERANCE.get(kernel, [])
                run = subprocess.run(command + [f"--arg={v}" for v in values], capture_output=True, text=True)
                if run.returncode:
                    sys.exit(" ".join(command) + "\n" + f"{run.stdout}{run.stderr}exit status {run.returncode}")


main(*sys.argv[1:])
