#!/usr/bin/env python3
"""generate_access.py --list | NAME - writes a kernel of one access pattern, whose requests, sectors and bank conflicts the simulator
and a GPU's counters have to agree on.

The kernel is @k(in: i32[16384], out: i32[16384]) for a grid of 4 programs of 128 threads.
"""
import sys

WORDS = {"i16": 2, "i32": 4, "vector<2xi32>": 8, "vector<4xi32>": 16}
I16, I32, V2, V4 = WORDS

# name: (type, index of a lane's element as an expression of i (global), mask or None)
GLOBAL = {
    "coalesced": (I32, "i", None),
    "strided": (I32, "8 * i", None),
    "misaligned": (I32, "i + 1", None),
    "masked": (I32, "i", "lane % 4 == 0"),
    "half": (I16, "i", None),
    "half_shifted": (I16, "i + 1", None),
    "wide2": (V2, "i", None),
    "wide4": (V4, "i", None),
    "wide4_strided": (V4, "2 * i", None),
    "uniform": (I32, "0", None),
    "reversed": (I32, "511 - i", None),
    "pairs": (I32, "i / 2", None),
    "scattered": (I32, "i * 77 % 4096", None),
    "tail": (I32, "i", "lane < 5"),
}
# name: (type, index of the store, index of the load), in elements, of lane l and warp w
SHARED = {
    "linear": (I32, "l + 32 * w", "l + 32 * w"),
    "conflicted": (I32, "32 * l + w", "32 * l + w"),
    "stride2": (I32, "2 * l + 64 * w", "2 * l + 64 * w"),
    "stride4": (I32, "4 * l + 128 * w", "4 * l + 128 * w"),
    "padded": (I32, "33 * l + w", "33 * l + w"),
    "broadcast": (I32, "l + 32 * w", "w"),
    "two_words": (I32, "l + 32 * w", "32 * (l % 2) + l / 16"),
    "bytes2": (I16, "l + 32 * w", "l + 32 * w"),
    "bytes2_spread": (I16, "l + 32 * w", "64 * (l % 2) + l / 2"),
    "wide2": (V2, "l + 32 * w", "l + 32 * w"),
    "wide2_strided": (V2, "2 * l + 64 * w", "2 * l + 64 * w"),
    "wide2_conflicted": (V2, "16 * l + w", "16 * l + w"),
    "wide2_pairs": (V2, "l + 32 * w", "l / 2 + 32 * w"),
    "wide2_quads": (V2, "l + 32 * w", "l / 4 + 32 * w"),
    "wide2_pairs2": (V2, "l + 32 * w", "l % 2 + 2 * (l / 4) + 32 * w"),
    "wide2_pairs4": (V2, "l + 32 * w", "l % 4 + 4 * (l / 8) + 32 * w"),
    "wide2_halves": (V2, "l + 32 * w", "l % 16 + 32 * w"),
    "wide2_eighths": (V2, "l + 32 * w", "l % 8 + 32 * w"),
    "wide2_some": (V2, "l + 32 * w", "l / 2 + l % 2 * (l / 30) + 32 * w"),
    "wide2_one": (V2, "l + 32 * w", "w"),
    "wide2_sparse": (V2, "l + 32 * w", "l + 32 * w", "l % 4 == 0"),
    "wide2_few": (V2, "l + 32 * w", "l + 32 * w", "l < 5"),
    "wide4": (V4, "l + 32 * w", "l + 32 * w"),
    "wide4_strided": (V4, "2 * l + 64 * w", "2 * l + 64 * w"),
    "wide4_conflicted": (V4, "8 * l + w", "8 * l + w"),
    "wide4_padded": (V4, "9 * l + w", "9 * l + w"),
    "wide4_pairs": (V4, "l + 32 * w", "l / 2 + 32 * w"),
    "wide4_quads": (V4, "l + 32 * w", "l / 4 + 32 * w"),
    "wide4_pairs2": (V4, "l + 32 * w", "l % 2 + 2 * (l / 4) + 32 * w"),
    "wide4_pairs4": (V4, "l + 32 * w", "l % 4 + 4 * (l / 8) + 32 * w"),
    "wide4_pairs8": (V4, "l + 32 * w", "l % 8 + 8 * (l / 16) + 32 * w"),
    "wide4_halves": (V4, "l + 32 * w", "l % 16 + 32 * w"),
    "wide4_eighths": (V4, "l + 32 * w", "l % 8 + 32 * w"),
    "wide4_one": (V4, "l + 32 * w", "w"),
    "wide4_sparse": (V4, "l + 32 * w", "l + 32 * w", "l % 4 == 0"),
    "wide4_few": (V4, "l + 32 * w", "l + 32 * w", "l < 5"),
    "masked": (I32, "l + 32 * w", "2 * l % 32 + 32 * w", "l % 4 == 0"),
    "wide4_swizzled": (V4, "8 * l + (w ^ (l % 8))", "8 * l + (w ^ (l % 8))"),
}
# name: (matrices, bytes from row to row)
MATRIX = {"ldmatrix1": (1, 16), "ldmatrix2": (2, 16), "ldmatrix4": (4, 16), "ldmatrix4_conflicted": (4, 128), "ldmatrix4_padded": (4, 144),
          "ldmatrix4_stride2": (4, 32)}


