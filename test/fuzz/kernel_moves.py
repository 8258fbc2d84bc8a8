"""kernel_moves.py - operations of random kernels that combine or move elements: reduce, scan, gather, transposed, reshaped,
joined and split tensors, and scalar code mapped over elements. All are exact, whatever the order."""
from kernel_ir import BITS, count, is_float

INT_COMBINERS = ("addi", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")
FLOAT_COMBINERS = ("minnumf", "maxnumf", "minimumf", "maximumf")


class Moves:
    """Mixin of the generator."""

    def combiner(self, elem):
        """A body that combines two elements of one operand."""
        return self.combine_with(self.rng.choice(FLOAT_COMBINERS if is_float(elem) else INT_COMBINERS), elem)

    @staticmethod
    def combine_with(name, elem):
        return (
            f" {{{{\n    ^bb0(%a: {elem}, %b: {elem}):\n      %c = arith.{name} %a, %b : {elem}\n"
            f"      tile.yield %c : {elem}\n    }}}}"
        )

    def reduce(self, shape, elem):
        """Of the axes whose removal leads to a shape of this kernel or to a scalar, one."""
        axes = [i for i in range(len(shape)) if shape[:i] + shape[i + 1 :] in self.shapes + [()]]
        if not axes:
            return self.scan(shape, elem)
        axis = self.rng.choice(axes)
        text = f"tile.reduce {{0}} axis = {axis} : {{t0}} -> {{r0}}" + self.combiner(elem)
        return self.emit(text, (self.value(shape, elem),), shape[:axis] + shape[axis + 1 :], elem)

    def arg_reduce(self, shape, elem):
        """The first position of the largest integer, and that integer."""
        axes = [i for i in range(len(shape)) if shape[:i] + shape[i + 1 :] in self.shapes + [()]]
        if not axes or is_float(elem) or count(shape) >= 1 << BITS["i32"] - 1:
            return self.reduce(shape, elem)
        axis, index = self.rng.choice(axes), self.domain(shape).index
        body = (
            f" {{{{\n    ^bb0(%a: {elem}, %i: i32, %b: {elem}, %j: i32):\n"
            f"      %more = arith.cmpi sgt, %b, %a : {elem}\n      %same = arith.cmpi eq, %b, %a : {elem}\n"
            "      %before = arith.cmpi slt, %j, %i : i32\n      %tie = arith.andi %same, %before : i1\n"
            f"      %take = arith.ori %more, %tie : i1\n      %v = arith.select %take, %b, %a : {elem}\n"
            f"      %k = arith.select %take, %j, %i : i32\n      tile.yield %v, %k : {elem}, i32\n    }}}}"
        )
        text = f"tile.reduce {{0}}, {{1}} axis = {axis} : {{t0}}, {{t1}} -> {{r0}}, {{r1}}" + body
        result = shape[:axis] + shape[axis + 1 :]
        return self.emit_two(text, (self.value(shape, elem), index), result, (elem, "i32"))

    def scan(self, shape, elem):
        axis, way = self.rng.randrange(len(shape)), self.rng.choice(("", "", " reverse"))
        text = f"tile.scan {{0}} axis = {axis}{way} : {{t0}}" + self.combiner(elem)
        return self.emit(text, (self.value(shape, elem),), shape, elem)

    def gathered(self, shape, elem):
        axis = self.rng.randrange(len(shape))
        limit = self.known(shape, shape[axis])
        indices = self.fix("arith.remui {0}, {1} : {r0}", (self.value(shape, "i32"), limit), shape)
        x = self.value(shape, elem)
        text = f"tile.gather {{0}}, {{1}} axis = {axis} : {{t0}}, {{t1}} -> {{r0}}"
        return self.emit(text, (x, indices), shape, elem, exact=x.exact)

    def there_and_back(self, shape, elem):
        """An operation on a transposed or reshaped tensor."""
        x = self.value(shape, elem)
        if len(shape) > 1 and self.rng.random() < 0.6:
            order = list(range(len(shape)))
            self.rng.shuffle(order)
            other, back = tuple(shape[i] for i in order), [order.index(i) for i in range(len(shape))]
            text = ["tile.trans {{0}} order = [{}] : {{t0}} -> {{r0}}".format(", ".join(map(str, o))) for o in (order, back)]
        else:
            columns = self.rng.choice([n for n in range(1, count(shape) + 1) if count(shape) % n == 0])
            other = (count(shape) // columns, columns)
            text = ["tile.reshape {0} : {t0} -> {r0}"] * 2
        moved = self.emit(text[0], (x,), other, elem, exact=x.exact, pool=False)
        constant = self.constant(other, elem)
        name = "maxnumf" if is_float(elem) else "xori"
        changed = self.emit(f"arith.{name} {{0}}, {{1}} : {{r0}}", (moved, constant), other, elem, pool=False)
        return self.emit(text[1], (changed,), shape, elem)

    def paired(self, shape, elem):
        """Two tensors joined, and taken apart again after an operation that mixes neighbours' registers."""
        both = shape + (2,)
        operands = (self.value(shape, elem), self.value(shape, elem))
        joined = self.emit("tile.join {0}, {1} : {t0} -> {r0}", operands, both, elem, pool=False)
        name = "minnumf" if is_float(elem) else "addi"
        constant = self.constant(both, elem)
        changed = self.emit(f"arith.{name} {{0}}, {{1}} : {{r0}}", (joined, constant), both, elem, pool=False)
        return self.emit_two("tile.split {0} : {t0} -> {r0}", (changed,), shape, (elem, elem))

    def mapped(self, shape, elem):
        """Scalar code with a branch for each element."""
        name = "maxnumf" if is_float(elem) else "subi"
        test = f"arith.cmpf olt, %a, %b : {elem}" if is_float(elem) else f"arith.cmpi slt, %a, %b : {elem}"
        body = (
            f" {{{{\n    ^bb0(%a: {elem}, %b: {elem}):\n      %t = {test}\n      %r = scf.if %t -> ({elem}) {{{{\n"
            f"        %c = arith.{name} %a, %b : {elem}\n        scf.yield %c : {elem}\n      }}}} else {{{{\n"
            f"        scf.yield %b : {elem}\n      }}}}\n      tile.yield %r : {elem}\n    }}}}"
        )
        operands = (self.value(shape, elem), self.value(shape, elem))
        return self.emit("tile.map_elementwise {0}, {1} : {t0}, {t1} -> {r0}" + body, operands, shape, elem)

    def move(self, shape):
        """One random operation of these on a tensor."""
        elem = self.rng.choice([e for e in self.elems if not e.startswith("f8")] or ["i32"])
        kinds = (self.reduce, self.reduce, self.arg_reduce, self.scan, self.gathered)
        kinds += (self.there_and_back, self.there_and_back, self.paired, self.mapped)
        kinds += (self.sum, self.histogram, self.cat)
        return self.rng.choice(kinds)(shape, elem)
