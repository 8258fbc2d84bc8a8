# make_kernels.py FOLDER - writes the Triton IR of row_kernels.py for the shapes of rows.json; needs Triton, no GPU.
import sys

if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
    with open(__file__) as heading:
        print(heading.readline()[2:], end="")
    sys.exit(0 if len(sys.argv) == 2 else 2)
import triton  # noqa: E402
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import row_kernels

TARGET = GPUTarget("cuda", 90, 32)


def keep(folder, name, kernel, signature, block, **constants):
    # Pointers, strides and sizes are multiples of 16, as Triton's launcher finds out of its arguments.
    divisible = {(i,): [["tt.divisibility", 16]] for i, t in enumerate(signature.values()) if t != "fp32" and t != "constexpr"}
    source = ASTSource(kernel, signature, constexprs={"BLOCK": block, **constants}, attrs=divisible)
    text = triton.compile(source, target=TARGET).asm["ttir"]
    with open(f"{folder}/{name}.ttir", "w") as f:
        f.write(text)


folder = sys.argv[1]
softmax = {"out": "*fp32", "x": "*fp32", "stride": "i32", "n": "i32", "BLOCK": "constexpr"}
norm = {"out": "*fp16", "x": "*fp16", "w": "*fp16", "b": "*fp16", "stride": "i32", "n": "i32", "eps": "fp32", "BLOCK": "constexpr"}
scan = {"out": "*fp32", "x": "*fp32", "stride": "i32", "n": "i32", "BLOCK": "constexpr"}
order = {"out": "*fp32", "x": "*fp32", "stride": "i32", "BLOCK": "constexpr"}
entropy = {"loss": "*fp32", "x": "*fp32", "label": "*i32", "stride": "i32", "n": "i32", "BLOCK": "constexpr"}
batch = {"out": "*fp32", "x": "*fp32", "w": "*fp32", "b": "*fp32", "means": "*fp32", "rstds": "*fp32", "n": "i32", "channels": "i32",
         "eps": "fp32", "PLANE": "constexpr", "BLOCK": "constexpr"}
for block in (1024, 4096, 8192, 16384):
    keep(folder, f"softmax_{block}", row_kernels.softmax, softmax, block)
for block in (1024, 4096, 8192):
    keep(folder, f"layer_norm_{block}", row_kernels.layer_norm, norm, block)
keep(folder, "cumsum_4096", row_kernels.cumsum, scan, 4096)
keep(folder, "sort_256", row_kernels.sort, order, 256)
keep(folder, "cross_entropy_8192", row_kernels.cross_entropy, entropy, 8192)
keep(folder, "batch_norm", row_kernels.batch_norm, batch, 2048, PLANE=784)