class Kernel:
    def __init__(self):
        self.lines, self.count, self.constants = [], 0, {}

    def emit(self, text):
        self.lines.append("  " + text)

    def value(self, text):
        self.count += 1
        self.emit(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, n):
        if n not in self.constants:
            self.constants[n] = f"%c{len(self.constants)}"
        return self.constants[n]

    def expression(self, text, names):
        """An index expression of Python's syntax as i32 operations."""
        import ast

        ops = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Mod: "urem", ast.Div: "udiv", ast.BitXor: "xor"}

        def walk(node):
            if isinstance(node, ast.Constant):
                return self.constant(node.value)
            if isinstance(node, ast.Name):
                return names[node.id]
            if isinstance(node, ast.Compare):
                predicate = "eq" if isinstance(node.ops[0], ast.Eq) else "ult"
                return self.value(f'llvm.icmp "{predicate}" {walk(node.left)}, {walk(node.comparators[0])} : i32')
            return self.value(f"llvm.{ops[type(node.op)]} {walk(node.left)}, {walk(node.right)} : i32")

        return walk(ast.parse(text, mode="eval").body)

    def element(self, base, space, index, type):
        return self.value(f"llvm.getelementptr {base}[{index}] : (!llvm.ptr<{space}>, i32) -> !llvm.ptr<{space}>, {type}")

    def begin(self):
        tid = self.value("nvvm.read.ptx.sreg.tid.x : i32")
        block = self.value("nvvm.read.ptx.sreg.ctaid.x : i32")
        first = self.value(f"llvm.mul {block}, {self.constant(128)} : i32")
        i = self.value(f"llvm.add {first}, {tid} : i32")
        lane = self.value(f"llvm.and {tid}, {self.constant(31)} : i32")
        warp = self.value(f"llvm.lshr {tid}, {self.constant(5)} : i32")
        return {"i": i, "lane": lane, "l": lane, "w": warp}

    def global_access(self, type, index, mask):
        names = self.begin()
        i = self.expression(index, names)
        p = self.element("%in", 1, i, type)
        # Where several lanes read one element, each stores to a place of its own.
        own = "i + 8192" if index in ("0", "i / 2", "i * 77 % 4096") else index
        q = self.element("%out", 1, self.expression(own, names), type)
        if mask:
            m = self.expression(mask, names)
            self.emit(f"llvm.cond_br {m}, ^access, ^end")
            self.lines.append("^access:")
        v = self.value(f"llvm.load {p} : !llvm.ptr<1> -> {type}")
        self.emit(f"llvm.store {v}, {q} : {type}, !llvm.ptr<1>")
        if mask:
            self.emit("llvm.br ^end")
            self.lines.append("^end:")

    def shared_access(self, type, store, load, mask=None):
        names = self.begin()
        source = self.value(f"llvm.load {self.element('%in', 1, names['i'], type)} : !llvm.ptr<1> -> {type}")
        base = self.value("llvm.mlir.addressof @buffer : !llvm.ptr<3>")
        p = self.element(base, 3, self.expression(store, names), type)
        q = self.element(base, 3, self.expression(load, names), type)
        self.emit(f"llvm.store {source}, {p} : {type}, !llvm.ptr<3>")
        self.emit("nvvm.barrier0")
        if mask:
            self.emit(f"llvm.cond_br {self.expression(mask, names)}, ^access, ^end")
            self.lines.append("^access:")
        v = self.value(f"llvm.load {q} : !llvm.ptr<3> -> {type}")
        self.emit(f"llvm.store {v}, {self.element('%out', 1, names['i'], type)} : {type}, !llvm.ptr<1>")
        if mask:
            self.emit("llvm.br ^end")
            self.lines.append("^end:")

    def matrix_access(self, count, stride):
        """All rows are written first: 16 bytes a thread, as many rounds as the rows' place needs."""
        names = self.begin()
        base = self.value("llvm.mlir.addressof @buffer : !llvm.ptr<3>")
        source = self.value(f"llvm.load {self.element('%in', 1, names['i'], V4)} : !llvm.ptr<1> -> {V4}")
        tid = self.value(f"llvm.and {names['i']}, {self.constant(127)} : i32")
        for k in range((32 * stride + 2047) // 2048):
            at = self.value(f"llvm.add {tid}, {self.constant(128 * k)} : i32")
            self.emit(f"llvm.store {source}, {self.element(base, 3, at, V4)} : {V4}, !llvm.ptr<3>")
        self.emit("nvvm.barrier0")
        offset = self.value(f"llvm.mul {names['l']}, {self.constant(stride)} : i32")
        q = self.element(base, 3, offset, "i8")
        type = "i32" if count == 1 else f"!llvm.struct<({', '.join(['i32'] * count)})>"
        attributes = (f"num = {count} : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, "
                      "eltType = #nvvm.ld_st_matrix_elt_type<b16>")
        r = self.value(f"nvvm.ldmatrix {q} {{{attributes}}} : (!llvm.ptr<3>) -> {type}")
        total = None
        for k in range(count):
            v = r if count == 1 else self.value(f"llvm.extractvalue {r}[{k}] : {type}")
            total = v if total is None else self.value(f"llvm.xor {total}, {v} : i32")
        self.emit(f"llvm.store {total}, {self.element('%out', 1, names['i'], I32)} : i32, !llvm.ptr<1>")

    def text(self):
        constants = "".join(f"  {name} = llvm.mlir.constant({n} : i32) : i32\n" for n, name in self.constants.items())
        return ("llvm.mlir.global external @buffer() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<24576 x i8>\n"
                "llvm.func @k(%in: !llvm.ptr<1> {tile.element = i32}, %out: !llvm.ptr<1> {tile.element = i32})\n"
                "    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {\n" + constants + "\n".join(self.lines) +
                "\n  llvm.return\n}\n")


def names():
    return [f"global_{n}" for n in GLOBAL] + [f"shared_{n}" for n in SHARED] + list(MATRIX)


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return
    name = sys.argv[1]
    if name == "--list":
        print("\n".join(names()))
        return
    kernel = Kernel()
    if name in MATRIX:
        kernel.matrix_access(*MATRIX[name])
    elif name.startswith("global_"):
        kernel.global_access(*GLOBAL[name[7:]])
    else:
        kernel.shared_access(*SHARED[name[7:]])
    print(kernel.text(), end="")


if __name__ == "__main__":
    main()
