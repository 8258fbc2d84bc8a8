"""Reports about other compilers' products and pipelined loops (Triton's tracker), and the right values.

Inputs are small integers: every sum is exact, so results agree in every bit whatever the order.
"""
import random

from inputs import bf16

EXACT = {"atol": 0, "rtol": 0}


def case(name, kernel, args, outs, **more):
    defs = {k: more.pop(k) for k in ("T", "M", "N", "K", "S") if k in more}
    return dict(dict(name=name, file="products.mlir", kernel=kernel, args=args, outs=outs, grid=[1], defs=defs, tolerance=EXACT), **more)


def integers(seed, n, most=2):
    r = random.Random(seed)
    return [float(r.randint(-most, most)) for _ in range(n)]


def product(a, b, m, n, k):
    """[m, k] * [k, n], row by row."""
    columns = [b[j::n] for j in range(n)]
    rows = [a[i * k : (i + 1) * k] for i in range(m)]
    return [sum(map(float.__mul__, row, column)) for row in rows for column in columns]


def turned(a, m, n):
    return [a[i * n + j] for j in range(n) for i in range(m)]


def plus(a, b):
    return list(map(float.__add__, a, b))


def blocks(values, size):
    return [values[i : i + size] for i in range(0, len(values), size)]


def chains():
    for number, k in (("5265", 128), ("5609", 32)):
        x, y, z = integers(1, 64 * k), integers(2, k * 64), integers(3, 64 * 128, 1)
        first = [bf16(v) for v in product(x, y, 64, 64, k)]
        want = [bf16(v) for v in product(first, z, 64, 128, 64)]
        for warps in (4, 8, 1, 2):
            yield case(f"{number} a product of a product", "product_of_product",
                       [("bf16", x), ("bf16", y), ("bf16", z), ("bf16", [0.0] * 8192)], {3: want}, K=k, warps=warps)
    for m, element, stages, count in ((16, "bf16", 3, 6), (64, "bf16", 3, 6), (64, "f32", 2, 4), (128, "bf16", 4, 10), (128, "f32", 3, 2)):
        x, y = integers(4, m * 32 * count), integers(5, 32 * 32 * count)
        want = [0.0] * (m * 32)
        for a, b in zip(blocks(x, m * 32), blocks(y, 32 * 32)):
            want = plus(want, product(a, b, m, 32, 32))
        for warps in (4, 8):
            yield case("10821 two products into one accumulator", "chained",
                       [(element, x), (element, y), ("f32", [0.0] * (m * 32)), ("i32", count)], {2: want},
                       T=element, M=m, N=32, K=32, S=stages, warps=warps)


def sums_and_products():
    for n in (0, 1, 32, 100, 131):
        padded = max(1, n) * 32
        x, y = integers(6, padded), integers(7, padded)
        sums = [sum(x[j : n * 32 : 32]) for j in range(32)]
        want = product(turned(x[: n * 32], n, 32), y[: n * 32], 32, 32, n) if n else [0.0] * 1024
        for kernel in ("sum_then_product", "product_then_sum"):
            for stages in (1, 2, 4):
                yield case("6691 a sum beside a product", kernel,
                           [("f16", x), ("f16", y), ("f32", [9.0] * 32), ("f32", [9.0] * 1024), ("i32", n)], {2: sums, 3: want},
                           N=32, S=stages, file="squares.mlir")


def many_loads():
    for stages, count in ((2, 0), (2, 1), (2, 5), (3, 4), (4, 3)):
        x, y = integers(8, 4096 * max(1, count)), integers(9, 4096 * max(1, count))
        want, left, right = [0.0] * 1024, blocks(x, 1024), blocks(y, 1024)
        for i in range(0, 4 * count, 4):
            want = plus(want, product(plus(left[i], left[i + 1]), plus(right[i], right[i + 1]), 32, 32, 32))
            want = plus(want, product([a - b for a, b in zip(left[i + 2], left[i + 3])], right[i + 2], 32, 32, 32))
        yield case("4368 seven loads, two products", "seven_loads",
                   [("f16", x), ("f16", y), ("f32", [9.0] * 1024), ("i32", count)], {2: want}, M=32, N=32, K=32, S=stages)
    for size, stages, count, element in ((16, 4, 5, "f16"), (32, 4, 1, "bf16"), (32, 4, 6, "f16"), (64, 4, 2, "bf16"), (32, 3, 4, "f16")):
        # Of distances 0, -1, .. -7 the power has few bits; below that zero: the inputs are small and sparse.
        x, y = integers(10, 2 * size * size * count, 1), integers(11, 2 * size * size * count, 1)
        for i in range(len(x)):
            x[i] *= i % 7 == 0
        left, right = blocks(x, size * size), blocks(y, size * size)
        want, top = [0.0] * (size * size), [0.0] * size
        for i in range(0, 2 * count, 2):
            s = blocks(product(left[i], right[i], size, size, size), size)
            top = [max(t, *row) for t, row in zip(top, s)]
            power = [2.0 ** (v - t) for t, row in zip(top, s) for v in row]
            want = plus(want, product(power, right[i + 1], size, size, size))
            want = plus(want, product(left[i + 1], power, size, size, size))
        yield case("9815 four loads, products, powers and maxima", "largest_and_powers",
                   [(element, x), (element, y), ("f32", [9.0] * (size * size)), ("i32", count)], {2: want}, T=element, N=size, S=stages,
                   file="squares.mlir", tolerance={"atol": 1e-3, "rtol": 1e-5})


