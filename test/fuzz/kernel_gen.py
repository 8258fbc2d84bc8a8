"""kernel_gen.py - random well-typed kernels whose accesses stay in bounds and which write each element once.

One seed gives one kernel, on every machine. Addresses and bounds are made of operations marked `fixed`; everything else
may be changed by the reducer.
"""
import random
from dataclasses import dataclass

from kernel_access import Accesses
from kernel_atomic import Atomics
from kernel_control import Control
from kernel_data import random_bits
from kernel_ir import BITS, FLOAT8, FLOATS, INTS, Kernel, Op, Param, Value, remove_dead
from kernel_moves import Moves
from kernel_ops import Operations

SIZES = ([1] * 2 + [2, 4, 8, 16] * 2 + [32, 64, 128] * 12 + [256, 512] * 16 + [1024, 2048] * 5)
ODD_SIZES = (3, 5, 6, 12, 24, 33, 48, 96, 100, 127, 200, 255, 360, 384, 500, 768, 1000, 1001, 1536)
MAX_TOTAL = 6144  # elements of all programs


@dataclass
class Options:
    """What a batch has in common, and what the generator may use."""

    warps: int = 4
    precise: bool = True
    fma: bool = True
    moves: float = 0.03  # how often operations that move elements between threads
    atomics: float = 0.01
    odd: float = 0.15  # how often sizes that are no powers of two
    stages: int = 0  # of pipelined loops; 0: the default
    disable: str = "-"  # features of the chip


class Scope:
    """Values by type, and what was computed before: inner scopes see outer ones."""

    def __init__(self, outer=None):
        self.outer, self.pool, self.cache = outer, {}, {}
        self.used = outer.used if outer else set()

    def values(self, key):
        return (self.outer.values(key) if self.outer else []) + self.pool.get(key, [])

    def unused(self, key):
        """Values that no operation has taken yet."""
        return [v for v in self.values(key) if v not in self.used]

    def cached(self, key):
        return self.cache.get(key) or (self.outer.cached(key) if self.outer else None)


