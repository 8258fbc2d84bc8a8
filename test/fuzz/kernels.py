#!/usr/bin/env python3
"""kernels.py [options] - random kernels: what the cpu device computes against what the compiled code computes.

  --worker=PATH      the fuzz-worker program
  --seed=N           first seed (default 1); kernel i of a run has seed N + i
  --count=M          kernels (default 100), or until --seconds have passed
  --seconds=S        stop after S seconds
  --amdexec=PATH     executes AMD code objects (default: $TILE_AMDEXEC); without it code is compiled only
  --chips=A,B        AMD chips to execute on (default: of all)
  --orders=0,1,2     wave orders; the first on every chip, the others on one chip a batch (default: 0,1,2)
  --sample=N         AMD, NVIDIA and simulated chips a batch (default: 2)
  --all              every order on every chip, PTX for every NVIDIA chip, all ptxas
  --ptxas            also assembles PTX of one chip a batch
  --sm=A,B           NVIDIA chips (default: of all)
  --sim=A,B          chips that are simulated (default: of all; none: --sim=)
  --moves=P          how often an operation moves elements between threads (default: 0.03)
  --atomics=P        how often an operation is an atomic (default: 0.01)
  --products         kernels of matrix products instead
  --forms            products as programs write them instead, with loops along K
  --odd=P            how often sizes are no powers of two (default: 0.15)
  --keep=DIR         failing kernels go here (default: fuzz-failures)
  --no-reduce        report failures as generated
  --show             print the kernel of --seed and stop
Exit status: 0 all agree, 1 failures. Needs Python's own library; amdexec may need more.
"""
import argparse
import collections
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time

from kernel_data import MEMORY, differences, subnormal_neighbours, unpack
from kernel_forms import generate_form
from kernel_gen import Options, generate
from kernel_products import ProductGenerator
from kernel_reduce import reduce_kernel
from kernel_run import AMD, NVIDIA, AmdExec, Case, Died, Worker

BATCH = 12
# What amdexec executes wrongly: operand selection of additions with carry, loads of 16 bits that keep the other half,
# medians of f16 with NaN, products of WMMA with factors that are negated. The median of zeros is either zero
# (docs/spec/numerics.md). Quotients below the normal numbers it rounds a second time, when v_div_fmas scales them.
MISJUDGED = re.compile(
    r"v_(add|sub|subrev|addc|subb|subbrev)(_co)?_u32_sdwa|ds_(read|load)_[ui]16_d16|v_med3(_num)?_f(16|32)"
    r"|v_wmma_.*f16 .*neg_(lo|hi):\[(1|0,1)"
)
SCALED = re.compile(r"v_div_fmas_f(32|64)")
UNKNOWN = re.compile("unimplemented instruction|buffer load to LDS")
REFUSED = ("not supported yet",)


def options_of(seed, args):
    """Seeds of one batch share the options."""
    rng = random.Random(f"options {seed // BATCH}")
    warps, precise, fma = rng.choice((1, 2, 4, 4, 8)), rng.random() < 0.7, rng.random() < 0.8
    options = Options(warps, precise, fma, args.moves, args.atomics, args.odd)
    if args.products:
        options.stages = rng.choice((1, 2, 3, 3, 4))
        options.disable = rng.choice(("-",) * 4 + ("tma", "wgmma", "ldmatrix", "cp-async", "buffer-ops", "lds-dma", "ds-read-tr", "tma-pointers"))
    if args.forms:
        options.warps, options.stages = rng.choice((4, 4, 8, 8, 8, 16)), rng.choice((0, 1, 2, 3, 3, 4, 5))
        options.disable = rng.choice(("-",) * 10 + ("tma", "wgmma", "tma-pointers"))
    if args.products or args.forms:
        options.disable = getattr(args, "disable", None) or options.disable
    return options


def make_kernel(seed, args, options):
    if args.products:
        return ProductGenerator(seed, f"k{seed}", options).generate()
    if args.forms:
        return generate_form(seed, f"k{seed}", options)
    return generate(seed, f"k{seed}", options)


