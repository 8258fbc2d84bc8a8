#!/usr/bin/env python3
"""generate_matrix.py --chip=CHIP --list | --form=NAME --seed=N --values=exact|real --input=FILE.npy - writes a kernel of one matrix
instruction, and its operands.

The kernel is @k(in: i32[lanes * words], out: i32[lanes * words]) for one program of one warp: each lane loads its registers of A, B
and C, word after word, and stores those of the result. `exact` values are small integers, whose sums are exact in any order;
`real` ones are normally distributed; `wide` ones have exponents of the whole range, zeros and subnormals; `special` ones are
often the largest numbers, infinities or NaN; `tiny` ones are subnormals or small as often as not; `near` ones are often zero, the
others of about the same exponents.
"""
import argparse
import math
import random
import re
import struct

# Type of an operand: (MLIR type, number format of its elements, elements).
def vector(n, element):
    return f"vector<{n}x{element}>"


def mfma(name, a, b, c, formats):
    return (f"rocdl.mfma.{name}", a, b, c, formats, "mfma")


def wmma(name, a, b, c, formats, attributes=""):
    return (f"rocdl.wmma.{name}", a, b, c, formats, "wmma" + attributes)


F32, F64, I32, I64 = "f32", "f64", "i32", "i64"
GFX90A = {
    "f32.32x32x1f32": mfma("f32.32x32x1f32", F32, F32, vector(32, F32), ("f32", "f32", "f32")),
    "f32.16x16x1f32": mfma("f32.16x16x1f32", F32, F32, vector(16, F32), ("f32", "f32", "f32")),
    "f32.4x4x1f32": mfma("f32.4x4x1f32", F32, F32, vector(4, F32), ("f32", "f32", "f32")),
    "f32.32x32x2f32": mfma("f32.32x32x2f32", F32, F32, vector(16, F32), ("f32", "f32", "f32")),
    "f32.16x16x4f32": mfma("f32.16x16x4f32", F32, F32, vector(4, F32), ("f32", "f32", "f32")),
    "f64.16x16x4f64": mfma("f64.16x16x4f64", F64, F64, vector(4, F64), ("f64", "f64", "f64")),
    "f64.4x4x4f64": mfma("f64.4x4x4f64", F64, F64, F64, ("f64", "f64", "f64")),
}
for shape, n in (("32x32x4", 32), ("16x16x4", 16), ("4x4x4", 4), ("32x32x8", 16), ("16x16x16", 4)):
    GFX90A[f"f32.{shape}f16"] = mfma(f"f32.{shape}f16", vector(4, "f16"), vector(4, "f16"), vector(n, F32), ("f16", "f16", "f32"))
    GFX90A[f"f32.{shape}bf16.1k"] = mfma(f"f32.{shape}bf16.1k", vector(4, "i16"), vector(4, "i16"), vector(n, F32), ("bf16", "bf16", "f32"))
for shape, n in (("32x32x4", 32), ("16x16x4", 16), ("4x4x4", 4)):
    GFX90A[f"i32.{shape}i8"] = mfma(f"i32.{shape}i8", I32, I32, vector(n, I32), ("i8", "i8", "i32"))
GFX90A_I8 = {f"i32.{shape}i8": mfma(f"i32.{shape}i8", I32, I32, vector(n, I32), ("i8", "i8", "i32"))
             for shape, n in (("32x32x8", 16), ("16x16x16", 4))}
GFX942 = {}
for shape, n in (("16x16x32", 4), ("32x32x16", 16)):
    GFX942[f"i32.{shape}.i8"] = mfma(f"i32.{shape}.i8", I64, I64, vector(n, I32), ("i8", "i8", "i32"))
    for a in ("fp8", "bf8"):
        for b in ("fp8", "bf8"):
            GFX942[f"f32.{shape}.{a}.{b}"] = mfma(f"f32.{shape}.{a}.{b}", I64, I64, vector(n, F32), (a, b, "f32"))
XF32 = {f"f32.{shape}.xf32": mfma(f"f32.{shape}.xf32", vector(2, F32), vector(2, F32), vector(n, F32), ("f32", "f32", "f32"))
        for shape, n in (("16x16x8", 4), ("32x32x4", 16))}
