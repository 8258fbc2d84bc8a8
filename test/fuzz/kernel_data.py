"""kernel_data.py - random arrays with the values where arithmetic breaks, .npy files, and comparison bit for bit."""
import ast
import random
import struct

from kernel_ir import BITS, FLOAT8, is_float

# Exponent and fraction bits, bias, and how NaN and infinity are written: "ieee", "fn" (no infinity) or "fnuz".
FORMATS = {
    "f16": (5, 10, 15, "ieee"),
    "bf16": (8, 7, 127, "ieee"),
    "f32": (8, 23, 127, "ieee"),
    "f64": (11, 52, 1023, "ieee"),
    "f8E4M3FN": (4, 3, 7, "fn"),
    "f8E5M2": (5, 2, 15, "ieee"),
    "f8E4M3FNUZ": (4, 3, 8, "fnuz"),
    "f8E5M2FNUZ": (5, 2, 16, "fnuz"),
}
MEMORY = {"i1": "B", "i8": "B", "i16": "H", "i32": "I", "i64": "Q", "f16": "H", "bf16": "H", "f32": "I", "f64": "Q"}
MEMORY.update({e: "B" for e in FLOAT8})
# Values at which conversions to some narrower type round, saturate or overflow.
EDGES = (0.0, 0.5, 1.0, 1.5, 2.5, 3.0, 127.5, 128.0, 240.0, 248.0, 255.5, 448.0, 464.0, 465.0, 32767.5, 57344.0, 61440.0)
EDGES += (65504.0, 65519.0, 65520.0, 2.0**31, 2.0**31 - 0.5, 2.0**32, 2.0**53 + 2, 2.0**63, 2.0**64, 2.0**-24, 2.0**-25)
EDGES += (1.0 + 2.0**-11, 1.0 + 2.0**-8, 1.0 + 2.0**-9, 1.0 + 2.0**-24, 2.0**-9 * 1.5, 2.0**-133, 2.0**-149, 0.1, 1e-3)


def size_of(elem):
    return struct.calcsize(MEMORY[elem])


def is_nan(elem, bits):
    exponent, fraction, _, style = FORMATS[elem]
    if style == "fnuz":
        return bits == 0x80
    mask = (1 << exponent + fraction) - 1
    return (bits & mask) == mask if style == "fn" else (bits & mask) > ((1 << exponent) - 1) << fraction


def float_bits(elem, value):
    """The encoding nearest to a finite double, ties away; too large: the largest finite one."""
    exponent, fraction, bias, style = FORMATS[elem]
    sign, value = (1, -value) if value < 0 or str(value) == "-0.0" else (0, value)
    largest = (((1 << exponent) - (1 if style == "ieee" else 0)) << fraction) - (2 if style == "fn" else 1)
    low, high = 0, largest
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if decode(elem, middle) <= value else (low, middle - 1)
    if low < largest and value - decode(elem, low) >= decode(elem, low + 1) - value:
        low += 1
    return low if style == "fnuz" and low == 0 else low | sign << exponent + fraction


def decode(elem, bits):
    """A finite encoding without sign as a double."""
    _, fraction, bias, _ = FORMATS[elem]
    e, m = bits >> fraction, bits & (1 << fraction) - 1
    return (m + (1 << fraction if e else 0)) * 2.0 ** (max(e, 1) - bias - fraction)


def random_float(rng, elem):
    exponent, fraction, bias, style = FORMATS[elem]
    kind, mask = rng.random(), (1 << BITS[elem]) - 1
    if kind < 0.2:
        return rng.getrandbits(BITS[elem])
    if kind < 0.35:
        value = rng.choice(EDGES)
        return float_bits(elem, rng.choice((value, -value)))
    if kind < 0.45:
        top = ((1 << exponent) - 1) << fraction
        special = (0, 1 << fraction, (1 << fraction) - 1, 1, top, top - 1, top | 1, top | 1 << fraction - 1, mask >> 1)
        return (rng.choice(special) | rng.getrandbits(1) << BITS[elem] - 1) & mask
    if kind < 0.6:
        return float_bits(elem, float(rng.randint(-20, 20)))
    if kind < 0.7:  # just above or below a power of two
        return (rng.randrange(1, (1 << exponent) - 1) << fraction) + rng.randint(-2, 2) & mask
    return float_bits(elem, rng.gauss(0, rng.choice((1.0, 1.0, 100.0, 1e5))))


