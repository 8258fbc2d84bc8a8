"""kernels.py - sources of the kernels beside it, as Triton 3.6's front end read them.

Their inputs are small random numbers, their outputs what Triton's own interpreter (TRITON_INTERPRET=1; NumPy for lookback) computed: neither
this compiler nor a GPU had a part in them."""
import triton
import triton.language as tl


# A scan over programs: each waits for the sum that the one before it published.
@triton.jit
def lookback(x, o, part, flag, n, B: tl.constexpr):
    p = tl.program_id(0); i = p * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n, other=0)
    s = tl.cumsum(v, 0); tot = tl.sum(v, 0)
    ex = 0
    if p > 0:
        while tl.atomic_add(flag + p - 1, 0, sem="acquire") == 0:
            pass
        ex = tl.load(part + p - 1, volatile=True)
    tl.store(part + p, ex + tot)
    tl.debug_barrier()
    tl.atomic_xchg(flag + p, 1, sem="release")
    tl.store(o + i, s + ex, mask=i < n)

# Insertion into a hash table of keys that may be there, by compare and swap in a loop that ends by a flag.
@triton.jit
def hashins(keys, tab, cnt, n, M: tl.constexpr):
    p = tl.program_id(0)
    k = tl.load(keys + p)
    h = (k.to(tl.uint32) * 2654435761 >> 16).to(tl.int32) % M
    done = False
    tries = 0
    while not done:
        old = tl.atomic_cas(tab + h, -1, k)
        if (old == -1) | (old == k):
            tl.atomic_add(cnt + h, 1)
            done = True
        else:
            h = (h + 1) % M
        tries += 1
        if tries > M:
            done = True

# Suppression of boxes that overlap a better one.
@triton.jit
def nms(bx, o, n, th, B: tl.constexpr):
    i = tl.arange(0, B); m = i < n
    x0 = tl.load(bx + i * 4, mask=m, other=0.); y0 = tl.load(bx + i * 4 + 1, mask=m, other=0.); x1 = tl.load(bx + i * 4 + 2, mask=m, other=0.); y1 = tl.load(bx + i * 4 + 3, mask=m, other=0.)
    ar = (x1 - x0) * (y1 - y0)
    keep = m
    for k in range(n):
        s = i == k
        if tl.sum((s & keep).to(tl.int32)) > 0:
            a = tl.sum(tl.where(s, x0, 0.)); b = tl.sum(tl.where(s, y0, 0.)); c = tl.sum(tl.where(s, x1, 0.)); d = tl.sum(tl.where(s, y1, 0.))
            w = tl.maximum(tl.minimum(x1, c) - tl.maximum(x0, a), 0.); h = tl.maximum(tl.minimum(y1, d) - tl.maximum(y0, b), 0.)
            iou = w * h / (ar + (c - a) * (d - b) - w * h)
            keep = keep & ~((iou > th) & (i > k))
    tl.store(o + i, keep, mask=m)

# Edit distance of two texts, diagonal by diagonal; lanes read their neighbours by a gather.
@triton.jit
def edit(a, b, o, la, lb, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i, mask=i < la, other=-1)
    d1 = tl.where(i == 0, 0, 9999); d0 = tl.full((N,), 9999, tl.int32)
    sh = tl.maximum(i - 1, 0)
    xs = tl.gather(x, sh, 0)
    res = 0
    for k in range(1, la + lb + 1):
        y = tl.load(b + k - i - 1, mask=(k - i >= 1) & (k - i <= lb), other=-2)
        dl = tl.where(i > 0, tl.gather(d1, sh, 0), 9999); dg = tl.where(i > 0, tl.gather(d0, sh, 0), 9999)
        d = tl.minimum(tl.minimum(d1, dl) + 1, dg + (xs != y).to(tl.int32))
        d = tl.where(i == 0, k, tl.where(i == k, k, d))
        d = tl.where((i > la) | (k - i > lb) | (i > k), 9999, d)
        d0 = d1; d1 = d
        res = tl.sum(tl.where(i == la, d, 0))
    tl.store(o, res)

# A sparse matrix (rows, columns, values) times a dense one; bounds of the loop come from memory.
@triton.jit
def spmm(rp, ci, va, x, o, N, BN: tl.constexpr):
    r = tl.program_id(0); n = tl.arange(0, BN)
    acc = tl.zeros((BN,), tl.float32)
    for j in range(tl.load(rp + r), tl.load(rp + r + 1)):
        acc += tl.load(va + j) * tl.load(x + tl.load(ci + j) * N + n, mask=n < N, other=0.)
    tl.store(o + r * N + n, acc, mask=n < N)

