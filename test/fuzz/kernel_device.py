#!/usr/bin/env python3
"""kernel_device.py - random kernels on a GPU that is elsewhere: compiled and computed here, launched and compared there.

  kernel_device.py export DIR --target=CHIP [--worker=PATH] [--seed=N] [--count=M] [--moves=P] [--nvidia=ptx]
      here: writes binaries with their manifests and a digest of what the cpu device computes
  kernel_device.py run DIR --launch=PATH [--device=cuda|hip]
      there: makes the same inputs from the seeds, launches, compares digests; needs fuzz-launch and Python alone
"""
import argparse
import collections
import hashlib
import json
import os
import sys
import tempfile

from kernel_data import is_nan, pack, unpack
from kernel_gen import generate
from kernel_ir import is_float
from kernel_run import AMD, Case, Died, Worker
from kernels import BATCH, Fuzz, options_of


def digest(elem, data):
    """Of a buffer in which every NaN is the same."""
    if is_float(elem):
        data = pack(elem, [0 if is_nan(elem, b) else b for b in unpack(elem, data)]) + pack("i8", [is_nan(elem, b) for b in unpack(elem, data)])
    return hashlib.sha1(data).hexdigest()


def digests(case, buffers):
    return {str(i): digest(p.elem, buffers[i]) for i, p in case.buffers()}


def export(args):
    os.makedirs(args.dir, exist_ok=True)
    kind, index = "hsaco" if args.target in AMD else args.nvidia, []
    args.amdexec, args.keep = None, None
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(args, folder)
        for first in range(args.seed, args.seed + args.count, BATCH):
            seeds = range(first, min(first // BATCH * BATCH + BATCH, args.seed + args.count))
            options = options_of(first, args)
            cases = [Case(generate(s, f"k{s}", options), folder) for s in seeds]
            cases = [c for c in cases if not fuzz.cpu(c, options)]
            binary = f"{first}.{kind}"
            good, failures = fuzz.compile(cases, options, args.target, kind, os.path.join(args.dir, binary))
            for f in failures:
                print(f"{f.case.kernel.name}: {f.stage}: {f.message[:200]}")
            kernels = [{"seed": int(c.kernel.name[1:]), "expected": digests(c, c.expected)} for c in good]
            index.append({"binary": binary, "kernels": kernels})
            fuzz.clean()
        fuzz.worker.stop()
    with open(os.path.join(args.dir, "index.json"), "w") as f:
        json.dump({"options": {n: getattr(args, n) for n in ("moves", "atomics", "odd")}, "batches": index}, f)
    print(f"{sum(len(b['kernels']) for b in index)} kernels for {args.target}")
    return 0


class Device(Worker):
    """fuzz-launch in place of fuzz-worker: the commands differ in how a kernel is named and launched."""

    def load(self, path):
        return self.ask([f"load {path}"])[0]


def launch(case, device):
    error, got = case.run(device, f"launch {case.kernel.name}", named=False)
    return error, {} if error else digests(case, got)


def run(args):
    with open(os.path.join(args.dir, "index.json")) as f:
        index = json.load(f)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        device = Device([args.launch, args.device], folder)
        for batch in index["batches"]:
            error = device.load(os.path.join(os.path.abspath(args.dir), batch["binary"]))
            for kernel in batch["kernels"]:
                seed = kernel["seed"]
                case = Case(generate(seed, f"k{seed}", options_of(seed, argparse.Namespace(**index["options"]))), folder)
                try:
                    wrong, got = (error, {}) if error else launch(case, device)
                except Died as e:
                    wrong, got = str(e), {}
                    device.load(os.path.join(os.path.abspath(args.dir), batch["binary"]))
                differ = [i for i, d in kernel["expected"].items() if got.get(i) != d]
                counts["kernels"] += 1
                if wrong or differ:
                    counts["failures"] += 1
                    print(f"FAILURE k{seed}: {wrong or 'arguments ' + ', '.join(differ) + ' differ'}", flush=True)
                for name in os.listdir(folder):
                    if name.startswith(case.kernel.name + "."):
                        os.remove(os.path.join(folder, name))
        device.stop()
    print(f"{counts['kernels']} kernels launched, {counts['failures']} failures")
    return 1 if counts["failures"] else 0


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("what", choices=("export", "run"))
    p.add_argument("dir")
    p.add_argument("--target", default="sm_90a")
    p.add_argument("--nvidia", choices=("cubin", "ptx"), default="cubin")
    p.add_argument("--worker", default="build/bin/fuzz-worker")
    p.add_argument("--launch", default="build/bin/fuzz-launch")
    p.add_argument("--device", default="cuda")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=120)
    p.add_argument("--moves", type=float, default=0.03)
    p.add_argument("--atomics", type=float, default=0.01)
    p.add_argument("--odd", type=float, default=0.15)
    args = p.parse_args()
    return export(args) if args.what == "export" else run(args)


if __name__ == "__main__":
    sys.exit(main())
