#!/usr/bin/env python3
"""capture.py prepare FOLDER | take FOLDER - results of an NVIDIA GPU for compare.py's golden data.

  prepare   writes FOLDER: each case as a cubin with its input and what the simulator gives, and run.py, which needs no more than
            the CUDA driver. `--tile-run=PATH --tile-translate=PATH`; `--first=N --seeds=N` choose random
            programs, --matrix-seed=N other operands of the matrix instructions. Then on the GPU's machine: `python3 FOLDER/run.py`, which writes results_FOLDER.json into $OUT or FOLDER.
  take      puts FOLDER's results_*.json into test/data/simulator: what is new there, and what has another text.
"""
import argparse
import glob
import gzip
import json
import os
import struct
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compare  # noqa: E402
import generate  # noqa: E402
import generate_matrix  # noqa: E402
import generate_wgmma  # noqa: E402


# What is no part of PTX 8.6, which tile-translate writes: by LLVM's own tools.
NEWER = ("m16n8k16.f32.e", "m16n8k16.f16.e", "m16n8k32.f16.e")
LLVM = os.environ.get("LLVM_BIN", "/usr/lib/llvm-22/bin")


def names(first, seeds, matrix_seed):
    for seed in range(first, first + seeds):
        yield f"seed{seed}"
    suffix = f" {matrix_seed}" if matrix_seed != 1 else ""
    for form, parts in generate_matrix.NVIDIA.items():
        for values in ["exact"] if parts[4][2] == "i32" else ["exact", "real", "wide", "special", "tiny"]:
            yield f"{form} {values}{suffix}"
    for form, (_, _, sums, place, _, steps, _) in generate_wgmma.forms().items():
        wanted = ["exact"] if sums == "s32" else ["near", "wide", "exact", "real", "special", "tiny"]
        for values in wanted if place == "shared" and steps == 1 else wanted[:2]:
            yield f"{form} {values}{suffix}"


def compile_newer(runner, text, path):
    """A cubin."""
    def tool(*command, feed=None):
        return subprocess.run(command, input=feed, check=True, capture_output=True, text=True).stdout
    plain = text.replace(" {tile.element = i32}", "")
    llvm = tool(os.path.join(LLVM, "mlir-translate"), "--mlir-to-llvmir", feed=plain)
    ptx = tool(os.path.join(LLVM, "llc"), "-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_90a", "-mattr=+ptx87", "-o", "-", feed=llvm)
    tool("ptxas", "-arch=sm_90a", runner.write("k.ptx", ptx), "-o", path)
    os.remove(runner.path("k.ptx"))


def prepare(options):
    os.makedirs(options.folder, exist_ok=True)
    runner, cases, binaries = compare.Runner(options, options.folder), [], {}
    wanted = [name for name in names(options.first, options.seeds, options.matrix_seed) if options.only in name]
    for number, name in enumerate(wanted):
        text, comment, arguments, grid, warps = compare.program(runner, name)
        words, _ = runner.simulate(text, "sm_90a", grid, arguments, [f"--out=0:{runner.path(f'{number}.npy')}"])
        if text not in binaries:
            binaries[text] = f"{number}.cubin"
            if name.startswith(NEWER):
                compile_newer(runner, text, runner.path(binaries[text]))
            else:
                command = [options.tile_translate, "--target=sm_90a", "--emit=cubin", f"--num-warps={warps}", runner.path("k.mlir"), "-o",
                           runner.path(binaries[text])]
                subprocess.run(command, check=True, capture_output=True)
        cases.append({"name": name, "binary": binaries[text], "grid": grid, "warps": warps, "input": f"{number}.npy",
                      "text": zlib.crc32((text + comment).encode()), "words": words})
    for name in ("k.mlir", "out.npy", "in.npy"):
        if os.path.exists(runner.path(name)):
            os.remove(runner.path(name))
    with open(runner.path("cases.json"), "w") as f:
        json.dump(cases, f)
    with open(runner.path("run.py"), "w") as f:
        f.write(RUN)
    print(f"{len(cases)} cases in {options.folder}")