# Cholesky decomposition, a column at a time.
@triton.jit
def chol(A, o, N: tl.constexpr):
    i = tl.arange(0, N); p = tl.program_id(0) * N * N
    a = tl.load(A + p + i[:, None] * N + i[None, :])
    L = tl.zeros((N, N), A.dtype.element_ty)
    for j in range(N):
        cj = tl.sum(tl.where((i == j)[None, :], a, 0.), 1) - tl.sum(L * tl.sum(tl.where((i == j)[:, None], L, 0.), 0)[None, :], 1)
        d = tl.sqrt(tl.sum(tl.where(i == j, cj, 0.), 0))
        L = tl.where((i == j)[None, :], tl.where(i >= j, cj / d, 0.)[:, None], L)
    tl.store(o + p + i[:, None] * N + i[None, :], L)

@triton.jit
def lin(a1, b1, a2, b2): return a1 * a2, b1 * a2 + b2

# A selective scan: states of a chunk by a scan of pairs, the last handed to the next chunk.
@triton.jit
def mamba(u, dl, A, Bm, Cm, o, L, T: tl.constexpr, S: tl.constexpr, D):
    d = tl.program_id(0)
    s = tl.arange(0, S)
    a = tl.load(A + d * S + s)
    h = tl.zeros((S,), tl.float32)
    for t0 in range(0, L, T):
        t = t0 + tl.arange(0, T)
        m = t < L
        dt = tl.load(dl + t * D + d, mask=m, other=0.)
        dt = tl.where(dt > 20., dt, tl.log(1. + tl.exp(dt)))
        dt = tl.where(m, dt, 0.)
        x = tl.load(u + t * D + d, mask=m, other=0.)
        b = tl.load(Bm + t[:, None] * S + s[None, :], mask=m[:, None], other=0.)
        c = tl.load(Cm + t[:, None] * S + s[None, :], mask=m[:, None], other=0.)
        g = tl.exp(dt[:, None] * a[None, :])
        v = (dt * x)[:, None] * b
        ga, hv = tl.associative_scan((g, v), 0, lin)
        hv = hv + ga * h[None, :]
        tl.store(o + t * D + d, tl.sum(hv * c, 1), mask=m)
        last = tl.arange(0, T) == T - 1
        h = tl.sum(tl.where(last[:, None], hv, 0.), 0)

# The inverse of a unit lower triangle, a row at a time, then a product.
@triton.jit
def solvetril(A, o, BT: tl.constexpr):
    i = tl.arange(0, BT)
    a = tl.load(A + i[:, None] * BT + i[None, :])
    b = -tl.where(i[:, None] > i[None, :], a, 0.)
    for r in range(1, BT):
        m = i == r
        row = tl.sum(tl.where(m[:, None], b, 0.), 0)
        row = row + tl.sum(row[:, None] * b, 0) * (i < r)
        b = tl.where(m[:, None], row[None, :], b)
    b += (i[:, None] == i[None, :])
    tl.store(o + i[:, None] * BT + i[None, :], b)
    tl.store(o + BT * BT + i[:, None] * BT + i[None, :], tl.dot(b, a, input_precision="ieee"))

# The gated delta rule, a step at a time.
@triton.jit
def gdelta(q, k, v, g, bt, o, hT, L, K: tl.constexpr, V: tl.constexpr):
    kk = tl.arange(0, K); vv = tl.program_id(0) * V + tl.arange(0, V)
    NV = tl.num_programs(0) * V
    h = tl.zeros([K, V], dtype=tl.float32)
    for i in range(L):
        qi = tl.load(q + i * K + kk); ki = tl.load(k + i * K + kk)
        ki = ki / tl.sqrt(tl.sum(ki * ki) + 1e-6)
        h *= tl.exp(tl.load(g + i))
        vi = tl.load(v + i * NV + vv) - tl.sum(h * ki[:, None], 0)
        vi *= tl.load(bt + i)
        h += ki[:, None] * vi[None, :]
        tl.store(o + i * NV + vv, tl.sum(h * qi[:, None], 0))
    tl.store(hT + kk[:, None] * NV + vv[None, :], h)

# Maximum pooling with the place of the maximum.
@triton.jit
def mp(x, o, oi, H, W, OH, OW, KS: tl.constexpr, K2: tl.constexpr, S: tl.constexpr, B: tl.constexpr):
    j = tl.program_id(0) * B + tl.arange(0, B); m = j < OH * OW
    k = tl.arange(0, K2); y = (j // OW * S)[:, None] + (k // KS)[None, :] - 1; xx = (j % OW * S)[:, None] + (k % KS)[None, :] - 1
    ok = m[:, None] & (k < KS * KS)[None, :] & (y >= 0) & (y < H) & (xx >= 0) & (xx < W)
    v = tl.load(x + tl.program_id(1) * H * W + y * W + xx, mask=ok, other=float("-inf"))
    mx, ix = tl.max(v, 1, return_indices=True)
    tl.store(o + tl.program_id(1) * OH * OW + j, mx, mask=m); tl.store(oi + tl.program_id(1) * OH * OW + j, ix, mask=m)