GFX950 = {}
for shape, n in (("16x16x32", 4), ("32x32x16", 16)):
    for t in ("f16", "bf16"):
        GFX950[f"f32.{shape}.{t}"] = mfma(f"f32.{shape}.{t}", vector(8, t), vector(8, t), vector(n, F32), (t, t, "f32"))
for shape, n in (("16x16x64", 4), ("32x32x32", 16)):
    GFX950[f"i32.{shape}.i8"] = mfma(f"i32.{shape}.i8", vector(4, I32), vector(4, I32), vector(n, I32), ("i8", "i8", "i32"))
SIGNED = " signA signB"
GFX11 = {
    "f32.f16": wmma("f32.16x16x16.f16", vector(16, "f16"), vector(16, "f16"), vector(8, F32), ("f16", "f16", "f32")),
    "f32.bf16": wmma("f32.16x16x16.bf16", vector(16, "i16"), vector(16, "i16"), vector(8, F32), ("bf16", "bf16", "f32")),
    "f16.f16": wmma("f16.16x16x16.f16", vector(16, "f16"), vector(16, "f16"), vector(16, "f16"), ("f16", "f16", "f16")),
    "bf16.bf16": wmma("bf16.16x16x16.bf16", vector(16, "i16"), vector(16, "i16"), vector(16, "i16"), ("bf16", "bf16", "bf16")),
    "i32.iu8": wmma("i32.16x16x16.iu8", vector(4, I32), vector(4, I32), vector(8, I32), ("i8", "i8", "i32"), SIGNED),
    "i32.iu8.unsigned": wmma("i32.16x16x16.iu8", vector(4, I32), vector(4, I32), vector(8, I32), ("i8", "i8", "i32")),
    "i32.iu4": wmma("i32.16x16x16.iu4", vector(2, I32), vector(2, I32), vector(8, I32), ("i8", "i8", "i32"), SIGNED),
}
GFX12 = {
    "f32.f16": wmma("f32.16x16x16.f16", vector(8, "f16"), vector(8, "f16"), vector(8, F32), ("f16", "f16", "f32")),
    "f32.bf16": wmma("f32.16x16x16.bf16", vector(8, "i16"), vector(8, "i16"), vector(8, F32), ("bf16", "bf16", "f32")),
    "f16.f16": wmma("f16.16x16x16.f16", vector(8, "f16"), vector(8, "f16"), vector(8, "f16"), ("f16", "f16", "f16")),
    "bf16.bf16": wmma("bf16.16x16x16.bf16", vector(8, "i16"), vector(8, "i16"), vector(8, "i16"), ("bf16", "bf16", "bf16")),
    "i32.iu8": wmma("i32.16x16x16.iu8", vector(2, I32), vector(2, I32), vector(8, I32), ("i8", "i8", "i32"), SIGNED),
    "i32.iu4": wmma("i32.16x16x16.iu4", I32, I32, vector(8, I32), ("i8", "i8", "i32"), SIGNED),
    "i32.16x16x32.iu4": wmma("i32.16x16x32.iu4", vector(2, I32), vector(2, I32), vector(8, I32), ("i8", "i8", "i32"), SIGNED),
}
for a in ("fp8", "bf8"):
    for b in ("fp8", "bf8"):
        GFX12[f"f32.{a}.{b}"] = wmma(f"f32.16x16x16.{a}_{b}", vector(2, I32), vector(2, I32), vector(8, F32), (a, b, "f32"))


def mma(shape, a, na, nb, c, nc, formats, extra=""):
    m, n, k = shape
    return (f"m{m}n{n}k{k}", (a, na), (a, nb), (c, nc), formats, "mma", shape, extra)


NVIDIA = {}
F16X2 = vector(2, "f16")
for k, na, nb in ((8, 2, 1), (16, 4, 2)):
    NVIDIA[f"m16n8k{k}.f32.f16"] = mma((16, 8, k), F16X2, na, nb, F32, 4, ("f16", "f16", "f32"))
    NVIDIA[f"m16n8k{k}.f16.f16"] = mma((16, 8, k), F16X2, na, nb, F16X2, 2, ("f16", "f16", "f16"))
    NVIDIA[f"m16n8k{k}.f32.bf16"] = mma((16, 8, k), I32, na, nb, F32, 4, ("bf16", "bf16", "f32"), "bf16")
