"""attention.mlir: odd lengths, groups of heads, causal or not, head sizes, one key, more keys than queries."""
import math
import random

from inputs import f16


def attention(q, k, v, heads, n, nk, d, group, scale, causal):
    out = []
    for h in range(heads):
        kv = h // group
        for i in range(n):
            row = q[(h * n + i) * d : (h * n + i + 1) * d]
            seen = min(nk, i + nk - n + 1) if causal else nk
            scores = [scale * sum(a * b for a, b in zip(row, k[(kv * nk + j) * d : (kv * nk + j + 1) * d])) for j in range(seen)]
            top = max(scores)
            weights = [math.exp(s - top) for s in scores]
            total = sum(weights)
            out += [sum(w * v[(kv * nk + j) * d + c] for j, w in enumerate(weights)) / total for c in range(d)]
    return out


def cases():
    for d, bm, bn, heads, group, n, nk, causal in [(16, 32, 32, 2, 1, 37, 37, 0), (32, 32, 32, 4, 2, 33, 50, 1), (64, 64, 32, 2, 2, 65, 65, 1),
                                                   (16, 32, 64, 1, 1, 5, 1, 0), (64, 64, 64, 1, 1, 64, 128, 1)]:
        r = random.Random(d + n)
        q, k, v = ([f16(r.gauss(0, 1)) for _ in range(m * d)] for m in (heads * n, heads // group * nk, heads // group * nk))
        scale = 1 / math.sqrt(d)
        yield dict(name=f"attention d={d} n={n} nk={nk} causal={causal}", file="attention.mlir", kernel="attention",
                   grid=[(n + bm - 1) // bm, heads], defs=dict(D=d, BM=bm, BN=bn, CAUSAL=causal),
                   args=[("f16", q), ("f16", k), ("f16", v), ("f16", [9.0] * len(q)), ("i32", n), ("i32", nk), ("i32", group), ("f32", scale)],
                   outs={3: attention(q, k, v, heads, n, nk, d, group, scale, causal)}, tolerance={"atol": 3e-3, "rtol": 3e-3})
