"""kernel_ir.py - kernels as Python objects: values, operations and blocks that print as text of the tile dialect."""

INTS = ("i1", "i8", "i16", "i32", "i64")
FLOATS = ("f16", "bf16", "f32", "f64")
FLOAT8 = ("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ")
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "index": 64}
BITS.update({e: 8 for e in FLOAT8})


def is_float(elem):
    return elem[0] in "fb"


def elem_text(elem):
    if elem.startswith("desc:"):
        return f"!tile.desc<{elem[5:]}>"
    return f"!tile.ptr<{elem[4:]}>" if elem.startswith("ptr:") else elem


def type_text(shape, elem):
    """() is a scalar."""
    return f"tensor<{'x'.join(map(str, shape))}x{elem_text(elem)}>" if shape else elem_text(elem)


def count(shape):
    n = 1
    for s in shape:
        n *= s
    return n


class Value:
    """An SSA value. `exact`: the bits of a NaN in it are defined (no arithmetic made them)."""

    __slots__ = ("shape", "elem", "exact")

    def __init__(self, shape, elem, exact=False):
        self.shape, self.elem, self.exact = tuple(shape), elem, exact or not is_float(elem)

    @property
    def type(self):
        return type_text(self.shape, self.elem)


class Op:
    """One operation. In `text`, {0} {1} are operands, {t0} their types, {r0} result types.

    `fixed`: part of an address or a bound, so that changing an operand could leave a buffer. `effect`: not removable.
    """

    def __init__(self, text, operands=(), results=(), fixed=False, effect=False):
        self.text, self.operands, self.results = text, list(operands), list(results)
        self.fixed, self.effect, self.blocks = fixed, effect, []

    def print(self, names, out, indent):
        fields = {f"t{i}": v.type for i, v in enumerate(self.operands)}
        fields.update({f"r{i}": v.type for i, v in enumerate(self.results)})
        body = self.text.format(*[names[v] for v in self.operands], **fields)
        out.append(indent + self.left(names) + body)

    def left(self, names):
        for v in self.results:
            names[v] = f"%{len(names)}"
        return ", ".join(names[v] for v in self.results) + " = " if self.results else ""


class Block:
    def __init__(self, args=()):
        self.args, self.ops, self.yields = list(args), [], []

    def print(self, names, out, indent):
        for op in self.ops:
            op.print(names, out, indent + "  ")

    def end(self, names, out, indent, word, first=""):
        if self.yields or first:
            values = ", ".join(names[v] for v in self.yields)
            types = ", ".join(v.type for v in self.yields)
            out.append(f"{indent}  {word}{first} {values} : {types}" if self.yields else f"{indent}  {word}{first}")


def types_of(values):
    return "(" + ", ".join(v.type for v in values) + ")"


class For(Op):
    """Operands: lower, upper, step, initial values. Block: induction variable, carried values."""

    def __init__(self, operands, results, block):
        super().__init__("scf.for", operands, results)
        self.blocks, self.attrs = [block], []

    def print(self, names, out, indent):
        lower, upper, step, inits = *self.operands[:3], self.operands[3:]
        bounds = [names[v] for v in (lower, upper, step)]
        first = [names[v] for v in inits]
        left, block = self.left(names), self.blocks[0]
        for v in block.args:
            names[v] = f"%{len(names)}"
        line = f"{left}scf.for {names[block.args[0]]} = {bounds[0]} to {bounds[1]} step {bounds[2]} "
        if inits:
            pairs = ", ".join(f"{names[a]} = {i}" for a, i in zip(block.args[1:], first))
            line += f"iter_args({pairs}) -> {types_of(inits)} "
        out.append(indent + line + ("" if lower.elem == "index" else f": {lower.elem} ") + "{")
        block.print(names, out, indent)
        block.end(names, out, indent, "scf.yield")
        out.append(indent + "}" + (f" {{{', '.join(self.attrs)}}}" if self.attrs else ""))


class If(Op):
    """Operand: the condition. Blocks: then, and otherwise if there are results or two arms."""

    def __init__(self, condition, results, blocks):
        super().__init__("scf.if", [condition], results)
        self.blocks = blocks

    def print(self, names, out, indent):
        condition, left = names[self.operands[0]], self.left(names)
        result = f"-> {types_of(self.results)} " if self.results else ""
        out.append(f"{indent}{left}scf.if {condition} {result}{{")
        for i, block in enumerate(self.blocks):
            if i:
                out.append(indent + "} else {")
            block.print(names, out, indent)
            block.end(names, out, indent, "scf.yield")
        out.append(indent + "}")


