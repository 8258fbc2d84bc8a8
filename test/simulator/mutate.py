#!/usr/bin/env python3
"""mutate.py [options] CASE... - changes one thing at a time in lowered kernels, and simulates what is left.

  --tile-run=PATH --tile-translate=PATH --tile-opt=PATH
  --chips=A,B       default: those of each text, else sm_80,sm_90a,gfx942,gfx1100
  --kinds=A,B       sync, masks, buffers (default: all)
  --jobs=N          simulations at a time (default 2)
  --list=FILE       what is known to be harmless or always true, below lines `# why`: a mutant that is and is not listed there is an
                    error, as are a line too many and one without a cause
  --write           write FILE anew, with the causes known so far
  --verbose         print what becomes of each mutant

sync: each barrier, fence, wait and commit is left out, each wait covers a group fewer. masks: each is taken as true; of the
registers that one line of the source became, the first, the last and one between. buffers: each choice of a buffer is another one,
each phase the other one, each count of bytes another one.

A mutant is *reported* if the simulator stops it with a message. Otherwise it runs with eight --shuffle seeds: if every result is
that of the whole kernel, it is *harmless*, a missed optimisation. Mutants of masks and buffers may give *another result*. A mask
that shows nothing as it was true for these arguments gets others, of which one whole number is smaller; *always true* is what is true
for all of them. For anything but masks and buffers a result that differs with no message is a fault of the simulator. CASE: NAME.json, with NAME.ttir and NAME.npz, as run_kernels.py wants them, or the name of one of TEXTS.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "numeric"))
sys.path.insert(0, HERE)
import mutate_texts  # noqa: E402
import run_kernels  # noqa: E402

CHIPS = ["sm_80", "sm_90a", "gfx942", "gfx1100"]
SEEDS = range(1, 9)
UNKNOWN = "not known"
LOCATION = re.compile(r" loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
KINDS = {"sync": mutate_texts.sync, "masks": mutate_texts.masks, "buffers": mutate_texts.buffers}
MLIR = {"fp8e4nv": "f8E4M3FN", "fp8e5": "f8E5M2"}


def desc(element, rows, columns, init):
    """A descriptor's parameters as the lowered kernel has them."""
    return [f"{element}[{rows * columns}]={init}", f"i32={rows}", f"i32={columns}", f"i64={columns}", "i64=1"]


def row(element, n, init):
    """The same of one dimension."""
    return [f"{element}[{n}]={init}", f"i32={n}", "i64=1"]


