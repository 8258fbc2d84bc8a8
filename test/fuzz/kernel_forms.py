"""kernel_forms.py - random matrix products in the forms that programs are written in: a loop along K over blocks of two matrices,
in programs that take blocks of the result, through pointers or descriptors.

What varies is what the compiler decides by: sizes that are no multiples of blocks, rows of any length, columns that begin between
multiples, wrapped rows, masks, strides that are constants or arguments, which of them are declared to be multiples, matrices that
lie transposed, batches, persistent loops, shared K, bounds that depend on the program, and what follows the sum. All is exact, as in
kernel_products.py.
"""
import random

from kernel_data import float_bits, size_of
from kernel_ir import Param, Value, elem_text
from kernel_ops import constant_text

TYPES = ("f16",) * 6 + ("bf16",) * 3 + ("f32", "i8", "i8", "f8E4M3FN", "f8E5M2")
WORK = 12 << 20  # multiplications of a kernel


class Text:
    """A kernel that is its text."""

    def __init__(self, name, grid, warps):
        self.name, self.grid, self.warps = name, grid, warps
        self.params, self.head, self.lines = [], [], []

    def text(self):
        body = "".join(f"  {line}\n" for line in self.lines)
        return f"func.func @{self.name}({', '.join(self.head)}) attributes {{tile.kernel}} {{\n{body}  return\n}}\n"


class Matrix:
    """rows x k elements; `turned`: k is the outer dimension in memory. `pitch` elements lie between outer lines."""

    def __init__(self, rows, k, turned, pitch, batch, way):
        self.rows, self.k, self.turned, self.pitch, self.batch, self.way = rows, k, turned, pitch, batch, way


def shape(dims, elem):
    return f"tensor<{'x'.join(map(str, dims))}x{elem_text(elem)}>"


