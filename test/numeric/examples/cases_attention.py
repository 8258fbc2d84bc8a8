"""attention.mlir and its gradients: odd lengths, groups of heads, causal or not, head sizes, one key, more keys than queries, scores."""
import math
import random

from inputs import f16, f32


def plain(score, distance, head, extra):
    return score


def softcap(score, distance, head, extra):
    return extra * math.tanh(score / extra)


def alibi(score, distance, head, extra):
    return score + distance * 2.0 ** (-extra * (head + 1))


def weights_of(q, k, heads, n, nk, d, group, scale, causal, window, score, extra):
    """For each row of queries the weights of the keys, and the logarithm of their sum."""
    for h in range(heads):
        kv = h // group
        for i in range(n):
            row, last = q[(h * n + i) * d : (h * n + i + 1) * d], i + nk - n
            seen = [j for j in range(nk) if (not causal or j <= last) and (not window or j > last - window)]
            scores = [score(scale * sum(a * b for a, b in zip(row, k[(kv * nk + j) * d : (kv * nk + j + 1) * d])), j - last, h, extra)
                      for j in seen]
            top = max(scores)
            total = sum(math.exp(s - top) for s in scores)
            yield h, i, {j: math.exp(s - top) / total for j, s in zip(seen, scores)}, top + math.log(total)


def rows(values, d):
    return [values[i : i + d] for i in range(0, len(values), d)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def forward(q, k, v, heads, n, nk, d, group, *more):
    o, lse, v = [], [], rows(v, d)
    for h, i, weights, log in weights_of(q, k, heads, n, nk, d, group, *more):
        o += [sum(w * v[h // group * nk + j][c] for j, w in weights.items()) for c in range(d)]
        lse.append(log / math.log(2))
    return o, lse


def backward(q, k, v, o, do, heads, n, nk, d, group, scale, *more):
    dq, dk, dv = ([[0.0] * d for _ in range(m)] for m in (heads * n, heads // group * nk, heads // group * nk))
    qs, ks, vs, dos = (rows(x, d) for x in (q, k, v, do))
    for h, i, weights, _ in weights_of(q, k, heads, n, nk, d, group, scale, *more):
        at = h * n + i
        delta = dot(dos[at], rows(o, d)[at])
        for j, p in weights.items():
            key = h // group * nk + j
            ds = p * (dot(dos[at], vs[key]) - delta) * scale
            for c in range(d):
                dv[key][c] += p * dos[at][c]
                dq[at][c] += ds * ks[key][c]
                dk[key][c] += ds * qs[at][c]
    return [[x for row in m for x in row] for m in (dq, dk, dv)]


def halves(r, count):
    return [f16(r.gauss(0, 1)) for _ in range(count)]


SHAPES = [(16, 32, 32, 2, 1, 37, 37, 0, 0, "plain", 0.0), (32, 32, 32, 4, 2, 33, 50, 1, 0, "plain", 0.0), (64, 64, 32, 2, 2, 65, 65, 1, 0, "plain", 0.0),
          (16, 32, 64, 1, 1, 5, 1, 0, 0, "plain", 0.0), (64, 64, 64, 1, 1, 64, 128, 1, 0, "plain", 0.0), (128, 32, 32, 1, 1, 35, 35, 0, 0, "plain", 0.0),
          (32, 32, 32, 2, 1, 45, 45, 1, 0, "softcap", 2.0), (16, 32, 32, 4, 2, 40, 70, 1, 0, "alibi", 2.0),
          (16, 32, 32, 1, 1, 100, 100, 1, 20, "plain", 0.0), (32, 32, 32, 2, 1, 33, 65, 1, 40, "softcap", 1.0)]


def forward_cases():
    for d, bm, bn, heads, group, n, nk, causal, window, score, extra in SHAPES:
        r = random.Random(d + n)
        q, k, v = (halves(r, m * d) for m in (heads * n, heads // group * nk, heads // group * nk))
        scale = f32(1 / math.sqrt(d))
        o, lse = forward(q, k, v, heads, n, nk, d, group, scale, causal, window, globals()[score], extra)
        yield dict(name=f"attention {score} d={d} n={n} nk={nk} causal={causal} window={window}", file="attention.mlir", kernel="attention",
                   grid=[(n + bm - 1) // bm, heads], defs=dict(D=d, BM=bm, BN=bn, CAUSAL=causal, WINDOW=window, SCORE=score),
                   args=[("f16", q), ("f16", k), ("f16", v), ("f16", [9.0] * len(q)), ("f32", [9.0] * (heads * n)), ("i32", n), ("i32", nk),
                         ("i32", group), ("f32", scale), ("f32", extra)],
                   outs={3: o, 4: lse}, tolerance={"atol": 3e-3, "rtol": 3e-3})


def backward_cases():
    for d, bm, bn, heads, group, n, nk, causal in [(64, 32, 32, 2, 1, 37, 37, 0), (64, 32, 32, 4, 2, 33, 50, 1), (16, 32, 32, 2, 2, 65, 65, 1),
                                                   (128, 32, 32, 1, 1, 33, 33, 1), (32, 64, 32, 1, 1, 5, 1, 0), (64, 64, 64, 1, 1, 64, 128, 1)]:
        r = random.Random(d + n)
        q, do = halves(r, heads * n * d), halves(r, heads * n * d)
        k, v = halves(r, heads // group * nk * d), halves(r, heads // group * nk * d)
        scale = f32(1 / math.sqrt(d))
        shape = (heads, n, nk, d, group, scale, causal, 0, plain, 0.0)
        o, lse = forward(q, k, v, *shape)
        o, lse = [f16(x) for x in o], [f32(x) for x in lse]
        delta = [f32(dot(a, b)) for a, b in zip(rows(o, d), rows(do, d))]
        dq, dk, dv = backward(q, k, v, o, do, *shape)
        common = dict(file="attention_backward.mlir", defs=dict(D=d, BM=bm, BN=bn, CAUSAL=causal), tolerance={"atol": 4e-3, "rtol": 4e-3})
        name = f"d={d} n={n} nk={nk} group={group} causal={causal}"
        factors = [("f16", q), ("f16", k), ("f16", v), ("f16", do), ("f32", lse), ("f32", delta)]
        sizes = [("i32", n), ("i32", nk), ("i32", group), ("f32", scale)]
        yield dict(common, name=f"attention_delta {name}", kernel="attention_delta", grid=[(n + bm - 1) // bm, heads],
                   args=[("f16", o), ("f16", do), ("f32", [9.0] * len(delta)), ("i32", n)], outs={2: delta})
        yield dict(common, name=f"attention_dkdv {name}", kernel="attention_dkdv", grid=[(nk + bn - 1) // bn, heads // group],
                   args=factors + [("f16", [9.0] * len(k)), ("f16", [9.0] * len(k))] + sizes, outs={6: dk, 7: dv})
        yield dict(common, name=f"attention_dq {name}", kernel="attention_dq", grid=[(n + bm - 1) // bm, heads],
                   args=factors + [("f16", [9.0] * len(q))] + sizes, outs={6: dq})


def cases():
    yield from forward_cases()
    yield from backward_cases()
