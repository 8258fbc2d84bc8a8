# vector_add_data.py FOLDER N - writes x.npy, y.npy (random f32) and their sum z.npy, with Python's library alone.
#
# The sum is exact before it is rounded once: a double holds the sum of two floats well enough that rounding it to f32
# gives the f32 sum, so z is an independent reference to the last bit.
import array
import os
import random
import sys


def write_npy(path, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}"
    # Magic, version, length and text are 64 bytes aligned, as numpy writes them.
    padded = header.ljust(-(-(10 + len(header) + 1) // 64) * 64 - 11) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded.encode())
        if sys.byteorder == "big":
            values = array.array("f", values)
            values.byteswap()
        values.tofile(file)


def main(folder, count):
    generator = random.Random(1)
    x = array.array("f", (generator.uniform(-1000, 1000) for _ in range(count)))
    y = array.array("f", (generator.gauss(0, 1) for _ in range(count)))
    z = array.array("f", (a + b for a, b in zip(x, y)))
    for name, values in (("x", x), ("y", y), ("z", z)):
        write_npy(os.path.join(folder, f"{name}.npy"), values)


main(sys.argv[1], int(sys.argv[2]))
