"""minimax.py - weighted minimax fits with coefficients rounded one after another.

fit(f, powers, a, b, weight, bits) finds c so that max |weight(x) * (f(x) - sum c[k] * x**powers[k])| over [a, b] is
smallest: Remez exchange in 50 digits for unrounded coefficients, Lawson's reweighted least squares where coefficients are
rounded to `bits` bits. They are rounded from the first, which matters most, to the last; after each rounding the rest is
fitted again, so that later coefficients make up for what rounding took."""
import mpmath as mp
import numpy as np

mp.mp.dps = 50


def rounded(value, bits):
    if value == 0:
        return mp.mpf(0)
    scale = mp.power(2, mp.floor(mp.log(abs(value), 2)) - (bits - 1))
    return mp.nint(value / scale) * scale


def chebyshev(a, b, n):
    return [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * i / (n - 1)) for i in range(n)]


def lawson(target, basis, weight, rounds=400):
    """target[i], basis[k][i] and weight[i] are floats; the coefficients that make max |weight * residual| smallest."""
    scale = np.abs(basis * weight).max(axis=1)
    a = (basis * weight).T / scale
    t = target * weight
    mass = np.full(len(t), 1.0 / len(t))
    best, best_error = None, np.inf
    for _ in range(rounds):
        root = np.sqrt(mass)
        c = np.linalg.lstsq(a * root[:, None], t * root, rcond=None)[0]
        residual = np.abs(t - a @ c)
        if residual.max() < best_error:
            best, best_error = c, residual.max()
        mass = mass * residual
        total = mass.sum()
        if total == 0:
            break
        mass = mass / total
    return best / scale, best_error


def remez(xs, target, basis, weight):
    """The same by exchange, in full precision. Wants a basis whose combinations have at most n - 1 zeros."""
    n, count = len(basis), len(xs)
    nodes = [round(i * (count - 1) / n) for i in range(n + 1)]
    best, best_error = None, mp.inf
    for _ in range(40):
        m, v = mp.matrix(n + 1, n + 1), mp.matrix(n + 1, 1)
        for r, i in enumerate(nodes):
            for k in range(n):
                m[r, k] = basis[k][i] * weight[i]
            m[r, n] = (-1) ** r
            v[r] = target[i] * weight[i]
        c = mp.lu_solve(m, v)
        residual = [weight[i] * (target[i] - mp.fsum(c[k] * basis[k][i] for k in range(n))) for i in range(count)]
        error = max(abs(e) for e in residual)
        if error < best_error:
            best, best_error = [c[k] for k in range(n)], error
        extrema = []
        for i, e in enumerate(residual):
            if extrema and (residual[extrema[-1]] > 0) == (e > 0):
                if abs(e) > abs(residual[extrema[-1]]):
                    extrema[-1] = i
            else:
                extrema.append(i)
        while len(extrema) > n + 1:
            extrema.pop(0 if abs(residual[extrema[0]]) < abs(residual[extrema[-1]]) else -1)
        if len(extrema) < n + 1 or extrema == nodes:
            break
        nodes = extrema
    return best, best_error


def fit(f, powers, a, b, weight, bits=24, points=500, bits_of=None):
    """bits_of: {power: bits} for coefficients with another width than `bits`."""
    a, b = mp.mpf(a), mp.mpf(b)
    xs = chebyshev(a, b, points)
    target = [mp.mpf(f(x)) for x in xs]
    w = [mp.mpf(weight(x)) for x in xs]
    basis = [[x ** p if p else mp.mpf(1) for x in xs] for p in powers]
    floats = lambda v: np.array([float(e) for e in v])
    fb = np.array([floats(e) for e in basis])
    fw = floats(w)
    if bits > 30:
        c, best = remez(xs, target, basis, w)
        done = [rounded(v, (bits_of or {}).get(p, bits)) for v, p in zip(c, powers)]
        for v, bk in zip(done, basis):
            target = [t - v * e for t, e in zip(target, bk)]
        return done, best, max(abs(t * e) for t, e in zip(target, w))
    done, best = [], None
    for k, p in enumerate(powers):
        c, error = lawson(floats(target), fb[k:], fw)
        best = best or error
        value = rounded(mp.mpf(float(c[0])), (bits_of or {}).get(p, bits))
        done.append(value)
        target = [t - value * e for t, e in zip(target, basis[k])]
    return done, best, max(abs(t * e) for t, e in zip(target, w))


def show(name, result):
    c, best, reached = result
    print(f"{name}: error 2^{float(mp.log(best, 2)):.2f}, rounded 2^{float(mp.log(reached, 2)):.2f}")
    print("  {" + ", ".join(float(x).hex().replace("000000p", "p").replace("0000000p", "p") for x in c) + "}")
