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
