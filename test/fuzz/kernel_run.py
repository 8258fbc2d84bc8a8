"""kernel_run.py - executes kernels: on the cpu device through fuzz-worker, and AMD code objects through amdexec."""
import contextlib
import io
import os
import pickle
import select
import signal
import subprocess
import sys
import time

from kernel_data import from_npy, npy, random_array, scalar_text
from kernel_ir import is_float

AMD = {"gfx90a": 64, "gfx942": 64, "gfx950": 64, "gfx1100": 32, "gfx1201": 32}
NVIDIA = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100a", "sm_120")


class Died(Exception):
    """The worker ended or hangs: what it said last."""


class Worker:
    """A fuzz-worker process; `program` is its path or its command. After Died the next command starts another one."""

    def __init__(self, program, folder, timeout=60):
        self.program, self.folder, self.timeout, self.process = program, folder, timeout, None

    def start(self):
        self.log = open(os.path.join(self.folder, "worker.log"), "w+")
        pipe = subprocess.PIPE
        self.pending = b""
        self.process = subprocess.Popen(self.program, stdin=pipe, stdout=pipe, stderr=self.log)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ask(self, lines):
        """Sends commands; the answers, None for each "ok", else the message."""
        if not self.process:
            self.start()
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())
            self.process.stdin.flush()
        except OSError:
            pass
        return [self.answer() for _ in lines]

    def answer(self):
        """The next line of the worker."""
        pipe, end = self.process.stdout.fileno(), self.used() + self.timeout
        while b"\n" not in self.pending:
            if not select.select([pipe], [], [], 5)[0]:
                if self.used() < end:  # the machine may be busy
                    continue
                self.stop()
                raise Died(f"no answer within {self.timeout} s")
            data = os.read(pipe, 65536)
            if not data:
                raise Died(self.last_words())
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        text = line.decode(errors="replace").strip()
        return None if text == "ok" else text.removeprefix("error ")

    def used(self):
        """Seconds of processor time that the worker has used."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as f:
                fields = f.read().rsplit(")", 1)[1].split()
        except OSError:
            return time.time()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def last_words(self):
        status, self.process = self.process.wait(), None
        self.log.seek(0)
        return f"ended with status {status}: " + self.log.read()[-3000:]


class Case:
    """A kernel with its files in a folder: text, inputs and outputs."""

    def __init__(self, kernel, folder):
        self.kernel, self.base = kernel, os.path.join(folder, kernel.name)
        self.write("mlir", kernel.text().encode())
        self.inputs = {i: random_array(p.seed, p.elem, p.count, p.whole) for i, p in self.buffers()}
        self.expected = {}

    def buffers(self):
        return [(i, p) for i, p in enumerate(self.kernel.params) if p.count is not None]

    def outputs(self):
        return [(i, p) for i, p in self.buffers() if p.written]

    def write(self, suffix, data):
        with open(f"{self.base}.{suffix}", "wb") as f:
            f.write(data)

    def read(self, suffix):
        with open(f"{self.base}.{suffix}", "rb") as f:
            return f.read()

    def run(self, worker, device, named=True):
        """Executes on "cpu", "sim CHIP" or "launch KERNEL": the error or None, and the buffers afterwards."""
        tag = device.replace(" ", "-")
        lines = [f"set file {self.base}.mlir", "set kernel -"] if named else []
        for i, p in enumerate(self.kernel.params):
            if p.count is None:
                kind = "float" if is_float(p.elem) else "int"
                lines.append(f"arg {kind} {p.elem} {scalar_text(p.elem, p.number)}")
            else:
                path = f"{self.base}.in{i}"
                if not os.path.exists(path):
                    self.write(f"in{i}", self.inputs[i])
                shift = f" {p.shift}" if p.shift and device.startswith("launch") else ""
                lines.append(f"arg buf {p.elem} {p.count} {path} {self.base}.{tag}{i}{shift}")
        error = worker.ask(lines + [f"{device} " + " ".join(map(str, self.kernel.grid))])[-1]
        return error, {} if error else {i: self.read(f"{tag}{i}") for i, _ in self.buffers()}

    def cpu(self, worker):
        """Fills `expected`; the error, or None."""
        error, self.expected = self.run(worker, "cpu")
        return error

    def amdexec(self, chip, order, hsaco):
        """The arguments of amdexec."""
        args = [hsaco, f"--kernel={self.kernel.name}", "--grid=" + ",".join(map(str, self.kernel.grid))]
        args += [f"--threads={AMD[chip] * self.kernel.warps}", f"--order={order}"]
        for i, p in enumerate(self.kernel.params):
            if p.count is None:
                args.append(f"--arg={p.elem}={scalar_text(p.elem, p.number)}")
                continue
            path = f"{self.base}.in{i}.npy"
            if not os.path.exists(path):
                self.write(f"in{i}.npy", npy(p.elem, self.inputs[i]))
            args.append(f"--arg={p.elem}[{p.count}]=file:{path}")
        return args + [f"--out={i}:{self.base}.{chip}.{order}.{i}.npy" for i, _ in self.buffers()]

    def result(self, chip, order):
        """The buffers that amdexec wrote."""
        return {i: from_npy(p.elem, self.read(f"{chip}.{order}.{i}.npy")) for i, p in self.buffers()}


class AmdExec:
    """Runs an amdexec program in a forked child: a Python script is compiled once and executed in place."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as f:
            source = f.read()
        self.code = compile(source, path, "exec") if source.startswith(b"#!") and b"python" in source[:40] else None
        try:
            import numpy  # once, before the forks
        except ImportError:  # the program's own interpreter may have it
            self.code = None

    def in_place(self, args):
        sys.argv, error = [self.path] + args, io.StringIO()
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(error):
                exec(self.code, {"__name__": "__main__", "__file__": self.path})
            return 0, ""
        except SystemExit as e:
            return (e.code, error.getvalue()) if isinstance(e.code, int) else (1, str(e.code or ""))
        except Exception as e:
            return 1, f"{type(e).__name__}: {e}"

    def one(self, args):
        if self.code:
            return self.in_place(args)
        done = subprocess.run([self.path] + args, capture_output=True, text=True)
        return done.returncode, done.stderr

    def run(self, jobs, timeout=60):
        """(status, message) of each job; a job at which the child dies gets the signal as its message."""
        results = []
        while len(results) < len(jobs):
            results += self.child(jobs[len(results) :], timeout)
        return results

    def child(self, jobs, timeout):
        read, write = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(read)
            with os.fdopen(write, "wb") as out:
                for job in jobs:
                    signal.alarm(timeout)
                    pickle.dump(self.one(job), out)
                    out.flush()
            os._exit(0)
        os.close(write)
        results = []
        with os.fdopen(read, "rb") as inp, contextlib.suppress(EOFError, pickle.UnpicklingError):
            while True:
                results.append(pickle.load(inp))
        status = os.waitpid(pid, 0)[1]
        if len(results) < len(jobs):
            results.append((1, f"amdexec ended by signal {status & 127}"))
        return results
