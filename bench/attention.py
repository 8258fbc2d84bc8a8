# attention.py BINARIES [--rounds=11] [--seed=1] [--csv=FILE] - examples/attention_descriptors.mlir beside cuDNN, FlashAttention 2 (both as
# PyTorch offers them) and Triton, on a Hopper GPU: the forward pass, f16.
#
# BINARIES is what `bench/build-hopper FOLDER` makes. Each shape: fresh random data, the result poisoned before, rows compared with
# float64, then all contestants timed in turn (launcher.side_by_side). Causal flops count half. Triton takes part if it is there.
import os

import launcher  # before PyTorch: it says where there is none
import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

SHAPES = [(4, 16, 1024), (2, 16, 4096), (2, 16, 4000), (1, 8, 16384)]  # batch, heads, length


def peers(q, k, v, o, causal):
    def by(backend):
        def run():
            with sdpa_kernel(backend):
                result = functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
            if run.checked:  # goes where ours go, to be compared
                o.copy_(result)
        run.checked = True
        return run
    return [("cuDNN", by(SDPBackend.CUDNN_ATTENTION)), ("FlashAttention 2", by(SDPBackend.FLASH_ATTENTION))]


def triton_attention():
    """The usual online softmax, autotuned over a few sizes."""
    import triton
    import triton.language as tl
    configs = [triton.Config({"BM": bm, "BN": bn}, num_warps=w, num_stages=s)
               for bm, bn, w, s in ((128, 128, 8, 2), (128, 64, 8, 3), (128, 64, 4, 3), (64, 64, 4, 3), (128, 128, 8, 3))]

    @triton.autotune(configs, key=["n", "D", "CAUSAL"])
    @triton.jit
    def attention(q, k, v, o, n, scale, D: tl.constexpr, CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
        pid = tl.program_id(0)
        if CAUSAL:
            pid = tl.num_programs(0) - 1 - pid
        base = tl.program_id(1).to(tl.int64) * n * D
        rows, columns, d = pid * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
        x = tl.load(q + base + rows[:, None] * D + d[None, :])
        most, total = tl.full((BM,), float("-inf"), tl.float32), tl.zeros((BM,), tl.float32)
        sums = tl.zeros((BM, D), tl.float32)
        factor = scale * 1.44269502
        full = pid * BM // BN * BN if CAUSAL else n
        for start in range(0, full, BN):
            at = base + (start + columns)[:, None] * D + d[None, :]
            s = tl.dot(x, tl.trans(tl.load(k + at)))
            new = tl.maximum(most, tl.max(s, 1) * factor)
            p = tl.exp2(s * factor - new[:, None])
            keep = tl.exp2(most - new)
            total = total * keep + tl.sum(p, 1)
            sums = tl.dot(p.to(tl.float16), tl.load(v + at), sums * keep[:, None])
            most = new
        for start in range(full, (pid + 1) * BM if CAUSAL else full, BN):
            at = base + (start + columns)[:, None] * D + d[None, :]
            s = tl.dot(x, tl.trans(tl.load(k + at)))
            s = tl.where(rows[:, None] >= (start + columns)[None, :], s, float("-inf"))
            new = tl.maximum(most, tl.max(s, 1) * factor)
            p = tl.exp2(s * factor - new[:, None])
            keep = tl.exp2(most - new)
            total = total * keep + tl.sum(p, 1)
            sums = tl.dot(p.to(tl.float16), tl.load(v + at), sums * keep[:, None])
            most = new
        tl.store(o + base + rows[:, None] * D + d[None, :], (sums / total[:, None]).to(tl.float16))

    def bind(q, k, v, o, causal):
        batch, heads, n, d = q.shape
        return lambda: attention[lambda p: (n // p["BM"], batch * heads)](q, k, v, o, n, d**-0.5, d, causal)

    return bind, triton.__version__


def ours(folder, config, q, k, v, o):
    """One program a multiprocessor, or one a block of rows if those are fewer."""
    batch, heads, n, d = q.shape
    kernel = launcher.Kernel(os.path.join(folder, config["file"]))
    values = [x for t in (q, k, v, o) for x in launcher.descriptor(t, batch * heads * n, d)]
    blocks = -(-n // config["BM"]) * batch * heads
    programs = torch.cuda.get_device_properties(0).multi_processor_count
    return kernel.bind(values + [launcher.float_bits(d**-0.5), n, batch * heads], (min(blocks, programs), 1, 1))


def exact_rows(q, k, v, sample, causal):
    """The last head of the last batch in float64."""
    scores = q[-1, -1, sample].double() @ k[-1, -1].double().t() * q.shape[-1]**-0.5
    if causal:
        later = torch.arange(q.shape[2], device="cuda")[None, :] > sample[:, None]
        scores = scores.masked_fill(later, float("-inf"))
    return torch.softmax(scores, -1) @ v[-1, -1].double()


def main():
    options = launcher.parser(rounds=11).parse_args()
    configs = launcher.compiled(options, "attention.json")
    peer, version = launcher.if_installed(triton_attention)
    generator = torch.Generator("cuda").manual_seed(options.seed)
    rows = []
    for d, causal, (batch, heads, n) in [(d, c, s) for d in (64, 128) for c in (False, True) for s in SHAPES]:
        q, k, v = (torch.randn(batch, heads, n, d, device="cuda", generator=generator).half() for _ in range(3))
        o = torch.empty_like(q)
        sample = torch.randperm(n, device="cuda")[:64]
        exact = exact_rows(q, k, v, sample, causal)
        contestants = peers(q, k, v, o, causal)
        contestants += [(c["name"], ours(options.binaries, c, q, k, v, o)) for c in configs
                        if c["D"] == d and c["CAUSAL"] == int(causal)]
        contestants += [("Triton", peer(q, k, v, o, causal))] if peer and n % 128 == 0 else []
        for name, run in contestants:
            launcher.check(f"{name}, D = {d}, length {n}", run, o, lambda t: t[-1, -1, sample], exact)
            run.checked = False
        times = launcher.side_by_side([run for _, run in contestants], options.rounds)
        flops = 4 * batch * heads * n * n * d * (0.5 if causal else 1)
        line = f"D {d} {'causal' if causal else 'full'} {batch}x{heads}x{n}:".ljust(26)
        for (name, _), ms in zip(contestants, times):
            rows.append({"d": d, "causal": int(causal), "batch": batch, "heads": heads, "n": n, "dtype": "f16", "name": name,
                         "ms": ms, "tflops": flops / ms / 1e9, "of_cudnn": times[0] / ms})
            line += f" {name} {flops / ms / 1e9:.0f} ({times[0] / ms:.3f})"
        print(line, flush=True)
    launcher.write_csv(options, rows, triton=version)


main()
