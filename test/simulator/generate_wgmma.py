"""generate_wgmma.py - a product of one block that Hopper's warp groups compute, and numbers of many exponents for it."""
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "numeric"))
import dots  # noqa: E402

M, N, K = 64, 32, 64
TYPES = {"f16": 0, "bf16": 1}  # of the factors; sums are f32


def text(factor):
    return dots.kernel(factor, factor, "f32", [M, N, K], None)


def write(path, element, numbers):
    """bf16 as the f32 with the same bits above."""
    code = "<f2" if element == "f16" else "<f4"
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(numbers)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    if element == "bf16":
        numbers = [struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", x))[0] & 0xFFFF0000))[0] for x in numbers]
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{len(numbers)}{'e' if element == 'f16' else 'f'}", *numbers))


def arguments(factor, seed, folder):
    """Of tile-run, the result last; writes the factors and the addend."""
    generator = random.Random(f"{TYPES[factor]} {seed}")
    found = []
    for name, element, count in (("a", factor, M * K), ("b", factor, K * N), ("c", "f32", M * N)):
        numbers = [generator.gauss(0, 1) * 2.0 ** generator.randrange(-6, 7) for _ in range(count)]
        write(os.path.join(folder, f"{name}.npy"), element, numbers)
        found.append(f"{element}[{count}]=file:{folder}/{name}.npy")
    return found + [f"f32[{M * N}]=zeros"]