for k, na, nb in ((4, 2, 1), (8, 4, 2)):
    NVIDIA[f"m16n8k{k}.f32.tf32"] = mma((16, 8, k), I32, na, nb, F32, 4, ("f32", "f32", "f32"), "tf32")
for shape, na, nb, nc in (((8, 8, 16), 1, 1, 2), ((16, 8, 16), 2, 1, 4), ((16, 8, 32), 4, 2, 4)):
    m, n, k = shape
    for t in ("s8", "u8"):
        NVIDIA[f"m{m}n{n}k{k}.{t}"] = mma(shape, I32, na, nb, I32, nc, ("i8", "i8", "i32"), t)
for shape, na, nb, nc in (((8, 8, 32), 1, 1, 2), ((16, 8, 32), 2, 1, 4), ((16, 8, 64), 4, 2, 4)):
    m, n, k = shape
    for t in ("s4", "u4"):
        NVIDIA[f"m{m}n{n}k{k}.{t}"] = mma(shape, I32, na, nb, I32, nc, ("i8", "i8", "i32"), t)
NVIDIA["m8n8k4.f64"] = mma((8, 8, 4), F64, 1, 1, F64, 2, ("f64", "f64", "f64"))
for shape, na, nb, nc in (((8, 8, 16), 1, 1, 2), ((16, 8, 32), 4, 2, 4)):
    m, n, k = shape
    for a, b in (("s8", "u8"), ("u8", "s8")):
        NVIDIA[f"m{m}n{n}k{k}.{a}.{b}"] = mma(shape, I32, na, nb, I32, nc, ("i8", "i8", "i32"), f"{a} {b}")
for shape, na, nb, nc in (((8, 8, 128), 1, 1, 2), ((16, 8, 128), 2, 1, 4), ((16, 8, 256), 4, 2, 4)):
    m, n, k = shape
    for op in ("and", "xor"):
        NVIDIA[f"m{m}n{n}k{k}.b1.{op}"] = mma(shape, I32, na, nb, I32, nc, ("i8", "i8", "i32"), f"b1 {op}")
# Those that only LLVM has as intrinsics: the last part is its name.
for k, na, nb in ((4, 2, 1), (8, 4, 2), (16, 8, 4)):
    NVIDIA[f"m16n8k{k}.f64"] = mma((16, 8, k), F64, na, nb, F64, 4, ("f64", "f64", "f64"), f"llvm.nvvm.mma.m16n8k{k}.row.col.f64")
for a in ("e4m3", "e5m2"):
    for b in ("e4m3", "e5m2"):
        kinds = tuple({"e4m3": "fp8", "e5m2": "bf8"}[x] for x in (a, b)) + ("f32",)
        NVIDIA[f"m16n8k32.f32.{a}.{b}"] = mma((16, 8, 32), I32, 4, 2, F32, 4, kinds, f"llvm.nvvm.mma.m16n8k32.row.col.f32.{a}.{b}.f32")
        NVIDIA[f"m16n8k16.f32.{a}.{b}"] = mma((16, 8, 16), I32, 2, 1, F32, 4, kinds, f"llvm.nvvm.mma.m16n8k16.row.col.f32.{a}.{b}.f32")
        kinds = kinds[:2] + ("f16",)
        for k, na, nb in ((16, 2, 1), (32, 4, 2)):
            NVIDIA[f"m16n8k{k}.f16.{a}.{b}"] = mma((16, 8, k), I32, na, nb, F16X2, 2, kinds, f"llvm.nvvm.mma.m16n8k{k}.row.col.f16.{a}.{b}.f16")

FORMS = {
    "gfx90a": {**GFX90A, **GFX90A_I8},
    "gfx942": {**GFX90A, **GFX942, **XF32},
    "gfx950": {**GFX90A, **GFX942, **GFX950},
    "gfx1100": GFX11,
    "gfx1201": GFX12,
}


def forms(chip):
    return FORMS.get(chip, NVIDIA)


# ---- Operands ----

BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def type_bits(t):
    if t.startswith("vector"):
        n, element = t[7:-1].split("x")
        return int(n) * BITS[element]
    return BITS[t]


def fp8_bits(value, fraction, bias):
    """An exactly representable small number."""
    if value == 0:
        return 0
    sign, magnitude, exponent = (0x80 if value < 0 else 0), abs(value), 0
    while magnitude >= 2:
        magnitude, exponent = magnitude / 2, exponent + 1
    while magnitude < 1:
        magnitude, exponent = magnitude * 2, exponent - 1
    return sign | (exponent + bias) << fraction | int((magnitude - 1) * (1 << fraction))


def any_bits(kind, generator, values):
    """Bits of a wide or special number."""
    r, width = generator.random(), 8 if kind in ("fp8", "bf8") else BITS[kind]
    fraction = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52, "fp8": 3, "bf8": 2}[kind]
    most = (1 << width - 1 - fraction) - 1
    top = (most << fraction) - 1 if kind != "fp8" else 0x7E
    sign = generator.randrange(2) << width - 1
    if values == "near":
        exponent = most // 2 + generator.randrange(-min(8, most // 4), min(8, most // 4))
        return sign | (0 if r < 0.5 else exponent << fraction | generator.randrange(1 << fraction))
    if r < 0.1:
        return sign
    if values == "special" and r < 0.3:
        return sign | generator.choice([top, top, top + 1, top + 2 if kind != "fp8" else top + 1])
    if values == "tiny" and r < 0.6:
        return sign | (0 if r < 0.4 else generator.randrange(24 if most > 31 else 4)) << fraction | generator.randrange(1 << fraction)
    # Products and their sums stay below infinity, unless they are special.
    low, high = 0, most
    if kind in ("bf16", "f32", "f64") and values in ("wide", "tiny"):
        low, high = 3 * most // 8, 5 * most // 8
    while True:
        bits = generator.randrange(low, high) << fraction | generator.randrange(1 << fraction)
        if kind != "fp8" or bits != 0x7F:
            return sign | bits


def encode(kind, value, fnuz):
    if kind == "f16":
        return struct.unpack("<H", struct.pack("<e", value))[0]
    if kind == "bf16":
        return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    if kind == "f32":
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if kind == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    if kind == "fp8":
        return fp8_bits(float(round(value)), 3, 8 if fnuz else 7)
    if kind == "bf8":
        return fp8_bits(float(round(value)), 2, 16 if fnuz else 15)
    return int(value) & ((1 << BITS[kind]) - 1)


def decode(kind, bits, fnuz):
    """The number that `encode` gives the bits of."""
    if kind == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    if kind in ("bf16", "f32"):
        return struct.unpack("<f", struct.pack("<I", bits << 16 if kind == "bf16" else bits))[0]
    if kind == "f64":
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if kind in ("fp8", "bf8"):
        fraction, bias = (3, 7 + fnuz) if kind == "fp8" else (2, 15 + fnuz)
        exponent, rest = (bits & 0x7F) >> fraction, bits & ((1 << fraction) - 1)
        value = math.ldexp(rest + (1 << fraction if exponent else 0), max(exponent, 1) - bias - fraction)
        return -value if bits & 0x80 else value
    return bits - (1 << BITS[kind]) if bits >> BITS[kind] - 1 else bits


