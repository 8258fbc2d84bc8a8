"""kernel_products.py - random kernels of matrix products: in loops, branches and while loops, of factors that are loaded, computed or
results of other products, with reductions, scans, gathers and stores between them.

All is exact, whatever the order: floats are whole numbers below 2^24. What has grown is squashed to 0..15 (of f32: x - 16 floor(x / 16)).
"""
import random

from kernel_gen import Generator, Scope
from kernel_ir import For, If, Kernel, Op, Param, Value, While, remove_dead
from kernel_data import float_bits
from kernel_ops import constant_text

SIZES = (16, 32, 32, 64, 64, 128)
ODD = (8, 20, 24, 33, 48, 80, 96, 100)
TYPES = ("f16",) * 5 + ("bf16",) * 3 + ("f32", "f32", "i8", "i8", "f8E4M3FN", "f8E5M2")
WORK = 1 << 22  # multiplications of a program, in all rounds
SMALL, CARRIED, STEP = 16, 1 << 18, 1 << 15  # bounds: squashed, of what a loop carries, of what an iteration may add


class Sum:
    """A value [rows, columns] of f32 or i32, and a bound of its numbers."""

    def __init__(self, value, bound):
        self.value, self.bound = value, bound


class ProductGenerator(Generator):
    def __init__(self, seed, name, options):
        self.rng, self.options = random.Random(seed), options
        self.grid = [self.rng.choice((1, 1, 2, 3)), self.rng.choice((1, 1, 2)), 1]
        self.kernel = Kernel(name, self.grid, options.warps)
        self.block, self.scope, self.depth, self.loops = self.kernel.block, Scope(), 0, []
        self.shapes, self.elems, self.rounds, self.work = [], ["i32"], 1, 0
        self.elem = self.rng.choice(TYPES)
        self.sum_elem = "i32" if self.elem == "i8" else "f32"

    def dimension(self):
        return self.rng.choice(SIZES if self.rng.random() >= self.options.odd else ODD)

    # Numbers.

    def number_text(self, elem, number, shape):
        bits = float_bits(elem, float(number)) if elem[0] in "fb" else number & (1 << int(elem[1:])) - 1
        return constant_text(elem, bits, shape)

    def dense(self, shape, elem, number):
        return self.emit(self.number_text(elem, number, shape), (), shape, elem, pool=False)

    def apply(self, name, operands, elem=None):
        first = operands[0]
        types = "{t0} to {r0}" if elem else "{r0}"
        text = f"{name} " + ", ".join(f"{{{i}}}" for i in range(len(operands))) + f" : {types}"
        return self.emit(text, operands, first.shape, elem or first.elem, pool=False)

    def squash(self, x):
        """The remainder of 16."""
        if x.elem == "i32":
            return self.apply("arith.andi", (x, self.dense(x.shape, "i32", 15)))
        part = self.apply("arith.mulf", (x, self.dense(x.shape, "f32", 0.0625)))
        part = self.apply("arith.mulf", (self.apply("math.floor", (part,)), self.dense(x.shape, "f32", 16)))
        return self.apply("arith.subf", (x, part))

    def small(self, s):
        return s.value if s.bound <= SMALL else self.squash(s.value)

    # Memory.

    def start(self, per_round):
        """Offset of the current block: the program's part and one for each loop around; its largest value."""
        offset, most = None, 0
        if self.rng.random() < 0.7:
            programs = self.grid[0] * self.grid[1] * self.grid[2]
            offset, most = self.fix("arith.muli {0}, {1} : {r0}", (self.program(), self.known((), per_round)), ()), (programs - 1) * per_round
        for iv, last in self.loops:
            if self.rng.random() < 0.75:
                part = self.fix("arith.muli {0}, {1} : {r0}", (iv, self.known((), per_round)), ())
                offset = part if offset is None else self.fix("arith.addi {0}, {1} : {r0}", (offset, part), ())
                most += last * per_round
        return offset, most

    def line(self, size, axis, rank2):
        part = self.fix(f"tile.make_range 0 to {size} : {{r0}}", (), (size,))
        shape = (size, 1) if axis == 0 else (1, size)
        return self.fix(f"tile.expand_dims {{0}} axis = {1 - axis} : {{t0}} -> {{r0}}", (part,), shape)

    def spread(self, v, shape):
        return self.fix("tile.broadcast {0} : {t0} -> {r0}", (v,), shape, v.elem) if v.shape != shape else v

    def addresses(self, base, rows, columns, pitch, across, offset):
        """Pointers to a block; `across`: columns are far apart, not rows."""
        far, near = (columns, rows) if across else (rows, columns)
        axis = 1 if across else 0
        lead = self.bound_of(pitch)
        far = self.fix("arith.muli {0}, {1} : {r0}", (f := self.line(far, axis, 0), self.splat(lead, f.shape)), f.shape)
        near, shape = self.line(near, 1 - axis, 0), (rows, columns)
        if offset is not None and self.rng.random() < 0.5:
            base, offset = self.fix("tile.addptr {0}, {1} : {t0}, {t1}", (base, offset), (), base.elem), None
        if self.rng.random() < 0.5:  # pointers to rows first
            pointers = self.add(base, far)
            pointers = self.fix("tile.addptr {0}, {1} : {t0}, {t1}", (self.spread(pointers, shape), self.spread(near, shape)), shape, base.elem)
        else:
            both = self.fix("arith.addi {0}, {1} : {r0}", (self.spread(far, shape), self.spread(near, shape)), shape)
            pointers = self.add(base, both)
        if offset is not None:
            pointers = self.fix("tile.addptr {0}, {1} : {t0}, {t1}", (pointers, self.splat(offset, shape)), shape, base.elem)
        return pointers

    def bound_of(self, number):
        return self.known((), number) if self.rng.random() < 0.6 else self.scalar("i32", number)

    def edges(self, shape):
        """A mask of rows or columns below a bound, or none."""
        masks = []
        for axis in (0, 1):
            if self.rng.random() < 0.3:
                line = self.line(shape[axis], axis, 0)
                bound = self.scalar("i32", self.rng.randint(0, shape[axis] + 4))
                mask = self.fix("arith.cmpi slt, {0}, {1} : {t0}", (line, self.splat(bound, line.shape)), line.shape, "i1")
                masks.append(self.spread(mask, shape))
        if len(masks) == 2:
            return self.fix("arith.andi {0}, {1} : {r0}", masks, shape, "i1")
        return masks[0] if masks else None

    def load_block(self, rows, columns, elem):
        """A block of small whole numbers."""
        if self.rng.random() < 0.25:
            return self.load_boxed(rows, columns, elem)
        across, shape = self.rng.random() < 0.4, (rows, columns)
        pitch = (rows if across else columns) + self.rng.choice((0, 0, 8, 16, 3))
        size = pitch * (columns if across else rows)
        along = self.rng.choice((size, rows if across else columns, 16, 1))
        offset, most = self.start(along)
        base = self.buffer(elem, most + size, whole=True)
        pointers = self.addresses(base, rows, columns, pitch, across, offset)
        mask = self.edges(shape)
        if mask is None:
            text, operands = "tile.load {0} : {t0}", [pointers]
        else:
            text, operands = "tile.load {0} mask {1} other {2} : {t0}", [pointers, mask, self.dense(shape, elem, self.rng.choice((0, 0, 1)))]
        return self.loaded(text, operands, shape, elem)

    def loaded(self, text, operands, shape, elem):
        result = Value(shape, elem)
        self.write(Op(text, operands, (result,)))
        return result if elem != "i8" else result

    def load_boxed(self, rows, columns, elem):
        """The same through a descriptor; the tensor may end inside of the block."""
        bits = {"f32": 4, "f16": 2, "bf16": 2}.get(elem, 1)
        pitch = -(-(columns + self.rng.choice((0, 16, 64))) * bits // 16) * 16 // bits
        height, width = self.rng.randint(1, 3 * rows), self.rng.randint(1, pitch)
        base = self.buffer(elem, height * pitch, whole=True)
        self.kernel.params[-1].attrs["divisibility"] = 16
        sizes = [self.bound_of(height), self.bound_of(width)]
        strides = [self.known((), pitch, "i64"), self.known((), 1, "i64")]
        desc = Value((), f"desc:{rows}x{columns}x{elem}")
        text = f"tile.make_desc {{0}} shape [{{1}}, {{2}}] strides [{{3}}, {{4}}] : !tile.desc<{rows}x{columns}x{elem}>"
        self.write(Op(text, [base] + sizes + strides, (desc,), fixed=True))
        row, column = (self.start(self.rng.choice((n, 8, 1)))[0] or self.known((), 0) for n in (rows, columns))
        text = f"tile.desc_load {{0}}[{{1}}, {{2}}] : !tile.desc<{rows}x{columns}x{elem}> -> {{r0}}"
        return self.loaded(text, [desc, row, column], (rows, columns), elem)

    def place(self, shape, elem, written=True):
        """Addresses of the current program's and rounds' part of a new buffer."""
        rows, columns = shape
        pitch = columns + self.rng.choice((0, 0, 1, 16))
        part, offset, last = rows * pitch, None, 0
        parts = [(self.program(), self.grid[0] * self.grid[1] - 1)] + self.loops
        count = 1
        for n, most in parts:
            step = self.fix("arith.muli {0}, {1} : {r0}", (n, self.known((), part * count)), ())
            offset = step if offset is None else self.fix("arith.addi {0}, {1} : {r0}", (offset, step), ())
            count *= most + 1
        base = self.buffer(elem, part * count, written=written)
        return self.addresses(base, rows, columns, pitch, False, offset)

    def store_sum(self, s):
        value = s.value
        if value.elem == "f32" and s.bound <= SMALL and self.rng.random() < 0.4:
            value = self.apply("arith.truncf", (value,), "f16")
        pointers, mask = self.place(value.shape, value.elem), self.edges(value.shape)
        operands = [pointers, value] + ([mask] if mask is not None else [])
        text = "tile.store {0}, {1}" + (" mask {2}" if mask is not None else "") + " : {t0}"
        self.write(Op(text, operands, (), effect=True))

    def add_to_memory(self, s):
        """All programs and rounds add to the same numbers."""
        rows, columns = s.value.shape
        value, name = self.small(s), "add" if s.value.elem == "i32" else "fadd"
        base = self.buffer(value.elem, rows * columns, written=True, whole=True)
        pointers = self.addresses(base, rows, columns, columns, False, None)
        self.write(Op(f"tile.atomic_rmw {name} {{0}}, {{1}} : {{t0}}", [pointers, value], (Value(value.shape, value.elem),), effect=True))

    # Factors.

    def as_factor(self, x):
        """A squashed sum as a factor of this kernel's type."""
        if self.elem == "i8":
            return self.apply("arith.trunci", (x,), "i8")
        if self.elem == "f8E5M2":  # two bits of fraction
            x = self.apply("arith.minnumf", (x, self.dense(x.shape, "f32", 7)))
        if self.elem[:2] == "f8":
            x = self.apply("arith.truncf", (x,), "f16")
            return self.emit("tile.fp_to_fp {0} : {t0} -> {r0}", (x,), x.shape, self.elem, pool=False)
        return x if self.elem == "f32" else self.apply("arith.truncf", (x,), self.elem)

    def loaded_factor(self, rows, columns):
        """[rows, columns], at most 16."""
        turned = self.rng.random() < 0.3
        shape = (columns, rows) if turned else (rows, columns)
        way = self.rng.random()
        if way < 0.15 and self.elem in ("f16", "bf16", "f32"):  # weights of bytes
            x = self.load_block(*shape, "i8")
            x = self.apply("arith.andi", (x, self.dense(shape, "i8", 15)))
            x = self.apply(self.rng.choice(("arith.sitofp", "arith.uitofp")), (x,), self.elem)
        elif way < 0.25 and self.elem == "f16":
            x = self.apply("arith.truncf", (self.load_block(*shape, "f32"),), "f16")
        else:
            x = self.load_block(*shape, self.elem)
        if self.rng.random() < 0.35 and self.elem[:2] != "f8":
            x = self.changed(x)
        return self.emit("tile.trans {0} order = [1, 0] : {t0} -> {r0}", (x,), (rows, columns), self.elem, pool=False) if turned else x

    def changed(self, x):
        way, shape = self.rng.random(), x.shape
        if way < 0.4:
            rows, columns = (self.spread(self.line(n, axis, 0), shape) for axis, n in enumerate(shape))
            mask = self.fix(f"arith.cmpi {self.rng.choice(('sge', 'slt', 'ne'))}, {{0}}, {{1}} : {{t0}}", (rows, columns), shape, "i1")
            other = self.dense(shape, x.elem, 0)
            return self.emit("arith.select {0}, {1}, {2} : {t0}, {r0}", (mask, x, other), shape, x.elem, pool=False)
        if x.elem == "i8":
            return self.apply("arith.xori", (x, self.dense(shape, "i8", 3)))
        if way < 0.6:
            return self.apply("arith.negf", (x,))
        return self.apply(self.rng.choice(("arith.minnumf", "arith.maximumf")), (x, self.dense(shape, x.elem, 2)))

    # What happens to sums. Each takes the list and an index, and changes the list.

    def multiply(self, rows, columns, depth, a, b, s):
        how = ""
        if self.elem == "f32":
            how = " precision = " + self.rng.choice(("tf32", "ieee", "tf32"))
        if self.elem[:2] == "f8" and self.rng.random() < 0.3:
            how = f" imprecise_acc = {self.rng.choice((0, 32, 1 << 30))}"
        text = "tile.dot {0}, {1}, {2}" + how + " : {t0} * {t1} -> {r0}"
        result = self.emit(text, (a, b, s.value), (rows, columns), s.value.elem, pool=False)
        return Sum(result, s.bound + depth * SMALL * SMALL)

    def affords(self, rows, columns, depth):
        work = rows * columns * depth * self.rounds
        if self.work + work > WORK:
            return False
        self.work += work
        return True

    def dot(self, sums, i):
        rows, columns = sums[i].value.shape
        depth = self.dimension()
        if self.affords(rows, columns, depth):
            a, b = self.loaded_factor(rows, depth), self.loaded_factor(depth, columns)
            sums[i] = self.multiply(rows, columns, depth, a, b, sums[i])

    def chain(self, sums, i):
        """A product of what another one computed."""
        rows, columns = sums[i].value.shape
        sources = [s for s in sums if s.value.shape[0] == rows or s.value.shape[1] == columns]
        s = self.rng.choice(sources)
        first = s.value.shape[0] == rows
        depth = s.value.shape[1 if first else 0]
        if self.affords(rows, columns, depth):
            x = self.as_factor(self.small(s))
            a, b = (x, self.loaded_factor(depth, columns)) if first else (self.loaded_factor(rows, depth), x)
            sums[i] = self.multiply(rows, columns, depth, a, b, sums[i])

    def reduce(self, sums, i):
        """Added to all of a row or column: its sum, or its largest number."""
        s, axis = sums[i], self.rng.randrange(2)
        x = self.small(s)
        float_ = x.elem == "f32"
        names = ("addf", "maxnumf") if float_ else ("addi", "maxsi")
        name = self.rng.choice(names)
        bound = SMALL * x.shape[axis] if name.startswith("add") else SMALL
        line = (x.shape[1 - axis],)
        v = self.emit(f"tile.reduce {{0}} axis = {axis} : {{t0}} -> {{r0}}" + self.combine_with(name, x.elem), (x,), line, x.elem, pool=False)
        thin = x.shape[:axis] + (1,) + x.shape[axis + 1:]
        v = self.emit(f"tile.expand_dims {{0}} axis = {axis} : {{t0}} -> {{r0}}", (v,), thin, x.elem, pool=False)
        v = self.emit("tile.broadcast {0} : {t0} -> {r0}", (v,), x.shape, x.elem, pool=False) if thin != x.shape else v
        sums[i] = Sum(self.apply("arith.addf" if float_ else "arith.addi", (s.value, v)), s.bound + bound)

    def scan(self, sums, i):
        x, axis = self.small(sums[i]), self.rng.randrange(2)
        text = f"tile.scan {{0}} axis = {axis}{self.rng.choice(('', ' reverse'))} : {{t0}}"
        name = "addf" if x.elem == "f32" else "addi"
        sums[i] = Sum(self.emit(text + self.combine_with(name, x.elem), (x,), x.shape, x.elem, pool=False), SMALL * x.shape[axis])

    def gathered(self, sums, i):
        x, axis = sums[i].value, self.rng.randrange(2)
        lines = self.spread(self.line(x.shape[axis], axis, 0), x.shape)
        other = self.spread(self.line(x.shape[1 - axis], 1 - axis, 0), x.shape)
        index = self.fix("arith.addi {0}, {1} : {r0}", (lines, other), x.shape)
        index = self.fix("arith.remui {0}, {1} : {r0}", (index, self.known(x.shape, x.shape[axis])), x.shape)
        text = f"tile.gather {{0}}, {{1}} axis = {axis} : {{t0}}, {{t1}} -> {{r0}}"
        sums[i] = Sum(self.emit(text, (x, index), x.shape, x.elem, pool=False), sums[i].bound)

    def elementwise(self, sums, i):
        s, way = sums[i], self.rng.random()
        x, float_ = s.value, s.value.elem == "f32"
        if way < 0.3:
            number = self.dense(x.shape, x.elem, self.rng.choice((-1, 2)))
            sums[i] = Sum(self.apply("arith.mulf" if float_ else "arith.muli", (x, number)), 2 * s.bound)
        elif way < 0.6:
            y = self.load_block(*x.shape, x.elem)
            y = y if float_ else self.squash(y)
            sums[i] = Sum(self.apply("arith.addf" if float_ else "arith.addi", (x, y)), s.bound + SMALL)
        elif way < 0.8:
            sums[i] = Sum(self.changed(x), s.bound) if float_ else Sum(self.squash(x), SMALL)
        else:
            others = [t for t in sums if t.value.shape == x.shape and t.value.elem == x.elem]
            y = self.rng.choice(others)
            sums[i] = Sum(self.apply("arith.addf" if float_ else "arith.addi", (x, y.value)), s.bound + y.bound)

    def tamed(self, s, most=CARRIED):
        return s if s.bound <= most else Sum(self.squash(s.value), SMALL)

    # Control flow.

    def fill(self, block, sums, steps):
        """Statements in a block; what it yields, at most CARRIED + STEP large."""
        before, scope = self.block, self.scope
        self.block, self.scope, self.depth = block, Scope(scope), self.depth + 1
        sums = list(sums)
        self.statements(sums, steps)
        kept = [self.tamed(s, CARRIED + STEP) for s in sums]
        block.yields = [s.value for s in kept]
        self.block, self.scope, self.depth = before, scope, self.depth - 1
        return kept

    def loop(self, sums):
        trips, from_ = self.rng.choice((0, 1, 2, 3, 4, 5)), self.rng.choice((0, 0, 0, 1))
        step = self.rng.choice((1, 1, 1, 2))
        last = from_ + step * max(trips - 1, 0)
        bounds = [self.bound_of(n) for n in (from_, from_ + step * trips, step)]
        inits = [self.tamed(s, 4096) for s in sums]
        iv, args = Value((), "i32"), [Value(s.value.shape, s.value.elem) for s in inits]
        block = type(self.block)([iv] + args)
        self.loops.append((iv, last))
        self.rounds *= max(trips, 1)
        self.fill(block, [Sum(a, CARRIED) for a in args], self.rng.randint(1, 4))
        self.rounds //= max(trips, 1)
        self.loops.pop()
        op = For(bounds + [s.value for s in inits], [Value(a.shape, a.elem) for a in args], block)
        if self.rng.random() < 0.4:
            op.attrs.append(f"tile.num_stages = {self.rng.randint(1, 4)} : i32")
        if self.rng.random() < 0.15:
            op.attrs.append("tile.warp_specialize")
        self.write(op)
        sums[:] = [Sum(r, 2 * CARRIED) for r in op.results]

    def condition(self):
        number = self.loops[-1][0] if self.loops and self.rng.random() < 0.6 else self.rng.choice((self.program(), self.scalar("i32", self.rng.randint(0, 3))))
        name = self.rng.choice(("eq", "ne", "slt", "sgt"))
        return self.fix(f"arith.cmpi {name}, {{0}}, {{1}} : {{t0}}", (number, self.known((), self.rng.randint(0, 2))), (), "i1")

    def branch(self, sums):
        condition, block = self.condition(), type(self.block)
        blocks = [block(), block()]
        for b in blocks:
            self.fill(b, sums, self.rng.randint(0, 2))
        op = If(condition, [Value(s.value.shape, s.value.elem) for s in sums], blocks)
        self.write(op)
        sums[:] = [Sum(r, max(CARRIED + STEP, s.bound)) for r, s in zip(op.results, sums)]

    def repeat(self, sums):
        trips = self.rng.randint(0, 3)
        limit, inits = self.bound_of(trips), [self.tamed(s, 4096) for s in sums]
        zero = self.known((), 0)
        types = [zero] + [s.value for s in inits]
        before, after = (type(self.block)([Value(v.shape, v.elem) for v in types]) for _ in range(2))
        outer, self.block = self.block, before
        go = self.fix("arith.cmpi slt, {0}, {1} : {t0}", (before.args[0], limit), (), "i1")
        before.yields, self.block = list(before.args), outer
        n = after.args[0]
        self.loops.append((n, max(trips - 1, 0)))
        self.rounds *= max(trips, 1)
        self.fill(after, [Sum(a, CARRIED) for a in after.args[1:]], self.rng.randint(1, 3))
        self.rounds //= max(trips, 1)
        self.loops.pop()
        self.block = after
        after.yields.insert(0, self.fix("arith.addi {0}, {1} : {r0}", (n, self.known((), 1)), ()))
        self.block = outer
        op = While(types, [Value(v.shape, v.elem) for v in types], before, after, go)
        self.write(op)
        sums[:] = [Sum(r, 2 * CARRIED) for r in op.results[1:]]

    def statements(self, sums, steps):
        for _ in range(steps):
            way, i = self.rng.random(), self.rng.randrange(len(sums))
            if way < 0.2 and self.depth < 3:
                self.rng.choice((self.loop, self.loop, self.loop, self.branch, self.repeat))(sums)
            elif way < 0.28:
                self.store_sum(sums[i])
            elif way < 0.3:
                self.add_to_memory(sums[i])
            else:
                kinds = (self.dot,) * 7 + (self.chain,) * 3 + (self.reduce, self.reduce, self.scan, self.gathered, self.elementwise, self.elementwise)
                self.rng.choice(kinds)(sums, i)
            sums[:] = [self.tamed(s, 1 << 20) for s in sums]

    def generate(self):
        rows = self.dimension()
        shapes = [(rows, self.dimension()) for _ in range(self.rng.choice((1, 1, 2)))]
        self.program()
        sums = [Sum(self.dense(s, self.sum_elem, 0), 0) for s in shapes]
        if self.rng.random() < 0.7:
            self.loop(sums)
        self.statements(sums, self.rng.randint(1, 5))
        for s in sums:
            self.store_sum(s)
        remove_dead(self.kernel)
        return self.kernel
