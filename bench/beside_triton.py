# beside_triton.py LIST.json RUNTIME BINARIES [--rounds=5] [--csv=FILE] - kernels beside Triton's compilation of the same IR, on a GPU.
#
# RUNTIME is the folder of scripts/build-runtime, BINARIES one with NAME.cubin (and manifest) for each kernel of the list, as
# `bench/build-kernels LIST.json sm_90a FOLDER` makes it. First both run on the same random data and the results are compared;
# then both are timed alike: each launch between two events, the L2 cache overwritten before each, warm-up first, the median
# taken; rounds alternate, because a card's clock drifts. Ratios above 1 are in our favour. Needs PyTorch and Triton.
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy
import torch
import triton

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


def triton_launch(folder, kernel):
    """A function that launches Triton's code, and its arguments."""
    compiled = triton.compile(os.path.join(folder, kernel["text"]), options={"num_warps": kernel["warps"]})
    arguments = [torch_argument(a) for a in kernel["args"]]
    grid = tuple((kernel["grid"] + [1, 1])[:3])
    return (lambda: compiled[grid](*arguments)), arguments


def check(options, folder, kernel):
    """Both on the same data: the largest difference, relative to the largest value."""
    launch, arguments = triton_launch(folder, kernel)
    arguments[kernel["out"]].view(torch.int8).fill_(0x55)
    command = tile_command(options, kernel, [])
    with tempfile.TemporaryDirectory() as temporary:
        for i, (text, value) in enumerate(zip(kernel["args"], arguments)):
            if not torch.is_tensor(value):
                command.append(f"--arg={text}")
                continue
            raw = value.view(torch.uint8) if value.dtype == torch.float8_e4m3fn else value
            numpy.save(f"{temporary}/{i}.npy", raw.cpu().numpy())
            command.append(f"--arg={text.split('=')[0]}=file:{temporary}/{i}.npy")
        command.append(f"--out={kernel['out']}:{temporary}/out.npy")
        run(command)
        launch()
        expected = arguments[kernel["out"]]
        got = torch.from_numpy(numpy.load(f"{temporary}/out.npy")).cuda()
    if expected.dtype == torch.float8_e4m3fn:
        got = got.view(torch.float8_e4m3fn)
    got, expected = got.double(), expected.double()
    return float((got - expected).abs().max() / expected.abs().max())


def time_triton(folder, kernel):
    launch, _ = triton_launch(folder, kernel)
    return triton.testing.do_bench(launch, warmup=50, rep=250, return_mode="median")


def tile_command(options, kernel, arguments):
    binary = os.path.join(options.binaries, kernel["name"] + ".cubin")
    grid = "--grid=" + ",".join(map(str, kernel["grid"]))
    return [f"{options.runtime}/bin/tile-run", binary, "--device=cuda", grid] + [f"--arg={a}" for a in arguments]


def run(command):
    output = subprocess.run(command, capture_output=True, text=True)
    if output.returncode:
        sys.exit(f"{' '.join(command)}: exit status {output.returncode}: {output.stderr}")
    return output.stdout


def time_tile(options, kernel):
    command = tile_command(options, kernel, kernel["args"]) + ["--bench", f"--bytes={kernel['bytes']}"]
    return float(re.search(r"median ([\d.]+) ms", run(command)).group(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    parser.add_argument("runtime")
    parser.add_argument("binaries")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv")
    options = parser.parse_args()
    with open(options.list) as f:
        kernels = json.load(f)
    folder = os.path.dirname(os.path.abspath(options.list))
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    machine = subprocess.run(query, capture_output=True, text=True).stdout.strip().splitlines()[0]
    rows = []
    for kernel in kernels:
        difference = check(options, folder, kernel)
        if not difference < 5e-3:
            sys.exit(f"{kernel['name']}: results differ by {difference:.2g} of the largest value")
        ratios = []
        for number in range(options.rounds):
            theirs = time_triton(folder, kernel)
            torch.cuda.empty_cache()
            ours = time_tile(options, kernel)
            ratios.append(theirs / ours)
            rows.append([machine, triton.__version__, torch.__version__, kernel["name"], " ".join(kernel["args"]), number,
                         "50 ms", "median", ours, theirs, kernel["bytes"] / ours / 1e6, kernel["bytes"] / theirs / 1e6])
        ratios.sort()
        print(f"{kernel['name']:14} tile {rows[-1][10]:7.0f} GB/s, triton {rows[-1][11]:7.0f} GB/s, "
              f"difference {difference:.1g}, ratio median {ratios[len(ratios) // 2]:.4f} ({ratios[0]:.4f} to {ratios[-1]:.4f})", flush=True)
    if options.csv:
        with open(options.csv, "w", newline="") as f:
            writer = csv.writer(f)
            writer.writerow(["device, driver", "triton", "torch", "kernel", "arguments", "round", "warm-up", "statistic",
                             "tile ms", "triton ms", "tile GB/s", "triton GB/s"])
            writer.writerows(rows)


main()
