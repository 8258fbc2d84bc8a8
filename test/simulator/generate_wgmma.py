"""generate_wgmma.py - products of Hopper's warp groups: those of one block as they are lowered, and instructions of every type."""
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "numeric")]
import dots  # noqa: E402
import generate_matrix  # noqa: E402

M, N, K = 64, 32, 64
TYPES = {"f16": 0, "bf16": 1}  # of the factors; sums are f32


def text(factor):
    return dots.kernel(factor, factor, "f32", [M, N, K], None)


def write(path, element, numbers):
    """bf16 as the f32 with the same bits above."""
    code = "<f2" if element == "f16" else "<f4"
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(numbers)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    if element == "bf16":
        numbers = [struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", x))[0] & 0xFFFF0000))[0] for x in numbers]
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{len(numbers)}{'e' if element == 'f16' else 'f'}", *numbers))


def arguments(factor, seed, folder):
    """Of tile-run, the result last; writes the factors and the addend."""
    generator = random.Random(f"{TYPES[factor]} {seed}")
    found = []
    for name, element, count in (("a", factor, M * K), ("b", factor, K * N), ("c", "f32", M * N)):
        numbers = [generator.gauss(0, 1) * 2.0 ** generator.randrange(-6, 7) for _ in range(count)]
        write(os.path.join(folder, f"{name}.npy"), element, numbers)
        found.append(f"{element}[{count}]=file:{folder}/{name}.npy")
    return found + [f"f32[{M * N}]=zeros"]


# ---- One instruction, or a chain of them: factors and sums of every type ----

def forms():
    """By name: types of A and B, of the sums, where A is, n, instructions in a chain, saturation."""
    found = {}
    floats = [("tf32", "tf32", "f32"), ("f16", "f16", "f32"), ("f16", "f16", "f16"), ("bf16", "bf16", "f32")]
    eights = [(a, b) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
    integers = [(a, b, "s32") for a in ("s8", "u8") for b in ("s8", "u8")]
    for a, b, c in floats + [(a, b, c) for c in ("f32", "f16") for a, b in eights] + integers:
        for place in ("shared", "registers"):
            found[f"wgmma.{c}.{a}.{b}.{place}"] = (a, b, c, place, 8, 1, False)
    for a, b, c in floats + [("e4m3", "e4m3", "f32"), ("e5m2", "e4m3", "f16"), ("s8", "u8", "s32")]:
        found[f"wgmma.{c}.{a}.{b}.registers.n48x3"] = (a, b, c, "registers", 48, 3, False)
    for a, b, c in integers:
        found[f"wgmma.{c}.{a}.{b}.shared.saturate"] = (a, b, c, "shared", 8, 2, True)
    return found


class Kernel:
    """@k(in: i32[...], out: i32[...]) of 128 threads: A, B and the sums come as words in the order in which threads take them."""
    lanes = 128
    NUMBERS = {"tf32": "f32", "e4m3": "fp8", "e5m2": "bf8", "s8": "i8", "u8": "i8", "s32": "i32"}

    def __init__(self, name):
        self.name = name
        self.a, self.b, self.c, self.place, self.n, self.steps, self.saturate = forms()[name]
        self.lines, self.count = [], 0
        self.registers = self.n // (4 if self.c == "f16" else 2)
        # Words of a step of B, rounded up to whole words of all threads.
        self.words_a, self.words_b = 4, -(-self.n * 8 // self.lanes)

    def value(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def pointer(self, base, word, space):
        at = self.value(f"llvm.add %tid, {self.value(f'llvm.mlir.constant({word * self.lanes} : i32) : i32')} : i32")
        return self.value(f"llvm.getelementptr {base}[{at}] : (!llvm.ptr<{space}>, i32) -> !llvm.ptr<{space}>, i32")

    def load(self, word):
        return self.value(f"llvm.load {self.pointer('%in', word, 1)} : !llvm.ptr<1> -> i32")

    def to_shared(self, word, at):
        self.lines.append(f"  llvm.store {self.load(word)}, {self.pointer('%shared', at, 3)} : i32, !llvm.ptr<3>")

    def struct(self, values, element):
        type = f"!llvm.struct<({', '.join([element] * len(values))})>"
        whole = self.value(f"llvm.mlir.poison : {type}")
        for k, v in enumerate(values):
            whole = self.value(f"llvm.insertvalue {v}, {whole}[{k}] : {type}")
        return whole, type

    def descriptor(self, at):
        """Of words `at` * 128 on: rows of 16 bytes, eight of them packed, the next eight 256 bytes on, the other half of K 128."""
        start = self.value(f"llvm.add %start, {self.value(f'llvm.mlir.constant({at * self.lanes * 4} : i32) : i32')} : i32")
        units = self.value(f"llvm.lshr {start}, {self.value('llvm.mlir.constant(4 : i32) : i32')} : i32")
        wide = self.value(f"llvm.zext {units} : i32 to i64")
        strides = self.value(f"llvm.mlir.constant({128 // 16 << 16 | 256 // 16 << 32} : i64) : i64")
        return self.value(f"llvm.or {wide}, {strides} : i64")

    def text(self):
        self.lines, self.count = [], 0
        in_shared, word, at, steps = self.place == "shared", 0, 0, []
        for _ in range(self.steps):
            a = at
            if in_shared:
                for k in range(self.words_a):
                    self.to_shared(word + k, at + k)
                at += self.words_a
            else:
                a = [self.load(word + k) for k in range(self.words_a)]
            word += self.words_a
            for k in range(self.words_b):
                self.to_shared(word + k, at + k)
            steps.append((a, at))
            word, at = word + self.words_b, at + self.words_b
        element = "f32" if self.c == "f32" else "i32"
        sums = [self.load(word + k) for k in range(self.registers)]
        if element == "f32":
            sums = [self.value(f"llvm.bitcast {v} : i32 to f32") for v in sums]
        self.product(steps, sums, element)
        shared = f"llvm.mlir.global external @shared() {{addr_space = 3 : i32, alignment = 1024 : i64}} : !llvm.array<{at * self.lanes} x i32>\n"
        return (shared + "llvm.func @k(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})\n"
                f"    attributes {{nvvm.kernel, nvvm.reqntid = array<i32: {self.lanes}, 1, 1>}} {{\n"
                "  %tid = nvvm.read.ptx.sreg.tid.x : i32\n  %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>\n"
                "  %start = llvm.ptrtoint %shared : !llvm.ptr<3> to i32\n" + "\n".join(self.lines) + "\n  llvm.return\n}\n")

    def product(self, steps, sums, element):
        self.lines.append("  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n  nvvm.barrier0")
        operands = []
        for a, b in steps:
            if isinstance(a, list):
                whole, type = self.struct(a, "i32")
                ready = self.value(f"tile_nv.wgmma_fence({whole}) : ({type}) -> {type}")
                first = ", ".join(self.value(f"llvm.extractvalue {ready}[{k}] : {type}") for k in range(len(a)))
                operands.append((first, ", ".join(["i32"] * len(a)), self.descriptor(b)))
            else:
                operands.append((self.descriptor(a), "i64", self.descriptor(b)))
        whole, type = self.struct(sums, element)
        whole = self.value(f"tile_nv.wgmma_fence({whole}) : ({type}) -> {type}")
        for a, types, b in operands:
            whole = self.value(f"tile_nv.wgmma {whole}, [{a}], {b} n = {self.n} {self.a}, {self.b}{' saturate' * self.saturate} : {type}, {types}")
        self.lines.append("  nvvm.wgmma.commit.group.sync.aligned")
        whole = self.value(f"tile_nv.wgmma_wait 0({whole}) : ({type}) -> {type}")
        for k in range(self.registers):
            v = self.value(f"llvm.extractvalue {whole}[{k}] : {type}")
            if element == "f32":
                v = self.value(f"llvm.bitcast {v} : f32 to i32")
            self.lines.append(f"  llvm.store {v}, {self.pointer('%out', k, 1)} : i32, !llvm.ptr<1>")

    # ---- Numbers ----

    def input(self, seed, values):
        generator = random.Random(f"{seed} {self.name} {values}")
        draw = generate_matrix.drawer(generator, values)
        kinds = [self.NUMBERS.get(t, t) for t in (self.a, self.b, self.c)]
        words = []
        for _ in range(self.steps):
            words += generate_matrix.words_of(kinds[0], self.words_a * self.lanes, draw, False)
            words += generate_matrix.words_of(kinds[1], self.words_b * self.lanes, draw, False)
        if self.c == "s32":
            ends = (0x7FFFFFFF, 0x80000000)
            return words + [generator.choice(ends) ^ generator.randrange(1 << 18) for _ in range(self.registers * self.lanes)]
        return words + generate_matrix.words_of(kinds[2], self.registers * self.lanes, draw, False)

    def output_words(self):
        return self.registers
