"""Kernels that between them use every construct of the front end; make_corpus.py compiles them.

`KERNELS` is a list of (function, signature, constants, options): signature maps a parameter to the
type it is compiled for ("*f16:16" means divisible by 16), options are the compiler's.
A kernel that a version of the front end cannot compile is skipped by make_corpus.py.
"""
import triton
import triton.language as tl

try:
    from triton.language.extra.cuda import libdevice
except ImportError:
    from triton.language.extra import libdevice

KERNELS = []


def kernel(signature, constants=None, **options):
    def add(fn):
        jit = triton.jit(fn)
        KERNELS.append((jit, signature, constants or {}, options))
        return jit

    return add


# --- memory ---------------------------------------------------------------------------------------


@kernel({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16", "n": "i32"}, {"BLOCK": 1024})
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    tl.store(out + offs, tl.load(x + offs, mask=mask) + tl.load(y + offs, mask=mask), mask=mask)


@kernel({"x": "*fp16:16", "out": "*fp16:16", "n": "i32:16"}, {"BLOCK": 256})
def memory_hints(x, out, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    a = tl.load(x + offs, cache_modifier=".ca")
    b = tl.load(x + offs, mask=mask, other=1.0, cache_modifier=".cg", eviction_policy="evict_last")
    c = tl.load(x + offs, mask=mask, other=0.0, eviction_policy="evict_first")
    d = tl.load(x + offs, mask=mask, volatile=True)
    tl.store(out + offs, a + b, cache_modifier=".wb")
    tl.store(out + n + offs, b + c, mask=mask, cache_modifier=".cg", eviction_policy="evict_first")
    tl.store(out + 2 * n + offs, c + d, mask=mask, cache_modifier=".cs", eviction_policy="evict_last")
    tl.store(out + 3 * n + offs, d + a, mask=mask, cache_modifier=".wt")


@kernel({"x": "*fp16:16", "out": "*fp16:16"}, {"BLOCK": 128})
def memory_load_cv(x, out, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs, cache_modifier=".cv"))


@kernel({"x": "*i64", "p": "*u64", "out": "*fp64", "flag": "i1", "n": "i64"})
def scalar_memory(x, p, out, flag, n):
    i = tl.program_id(0).to(tl.int64)
    if flag:
        v = tl.load(x + i)
    else:
        v = tl.load(x)
    q = tl.load(p + i).to(tl.pointer_type(tl.float64))
    w = tl.load(q, mask=i < n, other=0.0)
    tl.store(out + i, w + v, mask=i < n)
    tl.store(p + i, q.to(tl.uint64, bitcast=True))


@kernel({"x": "*i1", "y": "*i1", "out": "*i1"}, {"BLOCK": 64})
def bool_memory(x, y, out, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x + offs)
    b = tl.load(y + offs, mask=a, other=True)
    tl.store(out + offs, (a & b) | (a ^ (not tl.load(x))))


@kernel({"idx": "*i32:16", "x": "*bf16:16", "out": "*bf16:16", "stride": "i64"}, {"R": 16, "C": 64})
def pointer_table(idx, x, out, stride, R: tl.constexpr, C: tl.constexpr):
    rows = tl.load(idx + tl.arange(0, R)).to(tl.int64)
    cols = tl.multiple_of(tl.max_contiguous(tl.arange(0, C), C), C)
    src = x + rows[:, None] * stride + cols[None, :]
    dst = out + tl.arange(0, R)[:, None] * C + cols[None, :]
    tl.store(dst, tl.load(src, mask=(rows >= 0)[:, None], other=0.0))


# --- element-wise ---------------------------------------------------------------------------------


@kernel({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16"}, {"BLOCK": 128})
def float_math(x, y, out, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x + offs)
    b = tl.load(y + offs)
    r = tl.exp(a) + tl.exp2(a) + tl.log(b) + tl.log2(b) + tl.sin(a) + tl.cos(a)
    r += tl.sqrt(b) * tl.rsqrt(b) + tl.abs(a) + tl.floor(a) - tl.ceil(b) + tl.erf(a)
    r += tl.fma(a, b, r) + tl.sqrt_rn(b) + tl.div_rn(a, b) + tl.fdiv(a, b) + a / b + a % b
    r = tl.sigmoid(r) + tl.softmax(r)
    tl.store(out + offs, -r)


@kernel({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16"}, {"BLOCK": 128})
def float_minmax(x, y, out, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x + offs)
    b = tl.load(y + offs)
    r = tl.minimum(a, b) + tl.maximum(a, b)
    r += tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
    r += tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
    r += tl.clamp(a, -1.0, 1.0) + tl.clamp(a, -b, b, propagate_nan=tl.PropagateNan.ALL)
    r = tl.where(a < b, r, tl.where(a != b, a, b))
    tl.store(out + offs, r, mask=(a >= b) | (a == b) & ~(b > 1))


@kernel({"x": "*fp32:16", "y": "*fp32:16", "m": "*i1"}, {"BLOCK": 128})
def float_math_newer(x, y, m, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x + offs)
    tl.store(x + offs, tl.fdiv(a, tl.load(y + offs), approx=True), mask=tl.reduce_or(tl.load(m + offs), 0))


@kernel({"x": "*i32:16", "y": "*i32:16", "u": "*u32:16", "out": "*i32:16", "n": "i32", "k": "u32"},
        {"BLOCK": 128})
def int_math(x, y, u, out, n, k, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x + offs)
    b = tl.load(y + offs)
    c = tl.load(u + offs)
    r = a // b + a % b + (a << 3) + (a >> 2) + (a & b) + (a | b) ^ ~a - tl.abs(b)
    s = c // k + c % k + (c >> k) + tl.minimum(c, k) + tl.maximum(c, k) + tl.umulhi(c, 0x9E3779B9)
    r += tl.minimum(a, b) + tl.maximum(a, b) + tl.cdiv(n, BLOCK) + -a
    r = tl.where(c < k, r, s.to(tl.int32)) + (a > b).to(tl.int32) + (c >= k).to(tl.int32)
    r += tl.umulhi(a.to(tl.int64), b.to(tl.int64)).to(tl.int32)
    tl.store(out + offs, r)


@kernel({"x": "*fp32:16", "i": "*i32:16", "h": "*fp16", "b": "*bf16", "d": "*fp64", "c": "*i8", "u": "*u8", "s": "*i16"},
        {"BLOCK": 64})
def casts(x, i, h, b, d, c, u, s, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    f = tl.load(x + offs)
    n = tl.load(i + offs)
    tl.store(h + offs, f.to(tl.float16) + n.to(tl.float16))
    tl.store(b + offs, f.to(tl.bfloat16))
    tl.store(d + offs, f.to(tl.float64) + n.to(tl.float64))
    tl.store(c + offs, f.to(tl.int8) + n.to(tl.int8))
    tl.store(u + offs, f.to(tl.uint8) + n.to(tl.uint8))
    tl.store(s + offs, n.to(tl.int16) + tl.load(c + offs).to(tl.int16) + tl.load(u + offs).to(tl.int16))
    tl.store(x + offs, n.to(tl.float32, bitcast=True) + tl.load(h + offs) + tl.load(b + offs) + tl.load(u + offs))
    tl.store(i + offs, (f > 0).to(tl.int32) + (n != 0) + tl.load(d + offs).to(tl.int32))
    tl.store(h + offs, f.to(tl.float16, fp_downcast_rounding="rtz"))


@kernel({"x": "*fp32:16", "a": "*fp8e4nv", "b": "*fp8e5", "h": "*fp16"}, {"BLOCK": 64}, target="cuda90")
def fp8_casts(x, a, b, h, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    f = tl.load(x + offs)
    tl.store(a + offs, f.to(tl.float8e4nv))
    tl.store(b + offs, f.to(tl.float8e5, fp_downcast_rounding="rtne"))
    tl.store(b + BLOCK + offs, f.to(tl.float8e5, fp_downcast_rounding="rtz"))
    tl.store(h + offs, tl.load(a + offs).to(tl.float16) + tl.load(b + offs).to(tl.float16))
    tl.store(x + offs, tl.load(a + offs).to(tl.float32) + tl.load(b + offs).to(tl.bfloat16))


@kernel({"x": "*fp16", "a": "*fp8e4b15", "out": "*fp16"}, {"BLOCK": 64})
def fp8_b15(x, a, out, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    tl.store(a + offs, tl.load(x + offs).to(tl.float8e4b15))
    tl.store(out + offs, tl.load(a + offs).to(tl.float16))


@kernel({"x": "*fp8e4b8", "y": "*fp8e5b16", "out": "*fp32"}, {"BLOCK": 64}, target="hip")
def fp8_fnuz(x, y, out, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    tl.store(out + offs, tl.load(x + offs).to(tl.float32) + tl.load(y + offs).to(tl.float32))


@kernel({"x": "*fp32:16", "out": "*fp32:16", "n": "i32"}, {"BLOCK": 128})
def device_library(x, out, n, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x + offs)
    r = libdevice.tanh(a) + libdevice.pow(a, a) + libdevice.asin(a) + libdevice.fast_expf(a)
    r += tl.where(libdevice.isnan(a), 0.0, libdevice.rint(a)) + libdevice.pow(a, n)
    r += libdevice.llrint(a).to(tl.float32) + libdevice.ffs(n)
    tl.store(out + offs, r)


@kernel({"x": "*i32", "out": "*i32", "f": "*fp16"}, {"BLOCK": 128})
def inline_asm(x, out, f, BLOCK: tl.constexpr):
    offs = tl.arange(0, BLOCK)
    a = tl.load(x + offs)
    b = tl.inline_asm_elementwise("shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r", [a, a, 7], dtype=tl.int32,
                                  is_pure=True, pack=1)
    h = tl.inline_asm_elementwise("{ // two halves\n add.f16x2 $0, $1, $1;\n}", "=r,r", [tl.load(f + offs)],
                                  dtype=tl.float16, is_pure=False, pack=2)
    c, d = tl.inline_asm_elementwise("mov.u32 $0, $2;\n mov.u32 $1, $2;", "=r,=r,r", [b],
                                     dtype=(tl.int32, tl.int32), is_pure=True, pack=1)
    tl.store(out + offs, b + c + d)
    tl.store(f + offs, h)


@kernel({"out": "*fp32:16", "raw": "*i32", "seed": "i64", "n": "i32"}, {"BLOCK": 256})
def random_numbers(out, raw, seed, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    r = tl.rand(seed, offs) + tl.randn(seed, offs)
    a, b, c, d = tl.randint4x(seed, offs)
    tl.store(out + offs, r, mask=offs < n)
    tl.store(raw + offs, a ^ b ^ c ^ d, mask=offs < n)


# --- reductions, scans, shapes --------------------------------------------------------------------


@triton.jit
def welford(m1, s1, n1, m2, s2, n2):
    n = n1 + n2
    d = m2 - m1
    w = n2 / n
    return m1 + d * w, s1 + s2 + d * d * n1 * w, n


@triton.jit
def product(a, b):
    return a * b


@kernel({"x": "*fp32:16", "out": "*fp32:16", "idx": "*i32:16", "ints": "*i32"}, {"M": 16, "N": 64})
def reductions(x, out, idx, ints, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    a = tl.load(x + m[:, None] * N + n[None, :])
    tl.store(out + m, tl.sum(a, axis=1))
    tl.store(out + n, tl.max(a, axis=0) + tl.min(a, axis=0))
    tl.store(idx + m, tl.argmax(a, axis=1) + tl.argmin(a, axis=1, tie_break_left=False))
    best, at = tl.max(a, axis=1, return_indices=True)
    tl.store(out + m, best)
    tl.store(idx + m, at)
    tl.store(out + m[:, None], tl.sum(a, axis=1, keep_dims=True))
    tl.store(out, tl.sum(a))
    tl.store(out + 1, tl.reduce(a, None, product))
    i = tl.load(ints + n)
    tl.store(ints, tl.xor_sum(i, axis=0))
    tl.store(ints + 1, tl.max(i, axis=0))
    tl.store(ints + 2, tl.sum(i > 0, axis=0))


@kernel({"x": "*fp16:16", "mean": "*fp32", "var": "*fp32"}, {"M": 8, "N": 128})
def reduce_tuple(x, mean, var, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    a = tl.load(x + m[:, None] * N + tl.arange(0, N)[None, :]).to(tl.float32)
    mu, s, n = tl.reduce((a, tl.zeros_like(a), tl.full([M, N], 1.0, tl.float32)), 1, welford)
    tl.store(mean + m, mu)
    tl.store(var + m, s / n)


@triton.jit
def recurrence(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@kernel({"x": "*fp32:16", "out": "*fp32:16", "i": "*i32"}, {"M": 8, "N": 32})
def scans(x, out, i, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    p = m[:, None] * N + n[None, :]
    a = tl.load(x + p)
    tl.store(out + p, tl.cumsum(a, axis=1) + tl.cumprod(a, axis=0))
    _, b = tl.associative_scan((a, a), 1, recurrence)
    tl.store(out + p, b)
    tl.store(i + p, tl.cumsum(tl.load(i + p), axis=1))
    tl.store(out + p, tl.associative_scan(a, 0, product))


@kernel({"x": "*fp32:16", "out": "*fp32:16"}, {"M": 8, "N": 32})
def scans_reverse(x, out, M: tl.constexpr, N: tl.constexpr):
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + p)
    tl.store(out + p, tl.associative_scan(a, 0, product, reverse=True) + tl.cumsum(a, 1, reverse=True))


@kernel({"x": "*fp32:16", "out": "*fp32:16"}, {"N": 32})
def sort_flip(x, out, N: tl.constexpr):
    n = tl.arange(0, N)
    a = tl.load(x + n)
    tl.store(out + n, tl.sort(a) + tl.flip(a, 0) + tl.sort(a, descending=True))


@kernel({"x": "*fp32:16", "out": "*fp32:16"}, {"M": 16, "N": 32})
def shapes(x, out, M: tl.constexpr, N: tl.constexpr):
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + p)
    t = tl.trans(a)
    b = tl.reshape(t, (M, N)) + tl.permute(t, (1, 0)) + tl.view(a, (M, N))
    j = tl.join(a, b)
    lo, hi = tl.split(j)
    k = tl.interleave(lo, hi)
    tl.store(out + tl.arange(0, M)[:, None] * N * 2 + tl.arange(0, 2 * N)[None, :], k)
    c = tl.cat(tl.ravel(a), tl.ravel(b), can_reorder=True)
    tl.store(out + tl.arange(0, 2 * M * N), c)
    e = tl.expand_dims(tl.sum(a, 1), 1).broadcast_to(M, N) + tl.broadcast_to(tl.sum(a, 0)[None, :], (M, N))
    g = tl.permute(tl.reshape(e, (M, 4, N // 4)), (2, 0, 1))
    tl.store(out + tl.arange(0, M * N), tl.reshape(g, (M * N,)))
    tl.store(out + tl.arange(0, 1), tl.zeros((1,), tl.float32) + tl.full((1,), 2.0, tl.float32) + tl.arange(0, 1))


@kernel({"x": "*i32:16", "out": "*i32:16", "n": "i32"}, {"N": 512, "BINS": 64})
def histogram(x, out, n, N: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, N)
    h = tl.histogram(tl.load(x + i, mask=i < n, other=0), BINS)
    tl.store(out + tl.arange(0, BINS), h)


@kernel({"x": "*i32:16", "out": "*i32:16", "n": "i32"}, {"N": 512, "BINS": 64})
def histogram_masked(x, out, n, N: tl.constexpr, BINS: tl.constexpr):
    i = tl.arange(0, N)
    h = tl.histogram(tl.load(x + i, mask=i < n, other=0), BINS, mask=i < n)
    tl.atomic_add(out + tl.arange(0, BINS), h)


@kernel({"x": "*fp32:16", "idx": "*i32", "out": "*fp32:16"}, {"M": 16, "N": 32})
def gather(x, idx, out, M: tl.constexpr, N: tl.constexpr):
    p = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + p)
    i = tl.load(idx + p)
    tl.store(out + p, tl.gather(a, i, 0) + tl.gather(a, i, axis=1))


@triton.jit
def pick(a, b, c):
    if a > b:
        return a + c, b
    return b - c, a


@kernel({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16"}, {"BLOCK": 128})
def map_elementwise(x, y, out, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    r, s = tl.map_elementwise(pick, tl.load(x + o), tl.load(y + o), tl.load(y + o))
    tl.store(out + o, r + s)


@triton.jit
def pair(a0, a1):
    return a0 + 1.0, a1 - 1.0


@kernel({"x": "*fp32:16", "out": "*fp32:16"}, {"BLOCK": 128})
def map_elementwise_packed(x, out, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    (r,) = tl.map_elementwise(pair, tl.load(x + o), pack=2)
    tl.store(out + o, r)


@kernel({"x": "*fp32:16", "out": "*fp32:16"}, {"N": 64, "K": 8})
def top_k(x, out, N: tl.constexpr, K: tl.constexpr):
    tl.store(out + tl.arange(0, K), tl.topk(tl.load(x + tl.arange(0, N)), K))


@kernel({"x": "*fp32:16", "out": "*fp32"}, {"N": 64})
def one_element(x, out, N: tl.constexpr):
    a = tl.load(x + tl.arange(0, 1))
    b = tl.sum(tl.load(x + tl.arange(0, N)), axis=0, keep_dims=True)
    tl.store(out, a.item() + b.item())


# --- matrix ---------------------------------------------------------------------------------------


@kernel({"a": "*fp16:16", "b": "*fp16:16", "c": "*fp32:16", "K": "i32:16"}, {"BM": 32, "BN": 64, "BK": 32})
def dot_loop(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.arange(0, BM)
    n = tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + m[:, None] * K + k[None, :]
    pb = b + n[None, :] * K + k[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k0 in range(0, K, BK):
        acc += tl.dot(tl.load(pa, mask=k[None, :] < K - k0, other=0.0), tl.load(pb, mask=k[:, None] < K - k0, other=0.0))
        pa += BK
        pb += BK
    tl.store(c + m[:, None] * BN + n[None, :], acc)


@kernel({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16"}, {"N": 32})
def dot_precision(x, y, out, N: tl.constexpr):
    p = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + p)
    b = tl.load(y + p)
    r = tl.dot(a, b) + tl.dot(a, tl.trans(b), input_precision="ieee")
    r += tl.dot(a, b, input_precision="tf32") + tl.dot(a, b, input_precision="tf32x3")
    tl.store(out + p, tl.dot(a, b, acc=r, allow_tf32=False))


@kernel({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16"}, {"N": 32}, target="hip")
def dot_precision_bf16(x, y, out, N: tl.constexpr):
    p = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    a = tl.load(x + p)
    b = tl.load(y + p)
    tl.store(out + p, tl.dot(a, b, input_precision="bf16x3") + tl.dot(a, b, input_precision="bf16x6"))


@kernel({"x": "*i8:16", "y": "*i8:16", "h": "*bf16:16", "e": "*fp8e5:16", "i": "*i32", "f": "*fp32", "g": "*fp16"}, {"N": 32})
def dot_types(x, y, h, e, i, f, g, N: tl.constexpr):
    p = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(i + p, tl.dot(tl.load(x + p), tl.load(y + p)))
    tl.store(f + p, tl.dot(tl.load(h + p), tl.load(h + p)))
    q = tl.load(e + p)
    tl.store(f + p, tl.dot(q, q, max_num_imprecise_acc=32))
    z = tl.load(g + p)
    tl.store(g + p, tl.dot(z, z, out_dtype=tl.float16))


@kernel({"x": "*fp16:16", "y": "*fp16:16", "out": "*fp32"}, {"B": 2, "N": 16})
def dot_batched(x, y, out, B: tl.constexpr, N: tl.constexpr):
    n = tl.arange(0, N)
    p = tl.arange(0, B)[:, None, None] * N * N + n[None, :, None] * N + n[None, None, :]
    tl.store(out + p, tl.dot(tl.load(x + p), tl.load(y + p)))


@kernel({"a": "*u8:16", "sa": "*u8", "b": "*u8:16", "sb": "*u8", "h": "*bf16", "out": "*fp32"}, {"N": 128}, target="cuda100")
def dot_scaled(a, sa, b, sb, h, out, N: tl.constexpr):
    n = tl.arange(0, N)
    p = n[:, None] * N + n[None, :]
    s = n[:, None] * (N // 32) + tl.arange(0, N // 32)[None, :]
    x = tl.load(a + p)
    y = tl.load(b + p)
    r = tl.dot_scaled(x, tl.load(sa + s), "e4m3", y, tl.load(sb + s), "e5m2")
    half = tl.load(a + n[:, None] * (N // 2) + tl.arange(0, N // 2)[None, :])
    r = tl.dot_scaled(half, tl.load(sa + s), "e2m1", tl.load(h + p), None, "bf16", acc=r)
    tl.store(out + p, r)


@kernel({"a": "*u8:16", "sa": "*u8", "b": "*fp8e5:16", "out": "*fp32"}, {"N": 64}, target="cuda90")
def dot_scaled_one_side(a, sa, b, out, N: tl.constexpr):
    n = tl.arange(0, N)
    x = tl.load(a + n[:, None] * N + n[None, :])
    y = tl.load(b + n[:, None] * N + n[None, :])
    s = tl.load(sa + n[:, None] * (N // 32) + tl.arange(0, N // 32)[None, :])
    tl.store(out + n[:, None] * N + n[None, :], tl.dot_scaled(x, s, "e4m3", y, None, "e5m2"))


@kernel({"a": "*u8:16", "sa": "*u8", "b": "*u8:16", "out": "*fp32"}, {"N": 64}, target="cuda90")
def dot_scaled_bytes(a, sa, b, out, N: tl.constexpr):
    n = tl.arange(0, N)
    x = tl.load(a + n[:, None] * N + n[None, :])
    y = tl.load(b + n[:, None] * N + n[None, :])
    s = tl.load(sa + n[:, None] * (N // 32) + tl.arange(0, N // 32)[None, :])
    tl.store(out + n[:, None] * N + n[None, :], tl.dot_scaled(x, s, "e5m2", y, None, "e5m2"))


@kernel({"q": "*fp16:16", "k": "*fp16:16", "v": "*fp16:16", "o": "*fp16:16", "scale": "fp32", "S": "i32:16"},
        {"BM": 64, "BN": 32, "D": 64})
def attention(q, k, v, o, scale, S, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.arange(0, BN)
    d = tl.arange(0, D)
    base = tl.program_id(1).to(tl.int64) * S * D
    query = tl.load(q + base + m[:, None] * D + d[None, :], mask=m[:, None] < S, other=0.0)
    top = tl.full([BM], float("-inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in range(0, S, BN):
        key = tl.load(k + base + (start + n)[None, :] * D + d[:, None])
        s = tl.dot(query, key) * scale
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.math.exp2(s - new[:, None])
        alpha = tl.math.exp2(top - new)
        total = total * alpha + tl.sum(p, 1)
        value = tl.load(v + base + (start + n)[:, None] * D + d[None, :])
        acc = acc * alpha[:, None] + tl.dot(p.to(tl.float16), value)
        top = new
    tl.store(o + base + m[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.float16), mask=m[:, None] < S)


# --- block pointers and descriptors ---------------------------------------------------------------


@kernel({"a": "*fp16:16", "b": "*fp16:16", "c": "*fp32:16", "M": "i32", "N": "i32", "K": "i32", "sa": "i32", "sb": "i32"},
        {"BM": 32, "BN": 64, "BK": 32})
def block_pointer_matmul(a, b, c, M, N, K, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    pa = tl.make_block_ptr(a, (M, K), (sa, 1), (pm * BM, 0), (BM, BK), (1, 0))
    pb = tl.make_block_ptr(b, (K, N), (1, sb), (0, pn * BN), (BK, BN), (0, 1))
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(pa, boundary_check=(0, 1), padding_option="zero")
        acc = tl.dot(x, tl.load(pb, boundary_check=(1, 0)), acc)
        pa = tl.advance(pa, (0, BK))
        pb = tl.advance(pb, (BK, 0))
    pc = tl.make_block_ptr(c, (M, N), (N, 1), (pm * BM, pn * BN), (BM, BN), (1, 0))
    tl.store(pc, acc, boundary_check=(0, 1))


@kernel({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16", "n": "i32", "flip": "i1"}, {"BLOCK": 128})
def block_pointer_flow(x, y, out, n, flip, BLOCK: tl.constexpr):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (BLOCK,), (0,))
    o = tl.make_block_ptr(out, (n,), (1,), (0,), (BLOCK,), (0,))
    if flip:
        p = tl.make_block_ptr(y, (n,), (2,), (1,), (BLOCK,), (0,))
    i = 0
    while i < n:
        v = tl.load(p, boundary_check=(0,), padding_option="nan", cache_modifier=".cg", eviction_policy="evict_last")
        if i > 4 * BLOCK:
            o = tl.advance(o, (BLOCK,))
        tl.store(o, v, boundary_check=(0,), eviction_policy="evict_first")
        p = tl.advance(p, (BLOCK,))
        o = tl.advance(o, (0,))
        i += BLOCK


@triton.jit
def two_blocks_on(p, n):
    if n > 2:
        p = tl.advance(p, (32,))
    return tl.advance(p, (32,)), n + 1


@kernel({"x": "*i32:16", "out": "*i32:16", "n": "i32"})
def block_pointer_call(x, out, n):
    p = tl.make_block_ptr(x, (n,), (1,), (0,), (32,), (0,))
    q, m = two_blocks_on(p, n)
    q, m = two_blocks_on(q, m)
    v = tl.load(q, boundary_check=(0,), padding_option="zero")
    tl.store(tl.make_block_ptr(out, (n,), (1,), (0,), (32,), (0,)), v + m)


@kernel({"x": "*bf16:16", "out": "*bf16:16", "n": "i64"}, {"B": 2, "R": 8, "C": 16})
def block_pointer_3d(x, out, n, B: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    p = tl.make_block_ptr(x, (n, n, n), (n * n, n, 1), (0, R, 2 * C), (B, R, C), (2, 1, 0))
    q = tl.make_block_ptr(out, (n, n, n), (n * n, n, 1), (0, 0, 0), (B, R, C), (2, 1, 0))
    tl.store(q, tl.load(p), boundary_check=(2,))


@kernel({"a": "*fp16:16", "b": "*fp16:16", "c": "*fp16:16", "M": "i32", "N": "i32", "K": "i32"},
        {"BM": 64, "BN": 64, "BK": 64}, target="cuda90")
def descriptor_matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    db = tl.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK])
    dc = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m = tl.program_id(0) * BM
    n = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(da.load([m, k]), db.load([n, k]).T, acc)
    dc.store([m, n], acc.to(tl.float16))


@kernel({"x": "*fp32:16", "out": "*fp32:16", "rows": "*i32", "M": "i32", "N": "i32"}, {"BM": 32, "BN": 32}, target="cuda100")
def descriptor_ops(x, out, rows, M, N, BM: tl.constexpr, BN: tl.constexpr):
    dx = tl.make_tensor_descriptor(x, [M, N], [N, 1], [1, BN])
    do = tl.make_tensor_descriptor(out, [M, N], [N, 1], [1, BN])
    r = tl.load(rows + tl.arange(0, BM))
    do.scatter(dx.gather(r, 8), r, 0)


@kernel({"x": "*fp32:16", "out": "*i32:16", "M": "i32", "N": "i32"}, {"BM": 16, "BN": 32}, target="cuda90")
def descriptor_reduce(x, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    d = tl.make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN], padding_option="nan")
    i = tl.make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    v = d.load([0, 0])
    d.atomic_add([0, 0], v)
    n = v.to(tl.int32)
    i.atomic_add([0, 0], n)
    i.atomic_min([0, 0], n)
    i.atomic_max([0, 0], n)
    i.atomic_and([0, 0], n)
    i.atomic_or([0, 0], n)
    i.atomic_xor([0, 0], n)


@kernel({"d": "tensordesc<fp16[64, 32]>", "e": "tensordesc<fp16[64, 32]>", "i": "i32"}, {}, target="cuda90")
def descriptor_argument(d, e, i):
    v = d.load([i, 0])
    if i > 0:
        e.store([i, 0], v + v)


@kernel({"x": "nvTmaDesc", "out": "nvTmaDesc", "m": "i32"}, {"BM": 64, "BN": 32}, target="cuda90")
def experimental_descriptor(x, out, m, BM: tl.constexpr, BN: tl.constexpr):
    v = tl._experimental_descriptor_load(x, [m, 0], [BM, BN], tl.float16)
    tl._experimental_descriptor_store(out, v, [m, 8])


@kernel({"x": "*fp16:16", "out": "*fp16:16", "rows": "*i32", "M": "i32", "N": "i32"}, {"BM": 64, "BN": 32}, target="cuda100")
def experimental_make_descriptor(x, out, rows, M, N, BM: tl.constexpr, BN: tl.constexpr):
    dx = tl._experimental_make_tensor_descriptor(x, [M, N], [N, 1], [BM, BN])
    do = tl._experimental_make_tensor_descriptor(out, [M, N], [N, 1], [BM, BN])
    do.store([0, 0], dx.load([0, 8]))


@kernel({"x": "*fp16:16", "out": "*fp16:16", "rows": "*i32", "M": "i32", "N": "i32"}, {"BM": 64, "BN": 32}, target="cuda100")
def experimental_gather(x, out, rows, M, N, BM: tl.constexpr, BN: tl.constexpr):
    dx = tl._experimental_make_tensor_descriptor(x, [M, N], [N, 1], [1, BN])
    do = tl._experimental_make_tensor_descriptor(out, [M, N], [N, 1], [1, BN])
    r = tl.load(rows + tl.arange(0, BM))
    do.scatter(dx.gather(r, 8), r, 0)


@kernel({"x": "*fp16:16", "w": "*i8", "out": "*fp16:16", "M": "i32", "N": "i32"}, {"BM": 64, "BN": 32}, target="cuda90")
def experimental_tensormap(x, w, out, M, N, BM: tl.constexpr, BN: tl.constexpr):
    tl.extra.cuda.experimental_device_tensormap_create2d(desc_ptr=w, global_address=x, load_size=[BM, BN],
                                                         global_size=[M, N], element_ty=tl.float16)
    tl.extra.cuda.experimental_tensormap_fenceproxy_acquire(w)
    v = tl._experimental_descriptor_load(w, [0, 0], [BM, BN], tl.float16)
    tl.store(out + tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :], v)


# --- atomics --------------------------------------------------------------------------------------


@kernel({"f": "*fp32", "h": "*fp16", "i": "*i32", "u": "*u32", "l": "*i64", "n": "i32"}, {"BLOCK": 128})
def atomics(f, h, i, u, l, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    m = o < n
    tl.atomic_add(f + o, 1.0, mask=m)
    tl.atomic_add(h + o, (o * 2).to(tl.float16), mask=m, sem="relaxed")
    a = tl.atomic_add(i + o, 1, mask=m, sem="release", scope="cta")
    tl.atomic_max(i + o, a, sem="acquire", scope="sys")
    tl.atomic_min(u + o, a.to(tl.uint32))
    tl.atomic_max(f + o, a.to(tl.float32), mask=m)
    tl.atomic_min(f + o, a.to(tl.float32), mask=m)
    tl.atomic_and(i + o, a)
    tl.atomic_or(i + o, a)
    tl.atomic_xor(i + o, a)
    tl.atomic_xchg(l + o, a.to(tl.int64), mask=m)
    tl.atomic_cas(i + o, a, a + 1)
    tl.atomic_add(i, 1)


@kernel({"flag": "*i32", "f": "*fp32:16", "n": "i32"}, {"BLOCK": 128})
def atomic_memory(flag, f, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.atomic_store(f + o, tl.atomic_load(f + o, mask=o < n, sem="acquire", scope="cta"), mask=o < n)
    tl.atomic_store(flag, tl.atomic_load(flag) + 1, sem="release", scope="sys")
    ok = tl.atomic_poll(flag, 1)
    late = tl.atomic_poll(flag + n, n, sem="relaxed", scope="sys", timeout_ns=1000)
    tl.store(f + o, 1.0, mask=(late & ok) & (o < n))


@kernel({"flag": "*i32", "f": "*fp32:16"}, {"BLOCK": 128})
def atomic_poll_tensor(flag, f, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(f + o, 1.0, mask=tl.atomic_poll(flag + o, o))


@kernel({"lock": "*i32", "acc": "*fp32", "x": "*fp32"})
def spin_lock(lock, acc, x):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(acc, tl.load(acc) + tl.load(x + tl.program_id(0)))
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="release", scope="gpu")


@kernel({"lock": "*i32", "x": "*fp32"})
def spin_without_barrier(lock, x):
    old = tl.atomic_cas(lock, 0, 1, sem="acquire", scope="gpu")
    n = 0
    while old != 0:
        old = tl.atomic_cas(lock, 0, 1, sem="acq_rel")
        n += 1
    tl.store(x, n.to(tl.float32))


# --- control flow ---------------------------------------------------------------------------------


@kernel({"x": "*fp32:16", "out": "*fp32:16", "n": "i32"}, {"BLOCK": 64})
def early_return(x, out, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid * BLOCK >= n:
        return
    o = pid * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + o)
    if pid == 3:
        tl.store(out + o, v * 2)
        return
    tl.store(out + o, v)


@kernel({"x": "*fp32:16", "n": "i32", "m": "i32"}, {"BLOCK": 64})
def early_return_loop(x, n, m, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for i in range(n):
        acc += tl.load(x + i * BLOCK + o)
    if n < m:
        return
    if tl.program_id(1) == 0:
        for i in range(m):
            acc *= 2.0
    else:
        return
    tl.store(x + o, acc)


@kernel({"x": "*fp32:16", "n": "i32", "lo": "i32", "step": "i32"}, {"BLOCK": 64})
def loops(x, n, lo, step, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for i in tl.static_range(3):
        acc += i
    for i in range(lo, n, step):
        for j in range(i, n):
            acc += j * tl.load(x + o)
    for i in range(n, lo, -1):
        acc += i
    k = n
    s = 0
    while (k > 0) & (s < 100):
        if k % 2 == 0:
            s += k
        elif k % 3 == 0:
            s -= 1
        else:
            acc += s
        k //= 2
    tl.store(x + o, acc + s)


@kernel({"x": "*fp16:16", "out": "*fp32:16", "n": "i32"}, {"N": 32})
def loop_attributes(x, out, n, N: tl.constexpr):
    p = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    acc = tl.zeros((N, N), tl.float32)
    for i in tl.range(0, n, 1, num_stages=3):
        acc += tl.dot(tl.load(x + p), tl.load(x + i * N * N + p))
    for i in tl.range(0, n, loop_unroll_factor=4):
        acc += i
    tl.store(out + p, acc)


@kernel({"x": "*fp16:16", "out": "*fp32:16", "n": "i32"}, {"N": 32}, target="cuda100")
def loop_attributes_new(x, out, n, N: tl.constexpr):
    p = tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :]
    for t in tl.range(0, n, flatten=True, disallow_acc_multi_buffer=True, num_stages=2, warp_specialize=True):
        acc = tl.zeros((N, N), tl.float32)
        for i in tl.range(0, n):
            acc += tl.dot(tl.load(x + t * N * N + p), tl.load(x + i * N * N + p))
        tl.store(out + t * N * N + p, acc)


@kernel({"x": "*fp32:16", "n": "u32", "k": "u32"}, {"BLOCK": 64})
def loops_unsigned(x, n, k, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), tl.float32)
    for i in range(k, n, k):
        acc += i
    tl.store(x + tl.arange(0, BLOCK), acc)


@kernel({"x": "*fp32:16", "n": "i32"}, {"BLOCK": 64})
def loops_kept(x, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for i in tl.range(0, n, disable_licm=True):
        acc += tl.load(x + o)
    while tl.condition(n > 0, disable_licm=True):
        acc += tl.load(x + n)
        n -= 1
    tl.store(x + o, acc)


@kernel({"x": "*fp32:16", "out": "*fp32:16", "a": "i32", "b": "fp32"}, {"BLOCK": 64})
def branches(x, out, a, b, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    w = 0.0
    p = out
    if a > 0:
        if a > 10 and b > 0.5:
            v = v * b
        else:
            v = v - b
            w = b
    elif a == -1 or b < 0:
        p = x
        w = b * 2
    r = v if a == 3 else v + w
    tl.store(p + o, r)


@kernel({"x": "*fp32:16", "num": "*i32"}, {})
def programs(x, num):
    i = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0) + tl.program_id(2) * tl.num_programs(1)
    tl.store(num + i, i + tl.num_programs(2))
    tl.store(x + i, i.to(tl.float32))


# --- functions, hints, debugging ------------------------------------------------------------------


@triton.jit
def inlined(a, b):
    return a * b + a, b


@triton.jit(noinline=True)
def called(p, a, n):
    return tl.load(p + n) * a, n + 1


@triton.jit(noinline=True)
def called_scalar(a):
    return a * 2 + 1


@triton.jit(noinline=True)
def called_early(p, a):
    if a > 3:
        return
    tl.store(p, a)


@kernel({"x": "*fp32:16", "out": "*fp32:16", "n": "i32"})
def calls(x, out, n):
    v, m = called(x, 3.0, n)
    w, _ = called(x, v, m)
    s, t = inlined(v, w)
    tl.store(out, s + t + called_scalar(n))


@kernel({"x": "*i32:16", "n": "i32"})
def calls_early(x, n):
    called_early(x, n)
    called_early(x + 1, n + 1)


@kernel({"x": "*fp32:16", "out": "*fp32:16", "n": "i32", "s": "i32"}, {"BLOCK": 64})
def hints(x, out, n, s, BLOCK: tl.constexpr):
    tl.assume(n > 0)
    tl.assume(s % 16 == 0)
    s = tl.multiple_of(s, 16)
    o = tl.max_constancy(tl.arange(0, BLOCK) // 8, 8)
    o2 = tl.max_contiguous(tl.multiple_of(tl.arange(0, BLOCK) + s, 16), 16)
    tl.store(out + o2, tl.load(x + o * n))


@kernel({"x": "*fp32:16", "i": "*i32", "n": "i32"}, {"BLOCK": 64}, debug=True)
def debugging(x, i, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    tl.device_print("values", v, n)
    tl.device_print("just words")
    tl.device_print("in hex", tl.load(i + o), o.to(tl.uint32), hex=True)
    tl.device_assert(n > 0, "n must be positive")
    tl.device_assert(v == v, "not a number: \"quoted\"")
    tl.static_assert(BLOCK == 64)


@kernel({"x": "*fp32:16", "n": "i32"}, {"BLOCK": 64}, debug=True)
def assert_masked(x, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    v = tl.load(x + o)
    tl.device_assert(v == v, "not a number", mask=o < n)


@kernel({"x": "*fp32:16", "out": "*fp32:16", "n": "i32"}, {"BLOCK": 64})
def barrier(x, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.store(out + o, tl.load(x + o))
    tl.debug_barrier()
    tl.store(x + o, tl.load(out + BLOCK - 1 - o))


@kernel({"x": "*fp32:16", "out": "*fp32:16", "n": "i32"}, {"BLOCK": 64}, target="cuda90")
def dependent_launch(x, out, n, BLOCK: tl.constexpr):
    o = tl.arange(0, BLOCK)
    tl.extra.cuda.gdc_wait()
    v = tl.load(x + o)
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(out + o, v)


@kernel({"out": "*i64"})
def special_registers(out):
    tl.store(out, tl.extra.cuda.globaltimer() + tl.extra.cuda.smid())


# --- whole kernels --------------------------------------------------------------------------------


@kernel({"x": "*fp32:16", "out": "*fp32:16", "sx": "i32:16", "n": "i32"}, {"BLOCK": 1024})
def softmax(x, out, sx, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    while row < n:
        o = tl.arange(0, BLOCK)
        v = tl.load(x + row * sx + o, mask=o < n, other=-float("inf"))
        e = tl.exp(v - tl.max(v, axis=0))
        tl.store(out + row * sx + o, e / tl.sum(e, axis=0), mask=o < n)
        row += tl.num_programs(0)


@kernel({"x": "*fp16:16", "w": "*fp16:16", "b": "*fp16:16", "out": "*fp16:16", "mean": "*fp32", "rstd": "*fp32",
         "stride": "i32:16", "n": "i32", "eps": "fp32"}, {"BLOCK": 512})
def layer_norm(x, w, b, out, mean, rstd, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x += row * stride
    out += row * stride
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        acc += tl.load(x + c, mask=c < n, other=0.0).to(tl.float32)
    mu = tl.sum(acc, axis=0) / n
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        d = tl.where(c < n, tl.load(x + c, mask=c < n, other=0.0).to(tl.float32) - mu, 0.0)
        acc += d * d
    r = 1 / tl.sqrt(tl.sum(acc, axis=0) / n + eps)
    tl.store(mean + row, mu)
    tl.store(rstd + row, r)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        m = c < n
        v = (tl.load(x + c, mask=m, other=0.0).to(tl.float32) - mu) * r
        tl.store(out + c, v * tl.load(w + c, mask=m) + tl.load(b + c, mask=m), mask=m)


@kernel({"a": "*bf16:16", "b": "*bf16:16", "c": "*bf16:16", "M": "i32", "N": "i32", "K": "i32", "sa": "i32:16", "sb": "i32:16"},
        {"BM": 64, "BN": 64, "BK": 32, "GROUP": 8})
def persistent_matmul(a, b, c, M, N, K, sa, sb, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    for tile in range(tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0)):
        first = tile // (GROUP * tiles_n) * GROUP
        rows = min(tiles_m - first, GROUP)
        pm = first + tile % rows
        pn = tile % (GROUP * tiles_n) // rows
        m = (pm * BM + tl.arange(0, BM)) % M
        n = (pn * BN + tl.arange(0, BN)) % N
        acc = tl.zeros((BM, BN), tl.float32)
        for k0 in range(0, tl.cdiv(K, BK)):
            k = k0 * BK + tl.arange(0, BK)
            x = tl.load(a + m[:, None] * sa + k[None, :], mask=k[None, :] < K, other=0.0)
            y = tl.load(b + k[:, None] * sb + n[None, :], mask=k[:, None] < K, other=0.0)
            acc = tl.dot(x, y, acc)
        acc = tl.where(acc > 0, acc, 0.01 * acc)
        om = pm * BM + tl.arange(0, BM)
        on = pn * BN + tl.arange(0, BN)
        tl.store(c + om[:, None] * N + on[None, :], acc.to(tl.bfloat16), mask=(om[:, None] < M) & (on[None, :] < N))
