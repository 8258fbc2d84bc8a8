"""Embedding and its gradient, histogram, rotary embedding, a product in parts."""
from inputs import f16, integers, normal, rows, uniform


def embedding():
    for n in [1, 3, 100, 128, 781]:
        index = integers(n, 9, 0, 4)  # every one several times
        table, dy = normal(n, 4 * n), normal(n + 1, 9 * n)
        y = [v for i in index for v in table[i * n : (i + 1) * n]]
        gradient = [0.5] * (4 * n)
        for i, row in zip(index, rows(dy, n)):
            for j, v in enumerate(row):
                gradient[i * n + j] += v
        yield dict(name=f"embedding {n}", file="embedding.mlir", kernel="embedding", grid=[9], defs={"N": n}, outs={2: y},
                   args=[("i64", index), ("f32", table), ("f32", [0.0] * len(y))], tolerance={"atol": 0, "rtol": 0})
        yield dict(name=f"embedding_backward {n}", file="embedding.mlir", kernel="embedding_backward", grid=[9], defs={"N": n},
                   args=[("i64", index), ("f32", dy), ("f32", [0.5] * (4 * n))], outs={2: gradient},
                   tolerance={"atol": 1e-5, "rtol": 1e-5})


def histogram():
    for n, bins in [(0, 8), (1, 1), (1000, 3), (3000, 100), (2500, 256)]:
        x = integers(n, n, -1, bins + 2)
        counts = [10 + x.count(i) for i in range(bins)]
        yield dict(name=f"histogram {n} {bins}", file="histogram.mlir", kernel="histogram", grid=[max(1, (n + 1023) // 1024)],
                   defs={"BINS": bins}, args=[("i32", x), ("i32", [10] * bins), ("i32", n)], outs={1: counts})


def rotary():
    for heads, half in [(1, 1), (3, 5), (8, 32), (12, 40)]:
        size = heads * 2 * half
        q, cos, sin = normal(heads, 3 * size, f16), uniform(1, 3 * half, -1, 1), uniform(2, 3 * half, -1, 1)
        out = list(q)
        for token in range(3):
            for h in range(heads):
                for d in range(half):
                    i = token * size + h * 2 * half + d
                    c, s = cos[token * half + d], sin[token * half + d]
                    out[i], out[i + half] = f16(q[i] * c - q[i + half] * s), f16(q[i + half] * c + q[i] * s)
        yield dict(name=f"rotary {heads}x{half}", file="rotary.mlir", kernel="rotary", grid=[3],
                   defs={"HEADS": heads, "HALF": half}, args=[("f16", q), ("f32", cos), ("f32", sin), ("f16", [0.0] * len(q))],
                   outs={3: out},
                   tolerance={"atol": 2e-3, "rtol": 2e-3})


def split_k():
    for tile, k, part in [(16, 100, 40), (16, 256, 64), (32, 33, 32), (16, 0, 32)]:
        splits = max(1, (k + part - 1) // part)
        a, b = normal(k, tile * k, f16), normal(k + 1, k * tile, f16)
        parts = []
        for s in range(splits):
            inner = range(s * part, min(k, (s + 1) * part))
            parts += [sum(a[i * k + p] * b[p * tile + j] for p in inner) for i in range(tile) for j in range(tile)]
        n = tile * tile
        c = [f16(sum(parts[s * n + i] for s in range(splits))) for i in range(n)]
        yield dict(name=f"split_k {tile} {k}", file="split_k.mlir", kernel="split_k", grid=[1, splits], defs={"TILE": tile},
                   args=[("f16", a), ("f16", b), ("f32", [9.0] * len(parts)), ("i32", k), ("i32", part)], outs={2: parts},
                   tolerance={"atol": 1e-4, "rtol": 1e-4})
        yield dict(name=f"split_k_sum {tile} {splits}", file="split_k.mlir", kernel="split_k_sum", grid=[1], defs={"TILE": tile},
                   args=[("f32", parts), ("f16", [0.0] * n), ("i32", splits)], outs={1: c},
                   tolerance={"atol": 2e-3, "rtol": 2e-3})


def cases():
    for family in (embedding, histogram, rotary, split_k):
        yield from family()