class Failure:
    """What went wrong with one kernel: the stage and chip, and a message."""

    def __init__(self, case, stage, chip, message):
        self.case, self.stage, self.chip, self.message = case, stage, chip, message

    def same(self, other):
        return other and (self.stage, self.chip) == (other.stage, other.chip)


class Fuzz:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.worker = Worker(args.worker, folder)
        self.amdexec = AmdExec(args.amdexec) if args.amdexec else None
        self.counts, self.refusals = collections.Counter(), collections.Counter()
        self.unknown = collections.Counter()  # instructions that amdexec does not know

    # One configuration of one batch.

    def settings(self, options):
        more = [f"set stages {options.stages}", f"set disable {options.disable}"]
        return more + [f"set warps {options.warps}", f"set precise {int(options.precise)}", f"set fma {int(options.fma)}"]

    def ask(self, case, stage, chip, make):
        """make() or the failure that it ends with."""
        try:
            error = make()
        except Died as e:
            return Failure(case, stage, chip, "crash: " + str(e))
        if error is None:
            return None
        if stage in ("compile", "simulate") and any(r in error for r in REFUSED):
            self.refusals[error.split(": ", 1)[-1].split(" | ")[0][-90:]] += 1
            return Failure(case, "refused", chip, error)
        return Failure(case, stage, chip, error)

    def cpu(self, case, options):
        def make():
            self.worker.ask(self.settings(options))
            return case.cpu(self.worker)

        return self.ask(case, "cpu", "cpu", make)

    def compile(self, cases, options, chip, kind, out):
        """Cases that compile, and failures. All in one module; those that diagnostics name are taken out."""
        cases, failures = list(cases), []
        while cases:
            found = self.ask(cases[0], "compile", chip, lambda: self.compile_module(cases, options, chip, kind, out))
            if not found:
                break
            if len(cases) > 1:
                found = self.culprit(cases, found, options, chip, kind, out)
            cases.remove(found.case)
            failures.append(found)
        return cases, failures

    def compile_module(self, cases, options, chip, kind, out):
        path = os.path.join(self.folder, "batch.mlir")
        with open(path, "w") as f:
            f.write("".join(c.kernel.text() for c in cases))
        lines = self.settings(options) + [f"set file {path}", "set kernel -", f"compile {chip} {kind} {out}"]
        return self.worker.ask(lines)[-1]

    def culprit(self, cases, found, options, chip, kind, out):
        """The failure of the kernel that a module's diagnostic or crash comes from."""
        where = re.search(r"batch\.mlir:(\d+):", found.message)
        end = 0
        for c in cases if where else ():
            end += c.kernel.text().count("\n")
            if int(where[1]) <= end:
                return Failure(c, found.stage, chip, found.message)
        for c in cases:
            alone = self.ask(c, "compile", chip, lambda: self.compile_module([c], options, chip, kind, out))
            if alone:
                return alone
        return Failure(cases[0], "compile", chip, "fails only in a module with others: " + found.message)

    def execute(self, cases, chip, orders, hsaco):
        jobs = [(c, o) for c in cases for o in orders]
        results = self.amdexec.run([c.amdexec(chip, o, hsaco) for c, o in jobs])
        failures = {}
        for (case, order), (status, message) in zip(jobs, results):
            if status and UNKNOWN.search(message):
                self.unknown[message.split("`")[-2].split()[0]] += 1
                continue
            self.counts["executions"] += 1
            got = None if status else case.result(chip, order)
            wrong = message.strip()[-300:] if status else self.compare(case, chip, got)
            if wrong and case not in failures and not self.misjudged(case, chip, got):
                failures[case] = Failure(case, "execute" if status else "differs", chip, f"order {order}: {wrong}")
        return list(failures.values())

    def misjudged(self, case, chip, got):
        """Whether the code has instructions that amdexec executes wrongly, with such a result."""
        path = os.path.join(self.folder, "judge.s")
        self.worker.ask([f"set file {case.base}.mlir", "set kernel -", f"compile {chip} amdgcn {path}"])
        with open(path) as f:
            text = f.read()
        found = MISJUDGED.search(text)
        if not found and got and all(subnormal_neighbours(p.elem, got[i], case.expected[i]) for i, p in case.buffers()):
            found = SCALED.search(text)
        if found:
            self.unknown[found[0]] += 1
        return found

    def compare(self, case, chip, got):
        """What differs from the cpu device, or None."""
        for i, p in case.buffers():
            at = differences(p.elem, got[i], case.expected[i], self.args.products or self.args.forms)
            if at:
                code = lambda data: f"0x{unpack(p.elem, data)[at[0]]:X}"
                of = f"argument {i} {p.elem}[{p.count}]: {len(at)} differ, [{at[0]}]"
                return f"{of} is {code(got[i])}, cpu {code(case.expected[i])}"
        return None

    def simulate(self, cases, options, chip):
        """The failures of cases on a simulated chip."""
        failures = []
        for case in cases:
            def make():
                self.worker.ask(self.settings(options))
                error, got = case.run(self.worker, f"sim {chip}")
                return error or self.compare(case, chip, got)

            found = self.ask(case, "simulate", chip, make)
            self.counts["simulations"] += 1
            failures += [found] if found else []
        return failures

    # Batches.

    def amd(self, cases, options, chip, orders):
        hsaco = os.path.join(self.folder, f"{chip}.hsaco")
        good, failures = self.compile(cases, options, chip, "hsaco", hsaco)
        if good and self.amdexec:
            failures += self.execute(good, chip, orders, hsaco)
        return failures

    def plan(self, rng):
        """(chip, kind or orders or "sim") of one batch."""
        a = self.args
        amd, sm, sim = [c if a.all else rng.sample(c, min(a.sample, len(c))) for c in (a.chips, a.sm, a.sim)]
        steps = [(c, a.orders if a.all or c == amd[0] else a.orders[:1]) for c in amd]
        steps += [(c, "sim") for c in sim]
        return steps + [(c, "cubin" if a.ptxas and (a.all or c == sm[0]) else "ptx") for c in sm]

    def batch(self, seeds):
        rng = random.Random(seeds[0])
        options = options_of(seeds[0], self.args)
        return self.run_cases([Case(make_kernel(s, self.args, options), self.folder) for s in seeds], options, self.plan(rng))

    def run_cases(self, cases, options, plan):
        """The failures of some kernels on the configurations of a plan, at most one a kernel and chip."""
        found = [self.cpu(c, options) for c in cases]
        failures = [f for f in found if f]
        cases = [c for c, f in zip(cases, found) if not f]
        for chip, how in plan if cases else ():
            self.counts["compilations"] += len(cases)
            if how == "sim":
                new = self.simulate(cases, options, chip)
            elif chip in AMD:
                new = self.amd(cases, options, chip, how)
            else:
                new = self.compile(cases, options, chip, how, "-")[1]
            refused = [f.case for f in new if f.stage == "refused"]  # once is enough
            cases, failures = [c for c in cases if c not in refused], failures + new
        return [f for f in failures if f.stage != "refused"], options

    # Failures.

    def again(self, failure, options):
        """A function that says whether a changed kernel still fails in the same way."""
        def fails(kernel):
            for name in os.listdir(self.folder):
                if name.startswith(kernel.name + "."):
                    os.remove(os.path.join(self.folder, name))
            how = "sim" if failure.stage == "simulate" else self.args.orders if failure.chip in AMD else "ptx"
            plan = [] if failure.chip == "cpu" else [(failure.chip, how)]
            found = self.run_cases([Case(kernel, self.folder)], options, plan)[0]
            return any(failure.same(f) and ("crash" in f.message) == ("crash" in failure.message) for f in found)

        return fails

    def report(self, failure, options):
        kernel = failure.case.kernel
        print(f"\nFAILURE {kernel.name} on {failure.chip}: {failure.stage}: {failure.message}", flush=True)
        if not self.args.no_reduce and not self.args.forms:
            kernel = reduce_kernel(kernel, self.again(failure, options), self.args.reduce_seconds)
        header = f"// {kernel.name}: {failure.stage} on {failure.chip}: {failure.message.splitlines()[0]}\n"
        header += f"// warps {options.warps}, precise {options.precise}, fma {options.fma}, stages {options.stages}, disable {options.disable}, grid {kernel.grid}\n"
        os.makedirs(self.args.keep, exist_ok=True)
        with open(os.path.join(self.args.keep, f"{kernel.name}-{failure.chip}.mlir"), "w") as f:
            f.write(header + kernel.text())
        print(header + kernel.text(), flush=True)

    def run(self):
        start, failed = time.time(), []
        try:
            self.batches(start, failed)
        except KeyboardInterrupt:
            print("stopped")
        self.worker.stop()
        self.summary(time.time() - start, len(failed))
        return 1 if failed else 0

    def batches(self, start, failed):
        """Batch after batch until the count or the time is used up; extends `failed`."""
        seed, end = self.args.seed, self.args.seed + self.args.count
        while seed < end and time.time() - start < self.args.seconds:
            seeds = range(seed, min(seed // BATCH * BATCH + BATCH, end))
            failures, options = self.batch(seeds)
            self.counts["kernels"] += len(seeds)
            known = set()
            for f in failures:
                if f.case not in known and len(failed) < self.args.max_failures:
                    self.report(f, options)
                known.add(f.case)
            failed += known
            seed = seeds[-1] + 1
            self.clean()

    def clean(self):
        for name in os.listdir(self.folder):
            if name != "worker.log":
                os.remove(os.path.join(self.folder, name))

    def summary(self, seconds, failed):
        c = self.counts
        print(f"{c['kernels']} kernels, {c['compilations']} compilations, {c['executions']} executions by amdexec, "
              f"{c['simulations']} simulations, {sum(self.refusals.values())} refusals, {failed} failures in {seconds:.0f} s")
        for message, n in self.refusals.most_common(8):
            print(f"  refused {n} times: ...{message}")
        if self.unknown:
            print("  not executed: " + ", ".join(f"{i} {n}" for i, n in self.unknown.most_common()))


def arguments():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--worker", default="build/bin/fuzz-worker")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=None)
    p.add_argument("--seconds", type=float, default=None)
    p.add_argument("--amdexec", default=os.environ.get("TILE_AMDEXEC"))
    p.add_argument("--chips", type=lambda s: s.split(",") if s else [], default=list(AMD))
    p.add_argument("--sm", type=lambda s: s.split(",") if s else [], default=list(NVIDIA))
    p.add_argument("--sim", type=lambda s: s.split(",") if s else [], default=list(AMD) + list(NVIDIA))
    p.add_argument("--orders", type=lambda s: [int(o) for o in s.split(",")], default=[0, 1, 2])
    p.add_argument("--sample", type=int, default=2)
    p.add_argument("--moves", type=float, default=0.03)
    p.add_argument("--atomics", type=float, default=0.01)
    p.add_argument("--odd", type=float, default=0.15)
    p.add_argument("--keep", default="fuzz-failures")
    p.add_argument("--max-failures", type=int, default=20)
    p.add_argument("--reduce-seconds", type=float, default=60)
    for flag in ("--all", "--ptxas", "--no-reduce", "--show", "--products", "--forms"):
        p.add_argument(flag, action="store_true")
    args = p.parse_args()
    args.count = args.count or (100 if args.seconds is None else 1 << 40)
    args.seconds = args.seconds or 1e9
    return args


def main():
    args = arguments()
    if args.show:
        print(make_kernel(args.seed, args, options_of(args.seed, args)).text())
        return 0
    folder = tempfile.mkdtemp(prefix="tile-fuzz-")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return Fuzz(args, folder).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
