# Kernels over rows, written in Triton; make_kernels.py keeps their IR as bench/kernels/*.ttir.
import triton
import triton.language as tl


@triton.jit
def softmax(out, x, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * stride + cols, mask, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * stride + cols, e / tl.sum(e, 0), mask)


@triton.jit
def layer_norm(out, x, w, b, stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * stride + cols, mask, other=0.0).to(tl.float32)
    mean = tl.sum(v, 0) / n
    d = tl.where(mask, v - mean, 0.0)
    rstd = 1 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    y = d * rstd * tl.load(w + cols, mask).to(tl.float32) + tl.load(b + cols, mask).to(tl.float32)
    tl.store(out + row * stride + cols, y.to(tl.float16), mask)


@triton.jit
def cumsum(out, x, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n
    v = tl.load(x + row * stride + cols, mask, other=0.0)
    tl.store(out + row * stride + cols, tl.cumsum(v, 0), mask)


@triton.jit
def sort(out, x, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    tl.store(out + row * stride + cols, tl.sort(tl.load(x + row * stride + cols)))


@triton.jit
def cross_entropy(loss, x, label, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    v = tl.load(x + row * stride + cols, cols < n, other=-float("inf"))
    top = tl.max(v, 0)
    total = tl.log(tl.sum(tl.exp(v - top), 0)) + top
    tl.store(loss + row, total - tl.load(x + row * stride + tl.load(label + row)))


@triton.jit
def welford(mean, m2, count, mean_of, m2_of, count_of):
    both = count + count_of
    part = tl.where(both == 0.0, 0.0, count_of / both)
    d = mean_of - mean
    return mean + d * part, m2 + m2_of + d * d * count * part, both


@triton.jit
def batch_norm(out, x, w, b, means, rstds, n, channels, eps, PLANE: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mean = tl.zeros([BLOCK], tl.float32)
    m2 = tl.zeros([BLOCK], tl.float32)
    count = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        r = start + offsets
        v = tl.load(x + (r // PLANE) * (channels * PLANE) + channel * PLANE + r % PLANE, r < n, other=0.0)
        d = v - mean
        next = mean + d / (count + 1)
        m2 = tl.where(r < n, m2 + d * (v - next), m2)
        mean = tl.where(r < n, next, mean)
        count = tl.where(r < n, count + 1, count)
    mean, m2, count = tl.reduce((mean, m2, count), 0, welford)
    rstd = tl.rsqrt(m2 / n + eps)
    tl.store(means + channel, mean)
    tl.store(rstds + channel, rstd)
    scale, shift = tl.load(w + channel), tl.load(b + channel)
    for start in range(0, n, BLOCK):
        r = start + offsets
        at = (r // PLANE) * (channels * PLANE) + channel * PLANE + r % PLANE
        v = tl.load(x + at, r < n, other=0.0)
        tl.store(out + at, (v - mean) * rstd * scale + shift, r < n)
