"""kernel_ops.py - the element-wise operations that random kernels are made of, with the types each takes."""
from kernel_data import float_bits, random_bits
from kernel_ir import BITS, FLOAT8, FLOATS, INTS, count, elem_text, is_float

INT_BINARY = ("addi subi muli divsi divui remsi remui andi ori xori shli shrsi shrui minsi maxsi minui maxui").split()
INT_ROUNDED = ("floordivsi", "ceildivsi", "ceildivui")
INT_UNARY = ("absi", "ctpop", "ctlz", "cttz")
INT_PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()
FLOAT_BINARY = "addf addf subf mulf mulf minnumf maxnumf minimumf maximumf".split()
FLOAT_UNARY = "absf floor ceil trunc roundeven round".split()
FLOAT_PREDICATES = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()


def constant_text(elem, bits, shape):
    """An arith.constant; floats as their bits, so that nothing is lost in decimal."""
    if elem == "i1":
        text = "true" if bits & 1 else "false"
    elif is_float(elem):
        text = f"0x{bits:0{BITS[elem] // 4}X}"
    else:
        text = str(bits - (1 << BITS[elem]) if bits >> BITS[elem] - 1 else bits)
    if shape:
        return f"arith.constant dense<{text}> : {{r0}}"
    return f"arith.constant {text}" if elem == "i1" else f"arith.constant {text} : {{r0}}"


