#!/usr/bin/env python3
"""import_versions.py [--tile-run=PATH] [--device=DEVICE] [KERNEL...] - one kernel, many texts, one result.

test/data/ttir holds the same kernels as several versions of Triton write them, each as its front end builds it
(NAME.source.ttir) and as its own target-independent passes leave it (NAME.ttir). Every text of a kernel runs on the same
arguments; all have to give the same arrays: integers exactly, floats within the tolerance of run_kernels.py. So what the
import does to block pointers, early returns, calls and old spellings is held against what Triton's passes do.
"""
import os
import subprocess
import sys
import tempfile

from run_kernels import compare, read_npy

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "ttir")
VERSIONS = ["3.0.0", "3.2.0", "3.3.1", "3.4.0", "3.9.0"]

F = "f32[4096]=randn:1"
G = "f32[4096]=randn:2"
OUT = "f32[8192]=zeros"
IOUT = "i32[4096]=zeros"
INTS = "i32[4096]=rand:3:-50:50"
HALF = "f16[8192]=randn:4"

# Grid, arguments, arguments that the kernel writes.
KERNELS = {
    "vector_add": ("4", [F, G, OUT, "i32=4001"], [2]),
    "memory_hints": ("2", [HALF, "f16[8192]=zeros", "i32=512"], [1]),
    "memory_load_cv": ("1", [HALF, "f16[8192]=zeros"], [1]),
    "bool_memory": ("1", ["i1[64]=rand:5", "i1[64]=rand:6", "i1[64]=zeros"], [2]),
    "pointer_table": ("1", ["i32[16]=rand:7:-2:60", "bf16[8192]=randn:8", "bf16[1024]=zeros", "i64=128"], [2]),
    "fp8_casts": ("1", [F, "f8E4M3FN[64]=zeros", "f8E5M2[128]=zeros", "f16[64]=zeros"], [0, 1, 2, 3]),
    "float_minmax": ("1", [F, G, OUT], [2]),
    "float_math": ("1", [F, "f32[128]=rand:9:1:2", OUT], [2]),
    "int_math": ("1", [INTS, "i32[128]=rand:10:1:9", "i32[128]=rand:11:0:99", IOUT, "i32=77", "i32=3"], [3]),
    "casts": ("1", ["f32[64]=rand:12:0:100", "i32[64]=rand:13:0:100", "f16[64]=zeros", "bf16[64]=zeros",
                    "f64[64]=zeros", "i8[64]=zeros", "i8[64]=zeros", "i16[64]=zeros"], [0, 1, 2, 3, 4, 5, 6, 7]),
    "random_numbers": ("2", [OUT, IOUT, "i64=42", "i32=500"], [0, 1]),
    "reductions": ("1", [F, OUT, IOUT, INTS], [1, 2, 3]),
    "reduce_tuple": ("1", [HALF, OUT, "f32[8]=zeros"], [1, 2]),
    "scans": ("1", [F, OUT, INTS], [1, 2]),
    "scans_reverse": ("1", [F, OUT], [1]),
    "sort_flip": ("1", [F, OUT], [1]),
    "top_k": ("1", [F, OUT], [1]),
    "shapes": ("1", [F, OUT], [1]),
    "histogram": ("1", ["i32[512]=rand:14:0:63", IOUT, "i32=400"], [1]),
    "histogram_masked": ("1", ["i32[512]=rand:14:0:63", IOUT, "i32=400"], [1]),
    "gather": ("1", [F, "i32[512]=rand:15:0:15", OUT], [2]),
    "map_elementwise": ("1", [F, G, OUT], [2]),
    "map_elementwise_packed": ("1", [F, OUT], [1]),
    "one_element": ("1", [F, OUT], [1]),
    "dot_loop": ("1", ["f16[4096]=randn:16", "f16[8192]=randn:17", OUT, "i32=96"], [2]),
    "dot_precision": ("1", [F, G, OUT], [2]),
    "dot_types": ("1", ["i8[1024]=rand:32:-99:99", "i8[1024]=rand:33:-99:99", "bf16[1024]=randn:34", "f8E5M2[1024]=randn:35",
                        IOUT, OUT, "f16[1024]=randn:36"], [4, 5, 6]),
    "dot_scaled": ("1", ["i8[16384]=rand:37:0:99", "i8[512]=rand:38:118:127", "i8[16384]=rand:39:0:99",
                         "i8[512]=rand:40:118:127", "bf16[16384]=randn:41", "f32[16384]=zeros"], [5]),
    "dot_scaled_bytes": ("1", ["i8[4096]=rand:42:0:99", "i8[128]=rand:43:118:127", "i8[4096]=rand:44:0:99", OUT], [3]),
    "dot_batched": ("1", [HALF, HALF, OUT], [2]),
    "attention": ("2,2", [HALF + "0", HALF + "1", HALF + "2", "f16[8192]=zeros", "f32=0.125", "i32=64"], [3]),
    "block_pointer_matmul": ("2,2", ["f16[8192]=randn:18", "f16[8192]=randn:19", OUT, "i32=50", "i32=100", "i32=70",
                                     "i32=72", "i32=71"], [2]),
    "block_pointer_flow": ("1", [F, G, OUT, "i32=1000", "i1=1"], [2]),
    "block_pointer_call": ("1", [INTS, IOUT, "i32=110"], [1]),
    "block_pointer_3d": ("1", ["bf16[32768]=randn:20", "bf16[32768]=zeros", "i64=31"], [1]),
    "descriptor_matmul": ("2,2", ["f16[16384]=randn:21", "f16[16384]=randn:22", "f16[16384]=zeros", "i32=100", "i32=96",
                                  "i32=128"], [2]),
    "descriptor_ops": ("1", [F, "f32[4096]=zeros", "i32[32]=rand:23:0:31", "i32=32", "i32=64"], [1]),
    "experimental_make_descriptor": ("1", [HALF, "f16[8192]=zeros", IOUT, "i32=64", "i32=64"], [1]),
    "experimental_gather": ("1", [HALF, "f16[8192]=zeros", "i32[64]=rand:24:0:63", "i32=64", "i32=64"], [1]),
    "early_return": ("5", [F, OUT, "i32=200"], [1]),
    "early_return_loop": ("1,2", [F, "i32=3", "i32=2"], [0]),
    "loops": ("1", ["f32[64]=ones", "i32=9", "i32=2", "i32=3"], [0]),
    "loop_attributes": ("1", ["f16[4096]=randn:25", OUT, "i32=3"], [1]),
    "loop_attributes_new": ("1", ["f16[4096]=randn:25", OUT, "i32=3"], [1]),
    "loops_unsigned": ("1", [OUT, "i32=20", "i32=3"], [0]),
    "loops_kept": ("1", [F, "i32=4"], [0]),
    "branches": ("1", [F, OUT, "i32=11", "f32=0.75"], [0, 1]),
    "programs": ("2,3,2", [OUT, IOUT], [0, 1]),
    "calls": ("1", [F, OUT, "i32=7"], [1]),
    "calls_early": ("1", [IOUT, "i32=3"], [0]),
    "hints": ("1", [F, OUT, "i32=5", "i32=16"], [1]),
    "barrier": ("1", [F, OUT, "i32=5"], [0, 1]),
    "atomics": ("1", [F, "f16[128]=zeros", INTS, "i32[128]=rand:26:0:99", "i64[128]=zeros", "i32=100"], [0, 1, 2, 3, 4]),
    "spin_lock": ("4", ["i32[1]=zeros", OUT, F], [0, 1]),
    "spin_without_barrier": ("1", ["i32[1]=zeros", OUT], [0, 1]),
    "softmax": ("3", [F, OUT, "i32=1008", "i32=4"], [1]),
    "layer_norm": ("2", ["f16[4096]=randn:27", "f16[1000]=randn:28", "f16[1000]=randn:29", "f16[4096]=zeros",
                         "f32[2]=zeros", "f32[2]=zeros", "i32=1024", "i32=1000", "f32=0.00001"], [3, 4, 5]),
    "persistent_matmul": ("3", ["bf16[8192]=randn:30", "bf16[8192]=randn:31", "bf16[16384]=zeros", "i32=100", "i32=90",
                                "i32=64", "i32=64", "i32=96"], [2]),
}