def loops_in_loops():
    for count, stages in ((0, 2), (1, 2), (2, 3), (5, 2), (5, 4)):
        x, y = integers(12, 1024 * max(1, count)), integers(13, 1024 * max(1, count))
        want = [0.0] * 1024
        for q in range(count):
            for k in range(q + 1):
                s = product(x[q * 1024 : (q + 1) * 1024], y[k * 1024 : (k + 1) * 1024], 32, 32, 32)
                want = plus(want, [v * 0.5 for v in s] if k == q else s)
        yield case("6380, 6691 a branch in a loop in a loop", "nested",
                   [("f16", x), ("f16", y), ("f32", [9.0] * 1024), ("i32", count)], {2: want}, M=32, N=32, K=32, S=stages)
    for count, stages in ((0, 2), (1, 2), (2, 2), (7, 2), (7, 4)):
        x, y, table = integers(14, 1024), integers(15, 8192), [(5 * i + 3) % 8 for i in range(max(1, count))]
        want = [0.0] * 1024
        for page in table[:count]:
            want = plus(want, product(x, y[page * 1024 : (page + 1) * 1024], 32, 32, 32))
        yield case("5368 pages named by a table", "pages",
                   [("f16", x), ("f16", y), ("i32", table), ("f32", [9.0] * 1024), ("i32", count)], {3: want}, M=32, N=32, K=32, S=stages)


def descriptors():
    shapes = (("7354", (16, 16, 16), (2, 2), 512, 3), ("8932", (64, 8, 32), (1, 3), 160, 3), ("8932", (128, 8, 64), (1, 1), 256, 2),
              ("10649", (128, 64, 64), (1, 1), 192, 2))
    for number, (m, n, k), grid, depth, stages in shapes:
        rows, columns = m * grid[0], n * grid[1]
        x, y = integers(16, rows * depth), integers(17, depth * columns)
        want = product(x, y, rows, columns, depth)
        for warps in (4, 8):
            yield case(f"{number} blocks by descriptors", "described",
                       [("f16", x), ("f16", y), ("f32", [9.0] * (rows * columns)), ("i32", rows), ("i32", columns), ("i32", depth)],
                       {2: want}, M=m, N=n, K=k, S=stages, warps=warps, grid=list(grid))


def vectors():
    for element in ("f8E4M3FN", "f8E5M2"):
        for m, k, count in ((16, 128, 2), (64, 64, 3), (1, 256, 1)):
            w, x = integers(18, m * k * count), integers(19, k * count)
            want = [0.0] * m
            for a, b in zip(blocks(w, m * k), blocks(x, k)):
                want = plus(want, product(a, b, m, 1, k))
            for warps in (1, 2, 4, 8):
                yield case("6803 a matrix of 8-bit floats times a vector", "matrix_vector",
                           [(element, w), (element, x), ("f32", [9.0] * m), ("i32", count)], {2: want}, T=element, M=m, K=k, warps=warps,
                           file="vectors.mlir")
        for m, n, k in ((1, 32, 64), (16, 16, 32), (1, 8, 128)):
            x, w = integers(20, 2 * m * k), integers(21, 2 * k * n)
            want = plus(product(x[: m * k], w[: k * n], m, n, k), product(x[m * k :], w[k * n :], m, n, k))
            for warps in (1, 4):
                yield case("6803 a vector times a matrix of 8-bit floats", "vector_matrix",
                           [(element, x), (element, w), ("f32", [9.0] * (m * n)), ("i32", 2)], {2: want}, T=element, M=m, N=n, K=k, warps=warps)


def lookups():
    for m in (1, 2, 8):
        for k in (2, 4, 8):
            for n in (2, 8, 32):
                r = random.Random(100 * m + 10 * k + n)
                x, at = [r.randrange(-99, 99) for _ in range(m * k)], [r.randrange(k) for _ in range(m * n)]
                want = [x[i // n * k + v] for i, v in enumerate(at)]
                for warps in (1, 2, 4):
                    yield case("11600 a lookup in short rows", "gathered", [("i32", x), ("i32", at), ("i32", [9] * (m * n))], {2: want},
                               M=m, N=n, K=k, warps=warps, file="lookups.mlir")


def cases():
    for family in (chains, sums_and_products, many_loads, loops_in_loops, descriptors, vectors, lookups):
        yield from family()
