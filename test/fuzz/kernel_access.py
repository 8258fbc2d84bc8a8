"""kernel_access.py - loads and stores of random kernels: index patterns, masks, pointer arithmetic in several spellings."""
from kernel_ir import BITS, Op, Value, count
from kernel_ops import constant_text

# Per access: what it may add to be read or cached.
CACHE = {"load": ("ca", "cg", "cs", "cv"), "store": ("wb", "cg", "cs", "wt")}


class Domain:
    """The elements of a shape over all programs: `total` of them, of which the first `limit` may be accessed.

    `index` is each element's number, `bound` the limit as a scalar, `mask` index < bound (None: limit is total)."""

    def __init__(self, shape, total, limit, index, bound, mask):
        self.shape, self.total, self.limit = shape, total, limit
        self.index, self.bound, self.mask = index, bound, mask


class Place:
    """Where an access goes: offsets from a base pointer, the mask that they need, and the elements they reach."""

    def __init__(self, offsets, extent, mask, pieces=None):
        self.offsets, self.extent, self.mask = offsets, extent, mask
        self.pieces = pieces  # (scalar, tensor) whose sum the offsets are, or None


class Accesses:
    """Mixin of the generator."""

    def fix(self, text, operands, shape, elem="i32"):
        return self.emit(text, operands, shape, elem, fixed=True)

    def known(self, shape, number, elem="i32"):
        return self.fix(constant_text(elem, number & (1 << BITS[elem]) - 1, shape), (), shape, elem)

    def splat(self, scalar, shape):
        return self.fix("tile.splat {0} : {r0}", (scalar,), shape, scalar.elem) if shape else scalar

    def program(self):
        """This program's number, x fastest."""
        key = "program"
        if not self.scope.cached(key):
            number = self.fix("tile.program_id x", (), ())
            for axis, below in (("y", self.grid[0]), ("z", self.grid[0] * self.grid[1])):
                if self.grid["xyz".index(axis)] > 1:
                    size = self.known((), below)
                    if axis == "y" and self.rng.random() < 0.5:
                        size = self.fix("tile.num_programs x", (), ())
                    part = self.fix("arith.muli {0}, {1} : {r0}", (self.fix(f"tile.program_id {axis}", (), ()), size), ())
                    number = self.fix("arith.addi {0}, {1} : {r0}", (number, part), ())
            self.scope.cache[key] = number
            self.offer(number)
        return self.scope.cached(key)

    def local(self, shape):
        """Row-major number of each element within a tensor."""
        if len(shape) == 1:
            return self.fix(f"tile.make_range 0 to {shape[0]} : {{r0}}", (), shape)
        total, stride = None, count(shape)
        for axis, size in enumerate(shape):
            stride //= size
            part = self.fix(f"tile.make_range 0 to {size} : {{r0}}", (), (size,))
            if stride > 1:
                part = self.fix("arith.muli {0}, {1} : {r0}", (part, self.known((size,), stride)), (size,))
            axes = [0] * axis + [1 + i for i in range(axis, len(shape) - 1)]
            part = self.widen(part, shape, axes, fixed=True)
            total = part if total is None else self.fix("arith.addi {0}, {1} : {r0}", (total, part), shape)
        return total

    def domain(self, shape):
        key = ("domain", shape)
        if not self.scope.cached(key):
            self.scope.cache[key] = self.make_domain(shape)
        return self.scope.cached(key)

    def make_domain(self, shape):
        size, programs = count(shape), self.grid[0] * self.grid[1] * self.grid[2]
        total, index = size * programs, self.program()
        if shape:
            start = self.fix("arith.muli {0}, {1} : {r0}", (index, self.known((), size)), ())
            index = self.fix("arith.addi {0}, {1} : {r0}", (self.splat(start, shape), self.local(shape)), shape)
        else:
            start = index
        self.scope.cache[("start", shape)] = start
        limits = (total, total, self.rng.randint(1, total), max(total // 16 * 16 - 16, 1), max(total - 1, 1))
        limit = self.rng.choice(limits)
        if limit == total and self.rng.random() < 0.7:
            return Domain(shape, total, limit, index, self.known((), total), None)
        bound = self.scalar("i32", limit)
        mask = self.fix("arith.cmpi " + self.rng.choice(("slt", "ult")) + ", {0}, {1} : {t0}", (index, self.splat(bound, shape)), shape, "i1")
        self.offer(index)
        return Domain(shape, total, limit, index, bound, mask)

    # Patterns: each returns a Place or None. `d` is the domain.

    def linear(self, d):
        start = self.scope.cached(("start", d.shape))
        return Place(d.index, d.limit, d.mask, (start, None) if d.shape and start else None)

    def reverse(self, d):
        last = self.fix("arith.subi {0}, {1} : {r0}", (d.bound, self.known((), 1)), ())
        offsets = self.fix("arith.subi {0}, {1} : {r0}", (self.splat(last, d.shape), d.index), d.shape)
        return Place(offsets, d.limit, d.mask)

    def stride(self, d):
        by = self.rng.choice((2, 3, 4))
        factor = self.splat(self.bound("i32", by), d.shape)
        offsets = self.fix("arith.muli {0}, {1} : {r0}", (d.index, factor), d.shape)
        return Place(offsets, (d.limit - 1) * by + 1, d.mask)

    def flip(self, d):
        bits = self.rng.choice((1, 2, 3, 5))
        offsets = self.fix("arith.xori {0}, {1} : {r0}", (d.index, self.known(d.shape, bits)), d.shape)
        return Place(offsets, d.limit + bits, d.mask)

    def divide(self, d):
        by = self.rng.choice((2, 3, 4, 8, 16))
        if by != 3 and self.rng.random() < 0.4:
            amount = self.known(d.shape, by.bit_length() - 1)
            offsets = self.fix(f"arith.{self.rng.choice(('shrui', 'shrsi'))} {{0}}, {{1}} : {{r0}}", (d.index, amount), d.shape)
        else:
            divisor = self.splat(self.bound("i32", by), d.shape)
            offsets = self.fix(f"arith.{self.rng.choice(('divui', 'divsi'))} {{0}}, {{1}} : {{r0}}", (d.index, divisor), d.shape)
        return Place(offsets, d.limit, d.mask)

    def modulo(self, d):
        by = self.rng.choice((1, 2, 4, 16, 64, 5, 12))
        if by & (by - 1) == 0 and self.rng.random() < 0.4:
            offsets = self.fix("arith.andi {0}, {1} : {r0}", (d.index, self.known(d.shape, by - 1)), d.shape)
        else:
            divisor = self.splat(self.bound("i32", by), d.shape)
            offsets = self.fix(f"arith.{self.rng.choice(('remui', 'remsi'))} {{0}}, {{1}} : {{r0}}", (d.index, divisor), d.shape)
        return Place(offsets, by, None)

    def gather(self, d):
        """Anywhere, as data says."""
        data, extent = self.value(d.shape, "i32"), self.rng.choice((1, 7, 64, 1000))
        limit = self.known(d.shape, extent)
        return Place(self.fix("arith.remui {0}, {1} : {r0}", (data, limit), d.shape), extent, None)

    def clamp(self, d):
        extent = max(d.total - self.rng.randrange(9), 1)
        moved = self.fix("arith.addi {0}, {1} : {r0}", (d.index, self.known(d.shape, self.rng.randint(-5, 5))), d.shape)
        low = self.fix("arith.maxsi {0}, {1} : {r0}", (moved, self.known(d.shape, 0)), d.shape)
        high = self.fix("arith.minsi {0}, {1} : {r0}", (low, self.known(d.shape, extent - 1)), d.shape)
        return Place(high, extent, None)

    def rows(self, d):
        """Rows of a matrix whose leading dimension is an argument."""
        if len(d.shape) != 2:
            return self.linear(d)
        rows, columns = d.shape
        lead = columns + self.rng.choice((0, 1, 3, 16))
        pitch = self.bound("i32", lead)
        row = self.fix(f"tile.make_range 0 to {rows} : {{r0}}", (), (rows,))
        first = self.fix("arith.muli {0}, {1} : {r0}", (self.program(), self.known((), rows)), ())
        row = self.fix("arith.addi {0}, {1} : {r0}", (row, self.splat(first, (rows,))), (rows,))
        row = self.fix("arith.muli {0}, {1} : {r0}", (row, self.splat(pitch, (rows,))), (rows,))
        column = self.fix(f"tile.make_range 0 to {columns} : {{r0}}", (), (columns,))
        row, column = self.widen(row, d.shape, [1], fixed=True), self.widen(column, d.shape, [0], fixed=True)
        return Place(self.fix("arith.addi {0}, {1} : {r0}", (row, column), d.shape), d.total // columns * lead, None)

    def place(self, shape, store):
        d = self.domain(shape)
        patterns = [self.linear] * 6 + [self.reverse, self.stride, self.flip, self.rows, self.rows]
        if not store:
            patterns += [self.divide, self.modulo, self.gather, self.clamp]
        place = self.rng.choice(patterns)(d)
        return self.in_loops(place, shape) if store else place

    def in_loops(self, place, shape):
        """A store inside loops goes to a part of the buffer for each round."""
        for iv, lower, step, trips in self.loops:
            n = self.scope.cached(("iv", iv))
            if n.elem == "i64":
                n = self.fix("arith.trunci {0} : {t0} to {r0}", (n,), ())
            n = self.fix("arith.subi {0}, {1} : {r0}", (n, self.known((), lower)), ())
            n = self.fix("arith.divui {0}, {1} : {r0}", (n, self.known((), step)), ())
            n = self.fix("arith.muli {0}, {1} : {r0}", (n, self.known((), place.extent)), ())
            offsets = self.fix("arith.addi {0}, {1} : {r0}", (self.splat(n, shape), place.offsets), shape)
            place = Place(offsets, place.extent * trips, place.mask)
        return place

    # Pointers.

    def add(self, pointer, offsets):
        """pointer + offsets; a scalar pointer is spread first."""
        if offsets.shape and not pointer.shape:
            pointer = self.splat(pointer, offsets.shape)
        return self.fix("tile.addptr {0}, {1} : {t0}, {t1}", (pointer, offsets), pointer.shape, pointer.elem)

    def pointers(self, base, place, shift):
        """The same addresses in one of several spellings. `shift` elements lie before the first."""
        if shift:
            base = self.add(base, self.bound(self.rng.choice(("i32", "i64")), shift))
        way, shape = self.rng.random(), place.offsets.shape
        if place.pieces and way < 0.4:
            start, local = place.pieces[0], self.local(shape)
            if way < 0.2:
                return self.add(self.add(base, start), local)
            if way < 0.3:
                return self.add(self.add(base, local), self.splat(start, shape))
        offsets = place.offsets
        if way > 0.8:
            elem = "i64" if way < 0.95 or place.extent > 32767 else "i16" if place.extent > 127 else "i8"
            name = "extsi" if elem == "i64" else "trunci"
            offsets = self.fix(f"arith.{name} {{0}} : {{t0}} to {{r0}}", (offsets,), shape, elem)
        return self.add(base, offsets)

    def masks(self, place, data):
        """The mask of an access: what bounds need, and sometimes what data says."""
        mask, shape = place.mask, place.offsets.shape
        if not data:
            return mask
        extra = self.value(shape, "i1")
        if mask is None:
            return extra
        pair = (mask, extra) if self.rng.random() < 0.5 else (extra, mask)
        return self.fix("arith.andi {0}, {1} : {r0}", pair, shape, "i1")

    def hints(self, kind):
        text = f" cache = {self.rng.choice(CACHE[kind])}" if self.rng.random() < 0.08 else ""
        return text + (f" evict = {self.rng.choice(('first', 'last'))}" if self.rng.random() < 0.08 else "")

    def load(self, shape, elem):
        place, shift = self.place(shape, False), self.rng.choice((0, 0, 0, 0, 1, 3, 4, 16))
        pointers = self.pointers(self.buffer(elem, place.extent + shift), place, shift)
        mask = self.masks(place, self.rng.random() < 0.25)
        text, operands, other = "tile.load {0}", [pointers], None
        if mask is not None:
            text, operands = text + " mask {1}", operands + [mask]
            other = self.value(shape, elem)
            if self.rng.random() < 0.8:
                text, operands = text + " other {2}", operands + [other]
        text += self.hints("load") + (" volatile" if self.rng.random() < 0.03 else "") + " : {t0}"
        exact = elem != "bf16" and (other is None or other.exact)
        loaded = Value(shape, elem, exact)
        self.scope.used.update(operands)
        self.write(Op(text, operands, (loaded,)))
        if other is not None and len(operands) == 2:  # masked elements are undefined: replace them
            return self.choose(mask, loaded, other, exact)
        self.offer(loaded)
        return loaded

    def store(self, value):
        shape = value.shape
        if len(shape) > 1 and self.rng.random() < 0.15:
            return self.store_transposed(value)
        place, shift = self.place(shape, True), self.rng.choice((0, 0, 0, 0, 1, 3, 4, 16))
        self.write_to(place, shift, value)

    def store_transposed(self, value):
        """Everything of a store is transposed first: the same elements, named in another order."""
        place, order = self.place(value.shape, True), list(range(len(value.shape)))
        self.rng.shuffle(order)
        shape = tuple(value.shape[i] for i in order)

        def turn(v):
            text = f"tile.trans {{0}} order = [{', '.join(map(str, order))}] : {{t0}} -> {{r0}}"
            return self.emit(text, (v,), shape, v.elem, exact=v.exact, fixed=v is not value, pool=False)

        mask = turn(place.mask) if place.mask is not None else None
        self.write_to(Place(turn(place.offsets), place.extent, mask), 0, turn(value))

    def write_to(self, place, shift, value):
        pointers = self.pointers(self.buffer(value.elem, place.extent + shift, written=True), place, shift)
        known = place.offsets.shape in [()] + self.shapes
        mask = self.masks(place, known and self.rng.random() < 0.2)
        operands = [pointers, value] + ([mask] if mask is not None else [])
        text = "tile.store {0}, {1}" + (" mask {2}" if mask is not None else "") + self.hints("store") + " : {t0}"
        self.scope.used.update(operands)
        self.write(Op(text, operands, (), effect=True))
