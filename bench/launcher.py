# launcher.py - launches a cubin by its manifest from a process that uses PyTorch; times functions side by side, and what a
# comparison of kernels with their peers has around that: options, the check of a result, the CSV.
import argparse
import csv
import ctypes
import importlib.util
import json
import math
import os
import random
import re
import statistics
import struct
import sys


def start(*needed):
    """For the script that runs: its heading and no more if it is asked for help; its end where a module is missing."""
    script = sys.argv[0]
    if {"-h", "--help"} & set(sys.argv[1:]):
        with open(script) as file:
            heading = re.match("(#.*\n)*", file.read())[0]
        print(re.sub("(?m)^# ?", "", heading), end="")
        sys.exit()
    for name in needed:
        if not importlib.util.find_spec(name):
            sys.exit(f"{os.path.basename(script)}: needs {name}, which this Python does not have")


start("torch")
import torch  # noqa: E402

MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
# CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapL2promotion of cuda.h
MAP_TYPES = {"f16": 6, "f32": 7, "bf16": 9, "f8E4M3FN": 0, "i8": 0, "i32": 3}
SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
PROMOTE_128 = 2
WARM_UP = 3  # launches of each function before the first that is timed
BYTES = {"f16": 2, "f32": 4, "bf16": 2, "f8E4M3FN": 1, "i8": 1, "i32": 4}


def float_bits(x):
    return struct.unpack("I", struct.pack("f", x))[0]


def descriptor(tensor, rows, columns):
    """The launch values of a descriptor of a row-major matrix."""
    return [tensor, rows, columns, columns, 1]


