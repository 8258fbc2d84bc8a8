"""amd_issue_model.py FILE.s [--waves=8] [--groups=1] - how busy the matrix units are in the main loop of AMDGPU assembly, estimated.

An in-order model of one CDNA compute unit, good for comparing loops, not for predicting times: four SIMDs, waves dealt to them in
turn, each wave issues at most one instruction in four cycles, and a SIMD at most one of each kind in a slot. Matrix instructions
occupy their SIMD's unit for PASSES * 4 cycles; vector and matrix instructions share an issue port; accesses of LDS share one pipe
of 128 bytes a cycle, accesses of global memory another. Waits count what is under way, barriers join the waves of a group.
Sources of the numbers: docs/pipelines.md, "In a model of the issue".
"""
import argparse
import re
from collections import Counter

MATRIX_CYCLES = {"16x16x16": 16, "32x32x8": 32, "16x16x32": 16, "32x32x16": 32, "16x16x4": 32, "32x32x2": 64, "16x16x8": 16, "32x32x4": 32, "16x16x64": 16, "32x32x32": 32}
SLOT = 4
FEWEST_MATRIX = 4


def main_loop(lines):
    """The code of the first innermost loop with matrix instructions, several blocks included; the second may be its remainder."""
    labels = {m[1]: i for i, line in enumerate(lines) if (m := re.match(r"(\.LBB\d+_\d+):", line))}
    for i, line in enumerate(lines):
        branch = re.search(r"s_c?branch\w* (\.LBB\d+_\d+)", line)
        start = labels.get(branch[1]) if branch else None
        if start is None or start >= i:
            continue
        body = [x.split(";")[0].strip() for x in lines[start + 1 : i + 1]]
        body = [x for x in body if x and not x.startswith(".")]
        if sum(bool(re.match("v_mfma|v_wmma", x)) for x in body) >= FEWEST_MATRIX:
            return body  # loops end in the order of their ends: an inner one before those around it
    return None


def registers(text):
    found = set()
    for kind, single, first, last in re.findall(r"\b([va])(?:(\d+)\b|\[(\d+):(\d+)\])", text):
        found.update(f"{kind}{n}" for n in (range(int(single), int(single) + 1) if single else range(int(first), int(last) + 1)))
    return frozenset(found)


def wide(op):
    return 16 if op.endswith(("b128", "dwordx4")) or "b128" in op else 8 if op.endswith(("b64", "dwordx2")) or "_b64" in op else 4


