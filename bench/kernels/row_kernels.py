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
