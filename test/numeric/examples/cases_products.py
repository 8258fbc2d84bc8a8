"""Products: gemm, matmul_pointers, linear, int8_matmul, byte_weights, fp8_matmul, mxfp_matmul, grouped_matmul, conv2d; odd and zero lengths."""
import math

from inputs import bf16, f16, f32, integers, normal, uniform

HALF = {"atol": 2e-3, "rtol": 2e-3}
BLOCKS = {"BM": 32, "BN": 32, "BK": 32}


def ceil(a, b):
    return -(-a // b)


def f8(x):
    """To f8E4M3FN, nearest even."""
    if x == 0 or math.isnan(x):
        return x
    unit = 2.0 ** (max(math.frexp(abs(x))[1] - 1, -6) - 3)
    return math.copysign(min(round(abs(x) / unit) * unit, 448.0), x)


def product(m, n, k, a, b):
    """Of functions of (row, k) and (k, column)."""
    columns = [[b(p, j) for p in range(k)] for j in range(n)]
    out = []
    for i in range(m):
        row = [a(i, p) for p in range(k)]
        out += [sum(x * y for x, y in zip(row, column)) for column in columns]
    return out


def gemm():
    kinds = [("f16", "f32", f16), ("bf16", "f32", bf16), ("f32", "f32", f32), ("f64", "f64", float), ("i8", "i32", None),
             ("f8E4M3FN", "f32", f8)]
    sizes = [(37, 45, 70, 2, False, False), (32, 32, 32, 1, True, False), (33, 20, 65, 1, False, True), (5, 70, 0, 1, True, True)]
    for element, acc, rounding in kinds:
        for m, n, k, batches, ta, tb in sizes if element == "f16" else sizes[:1]:
            make = (lambda s, c: integers(s, c, -128, 128)) if rounding is None else (lambda s, c: normal(s, c, rounding))
            a, b = make(m, batches * m * k), make(n, k * n)  # b is one for all batches
            sam, sak = (1, m) if ta else (k, 1)
            sbk, sbn = (1, k) if tb else (n, 1)
            c = [x for z in range(batches)
                 for x in product(m, n, k, lambda i, p: a[z * m * k + i * sam + p * sak], lambda p, j: b[p * sbk + j * sbn])]
            zero = 0 if rounding is None else 0.0
            bound = {"f32": 2e-2} if element == "f32" else {}
            tolerance = {"atol": bound.get(element, 1e-3 if acc == "f32" else 0 if acc == "i32" else 1e-12), "rtol": 1e-4 if acc == "f32" else 0 if acc == "i32" else 1e-12}
            yield dict(name=f"gemm {element} {m}x{n}x{k} {'t' if ta else 'n'}{'t' if tb else 'n'}", file="gemm.mlir", kernel="gemm",
                       grid=[ceil(m, 32) * ceil(n, 32), batches], defs=dict(BLOCKS, A=element, ACC=acc, ZERO=zero),
                       args=[(element, a), (element, b), (acc, [9 + zero] * len(c)), ("i32", m), ("i32", n), ("i32", k),
                             ("i64", m * k), ("i32", sam), ("i32", sak), ("i64", 0), ("i32", sbk), ("i32", sbn), ("i64", m * n),
                             ("i32", n), ("i32", 1)],
                       outs={2: c}, tolerance=tolerance)


def matmul_pointers():
    for element, m, n, k, more, along_k in [("f16", 37, 45, 70, 3, True), ("f16", 33, 70, 129, 0, False), ("bf16", 64, 64, 64, 1, True),
                                            ("f16", 5, 9, 0, 1, False)]:
        lda, ldb, ldc = k + more, (k if along_k else n) + more, n + more
        rounding = f16 if element == "f16" else bf16
        a, b = normal(m, m * lda, rounding), normal(n, (n if along_k else k) * ldb, rounding)
        sbk, sbn = (1, ldb) if along_k else (ldb, 1)
        rows = product(m, n, k, lambda i, p: a[i * lda + p], lambda p, j: b[p * sbk + j * sbn])
        c = [rows[i * n + j] if j < n else 9.0 for i in range(m) for j in range(ldc)]
        defs = dict(BLOCKS, T=element, **({} if along_k else {"ALONG_K": "%ldb", "ALONG_N": "%one"}))
        yield dict(name=f"matmul_pointers {element} {m}x{n}x{k} {'nk' if along_k else 'kn'}", file="matmul_pointers.mlir",
                   kernel="matmul_pointers", grid=[ceil(m, 32) * ceil(n, 32)], defs=defs, outs={2: c},
                   tolerance={"atol": 2e-3, "rtol": 2e-3 if element == "f16" else 1e-2},
                   args=[(element, a), (element, b), (element, [9.0] * len(c)), ("i32", m), ("i32", n), ("i32", k), ("i32", lda),
                         ("i32", ldb), ("i32", ldc)])


ACTIVATIONS = {"identity": lambda x: x, "relu": lambda x: max(x, 0.0), "gelu": lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2))),
               "gelu_tanh": lambda x: 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
               "silu": lambda x: x / (1 + math.exp(-x))}