class While(Op):
    """Operands: initial values. Blocks: before (its `condition` decides, its yields are passed on), after."""

    def __init__(self, inits, results, before, after, condition):
        super().__init__("scf.while", inits, results)
        self.blocks, self.condition = [before, after], condition

    def print(self, names, out, indent):
        first, left = [names[v] for v in self.operands], self.left(names)
        before, after = self.blocks
        for v in before.args + after.args:
            names[v] = f"%{len(names)}"
        pairs = ", ".join(f"{names[a]} = {i}" for a, i in zip(before.args, first))
        out.append(f"{indent}{left}scf.while ({pairs}) : {types_of(before.args)} -> {types_of(after.args)} {{")
        before.print(names, out, indent)
        before.end(names, out, indent, "scf.condition", f"({names[self.condition]})")
        out.append(indent + "} do {")
        out.append(f"{indent}^bb0({', '.join(f'{names[a]}: {a.type}' for a in after.args)}):")
        after.print(names, out, indent)
        after.end(names, out, indent, "scf.yield")
        out.append(indent + "}")


class Param:
    """A kernel parameter. A buffer has `count` elements that `seed` decides (`whole`: small whole numbers), a scalar is
    `number`: an integer, or the bits of a float. `attrs`: name to integer."""

    def __init__(self, value, count=None, seed=0, number=None, written=False, whole=False):
        self.value, self.count, self.seed, self.number, self.written = value, count, seed, number, written
        self.whole = whole
        self.attrs, self.shift = {}, 0  # on a device: elements in front of the buffer

    @property
    def elem(self):
        return self.value.elem.removeprefix("ptr:")


class Kernel:
    """A function with its launch: grid, warps and arguments."""

    def __init__(self, name, grid, warps):
        self.name, self.grid, self.warps = name, grid, warps
        self.params, self.block = [], Block()

    def text(self):
        names, out, params = {}, [], []
        for p in self.params:
            names[p.value] = f"%{len(names)}"
            attrs = ", ".join(f"tile.{k} = {v} : i32" for k, v in p.attrs.items())
            params.append(f"{names[p.value]}: {p.value.type}" + (f" {{{attrs}}}" if attrs else ""))
        out.append(f"func.func @{self.name}({', '.join(params)}) attributes {{tile.kernel}} {{")
        self.block.print(names, out, "")
        out += ["  return", "}"]
        return "\n".join(out) + "\n"


def walk(block):
    """Every operation of a block, outer ones before those inside."""
    for op in block.ops:
        yield op
        for inner in op.blocks:
            yield from walk(inner)


def uses(block, into=None):
    """How often each value is used in a block and those inside."""
    into = {} if into is None else into
    for op in block.ops:
        for v in op.operands + ([op.condition] if isinstance(op, While) else []):
            into[v] = into.get(v, 0) + 1
        for inner in op.blocks:
            uses(inner, into)
    for v in block.yields:
        into[v] = into.get(v, 0) + 1
    return into


def has_effect(op):
    return op.effect or any(has_effect(inner) for block in op.blocks for inner in block.ops)


def remove_dead(kernel):
    """Removes operations that nobody needs, and parameters with them."""
    while True:
        used = uses(kernel.block)
        removed = sweep(kernel.block, used)
        if not removed:
            break
    kernel.params = [p for p in kernel.params if used.get(p.value)]


def sweep(block, used):
    kept = [op for op in block.ops if has_effect(op) or any(used.get(v) for v in op.results)]
    removed = len(block.ops) - len(kept)
    block.ops = kept
    return removed + sum(sweep(inner, used) for op in kept for inner in op.blocks)


def replace_everywhere(block, mapping):
    """Replaces uses of values."""
    for op in block.ops:
        op.operands = [mapping.get(v, v) for v in op.operands]
        if isinstance(op, While):
            op.condition = mapping.get(op.condition, op.condition)
        for inner in op.blocks:
            replace_everywhere(inner, mapping)
    block.yields = [mapping.get(v, v) for v in block.yields]
