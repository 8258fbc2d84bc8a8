"""Random inputs and roundings for the cases."""
import math
import random
import struct


def f16(x):
    try:
        return struct.unpack("<e", struct.pack("<e", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def f32(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def bf16(x):
    """To nearest even."""
    if math.isnan(x) or math.isinf(x):
        return x
    bits = struct.unpack("<I", struct.pack("<f", x))[0]
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def normal(seed, n, rounding=f32):
    r = random.Random(seed)
    return [rounding(r.gauss(0, 1)) for _ in range(n)]


def uniform(seed, n, low=0.0, high=1.0, rounding=f32):
    r = random.Random(seed)
    return [rounding(r.uniform(low, high)) for _ in range(n)]


def integers(seed, n, low, high):
    r = random.Random(seed)
    return [r.randrange(low, high) for _ in range(n)]


def rows(values, n):
    return [values[i * n : (i + 1) * n] for i in range(len(values) // n)] if n else []


def special(values, n):
    """Of rows of n: the first gets a NaN, the second an infinity, the third is all minus infinity, the fourth all NaN."""
    out = list(values)
    if n and len(values) >= 4 * n:
        out[n // 2] = math.nan
        out[n + n // 3] = math.inf
        out[2 * n : 3 * n] = [-math.inf] * n
        out[3 * n : 4 * n] = [math.nan] * n
    return out


def exp(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
