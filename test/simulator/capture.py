#!/usr/bin/env python3
"""capture.py prepare FOLDER | take FOLDER - results of an NVIDIA GPU for compare.py's golden data.

  prepare   writes FOLDER: each case as a cubin with its arguments and what the simulator gives, and run.py, which needs no more than
            tile-run beside it (scripts/build-runtime). `--tile-run=PATH --tile-translate=PATH`; `--first=N --seeds=N` choose random
            programs. Then on the GPU's machine: `python3 FOLDER/run.py`, which writes FOLDER/results.json.
  take      puts results.json into test/data/simulator: what is new there, and what has another text.
"""
import argparse
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import compare  # noqa: E402
import generate  # noqa: E402
import generate_matrix  # noqa: E402


def names(first, seeds):
    for seed in range(first, first + seeds):
        yield f"seed{seed}"
    for form, parts in generate_matrix.NVIDIA.items():
        kinds = ["exact"] if parts[4][2] == "i32" else ["exact", "real", "wide", "special"]
        # Which NaN of several those give is not modelled.
        for values in kinds[:3] if form in ("m16n8k8.f64", "m16n8k16.f64") else kinds:
            yield f"{form} {values}"


def prepare(options):
    os.makedirs(options.folder, exist_ok=True)
    runner, cases, binaries = compare.Runner(options, options.folder), [], {}
    for number, name in enumerate(names(options.first, options.seeds)):
        text, comment, arguments, grid, warps = compare.program(runner, name)
        words, _ = runner.simulate(text, "sm_90a", grid, arguments)
        if text not in binaries:
            binaries[text] = f"{number}.cubin"
            command = [options.tile_translate, "--target=sm_90a", "--emit=cubin", f"--num-warps={warps}", runner.path("k.mlir"), "-o", runner.path(binaries[text])]
            subprocess.run(command, check=True, capture_output=True)
        if os.path.exists(runner.path("in.npy")) and "file:" in arguments[0]:
            compare.signed_npy(runner.path("in.npy"))
            shutil.move(runner.path("in.npy"), runner.path(f"{number}.npy"))
            arguments[0] = arguments[0].split("file:")[0] + f"file:{number}.npy"
        cases.append({"name": name, "binary": binaries[text], "grid": grid, "arguments": arguments, "text": zlib.crc32((text + comment).encode()),
                      "words": words})
    for name in ("k.mlir", "out.npy"):
        if os.path.exists(runner.path(name)):
            os.remove(runner.path(name))
    with open(runner.path("cases.json"), "w") as f:
        json.dump(cases, f)
    with open(runner.path("run.py"), "w") as f:
        f.write(RUN)
    print(f"{len(cases)} cases in {options.folder}")


RUN = '''"""Runs the cases with ./tile-run, writes results.json and prints what differs from the simulator."""
import base64, concurrent.futures, json, os, struct, subprocess, tempfile, zlib

os.chdir(os.path.dirname(os.path.abspath(__file__)))

def run(case):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.npy")
        command = ["./tile-run", case["binary"], "--device=cuda", f"--grid={case['grid']}"]
        command += [f"--arg={a}" for a in case["arguments"]] + [f"--out=1:{out}"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip()[-300:]
        with open(out, "rb") as f:
            data = f.read()
        start = 10 + struct.unpack_from("<H", data, 8)[0]
        return list(struct.unpack(f"<{(len(data) - start) // 4}I", data[start:]))

with open("cases.json") as f:
    cases = json.load(f)
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    results = list(pool.map(run, cases))
with open("results.json", "w") as f:
    json.dump([{"name": c["name"], "text": c["text"], "words": r} for c, r in zip(cases, results)], f)
wrong, room = 0, 8500
for case, result in zip(cases, results):
    if result == case["words"]:
        continue
    wrong += 1
    if isinstance(result, str):
        print("ERROR", case["name"], result[:120])
        continue
    differ = sum(a != b for a, b in zip(result, case["words"]))
    packed = base64.b85encode(zlib.compress(struct.pack(f"<{len(result)}I", *result), 9)).decode()
    print("DIFFERS", case["name"], differ, "of", len(result), packed if len(packed) < min(room, 1500) else "")
    room -= len(packed) if len(packed) < min(room, 1500) else 0
print(f"{len(cases) - wrong} of {len(cases)} cases equal the simulator")
'''


def take(options):
    with open(os.path.join(options.folder, "results.json")) as f:
        results = {r["name"]: r for r in json.load(f) if isinstance(r["words"], list)}
    entries, words = compare.golden()
    kept = [(e, w) for e, w in zip(entries, words) if e["name"] not in results]
    new = [({"name": r["name"], "text": r["text"], "words": len(r["words"])}, r["words"]) for r in results.values()]
    with open(os.path.join(compare.DATA, "h200_programs.json")) as f:
        document = json.load(f)
    document["programs"] = [e for e, _ in kept + new]
    with open(os.path.join(compare.DATA, "h200_programs.json"), "w") as f:
        json.dump(document, f, indent=1)
        f.write("\n")
    blob = b"".join(struct.pack(f"<{len(w)}I", *w) for _, w in kept + new)
    with open(os.path.join(compare.DATA, "h200_programs.bin.gz"), "wb") as f:
        f.write(gzip.compress(blob, 9, mtime=0))
    print(f"{len(new)} taken, {len(kept)} kept")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("mode", choices=["prepare", "take"])
    parser.add_argument("folder")
    parser.add_argument("--tile-run", default="tile-run")
    parser.add_argument("--tile-translate", default="tile-translate")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=32)
    options = parser.parse_args()
    (prepare if options.mode == "prepare" else take)(options)


if __name__ == "__main__":
    main()
