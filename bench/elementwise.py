# elementwise.py RUNTIME BINARIES [--rounds=5] [--csv=FILE] - element-wise kernels beside Triton's compilation of the same IR, on a GPU.
#
# RUNTIME is the folder of scripts/build-runtime, BINARIES one with NAME.cubin (and manifest) for each kernel of
# elementwise.json, as `bench/build-elementwise sm_90a FOLDER` makes it. Both sides are timed alike: each launch between two
# events, the L2 cache overwritten before each, warm-up first, the median taken; rounds alternate, because a card's clock
# drifts. Data are random. Ratios above 1 are in our favour. Needs PyTorch and Triton.
import argparse
import csv
import json
import os
import re
import subprocess
import sys

import torch
import triton

here = os.path.dirname(os.path.abspath(__file__))
TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i32": torch.int32, "i64": torch.int64,
         "f8E4M3FN": torch.float8_e4m3fn, "i8": torch.int8}


def torch_argument(text):
    array = re.fullmatch(r"(\w+)\[(\d+)\]=(\w+)(?::.*)?", text)
    if not array:
        kind, value = text.split("=")
        return int(value) if kind.startswith("i") else float(value)
    kind, count, fill = TYPES[array[1]], int(array[2]), array[3]
    make = {"rand": torch.rand, "randn": torch.randn, "zeros": torch.zeros}[fill]
    return make(count, device="cuda").to(kind)


def time_triton(kernel):
    compiled = triton.compile(os.path.join(here, kernel["text"]), options={"num_warps": kernel["warps"]})
    arguments = [torch_argument(a) for a in kernel["args"]]
    grid = tuple((kernel["grid"] + [1, 1])[:3])
    launch = lambda: compiled[grid](*arguments)
    return triton.testing.do_bench(launch, warmup=50, rep=250, return_mode="median")


def time_tile(options, kernel):
    binary = os.path.join(options.binaries, kernel["name"] + ".cubin")
    command = [f"{options.runtime}/bin/tile-run", binary, "--device=cuda", "--grid=" + ",".join(map(str, kernel["grid"]))]
    command += [f"--arg={a}" for a in kernel["args"]] + ["--bench", f"--bytes={kernel['bytes']}"]
    output = subprocess.run(command, capture_output=True, text=True)
    if output.returncode:
        sys.exit(f"{' '.join(command)}: exit status {output.returncode}: {output.stderr}")
    return float(re.search(r"median ([\d.]+) ms", output.stdout).group(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runtime")
    parser.add_argument("binaries")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv")
    options = parser.parse_args()
    with open(os.path.join(here, "elementwise.json")) as f:
        kernels = json.load(f)
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    machine = subprocess.run(query, capture_output=True, text=True).stdout.strip().splitlines()[0]
    rows = []
    for kernel in kernels:
        ratios = []
        for number in range(options.rounds):
            theirs = time_triton(kernel)
            torch.cuda.empty_cache()
            ours = time_tile(options, kernel)
            ratios.append(theirs / ours)
            rows.append([machine, triton.__version__, torch.__version__, kernel["name"], " ".join(kernel["args"]), number,
                         "50 ms", "median", ours, theirs, kernel["bytes"] / ours / 1e6, kernel["bytes"] / theirs / 1e6])
        ratios.sort()
        print(f"{kernel['name']:14} tile {rows[-1][10]:7.0f} GB/s, triton {rows[-1][11]:7.0f} GB/s, "
              f"ratio median {ratios[len(ratios) // 2]:.4f} ({ratios[0]:.4f} to {ratios[-1]:.4f})", flush=True)
    if options.csv:
        with open(options.csv, "w", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(["device, driver", "triton", "torch", "kernel", "arguments", "round", "warm-up", "statistic",
                             "tile ms", "triton ms", "tile GB/s", "triton GB/s"])
            writer.writerows(rows)


main()