def matmul(m, n, k, b="NK"):
    shape = (n, k) if b == "NK" else (k, n)
    return desc("f16", m, k, "randn:1") + desc("f16", *shape, "randn:2") + desc("f16", m, -(-n // 8) * 8, "zeros") + [f"i32={m}", f"i32={n}", f"i32={k}"]


# Name: source, options of tile-translate, grid, arguments, numbers of the results, chips.
EXAMPLES = os.path.join(HERE, "..", "..", "examples")
PIPELINED = ["sm_80", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]
TEXTS = {
    "matmul_hopper": ("matmul.mlir", ["--num-warps=8", "-DBM=128", "-DBN=128", "-DBK=64"], "1", matmul(200, 90, 264), [10], ["sm_90a"]),
    "matmul_pipeline": ("matmul.mlir", ["--num-warps=4", "--num-stages=3", "-DBM=64", "-DBN=64", "-DBK=32"], "1", matmul(70, 10, 152), [10],
                        PIPELINED),
    "attention_hopper": ("attention_descriptors.mlir", ["--num-warps=8", "-DD=64", "-DBM=128", "-DBN=64"], "1",
                         [a for s in (1, 2, 3) for a in desc("f16", 384, 64, f"randn:{s}")] + desc("f16", 384, 64, "zeros") + ["f32=0.125", "i32=384", "i32=1"],
                         [15], ["sm_90a"]),
    "attention_three": ("attention_descriptors.mlir", ["--num-warps=12", "--num-stages=2", "-DD=64", "-DBM=192", "-DBN=128"], "1",
                        [a for s in (1, 2, 3) for a in desc("f16", 390, 64, f"randn:{s}")] + desc("f16", 390, 64, "zeros") + ["f32=0.125", "i32=390", "i32=1"],
                        [15], ["sm_90a"]),
    "attention_causal": ("attention_descriptors.mlir", ["--num-warps=4", "--num-stages=2", "-DD=64", "-DBM=64", "-DBN=64", "-DCAUSAL=1"], "1",
                         [a for s in (1, 2, 3) for a in desc("f16", 134, 64, f"randn:{s}")] + desc("f16", 134, 64, "zeros") + ["f32=0.125", "i32=134", "i32=1"],
                         [15], PIPELINED),
    "attention_backward": ("attention_backward_descriptors.mlir", ["--kernel=attention_backward", "--num-warps=8", "--num-stages=2", "-DD=64", "-DBM=128"],
                           "1", [a for s in (1, 2, 3, 4) for a in desc("f16", 272, 64, f"randn:{s}")] + row("f32", 272, "fill:-8") +
                           row("f32", 272, "randn:5") + ["f32[24576]=zeros", "f16[17408]=zeros", "f16[17408]=zeros", "f32=0.125", "i32=272", "i32[1]=zeros"],
                           [26, 27, 28], ["sm_90a"]),
}


class Case:
    """One kernel with its arguments: `arguments` and the numbers of those that are results."""

    def __init__(self, name, options, folder):
        self.options, self.folder, self.name = options, folder, os.path.basename(name).replace(".json", "")
        if name in TEXTS:
            source, self.translate, self.grid, self.arguments, self.outputs, self.chips = TEXTS[name]
            self.source, self.kernel = os.path.join(EXAMPLES, source), None
            self.elements = {k: a.split("[")[0] for k, a in enumerate(self.arguments) if "[" in a}
        else:
            self.from_json(name)

    def from_json(self, path):
        with open(path) as f:
            kernel = json.load(f)
        self.source, self.kernel, self.chips = path[:-len(".json")] + ".ttir", kernel["name"], None
        self.translate = [f"--num-warps={kernel['num_warps']}", f"--num-stages={kernel['num_stages']}"]
        self.grid, self.arguments, self.outputs, self.elements = ",".join(map(str, kernel["grid"])), [], [], {}
        arrays = zipfile.ZipFile(path[:-len(".json")] + ".npz")
        for k, parameter in enumerate(kernel["params"]):
            data, element = arrays.read(f"arg{parameter['arg']}.npy"), run_kernels.element_of(parameter)
            if parameter["type"].startswith("!tt.ptr<"):
                name = os.path.join(self.folder, f"arg{k}.npy")
                with open(name, "wb") as f:
                    f.write(data)
                self.arguments.append(f"{element}[]=file:{name}")
                self.elements[k] = element
            else:
                self.arguments.append(f"{element}={run_kernels.read_npy(data)[2][0]}")
            if parameter["arg"] in kernel["outs"]:
                self.outputs.append(k)
        if not self.outputs:
            sys.exit(f"{path}: no result is known")

    def emit(self, chip, kind):
        """Text of the kernel, None if it cannot be compiled for the chip."""
        command = [self.options["tile-translate"], f"--target={chip}", f"--emit={kind}", *self.translate, self.source]
        done = subprocess.run(command + (["-g"] if kind == "llvm-dialect" else []), capture_output=True, text=True)
        return None if done.returncode else done.stdout

    def lower(self, chip, text):
        """From tile_gpu; None if it is refused."""
        to = "--convert-tile-gpu-to-" + ("rocdl" if chip.startswith("gfx") else "nvvm")
        done = subprocess.run([self.options["tile-opt"], to, "-"], input=text, capture_output=True, text=True)
        return None if done.returncode else done.stdout

    def typed(self, text):
        """Lowered pointers point to nothing; the command line wants to know. Locations of the source are left out."""
        text = LOCATION.sub("", re.sub(r"^#loc.*$", "", text, flags=re.M))
        for k, element in self.elements.items():
            text = re.sub(rf"(%arg{k}: !llvm\.ptr<1>)(?: {{[^}}]*}})?", rf"\1 {{tile.element = {MLIR.get(element, element)}}}", text, count=1)
        return text

    def smaller(self):
        """The arguments with one whole number less: by one, or 16 if what divides it may have been promised."""
        for k, argument in enumerate(self.arguments):
            number = re.fullmatch(r"(i\d+)=(\d+)", argument)
            if number and int(number[2]) > 1:
                n = int(number[2])
                yield self.arguments[:k] + [f"{number[1]}={n - 16 if n % 16 == 0 and n > 16 else n - 1}"] + self.arguments[k + 1:]

    def run(self, text, chip, seed=None, arguments=None):
        """(message or None, bytes of all results, lanes that accessed memory)."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            path = os.path.join(folder, "mutant.mlir")
            with open(path, "w") as f:
                f.write(self.typed(text))
            command = [self.options["tile-run"], path, "--device=sim", f"--target={chip}", "--max-steps=5000000", f"--grid={self.grid}"]
            command += [f"--kernel={self.kernel}"] if self.kernel else []
            command += [f"--shuffle={seed}"] if seed else ["--stats=json"]
            command += [f"--arg={a}" for a in arguments or self.arguments] + [f"--out={k}:{folder}/out{k}.npy" for k in self.outputs]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                return done.stderr.strip().split("\n")[0] or "?", None, 0
            stats = {} if seed else json.loads(done.stdout[done.stdout.index("{"):])
            lanes = sum(stats[k]["lanes"] for k in stats if k.endswith(("_load", "_store")))
            return None, [open(f"{folder}/out{k}.npy", "rb").read() for k in self.outputs], lanes


def with_smaller(case, chip, text, whole):
    """What becomes of a mask that is true for the arguments, with others."""
    for k, arguments in enumerate(case.smaller()):
        if ("smaller", k) not in whole:
            whole["smaller", k] = case.run(whole["text"], chip, None, arguments)
        if whole["smaller", k][0]:
            continue
        message, outputs, _ = case.run(text, chip, None, arguments)
        if message or outputs != whole["smaller", k][1]:
            return "reported" if message else "another result"
    return "always true"


def judge(case, chip, kind, text, whole):
    """reported, harmless, another result, always true or MISSED."""
    if kind == "buffers":
        text = case.lower(chip, text)
        if text is None:
            return "reported"
    for seed in [None, *SEEDS]:
        message, outputs, lanes = case.run(text, chip, seed)
        if message:
            return "reported"
        if kind == "masks" and not seed and lanes == whole["lanes"]:
            return with_smaller(case, chip, text, whole)
        if seed not in whole:
            whole[seed] = case.run(whole["text"], chip, seed)[1]
        if outputs != whole[seed]:
            return "MISSED" if kind == "sync" else "another result"
    return "harmless"


def mutate(case, chip, options, pool, tally, harmless):
    """How many mutants were missed."""
    text = case.emit(chip, "llvm-dialect")
    if not text:
        print(f"{case.name} {chip}: not compiled", flush=True)
        return 1
    message, outputs, lanes = case.run(text, chip)
    if message:
        print(f"{case.name} {chip}: not simulated: {message}", flush=True)
        return 1
    whole, verdicts, missed = {"text": text, "lanes": lanes, None: outputs}, {}, 0
    work = []
    for kind in options["kinds"]:
        of = case.emit(chip, "tile_gpu") if kind == "buffers" else text
        work += [(kind, what, mutant) for what, mutant in mutate_texts.some(KINDS[kind](of))]
    for (kind, what, mutant), verdict in zip(work, pool.map(lambda w: judge(case, chip, w[0], w[2], whole), work)):
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
        if options["verbose"]:
            print(f"{verdict}: {case.name} {chip} {what}", flush=True)
        if verdict in ("harmless", "always true"):
            line = f"{case.name} {chip} {what}" + (", always true" if verdict == "always true" else "")
            harmless[line] = mutate_texts.why_mask(text, mutant) if kind == "masks" and verdict == "harmless" else None
        if verdict == "MISSED":
            missed += 1
            print(f"MISSED {case.name} {chip} {what}", flush=True)
    for verdict, n in verdicts.items():
        tally[verdict] = tally.get(verdict, 0) + n
    print(f"{case.name} {chip}: " + (", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items())) or "nothing to change"), flush=True)
    return missed


def chips_of(case, options):
    """Those asked for that the case is for."""
    return [c for c in case.chips or CHIPS if c in (options["chips"] or case.chips or CHIPS)]


def read_list(name):
    """Line to its cause."""
    causes, cause = {}, UNKNOWN
    with open(name) as f:
        for line in f.read().split("\n"):
            if line.startswith("# "):
                cause = line[2:]
            elif line:
                causes[line] = cause
    return causes


def compare_list(name, harmless, write):
    """How many lines are wrong. `harmless`: line to its cause, None where a person has to find it."""
    causes = read_list(name) if os.path.exists(name) else {}
    if write:
        found = {}
        for line in sorted(harmless):
            found.setdefault(harmless[line] or causes.get(line, UNKNOWN), []).append(line)
        with open(name, "w") as f:
            f.write("\n".join(f"# {cause}\n" + "".join(line + "\n" for line in lines) for cause, lines in sorted(found.items())))
        return 0
    new, gone = sorted(set(harmless) - set(causes)), sorted(set(causes) - set(harmless))
    unknown = [line for line, cause in causes.items() if cause == UNKNOWN]
    for lines, what in ((new, "not listed"), (gone, "listed, but not harmless or not there"), (unknown, "no cause is given")):
        for line in lines:
            print(f"{what}: {line}")
    return len(new) + len(gone) + len(unknown)


def main(arguments):
    options = {"tile-run": "tile-run", "tile-translate": "tile-translate", "tile-opt": "tile-opt", "chips": None,
               "kinds": list(KINDS), "jobs": "2", "list": None, "write": False, "verbose": False}
    cases = []
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name[2:] in options and name.startswith("--"):
            options[name[2:]] = value.split(",") if name in ("--chips", "--kinds") else value or True
        elif argument.endswith(".json") or argument in TEXTS:
            cases.append(argument)
        else:
            sys.exit(__doc__)
    tally, harmless, bad = {}, {}, 0
    with concurrent.futures.ThreadPoolExecutor(int(options["jobs"])) as pool:
        for name in cases:
            with tempfile.TemporaryDirectory() as folder:
                case = Case(name, options, folder)
                for chip in chips_of(case, options):
                    bad += mutate(case, chip, options, pool, tally, harmless)
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(tally.items())))
    if options["list"]:
        bad += compare_list(options["list"], harmless, options["write"])
    else:
        print("\n".join(harmless))
    return 1 if bad or not tally else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
