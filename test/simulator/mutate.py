#!/usr/bin/env python3
"""mutate.py [options] NAME.json... - deletes each barrier, wait, commit, fence and mask of lowered kernels alone, and simulates what is left.

  --tile-run=PATH --tile-translate=PATH
  --chips=A,B       default: sm_80,sm_90a,gfx942,gfx1100
  --kinds=A,B       sync, masks (default: both)
  --list=FILE       what is known to be harmless: a mutant that is and is not listed there is an error, as is a line too many
  --write           write FILE anew

A mutant is *reported* if the simulator stops it with a message. Otherwise it runs with eight --shuffle seeds: if every result is
that of the whole kernel, it is *harmless*, a missed optimisation. A mask's mutant may also give *another result*, or show nothing
as the mask was *always true* for these arguments; for anything else a result that differs with no message is a fault of the
simulator. NAME.json, NAME.ttir and NAME.npz as run_kernels.py wants them.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "numeric"))
import run_kernels  # noqa: E402

SEEDS = range(1, 9)
SYNC = re.compile(r"^\s*(nvvm\.barrier0|nvvm\.barrier\b|nvvm\.bar\.warp\.sync|nvvm\.cp\.async\.(?:commit|wait)\S*|nvvm\.fence\S*|rocdl\.barrier|"
                  r"rocdl\.s\.barrier|rocdl\.s\.waitcnt|rocdl\.s\.wait\S*|llvm\.fence|nvvm\.mbarrier\.\S*|tile_nv\.\S*wait\S*|tile_nv\.\S*commit\S*)")
PREDICATED = re.compile(r"^(.*\btile_nv\.(?:load|store) %\S+, )(%\S+?)(,.*| .*)$")
BRANCH = re.compile(r"^(\s*llvm\.cond_br )(%\S+?)(, (\^bb\d+)(?:\([^)]*\))?, (\^bb\d+).*)$")


def blocks(lines):
    """Label to the indices of its lines."""
    found, label = {}, None
    for k, line in enumerate(lines):
        head = re.match(r"\s*(\^bb\d+)[(:]", line)
        label = head.group(1) if head else label
        if label:
            found.setdefault(label, []).append(k)
    return found


def guards_access(lines, where, yes, no):
    """Whether the branch is an `if` without `else` around accesses of memory."""
    body = [lines[k] for k in where.get(yes, [])]
    ends = re.search(r"llvm\.br (\^bb\d+)", body[-1] if body else "")
    return bool(ends and ends.group(1) == no and any(re.search(r"llvm\.(load|store|atomicrmw|cmpxchg)", b) for b in body))


def mutants(text):
    """(what, text) of each."""
    lines, count = text.split("\n"), {}
    where = blocks(lines)
    start = next(k for k, line in enumerate(lines) if "llvm.func @" in line and line.rstrip().endswith("{"))

    def name(op):
        count[op] = count.get(op, 0) + 1
        return f"{op}#{count[op]}"

    def replaced(k, line, constant):
        new = lines[:k] + [line] + lines[k + 1:]
        return "\n".join(new[:start + 1] + (["    %mutant = llvm.mlir.constant(true) : i1"] if constant else []) + new[start + 1:])

    for k, line in enumerate(lines):
        sync, predicated, branch = SYNC.match(line), PREDICATED.match(line), BRANCH.match(line)
        if sync:
            yield name(sync.group(1)), replaced(k, "", False)
        elif "tile_nv.store" in line and (m := re.match(r"^(.*tile_nv\.store %\S+, %\S+, )(%\S+)( .*)$", line)):
            yield name("mask of store"), replaced(k, m.group(1) + "%mutant" + m.group(3), True)
        elif "tile_nv.load" in line and predicated:
            yield name("mask of load"), replaced(k, predicated.group(1) + "%mutant" + predicated.group(3), True)
        elif branch and guards_access(lines, where, branch.group(4), branch.group(5)):
            yield name("mask by branch"), replaced(k, branch.group(1) + "%mutant" + branch.group(3), True)


class Case:
    def __init__(self, path, options, folder):
        self.options, self.folder = options, folder
        with open(path) as f:
            self.kernel = json.load(f)
        self.source = path[:-len(".json")] + ".ttir"
        self.arrays = zipfile.ZipFile(path[:-len(".json")] + ".npz")

    def lowered(self, chip):
        out = os.path.join(self.folder, "lowered.mlir")
        command = [self.options["translate"], f"--target={chip}", "--emit=llvm-dialect", f"--num-warps={self.kernel['num_warps']}",
                   f"--num-stages={self.kernel['num_stages']}", self.source, "-o", out]
        if subprocess.run(command, capture_output=True).returncode:
            return None
        with open(out) as f:
            text = f.read()
        # Lowered pointers point to nothing; the command line wants to know.
        for k, parameter in enumerate(self.kernel["params"]):
            if parameter["type"].startswith("!tt.ptr<"):
                element = run_kernels.element_of(parameter)
                text = re.sub(rf"(%arg{k}: !llvm\.ptr<1>)(?: {{[^}}]*}})?", rf"\1 {{tile.element = {MLIR.get(element, element)}}}", text, count=1)
        return text

    def run(self, text, chip, seed=None):
        """(message or None, bytes of all outputs, lanes that accessed memory)."""
        path = os.path.join(self.folder, "mutant.mlir")
        with open(path, "w") as f:
            f.write(text)
        command = [self.options["run"], path, "--device=sim", f"--target={chip}", f"--kernel={self.kernel['name']}", "--max-steps=5000000"]
        command += ["--grid=" + ",".join(map(str, self.kernel["grid"]))] + ([f"--shuffle={seed}"] if seed else [])
        outputs = []
        for k, parameter in enumerate(self.kernel["params"]):
            data, element = self.arrays.read(f"arg{parameter['arg']}.npy"), run_kernels.element_of(parameter)
            if parameter["type"].startswith("!tt.ptr<"):
                name = os.path.join(self.folder, f"arg{k}.npy")
                if not os.path.exists(name):
                    with open(name, "wb") as f:
                        f.write(data)
                command.append(f"--arg={element}[]=file:{name}")
            else:
                command.append(f"--arg={element}={run_kernels.read_npy(data)[2][0]}")
            if parameter["arg"] in self.kernel["outs"]:
                outputs.append(os.path.join(self.folder, f"out{k}.npy"))
                command.append(f"--out={k}:{outputs[-1]}")
        done = subprocess.run(command + ([] if seed else ["--stats=json"]), capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip().split("\n")[0] or "?", None, 0
        stats = {} if seed else json.loads(done.stdout[done.stdout.index("{"):])
        lanes = sum(stats[k]["lanes"] for k in stats if k.endswith(("_load", "_store")))
        found = []
        for name in outputs:
            with open(name, "rb") as f:
                found.append(f.read())
        return None, found, lanes


MLIR = {"fp8e4nv": "f8E4M3FN", "fp8e5": "f8E5M2", "f8E4M3FN": "f8E4M3FN"}


def judge(case, chip, what, text, whole):
    """reported, harmless, another result, always true or MISSED."""
    for seed in [None, *SEEDS]:
        message, outputs, lanes = case.run(text, chip, seed)
        if message:
            return "reported"
        if what.startswith("mask") and not seed and lanes == whole["lanes"]:
            return "always true"
        if seed not in whole:
            whole[seed] = case.run(whole["text"], chip, seed)[1]
        if outputs != whole[seed]:
            return "another result" if what.startswith("mask") else "MISSED"
    return "harmless"


def mutate(path, options, tally, harmless):
    missed = 0
    base = os.path.basename(path)[:-len(".json")]
    for chip in options["chips"]:
        with tempfile.TemporaryDirectory() as folder:
            case = Case(path, options, folder)
            text = case.lowered(chip)
            if not text:
                continue
            message, outputs, lanes = case.run(text, chip)
            if message:
                print(f"{base} {chip}: not simulated: {message}", flush=True)
                missed += 1
                continue
            whole, before = {"text": text, "lanes": lanes, None: outputs}, dict(tally)
            for what, mutant in mutants(text):
                if ("masks" if what.startswith("mask") else "sync") not in options["kinds"]:
                    continue
                verdict = judge(case, chip, what, mutant, whole)
                tally[verdict] = tally.get(verdict, 0) + 1
                if verdict == "harmless":
                    harmless.append(f"{base} {chip} {what}")
                if verdict == "MISSED":
                    missed += 1
                    print(f"MISSED {base} {chip} {what}", flush=True)
            new = {verdict: n - before.get(verdict, 0) for verdict, n in sorted(tally.items())}
            print(f"{base} {chip}: " + ", ".join(f"{n} {verdict}" for verdict, n in new.items() if n), flush=True)
    return missed


def compare_list(name, harmless, write):
    if write:
        with open(name, "w") as f:
            f.write("\n".join(sorted(harmless)) + "\n")
        return 0
    with open(name) as f:
        known = [line for line in f.read().split("\n") if line]
    new, gone = sorted(set(harmless) - set(known)), sorted(set(known) - set(harmless))
    for line in new:
        print(f"not listed: {line}")
    for line in gone:
        print(f"listed, but not harmless or not there: {line}")
    return len(new) + len(gone)


def main(arguments):
    options = {"run": "tile-run", "translate": "tile-translate", "chips": ["sm_80", "sm_90a", "gfx942", "gfx1100"], "kinds": ["sync", "masks"],
               "list": None, "write": False}
    paths = []
    for argument in arguments:
        name, _, value = argument.partition("=")
        if name in ("--tile-run", "--tile-translate"):
            options[name[len("--tile-"):]] = value
        elif name == "--chips":
            options["chips"] = value.split(",")
        elif name == "--kinds":
            options["kinds"] = value.split(",")
        elif name == "--list":
            options["list"] = value
        elif name == "--write":
            options["write"] = True
        elif argument.endswith(".json"):
            paths.append(argument)
        else:
            sys.exit(__doc__)
    tally, harmless, bad = {}, [], 0
    for path in paths:
        bad += mutate(path, options, tally, harmless)
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(tally.items())))
    if options["list"]:
        bad += compare_list(options["list"], harmless, options["write"])
    else:
        print("\n".join(harmless))
    return 1 if bad or not tally else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