class FormGenerator:
    def __init__(self, seed, name, options):
        self.rng, self.options, self.count, self.consts = random.Random(f"form {seed}"), options, 0, {}
        self.kernel = Text(name, [1, 1, 1], options.warps)

        self.in_place = True  # no element is stored to twice
        self.tame = self.rng.random() < 0.5  # mostly what the copy engine takes

    # Text.

    def chance(self, p):
        return self.rng.random() < p

    def seldom(self, p):
        """What keeps the copy engine out."""
        return self.rng.random() < (p / 8 if self.tame else p)

    def line(self, text):
        self.kernel.lines.append(text)

    def op(self, text):
        self.count += 1
        self.line(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def const(self, number, type_="i32"):
        if (number, type_) not in self.consts:
            self.count += 1
            name = self.consts[number, type_] = f"%c{self.count}"
            self.kernel.lines.insert(0, f"{name} = arith.constant {number} : {type_}")
        return self.consts[number, type_]

    def dense(self, number, dims, elem):
        return self.const(f"dense<{number if elem[0] == 'i' else float(number)}>", shape(dims, elem))

    def range(self, n):
        if ("range", n) not in self.consts:
            self.consts["range", n] = f"%r{n}"
            self.kernel.lines.insert(0, f"%r{n} = tile.make_range 0 to {n} : tensor<{n}xi32>")
        return self.consts["range", n]

    def arith(self, name, a, b, type_="i32"):
        return self.op(f"arith.{name} {a}, {b} : {type_}")

    # Parameters.

    def param(self, type_, attrs=()):
        name = f"%a{len(self.kernel.head)}"
        self.kernel.head.append(f"{name}: {type_}" + (f" {{{', '.join(attrs)}}}" if attrs else ""))
        return name

    def buffer_value(self, elem, count, written=False):
        self.kernel.params.append(Param(Value((), "ptr:" + elem), count, self.rng.getrandbits(32), written=written, whole=True))

    def pointer(self, elem, count, written=False, aligned=0.85):
        self.buffer_value(elem, count, written)
        attrs = ["tile.divisibility = 16 : i32"] if not self.seldom(1 - aligned) else []
        if not attrs and self.chance(0.5):
            self.kernel.params[-1].shift = self.rng.choice((1, 1, 2, 3, 4))
        if attrs and self.chance(0.1):
            attrs.append("tile.pointer_range = 32 : i32")
        return self.param(f"!tile.ptr<{elem}>", attrs)

    def scalar(self, number, type_="i32"):
        """An argument, or sometimes a constant."""
        if self.seldom(0.2):
            return self.const(number, type_)
        self.kernel.params.append(Param(Value((), type_), number=number))
        return self.param(type_, ["tile.divisibility = 16 : i32"] if number % 16 == 0 and not self.seldom(0.3) else [])

    def descriptor(self, elem, box, sizes, pitches, written=False):
        """A parameter, or one made of a pointer and sizes."""
        type_ = f"!tile.desc<{'x'.join(map(str, box))}x{elem}>"
        total = sizes[0] * pitches[0]
        if self.chance(0.6):
            self.buffer_value(elem, total, written)
            for n in sizes:
                self.kernel.params.append(Param(Value((), "i32"), number=n))
            for n in pitches:
                self.kernel.params.append(Param(Value((), "i64"), number=n))
            return self.param(type_), type_
        base = self.pointer(elem, total, written, aligned=1)
        sizes = [self.scalar(n) for n in sizes]
        strides = []
        for n in pitches[:-1]:
            s = self.scalar(n)
            strides.append(self.op(f"arith.extsi {s} : i32 to i64"))
        strides.append(self.const(1, "i64"))
        text = f"tile.make_desc {base} shape [{', '.join(sizes)}] strides [{', '.join(strides)}] : {type_}"
        return self.op(text), type_

    # Tensors of offsets.

    def splat(self, v, dims, elem="i32"):
        return self.op(f"tile.splat {v} : {shape(dims, elem)}")

    def along(self, v, n, axis, elem="i32"):
        """A vector as one of rows (axis 0) or columns of a matrix."""
        dims = (n, 1) if axis == 0 else (1, n)
        return self.op(f"tile.expand_dims {v} axis = {1 - axis} : {shape((n,), elem)} -> {shape(dims, elem)}"), dims

    def spread(self, v, dims, to, elem="i32"):
        return v if dims == to else self.op(f"tile.broadcast {v} : {shape(dims, elem)} -> {shape(to, elem)}")

    def numbers(self, first, n):
        """first, first + 1, ..."""
        return self.arith("addi", self.splat(first, (n,)), self.range(n), shape((n,), "i32"))

    def below(self, numbers, n, bound):
        name = "ult" if self.chance(0.1) else "slt"
        return self.arith(f"cmpi {name},", numbers, self.splat(bound, (n,)), shape((n,), "i32")).replace(",,", ",")

    def addresses(self, base, elem, rows, columns, dims, row_stride, column_stride):
        """Pointers to rows x columns (vectors of numbers); a stride of None is 1."""
        r, rd = self.along(rows, dims[0], 0)
        c, cd = self.along(columns, dims[1], 1)
        if row_stride is not None:
            r = self.arith("muli", *self.rng.sample([r, self.splat(row_stride, rd)], 2), shape(rd, "i32"))
        if column_stride is not None:
            c = self.arith("muli", c, self.splat(column_stride, cd), shape(cd, "i32"))
        if self.chance(0.5):
            both = self.arith("addi", self.spread(r, rd, dims), self.spread(c, cd, dims), shape(dims, "i32"))
            return self.op(f"tile.addptr {self.splat(base, dims, 'ptr:' + elem)}, {both} : {shape(dims, 'ptr:' + elem)}, {shape(dims, 'i32')}")
        first, fd, second, sd = (r, rd, c, cd) if self.chance(0.7) else (c, cd, r, rd)
        p = self.op(f"tile.addptr {self.splat(base, fd, 'ptr:' + elem)}, {first} : {shape(fd, 'ptr:' + elem)}, {shape(fd, 'i32')}")
        p = self.spread(p, fd, dims, "ptr:" + elem)
        return self.op(f"tile.addptr {p}, {self.spread(second, sd, dims)} : {shape(dims, 'ptr:' + elem)}, {shape(dims, 'i32')}")

    def mask(self, row_mask, column_mask, dims):
        masks = []
        for axis, m in enumerate((row_mask, column_mask)):
            if m is not None:
                v, d = self.along(m, dims[axis], axis, "i1")
                masks.append(self.spread(v, d, dims, "i1"))
        if len(masks) == 2:
            return self.arith("andi", masks[0], masks[1], shape(dims, "i1"))
        return masks[0] if masks else None

    # Matrices.

    def pitch(self, line, elem, aligned):
        """Elements between lines of so many."""
        unit = 16 // size_of(elem)
        if aligned or not self.seldom(0.4):
            return -(-line // unit) * unit + self.rng.choice((0, 0, unit, 64))
        return line + self.rng.choice((0, 0, 1, 3, 8))

    def factor(self, elem, rows, k, block_rows, block_k):
        """A matrix of rows x k with what its loads need."""
        turned, way = self.chance(0.4), self.rng.choice(("pointer", "pointer", "pointer", "descriptor"))
        line, lines = (rows, k) if turned else (k, rows)
        m = Matrix(rows, k, turned, self.pitch(line, elem, way == "descriptor"), 1, way)
        m.elem, m.block, m.rows_from = elem, (block_rows, block_k), None
        m.to = elem  # the factor's type
        if elem in ("f16", "bf16") and self.chance(0.12) and way == "pointer":
            m.elem, elem = "i8", "i8"
            m.pitch = self.pitch(line, elem, False)
        m.batch = self.batches if self.chance(0.8) else 1
        m.off = 0
        stored = (block_k, block_rows) if turned else (block_rows, block_k)
        if way == "descriptor":
            m.stored = stored
            if self.batches > 1:
                box, sizes, pitches = (1,) + stored, [m.batch, lines, line], [lines * m.pitch, m.pitch, 1]
            else:
                box, sizes, pitches = stored, [lines, line], [m.pitch, 1]
            m.desc, m.desc_type = self.descriptor(elem, box, sizes, pitches)
            return m
        m.off = self.rng.choice((1, 4, 8, 64)) if self.seldom(0.4) else 0
        m.base = self.pointer(elem, m.batch * lines * m.pitch + m.off + 64)
        if m.off:
            m.base = self.op(f"tile.addptr {m.base}, {(o := self.scalar(m.off))} : !tile.ptr<{elem}>, i32")
        m.stride, m.lines = self.scalar(m.pitch), lines
        if self.chance(0.08):
            m.rows_from = self.pointer("i32", rows + block_rows)
        m.wraps = self.chance(0.2) and rows >= block_rows
        m.turns = self.chance(0.35)  # is loaded as it lies transposed, then turned
        return m

    def at_batch(self, m, z):
        """The matrix's base in batch z."""
        if self.batches == 1 or m.batch == 1 or m.way == "descriptor":
            return getattr(m, "base", None)
        step = m.lines * m.pitch
        if self.chance(0.5):
            z64 = self.op(f"arith.extsi {z} : i32 to i64")
            offset, type_ = self.arith("muli", z64, self.scalar(step, "i64"), "i64"), "i64"
        else:
            offset, type_ = self.arith("muli", z, self.scalar(step)), "i32"
        return self.op(f"tile.addptr {m.base}, {offset} : !tile.ptr<{m.elem}>, {type_}")

    def trans(self, v, dims, elem):
        return self.op(f"tile.trans {v} order = [1, 0] : {shape(dims, elem)} -> {shape(dims[::-1], elem)}")

    def load(self, m, base, z, row0, k0, rows_bound, k_bound, as_columns):
        """A block [rows, k] (`as_columns`: [k, rows]) from row0 and k0 on."""
        rows, k = m.block
        wanted_k_first = as_columns
        if m.way == "descriptor":
            coords = [k0, row0] if m.turned else [row0, k0]
            if self.batches > 1:
                coords.insert(0, z if m.batch > 1 else self.const(0))
            v = self.op(f"tile.desc_load {m.desc}[{', '.join(coords)}] : {m.desc_type} -> {shape(m.stored, m.elem)}")
            return v if m.turned == wanted_k_first else self.trans(v, m.stored, m.elem)
        k_first = wanted_k_first != m.turns
        numbers = self.numbers(row0, rows)
        row_mask = None
        if m.wraps:
            numbers = self.arith("remsi" if self.chance(0.7) else "remui", numbers, self.splat(rows_bound, (rows,)), shape((rows,), "i32"))
        elif rows_bound is not None:
            row_mask = self.below(numbers, rows, rows_bound)
        numbers = self.listed(m, numbers, row_mask)
        ks = self.numbers(k0, k)
        k_mask = self.below(ks, k, k_bound) if k_bound is not None else None
        row_stride, k_stride = (None, m.stride) if m.turned else (m.stride, None)
        if k_first:
            dims, args = (k, rows), (ks, numbers, (k, rows), k_stride, row_stride)
            masks = (k_mask, row_mask)
        else:
            dims, args = (rows, k), (numbers, ks, (rows, k), row_stride, k_stride)
            masks = (row_mask, k_mask)
        pointers = self.carried(m, base, args, as_columns, k_first) or self.addresses(base, m.elem, *args)
        mask = self.mask(*masks, dims)
        text = f"tile.load {pointers}"
        if mask is not None:
            text += f" mask {mask} other {self.dense(m.other, dims, m.elem)}"
        v = self.op(text + f" : {shape(dims, 'ptr:' + m.elem)}")
        if m.to != m.elem:
            v = self.op(f"arith.sitofp {v} : {shape(dims, m.elem)} to {shape(dims, m.to)}")
        return self.trans(v, dims, m.to) if m.turns else v

    def listed(self, m, numbers, mask):
        """The rows that a table names in place of these."""
        if m.rows_from is None:
            return numbers
        n = m.block[0]
        type_ = shape((n,), "i32")
        p = self.op(f"tile.addptr {self.splat(m.rows_from, (n,), 'ptr:i32')}, {numbers} : {shape((n,), 'ptr:i32')}, {type_}")
        v = self.op(f"tile.load {p}" + (f" mask {mask} other {self.dense(0, (n,), 'i32')}" if mask is not None else "") + f" : {shape((n,), 'ptr:i32')}")
        v = self.arith("andi", v, self.dense(15, (n,), "i32"), type_)
        return self.arith("remui", v, self.dense(m.rows, (n,), "i32"), type_)

    def carried(self, m, base, args, as_columns, k_first):
        """Pointers that the loop moves on: their name in the loop."""
        if not m.carries:
            return None
        lines, self.kernel.lines = self.kernel.lines, self.before  # in front of the loop
        k0 = self.numbers(self.low, self.bk)
        args = (k0,) + args[1:] if k_first else (args[0], k0) + args[2:]
        rows = self.numbers(*m.start)
        if m.wraps:
            rows = self.arith("remsi", rows, self.splat(m.start_bound, (m.block[0],)), shape((m.block[0],), "i32"))
        rows = self.listed(m, rows, None)
        args = (k0, rows) + args[2:] if k_first else (rows, k0) + args[2:]
        first = self.addresses(base, m.elem, *args)
        dims = args[2]
        step = self.arith("muli", self.const(self.bk), m.stride) if m.turned else self.const(self.bk)
        self.before, self.kernel.lines = self.kernel.lines, lines
        name = f"%p{len(self.carry)}"
        self.carry.append((name, first, shape(dims, "ptr:" + m.elem), self.splat(step, dims), shape(dims, "i32")))
        return name

    # The kernel.

    def generate(self):
        if self.rng.random() < 0.2:
            return self.generate_chain()
        rng = self.rng
        elem = self.elem = rng.choice(TYPES)
        self.sum_elem = "i32" if elem == "i8" else "f32"
        bm, bn = rng.choice((16, 32, 64, 64, 128, 128, 256)), rng.choice((16, 32, 64, 64, 128, 128, 256))
        if self.tame:
            bm, bn = max(bm, 64), max(bn, 32)
        if self.chance(self.options.odd):
            bn = rng.choice((24, 48, 80, 96, 192))
        bk = rng.choice((32, 64, 64, 128))
        if bm * bn > 128 * 128 * (2 if self.options.warps >= 8 else 1):
            bn = 64
        tm, tn, tk = rng.choice((1, 1, 2, 3)), rng.choice((1, 1, 2, 3)), rng.choice((1, 2, 3, 4, 5))
        self.batches = rng.choice((1, 1, 1, 1, 2, 3))
        while tm * tn * tk * bm * bn * bk * self.batches > WORK and (tm, tn, tk, self.batches) != (1, 1, 1, 1):
            tm, tn, tk, self.batches = max(tm - 1, 1), max(tn - 1, 1), max(tk - 1, 1), max(self.batches - 1, 1)
        cut = lambda n, b: max(n * b - rng.choice((0, 0, 8, 16, 1, 5, b // 2)), 1)
        m, n, k = cut(tm, bm), cut(tn, bn), cut(tk, bk)
        self.bm, self.bn, self.bk = bm, bn, bk
        odd_start = rng.choice((0, 0, 0, 1, 4, 8, 36)) if self.seldom(0.4) else 0  # columns of c begin here
        step_n = bn - rng.choice((4, 8, 12)) if self.seldom(0.12) and bn >= 32 else bn
        tn = max(-(-(n - odd_start) // step_n), 1)
        self.in_place = step_n == bn
        self.split = rng.choice((2, 3)) if self.chance(0.15) and step_n == bn else 1
        sm, sn, sk = (self.scalar(v) for v in (m, n, k))
        a, b = self.factor(elem, m, k, bm, bk), self.factor(elem, n, k, bn, bk)
        a.other = b.other = 0
        if self.seldom(0.4):
            (a if self.chance(0.5) else b).other = rng.choice((1, 2))
        out = self.outputs(m, n)

        persistent = self.chance(0.3) and self.split == 1
        tiles = tm * tn * (self.batches if self.batches > 1 else 1)
        if persistent:
            self.kernel.grid = [rng.choice((1, 2, 3, tiles, tiles + 1)), 1, 1]
            pid, num = self.op("tile.program_id x"), self.op("tile.num_programs x")
            self.hoist = len(self.kernel.lines)
            t = "%tile"
            self.line(f"scf.for {t} = {pid} to {self.scalar(tiles)} step {num} : i32 {{")
        else:
            t = None
            if self.batches > 1 or self.split > 1:
                self.kernel.grid = [tm * tn, self.batches, self.split]
            else:
                self.kernel.grid = [tm, tn, 1] if (flat := self.chance(0.4)) else [tm * tn, 1, 1]
        pm, pn, z = self.place(t, tm, tn)
        m0 = self.arith("muli", pm, self.const(bm))
        n0 = self.arith("muli", pn, self.const(step_n))
        if odd_start:
            n0 = self.arith("addi", n0, self.scalar(odd_start))
        self.z = z
        low, high, part = self.const(0), sk, None
        causal = self.chance(0.12) and self.split == 1
        if self.split > 1:
            size = -(-k // self.split)
            size = -(-size // bk) * bk if self.chance(0.6) else size
            pz, each = self.op("tile.program_id z"), self.scalar(size)
            low = self.arith("muli", pz, each)
            high = self.arith("minsi", self.arith("addi", low, each), sk)
        elif causal:
            high = self.arith("minsi", self.arith("addi", m0, self.const(bm)), sk)
        elif self.chance(0.1):  # a window
            w = self.scalar(rng.choice((bk, bk // 2, 2 * bk, 1)))
            low = self.arith("maxsi", self.arith("subi", m0, w), self.const(0))
        total = self.loop(a, b, m0, n0, low, high, (sm, sn, sk), causal, m, n, k, low == self.const(0) and self.split == 1)
        self.store(out, total, m0, n0, sm, sn)
        if persistent:
            attrs = []
            self.line("}" + (" {" + ", ".join(attrs) + "}" if attrs else ""))
        return self.kernel

    def place(self, t, tm, tn):
        """Row and column of a program's block, and its batch."""
        zero = self.const(0)
        if t is None and self.kernel.grid[1] > 1 and self.batches == 1 and self.split == 1:
            return self.op("tile.program_id x"), self.op("tile.program_id y"), zero
        z, t0 = zero, t
        if t is None:
            t0 = self.op("tile.program_id x")
            if self.batches > 1:
                z = self.op("tile.program_id y")
        elif self.batches > 1:
            per = self.const(tm * tn)
            z, t0 = self.arith("divui", t0, per), self.arith("remui", t0, per)
        width = self.scalar(tn) if t is None else self.const(tn)
        d = self.rng.choice("su")
        return self.arith(f"div{d}i", t0, width), self.arith(f"rem{d}i", t0, width), z

    def loop(self, a, b, m0, n0, low, high, bounds, causal, m, n, k, known):
        rng, bm, bn, bk = self.rng, self.bm, self.bn, self.bk
        elem, acc_type = self.elem, shape((bm, bn), self.sum_elem)
        sm, sn, sk = bounds
        base_a, base_b = self.at_batch(a, self.z), self.at_batch(b, self.z)
        zero = self.dense(0, (bm, bn), self.sum_elem)
        self.carry, self.low = [], low
        for mat, first, bound in ((a, m0, sm), (b, n0, sn)):
            mat.carries = mat.way == "pointer" and self.chance(0.3)
            mat.start, mat.start_bound = (first, mat.block[0]), bound
        outer, self.kernel.lines, self.before = self.kernel.lines, [], []
        k_bound = None if known and k % bk == 0 and not causal and self.chance(0.6) else high if self.split > 1 else sk
        if self.split > 1 and (a.way == "descriptor" and b.way == "descriptor"):
            k_bound = high
        x = self.load(a, base_a, self.z, m0, "%kk", sm if a.way == "pointer" and (a.wraps or m % bm or self.chance(0.5)) else None, k_bound, False)
        y = self.load(b, base_b, self.z, n0, "%kk", sn, k_bound, True)
        if self.split > 1 or causal:
            x = self.cut(x, m0, high, causal)
            if self.split > 1:
                y = self.cut_columns(y, high)
        if self.chance(0.1) and elem in ("f16", "bf16"):
            x = self.arith("maxnumf", x, self.dense(0, (bm, bk), elem), shape((bm, bk), elem))
        if self.chance(0.1) and elem in ("f16", "bf16"):
            y = self.arith("mulf", y, self.dense(2, (bk, bn), elem), shape((bk, bn), elem))
        how = ""
        if elem == "f32":
            how = " precision = " + rng.choice(("tf32", "tf32", "ieee"))
        text = f"tile.dot {x}, {y}, %acc{how} : {shape((bm, bk), elem)} * {shape((bk, bn), elem)} -> {acc_type}"
        results = [self.op(text)]
        for name, _, type_, step, offsets in self.carry:
            results.append(self.op(f"tile.addptr {name}, {step} : {type_}, {offsets}"))
        types = ", ".join([acc_type] + [c[2] for c in self.carry])
        self.line(f"  scf.yield {', '.join(results)} : {types}")
        constants, body = [l for l in self.kernel.lines if self.is_constant(l)], [l for l in self.kernel.lines if not self.is_constant(l)]
        constants += [l for l in self.before if self.is_constant(l)]
        outer[:0] = constants
        self.kernel.lines = outer
        outer += [l for l in self.before if not self.is_constant(l)]
        inits = ", ".join([f"%acc = {zero}"] + [f"{c[0]} = {c[1]}" for c in self.carry])
        result = f"%sums:{1 + len(self.carry)}" if self.carry else "%sum"
        self.line(f"{result} = scf.for %kk = {low} to {high} step {self.const(bk)} iter_args({inits}) -> ({types}) : i32 {{")
        outer += body
        attrs = []
        if self.chance(0.4):
            attrs.append(f"tile.num_stages = {rng.randint(1, 5)} : i32")
        both = a.way == b.way == "descriptor" and self.split == 1
        if self.chance(0.5 if both else 0.25):
            attrs.append("tile.warp_specialize")
            if both and self.batches == 1 and not causal and self.chance(0.5):
                attrs.append(f"{rng.choice(('tile.split', 'tile.blocks', 'tile.column_blocks'))} = 2 : i32")
        self.line("}" + (f" {{{', '.join(attrs)}}}" if attrs else ""))
        return "%sums#0" if self.carry else "%sum"

    @staticmethod
    def is_constant(line):
        """Those go to the top."""
        return line.startswith(("%c", "%r")) and ("= arith.constant" in line or "= tile.make_range" in line)

    def cut(self, x, m0, high, causal):
        """Zeros where k is high or more, or more than the row."""
        bm, bk = self.bm, self.bk
        ks, kd = self.along(self.numbers("%kk", bk), bk, 1)
        dims = (bm, bk)
        if causal:
            rows, rd = self.along(self.numbers(m0, bm), bm, 0)
            rows, ks = self.spread(rows, rd, dims), self.spread(ks, kd, dims)
            mask = self.op(f"arith.cmpi sle, {ks}, {rows} : {shape(dims, 'i32')}")
        else:
            mask = self.spread(self.op(f"arith.cmpi slt, {ks}, {self.splat(high, kd)} : {shape(kd, 'i32')}"), kd, dims, "i1")
        return self.op(f"arith.select {mask}, {x}, {self.dense(0, dims, self.elem)} : {shape(dims, 'i1')}, {shape(dims, self.elem)}")

    def cut_columns(self, y, high):
        bk, bn = self.bk, self.bn
        ks, kd = self.along(self.numbers("%kk", bk), bk, 0)
        mask = self.spread(self.op(f"arith.cmpi slt, {ks}, {self.splat(high, kd)} : {shape(kd, 'i32')}"), kd, (bk, bn), "i1")
        return self.op(f"arith.select {mask}, {y}, {self.dense(0, (bk, bn), self.elem)} : {shape((bk, bn), 'i1')}, {shape((bk, bn), self.elem)}")

    # Two products.

    def generate_chain(self):
        """o += f(q k^T) v over blocks of keys, f the remainder of 16, and the sums of rows of f."""
        rng, z = self.rng, "%c0"
        elem = self.elem = rng.choice(("f16", "f16", "bf16"))
        self.sum_elem, self.batches, self.split = "f32", rng.choice((1, 1, 2)), 1
        bm, bn, d, e = rng.choice((64, 64, 128, 128, 32)), rng.choice((32, 64, 128)), rng.choice((32, 64, 128)), rng.choice((32, 64, 128))
        tq, tk = rng.choice((1, 2, 3)), rng.choice((1, 2, 3, 4))
        nq, nk = tq * bm - rng.choice((0, 0, 1, 24)), max(tk * bn - rng.choice((0, 0, 5, 16)), 1)
        snq, snk = self.scalar(nq), self.scalar(nk)
        q, k, v = self.factor(elem, nq, d, bm, d), self.factor(elem, nk, d, bn, d), self.factor(elem, e, nk, e, bn)
        for m in (q, k, v):
            m.other, m.carries = 0, False
        v.wraps = False
        self.bm, self.bn, self.bk = bm, e, bn
        out = self.outputs(nq, e)
        self.kernel.grid = [tq, self.batches, 1]
        self.z = z = self.op("tile.program_id y") if self.batches > 1 else self.const(0)
        m0 = self.arith("muli", self.op("tile.program_id x"), self.const(bm))
        zero = self.const(0)
        x = self.load(q, self.at_batch(q, z), z, m0, zero, snq, None, False)
        base_k, base_v = self.at_batch(k, z), self.at_batch(v, z)
        causal, full, block = self.chance(0.3), shape((bm, e), "f32"), shape((bm, bn), "f32")
        high = self.arith("minsi", self.arith("addi", m0, self.const(bm)), snk) if causal else snk
        o0, l0, s0 = self.dense(0, (bm, e), "f32"), self.dense(0, (bm,), "f32"), self.dense(0, (bm, bn), "f32")
        sixteen, part = self.dense(16, (bm, bn), "f32"), self.const("dense<0.0625>", block)
        none = self.dense(0, (bm, bn), "f32")
        types = f"{full}, {shape((bm,), 'f32')}"
        outer, self.kernel.lines = self.kernel.lines, []
        y = self.load(k, base_k, z, "%kk", zero, snk, None, True)
        s = self.op(f"tile.dot {x}, {y}, {s0} : {shape((bm, d), elem)} * {shape((d, bn), elem)} -> {block}")
        f = self.op(f"math.floor {self.arith('mulf', s, part, block)} : {block}")
        s = self.arith("subf", s, self.arith("mulf", f, sixteen, block), block)
        ks, kd = self.along(self.numbers("%kk", bn), bn, 1)
        if causal:
            rows, rd = self.along(self.numbers(m0, bm), bm, 0)
            mask = self.op(f"arith.cmpi sle, {self.spread(ks, kd, (bm, bn))}, {self.spread(rows, rd, (bm, bn))} : {shape((bm, bn), 'i32')}")
            s = self.op(f"arith.select {mask}, {s}, {none} : {shape((bm, bn), 'i1')}, {block}")
        mask = self.op(f"arith.cmpi slt, {ks}, {self.splat(snk, kd)} : {shape(kd, 'i32')}")
        s = self.op(f"arith.select {self.spread(mask, kd, (bm, bn), 'i1')}, {s}, {none} : {shape((bm, bn), 'i1')}, {block}")
        self.line(f"%red = tile.reduce {s} axis = 1 : {block} -> {shape((bm,), 'f32')} {{")
        self.line("^bb0(%x: f32, %y: f32):")
        self.line("  %xy = arith.addf %x, %y : f32")
        self.line("  tile.yield %xy : f32")
        self.line("}")
        l = self.arith("addf", "%l", "%red", shape((bm,), "f32"))
        p = self.op(f"arith.truncf {s} : {block} to {shape((bm, bn), elem)}")
        w = self.load(v, base_v, z, zero, "%kk", None, snk, True)
        o = self.op(f"tile.dot {p}, {w}, %o : {shape((bm, bn), elem)} * {shape((bn, e), elem)} -> {full}")
        self.line(f"scf.yield {o}, {l} : {types}")
        body, self.kernel.lines = self.kernel.lines, outer
        outer[:0] = [line for line in body if self.is_constant(line)]
        self.line(f"%sums:2 = scf.for %kk = {zero} to {high} step {self.const(bn)} iter_args(%o = {o0}, %l = {l0}) -> ({types}) : i32 {{")
        outer += [line for line in body if not self.is_constant(line)]
        attrs = [f"tile.num_stages = {rng.randint(1, 4)} : i32"] if self.chance(0.3) else []
        attrs += ["tile.warp_specialize"] if self.chance(0.4) else []
        self.line("}" + (f" {{{', '.join(attrs)}}}" if attrs else ""))
        l, ld = self.along("%sums#1", bm, 0, "f32")
        total = self.arith("addf", "%sums#0", self.spread(l, ld, (bm, e), "f32"), full)
        self.store(out, total, m0, zero, snq, self.scalar(e))
        return self.kernel

    # Behind the sum.

    def outputs(self, m, n):
        """What is stored where, and what is added: buffers, decided in front of all."""
        rng, out = self.rng, type("Out", (), {})()
        out.elem = self.sum_elem if self.split > 1 or self.sum_elem == "i32" else rng.choice(("f32", "f16", "f16", self.elem if self.elem in ("f16", "bf16") else "bf16"))
        out.turned = self.chance(0.15)
        out.way = rng.choice(("pointer", "pointer", "descriptor")) if (self.split == 1 or self.sum_elem == "f32") and not out.turned else "pointer"
        line, lines = (m, n) if out.turned else (n, m)
        unit = 16 // size_of(out.elem)
        if out.way == "descriptor" and line % unit:
            out.way = "pointer"
        out.pitch = self.pitch(line, out.elem, out.way == "descriptor")
        count = self.batches * lines * out.pitch + 64
        out.residual = out.bias = None
        if out.way == "descriptor":
            if self.batches > 1:
                box, sizes, pitches = (1, self.bm, self.bn), [self.batches, m, n], [m * out.pitch, out.pitch, 1]
            else:
                box, sizes, pitches = (self.bm, self.bn), [m, n], [out.pitch, 1]
            out.desc, out.type = self.descriptor(out.elem, box, sizes, pitches, True)
        else:
            out.base, out.stride, out.step = self.pointer(out.elem, count, True), self.scalar(out.pitch), lines * out.pitch
        if self.chance(0.25) and self.split == 1:
            out.residual_elem = rng.choice((out.elem, out.elem, self.sum_elem))
            if out.way == "pointer" and self.chance(0.3) and self.in_place:
                out.residual_elem, out.residual = out.elem, (out.base, out.stride)
            else:
                out.residual = self.pointer(out.residual_elem, count), self.scalar(out.pitch)
            out.residual_step = lines * out.pitch
        if self.chance(0.25):
            out.bias = self.pointer(self.sum_elem, n + 64)
        out.relu = self.chance(0.2)
        return out

    def based(self, base, elem, step):
        if self.batches == 1:
            return base
        return self.op(f"tile.addptr {base}, {self.arith('muli', self.z, self.const(step))} : !tile.ptr<{elem}>, i32")

    def store(self, out, total, m0, n0, sm, sn):
        bm, bn, s = self.bm, self.bn, self.sum_elem
        dims, full = (bm, bn), shape((bm, bn), self.sum_elem)
        rows, columns = self.numbers(m0, bm), self.numbers(n0, bn)
        row_in, column_in = self.below(rows, bm, sm), self.below(columns, bn, sn)
        add = "addi" if s == "i32" else "addf"
        strides = lambda stride: (None, stride) if out.turned else (stride, None)
        if out.bias:
            p = self.op(f"tile.addptr {self.splat(out.bias, (bn,), 'ptr:' + s)}, {columns} : {shape((bn,), 'ptr:' + s)}, {shape((bn,), 'i32')}")
            v = self.op(f"tile.load {p} mask {column_in} other {self.dense(0, (bn,), s)} : {shape((bn,), 'ptr:' + s)}")
            v, d = self.along(v, bn, 1, s)
            total = self.arith(add, total, self.spread(v, d, dims, s), full)
        if out.residual:
            base, elem = self.based(out.residual[0], out.residual_elem, out.residual_step), out.residual_elem
            p = self.addresses(base, elem, rows, columns, dims, *strides(out.residual[1]))
            v = self.op(f"tile.load {p} mask {self.mask(row_in, column_in, dims)} other {self.dense(1, dims, elem)} : {shape(dims, 'ptr:' + elem)}")
            if elem != s:
                v = self.op(f"arith.extf {v} : {shape(dims, elem)} to {full}")
            total = self.arith(add, total, v, full)
        if out.relu:
            total = self.arith("maxsi" if s == "i32" else "maxnumf", total, self.dense(0, dims, s), full)
        value = total if out.elem == s else self.op(f"arith.truncf {total} : {full} to {shape(dims, out.elem)}")
        if out.way == "descriptor":
            coords = ([self.z] if self.batches > 1 else []) + [m0, n0]
            adds = out.elem == "f32" and self.in_place and (self.split > 1 or self.chance(0.2))
            self.line(f"{'tile.desc_reduce add' if adds else 'tile.desc_store'} {out.desc}[{', '.join(coords)}], {value} : {out.type}, {shape(dims, out.elem)}")
        else:
            p = self.addresses(self.based(out.base, out.elem, out.step), out.elem, rows, columns, dims, *strides(out.stride))
            mask = self.mask(row_in, column_in, dims)
            if self.split > 1:
                self.op(f"tile.atomic_rmw {'add' if s == 'i32' else 'fadd'} {p}, {value} mask {mask} : {shape(dims, 'ptr:' + out.elem)}")
            else:
                self.line(f"tile.store {p}, {value} mask {mask} : {shape(dims, 'ptr:' + out.elem)}")


def generate_form(seed, name, options):
    return FormGenerator(seed, name, options).generate()
