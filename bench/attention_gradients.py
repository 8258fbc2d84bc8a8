# attention_gradients.py BINARIES [--rounds=7] [--seed=1] [--csv=FILE] - the kernels of examples/attention_backward_descriptors.mlir,
# together, beside cuDNN's gradients of attention as PyTorch offers them, on a Hopper GPU, f16.
#
# BINARIES is what `bench/build-hopper FOLDER` makes. Each shape: fresh random data, results poisoned before, the last head compared
# with float64, then both timed in turn (launcher.side_by_side). Causal flops count half.
import os

import launcher  # before PyTorch: it says where there is none
import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel

SHAPES = [(16, 16, 1024), (4, 16, 4096), (4, 16, 4000), (1, 16, 16384)]  # batch, heads, length
KEYS, ROWS = 128, 16  # of a program; rows of one of attention_delta


def cudnn(q, k, v, do, causal):
    """The result of the forward pass, and what computes its gradients."""
    leaves = [x.detach().requires_grad_() for x in (q, k, v)]
    with sdpa_kernel(SDPBackend.CUDNN_ATTENTION):
        o = functional.scaled_dot_product_attention(*leaves, is_causal=causal)
    return o.detach(), lambda: torch.autograd.grad(o, leaves, do, retain_graph=True)


def scores(q, k, causal, first=0):
    s = q @ k.t() * q.shape[-1]**-0.5
    if causal:
        later = torch.arange(k.shape[0], device="cuda")[None, :] > torch.arange(first, first + q.shape[0], device="cuda")[:, None]
        s = s.masked_fill(later, float("-inf"))
    return s


def logarithms(q, k, causal, block=4096):
    """log of the sum of each row's powers, which a forward pass leaves behind."""
    batch, heads, n, _ = q.shape
    lse = torch.empty(batch, heads, n, device="cuda")
    for b in range(batch):
        for h in range(heads):
            for i in range(0, n, block):
                lse[b, h, i:i + block] = scores(q[b, h, i:i + block].float(), k[b, h].float(), causal, i).logsumexp(-1)
    return lse


def exact(q, k, v, do, causal):
    """Gradients of the last head of the last batch in float64."""
    q, k, v, do = (x[-1, -1].double() for x in (q, k, v, do))
    p = torch.softmax(scores(q, k, causal), -1)
    dp = do @ v.t()
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) * q.shape[-1]**-0.5
    return ds @ k, ds.t() @ q, p.t() @ do


def ours(folder, config, q, k, v, o, do, lse, gradients):
    batch, heads, n, d = q.shape
    rows, bm = batch * heads * n, config["BM"]
    blocks = -(-n // bm)
    padded, scale = batch * heads * blocks * bm, launcher.float_bits(d**-0.5)
    lse2, delta = (torch.full((rows,), float("nan"), device="cuda") for _ in range(2))
    sums = torch.full((padded, d), float("nan"), device="cuda")
    turns = torch.full((batch * heads * blocks,), -1, device="cuda", dtype=torch.int32)
    dq, dk, dv = gradients

    def kernel(part):
        return launcher.Kernel(os.path.join(folder, config[part]))

    def block(t):
        return launcher.descriptor(t, rows, d)

    steps = [
        kernel("delta").bind([o, do, lse, lse2, delta, sums, rows, padded, turns], (-(-padded // ROWS), 1, 1)),
        kernel("backward").bind([*block(q), *block(k), *block(v), *block(do), lse2, rows, 1, delta, rows, 1, sums, dk, dv, scale, n, turns],
                                (config["HEADS"], -(-n // KEYS), batch * heads // config["HEADS"])),
        kernel("dq").bind([sums, dq, scale, n], (blocks, batch * heads, 1)),
    ]

    def run(kept=(lse, lse2, delta, sums, turns)):  # what the kernels' pointers lead to lives as long as the function
        for step in steps:
            step()

    return run


def main():
    options = launcher.parser(rounds=7).parse_args()
    configs = launcher.compiled(options, "attention_gradients.json")
    generator = torch.Generator("cuda").manual_seed(options.seed)
    rows = []
    for config, (batch, heads, n) in [(c, s) for c in configs for s in SHAPES]:
        d, causal = config["D"], bool(config["CAUSAL"])
        q, k, v, do = (torch.randn(batch, heads, n, d, device="cuda", generator=generator).half() for _ in range(4))
        o, peer = cudnn(q, k, v, do, causal)
        gradients = [torch.full_like(q, float("nan")) for _ in range(3)]
        run = ours(options.binaries, config, q, k, v, o, do, logarithms(q, k, causal), gradients)
        for what, got, want in zip(("dq", "dk", "dv"), gradients, exact(q, k, v, do, causal)):
            launcher.check(f"{what}, D = {d}, length {n}", run, got, lambda t: t[-1, -1], want, 2e-3)
        times = launcher.side_by_side([peer, run], options.rounds)
        flops = 10 * batch * heads * n * n * d * (0.5 if causal else 1)
        for name, ms in zip(("cuDNN", config["name"]), times):
            rows.append({"d": d, "causal": int(causal), "batch": batch, "heads": heads, "n": n, "dtype": "f16", "name": name,
                         "ms": ms, "tflops": flops / ms / 1e9, "of_cudnn": times[0] / ms})
        print(f"{config['name']}, D {d} {'causal' if causal else 'full'} {batch}x{heads}x{n}: cuDNN {flops / times[0] / 1e9:.0f}, "
              f"ours {flops / times[1] / 1e9:.0f} ({times[0] / times[1]:.3f})", flush=True)
    launcher.write_csv(options, rows)


main()