class Generator(Operations, Accesses, Control, Moves, Atomics):
    def __init__(self, seed, name, options):
        self.rng, self.options = random.Random(seed), options
        self.size = self.rng.choice(SIZES if self.rng.random() >= options.odd else ODD_SIZES)
        self.grid = self.random_grid()
        self.kernel = Kernel(name, self.grid, options.warps)
        self.block, self.scope, self.depth, self.loops = self.kernel.block, Scope(), 0, []
        self.elems = self.random_elems()
        self.shapes = self.random_shapes()

    def random_grid(self):
        grid = [1, 1, 1]
        for axis in range(3):
            most = MAX_TOTAL // (self.size * grid[0] * grid[1])
            if self.rng.random() < (0.7 if axis == 0 else 0.25):
                grid[axis] = self.rng.randint(1, min(3, max(most, 1)))
        return grid

    def random_elems(self):
        """The types of this kernel: a few, so that chains stay long."""
        groups = (INTS, FLOATS, FLOAT8)
        elems = [self.rng.choice(self.rng.choices(groups, (5, 6, 1))[0]) for _ in range(self.rng.randint(2, 5))]
        return list(dict.fromkeys(elems + (["i32"] if self.rng.random() < 0.3 else [])))

    def random_shapes(self):
        """The shapes of this kernel; the first is the main one, others broadcast to it or stand alone."""
        size, kind = self.size, self.rng.random()
        if kind < 0.55 or size == 1:
            return [(size,)] + ([(self.rng.choice(SIZES[:30]),)] if self.rng.random() < 0.15 else [])
        rows = self.part(size)
        if kind < 0.93:
            main, others = (rows, size // rows), [(rows,), (size // rows,), (rows, 1), (1, size // rows)]
        else:
            planes = self.part(size // rows)
            main = (rows, planes, size // rows // planes)
            others = [main[1:], main[2:], (rows, 1, 1), (1, main[1], 1), (main[0], 1, main[2])]
        return [main] + self.rng.sample(others, self.rng.randint(1, 2))

    def part(self, size):
        return self.rng.choice([n for n in range(1, size + 1) if size % n == 0])

    # Writing operations.

    def write(self, op):
        self.block.ops.append(op)
        return op

    def emit(self, text, operands, shape, elem, exact=False, fixed=False, pool=True):
        """Writes an operation with one result, which later operations may use unless pool is false."""
        result = Value(shape, elem, exact)
        self.scope.used.update(operands)
        self.write(Op(text, operands, (result,), fixed))
        if pool and not fixed:
            self.offer(result)
        return result

    def emit_two(self, text, operands, shape, elems):
        results = [Value(shape, e) for e in elems]
        self.scope.used.update(operands)
        self.write(Op(text, operands, results))
        for r in results:
            self.offer(r)
        return results[0]

    def offer(self, value):
        self.scope.pool.setdefault((value.shape, value.elem), []).append(value)

    def buffer(self, elem, count, written=False, whole=False):
        """A new buffer of `count` random elements; returns its pointer."""
        param = Param(Value((), "ptr:" + elem), count, self.rng.getrandbits(32), written=written, whole=whole)
        if self.rng.random() < 0.6:
            param.attrs["divisibility"] = self.rng.choice((16, 16, 16, 8, 4))
        if self.rng.random() < 0.1:
            param.attrs["pointer_range"] = 32
        self.kernel.params.append(param)
        return param.value

    def scalar(self, elem, number):
        """A new scalar parameter with this argument."""
        param = Param(Value((), elem, elem != "bf16"), number=number)
        if elem in ("i32", "i64") and number % 16 == 0 and self.rng.random() < 0.7:
            param.attrs["divisibility"] = 16
        self.kernel.params.append(param)
        return param.value

    def number(self, elem):
        """A scalar parameter with a random argument."""
        bits = random_bits(self.rng, elem)
        if elem in INTS[1:] and bits >> BITS[elem] - 1:
            bits -= 1 << BITS[elem]
        value = self.scalar(elem, bits)
        self.offer(value)
        return value

    # Finding values.

    def value(self, shape, elem):
        """Some value of this type: mostly one that nobody has used, or a late one, or a new one."""
        key, r = (shape, elem), self.rng.random()
        if r < 0.6 and (unused := self.scope.unused(key)):
            return self.rng.choice(unused)
        if r < 0.88 and (old := self.scope.values(key)):
            return self.rng.choice(old[-6:])
        return self.new_value(shape, elem)

    def new_value(self, shape, elem):
        r = self.rng.random()
        if r < 0.2:
            return self.constant(shape, elem)
        if r < 0.5:
            return self.load(shape, elem)
        if not shape:
            return self.number(elem) if elem not in FLOAT8 else self.load(shape, elem)
        if r < 0.6:
            return self.emit("tile.splat {0} : {r0}", (s := self.value((), elem),), shape, elem, exact=s.exact)
        if r < 0.75:
            return self.spread(shape, elem)
        old = [v for e in self.elems for v in self.scope.values((shape, e))]
        return self.convert(self.rng.choice(old), elem) if old else self.load(shape, elem)

    def spread(self, shape, elem):
        """A value of a smaller shape, expanded and broadcast to this one."""
        rank = len(shape)
        smaller = [s for s in self.shapes if s != shape and self.fits(s, shape)]
        if not smaller:
            return self.emit("tile.splat {0} : {r0}", (s := self.value((), elem),), shape, elem, exact=s.exact)
        return self.widen(self.value(self.rng.choice(smaller), elem), shape, pool=True)

    @staticmethod
    def fits(small, big):
        if len(small) == len(big):
            return all(s in (1, b) for s, b in zip(small, big))
        return len(small) < len(big) and any(
            Generator.fits(small[:i] + (1,) + small[i:], big) for i in range(len(small) + 1)
        )

    def widen(self, v, shape, axes=None, fixed=False, pool=False):
        """Inserts dimensions of size 1 where they lead to `shape`, then broadcasts."""
        while len(v.shape) < len(shape):
            choices = [i for i in range(len(v.shape) + 1) if self.fits(v.shape[:i] + (1,) + v.shape[i:], shape)]
            axis = self.rng.choice(choices) if axes is None else axes.pop(0)
            grown = v.shape[:axis] + (1,) + v.shape[axis:]
            text = f"tile.expand_dims {{0}} axis = {axis} : {{t0}} -> {{r0}}"
            v = self.emit(text, (v,), grown, v.elem, exact=v.exact, fixed=fixed, pool=False)
        if v.shape != shape:
            v = self.emit("tile.broadcast {0} : {t0} -> {r0}", (v,), shape, v.elem, v.exact, fixed, pool)
        return v

    # The kernel.

    def generate(self):
        for _ in range(self.rng.randint(1, 3)):
            self.load(self.rng.choice(self.shapes), self.rng.choice(self.elems))
        self.grow(self.rng.randint(4, 40))
        self.store_rest()
        remove_dead(self.kernel)
        return self.kernel

    def grow(self, steps):
        """Adds operations, control flow and stores to the current block."""
        for _ in range(steps):
            r = self.rng.random()
            if r < 0.05 and self.depth < 2:
                self.control()
            elif r < (0.06 if self.depth == 0 else 0.1):
                self.store_something()
            elif r < 0.14:
                self.operation(())
            elif r < 0.14 + self.options.moves:
                self.move(self.rng.choice(self.shapes))
            elif r < 0.14 + self.options.moves + self.options.atomics:
                self.atomic(self.rng.choice(self.shapes + [()]))
            else:
                self.operation(self.shapes[0] if self.rng.random() < 0.7 else self.rng.choice(self.shapes))

    def store_rest(self):
        """Stores what was computed last and nobody used."""
        shapes = self.shapes + [()]
        rest = [v for s in shapes for e in dict.fromkeys(self.elems + ["i1"]) for v in self.scope.unused((s, e))[-3:]]
        for v in self.rng.sample(rest, min(len(rest), 5)) or [self.value(self.shapes[0], self.elems[0])]:
            self.store(v)

    def store_something(self):
        """Stores one of the latest values."""
        shape = self.rng.choice(self.shapes + [self.shapes[0]] * 4 + [()])
        elem = self.rng.choice(self.elems)
        values = [v for e in self.elems + ["i1"] for v in self.scope.values((shape, e))[-3:]]
        self.store(self.rng.choice(values) if values else self.value(shape, elem))


def generate(seed, name, options):
    return Generator(seed, name, options).generate()
