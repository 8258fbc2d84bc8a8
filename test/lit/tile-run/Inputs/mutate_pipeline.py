"""mutate_pipeline.py CHIP STAGES FILE.ttir [BK] - every wait, barrier and choice of a buffer in a pipelined product is needed.

Compiles to tile_gpu, changes one of them at a time, lowers and simulates the rest with all checks. A change has to end in a
diagnostic or in other results; what goes unnoticed is printed and ends the script with status 1.
"""
import array
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

M, N, K = 64, 64, 176
DEFINES = [f"-DB{d}={v}" for d, v in (("M", 64), ("M1", 63), ("N", 64), ("N1", 63))]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def write_halves(path, count, seed):
    generator = random.Random(seed)
    data = b"".join(struct.pack("<e", generator.gauss(0, 1)) for _ in range(count))
    header = "{'descr': '|i1', 'fortran_order': False, 'shape': (%d,), }" % len(data)
    header += " " * (-(11 + len(header)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def execute(folder, chip, text):
    """(exit status, bytes of the result) of a program in tile_gpu."""
    source, lowered, out = (os.path.join(folder, name) for name in ("g.mlir", "l.mlir", "out.npy"))
    with open(source, "w") as f:
        f.write(text)
    to = "--convert-tile-gpu-to-" + ("rocdl" if chip.startswith("gfx") else "nvvm")
    if run("tile-opt", source, to, "-o", lowered).returncode:
        return 1, b""
    arguments = [f"i8[{2 * M * K}]=file:{folder}/a.npy", f"i8[{2 * K * N}]=file:{folder}/b.npy", f"i8[{2 * M * N}]=zeros"]
    arguments += [f"i32={v}" for v in (M, N, K, K, N, N)]
    result = run("tile-run", lowered, "--device=sim", f"--target={chip}", "--kernel=matmul", "--grid=1", f"--out=2:{out}",
                 *(f"--arg={a}" for a in arguments))
    if result.returncode:
        return result.returncode, b""
    with open(out, "rb") as f:
        return 0, f.read()


def mutants(text):
    """Pairs of what was done and the changed text."""
    lines = text.split("\n")

    def changed(i, line):
        return "\n".join(lines[:i] + ([line] if line is not None else []) + lines[i + 1 :])

    last_wait = max((i for i, line in enumerate(lines) if "tile_gpu.async_wait" in line), default=-1)
    for i, line in enumerate(lines[:-1]):
        wait = re.search(r"tile_gpu\.async_wait (\d+)", line)
        if wait and i != last_wait:  # the last one keeps the memory for those behind the loop: here there are none
            yield f"line {i}: waits for one group fewer", changed(i, line.replace(wait[0], f"tile_gpu.async_wait {int(wait[1]) + 1}"))
        # One in front of stores of the loop that does the rest keeps an iteration from the one before: there is one alone here.
        once = "tile_gpu.local_store" in lines[i + 1] and any("tile_gpu.alloc" in x for x in lines[i - 1 : i])
        if "tile.barrier" in line and not once:
            yield f"line {i}: no barrier", changed(i, None)
        if "{tile_gpu.barrier" in line:
            yield f"line {i}: no barrier in front of scratch", changed(i, re.sub(r"tile_gpu\.barrier,? ?", "", line))
        index = re.search(r"(tile_gpu\.index %\w+\[%\w+\])( rotate = (\d+))? : !tile_gpu\.memdesc<(\d+)x", line)
        if index and int(index[4]) > 1:
            rotate = (int(index[3] or 0) + 1) % int(index[4])
            yield f"line {i}: another buffer", changed(i, line.replace(index[1] + (index[2] or ""), f"{index[1]} rotate = {rotate}"))
        advance = re.search(r"%(\w+) = tile_gpu\.advance (%\w+) of (\d+)", line)
        if advance:
            yield f"line {i}: a buffer is left out", changed(i, f"%{advance[1]}_ = {advance[0].split(' = ')[1]}\n"
                                                              f"%{advance[1]} = tile_gpu.advance %{advance[1]}_ of {advance[3]}")


def main(chip, stages, path, bk=32):
    block = [f"-DBK={bk}", f"-DBK1={int(bk) - 1}"]
    translated = run("tile-translate", path, *DEFINES, *block, f"--target={chip}", "--emit=tile_gpu", f"--num-stages={stages}")
    if translated.returncode:
        sys.exit(translated.stderr)
    with tempfile.TemporaryDirectory() as folder:
        write_halves(f"{folder}/a.npy", M * K, 1)
        write_halves(f"{folder}/b.npy", K * N, 2)
        status, expected = execute(folder, chip, translated.stdout)
        if status:
            sys.exit("the unchanged program fails")
        count, missed = 0, []
        for what, text in mutants(translated.stdout):
            status, got = execute(folder, chip, text)
            count += 1
            if not status and got == expected:
                missed.append(what)
    print(f"{chip}: {count - len(missed)} of {count} changes noticed")
    if missed or count < 3:
        sys.exit("\n".join(missed))


main(*sys.argv[1:])
