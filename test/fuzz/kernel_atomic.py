"""kernel_atomic.py - operations of random kernels whose result must not depend on an order: atomics, sums of floats, counts."""
from kernel_ir import Op, Value

COMMUTATIVE = ("add", "and", "or", "xor", "max", "min", "umax", "umin")
ALONE = COMMUTATIVE + ("exch", "inc", "dec")


class Atomics:
    """Mixin of the generator."""

    def whole_numbers(self, shape, elem):
        """Floats from -8 to 7: sums of some thousand of them are exact in f32 and f64, in any order."""
        low = self.emit("arith.andi {0}, {1} : {r0}", (self.value(shape, "i32"), self.known(shape, 15)), shape, "i32")
        moved = self.emit("arith.subi {0}, {1} : {r0}", (low, self.known(shape, 8)), shape, "i32")
        return self.emit("arith.sitofp {0} : {t0} to {r0}", (moved,), shape, elem)

    def order(self):
        """How an atomic is ordered: it does not matter here."""
        text = f" sem = {self.rng.choice(('acquire', 'release', 'acq_rel'))}" if self.rng.random() < 0.3 else ""
        return text + (f" scope = {self.rng.choice(('cta', 'gpu', 'sys'))}" if self.rng.random() < 0.3 else "")

    def atomic(self, shape):
        """Many elements may meet at one address: nobody looks at what was there before."""
        if self.rng.random() < 0.35:
            return self.atomic_alone(shape)
        elem = self.rng.choice(("i32", "i32", "i64", "f32", "f32", "f64"))
        whole = elem in ("f32", "f64")
        value = self.whole_numbers(shape, elem) if whole else self.value(shape, elem)
        place = self.place(shape, False)
        pointers = self.pointers(self.buffer(elem, place.extent, written=True, whole=whole), place, 0)
        mask = self.masks(place, self.rng.random() < 0.25)
        operands = [pointers, value] + ([mask] if mask is not None else [])
        name = "fadd" if whole else self.rng.choice(COMMUTATIVE)
        text = f"tile.atomic_rmw {name} {{0}}, {{1}}" + (" mask {2}" if mask is not None else "") + self.order() + " : {t0}"
        self.scope.used.update(operands)
        self.write(Op(text, operands, (Value(shape, elem),), effect=True))

    def atomic_alone(self, shape):
        """Each element has an address of its own: what was there before is a result."""
        elem, place = self.rng.choice(("i32", "i64")), self.place(shape, True)
        pointers = self.pointers(self.buffer(elem, place.extent, written=True), place, 0)
        value, other = self.value(shape, elem), self.value(shape, elem)
        mask = place.mask
        if mask is None and self.rng.random() < 0.3:
            operands, text = [pointers, other, value], "tile.atomic_cas {0}, {1}, {2}"
        else:
            operands = [pointers, value] + ([mask] if mask is not None else [])
            text = f"tile.atomic_rmw {self.rng.choice(ALONE)} {{0}}, {{1}}" + (" mask {2}" if mask is not None else "")
        before = Value(shape, elem)
        self.scope.used.update(operands)
        self.write(Op(text + self.order() + " : {t0}", operands, (before,), effect=True))
        if mask is None:
            self.offer(before)
        else:  # masked elements are undefined
            self.choose(mask, before, other)

    def sum(self, shape, elem):
        """A sum of floats, along an axis or up to each element."""
        elem = self.rng.choice(("f32", "f64"))
        axes = [i for i in range(len(shape)) if shape[:i] + shape[i + 1 :] in self.shapes + [()]]
        x, body = self.whole_numbers(shape, elem), self.combine_with("addf", elem)
        if axes and self.rng.random() < 0.6:
            axis = self.rng.choice(axes)
            text = f"tile.reduce {{0}} axis = {axis} : {{t0}} -> {{r0}}" + body
            return self.emit(text, (x,), shape[:axis] + shape[axis + 1 :], elem)
        way = self.rng.choice(("", " reverse"))
        return self.emit(f"tile.scan {{0}} axis = {self.rng.randrange(len(shape))}{way} : {{t0}}" + body, (x,), shape, elem)

    def histogram(self, shape, elem):
        """How often each of some small numbers occurs; stored at once, since no other value has the shape."""
        if len(shape) != 1:
            return self.sum(shape, elem)
        bins = self.rng.choice((1, 2, 16, 64, 128))
        x = self.value(shape, "i32")
        if self.rng.random() < 0.8:
            x = self.emit("arith.andi {0}, {1} : {r0}", (x, self.known(shape, 2 * bins - 1)), shape, "i32")
        mask = [self.value(shape, "i1")] if self.rng.random() < 0.3 else []
        text = "tile.histogram {0}" + (" mask {1}" if mask else "") + " : {t0} -> {r0}"
        self.store(self.emit(text, [x] + mask, (bins,), "i32", pool=False))

    def cat(self, shape, elem):
        """Two tensors, one behind the other; stored at once."""
        both = (2 * shape[0],) + shape[1:]
        operands = (self.value(shape, elem), self.value(shape, elem))
        joined = self.emit("tile.cat {0}, {1} : {t0}, {t1} -> {r0}", operands, both, elem, pool=False)
        self.store(joined)
