#!/usr/bin/env python3
"""against_cpu.py --tile-run=PATH --chips=A,B --warps=1,4 [NAME...] - kernels on the simulator against the cpu device.

Every kernel of kernels/kernels.txt (or those named) runs for each chip with each number of warps; floats agree within 2e-3 (sums
in another order, f16 results), integers exactly. The simulator's checks of races, bounds and uninitialised reads are on. Needs only
Python's own library.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels")


def write_indices(path, count, bound):
    """An .npy file of `count` i32 below `bound`, the same on every machine."""
    state, values = 12345, []
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        values.append((state >> 8) % bound)
    header = f"{{'descr': '<i4', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{count}i", *values))


def argument(text, folder):
    match = re.fullmatch(r"(i32\[(\d+)\])=below:(\d+)", text)
    if not match:
        return "--arg=" + text
    path = os.path.join(folder, f"{match[2]}_{match[3]}.npy")
    write_indices(path, int(match[2]), int(match[3]))
    return f"--arg={match[1]}=file:{path}"


def main(arguments):
    options = {"tile-run": "tile-run", "chips": "sm_90a,gfx942", "warps": "4"}
    names = []
    for a in arguments:
        key, _, value = a.lstrip("-").partition("=")
        if a.startswith("--") and key in options:
            options[key] = value
        elif a.startswith("-"):
            sys.exit(__doc__)
        else:
            names.append(a)
    failed = runs = 0
    with tempfile.TemporaryDirectory() as folder, open(os.path.join(FOLDER, "kernels.txt")) as table:
        for row in table:
            if row.startswith("#") or (names and row.split()[0] not in names):
                continue
            name, grid, *args = row.split()
            base = [options["tile-run"], os.path.join(FOLDER, name + ".ttir"), "--device=sim", "--against=cpu", "--grid=" + grid]
            base += ["--atol=2e-3", "--rtol=2e-3"] + [argument(a, folder) for a in args]
            for chip in options["chips"].split(","):
                for warps in options["warps"].split(","):
                    command = base + [f"--target={chip}", f"--num-warps={warps}"]
                    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                    runs += 1
                    if run.returncode:
                        failed += 1
                        print(f"FAILED {name} {chip}, {warps} warps: {run.stdout.strip()}\n  {' '.join(command)}", flush=True)
    print(f"{runs - failed} of {runs} runs agree")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