RUN = '''"""Runs the cases by the CUDA driver, writes results.json and prints what differs from the simulator."""
import ctypes, json, os, struct

os.chdir(os.path.dirname(os.path.abspath(__file__)))
cuda = ctypes.CDLL("libcuda.so.1")

def call(name, *arguments):
    status = getattr(cuda, name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: error {status}")

def words_of(path):
    with open(path, "rb") as f:
        data = f.read()
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    return data[start:]

def on_gpu(size, data=None):
    p = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(p), ctypes.c_size_t(size))
    if data is None:
        call("cuMemsetD8_v2", p, ctypes.c_ubyte(0), ctypes.c_size_t(size))
    else:
        call("cuMemcpyHtoD_v2", p, data, ctypes.c_size_t(size))
    return p

def run(case):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    with open(case["binary"], "rb") as f:
        call("cuModuleLoadData", ctypes.byref(module), f.read())
    call("cuModuleGetFunction", ctypes.byref(function), module, b"k")
    data, size = words_of(case["input"]), 4 * len(case["words"])
    pointers = [on_gpu(len(data), data), on_gpu(size)]
    parameters = (ctypes.c_void_p * 2)(*[ctypes.cast(ctypes.pointer(p), ctypes.c_void_p) for p in pointers])
    call("cuLaunchKernel", function, case["grid"], 1, 1, 32 * case["warps"], 1, 1, 0, None, parameters, None)
    call("cuCtxSynchronize")
    out = ctypes.create_string_buffer(size)
    call("cuMemcpyDtoH_v2", out, pointers[1], ctypes.c_size_t(size))
    for p in pointers:
        call("cuMemFree_v2", p)
    call("cuModuleUnload", module)
    return list(struct.unpack(f"<{size // 4}I", out.raw))

device, context = ctypes.c_int(), ctypes.c_void_p()
call("cuInit", 0)
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxSetCurrent", context)
with open("cases.json") as f:
    cases = json.load(f)
results, wrong = [], 0
for case in cases:
    try:
        words = run(case)
    except RuntimeError as e:
        words = str(e)
    results.append({"name": case["name"], "text": case["text"], "words": words})
    if words == case["words"]:
        continue
    wrong += 1
    if isinstance(words, str):
        print("ERROR", case["name"], words)
    else:
        at = [k for k, (a, b) in enumerate(zip(words, case["words"])) if a != b]
        print("DIFFERS", case["name"], len(at), "of", len(words), "words:", " ".join(f"{k}:{words[k]:08x}/{case['words'][k]:08x}" for k in at[:4]))
out = os.environ.get("OUT", ".")
with open(os.path.join(out, f"results_{os.path.basename(os.getcwd())}.json"), "w") as f:
    json.dump(results, f)
print(f"{len(cases) - wrong} of {len(cases)} cases equal the simulator")
'''


def take(options):
    with open(glob.glob(os.path.join(options.folder, "results_*.json"))[0]) as f:
        results = {r["name"]: r for r in json.load(f) if isinstance(r["words"], list) and options.only in r["name"]}
    entries, words = compare.golden()
    kept = [(e, w) for e, w in zip(entries, words) if e["name"] not in results]
    new = [({"name": r["name"], "text": r["text"], "words": len(r["words"])}, r["words"]) for r in results.values()]
    with open(os.path.join(compare.DATA, "h200_programs.json")) as f:
        document = json.load(f)
    document["programs"] = [e for e, _ in kept + new]
    with open(os.path.join(compare.DATA, "h200_programs.json"), "w") as f:
        json.dump(document, f, indent=1)
        f.write("\n")
    blob = b"".join(struct.pack(f"<{len(w)}I", *w) for _, w in kept + new)
    with open(os.path.join(compare.DATA, "h200_programs.bin.gz"), "wb") as f:
        f.write(gzip.compress(blob, 9, mtime=0))
    print(f"{len(new)} taken, {len(kept)} kept")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("mode", choices=["prepare", "take"])
    parser.add_argument("folder")
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-translate", default="tile-translate")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=32)
    parser.add_argument("--matrix-seed", type=int, default=1)
    parser.add_argument("--only", default="", help="what the names have to contain")
    options = parser.parse_args()
    (prepare if options.mode == "prepare" else take)(options)


if __name__ == "__main__":
    main()
