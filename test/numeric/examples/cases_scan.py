"""Running sums, a linear recurrence, sorting."""
import math

from inputs import normal, rows, uniform


def running(row):
    out, total = [], 0.0
    for v in row:
        total += v
        out.append(total)
    return out


def cumsum():
    for n in [0, 1, 7, 128, 781, 3000]:
        x = normal(n, 3 * n)
        if n > 1:
            x[n + n // 2], x[2 * n + n // 2] = math.inf, math.nan
        y = [v for row in rows(x, n) for v in running(row)]
        yield dict(name=f"cumsum {n}", file="cumsum.mlir", kernel="cumsum", grid=[3], outs={1: y}, defs={"BLOCK": 256},
                   args=[("f32", x), ("f32", [0.0] * len(x)), ("i32", n)], tolerance={"atol": 1e-4, "rtol": 1e-5})
        if n <= 1024:
            y = [v for row in rows(x, n) for v in reversed(running(reversed(row)))]
            yield dict(name=f"cumsum_reverse {n}", file="cumsum.mlir", kernel="cumsum_reverse", grid=[3], outs={1: y},
                       args=[("f32", x), ("f32", [0.0] * len(x)), ("i32", n)], tolerance={"atol": 1e-4, "rtol": 1e-5})


def linear_scan():
    for t, c in [(1, 1), (5, 3), (64, 16), (100, 12), (33, 7)]:
        n = t * c
        a, x, h = uniform(t, 2 * n), normal(c, 2 * n), []
        for s in range(2):
            state = [0.0] * c
            for i in range(t):
                at = s * n + i * c
                state = [f * v + w for f, v, w in zip(a[at : at + c], state, x[at : at + c])]
                h += state
        yield dict(name=f"linear_scan {t}x{c}", file="linear_scan.mlir", kernel="linear_scan", grid=[2], defs={"T": t, "C": c},
                   args=[("f32", a), ("f32", x), ("f32", [0.0] * len(x))], outs={2: h},
                   tolerance={"atol": 2e-5, "rtol": 2e-5})


def order(v):
    return (1, 0.0, 0) if math.isnan(v) else (0, v, math.copysign(1, v))


def sort():
    for n, log in [(0, 4), (1, 0), (2, 1), (7, 3), (100, 7), (200, 8), (781, 10)]:
        x = normal(n, 2 * n)
        if n > 6:
            x[0:6] = [math.nan, math.inf, -math.inf, 0.0, -0.0, -math.nan]
            x[n : 2 * n] = [float(i % 3) for i in range(n)]
        y = [v for row in rows(x, n) for v in sorted(row, key=order)]
        yield dict(name=f"sort {n}", file="sort.mlir", kernel="sort", grid=[2], outs={1: y},
                   defs={"LOG": log, "BLOCK": 2**log}, args=[("f32", x), ("f32", [0.0] * len(x)), ("i32", n)],
                   tolerance={"atol": 0, "rtol": 0})


def cases():
    for family in (cumsum, linear_scan, sort):
        yield from family()
