"""Softmax, normalisations, cross entropy, quantisation: a row at a time."""
import math
import random

from inputs import bf16, exp, f16, f32, integers, normal, rows, special, uniform


def softmax_row(row):
    top = max((v for v in row if not math.isnan(v)), default=math.nan)
    e = [exp(v - top) for v in row]
    return [v / sum(e) for v in e]


def softmax():
    for n in [0, 1, 3, 100, 781, 1024]:
        x = special(normal(n, 6 * n), n)
        y = [v for row in rows(x, n) for v in softmax_row(row)]
        yield dict(name=f"softmax {n}", file="softmax.mlir", kernel="softmax", grid=[6], outs={1: y},
                   args=[("f32", x), ("f32", [0.0] * len(x)), ("i32", n)])


def statistics(row, eps):
    mean = sum(row) / len(row)
    variance = sum((v - mean) ** 2 for v in row) / len(row)
    return mean, 1 / math.sqrt(variance + eps) if not math.isnan(variance) else math.nan


def layer_norm():
    eps = 1e-5
    for n in [0, 1, 5, 100, 781]:
        x, w, b = normal(n, 4 * n, f16), uniform(1, n, rounding=f16), uniform(2, n, rounding=f16)
        if n > 5:
            x[3 * n + 2] = math.inf
            x[2 * n + 1] = math.nan
        dy = normal(3, 4 * n, f16)
        mean, rstd, y, dx = [], [], [], []
        dw, db = [0.0] * n, [0.0] * n
        for row, grad in zip(rows(x, n), rows(dy, n)):
            m, r = statistics(row, eps)
            hat = [(v - m) * r for v in row]
            mean.append(m)
            rstd.append(r)
            y += [f16(h * ww + bb) for h, ww, bb in zip(hat, w, b)]
            wg = [g * ww for g, ww in zip(grad, w)]
            c1, c2 = sum(h * g for h, g in zip(hat, wg)) / n, sum(wg) / n
            dx += [f16((g - h * c1 - c2) * r) for g, h in zip(wg, hat)]
            dw = [s + g * h for s, g, h in zip(dw, grad, hat)]
            db = [s + g for s, g in zip(db, grad)]
        nans = [math.nan] * 4
        # One element has no variance: 1 / sqrt(eps) makes much of a rounding.
        tolerance = {"atol": 4e-3, "rtol": 4e-3}
        yield dict(name=f"layer_norm {n}", file="layer_norm.mlir", kernel="layer_norm", grid=[4], tolerance=tolerance,
                   args=[("f16", x), ("f16", w), ("f16", b), ("f16", [0.0] * len(x)), ("f32", [0.0] * 4), ("f32", [0.0] * 4),
                         ("i32", n), ("f32", eps)],
                   outs={3: y, 4: mean or nans, 5: rstd or nans})
        yield dict(name=f"layer_norm_backward {n}", file="layer_norm.mlir", kernel="layer_norm_backward", grid=[4],
                   args=[("f16", x), ("f16", w), ("f16", dy), ("f32", mean or nans), ("f32", rstd or nans),
                         ("f16", [0.0] * len(x)), ("f32", [0.0] * n), ("f32", [0.0] * n), ("i32", n)],
                   outs={5: dx, 6: dw, 7: db}, tolerance=tolerance)


def rms_norm():
    eps = 1e-6
    for n in [0, 1, 7, 781, 1151, 2500]:
        x, w = normal(n, 4 * n, bf16), uniform(1, n, rounding=bf16)
        x = special(x, n) if n > 1 else x
        y = []
        for row in rows(x, n):
            squares = sum(v * v for v in row) / n + eps
            r = 1 / math.sqrt(squares) if squares != math.inf else 0.0
            y += [bf16(v * r * ww) for v, ww in zip(row, w)]
        yield dict(name=f"rms_norm {n}", file="rms_norm.mlir", kernel="rms_norm", grid=[4], outs={2: y},
                   args=[("bf16", x), ("bf16", w), ("bf16", [0.0] * len(x)), ("i32", n), ("f32", eps)],
                   tolerance={"atol": 1e-2, "rtol": 1e-2})


