#!/usr/bin/env python3
"""kernel_device.py - random kernels on a GPU that is elsewhere: compiled and computed here, launched and compared there.

  kernel_device.py export DIR --target=CHIP [--worker=PATH] [--seed=N] [--count=M] [--seconds=S] [--products|--forms] [--moves=P] [--nvidia=ptx]
      here: writes binaries with their manifests and a digest of what the cpu device computes
  kernel_device.py run DIR --launch=PATH [--device=cuda|hip] [--jobs=N] [--seconds=S] [--failed=FILE.tar.gz]
      there: makes the same inputs from the seeds, launches, compares digests; needs fuzz-launch and Python alone. What kernels computed
      wrongly goes into FILE.
"""
import argparse
import collections
import hashlib
import io
import json
import os
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

from kernel_data import FORMATS, is_nan, pack, unpack
from kernel_ir import BITS, is_float
from kernel_run import AMD, Case, Died, Worker
from kernels import BATCH, Fuzz, make_kernel, options_of

RANDOM = ("moves", "atomics", "odd", "products", "forms", "disable")  # what decides the kernel of a seed


def digest(elem, data, products):
    """Of a buffer in which every NaN is the same, and of products every zero."""
    if is_float(elem) and products and elem in FORMATS:
        minus = 1 << BITS[elem] - 1
        data = pack(elem, [0 if b == minus else b for b in unpack(elem, data)])
    elif is_float(elem):
        data = pack(elem, [0 if is_nan(elem, b) else b for b in unpack(elem, data)]) + pack("i8", [is_nan(elem, b) for b in unpack(elem, data)])
    return hashlib.sha1(data).hexdigest()


def exact(args):
    return args.products or args.forms


def digests(case, buffers, products):
    return {str(i): digest(p.elem, buffers[i], products) for i, p in case.buffers()}


def export(args):
    os.makedirs(args.dir, exist_ok=True)
    kind, index, end = "hsaco" if args.target in AMD else args.nvidia, [], time.time() + args.seconds
    args.amdexec, args.keep = None, None
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(args, folder)
        seed, last = args.seed, args.seed + args.count
        while seed < last and time.time() < end:
            first, seeds = seed, range(seed, min(seed // BATCH * BATCH + BATCH, last))
            seed = seeds[-1] + 1
            options = options_of(first, args)
            cases = [Case(make_kernel(s, args, options), folder) for s in seeds]
            cases = [c for c in cases if not fuzz.cpu(c, options)]
            binary = f"{first}.{kind}"
            good, failures = fuzz.compile(cases, options, args.target, kind, os.path.join(args.dir, binary))
            for f in failures:
                print(f"{f.case.kernel.name}: {f.stage}: {f.message[:200]}")
            kernels = [{"seed": int(c.kernel.name[1:]), "expected": digests(c, c.expected, exact(args))} for c in good]
            index.append({"binary": binary, "kernels": kernels})
            fuzz.clean()
        fuzz.worker.stop()
    with open(os.path.join(args.dir, "index.json"), "w") as f:
        json.dump({"options": {n: getattr(args, n) for n in RANDOM}, "batches": index}, f)
    print(f"{sum(len(b['kernels']) for b in index)} kernels for {args.target}")
    return 0


class Device(Worker):
    """fuzz-launch in place of fuzz-worker: the commands differ in how a kernel is named and launched. The clock of the wall counts:
    who waits for a kernel that never ends may use no processor."""

    def used(self):
        return time.time()

    def load(self, path):
        return self.ask([f"load {path}"])[0]


class Runner:
    """The batches of an index, each launched by a process of its own."""

    def __init__(self, args):
        self.args, self.end = args, time.time() + args.seconds
        with open(os.path.join(args.dir, "index.json")) as f:
            index = json.load(f)
        self.options, self.batches = argparse.Namespace(**index["options"]), index["batches"]

    def launch(self, device, case, binary):
        """The error or None, and the buffers. After an error the device is opened anew: it refuses all else."""
        try:
            error = None if device.process else device.load(binary)
            error, got = (error, {}) if error else case.run(device, f"launch {case.kernel.name}", named=False)
        except Died as e:
            error, got = str(e)[-200:], {}
        if error:
            device.stop()
        return error, got

    def batch(self, batch):
        """How many kernels were launched, and of those that failed: name, message, the buffers that differ."""
        binary, count, failures = os.path.join(os.path.abspath(self.args.dir), batch["binary"]), 0, []
        with tempfile.TemporaryDirectory() as folder:
            device = Device([self.args.launch, self.args.device], folder, timeout=20)
            for kernel in batch["kernels"]:
                if time.time() > self.end:
                    break
                seed = kernel["seed"]
                case = Case(make_kernel(seed, self.options, options_of(seed, self.options)), folder)
                wrong, got = self.launch(device, case, binary)
                digest_of = digests(case, got, exact(self.options)) if got else {}
                differ = [i for i, d in kernel["expected"].items() if digest_of.get(i) != d]
                count += 1
                if wrong or differ:
                    message = wrong or "arguments " + ", ".join(differ) + " differ"
                    failures.append((case.kernel.name, message, {i: got[int(i)] for i in differ if got}))
                for name in os.listdir(folder):
                    if name.startswith(case.kernel.name + "."):
                        os.remove(os.path.join(folder, name))
            device.stop()
        return count, failures

    def keep(self, name, buffers, archive):
        for i, data in buffers.items():
            info = tarfile.TarInfo(f"{name}.{i}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

    def run(self):
        launched = failed = 0
        archive = tarfile.open(self.args.failed, "w:gz") if self.args.failed else None
        with ProcessPoolExecutor(self.args.jobs) as pool:
            for count, failures in pool.map(self.batch, self.batches):
                launched, failed = launched + count, failed + len(failures)
                for name, message, buffers in failures:
                    print(f"FAILURE {name}: {message}", flush=True)
                    if archive and failed < 40:
                        self.keep(name, buffers, archive)
        if archive:
            archive.close()
        print(f"{launched} kernels launched, {failed} failures")
        return 1 if failed else 0


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
    p.add_argument("--products", action="store_true")
    p.add_argument("--forms", action="store_true")
    p.add_argument("--disable", help="features of the chip (default: of products now and then one)")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--failed")
    args = p.parse_args()
    return export(args) if args.what == "export" else Runner(args).run()


if __name__ == "__main__":
    sys.exit(main())
