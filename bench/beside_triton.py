# beside_triton.py LIST.json BINARIES [--rounds=5] [--only=NAME,...] [--csv=FILE] - kernels beside Triton's compilation of the same
# IR, on a GPU.
#
# BINARIES is a folder with NAME.cubin and its manifest for each kernel of the list, as `bench/build-kernels LIST.json sm_90a
# FOLDER` makes it. Both are launched by one process on the same arrays: first both run and the results are compared, then both
# are timed by triton.testing.do_bench (each launch between two events, the L2 cache overwritten before each, warm-up first, the
# median taken); rounds alternate, because a card's clock drifts. Ratios above 1 are in our favour. Needs PyTorch and Triton.
import argparse
import csv
import ctypes
import json
import os
import re
import sys

import torch
import triton

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i32": torch.int32, "i64": torch.int64,
         "f8E4M3FN": torch.float8_e4m3fn, "i8": torch.int8}
SCALARS = {"i1": ctypes.c_int8, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64,
           "f32": ctypes.c_float, "f64": ctypes.c_double}
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES


def make_argument(text):
    array = re.fullmatch(r"(\w+)\[(\d+)\]=(\w+)(?::(\d+))?", text)
    if not array:
        kind, value = text.split("=")
        return int(value) if kind.startswith("i") else float(value)
    kind, count, fill = TYPES[array[1]], int(array[2]), array[3]
    generator = torch.Generator("cuda").manual_seed(int(array[4] or 0))
    if fill == "below":  # random integers below a bound
        return torch.randint(int(array[4]), (count,), device="cuda", dtype=kind)
    make = {"rand": torch.rand, "randn": torch.randn, "zeros": torch.zeros}[fill]
    return make(count, device="cuda", **({} if fill == "zeros" else {"generator": generator})).to(kind)


class Driver:
    """Launches a cubin by what its manifest says."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")

    def call(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        if code:
            sys.exit(f"{name}: CUDA error {code}")

    def load(self, path, grid, arguments):
        """A function that launches the only kernel of the cubin."""
        with open(path + ".json") as file:
            contract = json.load(file)["kernels"][0]
        if contract["hidden"] or contract["grid_rule"] or contract["num_ctas"] != 1:
            sys.exit(f"{path}: its manifest asks for more than this script can")
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        with open(path, "rb") as file:
            self.call("cuModuleLoadData", ctypes.byref(module), file.read())
        self.call("cuModuleGetFunction", ctypes.byref(function), module, contract["name"].encode())
        shared = contract["shared_bytes"]
        if shared > 48 << 10:
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared)
        values = []
        for parameter, value in zip(contract["params"], arguments, strict=True):
            pointer = parameter["kind"] == "pointer"
            values.append(ctypes.c_void_p(value.data_ptr()) if pointer else SCALARS[parameter["type"]](value))
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        threads = (contract["num_warps"] + contract["extra_warps"]) * contract["threads_per_warp"]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        launch = self.cuda.cuLaunchKernel

        def run():
            # `values` is kept alive by this reference: the pointers lead to it.
            if launch(function, *grid, threads, 1, 1, shared, stream, pointers, None) or not values:
                sys.exit(f"{path}: cuLaunchKernel failed")

        return run


def triton_launch(folder, kernel, grid, arguments):
    compiled = triton.compile(os.path.join(folder, kernel["text"]), options={"num_warps": kernel["warps"]})
    return lambda: compiled[grid](*arguments)


def difference(kernel, arguments, ours, theirs):
    """Both from the same arrays: the largest difference, relative to the largest value."""
    results = []
    for launch in (ours, theirs):
        out = arguments[kernel["out"]]
        out.view(torch.int8).fill_(0x55)
        launch()
        torch.cuda.synchronize()
        results.append(out.double())
    got, expected = results
    return float((got - expected).abs().max() / expected.abs().max())


def measure(launch, options):
    return triton.testing.do_bench(launch, warmup=options.warmup, rep=options.rep, return_mode="median")


def compare(driver, folder, kernel, options):
    """Rows of (ours ms, theirs ms), and the difference."""
    arguments = [make_argument(text) for text in kernel["args"]]
    grid = tuple((kernel["grid"] + [1, 1])[:3])
    theirs = triton_launch(folder, kernel, grid, arguments)
    ours = driver.load(os.path.join(options.binaries, kernel["name"] + ".cubin"), grid, arguments)
    apart = difference(kernel, arguments, ours, theirs)
    if not apart < 5e-3:
        print(f"{kernel['name']}: results differ by {apart:.2g} of the largest value")
        return [], apart
    rounds = []
    for number in range(options.rounds):
        order = (ours, theirs) if number % 2 else (theirs, ours)
        times = [measure(launch, options) for launch in order]
        rounds.append(times if number % 2 else times[::-1])
    return rounds, apart


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list")
    parser.add_argument("binaries")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warmup", type=int, default=50, help="ms")
    parser.add_argument("--rep", type=int, default=250, help="ms of launches in a round")
    parser.add_argument("--only", help="names, separated by commas")
    parser.add_argument("--csv")
    options = parser.parse_args()
    with open(options.list) as file:
        kernels = json.load(file)
    folder = os.path.dirname(os.path.abspath(options.list))
    torch.zeros(1, device="cuda")
    driver, rows, failed = Driver(), [], False
    print(f"{torch.cuda.get_device_name()}, triton {triton.__version__}, torch {torch.__version__}")
    for kernel in kernels:
        if options.only and kernel["name"] not in options.only.split(","):
            continue
        if not os.path.exists(os.path.join(options.binaries, kernel["name"] + ".cubin")):
            print(f"{kernel['name']:16} not built")
            failed = True
            continue
        rounds, apart = compare(driver, folder, kernel, options)
        torch.cuda.empty_cache()
        failed |= not rounds
        if not rounds:
            continue
        rate = [kernel["bytes"] / min(times) / 1e6 for times in zip(*rounds)]
        ratios = sorted(theirs / ours for ours, theirs in rounds)
        print(f"{kernel['name']:16} tile {rate[0]:6.0f} GB/s, triton {rate[1]:6.0f} GB/s, difference {apart:.1g}, "
              f"ratio median {ratios[len(ratios) // 2]:.4f} ({ratios[0]:.4f} to {ratios[-1]:.4f})", flush=True)
        rows += [[torch.cuda.get_device_name(), triton.__version__, torch.__version__, kernel["name"], " ".join(kernel["args"]), number,
                  f"{options.warmup} ms", "median", ours, theirs, kernel["bytes"] / ours / 1e6, kernel["bytes"] / theirs / 1e6]
                 for number, (ours, theirs) in enumerate(rounds)]
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["device", "triton", "torch", "kernel", "arguments", "round", "warm-up", "statistic",
                             "tile ms", "triton ms", "tile GB/s", "triton GB/s"])
            writer.writerows(rows)
    sys.exit(failed)


main()