def random_int(rng, elem):
    bits = BITS[elem]
    kind, mask = rng.random(), (1 << bits) - 1
    if kind < 0.35:
        return rng.getrandbits(bits)
    if kind < 0.5:
        return rng.choice((0, 1, mask, mask >> 1, (mask >> 1) + 1, mask - 1)) & mask
    if kind < 0.65:
        return (1 << rng.randrange(bits)) + rng.randint(-1, 1) & mask
    return rng.randint(-40, 40) & mask


def random_bits(rng, elem):
    return random_float(rng, elem) if is_float(elem) else random_int(rng, elem)


def pack(elem, values):
    return struct.pack(f"<{len(values)}{MEMORY[elem]}", *values)


def unpack(elem, data):
    return struct.unpack(f"<{len(data) // size_of(elem)}{MEMORY[elem]}", data)


def random_array(seed, elem, n, whole=False):
    """The bytes of n elements: some hundred values, then those again in random order. `whole`: numbers from -8 to 8."""
    rng = random.Random(seed)
    if whole:
        floats = elem[0] in "fb"
        numbers = [float_bits(elem, float(i)) if floats else i & (1 << size_of(elem) * 8) - 1 for i in range(-8, 9)]
        return pack(elem, [numbers[rng.randint(-8, 8) + 8] for _ in range(n)])
    values = [random_bits(rng, elem) for _ in range(min(n, 384))]
    return pack(elem, values + rng.choices(values, k=n - len(values)))


def scalar_text(elem, number):
    """A scalar argument as the tools read it."""
    if not is_float(elem):
        return str(number)
    if is_nan(elem, number):
        return "nan"
    sign, size = number >> BITS[elem] - 1, number & (1 << BITS[elem] - 1) - 1
    exponent, fraction = FORMATS[elem][:2]
    value = float("inf") if size >> fraction == (1 << exponent) - 1 else decode(elem, size)
    return repr(-value if sign else value)


def npy(elem, data):
    """An .npy file of a buffer as the tools read it: bf16 as float32, f8 as raw bytes, i1 as int8."""
    code = {"f16": "<f2", "bf16": "<f4", "f32": "<f4", "f64": "<f8", "i8": "|i1", "i1": "|i1", "i16": "<i2"}.get(elem)
    code = code or {"i32": "<i4", "i64": "<i8"}.get(elem, "|u1")
    n = len(data) // size_of(elem)
    if elem == "bf16":
        data = b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2))
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({n},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def from_npy(elem, file):
    """The buffer's bytes in an .npy file that a tool wrote."""
    length = struct.unpack_from("<H", file, 8)[0]
    code = ast.literal_eval(file[10 : 10 + length].decode())["descr"]
    data = file[10 + length :]
    if elem == "bf16" and code == "<f4":
        data = b"".join(data[i + 2 : i + 4] for i in range(0, len(data), 4))
    return data


def differences(elem, got, expected, zeros=False):
    """Indices where two buffers differ; every NaN equals every NaN, and with `zeros` every zero every zero."""
    if got == expected:
        return []
    if len(got) != len(expected):
        return [-1]
    pairs = enumerate(zip(unpack(elem, got), unpack(elem, expected)))
    nan = (lambda b: is_nan(elem, b)) if is_float(elem) else (lambda b: False)
    size = (1 << BITS[elem] - 1) - 1 if zeros and elem in ("f16", "bf16", "f32", "f64") else -1
    return [i for i, (g, e) in pairs if g != e and not (nan(g) and nan(e)) and (g | e) & size]


def subnormal_neighbours(elem, got, expected):
    """Whether two buffers differ by one unit at most, and only where both are below the normal numbers."""
    at, mask = differences(elem, got, expected), (1 << BITS[elem] - 1) - 1
    if not at:
        return True
    if elem not in ("f32", "f64") or at == [-1]:
        return False
    least, got, expected = 1 << FORMATS[elem][1], unpack(elem, got), unpack(elem, expected)
    return all(abs(got[i] - expected[i]) == 1 and got[i] & mask <= least and expected[i] & mask <= least for i in at)
