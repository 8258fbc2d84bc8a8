# vector_add.py RUNTIME KERNEL [--kernel=NAME] [--block=N] [--log2=28] [--rounds=5] - our vector add beside Triton's, on a GPU.
#
# RUNTIME is the folder of scripts/build-runtime, KERNEL a cubin with its manifest, BLOCK the elements a program adds.
# Both are timed in the same way: each launch between two events, the L2 cache overwritten before each, the median taken;
# rounds alternate, because a card's clock drifts. Prints both rates and their ratio; needs PyTorch and Triton.
import argparse
import re
import subprocess
import sys

import launcher  # before PyTorch: it says where there is none
import torch

launcher.start("triton")
import triton  # noqa: E402
import triton.language as tl  # noqa: E402


@triton.jit
def triton_add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask) + tl.load(y + offsets, mask), mask)


def time_triton(n):
    """Milliseconds of the fastest of Triton's usual block sizes."""
    x, y = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
    out = torch.empty_like(x)
    times = []
    for block in (1024, 2048, 4096):
        launch = lambda: triton_add[(triton.cdiv(n, block),)](x, y, out, n, BLOCK=block)
        times.append(triton.testing.do_bench(launch, warmup=50, rep=250, return_mode="median"))
    return min(times)


def time_tile(options, n):
    command = [f"{options.runtime}/bin/tile-run", options.binary, "--device=cuda", f"--grid={-(-n // options.block)}"]
    command += [f"--arg=f32[{n}]=rand:1", f"--arg=f32[{n}]=rand:2", f"--arg=f32[{n}]=zeros", f"--arg=i32={n}"]
    command += ["--bench", f"--bytes={12 * n}"]
    if options.kernel:
        command.append(f"--kernel={options.kernel}")
    output = subprocess.run(command, capture_output=True, text=True)
    if output.returncode:
        sys.exit(f"{' '.join(command)}: exit status {output.returncode}: {output.stderr}")
    return float(re.search(r"median ([\d.]+) ms", output.stdout).group(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runtime")
    parser.add_argument("binary")
    parser.add_argument("--kernel")
    parser.add_argument("--block", type=int, default=1024)
    parser.add_argument("--log2", type=int, default=28)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    n = 1 << options.log2
    ratios = []
    for _ in range(options.rounds):
        theirs, ours = time_triton(n), time_tile(options, n)
        torch.cuda.empty_cache()
        ratios.append(theirs / ours)
        print(f"2^{options.log2} f32: tile {12e-6 * n / ours:.1f} GB/s, triton {12e-6 * n / theirs:.1f} GB/s, "
              f"ratio {ratios[-1]:.4f}", flush=True)
    print(f"median ratio {sorted(ratios)[len(ratios) // 2]:.4f}")


main()
