# products.py BINARIES [--rounds=15] [--seed=1] [--csv=FILE] - examples/matmul.mlir beside cuBLAS (torch.matmul) and Triton, on a
# Hopper GPU: C = A B^T, f16 with f32 sums.
#
# BINARIES is what `bench/build-hopper FOLDER` makes. Each shape: fresh random data, the result poisoned before, 64 rows compared
# with float64, then all contestants timed in turn (launcher.side_by_side). Needs PyTorch; Triton takes part if it is there.
import argparse
import csv
import json
import os
import sys

import torch

import launcher

SHAPES = [(2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (8192, 8192, 512), (4096, 4096, 128), (128, 4096, 4096),
          (1000, 1536, 712)]


def ours(folder, config, a, b, c):
    (m, k), n = a.shape, b.shape[0]
    kernel = launcher.Kernel(os.path.join(folder, config["file"]))
    blocks = -(-m // config["BM"]) * -(-n // config["BN"])
    grid = (min(blocks, torch.cuda.get_device_properties(0).multi_processor_count), 1, 1)
    values = launcher.descriptor(a, m, k) + launcher.descriptor(b, n, k) + launcher.descriptor(c, m, n)
    return kernel.bind(values + [m, n, k], grid)


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
        tl.store(c + cm[:, None] * n + cn[None, :], sums.to(tl.float16), mask=(cm[:, None] < m) & (cn[None, :] < n))

    def bind(a, b, c):
        (m, k), n = a.shape, b.shape[0]
        return lambda: product[lambda p: (triton.cdiv(m, p["BM"]) * triton.cdiv(n, p["BN"]),)](a, b, c, m, n, k)

    return bind, triton.__version__


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binaries")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv")
    options = parser.parse_args()
    with open(os.path.join(options.binaries, "products.json")) as file:
        configs = json.load(file)
    try:
        peer, version = triton_product()
    except ImportError:
        peer, version = None, ""
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    generator = torch.Generator("cuda").manual_seed(options.seed)
    rows = []
    for m, n, k in SHAPES:
        a, b = (torch.randn(s, k, device="cuda", generator=generator).half() for s in (m, n))
        sample = torch.randperm(m, device="cuda")[:64]
        exact = a[sample].double() @ b.double().t()
        contestants = [("cuBLAS", lambda: torch.matmul(a, b.t(), out=c))]
        c = torch.empty(m, n, device="cuda", dtype=torch.float16)
        contestants += [(config["name"], ours(options.binaries, config, a, b, c)) for config in configs]
        contestants += [("Triton", peer(a, b, c))] if peer else []
        for name, run in contestants:
            c.fill_(float("nan"))
            run()
            error = ((c[sample].double() - exact).norm() / exact.norm()).item()
            if not error < 1e-3 or torch.isnan(c).any():
                sys.exit(f"{name}, {m}x{n}x{k}: wrong result (relative error {error})")
        times = launcher.side_by_side([run for _, run in contestants], options.rounds)
        line = f"{m}x{n}x{k}:".ljust(18)
        for (name, _), ms in zip(contestants, times):
            rows.append({"m": m, "n": n, "k": k, "dtype": "f16", "name": name, "ms": ms, "tflops": 2 * m * n * k / ms / 1e9,
                         "of_cublas": times[0] / ms})
            line += f" {name} {2 * m * n * k / ms / 1e9:.0f} ({times[0] / ms:.3f})"
        print(line, flush=True)
    if options.csv:
        more = {**launcher.environment(), "triton": version, "seed": options.seed, "warm_up": launcher.WARM_UP,
                "statistic": f"median of {options.rounds} interleaved rounds"}
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, [*rows[0], *more])
            writer.writeheader()
            writer.writerows({**row, **more} for row in rows)


main()