def words_of(kind, count, draw, fnuz):
    """`count` 32-bit words of random elements."""
    width = 8 if kind in ("fp8", "bf8") else BITS[kind]
    number = 0
    for k in range(count * 32 // width):
        drawn = draw(kind)
        number |= (drawn[0] if isinstance(drawn, tuple) else encode(kind, drawn, fnuz)) << k * width
    return [number >> 32 * k & 0xFFFFFFFF for k in range(count)]


def drawer(generator, values):
    def draw(kind):
        if kind in ("i8", "i32"):
            return generator.randrange(-128, 128)
        if values in ("wide", "special", "tiny", "near"):
            return (any_bits(kind, generator, values),)
        if values == "exact" or kind in ("fp8", "bf8"):
            return float(generator.randrange(-4, 5))
        return generator.gauss(0, 1)
    return draw


class Kernel:
    def __init__(self, chip, name, modifiers=(0, 0, 0)):
        self.chip, self.form, self.amd = chip, forms(chip)[name], chip.startswith("gfx")
        self.modifiers = modifiers  # cbsz, abid, blgp
        self.lanes = 64 if chip in ("gfx90a", "gfx942", "gfx950") else 32
        self.lines, self.count = [], 0
        op, self.a, self.b, self.c, self.formats, self.kind = self.form[:6]
        self.operands = [self.a, self.b, self.c] if self.amd else [v for t, n in (self.a, self.b, self.c) for v in [t] * n]
        self.words = [type_bits(t) // 32 for t in self.operands]

    def value(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def load(self, type, word):
        """Words from `word` on of this lane."""
        n = type_bits(type) // 32
        loaded = []
        for k in range(n):
            at = self.value(f"llvm.mlir.constant({(word + k) * self.lanes} : i32) : i32")
            index = self.value(f"llvm.add %lane, {at} : i32")
            p = self.value(f"llvm.getelementptr %in[{index}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32")
            loaded.append(self.value(f"llvm.load {p} : !llvm.ptr<1> -> i32"))
        if n == 1:
            return loaded[0] if type == "i32" else self.value(f"llvm.bitcast {loaded[0]} : i32 to {type}")
        packed = self.value(f"llvm.mlir.poison : vector<{n}xi32>")
        for k, v in enumerate(loaded):
            at = self.value(f"llvm.mlir.constant({k} : i32) : i32")
            packed = self.value(f"llvm.insertelement {v}, {packed}[{at} : i32] : vector<{n}xi32>")
        return packed if type == f"vector<{n}xi32>" else self.value(f"llvm.bitcast {packed} : vector<{n}xi32> to {type}")

    def store(self, type, value, word):
        n = type_bits(type) // 32
        if n > 1 and type != f"vector<{n}xi32>":
            value = self.value(f"llvm.bitcast {value} : {type} to vector<{n}xi32>")
        elif n == 1 and type != "i32":
            value = self.value(f"llvm.bitcast {value} : {type} to i32")
        for k in range(n):
            v = value
            if n > 1:
                at = self.value(f"llvm.mlir.constant({k} : i32) : i32")
                v = self.value(f"llvm.extractelement {value}[{at} : i32] : vector<{n}xi32>")
            at = self.value(f"llvm.mlir.constant({(word + k) * self.lanes} : i32) : i32")
            index = self.value(f"llvm.add %lane, {at} : i32")
            p = self.value(f"llvm.getelementptr %out[{index}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32")
            self.lines.append(f"  llvm.store {v}, {p} : i32, !llvm.ptr<1>")
        return word + n

    def amd_product(self, values):
        a, b, c = values
        types = ", ".join(self.operands)
        if self.kind == "mfma":
            cbsz, abid, blgp = (self.value(f"llvm.mlir.constant({x} : i32) : i32") for x in self.modifiers)
            result = self.value(f"{self.form[0]} {a}, {b}, {c}, {cbsz}, {abid}, {blgp} : ({types}, i32, i32, i32) -> {self.c}")
        else:
            flags = ", ".join(f"{name} = true" for name in self.kind.split()[1:])
            result = self.value(f"{self.form[0]} {a}, {b}, {c} {{{flags}}} : ({types}) -> {self.c}")
        self.store(self.c, result, 0)

    def nvidia_product(self, values):
        (ta, na), (_, nb), (tc, nc) = self.a, self.b, self.c
        m, n, k = self.form[6]
        extra = self.form[7]
        attributes = [f"layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = {m}, n = {n}, k = {k}>"]
        binary = extra.startswith("b1")
        if binary:
            attributes.append("multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>")
            attributes.append(f"b1Op = #nvvm.mma_b1op<{extra.split()[1]}_popc>")
        elif extra:
            ptx_a, ptx_b = extra.split() if " " in extra else (extra, extra)
            attributes.append(f"multiplicandAPtxType = #nvvm.mma_type<{ptx_a}>, multiplicandBPtxType = #nvvm.mma_type<{ptx_b}>")
        if tc == "i32" and not binary:
            attributes.append("intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>")
        a, b, c = values[:na], values[na:na + nb], values[na + nb:]
        struct_type = f"!llvm.struct<({', '.join([tc] * nc)})>"
        if extra.startswith("llvm"):
            types = ", ".join([ta] * (na + nb) + [tc] * nc)
            result = self.value(f'llvm.call_intrinsic "{extra}"({", ".join(values)}) : ({types}) -> {struct_type}')
        else:
            result = self.value(f"nvvm.mma.sync A[{', '.join(a)}] B[{', '.join(b)}] C[{', '.join(c)}] {{{', '.join(attributes)}}} : "
                                f"({ta}, {ta}, {tc}) -> {struct_type}")
        word = 0
        for k in range(nc):
            word = self.store(tc, self.value(f"llvm.extractvalue {result}[{k}] : {struct_type}"), word)

    def text(self):
        word, values = 0, []
        self.lines.append(f"  %lane = {'rocdl.workitem.id.x' if self.amd else 'nvvm.read.ptx.sreg.tid.x'} : i32")
        for type, n in zip(self.operands, self.words):
            values.append(self.load(type, word))
            word += n
        (self.amd_product if self.amd else self.nvidia_product)(values)
        attributes = f"nvvm.kernel, nvvm.reqntid = array<i32: {self.lanes}, 1, 1>"
        if self.amd:
            attributes = f'rocdl.kernel, rocdl.flat_work_group_size = "{self.lanes},{self.lanes}", rocdl.reqd_work_group_size = array<i32: {self.lanes}, 1, 1>'
        return ("llvm.func @k(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})\n"
                f"    attributes {{{attributes}}} {{\n" + "\n".join(self.lines) + "\n  llvm.return\n}\n")

    def input(self, seed, values):
        """Words of all lanes, word by word. RDNA3's upper half-wave holds copies of A and B."""
        draw = drawer(random.Random(f"{seed} {self.form[0]} {values}"), values)
        fnuz = self.chip in ("gfx942",)
        kinds = list(self.formats)
        if not self.amd:
            kinds = [kind for kind, (_, n) in zip(self.formats, (self.a, self.b, self.c)) for _ in range(n)]
        lanes = []
        for lane in range(self.lanes):
            words = []
            for k, (kind, n) in enumerate(zip(kinds, self.words)):
                new = words_of(kind, n, draw, fnuz)
                if self.chip == "gfx1100" and lane >= 16 and k < 2:
                    new = lanes[lane - 16][len(words):len(words) + n]
                words += new
            lanes.append(words)
        return [lanes[lane][w] for w in range(sum(self.words)) for lane in range(self.lanes)]

    # ---- MFMA's modifiers: which operands an instruction without them needs for the same result ----

    def any_modifiers(self, generator):
        """Of those that the form has."""
        if self.formats[2] == "f64":
            return (0, 0, 0 if self.chip == "gfx90a" else generator.randrange(1, 8))
        cbsz = generator.randrange(self.shape()[3].bit_length())
        return cbsz, generator.randrange(1 << cbsz), generator.randrange(8) if cbsz else generator.randrange(1, 8)

    def lane_of_a(self, lane):
        """Blocks follow each other by rows of lanes; the first of each 2^cbsz counts, or the abid-th."""
        m, _, _, blocks = self.shape()
        cbsz, abid, _ = self.modifiers
        row, block, rest = lane % m, lane // m % blocks, lane // m // blocks
        return (rest * blocks + (block // (1 << cbsz) << cbsz) + abid) * m + row

    def lane_of_b(self, lane):
        quarter = lane // 16
        table = [(0, 1, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3), (1, 2, 3, 0), (0,) * 4, (1,) * 4, (2,) * 4, (3,) * 4]
        return table[self.modifiers[2]][quarter] * 16 + lane % 16

    def without_modifiers(self, words):
        first = (0, self.words[0], self.words[0] + self.words[1])
        if self.formats[2] == "f64":
            signs = [k for k in range(3) if self.modifiers[2] >> k & 1]
            high = {w for k in signs for w in range(first[k] + 1, first[k] + self.words[k], 2)}
            return [x ^ (0x80000000 if n // self.lanes in high else 0) for n, x in enumerate(words)]
        moved = list(words)
        for operand, lane_of in ((0, self.lane_of_a), (1, self.lane_of_b)):
            for w in range(first[operand], first[operand] + self.words[operand]):
                for lane in range(self.lanes):
                    moved[w * self.lanes + lane] = words[w * self.lanes + lane_of(lane)]
        return moved

    # ---- AMD: where elements are (the ISA guides' tables), and how far sums of theirs may be apart ----

    def result_bits(self):
        return {"f64": 64, "f32": 32, "i32": 32}.get(self.formats[2], 16)

    def shape(self):
        m, n, k = (int(x) for x in re.search(r"(\d+)x(\d+)x(\d+)", self.form[0]).groups())
        return m, n, k, (type_bits(self.c) // self.result_bits()) * self.lanes // (m * n) if self.kind == "mfma" else 1

    def operand_places(self, lane, i, size):
        """Row (column), k and block of element i of A (B)."""
        m, _, k, blocks = self.shape()
        if self.kind == "mfma":
            return lane % m, lane // m // blocks * size + i, lane // m % blocks
        if self.chip == "gfx1100":
            return lane % 16, i, 0
        width = 8 if k == 16 else 16
        return lane % 16, i % width + lane // 16 * width + i // width * 2 * width, 0

    def result_place(self, lane, i):
        """Row, column and block of element i of the result; None for one that RDNA3 leaves as it is."""
        m, n, _, blocks = self.shape()
        if self.kind == "mfma":
            groups, rest = 64 // n, lane // n
            if m // 4 < groups:
                return i % 4, lane % n, rest
            group = i // 4 * groups + rest
            return group % (m // 4) * 4 + i % 4, lane % n, group // (m // 4)
        if self.chip == "gfx1100":
            halves = self.result_bits() == 16
            return None if halves and i % 2 else (2 * (i // 2 if halves else i) + lane // 16, lane % 16, 0)
        return i + 8 * (lane // 16), lane % 16, 0

    def elements(self, words, operand):
        """By lane: the numbers of an operand."""
        kind, first = self.formats[operand], sum(self.words[:operand])
        bits = 8 if kind in ("fp8", "bf8") else BITS[kind]
        lanes = []
        for lane in range(self.lanes):
            number = sum(words[(first + w) * self.lanes + lane] << 32 * w for w in range(self.words[operand]))
            count = 32 * self.words[operand] // bits
            lanes.append([decode(kind, number >> bits * i & ((1 << bits) - 1), self.chip == "gfx942") for i in range(count)])
        return lanes

    def limits(self, words):
        """By lane, for each element of the result: one unit in the last place at the largest product's or addend's exponent."""
        a, b, c = {}, {}, self.elements(words, 2)
        for place, lanes in ((a, self.elements(words, 0)), (b, self.elements(words, 1))):
            for lane, numbers in enumerate(lanes):
                for i, x in enumerate(numbers):
                    place[self.operand_places(lane, i, len(numbers))] = abs(x)
        fraction, result = {"f32": 23, "f16": 10, "bf16": 7}[self.formats[2]], []
        for lane in range(self.lanes):
            found = {}
            for i, addend in enumerate(c[lane]):
                at = self.result_place(lane, i)
                if at:
                    row, column, block = at
                    largest = max([abs(addend)] + [a[row, k, block] * b[column, k, block] for k in range(self.shape()[2])])
                    found[i] = math.ldexp(1, math.frexp(largest)[1] - 1 - fraction)
            result.append(found)
        return result

    def output_words(self):
        return type_bits(self.c) // 32 if self.amd else self.c[1] * type_bits(self.c[0]) // 32


def write_npy(path, words):
    header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({len(words)},), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{len(words)}I", *words))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--chip", required=True)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--form")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--values", choices=["exact", "real", "wide", "special", "tiny", "near"], default="exact")
    parser.add_argument("--input")
    o = parser.parse_args()
    if o.list:
        print("\n".join(forms(o.chip)))
        return
    kernel = Kernel(o.chip, o.form)
    print(kernel.text(), end="")
    print(f"// in: i32[{kernel.lanes * sum(kernel.words)}] out: i32[{kernel.lanes * kernel.output_words()}]")
    if o.input:
        write_npy(o.input, kernel.input(o.seed, o.values))


if __name__ == "__main__":
    main()