def programs(contract, **names):
    """The grid of programs that a manifest says for these scalar arguments."""
    known = {"ceildiv": lambda a, b: -(-a // b), "min": min, "max": max,
             "processors": torch.cuda.get_device_properties(0).multi_processor_count}
    return [max(1, int(eval(text.replace("/", "//"), {"__builtins__": {}}, {**known, **names}))) for text in contract["programs"]]


class Kernel:
    """The only kernel of a cubin. `bind` gives a function that launches it."""

    def __init__(self, path):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        with open(path + ".json") as file:
            self.contract = json.load(file)["kernels"][0]
        self.module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoad", ctypes.byref(self.module), path.encode())
        self.call("cuModuleGetFunction", ctypes.byref(self.function), self.module, self.contract["name"].encode())
        self.call("cuFuncSetAttribute", self.function, MAX_DYNAMIC_SHARED, self.contract["shared_bytes"])

    def call(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        if code:
            raise RuntimeError(f"{name}: CUDA error {code}")

    def tensor_map(self, recipe, values):
        """128 bytes at an address that is a multiple of 64, as the recipe of the manifest says."""
        def number(factors):  # a launch value times a factor, and times others
            return (values[factors[0]] if factors[0] >= 0 else 1) * math.prod(values[i] for i in factors[2:]) * factors[1]

        buffer = ctypes.create_string_buffer(192)
        address = (ctypes.addressof(buffer) + 63) & ~63
        sizes = [number(p) for p in recipe["sizes"]]
        strides = [number(p) * BYTES[recipe["type"]] for p in recipe["strides"]]
        n, base = len(sizes), values[recipe["base"]].data_ptr()
        if recipe.get("apart"):  # of rows that start anywhere, every so many-th (lib/Runtime/MapPlace.c)
            start = base + strides[0] * recipe["row"]
            base = start // 16 * 16
            sizes[0] += start % 16 // BYTES[recipe["type"]]
            sizes[1] = -(-(sizes[1] - recipe["row"]) // recipe["apart"])
            strides[0] *= recipe["apart"]
        if recipe.get("stored") and sizes[0] * BYTES[recipe["type"]] % 16:
            raise ValueError("rows that a kernel stores by the copy engine have to be whole 16 bytes")
        if recipe.get("checked") and (min(sizes + strides) < 1 or any(s % 16 for s in strides)):  # the kernel does without
            return buffer, address
        self.call("cuTensorMapEncodeTiled", ctypes.c_void_p(address), MAP_TYPES[recipe["type"]], n,
                  ctypes.c_void_p(base), (ctypes.c_uint64 * n)(*sizes),
                  (ctypes.c_uint64 * max(1, n - 1))(*strides), (ctypes.c_uint32 * n)(*recipe["box"]),
                  (ctypes.c_uint32 * n)(*[1] * n), 0, SWIZZLES[recipe["swizzle"]], PROMOTE_128, 0)
        return buffer, address

    def bind(self, values, grid):
        """values: tensors and integers (floats as their bits), descriptors expanded; grid: programs in x, y, z."""
        blocks = grid[0] * self.contract["num_ctas"] * (grid[1] * grid[2] if len(grid) > 2 else 1)
        words = (self.contract["scratch_bytes"] + blocks * self.contract["scratch_bytes_per_block"] + 3) // 4
        scratch = torch.zeros(words, dtype=torch.int32, device="cuda")  # and left so by each launch (`scratch_kept`)
        kept = [ctypes.c_uint64(v.data_ptr()) if torch.is_tensor(v) else ctypes.c_int64(v) for v in values]
        asked = dict(zip(("programs_x", "programs_y", "programs_z"), map(ctypes.c_int32, grid)), scratch=ctypes.c_uint64(scratch.data_ptr()))
        kept += [asked[name] for name in self.contract["hidden"]]
        addresses = [ctypes.addressof(k) for k in kept]
        for recipe in self.contract.get("tensor_maps", []):
            made = self.tensor_map(recipe, values)
            kept.append(made[0])
            addresses.append(made[1])
        pointers = (ctypes.c_void_p * len(addresses))(*addresses)
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        contract, launch = self.contract, self.cuda.cuLaunchKernel
        if contract.get("grid_rule"):  # blocks that go over the programs
            most = torch.cuda.get_device_properties(0).multi_processor_count * contract["grid_rule"]["blocks_per_processor"]
            grid = (min(grid[0] * grid[1] * grid[2], most), 1, 1)
        grid = (grid[0] * contract["num_ctas"], *grid[1:])  # the cubin says the cluster
        threads = contract["threads_per_warp"] * (contract["num_warps"] + contract["extra_warps"])

        def run(kept=(kept, scratch)):  # what the pointers lead to lives as long as the function
            code = launch(self.function, *grid, threads, 1, 1, contract["shared_bytes"], stream, pointers, None)
            if code:
                raise RuntimeError(f"cuLaunchKernel: CUDA error {code}")

        return run


def launch_times(functions, rounds, seed=None, flushed=64 << 20):
    """Microseconds of each launch of each function, a list per function: in every round all run once, the L2 cache overwritten
    before each; in their order, or with a seed in one drawn anew for every round."""
    flush = torch.empty(flushed, dtype=torch.int32, device="cuda")
    for f in functions * WARM_UP:
        f()
    draw = random.Random(seed)
    marks = [[] for _ in functions]
    for _ in range(rounds):
        order = list(range(len(functions)))
        if seed is not None:
            draw.shuffle(order)
        for i in order:
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            flush.zero_()
            start.record()
            functions[i]()
            end.record()
            marks[i].append((start, end))
    torch.cuda.synchronize()
    return [[1e3 * start.elapsed_time(end) for start, end in times] for times in marks]


def median(times):
    return statistics.median(times)


def trimmed_mean(times):
    """The mean without the highest and the lowest tenth."""
    cut = len(times) // 10
    return statistics.fmean(sorted(times)[cut:len(times) - cut])


def side_by_side(functions, rounds):
    """Milliseconds of each function: medians over `rounds`, in each of which all run once, the L2 cache overwritten before."""
    return [median(times) / 1e3 for times in launch_times(functions, rounds)]


def environment():
    """What a row of a CSV says of the run."""
    driver = ctypes.c_int()
    ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(driver))
    return {"device": torch.cuda.get_device_name(), "driver": driver.value, "torch": torch.__version__,
            "cudnn": torch.backends.cudnn.version()}


def parser(rounds):
    """BINARIES [--rounds] [--seed] [--csv]."""
    made = argparse.ArgumentParser()
    made.add_argument("binaries")
    made.add_argument("--rounds", type=int, default=rounds)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--csv")
    return made


def compiled(options, name):
    """What `bench/build-hopper` has compiled of an example: a list of files with their sizes."""
    with open(os.path.join(options.binaries, name)) as file:
        return json.load(file)


def if_installed(peer):
    """What `peer` gives: a function that binds it, and its version; (None, "") where it cannot be imported."""
    try:
        return peer()
    except ImportError:
        return None, ""


def check(name, run, result, part, exact, most=1e-3):
    """Runs once into the poisoned `result`; ends the program unless all of it are numbers, and `part` of it is as close to
    `exact` as `most` says (of its Euclidean norm)."""
    result.fill_(float("nan") if result.is_floating_point() else -77)
    run()
    error = ((part(result).double() - exact).norm() / exact.norm()).item()
    if not error < most or (result.is_floating_point() and torch.isnan(result).any()):
        sys.exit(f"{name}: wrong result (relative error {error})")


def write_csv(options, rows, **more):
    """The rows, each with what is said of the whole run; nothing without --csv."""
    if not options.csv:
        return
    more = {**environment(), **more, "seed": options.seed, "warm_up": WARM_UP,
            "statistic": f"median of {options.rounds} interleaved rounds"}
    with open(options.csv, "w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], *more])
        writer.writeheader()
        writer.writerows({**row, **more} for row in rows)