def decode(code):
    """(kind, cycles, registers written, registers read, counters)"""
    op, _, rest = code.partition(" ")
    operands = re.split(r",\s*(?![^\[]*\])", rest)
    if "mfma" in op:
        size = re.search(r"(\d+x\d+x\d+)", op)[1]
        return ("matrix", MATRIX_CYCLES.get(size, 32), registers(operands[0]), registers(operands[3]))
    if op.startswith(("ds_read", "ds_load")):
        return ("lds", max(1, wide(op) * 64 // 128), "read")
    if op.startswith(("ds_write", "ds_store")):
        return ("lds", max(1, wide(op) * 64 // 128), "write")
    if op.startswith(("buffer_", "global_", "scratch_")):
        return ("memory", wide(op))
    if op == "s_waitcnt":
        memory, lds = re.search(r"vmcnt\((\d+)\)", code), re.search(r"lgkmcnt\((\d+)\)", code)
        return ("wait", int(memory[1]) if memory else 99, int(lds[1]) if lds else 99)
    if op == "s_barrier":
        return ("barrier",)
    if op == "s_nop":
        return ("nop", int(operands[0], 0) + 1)
    if op.startswith("v_"):
        return ("vector", registers(operands[0]), registers(",".join(operands[1:])))
    return ("scalar",)


class Wave:
    def __init__(self, number, group, start):
        self.number, self.group, self.free, self.at, self.turn, self.last = number, group, start, 0, 0, 0
        self.memory, self.lds, self.waits, self.ready, self.ends = [], [], False, {}, []


class Unit:
    def __init__(self, code, waves, groups, latency):
        self.program = [decode(x) for x in code]
        self.latency = latency
        self.waves = [Wave(g * waves + w, g, 1500 * g) for g in range(groups) for w in range(waves)]
        self.simds = [[w for w in self.waves if w.number % 4 == s] for s in range(4)]
        self.matrix, self.lds, self.memory, self.now = [0] * 4, 0, 0, 0
        self.stalls = Counter()

    def issue(self, wave, simd, insn):
        """None if the wave issued, else why not."""
        kind, now = insn[0], self.now
        wave.memory = [t for t in wave.memory if t > now]
        wave.lds = [t for t in wave.lds if t > now]
        if kind == "matrix":
            if self.matrix[simd] > now:
                return "matrix unit"
            if any(wave.ready.get(r, 0) > now for r in insn[3]):
                return "accumulator"
            self.matrix[simd] = now + insn[1]
            wave.ready.update((r, now + insn[1] + SLOT) for r in insn[2])
        elif kind == "vector":
            if any(wave.ready.get(r, 0) > now for r in insn[1] | insn[2]):
                return "accumulator"
        elif kind == "lds":
            if len(wave.lds) >= 15:
                return "lds queue"
            self.lds = max(self.lds, now) + insn[1]
            wave.lds.append(self.lds + (self.latency[1] if insn[2] == "read" else 40))
        elif kind == "memory":
            self.memory = max(self.memory, now) + insn[1]
            wave.memory.append(self.memory + self.latency[0])
        elif kind == "wait":
            if len(wave.memory) > insn[1]:
                return "wait for memory"
            if len(wave.lds) > insn[2]:
                return "wait for lds"
        elif kind == "barrier":
            wave.waits = True
        elif kind == "nop":
            wave.free = now + SLOT * insn[1]
        return None

    def slot(self, simd, turns):
        taken = set()
        for wave in sorted(self.simds[simd], key=lambda w: (w.last, w.number)):
            if wave.turn >= turns or wave.waits or wave.free > self.now:
                continue
            insn = self.program[wave.at]
            port = {"matrix": "vector"}.get(insn[0], insn[0])
            shared = port in ("vector", "lds", "memory")
            why = "port" if shared and port in taken else self.issue(wave, simd, insn)
            if why:
                self.stalls[why] += SLOT
                continue
            taken.add(port)
            wave.last, wave.free, wave.at = self.now, max(wave.free, self.now + SLOT), wave.at + 1
            if wave.at == len(self.program):
                wave.at, wave.turn = 0, wave.turn + 1
                wave.ends.append(self.now)

    def join(self, turns):
        for group in {w.group for w in self.waves}:
            active = [w for w in self.waves if w.group == group and w.turn < turns]
            if active and all(w.waits for w in active):
                for w in active:
                    w.waits, w.free = False, self.now + SLOT

    def run(self, turns=10):
        while any(w.turn < turns for w in self.waves):
            for simd in range(4):
                self.slot(simd, turns)
            self.stalls["barrier"] += SLOT * sum(w.waits for w in self.waves)
            self.join(turns)
            self.now += SLOT
            if self.now > 1_000_000:
                raise SystemExit("the model does not come to an end")
        ends = self.waves[0].ends
        cycles = (ends[-1] - ends[2]) / (len(ends) - 3)
        ideal = sum(i[1] for i in self.program if i[0] == "matrix") * len(self.waves) / 4
        return cycles, ideal


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--waves", type=int, default=8, help="of a work-group")
    parser.add_argument("--groups", type=int, default=1, help="work-groups on the compute unit")
    parser.add_argument("--memory-latency", type=int, default=700)
    parser.add_argument("--lds-latency", type=int, default=110)
    parser.add_argument("--stalls", action="store_true", help="also what waves waited for, cycles a wave and turn")
    args = parser.parse_args()
    code = main_loop(open(args.file).read().split("\n"))
    if code is None:
        raise SystemExit("no loop with matrix instructions")
    unit = Unit(code, args.waves, args.groups, (args.memory_latency, args.lds_latency))
    cycles, ideal = unit.run()
    print(f"cycles {cycles:.0f}, matrix {ideal:.0f}, busy {ideal / cycles:.3f}")
    if args.stalls:
        print(", ".join(f"{k} {v / len(unit.waves) / 10:.0f}" for k, v in unit.stalls.most_common()))


main()