# From this version on the front end means something else: the remainder of floats, sums of i1.
CHANGED = {"float_math": "3.4.0", "reductions": "3.4.0"}
# 3.0 and 3.1 write f8E4M3FNUZ for both e4m3 formats; read as written, the kernel takes other bits.
LEFT_OUT = {"fp8_casts": "3.0.0"}


def texts_of(name):
    paths = [os.path.join(DATA, v, name + suffix) for v in VERSIONS for suffix in (".source.ttir", ".ttir")
             if v != LEFT_OUT.get(name)]
    return [path for path in paths if os.path.exists(path)]


def run(tool, device, path, name, grid, arguments, outputs, folder):
    """The arrays that one text gives, or a message."""
    files = [os.path.join(folder, f"{i}.npy") for i in outputs]
    command = [tool, path, f"--device={device}", f"--kernel={name}", f"--grid={grid}", "--fp-contract=off"]
    command += [f"--arg={argument}" for argument in arguments]
    command += [f"--out={i}:{file}" for i, file in zip(outputs, files)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None, (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[0]
    return [read_npy(open(file, "rb").read())[2] for file in files], ""


def check(tool, device, name):
    grid, arguments, outputs = KERNELS[name]
    paths, problems, first = texts_of(name), [], None
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            label = os.path.relpath(path, DATA)
            if label.startswith(CHANGED.get(name, "never")) and label.endswith(".source.ttir"):
                first = None
            arrays, problem = run(tool, device, path, name, grid, arguments, outputs, folder)
            if problem:
                problems.append(f"{label}: {problem}")
            elif first is None:
                first = arrays
                if not any(v for array in arrays for v in array):
                    problems.append(f"{label}: nothing but zeros")
            else:
                for i, got, expected in zip(outputs, arrays, first):
                    problem = compare(arguments[i].split("[")[0], got, expected, False)[1]
                    if problem:
                        problems.append(f"{label}: argument {i}: {problem}")
    print(f"{name}: {len(paths)} texts{'' if not problems else ', ' + '; '.join(problems)}")
    return not problems and bool(paths)


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    names = [a for a in sys.argv[1:] if not a.startswith("--")] or list(KERNELS)
    good = [check(options.get("tile-run", "tile-run"), options.get("device", "cpu"), name) for name in names]
    print(f"{sum(good)} of {len(good)} kernels agree")
    sys.exit(0 if all(good) else 1)


main()