class Operations:
    """Mixin of the generator: each method writes one operation of a shape and returns its result.

    The class it is mixed into gives rng, options, value(shape, elem) - some value of a type - and emit(...).
    """

    def constant(self, shape, elem, bits=None):
        bits = random_bits(self.rng, elem) if bits is None else bits
        return self.emit(constant_text(elem, bits, shape), (), shape, elem, exact=True)

    def int_binary(self, shape, elem):
        name = self.rng.choice(INT_BINARY)
        a = self.value(shape, elem)
        if name[:3] in ("shl", "shr") and self.rng.random() < 0.7:  # amounts that are often in range
            b = self.constant(shape, elem, self.rng.randrange(BITS[elem] + 2) & (1 << BITS[elem]) - 1)
            b = b if self.rng.random() < 0.5 else self.emit("arith.andi {0}, {1} : {r0}", (self.value(shape, elem), b), shape, elem)
        else:
            b = self.value(shape, elem)
        return self.emit(f"arith.{name} {{0}}, {{1}} : {{r0}}", (a, b), shape, elem)

    def int_rounded(self, shape, elem):
        name = self.rng.choice(INT_ROUNDED)
        return self.emit(f"arith.{name} {{0}}, {{1}} : {{r0}}", (self.value(shape, elem), self.value(shape, elem)), shape, elem)

    def int_unary(self, shape, elem):
        return self.emit(f"math.{self.rng.choice(INT_UNARY)} {{0}} : {{r0}}", (self.value(shape, elem),), shape, elem)

    def int_extended(self, shape, elem):
        if elem not in ("i32", "i64"):
            return self.int_binary(shape, elem)
        operands = (self.value(shape, elem), self.value(shape, elem))
        return self.emit("tile.mulhiui {0}, {1} : {r0}", operands, shape, elem)

    def int_two(self, shape, elem):
        """Operations with two results."""
        name = self.rng.choice(("addui_extended", "mulsi_extended", "mului_extended"))
        second, types = ("i1", "{r0}, {r1}") if name == "addui_extended" else (elem, "{r0}")
        operands = (self.value(shape, elem), self.value(shape, elem))
        return self.emit_two(f"arith.{name} {{0}}, {{1}} : {types}", operands, shape, (elem, second))

    def compare(self, shape, elem):
        """An i1 from two values of a random type."""
        of = self.rng.choice(self.elems)
        operands = (self.value(shape, of), self.value(shape, of))
        kind, names = ("cmpf", FLOAT_PREDICATES) if is_float(of) else ("cmpi", INT_PREDICATES)
        return self.emit(f"arith.{kind} {self.rng.choice(names)}, {{0}}, {{1}} : {{t0}}", operands, shape, "i1")

    def classify(self, shape, elem):
        of = self.rng.choice([e for e in self.elems if e in FLOATS] or ["f32"])
        name = self.rng.choice(("isnan", "isinf", "isfinite", "isnormal"))
        return self.emit(f"math.{name} {{0}} : {{t0}}", (self.value(shape, of),), shape, "i1")

    def select(self, shape, elem):
        scalar = not shape or self.rng.random() < 0.15
        condition = self.value(() if scalar else shape, "i1")
        a, b = self.value(shape, elem), self.value(shape, elem)
        text = "arith.select {0}, {1}, {2} : " + ("{r0}" if scalar else "{t0}, {r0}")
        return self.emit(text, (condition, a, b), shape, elem, exact=a.exact and b.exact)

    def float_binary(self, shape, elem):
        name = self.rng.choice(FLOAT_BINARY)
        operands = (self.value(shape, elem), self.value(shape, elem))
        r = self.emit(f"arith.{name} {{0}}, {{1}} : {{r0}}", operands, shape, elem)
        return self.settle(r) if name == "mulf" else r

    def float_unary(self, shape, elem):
        x = self.value(shape, elem)
        if self.rng.random() < 0.2:
            return self.emit("arith.negf {0} : {r0}", (x,), shape, elem)
        if self.rng.random() < 0.2:
            return self.emit("math.copysign {0}, {1} : {r0}", (x, self.numbered(self.value(shape, elem))), shape, elem)
        return self.emit(f"math.{self.rng.choice(FLOAT_UNARY)} {{0}} : {{r0}}", (x,), shape, elem)

    def float_three(self, shape, elem):
        operands = [self.value(shape, elem) for _ in range(3)]
        if self.rng.random() < 0.3:
            nan = self.rng.choice(("", " propagate_nan = all"))
            lower = self.constant(shape, elem, float_bits(elem, -float(self.rng.randint(1, 9))))
            upper = self.constant(shape, elem, float_bits(elem, float(self.rng.randint(1, 9))))
            return self.emit(f"tile.clampf {{0}}, {{1}}, {{2}}{nan} : {{r0}}", (operands[0], lower, upper), shape, elem)
        if self.rng.random() < 0.5:  # for tile-form-fma
            product = self.emit("arith.mulf {0}, {1} : {r0}", operands[:2], shape, elem, pool=False)
            pair = (product, operands[2]) if self.rng.random() < 0.5 else (operands[2], product)
            return self.settle(self.emit(f"arith.{self.rng.choice(('addf', 'subf'))} {{0}}, {{1}} : {{r0}}", pair, shape, elem))
        return self.settle(self.emit("math.fma {0}, {1}, {2} : {r0}", operands, shape, elem))

    def float_exact_division(self, shape, elem):
        """Division, square root and remainder: right to the last bit where the options or the op ask for it."""
        a, b = self.value(shape, elem), self.value(shape, elem)
        choice, free = self.rng.random(), self.options.precise or elem == "f64"
        if choice < 0.1:
            return self.emit("arith.remf {0}, {1} : {r0}", (a, b), shape, elem)
        if choice < 0.6:
            name = "arith.divf" if free and self.rng.random() < 0.7 else "tile.precise_divf"
            if elem not in ("f32", "f64"):
                name = "arith.divf"
            b = self.divisor(b)
            return self.settle(self.emit(f"{name} {{0}}, {{1}} : {{r0}}", (a, b), shape, elem))
        if elem not in ("f32", "f64") and not free:
            return a
        name = "math.sqrt" if free and self.rng.random() < 0.7 or elem not in ("f32", "f64") else "tile.precise_sqrt"
        return self.emit(f"{name} {{0}} : {{r0}}", (a,), shape, elem)

    def divisor(self, v):
        """`v` without the largest powers of two: amdexec's v_div_scale is not exact where 1 / v is subnormal."""
        if v.elem == "f16":
            return v
        size = self.emit("math.absf {0} : {r0}", (v,), v.shape, v.elem, pool=False)
        least = self.emit(constant_text(v.elem, float_bits(v.elem, 2.0 ** (1022 if v.elem == "f64" else 126)), v.shape), (), v.shape, v.elem, pool=False)
        large = self.emit("arith.cmpf oge, {0}, {1} : {t0}", (size, least), v.shape, "i1", pool=False)
        return self.choose(large, self.constant(v.shape, v.elem, float_bits(v.elem, 3.0)), v)

    def settle(self, v):
        """bf16 and f8 products below the smallest normal number may be rounded twice: they become zero."""
        if v.elem != "bf16":
            return v
        size = self.emit("math.absf {0} : {r0}", (v,), v.shape, v.elem, pool=False)
        least = self.emit(constant_text("bf16", 0x0080, v.shape), (), v.shape, v.elem, pool=False)
        zero = self.emit(constant_text("bf16", 0, v.shape), (), v.shape, v.elem, pool=False)
        tiny = self.emit("arith.cmpf ole, {0}, {1} : {t0}", (size, least), v.shape, "i1", pool=False)
        return self.choose(tiny, zero, v)

    def numbered(self, v):
        """`v` with a number in place of each NaN whose bits mean nothing."""
        if v.exact:
            return v
        number = self.constant(v.shape, v.elem, float_bits(v.elem, 1.0))
        nan = self.emit("arith.cmpf uno, {0}, {0} : {t0}", (v,), v.shape, "i1", pool=False)
        return self.choose(nan, number, v, exact=True)

    def choose(self, condition, a, b, exact=False):
        text = "arith.select {0}, {1}, {2} : " + ("{t0}, {r0}" if a.shape else "{r0}")
        return self.emit(text, (condition, a, b), a.shape, a.elem, exact=exact)

    def cast(self, shape, elem):
        """A value of another type as one of `elem`."""
        of = self.rng.choice([e for e in self.elems if e != elem] or ["i32" if elem != "i32" else "f32"])
        return self.convert(self.value(shape, of), elem)

    def convert(self, x, elem):
        of, name, rng = x.elem, None, self.rng
        if of == elem:
            return x
        if BITS[of] == BITS[elem] and not (is_float(of) and is_float(elem)) and rng.random() < 0.5:
            name = rng.choice(("arith.bitcast", "tile.bitcast"))
            text = f"{name} {{0}} : {{t0}} " + ("to" if name[0] == "a" else "->") + " {r0}"
            return self.emit(text, (self.numbered(x),), x.shape, elem, exact=True)
        if is_float(of) and is_float(elem):
            if BITS[of] == BITS[elem] or rng.random() < 0.5:
                mode = rng.choice(("", "", " rounding = rtz", " rounding = rtne"))
                return self.emit(f"tile.fp_to_fp {{0}}{mode} : {{t0}} -> {{r0}}", (x,), x.shape, elem)
            name = "extf" if BITS[of] < BITS[elem] else "truncf"
        elif is_float(of):
            name = rng.choice(("fptosi", "fptoui"))
        elif is_float(elem):
            name = rng.choice(("sitofp", "uitofp"))
        else:
            name = "trunci" if BITS[of] > BITS[elem] else rng.choice(("extsi", "extui"))
        return self.emit(f"arith.{name} {{0}} : {{t0}} to {{r0}}", (x,), x.shape, elem)

    def operation(self, shape):
        """One random operation whose result has this shape."""
        elem, r = self.rng.choice(self.elems), self.rng.random()
        if r < 0.15:
            return self.compare(shape, "i1") if r < 0.13 else self.classify(shape, "i1")
        if r < 0.4:
            return self.cast(shape, elem)
        if r < 0.52:
            return self.select(shape, elem)
        if elem in INTS:
            kinds = [(self.int_binary, 14), (self.int_unary, 2), (self.int_extended, 1), (self.int_rounded, 1), (self.int_two, 1)]
        elif elem in FLOAT8:
            kinds = [(self.cast, 6), (self.select, 2)]
        else:
            kinds = [(self.float_binary, 8), (self.float_unary, 4), (self.float_three, 4), (self.float_exact_division, 2)]
        return self.rng.choices([k for k, _ in kinds], [w for _, w in kinds])[0](shape, elem)
