"""kernel_control.py - loops and branches of random kernels, with tensors and scalars carried through them."""
from kernel_ir import BITS, Block, For, If, Value, While
from kernel_ops import constant_text


class Control:
    """Mixin of the generator. `loops` holds the loops around the current block as (induction value, most trips)."""

    def control(self):
        self.rng.choice((self.loop, self.branch, self.branch, self.repeat))()

    def inside(self, block, steps):
        """Fills a block with operations in a scope of its own; returns that scope."""
        outer, before = self.scope, self.block
        self.scope, self.block, self.depth = type(outer)(outer), block, self.depth + 1
        for v in block.args:
            self.offer(v)
        self.grow(steps)
        filled, self.scope, self.block, self.depth = self.scope, outer, before, self.depth - 1
        return filled

    def within(self, scope, block, make):
        """Calls make() with a filled block as the current one."""
        outer, before = self.scope, self.block
        self.scope, self.block = scope, block
        result = make()
        self.scope, self.block = outer, before
        return result

    def carried(self):
        """Types to carry: mostly tensors of the main shape."""
        shapes = [self.shapes[0]] * 3 + [()]
        return [(self.rng.choice(shapes), self.rng.choice(self.elems)) for _ in range(self.rng.randint(1, 3))]

    def small(self, elem, number):
        return self.emit(constant_text(elem, number & (1 << BITS[elem]) - 1, ()), (), (), elem, fixed=True)

    def bound(self, elem, number):
        """A known number, as a constant or as an argument."""
        if elem == "index" or self.rng.random() < 0.5:
            return self.small(elem, number)
        return self.scalar(elem, number)

    def loop(self):
        elem = self.rng.choice(("i32", "i32", "i64", "index"))
        lower, step, trips = self.rng.randint(0, 2), self.rng.randint(1, 3), self.rng.randint(0, 4)
        upper = lower + trips * step - self.rng.randrange(step) if trips else lower - self.rng.randint(0, 2)
        bounds = [self.bound(elem, n) for n in (lower, max(upper, 0), step)]
        inits = [self.value(s, e) for s, e in self.carried()]
        block = Block([Value((), elem)] + [Value(v.shape, v.elem) for v in inits])
        results = [Value(v.shape, v.elem) for v in inits]
        iv, block.args[0:1] = block.args[0], []
        scope = self.scope
        self.loops.append((iv, lower, step, max(trips, 1)))
        filled = self.fill_loop(block, iv)
        self.loops.pop()
        assert scope is self.scope
        block.yields = self.within(filled, block, lambda: [self.value(v.shape, v.elem) for v in inits])
        block.args.insert(0, iv)
        self.write(For(bounds + inits, results, block))
        for r in results:
            self.offer(r)

    def fill_loop(self, block, iv):
        """The body; the induction variable is offered as an integer."""
        def start():
            n = iv
            if iv.elem == "index":
                n = self.emit("arith.index_cast {0} : index to {r0}", (iv,), (), "i32", fixed=True)
            self.scope.cache[("iv", iv)] = n
            self.offer(n)

        scope = type(self.scope)(self.scope)
        self.within(scope, block, start)
        outer, self.scope = self.scope, scope
        filled = self.inside(block, self.rng.randint(1, 6))
        self.scope = outer
        return filled

    def branch(self):
        condition = self.value((), "i1")
        types = self.carried() if self.rng.random() < 0.8 else []
        blocks = [Block() for _ in range(2 if types or self.rng.random() < 0.5 else 1)]
        for block in blocks:
            filled = self.inside(block, self.rng.randint(0, 5))
            block.yields = self.within(filled, block, lambda: [self.value(s, e) for s, e in types])
        results = [Value(s, e) for s, e in types]
        self.write(If(condition, results, blocks))
        for r in results:
            self.offer(r)

    def repeat(self):
        """A while loop that a counter ends after a few rounds, or a value before."""
        limit = self.bound("i32", self.rng.randint(0, 4))
        inits = [self.small("i32", 0)] + [self.value(s, e) for s, e in self.carried()]
        before = Block([Value(v.shape, v.elem) for v in inits])
        after = Block([Value(v.shape, v.elem) for v in inits])
        results = [Value(v.shape, v.elem) for v in inits]
        counter, before.args[0:1] = before.args[0], []
        filled = self.inside(before, self.rng.randint(0, 2))
        condition = self.within(filled, before, lambda: self.may_go_on(counter, limit))
        before.args.insert(0, counter)
        before.yields = list(before.args)
        counter, after.args[0:1] = after.args[0], []
        filled = self.inside(after, self.rng.randint(1, 5))
        after.yields = self.within(filled, after, lambda: self.next_round(counter, inits))
        after.args.insert(0, counter)
        self.write(While(inits, results, before, after, condition))
        for r in results:
            self.offer(r)

    def may_go_on(self, counter, limit):
        go = self.emit("arith.cmpi slt, {0}, {1} : {t0}", (counter, limit), (), "i1", fixed=True)
        if self.rng.random() < 0.4:
            go = self.emit("arith.andi {0}, {1} : {r0}", (go, self.value((), "i1")), (), "i1", fixed=True)
        return go

    def next_round(self, counter, inits):
        one = self.small("i32", 1)
        more = self.emit("arith.addi {0}, {1} : {r0}", (counter, one), (), "i32", fixed=True)
        return [more] + [self.value(v.shape, v.elem) for v in inits[1:]]
