#!/usr/bin/env python3
"""Compile time beside Triton's, file by file: whole runs of tile-translate against the time inside triton.compile.

    python3 bench/compile_time.py [--triton SITE_PACKAGES] [--emit ptx|cubin] [--runs N] [--csv OUT.csv] [--check] [FILE.ttir ...]

Ours is the whole process: start, parsing, passes, code generation, writing, exit; its peak memory is the system's account.
Triton's is triton.compile alone, of the same file for the same chip with its cache off, after everything is imported and
one kernel has been compiled; its cubin includes ptxas, so that the time to PTX is shown too. Runs alternate. Ratios are
medians of pairs. --check fails unless each file takes at most a third of Triton's time and 200 MB. --clock=cpu takes processor
time, children's (ptxas) included, instead of time on the wall: for machines that others use too. So is --first, which lets
both go before all other processes (SCHED_FIFO; needs root), and shows what runs side by side: ptxas gets ready meanwhile."""
import argparse
import csv
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "test", "data", "ttir", "inductor")
ELEMENTWISE = ("gelu_bias silu_mul gather dropout transpose_add casts quantize int_ops embedding cat_slice where_mask "
               "pow_tanh").split()
WORKER = r"""
import json, os, resource, sys, time
import triton, triton.backends.nvidia.compiler as nvidia
from triton.backends.compiler import GPUTarget
def now():
    if sys.argv[1] == "wall":
        return time.perf_counter()
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
assembling = 0.0
make_cubin = nvidia.CUDABackend.make_cubin
def timed(*arguments, **named):
    global assembling
    start = now()
    result = make_cubin(*arguments, **named)
    assembling += now() - start
    return result
nvidia.CUDABackend.make_cubin = timed
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
print(json.dumps({"version": triton.__version__}), file=out, flush=True)
for line in sys.stdin:
    job = json.loads(line)
    target, assembling, start = GPUTarget("cuda", job["capability"], 32), 0.0, now()
    try:
        triton.compile(job["file"], target=target, options={"num_warps": job["warps"]})
        ms = 1e3 * (now() - start)
        print(json.dumps({"ms": ms, "ptx_ms": ms - 1e3 * assembling}), file=out, flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), file=out, flush=True)
"""


