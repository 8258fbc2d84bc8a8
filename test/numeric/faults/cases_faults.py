"""Reports about other compilers (Triton's tracker unless another is named) and the right values."""
import math
import struct

from inputs import normal, uniform

FILE = "faults.mlir"


def case(name, kernel, args, outs, **more):
    defs = {"N": more.pop("n")} if "n" in more else {}
    return dict(name=name, file=FILE, kernel=kernel, args=args, outs=outs, grid=more.pop("grid", [1]), defs=defs, **more)


def addresses():
    x = normal(1, 64)
    rows = [r % (2 << r // 16) for r in range(32)]
    for warps in (1, 2, 4, 8):
        yield case("11544 overlapping rows", "overlapping_rows", [("f32", x), ("f32", [0.0] * 512)],
                   {1: [x[row + c] for row in rows for c in range(16)]}, warps=warps)
    yield case("7749 division of negative numbers", "negative_division",
               [("f32", x), ("f32", [0.0] * 8), ("f32", [9.0] * 8)], {1: [x[0]] + [x[1]] * 7, 2: [x[0]] + [9.0] * 7})
    yield case("7425 remainder of a constant", "remainder_of_constant", [("f32", x + x), ("f32", [0.0] * 128)],
               {1: [(x + x)[64 % r] for r in range(32, 160)]})
    for start, n in ((0, 64), (32, 48), (-64, 64), (-32, 32), (-16, 48), (-2147483648, 16), (2147483632, 64)):
        wrapped = [(start + i + 2**31) % 2**32 - 2**31 for i in range(128)]
        yield case("7749, 7425 remainder of a sum", "remainder_of_sum", [("f32", x + x), ("f32", [0.0] * 128), ("i32", start), ("i32", n)],
                   {1: [(x + x)[64 + int(math.fmod(w, n))] for w in wrapped]})
    x = normal(2, 256)
    for first in (0, 1 << 29, (1 << 30) - 128, (1 << 30) + 4, (1 << 31) - 256):
        yield case("832, ROCm 944: offsets beyond 32 bits", "far_offsets", [("f32", x), ("f32", [0.0] * 256), ("i32", first)],
                   {1: x})


def branches():
    for n in (4, 3, 5):
        x = normal(n, n)
        yield case("11153 reduction in a branch", "product_in_branch",
                   [("f32", [1.0] * (n * n)), ("f32", x), ("f32", [0.0] * n), ("i32", n), ("i32", 1)], {2: [sum(x)] * n},
                   grid=[n])
    for n in (0, 1, 63, 64, 65, 197, 256):
        x = normal(n, n)
        for warps in (1, 2):
            yield case("11378, 11313: loops known at run time", "epilogue", [("f32", x), ("f32", [9.0]), ("i32", n)],
                       {1: [sum(x)]}, warps=warps)


def scans():
    for n in (2, 16, 64, 100, 512):
        f, x, y, state = uniform(n, n), normal(n, n), [], 0.0
        for i in reversed(range(n)):
            state = f[i] * state + x[i]
            y.insert(0, state)
        yield case("4362 recurrence from the end", "reverse_recurrence", [("f32", f), ("f32", x), ("f32", [0.0] * n)], {2: y}, n=n)
    x = normal(3, 64)
    y = []
    for i in range(64):
        y.append(x[i] + (0.5 * y[i - 8] if i >= 8 else 0.0))
    yield case("3485 halving", "halving", [("f32", x), ("f32", [0.0] * 64)], {1: y}, warps=1)
    x = normal(4, 2048)
    sums, logs, total, log = [], [], 0.0, -math.inf
    for v in x:
        total += v
        log = max(log, v) + math.log1p(math.exp(-abs(log - v)))
        sums.append(total)
        logs.append(log)
    yield case("ROCm 947 wide scans", "wide_scans", [("f32", x), ("f32", [0.0] * 2048), ("f32", [0.0] * 2048)],
               {1: sums, 2: logs}, warps=8, tolerance={"atol": 1e-4, "rtol": 1e-5})


def truths():
    for x in ([1, 0, 1, 1], [0, 0, 0, 1], [1, 1, 1, 1]):
        counts = [sum(x[: i + 1]) for i in range(4)]
        zeros = [0] * 4
        yield case("5897, 9991, 10919: truth values", "truths",
                   [("i1", x), ("i32", zeros), ("i1", zeros), ("i1", zeros), ("i1", [0])],
                   {1: counts, 2: [int(c > 0) for c in counts], 3: [c % 2 for c in counts], 4: [1]})


def round_to(x, mantissa, least, largest):
    """To nearest even with `mantissa` bits behind the point and 2^least as the smallest normal; NaN stays."""
    if math.isnan(x) or x == 0:
        return x
    if math.isinf(x):
        return math.copysign(largest, x)
    unit = 2.0 ** (max(math.frexp(abs(x))[1] - 1, least) - mantissa)
    return math.copysign(min(round(abs(x) / unit) * unit, largest), x)


def conversions():
    x = [math.inf, 510.0, -200.0, -math.inf, math.nan, 127.5, -128.75, 0.0]
    yield case("10658 f16 to int8", "to_bytes", [("f16", x), ("i8", [0] * 8)], {1: [-1, -2, 56, 0, 0, 127, -128, 0]})
    halves = struct.unpack("<65536e", struct.pack("<65536H", *range(65536)))
    e5m2 = [round_to(v, 2, -14, 57344.0) for v in halves]  # infinities become the largest number, as docs/spec/numerics.md says
    yield case("8322 all f16 to f8", "to_f8", [("f8E5M2", [0.0] * 65536), ("f8E4M3FN", [0.0] * 65536)],
               {0: e5m2, 1: [round_to(v, 3, -6, 448.0) for v in halves]}, grid=[64], tolerance={"atol": 0, "rtol": 0})


def memory():
    yield case("1097, 2499: a store read by others behind a barrier", "store_then_load",
               [("i32", [0] * 256), ("i32", [0] * 256)], {0: list(range(256)), 1: list(range(255, -1, -1))})
    x = normal(5, 3)
    for warps in (1, 2, 8):
        yield case("1097 in place", "in_place", [("f32", x)], {0: [2 * v for v in x]}, warps=warps)
        yield case("1097 scalars", "scalar_updates", [("i32", [5]), ("i32", [0] * 256), ("i32", 4)],
                   {0: [9], 1: [2 * (5 + i // 64) + 1 for i in range(256)]}, warps=warps)
    yield case("2011 scalar atomics", "tickets", [("i32", [0]), ("i32", [-1] * 320)],
               {0: [5], 1: [i // 64 for i in range(320)]}, grid=[5])
    yield case("8105 atomics of one address", "same_address", [("f32", [0.5]), ("i32", [0]), ("i32", [-1] * 128)],
               {0: [0.5 + sum(range(128))], 1: [128], 2: list(range(128))})


def cases():
    for family in (addresses, branches, scans, truths, conversions, memory):
        yield from family()
