# products.py BINARIES [--rounds=15] [--seed=1] [--csv=FILE] [--types=f16,bf16,tf32,f8,i8] [--no-triton] - examples/matmul.mlir,
# matmul_kn.mlir and matmul_sums.mlir with the values that --auto chooses, beside cuBLAS (torch.matmul, _scaled_mm with fast
# accumulation, _int_mm) and Triton, on a Hopper GPU: C = A B, sums of f32 or i32.
#
# BINARIES is what `bench/build-hopper FOLDER` makes. Each shape: fresh random data, the result poisoned before, 64 rows compared
# with float64, then all contestants timed in turn (launcher.side_by_side). Needs PyTorch; Triton takes part (B as [N, K]) if it
# is there.
import math
import os

import launcher  # before PyTorch: it says where there is none
import torch

TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32, "f8": torch.float8_e4m3fn, "i8": torch.int8}
RESULTS = {"f8": torch.bfloat16, "i8": torch.int32}
MOST_ERROR = {"f16": 1e-3, "bf16": 6e-3, "tf32": 3e-3, "f8": 2e-2, "i8": 1e-12}


def cublas(kind, a, factor, c):
    if kind == "f8":
        one = torch.ones((), device="cuda")
        return lambda: torch._scaled_mm(a, factor, scale_a=one, scale_b=one, out_dtype=c.dtype, use_fast_accum=True, out=c)
    return (lambda: torch._int_mm(a, factor, out=c)) if kind == "i8" else lambda: torch.matmul(a, factor, out=c)


def ours(folder, case, a, b, c):
    kernel = launcher.Kernel(os.path.join(folder, case["file"]))
    m, n, k = case["m"], case["n"], case["k"]
    values = launcher.descriptor(a, m, k) + launcher.descriptor(b, *b.shape) + launcher.descriptor(c, m, n)
    return kernel.bind(values + [m, n, k], launcher.programs(kernel.contract, m=m, n=n, k=k)), kernel.contract["choice"]


def triton_product():
    """A blocked product with pipelined loads, autotuned over a few sizes."""
    import triton
    import triton.language as tl
    configs = [triton.Config({"BM": bm, "BN": bn, "BK": 64}, num_warps=w, num_stages=s)
               for bm, bn, w, s in ((128, 256, 8, 3), (128, 256, 8, 4), (128, 128, 4, 4), (256, 128, 8, 3), (64, 128, 4, 4))]

    @triton.autotune(configs, key=["m", "n", "k"])
    @triton.jit
    def product(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
        pid, across = tl.program_id(0), tl.cdiv(n, BN)
        group = pid // (8 * across)
        rows = tl.minimum(tl.cdiv(m, BM) - group * 8, 8)
        pm = group * 8 + (pid % (8 * across)) % rows
        pn = (pid % (8 * across)) // rows
        am = (pm * BM + tl.arange(0, BM)) % m
        bn = (pn * BN + tl.arange(0, BN)) % n
        ks = tl.arange(0, BK)
        pa, pb = a + am[:, None] * k + ks[None, :], b + bn[None, :] * k + ks[:, None]
        sums = tl.zeros((BM, BN), tl.float32)
        for i in range(0, k, BK):
            x = tl.load(pa, mask=ks[None, :] < k - i, other=0.0)
            y = tl.load(pb, mask=ks[:, None] < k - i, other=0.0)
            sums = tl.dot(x, y, sums)
            pa += BK
            pb += BK
        cm, cn = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN)
        tl.store(c + cm[:, None] * n + cn[None, :], sums.to(c.dtype.element_ty), mask=(cm[:, None] < m) & (cn[None, :] < n))

    def bind(a, b, c):
        (m, k), n = a.shape, b.shape[0]
        return lambda: product[lambda p: (triton.cdiv(m, p["BM"]) * triton.cdiv(n, p["BN"]),)](a, b, c, m, n, k)

    return bind, triton.__version__


def run_case(case, options, peer, generator):
    """Rows of the CSV: name, milliseconds, choice."""
    m, n, k, kind = case["m"], case["n"], case["k"], case["type"]
    scale = 20 if kind == "i8" else 1
    a, b = ((torch.randn(s, k, device="cuda", generator=generator) * scale).to(TYPES[kind]) for s in (m, n))
    given = b if case["b"] == "nk" else b.t().contiguous()
    factor = b.t() if case["b"] == "nk" else given
    sample = torch.randperm(m, device="cuda")[:64]
    exact = a[sample].double() @ b.double().t()
    c = torch.empty(m, n, device="cuda", dtype=RESULTS.get(kind, TYPES[kind]))
    kernel, choice = ours(options.binaries, case, a, given, c)
    contestants = [("cuBLAS", cublas(kind, a, factor, c)), ("Tile", kernel)]
    contestants += [("Triton", peer(a, b, c))] if peer and case["b"] == "nk" and kind in ("f16", "bf16") else []
    for name, run in contestants:
        launcher.check(f"{name}, {case}", run, c, lambda t: t[sample], exact, MOST_ERROR[kind])
    times = launcher.side_by_side([run for _, run in contestants], options.rounds)
    said = " ".join(f"{name}={value}" for name, value in choice.items() if name not in ("T", "C", "HOW", "BK", "GROUP", "ZERO"))
    return [(name, ms, said if name == "Tile" else "") for (name, _), ms in zip(contestants, times)]


def main():
    parser = launcher.parser(rounds=15)
    parser.add_argument("--types", default="f16,bf16,tf32,f8,i8")
    parser.add_argument("--no-triton", action="store_true")
    options = parser.parse_args()
    cases = [case for case in launcher.compiled(options, "products.json") if case["type"] in options.types.split(",")]
    peer, version = (None, "") if options.no_triton else launcher.if_installed(triton_product)
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    generator = torch.Generator("cuda").manual_seed(options.seed)
    rows, ratios = [], []
    for case in cases:
        m, n, k = case["m"], case["n"], case["k"]
        results = run_case(case, options, peer, generator)
        line = f"{case['type']} {case['b']} {m}x{n}x{k}:".ljust(26)
        for name, ms, choice in results:
            rows.append({"m": m, "n": n, "k": k, "dtype": case["type"], "b": case["b"], "name": name, "ms": ms,
                         "tflops": 2 * m * n * k / ms / 1e9, "of_cublas": results[0][1] / ms, "choice": choice})
            line += f" {name} {ms * 1e3:.1f} us ({results[0][1] / ms:.3f}) {choice}"
        ratios.append(results[0][1] / results[1][1])
        print(line, flush=True)
    print(f"geometric mean of cuBLAS's time over ours: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.4f}, least {min(ratios):.3f}")
    launcher.write_csv(options, rows, triton=version)


main()