class Triton:
    """A process that has Triton imported and compiles on request."""

    def __init__(self, packages, cache, clock):
        # Without the cache folder's help and with nothing found in it.
        environment = {**os.environ, "TRITON_ALWAYS_COMPILE": "1", "TRITON_CACHE_DIR": cache}
        if packages:
            environment["PYTHONPATH"] = packages
        self.process = subprocess.Popen([sys.executable, "-c", WORKER, clock], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("compile_time: Triton cannot be imported; --triton=FOLDER names the site-packages that has it")
        self.version = json.loads(line)["version"]

    def compile(self, file, warps, capability):
        job = {"file": file, "warps": warps, "capability": capability}
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            sys.exit(f"compile_time: Triton refuses {file}: {answer['error']}")
        return answer


def translate(options, file, warps):
    """Milliseconds and peak megabytes of one run."""
    command = [options.tool, f"--target={options.chip}", f"--emit={options.emit}", f"--num-warps={warps}", file, "-o", os.devnull]
    start = time.perf_counter()
    process = os.posix_spawn(options.tool, command, os.environ)
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start if options.clock == "wall" else usage.ru_utime + usage.ru_stime
    if status:
        sys.exit(f"compile_time: '{' '.join(command)}' failed")
    return 1e3 * seconds, usage.ru_maxrss / 1024


def warps_of(files):
    """The warps each file was made for, from num_warps.txt beside it; 4 if it is not listed."""
    listed = {}
    for folder in {os.path.dirname(file) for file in files}:
        path = os.path.join(folder, "num_warps.txt")
        if os.path.exists(path):
            for line in open(path, encoding="utf-8"):
                name, _, warps = line.strip().partition(" num_warps=")
                listed[os.path.join(folder, name)] = int(warps)
    return {file: listed.get(file, 4) for file in files}


def measure(options, triton, files):
    """For each file, lists of equal length: ours, mb, triton, triton_ptx."""
    warps, results = warps_of(files), {file: {"ours": [], "mb": [], "triton": [], "triton_ptx": []} for file in files}
    triton.compile(files[0], warps[files[0]], options.capability)
    for _ in range(options.runs):
        for file in files:
            ms, mb = translate(options, file, warps[file])
            theirs = triton.compile(file, warps[file], options.capability)
            for key, value in (("ours", ms), ("mb", mb), ("triton", theirs["ms"]), ("triton_ptx", theirs["ptx_ms"])):
                results[file][key].append(value)
    return results


def ratio(result):
    return statistics.median(a / b for a, b in zip(result["ours"], result["triton"]))


def report(results):
    print(f"{'':24}{'ours':>9}{'Triton':>9}{'to PTX':>9}{'ratio':>8}{'peak':>9}")
    for file, r in results.items():
        ours, triton, ptx = (statistics.median(r[key]) for key in ("ours", "triton", "triton_ptx"))
        print(f"{os.path.basename(file):24}{ours:6.1f} ms{triton:6.1f} ms{ptx:6.1f} ms{ratio(r):8.3f}{max(r['mb']):6.0f} MB")


def machine():
    """Model and number of processors."""
    model = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        for line in open("/proc/cpuinfo", encoding="utf-8"):
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
    return f"{model}, {os.cpu_count()} processors"


def write_csv(path, results, version, options):
    date, where = datetime.date.today().isoformat(), machine()
    describe = ["git", "-C", ROOT, "describe", "--always", "--dirty"]
    ours = subprocess.run(describe, capture_output=True, text=True).stdout.strip() or "unknown"
    columns = (("ours", "tile " + ours, "whole process to " + options.emit), ("triton", "triton " + version, "compile to cubin"),
               ("triton_ptx", "triton " + version, "compile to ptx"))
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["date", "machine", "chip", "version", "measured", "file", "runs", "statistic", "value", "unit"])
        for name, r in results.items():
            for key, tool, what in columns:
                for statistic in (min, statistics.median, max):
                    out.writerow([date, where, options.chip, tool, what, os.path.basename(name), len(r[key]),
                                  statistic.__name__, f"{statistic(r[key]):.2f}", options.clock + " ms"])
            out.writerow([date, where, options.chip, columns[0][1], "peak memory", os.path.basename(name), len(r["mb"]),
                          "max", f"{max(r['mb']):.1f}", "MB"])


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="default: vector add and the element-wise files of test/data/ttir/inductor")
    parser.add_argument("--triton", metavar="FOLDER", help="site-packages with Triton; default: where python3 finds it")
    parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "tile-translate"))
    parser.add_argument("--chip", default="sm_90")
    parser.add_argument("--emit", choices=("ptx", "cubin"), default="ptx", help="what ours writes")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--first", action="store_true", help="before all other processes")
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    options.capability = int("".join(c for c in options.chip if c.isdigit()))
    options.tool = os.path.abspath(options.tool)
    return options


def main():
    options = parse()
    files = [os.path.abspath(file) for file in options.files] or (
        [os.path.join(ROOT, "test", "data", "kernels", "vector_add.ttir")] +
        [os.path.join(FOLDER, name + ".ttir") for name in ELEMENTWISE])
    if options.first:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    with tempfile.TemporaryDirectory() as cache:
        triton = Triton(options.triton, cache, options.clock)
        results = measure(options, triton, files)
        triton.process.stdin.close()
        triton.process.wait()
    print(f"{machine()}; {options.chip}, to {options.emit}, {options.clock} time; Triton {triton.version}; medians of {options.runs} alternating runs")
    report(results)
    if options.csv:
        write_csv(options.csv, results, triton.version, options)
    slow = [file for file, r in results.items() if ratio(r) > 1 / 3 or max(r["mb"]) > 200]
    if options.check and slow:
        sys.exit("compile_time: more than a third of Triton's time, or 200 MB: " + ", ".join(map(os.path.basename, slow)))


main()
