"""mutate_attention.py FILE.mlir - every wait, arrival and barrier of a specialised attention kernel is needed.

Compiles to tile_gpu for sm_90a, takes one of them away at a time (waits for products wait for one fewer), lowers and simulates the
rest with all checks. What goes unnoticed is printed and ends the script with status 1.
"""
import os
import re
import subprocess
import sys
import tempfile

ROWS, D = 384, 64
OPTIONS = ["-DD=64", "-DBM=128", "-DBN=64", "-DCAUSAL=1", "--num-warps=8", "--num-stages=2", "--target=sm_90a"]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def execute(folder, text):
    """Exit status of a program in tile_gpu, and what was said."""
    source, lowered = (os.path.join(folder, name) for name in ("g.mlir", "l.mlir"))
    with open(source, "w") as f:
        f.write(text)
    done = run("tile-opt", source, "--convert-tile-gpu-to-nvvm", "-o", lowered)
    if done.returncode:
        return done.returncode, done.stderr
    block = [f"i8[{2 * ROWS * D}]=zeros", f"i32={ROWS}", f"i32={D}", f"i64={D}", "i64=1"]
    arguments = 4 * block + ["f32=0.125", f"i32={ROWS}", "i32=1"]
    done = run("tile-run", lowered, "--device=sim", "--target=sm_90a", "--kernel=attention", "--grid=1", "--max-steps=20000000",
               *(f"--arg={a}" for a in arguments))
    return done.returncode, done.stderr


def unused(lines):
    """Lines of the arms for no keys at all: what a branch with a loop does otherwise."""
    found, open_ifs = set(), []
    for i, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if "scf.if" in line:
            open_ifs.append((indent, i))
        elif open_ifs and indent == open_ifs[-1][0] and line.strip() == "} else {":
            if any("scf.for" in x for x in lines[open_ifs[-1][1] : i]):
                found |= set(range(i, next(k for k in range(i + 1, len(lines)) if lines[k].startswith(" " * indent + "}"))))
        elif open_ifs and indent == open_ifs[-1][0] and line.strip().startswith("}"):
            open_ifs.pop()
    return found


def mutants(text):
    """Pairs of what was done and the changed text."""
    lines = text.split("\n")
    # Not needed: a wait for a barrier that was passed before (it keeps ptxas from moving the next op), the last barrier, what the arm
    # for no keys at all does, the wait for older products that ptxas alone needs, the wait for a free buffer of k when q's was free, which is so later, and that for one of q's two:
    # the second block of keys of the tile in between has come into the place of the one of the tile before.
    skipped = unused(lines)
    last_barrier = max(i for i, line in enumerate(lines) if "tile.barrier" in line)
    for i, line in enumerate(lines):
        if i in skipped:
            continue
        without = "\n".join(lines[:i] + lines[i + 1 :])
        wait = re.search(r"tile_gpu\.wgmma_wait (\d)\(", line)
        if wait and wait[1] != "0" and "scf.if" in lines[i + 1]:
            continue
        if wait:
            fewer = line.replace(wait[0], f"tile_gpu.wgmma_wait {int(wait[1]) + 1}(")
            yield f"line {i}: waits for one product fewer", "\n".join(lines[:i] + [fewer] + lines[i + 1 :])
        elif "tile_gpu.mbarrier_wait" in line and "wgmma_wait" not in lines[i + 1]:
            isQuery = any("tma_copy 0[" in x for x in lines[i + 1 : i + 4])
            if "mbarrier_expect" in lines[i + 1] and (isQuery or any("scf.if" in x for x in lines[i - 3 : i])):
                continue
            yield f"line {i}: no wait", without
        elif "tile_gpu.mbarrier_arrive" in line and "else" not in lines[i - 1]:
            yield f"line {i}: no arrival", without
        elif "tile_gpu.fence_async %" in line:
            yield f"line {i}: no fence", without
        elif "tile.barrier" in line and i != last_barrier:
            yield f"line {i}: no barrier", without


def main(path):
    translated = run("tile-translate", path, *OPTIONS, "--emit=tile_gpu")
    if translated.returncode:
        sys.exit(translated.stderr)
    with tempfile.TemporaryDirectory() as folder:
        status, said = execute(folder, translated.stdout)
        if status:
            sys.exit("unchanged: " + said)
        count, missed = 0, []
        for what, text in mutants(translated.stdout):
            count += 1
            if not execute(folder, text)[0]:
                missed.append(what + ": " + translated.stdout.split("\n")[int(re.search(r"\d+", what)[0])].strip()[:100])
    print("\n".join(missed))
    print(f"{count - len(missed)} of {count} changes noticed")
    sys.exit(bool(missed))


main(sys.argv[1])
