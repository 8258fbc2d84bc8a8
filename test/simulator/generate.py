#!/usr/bin/env python3
"""generate.py --seed=N --chip=CHIP [--ops=N] - writes a random lowered kernel, for the simulator and the hardware to agree on.

Integer and float arithmetic of every width, conversions, divergent branches and loops, exchanges through shared memory with
barriers, and the chip's cross-lane instructions. The kernel is @k(in: i32[2 * 128 * 4], out: i32[2 * 128 * 8]) for a grid of 2
programs of 128 threads. NaNs are made one and the same after every operation, as their bits mean nothing. Nothing
approximate occurs: results have to agree bit for bit.
"""
import argparse
import random

THREADS, INPUTS, OUTPUTS = 128, 4, 8
INTS, FLOATS = ["i8", "i16", "i32", "i64"], ["f16", "bf16", "f32", "f64"]
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
NAN = {"f16": 0x7E00, "bf16": 0x7FC0, "f32": 0x7FC00000, "f64": 0x7FF8000000000000}
INFINITY = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F800000, "f64": 0x7FF0000000000000}


class Kernel:
    def __init__(self, seed, chip, ops):
        self.random = random.Random(f"{seed} {chip}")
        self.chip, self.amd = chip, chip.startswith("gfx")
        self.lanes = 64 if chip in ("gfx90a", "gfx942", "gfx950") else 32
        self.lines, self.count, self.constants = [], 0, {}
        self.pool = {t: [] for t in INTS + FLOATS}
        self.exchanges = 0
        self.begin()
        for _ in range(ops):
            self.step()
        self.finish()

    # ---- Text ----

    def emit(self, text):
        self.lines.append("  " + text)

    def value(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.emit(f"{name} = {text}")
        return name

    def constant(self, number, type):
        key = (number, type)
        if key not in self.constants:
            self.constants[key] = f"%c{len(self.constants)}"
        return self.constants[key]

    def block(self):
        self.count += 1
        return f"^b{self.count}"

    def pick(self, type):
        values = self.pool[type]
        # Later values more often: long chains.
        return values[-1 - min(int(self.random.expovariate(0.4)), len(values) - 1)]

    def add(self, type, name):
        self.pool[type].append(name)

    def one_nan(self, type, v):
        """Every NaN becomes the same one. In integers: a compiler sees through a comparison of floats."""
        integer, magnitude, infinity = f"i{BITS[type]}", (1 << BITS[type] - 1) - 1, INFINITY[type]
        bits = self.value(f"llvm.bitcast {v} : {type} to {integer}")
        low = self.value(f"llvm.and {bits}, {self.constant(magnitude, integer)} : {integer}")
        isnan = self.value(f'llvm.icmp "ugt" {low}, {self.constant(infinity, integer)} : {integer}')
        one = self.value(f"llvm.select {isnan}, {self.constant(NAN[type], integer)}, {bits} : i1, {integer}")
        return self.value(f"llvm.bitcast {one} : {integer} to {type}")

    def near_one(self, type, v):
        """Another exponent, between -16 and 15."""
        integer, fraction = f"i{BITS[type]}", 23 if type == "f32" else 52
        bias = 127 if type == "f32" else 1023
        bits = self.value(f"llvm.bitcast {v} : {type} to {integer}")
        rest = ((1 << BITS[type]) - 1) ^ ((2 * bias + 1 ^ 31) << fraction)
        low = self.value(f"llvm.and {bits}, {self.constant(rest - (1 << BITS[type]), integer)} : {integer}")
        moved = self.value(f"llvm.add {low}, {self.constant(bias - 16 << fraction, integer)} : {integer}")
        return self.value(f"llvm.bitcast {moved} : {integer} to {type}")

    def no_subnormal(self, type, v):
        """Zero for what is not larger than the smallest normal number."""
        integer, magnitude, smallest = f"i{BITS[type]}", (1 << BITS[type] - 1) - 1, 1 << (23 if type == "f32" else 52)
        bits = self.value(f"llvm.bitcast {v} : {type} to {integer}")
        low = self.value(f"llvm.and {bits}, {self.constant(magnitude, integer)} : {integer}")
        small = self.value(f'llvm.icmp "ule" {low}, {self.constant(smallest, integer)} : {integer}')
        flushed = self.value(f"llvm.select {small}, {self.constant(0, integer)}, {bits} : i1, {integer}")
        return self.value(f"llvm.bitcast {flushed} : {integer} to {type}")

    # ---- Operations ----

    def begin(self):
        if self.amd:
            self.tid, block = self.value("rocdl.workitem.id.x : i32"), self.value("rocdl.workgroup.id.x : i32")
        else:
            self.tid = self.value("nvvm.read.ptx.sreg.tid.x : i32")
            block = self.value("nvvm.read.ptx.sreg.ctaid.x : i32")
        first = self.value(f"llvm.mul {block}, {self.constant(THREADS, 'i32')} : i32")
        self.index = self.value(f"llvm.add {first}, {self.tid} : i32")
        for k in range(INPUTS):
            at = self.value(f"llvm.add {self.index}, {self.constant(2 * THREADS * k, 'i32')} : i32")
            p = self.value(f"llvm.getelementptr %in[{at}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32")
            self.add("i32", self.value(f"llvm.load {p} : !llvm.ptr<1> -> i32"))
        a, b, c, d = self.pool["i32"]
        low, high = (self.value(f"llvm.zext {x} : i32 to i64") for x in (a, b))
        high = self.value(f"llvm.shl {high}, {self.constant(32, 'i64')} : i64")
        self.add("i64", self.value(f"llvm.or {low}, {high} : i64"))
        self.add("i16", self.value(f"llvm.trunc {c} : i32 to i16"))
        self.add("i8", self.value(f"llvm.trunc {d} : i32 to i8"))
        self.add("f32", self.one_nan("f32", self.value(f"llvm.bitcast {a} : i32 to f32")))
        self.add("f32", self.value(f"llvm.sitofp {c} : i32 to f32"))
        self.add("f64", self.one_nan("f64", self.value(f"llvm.bitcast {self.pool['i64'][0]} : i64 to f64")))
        self.add("f16", self.one_nan("f16", self.value(f"llvm.bitcast {self.pool['i16'][0]} : i16 to f16")))
        small = self.value(f"llvm.and {d}, {self.constant(255, 'i32')} : i32")
        wide = self.value(f"llvm.uitofp {small} : i32 to f32")
        self.add("bf16", self.value(f"llvm.fptrunc {wide} : f32 to bf16"))

    def integer(self):
        t = self.random.choice(INTS)
        x, y = self.pick(t), self.pick(t)
        ops = ["add", "sub", "mul", "and", "or", "xor", "shift", "divide", "intr.smin", "intr.smax", "intr.umin",
               "intr.umax", "intr.abs", "intr.ctpop", "intr.ctlz", "intr.cttz", "intr.bitreverse", "intr.fshl", "compare",
               "intr.uadd.sat", "intr.ssub.sat", "mulhi"]
        op = self.random.choice(ops)
        if op == "shift":
            amount = self.value(f"llvm.and {y}, {self.constant(BITS[t] - 1, t)} : {t}")
            r = self.value(f"llvm.{self.random.choice(['shl', 'lshr', 'ashr'])} {x}, {amount} : {t}")
        elif op == "divide":
            masked = self.value(f"llvm.and {y}, {self.constant(31, t)} : {t}")
            divisor = self.value(f"llvm.add {masked}, {self.constant(1, t)} : {t}")
            r = self.value(f"llvm.{self.random.choice(['sdiv', 'udiv', 'srem', 'urem'])} {x}, {divisor} : {t}")
        elif op == "compare":
            predicate = self.random.choice(["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
            c = self.value(f'llvm.icmp "{predicate}" {x}, {y} : {t}')
            r = self.value(f"llvm.select {c}, {self.pick(t)}, {self.pick(t)} : i1, {t}")
        elif op == "mulhi":
            t, x, y = "i32", self.pick("i32"), self.pick("i32")
            ext = self.random.choice(["zext", "sext"])
            a, b = (self.value(f"llvm.{ext} {v} : i32 to i64") for v in (x, y))
            product, wide = self.value(f"llvm.mul {a}, {b} : i64"), self.constant(32, "i64")
            r = self.value(f"llvm.trunc {self.value(f'llvm.lshr {product}, {wide} : i64')} : i64 to i32")
        elif op == "intr.abs":
            r = self.value(f'"llvm.intr.abs"({x}) <{{is_int_min_poison = false}}> : ({t}) -> {t}')
        elif op in ("intr.ctlz", "intr.cttz"):
            r = self.value(f'"llvm.{op}"({x}) <{{is_zero_poison = false}}> : ({t}) -> {t}')
        elif op in ("intr.ctpop", "intr.bitreverse"):
            r = self.value(f"llvm.{op}({x}) : ({t}) -> {t}")
        elif op == "intr.fshl":
            r = self.value(f"llvm.intr.fshl({x}, {y}, {self.pick(t)}) : ({t}, {t}, {t}) -> {t}")
        elif op.startswith("intr."):
            r = self.value(f"llvm.{op}({x}, {y}) : ({t}, {t}) -> {t}")
        else:
            r = self.value(f"llvm.{op} {x}, {y} : {t}")
        self.add(t, r)

    def floating(self):
        t = self.random.choice(FLOATS)
        x, y = self.pick(t), self.pick(t)
        binary = ["fadd", "fsub", "fmul"]
        calls = ["minnum", "maxnum", "copysign", "fabs", "floor", "ceil", "trunc", "roundeven", "fma", "fneg", "compare"]
        if t in ("f32", "f64"):
            calls += ["minimum", "maximum", "sqrt", "fdiv"]
        op = self.random.choice(binary + calls)
        if op in binary or op == "fdiv":
            if op == "fdiv" and self.amd:
                # The emulator's v_div_scale and v_div_fmas are not exact where quotients are subnormal.
                r = self.no_subnormal(t, self.value(f"llvm.fdiv {x}, {self.near_one(t, y)} : {t}"))
            else:
                r = self.value(f"llvm.{op} {x}, {y} : {t}")
        elif op == "fneg":
            r = self.value(f"llvm.fneg {x} : {t}")
        elif op == "compare":
            predicate = self.random.choice(["oeq", "une", "olt", "ole", "ogt", "oge", "ult", "ule", "ugt", "uge", "ord", "uno"])
            c = self.value(f'llvm.fcmp "{predicate}" {x}, {y} : {t}')
            r = self.value(f"llvm.select {c}, {self.pick(t)}, {self.pick(t)} : i1, {t}")
        elif op == "fma":
            r = self.value(f"llvm.intr.fma({x}, {y}, {self.pick(t)}) : ({t}, {t}, {t}) -> {t}")
        elif op in ("minnum", "maxnum", "copysign", "minimum", "maximum"):
            r = self.value(f"llvm.intr.{op}({x}, {y}) : ({t}, {t}) -> {t}")
        else:
            r = self.value(f"llvm.intr.{op}({x}) : ({t}) -> {t}")
        self.add(t, self.one_nan(t, r))

    def convert(self):
        kind = self.random.choice(["int", "float", "toint", "tofloat", "bits"])
        if kind == "int":
            a, b = self.random.sample(INTS, 2)
            op = "trunc" if BITS[a] > BITS[b] else self.random.choice(["zext", "sext"])
            self.add(b, self.value(f"llvm.{op} {self.pick(a)} : {a} to {b}"))
        elif kind == "float":
            a, b = self.random.choice([("f16", "f32"), ("bf16", "f32"), ("f32", "f64"), ("f64", "f32"), ("f32", "f16"), ("f32", "bf16")])
            op = "fpext" if BITS[a] < BITS[b] else "fptrunc"
            self.add(b, self.one_nan(b, self.value(f"llvm.{op} {self.pick(a)} : {a} to {b}")))
        elif kind == "toint":
            a, b = self.random.choice(["f32", "f64"]), self.random.choice(["i32", "i64"])
            sign = self.random.choice("su")
            self.add(b, self.value(f'llvm.call_intrinsic "llvm.fpto{sign}i.sat"({self.pick(a)}) : ({a}) -> {b}'))
        elif kind == "tofloat":
            a, b = self.random.choice(["i8", "i16", "i32", "i64"]), self.random.choice(["f32", "f64"])
            self.add(b, self.value(f"llvm.{self.random.choice(['sitofp', 'uitofp'])} {self.pick(a)} : {a} to {b}"))
        else:
            a, b = self.random.choice([("f32", "i32"), ("f64", "i64"), ("f16", "i16")])
            self.add(b, self.value(f"llvm.bitcast {self.pick(a)} : {a} to {b}"))

    def exchange(self):
        """Through shared memory: stored by thread, read from a permutation."""
        self.exchanges += 1
        odd, shift = 2 * self.random.randrange(THREADS // 2) + 1, self.random.randrange(THREADS)
        v = self.pick("i32")
        base = self.value("llvm.mlir.addressof @exchange : !llvm.ptr<3>")
        p = self.value(f"llvm.getelementptr {base}[{self.tid}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32")
        scaled = self.value(f"llvm.mul {self.tid}, {self.constant(odd, 'i32')} : i32")
        moved = self.value(f"llvm.add {scaled}, {self.constant(shift, 'i32')} : i32")
        other = self.value(f"llvm.and {moved}, {self.constant(THREADS - 1, 'i32')} : i32")
        q = self.value(f"llvm.getelementptr {base}[{other}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32")
        barrier = "rocdl.barrier" if self.amd else "nvvm.barrier0"
        self.emit(f"llvm.store {v}, {p} : i32, !llvm.ptr<3>")
        self.emit(barrier)
        self.add("i32", self.value(f"llvm.load {q} : !llvm.ptr<3> -> i32"))
        self.emit(barrier)

    def rows(self):
        """ldmatrix and stmatrix of rows of 16 bytes, in an order of their own."""
        self.exchanges += 1
        base = self.value("llvm.mlir.addressof @exchange : !llvm.ptr<3>")
        p = self.value(f"llvm.getelementptr {base}[{self.tid}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32")
        self.emit(f"llvm.store {self.pick('i32')}, {p} : i32, !llvm.ptr<3>")
        self.emit("nvvm.barrier0")
        odd, shift = 2 * self.random.randrange(16) + 1, self.random.randrange(32)
        scaled = self.value(f"llvm.mul {self.tid}, {self.constant(odd, 'i32')} : i32")
        moved = self.value(f"llvm.add {scaled}, {self.constant(shift, 'i32')} : i32")
        row = self.value(f"llvm.and {moved}, {self.constant(31, 'i32')} : i32")
        q = self.value(f"llvm.getelementptr {base}[{row}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>")
        n, layout = self.random.choice([1, 2, 4]), self.random.choice(["row", "col"])
        shape = "shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>"
        type = "i32" if n == 1 else f"!llvm.struct<({', '.join(['i32'] * n)})>"
        r = self.value(f"nvvm.ldmatrix {q} {{num = {n} : i32, layout = #nvvm.mma_layout<{layout}>, {shape}}} : (!llvm.ptr<3>) -> {type}")
        for k in range(n):
            self.add("i32", r if n == 1 else self.value(f"llvm.extractvalue {r}[{k}] : {type}"))
        self.emit("nvvm.barrier0")
        # Each warp stores its eight rows.
        lane = self.value(f"llvm.and {self.tid}, {self.constant(7, 'i32')} : i32")
        turned = self.value(f"llvm.xor {lane}, {self.constant(self.random.randrange(8), 'i32')} : i32")
        warp = self.value(f"llvm.lshr {self.tid}, {self.constant(5, 'i32')} : i32")
        first = self.value(f"llvm.shl {warp}, {self.constant(3, 'i32')} : i32")
        mine = self.value(f"llvm.or {first}, {turned} : i32")
        t = self.value(f"llvm.getelementptr {base}[{mine}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>")
        layout = self.random.choice(["row", "col"])
        self.emit(f"nvvm.stmatrix {t}, {self.pick('i32')} {{layout = #nvvm.mma_layout<{layout}>, {shape}}} : !llvm.ptr<3>, i32")
        self.emit("nvvm.barrier0")
        self.add("i32", self.value(f"llvm.load {p} : !llvm.ptr<3> -> i32"))
        self.emit("nvvm.barrier0")

    def copies(self):
        """cp.async of 4, 8 or 16 bytes, a part of them zeros."""
        self.exchanges += 1
        size = self.random.choice([4, 8, 16])
        odd, shift = 2 * self.random.randrange(64) + 1, self.random.randrange(THREADS)
        base = self.value("llvm.mlir.addressof @exchange : !llvm.ptr<3>")
        scaled = self.value(f"llvm.mul {self.tid}, {self.constant(odd, 'i32')} : i32")
        moved = self.value(f"llvm.add {scaled}, {self.constant(shift, 'i32')} : i32")
        other = self.value(f"llvm.and {moved}, {self.constant(THREADS - 1, 'i32')} : i32")
        element = f"vector<{size}xi8>"
        source = self.value(f"llvm.getelementptr %in[{other}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {element}")
        to = self.value(f"llvm.getelementptr {base}[{self.tid}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, {element}")
        modifier = "cg" if size == 16 else "ca"
        if self.random.random() < 0.5:
            count = self.value(f"llvm.and {self.pick('i32')}, {self.constant(size - 1, 'i32')} : i32")
            self.emit(f"nvvm.cp.async.shared.global {to}, {source}, {size}, cache = {modifier}, {count} : !llvm.ptr<3>, !llvm.ptr<1>, i32")
        else:
            self.emit(f"nvvm.cp.async.shared.global {to}, {source}, {size}, cache = {modifier} : !llvm.ptr<3>, !llvm.ptr<1>")
        self.emit("nvvm.cp.async.commit.group")
        self.emit("nvvm.cp.async.wait.group 0")
        self.emit("nvvm.barrier0")
        q = self.value(f"llvm.getelementptr {base}[{other}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32")
        self.add("i32", self.value(f"llvm.load {q} : !llvm.ptr<3> -> i32"))
        self.emit("nvvm.barrier0")

    def float8(self):
        """Two f32 to 8-bit floats and back to f16."""
        t = self.random.choice(["e4m3", "e5m2"])
        pair = self.value(f'llvm.call_intrinsic "llvm.nvvm.ff.to.{t}x2.rn"({self.pick("f32")}, {self.pick("f32")}) : (f32, f32) -> i16')
        if self.random.random() < 0.5:
            pair = self.pick("i16")
        both = self.value(f'llvm.call_intrinsic "llvm.nvvm.{t}x2.to.f16x2.rn"({pair}) : (i16) -> vector<2xf16>')
        for k in range(2):
            v = self.value(f"llvm.extractelement {both}[{self.constant(k, 'i32')} : i32] : vector<2xf16>")
            self.add("f16", self.one_nan("f16", v))

    def lanes_nvidia(self):
        v, all = self.pick("i32"), self.constant(-1, "i32")
        op = self.random.choice(["bfly", "up", "down", "idx", "segment", "ballot", "redux", "any"])
        distance = self.constant(self.random.randrange(32), "i32")
        if op in ("bfly", "down", "idx"):
            r = self.value(f"nvvm.shfl.sync {op} {all}, {v}, {distance}, {self.constant(31, 'i32')} : i32 -> i32")
        elif op == "up":
            r = self.value(f"nvvm.shfl.sync up {all}, {v}, {distance}, {self.constant(0, 'i32')} : i32 -> i32")
        elif op == "segment":
            clamp = self.constant(24 << 8 | 31, "i32")
            s = self.value(f"nvvm.shfl.sync idx {all}, {v}, {distance}, {clamp} {{return_value_and_is_valid}} : i32 -> !llvm.struct<(i32, i1)>")
            value, valid = (self.value(f"llvm.extractvalue {s}[{k}] : !llvm.struct<(i32, i1)>") for k in (0, 1))
            r = self.value(f"llvm.select {valid}, {value}, {self.pick('i32')} : i1, i32")
        elif op == "redux":
            kind = self.random.choice(["add", "and", "or", "xor", "max", "min", "umax", "umin"])
            r = self.value(f"nvvm.redux.sync {kind} {v}, {all} : i32 -> i32")
        else:
            c = self.value(f'llvm.icmp "slt" {v}, {self.pick("i32")} : i32')
            if op == "ballot":
                r = self.value(f"nvvm.vote.sync ballot {all}, {c} -> i32")
            else:
                s = self.value(f"nvvm.vote.sync {self.random.choice(['any', 'all', 'uni'])} {all}, {c} -> i1")
                r = self.value(f"llvm.zext {s} : i1 to i32")
        self.add("i32", r)

    def lanes_amd(self):
        v, old = self.pick("i32"), self.pick("i32")
        op = self.random.choice(["bpermute", "dpp", "ballot", "readlane", "readfirstlane", "mbcnt"])
        if op == "bpermute":
            masked = self.value(f"llvm.and {self.pick('i32')}, {self.constant(self.lanes - 1, 'i32')} : i32")
            address = self.value(f"llvm.shl {masked}, {self.constant(2, 'i32')} : i32")
            r = self.value(f"rocdl.ds_bpermute {address}, {v} : (i32, i32) -> i32")
        elif op == "dpp":
            n = self.random.randrange(1, 16)
            controls = [self.random.randrange(256), 0x100 + n, 0x110 + n, 0x120 + n, 0x140, 0x141]
            if self.lanes == 32:
                controls += [0x150 + n, 0x160 + n]
            row, bank = self.random.choice([15, 15, 10, 5]), self.random.choice([15, 15, 6])
            bound = self.random.choice(["true", "false"])
            r = self.value(f"rocdl.update.dpp {old}, {v} with {self.random.choice(controls)}, {row}, {bank}, {bound} : i32")
        elif op == "ballot":
            c = self.value(f'llvm.icmp "slt" {v}, {old} : i32')
            if self.lanes == 64:
                self.add("i64", self.value(f"rocdl.ballot {c} : i64"))
                return
            r = self.value(f"rocdl.ballot {c} : i32")
        elif op == "readlane":
            r = self.value(f"rocdl.readlane {v}, {self.constant(self.random.randrange(self.lanes), 'i32')} : (i32, i32) -> i32")
        elif op == "readfirstlane":
            r = self.value(f"rocdl.readfirstlane {v} : i32")
        else:
            half = self.random.choice(["lo", "hi"]) if self.lanes == 64 else "lo"
            # Not of a DPP move itself: RDNA has v_mbcnt with DPP, which the emulator executes without the move.
            mask = self.value(f"llvm.xor {v}, {self.constant(-1, 'i32')} : i32")
            r = self.value(f"rocdl.mbcnt.{half} {mask}, {old} : (i32, i32) -> i32")
        self.add("i32", r)

    def branch(self):
        """Lanes part, compute and meet."""
        t = self.random.choice(["i32", "f32", "i64"])
        c = self.value(f'llvm.icmp "slt" {self.pick("i32")}, {self.pick("i32")} : i32')
        yes, no, join = self.block(), self.block(), self.block()
        self.emit(f"llvm.cond_br {c}, {yes}, {no}")
        saved = {k: list(v) for k, v in self.pool.items()}
        for label in (yes, no):
            self.lines.append(f"{label}:")
            self.pool = {k: list(v) for k, v in saved.items()}
            for _ in range(self.random.randrange(1, 4)):
                self.random.choice([self.integer, self.floating])()
            self.emit(f"llvm.br {join}({self.pick(t)} : {t})")
        self.pool = saved
        self.count += 1
        self.lines.append(f"{join}(%v{self.count}: {t}):")
        self.add(t, f"%v{self.count}")

    def loop(self):
        """Each lane goes round a number of times of its own."""
        n = self.value(f"llvm.and {self.pick('i32')}, {self.constant(7, 'i32')} : i32")
        header, body, exit = self.block(), self.block(), self.block()
        start = self.pick("i32")
        self.emit(f"llvm.br {header}({self.constant(0, 'i32')}, {start} : i32, i32)")
        self.count += 2
        k, v = f"%v{self.count - 1}", f"%v{self.count}"
        self.lines.append(f"{header}({k}: i32, {v}: i32):")
        more = self.value(f'llvm.icmp "slt" {k}, {n} : i32')
        self.emit(f"llvm.cond_br {more}, {body}, {exit}")
        self.lines.append(f"{body}:")
        saved = {t: list(p) for t, p in self.pool.items()}
        self.add("i32", v)
        for _ in range(self.random.randrange(1, 3)):
            self.integer()
        mixed = self.value(f"llvm.xor {self.pick('i32')}, {k} : i32")
        next = self.value(f"llvm.add {k}, {self.constant(1, 'i32')} : i32")
        self.emit(f"llvm.br {header}({next}, {mixed} : i32, i32)")
        self.lines.append(f"{exit}:")
        self.pool = saved
        self.add("i32", v)

    def step(self):
        kinds = [self.integer] * 5 + [self.floating] * 6 + [self.convert] * 3 + [self.exchange, self.branch, self.loop]
        kinds += [self.lanes_amd] * 3 if self.amd else [self.lanes_nvidia] * 3 + [self.rows, self.copies, self.float8]
        self.random.choice(kinds)()

    # ---- Results ----

    def words(self, t, v):
        """The value as i32 words."""
        if t in FLOATS:
            i = f"i{BITS[t]}"
            v, t = self.value(f"llvm.bitcast {v} : {t} to {i}"), i
        if t == "i64":
            # Not the lower half alone: ptxas 13.0 stores an integer that was converted to f64 in its place.
            high = self.value(f"llvm.lshr {v}, {self.constant(32, 'i64')} : i64")
            low = self.value(f"llvm.xor {v}, {high} : i64")
            return [self.value(f"llvm.trunc {x} : i64 to i32") for x in (low, high)]
        return [v if t == "i32" else self.value(f"llvm.zext {v} : {t} to i32")]

    def finish(self):
        words = []
        for t in ("f32", "i32", "f64", "f16", "bf16", "i64", "i8", "i16"):
            words += self.words(t, self.pool[t][-1])
        mixed = words[OUTPUTS - 1]
        for w in words[OUTPUTS:]:
            rotated = self.value(f"llvm.intr.fshl({mixed}, {mixed}, {self.constant(5, 'i32')}) : (i32, i32, i32) -> i32")
            mixed = self.value(f"llvm.xor {rotated}, {w} : i32")
        for k, w in enumerate(words[:OUTPUTS - 1] + [mixed]):
            at = self.value(f"llvm.add {self.index}, {self.constant(2 * THREADS * k, 'i32')} : i32")
            p = self.value(f"llvm.getelementptr %out[{at}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32")
            self.emit(f"llvm.store {w}, {p} : i32, !llvm.ptr<1>")
        self.emit("llvm.return")

    def text(self):
        if self.amd:
            attributes = f'rocdl.kernel, rocdl.flat_work_group_size = "{THREADS},{THREADS}", rocdl.reqd_work_group_size = array<i32: {THREADS}, 1, 1>'
        else:
            attributes = f"nvvm.kernel, nvvm.reqntid = array<i32: {THREADS}, 1, 1>"
        linkage = "internal" if self.amd else "external"
        shared = f"llvm.mlir.global {linkage} @exchange() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<{4 * THREADS} x i32>\n"
        constants = "".join(f"  {name} = llvm.mlir.constant({number} : {t}) : {t}\n" for (number, t), name in self.constants.items())
        return (shared if self.exchanges else "") + (
            "llvm.func @k(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})\n"
            f"    attributes {{{attributes}}} {{\n" + constants + "\n".join(self.lines) + "\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--chip", required=True)
    parser.add_argument("--ops", type=int, default=60)
    o = parser.parse_args()
    print(Kernel(o.seed, o.chip, o.ops).text(), end="")


if __name__ == "__main__":
    main()
