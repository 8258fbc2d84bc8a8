"""kernel_reduce.py - makes a failing kernel smaller while it still fails."""
import copy
import time

from kernel_data import float_bits
from kernel_ir import Op, Value, For, If, While, is_float, remove_dead, replace_everywhere, walk
from kernel_ops import constant_text


def blocks_of(block):
    yield block
    for op in block.ops:
        for inner in op.blocks:
            yield from blocks_of(inner)


def simple(v):
    """A constant operation for a value: one, or zero."""
    bits = float_bits(v.elem, 1.0) if is_float(v.elem) else 1
    return Op(constant_text(v.elem, bits, v.shape), (), (Value(v.shape, v.elem, True),))


def drop_op(kernel, n):
    """Without effect n."""
    ops = [(b, op) for b in blocks_of(kernel.block) for op in b.ops if op.effect or op.blocks]
    if n >= len(ops):
        return False
    block, op = ops[n]
    at = block.ops.index(op)
    instead = [simple(r) for r in op.results]
    block.ops[at : at + 1] = instead
    replace_everywhere(kernel.block, {r: c.results[0] for r, c in zip(op.results, instead)})
    return True


def unwrap(kernel, n):
    """The first or the last arm of control flow n in place of it."""
    ops = [(b, op, i) for b in blocks_of(kernel.block) for op in b.ops for i in range(len(op.blocks))]
    if n >= len(ops):
        return False
    block, op, arm = ops[n]
    inner, at, mapping = op.blocks[arm], block.ops.index(op), {}
    if isinstance(op, For):
        mapping.update(zip(inner.args, [op.operands[0]] + op.operands[3:]))
    elif isinstance(op, While):
        mapping.update(zip(inner.args, op.operands))
    mapping.update(zip(op.results, inner.yields))
    block.ops[at : at + 1] = inner.ops
    for _ in range(2):  # yields may be arguments
        replace_everywhere(kernel.block, mapping)
    return True


def operands_of(kernel):
    """(op, index) of operands that may be changed: values, never addresses and bounds."""
    for op in walk(kernel.block):
        if op.fixed:
            continue
        for i, v in enumerate(op.operands):
            memory = op.text.startswith(("tile.load", "tile.store"))
            control = isinstance(op, For) and i < 3 or isinstance(op, While) and i == 0
            if not control and not (memory and i == 0) and not v.elem.startswith(("ptr:", "desc:")):
                yield op, i


def to_constant(kernel, n):
    """A constant in place of operand n."""
    for k, (op, i) in enumerate(operands_of(kernel)):
        if k == n:
            if op.text.startswith("arith.constant") or is_mask(op, i):
                return None
            made = simple(op.operands[i])
            owner = next(b for b in blocks_of(kernel.block) if op in b.ops)
            owner.ops.insert(owner.ops.index(op), made)
            op.operands[i] = made.results[0]
            return True
    return False


def is_mask(op, i):
    return op.text.startswith("tile.store") and i == 2 or op.text.startswith("tile.load") and i == 1


def to_operand(kernel, n):
    """An operand of its own in place of a result of the same type."""
    pairs = [
        (op, v)
        for op in walk(kernel.block)
        if not op.fixed and not op.blocks and len(op.results) == 1
        for v in op.operands
        if v.type == op.results[0].type
    ]
    if n >= len(pairs):
        return False
    op, v = pairs[n]
    replace_everywhere(kernel.block, {op.results[0]: v})
    return True


def result_to_constant(kernel, n):
    """A constant in place of result n."""
    ops = [(b, op) for b in blocks_of(kernel.block) for op in b.ops if not op.fixed and op.results and not op.blocks]
    ops = [(b, op) for b, op in ops if not op.text.startswith("arith.constant") and not op.results[0].elem.startswith("ptr")]
    if n >= len(ops):
        return False
    block, op = ops[n]
    made = [simple(r) for r in op.results]
    at = block.ops.index(op)
    block.ops[at + 1 : at + 1] = made
    replace_everywhere(kernel.block, {r: m.results[0] for r, m in zip(op.results, made)})
    return True


def one_program(kernel, n):
    if n > 0 or kernel.grid == [1, 1, 1]:
        return False
    kernel.grid = [1, 1, 1]
    return True


STEPS = (drop_op, one_program, unwrap, result_to_constant, to_operand, to_constant)


def size(kernel):
    return sum(1 + len(op.blocks) for op in walk(kernel.block) if not op.text.startswith("arith.constant"))


def reduce_kernel(kernel, fails, seconds):
    """The smallest kernel found within some seconds for which fails(kernel) holds."""
    end, changed = time.time() + seconds, True
    while changed and time.time() < end:
        changed = False
        for step in STEPS:
            n = 0
            while time.time() < end:
                candidate = copy.deepcopy(kernel)
                done = step(candidate, n)
                if done is False:
                    break
                remove_dead(candidate)
                smaller = size(candidate) < size(kernel) or candidate.grid != kernel.grid
                if done and smaller and valid(candidate, fails):
                    kernel, changed = candidate, True
                else:
                    n += 1
    return kernel


def valid(kernel, fails):
    try:
        return fails(kernel)
    except KeyError:  # a value used before it is defined
        return False