def linear():
    for name, (m, n, k) in zip(ACTIVATIONS, [(40, 50, 72), (1, 33, 31), (65, 31, 64), (32, 64, 96), (7, 7, 1)]):
        x, w, bias = normal(m, m * k, f16), normal(n, n * k, f16), normal(k, n, f16)
        y = product(m, n, k, lambda i, p: x[i * k + p], lambda p, j: w[j * k + p])
        y = [ACTIVATIONS[name](v + bias[i % n]) for i, v in enumerate(y)]
        yield dict(name=f"linear {name} {m}x{n}x{k}", file="linear.mlir", kernel="linear", grid=[ceil(m, 32), ceil(n, 32)],
                   defs=dict(BLOCKS, ACT=name), outs={3: y}, tolerance=HALF,
                   args=[("f16", x), ("f16", w), ("f16", bias), ("f16", [9.0] * (m * n)), ("i32", m), ("i32", n), ("i32", k)])


def int8_matmul():
    for m, n, k in [(40, 50, 72), (33, 17, 129), (32, 32, 64)]:
        a, b = integers(m, m * k, -128, 128), integers(n, n * k, -128, 128)
        sa, sb = uniform(1, m, 1e-3, 1e-2), uniform(2, n, 1e-3, 1e-2)
        c = product(m, n, k, lambda i, p: a[i * k + p], lambda p, j: b[j * k + p])
        c = [v * sa[i // n] * sb[i % n] for i, v in enumerate(c)]
        yield dict(name=f"int8_matmul {m}x{n}x{k}", file="int8_matmul.mlir", kernel="int8_matmul", grid=[ceil(m, 32), ceil(n, 32)],
                   defs=BLOCKS, outs={4: c}, tolerance={"atol": 1e-6, "rtol": 1e-3},
                   args=[("i8", a), ("i8", b), ("f32", sa), ("f32", sb), ("f16", [9.0] * (m * n)), ("i32", m), ("i32", n), ("i32", k)])


def byte_weights():
    for element, w_element, m, n, k in [("f16", "i8", 40, 50, 96), ("bf16", "i8", 33, 17, 70), ("f16", "f8E4M3FN", 20, 64, 65),
                                        ("bf16", "f8E4M3FN", 64, 40, 128)]:
        rounding, group = (f16 if element == "f16" else bf16), 64
        x = normal(m, m * k, rounding)
        w = integers(n, k * n, -128, 128) if w_element == "i8" else normal(n, k * n, f8)
        s = uniform(3, ceil(k, group) * n, 1e-3, 1e-2, rounding)
        y = product(m, n, k, lambda i, p: x[i * k + p], lambda p, j: rounding(w[p * n + j] * s[p // group * n + j]))
        yield dict(name=f"byte_weights {element} {w_element} {m}x{n}x{k}", file="byte_weights.mlir", kernel="byte_weights",
                   grid=[ceil(m, 32), ceil(n, 32)], outs={3: y},
                   defs=dict(BLOCKS, T=element, W=w_element, NONE=0 if w_element == "i8" else 0.0, GROUP=group),
                   tolerance={"atol": 1e-3, "rtol": 1e-3 if element == "f16" else 8e-3},
                   args=[(element, x), (w_element, w), (element, s), (element, [9.0] * (m * n)), ("i32", m), ("i32", n), ("i32", k)])


def fp8_matmul():
    for m, n, k in [(40, 50, 160), (33, 130, 64), (7, 32, 300)]:
        groups = ceil(k, 128)
        a, b = normal(m, m * k, f8), normal(n, n * k, f8)
        sa, sb = uniform(1, m * groups, 0.5, 2), uniform(2, ceil(n, 128) * groups, 0.5, 2)
        c = product(m, n, k, lambda i, p: a[i * k + p] * sa[i * groups + p // 128],
                    lambda p, j: b[j * k + p] * sb[j // 128 * groups + p // 128])
        yield dict(name=f"fp8_matmul {m}x{n}x{k}", file="fp8_matmul.mlir", kernel="fp8_matmul", grid=[ceil(m, 32), ceil(n, 32)],
                   defs=dict(BLOCKS, BK=64), outs={4: c}, tolerance={"atol": 2e-2, "rtol": 8e-3},
                   args=[("f8E4M3FN", a), ("f8E4M3FN", b), ("f32", sa), ("f32", sb), ("bf16", [9.0] * (m * n)), ("i32", m), ("i32", n),
                         ("i32", k)])


def e4m3(code):
    exponent, mantissa = code >> 3 & 15, code & 7
    v = (mantissa / 8 + (exponent > 0)) * 2.0 ** (max(exponent, 1) - 7)
    return -v if code & 128 else v


def e2m1(code):
    return [0, 0.5, 1, 1.5, 2, 3, 4, 6][code & 7] * (-1 if code & 8 else 1)


def mxfp_matmul():
    for m, n, k in [(40, 50, 160), (33, 17, 32), (32, 70, 96)]:
        a = [c + 128 * (c & 1) for c in integers(m, m * k, 0, 120)]
        b, sa, sb = integers(n, n * k // 2, 0, 256), integers(1, m * k // 32, 120, 127), integers(2, n * k // 32, 120, 127)
        c = product(m, n, k, lambda i, p: e4m3(a[i * k + p]) * 2.0 ** (sa[i * k // 32 + p // 32] - 127),
                    lambda p, j: e2m1(b[(j * k + p) // 2] >> 4 * (p & 1)) * 2.0 ** (sb[j * k // 32 + p // 32] - 127))
        signed = [[v - 256 if v > 127 else v for v in x] for x in (a, b, sa, sb)]
        yield dict(name=f"mxfp_matmul {m}x{n}x{k}", file="mxfp_matmul.mlir", kernel="mxfp_matmul", grid=[ceil(m, 32), ceil(n, 32)],
                   defs=dict(BM=32, BN=32), outs={4: c}, tolerance={"atol": 1e-3, "rtol": 8e-3},
                   args=[("i8", x) for x in signed] + [("bf16", [9.0] * (m * n)), ("i32", m), ("i32", n), ("i32", k)])


def grouped_matmul():
    for sizes, n, k, programs in [([5, 0, 33, 1], 40, 72, 3), ([64], 32, 32, 5), ([0, 0, 7], 70, 33, 1)]:
        offsets = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        total = offsets[-1]
        x, w = normal(n, total * k, f16), normal(k, len(sizes) * n * k, f16)
        y = []
        for g, size in enumerate(sizes):
            y += product(size, n, k, lambda i, p: x[(offsets[g] + i) * k + p], lambda p, j: w[(g * n + j) * k + p])
        yield dict(name=f"grouped_matmul {sizes} {n}x{k}", file="grouped_matmul.mlir", kernel="grouped_matmul", grid=[programs],
                   defs=BLOCKS, outs={2: y}, tolerance=HALF,
                   args=[("f16", x), ("f16", w), ("f16", [9.0] * len(y)), ("i32", offsets), ("i32", len(sizes)), ("i32", n), ("i32", k)])


def convolution(x, w, batch, h, width, c, f, kh, kw, pad, stride, dilation):
    oh, ow = ((s + 2 * pad - dilation * (k - 1) - 1) // stride + 1 for s, k in ((h, kh), (width, kw)))
    out = []
    for b, i, j in ((b, i, j) for b in range(batch) for i in range(oh) for j in range(ow)):
        sums = [0.0] * f
        for y, z in ((y, z) for y in range(kh) for z in range(kw)):
            row, column = i * stride - pad + y * dilation, j * stride - pad + z * dilation
            if 0 <= row < h and 0 <= column < width:
                point = x[((b * h + row) * width + column) * c :][:c]
                for q in range(f):
                    at = ((q * kh + y) * kw + z) * c
                    sums[q] += sum(u * v for u, v in zip(point, w[at : at + c]))
        out += sums
    return out


def conv2d():
    for channels, sizes in [(1, (2, 9, 7, 12, 20, 3, 3, 1, 2, 1)), (8, (1, 6, 6, 40, 33, 3, 3, 1, 1, 1)), (1, (1, 8, 9, 5, 3, 2, 3, 0, 1, 2)),
                            (8, (3, 5, 5, 16, 8, 1, 1, 0, 1, 1))]:
        batch, h, width, c, f, kh, kw = sizes[:7]
        x, w = normal(h, batch * h * width * c, f16), normal(f, f * kh * kw * c, f16)
        y = convolution(x, w, *sizes)
        yield dict(name=f"conv2d {sizes}", file="conv2d.mlir", kernel="conv2d", grid=[ceil(len(y) // f, 32), ceil(f, 32)],
                   defs=dict(BLOCKS, CHANNELS=channels), outs={2: y}, tolerance=HALF,
                   args=[("f16", x), ("f16", w), ("f16", [9.0] * len(y))] + [("i32", v) for v in sizes])


def cases():
    for family in (gemm, linear, int8_matmul, byte_weights, fp8_matmul, mxfp_matmul, grouped_matmul, conv2d):
        yield from family()