def cross_entropy():
    for n in [1, 3, 100, 1151, 2100]:
        x = special(normal(n, 7 * n), n)
        target = integers(n, 7, 0, n)
        target[5] = -100
        loss, dx = [], []
        for row, t in zip(rows(x, n), target):
            top = max((v for v in row if not math.isnan(v)), default=math.nan)
            total = sum(exp(v - top) for v in row)
            log = top + math.log(total) if not math.isnan(total) else math.nan
            loss.append(log - row[t] if t >= 0 else 0.0)
            dx += [(exp(v - log) - (i == t)) if t >= 0 else 0.0 for i, v in enumerate(row)]
        yield dict(name=f"cross_entropy {n}", file="cross_entropy.mlir", kernel="cross_entropy", grid=[7],
                   args=[("f32", x), ("i64", target), ("f32", [9.0] * 7), ("f32", [9.0] * len(x)), ("i32", n)],
                   outs={2: loss, 3: dx}, tolerance={"atol": 2e-5, "rtol": 2e-5})
    # Rows without logits, all of them ignored: nothing is read, no gradient is written.
    yield dict(name="cross_entropy 0", file="cross_entropy.mlir", kernel="cross_entropy", grid=[3],
               args=[("f32", []), ("i64", [-100] * 3), ("f32", [9.0] * 3), ("f32", []), ("i32", 0)], outs={2: [0.0] * 3})


def round_f8(x):
    """f8E4M3FN: 3 bits of mantissa, smallest normal 2^-6, largest 448; NaN stays."""
    if math.isnan(x):
        return x
    a = abs(x)
    if a == 0:
        return x
    exponent = max(math.frexp(a)[1] - 1, -6)
    return math.copysign(min(round(a / 2.0 ** (exponent - 3)) * 2.0 ** (exponent - 3), 448.0), x)


def between(seed, n, limit, step):
    """Numbers that stay clear of where rounding changes sides, whatever the last bit of a quotient."""
    r = random.Random(seed)
    out = []
    for _ in range(n):
        v = r.uniform(-limit, limit)
        out.append(f32((step(v) + r.uniform(-0.3, 0.3) if limit < 128 else step(v) * r.uniform(0.98, 1.02)) / 100))
    if n:
        out[r.randrange(n)] = f32(r.choice([-limit, limit]) / 100)
    return [max(-limit / 100, min(limit / 100, v)) for v in out]


def quantize():
    for n in [0, 1, 5, 100, 781]:
        for kernel, element, limit, step in [("quantize_int8", "i8", 127.0, round), ("quantize_f8", "f8E4M3FN", 448.0, round_f8)]:
            x = [v for row in range(5) for v in between(7 * n + row, n, limit, step)]
            if n > 1:
                x[n : 2 * n] = [0.0] * n
                x[2 * n + 1] = math.nan
            q, scales = [], []
            for row in rows(x, n):
                scale = f32(max((abs(v) for v in row if not math.isnan(v)), default=0.0) / limit)
                ratios = [f32(v / (scale or 1.0)) for v in row]
                scales.append(scale)
                q += [0 if math.isnan(r) else round(r) for r in ratios] if element == "i8" else [round_f8(r) for r in ratios]
            yield dict(name=f"{kernel} {n}", file="quantize.mlir", kernel=kernel, grid=[5],
                       args=[("f32", x), (element, [0] * len(x)), ("f32", [9.0] * 5), ("i32", n)],
                       outs={1: q, 2: scales or [0.0] * 5}, tolerance={"atol": 0, "rtol": 1e-6})


def cases():
    for family in (softmax, layer_norm, rms_norm, cross_entropy, quantize):
        yield from family()
