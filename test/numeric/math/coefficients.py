"""coefficients.py - where the polynomials of lib/Dialect/TileGPU/Transforms/ExpandMath come from.

  python3 coefficients.py [NAME...]    prints, for all or the named fits, the error reached and the coefficients

Needs mpmath and numpy. Each entry: what is approximated, between which arguments, which error counts (almost always the
relative error of the function that the polynomial is a part of)."""
import sys
from minimax import *

FITS = {}


def fit_entry(function):
    FITS[function.__name__] = function
    return function


def quotient(f, limit, tiny=mp.mpf(10) ** -12):
    """f with its limit at 0, where the expression cancels."""
    return lambda x: mp.mpf(limit) if abs(x) < tiny else f(x)


def over(power, g):
    """Weight of a term x**power * P(x) of g."""
    return lambda x: abs(x ** power / g(x)) if x else mp.mpf(0)


log1p_tail = quotient(lambda x: (mp.log1p(x) - x) / x ** 2, mp.mpf(-1) / 2)
expm1_tail = quotient(lambda x: (mp.expm1(x) - x) / x ** 2, mp.mpf(1) / 2)


# log1p(f) = f + f^2 * Q(f)
@fit_entry
def log():
    return fit(log1p_tail, range(9), -mp.mpf(1) / 3, mp.mpf(1) / 3, over(2, mp.log1p))


@fit_entry
def log2():
    k = 1 / mp.log(2)
    return fit(lambda x: k * log1p_tail(x), range(9), -mp.mpf(1) / 3, mp.mpf(1) / 3,
               lambda x: over(2, mp.log1p)(x) / k)


@fit_entry
def log10():
    k = 1 / mp.log(10)
    return fit(lambda x: k * log1p_tail(x), range(9), -mp.mpf(1) / 3, mp.mpf(1) / 3,
               lambda x: over(2, mp.log1p)(x) / k)


@fit_entry
def log1p():
    return fit(log1p_tail, range(9), -mp.mpf(1) / 4, mp.mpf(1) / 2, over(2, mp.log1p))


# expm1(r) = r + r^2 * Q(r)
@fit_entry
def expm1():
    return fit(expm1_tail, range(6), -mp.mpf("0.5"), mp.mpf("0.525"), over(2, mp.expm1))


# log2(1 + f) = s * (2 k + z * (2 k / 3 + z * C(z))), s = f / (2 + f), z = s^2, k = 1 / ln 2
@fit_entry
def pow():
    k = 1 / mp.log(2)

    def c(z):
        s = mp.sqrt(z)
        return (2 * mp.atanh(s) / s - 2 - 2 * z / 3) * k / z ** 2
    return fit(quotient(c, 2 * k / 5), range(3), 0, mp.mpf("0.1716") ** 2 * 1.01, lambda z: z * z / 2 / k)


def odd(f, first, second):
    """(f(x) / x - first) / x^2 as a function of z = x^2; second: its limit."""
    return quotient(lambda z: (f(mp.sqrt(z)) / mp.sqrt(z) - first) / z, second)


QUARTER = (mp.pi / 4 * mp.mpf("1.0005")) ** 2


# sin(r) = r + r z S(z), cos(r) = 1 + z C(z), tan(r) = r + r z T(z)
@fit_entry
def sin():
    return fit(odd(mp.sin, 1, -mp.mpf(1) / 6), range(3), 0, QUARTER, lambda z: z)


@fit_entry
def cos():
    return fit(quotient(lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, -mp.mpf(1) / 2), range(4), 0, QUARTER, lambda z: z)


@fit_entry
def tan():
    return fit(odd(mp.tan, 1, mp.mpf(1) / 3), range(6), 0, QUARTER, lambda z: z * mp.sqrt(z) / mp.tan(mp.sqrt(z)) if z else z)


# asin(x) = x + x z A(z), z = x^2 <= 1/4
@fit_entry
def asin():
    return fit(odd(mp.asin, 1, mp.mpf(1) / 6), range(5), 0, mp.mpf("0.2502"), lambda z: z)


# atan(x) = x + x z A(z), |x| <= 1
@fit_entry
def atan():
    return fit(odd(mp.atan, 1, -mp.mpf(1) / 3), range(9), 0, 1, lambda z: z * mp.sqrt(z) / mp.atan(mp.sqrt(z)) if z else z)


# sinh(x) = x + x z S(z), |x| < 1; tanh(x) = x + x z T(z), |x| < 0.76
@fit_entry
def sinh():
    return fit(odd(mp.sinh, 1, mp.mpf(1) / 6), range(4), 0, mp.mpf("1.01"), lambda z: z)


@fit_entry
def tanh():
    return fit(odd(mp.tanh, 1, -mp.mpf(1) / 3), range(5), 0, mp.mpf("0.76") ** 2, lambda z: z)


# The same for |x| < 0.3125: of scores beside products.
@fit_entry
def tanh_scores():
    return fit(odd(mp.tanh, 1, -mp.mpf(1) / 3), range(3), 0, mp.mpf("0.3125") ** 2, lambda z: z)


# erf(x) = x + x P(z), |x| < 1; log2(erfc(x)) = x * L(x)
@fit_entry
def erf_small():
    return fit(quotient(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 2 / mp.sqrt(mp.pi) - 1), range(6), 0, 1, lambda z: 1)


@fit_entry
def erfc_log():
    return fit(lambda x: mp.log(mp.erfc(x), 2) / x, range(7), 1, mp.mpf("3.9"), lambda x: x * mp.erfc(x) / mp.erf(x))


def erfcx(a):
    """exp(a^2) erfc(a); by its asymptotic series from 30 on."""
    if a <= 30:
        return mp.exp(a * a) * mp.erfc(a)
    term, total = mp.mpf(1), mp.mpf(1)
    for n in range(1, 30):
        term *= -(2 * n - 1) / (2 * a * a)
        total += term
    return total / (a * mp.sqrt(mp.pi))


# erfcx(x) = r * G(t), r = 1 / (x + 2), t = 1 - 4 r
@fit_entry
def erfc_scaled():
    def g(t):
        r = (1 - t) / 4
        return erfcx(1 / r - 2) / r if r > 0 else 1 / mp.sqrt(mp.pi)
    return fit(g, range(11), -1, 1, lambda t: 1 / g(t), points=300)


def inverse_error(w):
    """erfinv(x) / x for w = -log(1 - x^2)."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    complement = mp.exp(-w) / (1 + x)
    start = mp.sqrt(w) * mp.mpf("0.85") if w < 4 else mp.sqrt(w) - mp.mpf("0.3")
    return mp.findroot(lambda y: mp.log(mp.erfc(y)) - mp.log(complement), start) / x


# P(w) = P(0) + w * R(w - 2.5), w <= 5; P in sqrt(w) - 3; P / sqrt(w) in 1 / sqrt(w)
@fit_entry
def erfinv_central():
    p0, tiny = mp.sqrt(mp.pi) / 2, mp.mpf(10) ** -7

    def r(u):
        w = max(u + mp.mpf("2.5"), tiny)
        return (inverse_error(w) - p0) / w
    return fit(r, range(9), -2.5, 2.5,
               lambda u: (u + mp.mpf("2.5")) / inverse_error(u + mp.mpf("2.5")) + mp.mpf("1e-3"), points=200)


@fit_entry
def erfinv_tail():
    p = lambda s: inverse_error((s + 3) ** 2)
    return fit(p, range(10), mp.sqrt(5) - 3, mp.sqrt(17) - 3, lambda s: 1 / p(s), points=200)


@fit_entry
def erfinv_far():
    p = lambda u: inverse_error(1 / u ** 2) * u
    return fit(p, range(7), 1 / mp.sqrt(105), 1 / mp.sqrt(mp.mpf("15.5")), lambda u: 1 / p(u), points=200)


# sin(pi r) = pi r + r z S(z), cos(pi r) = 1 + z C(z)
@fit_entry
def sinpi():
    f = quotient(lambda z: (mp.sin(mp.pi * mp.sqrt(z)) / mp.sqrt(z) - mp.pi) / z, -mp.pi ** 3 / 6)
    return fit(f, range(4), 0, mp.mpf("0.0626"), lambda z: z / 3)


@fit_entry
def cospi():
    f = quotient(lambda z: (mp.cos(mp.pi * mp.sqrt(z)) - 1) / z, -mp.pi ** 2 / 2)
    return fit(f, range(4), 0, mp.mpf("0.0626"), lambda z: z)


# lgamma(1 + t) = t A(t), lgamma(2 + t) = t B(t), Stirling's rest times x in 1 / x^2
@fit_entry
def lgamma_one():
    a = quotient(lambda t: mp.loggamma(1 + t) / t, -mp.euler)
    return fit(a, range(11), -mp.mpf("0.3"), mp.mpf("0.7"), lambda t: 1 / abs(a(t)))


@fit_entry
def lgamma_two():
    b = quotient(lambda t: mp.loggamma(2 + t) / t, 1 - mp.euler)
    return fit(b, range(10), -mp.mpf("0.5"), mp.mpf("1.5"), lambda t: 1 / abs(b(t)))


@fit_entry
def lgamma_stirling():
    def s(z):
        if z == 0:
            return mp.mpf(1) / 12
        x = 1 / mp.sqrt(z)
        return (mp.loggamma(x) - (x - mp.mpf("0.5")) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x
    return fit(s, range(3), 0, 1 / mp.mpf("3.5") ** 2, lambda z: mp.sqrt(z) / mp.loggamma(1 / mp.sqrt(z)) if z else 0)


@fit_entry
def gamma_middle():
    g = lambda t: mp.gamma(t + mp.mpf("1.5"))
    return fit(g, range(10), -mp.mpf("0.5"), mp.mpf("0.5"), lambda t: 1 / g(t))


@fit_entry
def gamma_tail():
    def g(u):
        if u == 0:
            return mp.mpf(1)
        x = 1 / u
        return mp.gamma(x) / (mp.sqrt(2 * mp.pi) * mp.exp((x - mp.mpf("0.5")) * mp.log(x) - x))
    return fit(g, range(5), 0, mp.mpf("0.25"), lambda u: 1)


# I0, I1 / x in x^2 up to 8; exp(-x) sqrt(x) I(x) in 1 / x from there on
def modified(order):
    f = quotient(lambda z: mp.besseli(order, mp.sqrt(z)) / mp.sqrt(z) ** order, mp.mpf(1) / (order + 1))
    return fit(f, range(10), 0, 64, lambda z: 1 / f(z), points=200)


def modified_tail(order):
    g = lambda u: mp.exp(-1 / u) * mp.besseli(order, 1 / u) / mp.sqrt(u)
    return fit(g, range(6), mp.mpf(1) / 100, mp.mpf(1) / 8, lambda u: 1 / g(u), points=200)


FITS.update(i0=lambda: modified(0), i1=lambda: modified(1), i0_tail=lambda: modified_tail(0),
            i1_tail=lambda: modified_tail(1))


TINY = {24: mp.mpf(10) ** -12, 53: mp.mpf(10) ** -22}


def around(f, zero, low, high, terms, bits=24):
    """f(zero + t) = t * P(t)."""
    slope = mp.diff(f, zero)
    p = quotient(lambda t: f(zero + t) / t, slope, TINY[bits])
    return fit(p, range(terms), mp.mpf(low) - zero, mp.mpf(high) - zero, lambda t: 1 / abs(p(t)), bits, 200)


J = lambda n: lambda x: mp.besselj(n, x)
Y = lambda n: lambda x: mp.bessely(n, x)
FITS.update(
    j0_near_6=lambda: around(J(0), mp.besseljzero(0, 2), 4, 8, 11),
    j1_near_4=lambda: around(J(1), mp.besseljzero(1, 1), "2.5", "5.5", 9),
    j1_near_7=lambda: around(J(1), mp.besseljzero(1, 2), "5.5", 8, 9),
    y0_near_4=lambda: around(Y(0), mp.besselyzero(0, 2), "2.5", "5.5", 9),
    y0_near_7=lambda: around(Y(0), mp.besselyzero(0, 3), "5.5", 8, 9),
    y1_near_5=lambda: around(Y(1), mp.besselyzero(1, 2), "3.75", 8, 11),
    wide_j0_near_6=lambda: around(J(0), mp.besseljzero(0, 2), "3.5", 8, 22, 53),
    wide_j1_near_4=lambda: around(J(1), mp.besseljzero(1, 1), "2.5", "5.5", 18, 53),
    wide_j1_near_7=lambda: around(J(1), mp.besseljzero(1, 2), "5.5", 8, 17, 53),
    wide_y0_near_4=lambda: around(Y(0), mp.besselyzero(0, 2), "2.5", "5.5", 24, 53),
    wide_y0_near_7=lambda: around(Y(0), mp.besselyzero(0, 3), "5.5", 8, 17, 53),
    wide_y1_near_5=lambda: around(Y(1), mp.besselyzero(1, 2), "3.75", "6.75", 22, 53),
    wide_y1_near_9=lambda: around(Y(1), mp.besselyzero(1, 3), "6.75", 8, 17, 53))


def j0_near_0(limit, terms, bits=24):
    z = mp.besseljzero(0, 1)
    f = lambda s: (mp.besselj(0, mp.sqrt(s)) / (s - z * z) if abs(s - z * z) > TINY[bits] else -mp.besselj(1, z) / (2 * z))
    return fit(f, range(terms), 0, mp.mpf(limit) ** 2, lambda s: 1 / abs(f(s)), bits, 200)


def j1_near_0(terms, bits):
    f = quotient(lambda s: mp.besselj(1, mp.sqrt(s)) / mp.sqrt(s), mp.mpf(1) / 2, TINY[bits])
    return fit(f, range(terms), 0, mp.mpf("3.75") ** 2, lambda s: 2, bits, 200)


FITS.update(j0_near_0=lambda: j0_near_0(4, 7), j1_near_0=lambda: j1_near_0(8, 24),
            wide_j0_near_0=lambda: j0_near_0("3.5", 13, 53), wide_j1_near_0=lambda: j1_near_0(14, 53))


def without_logarithm(order, limit, terms, bits=24):
    """(y_n - 2 / pi log(x / zero) j_n) * x^n / (x^2 - zero^2) in x^2."""
    z = mp.besselyzero(order, 1)
    near = mp.mpf(10) ** (-8 if bits < 30 else -20)

    def r(s):
        x = max(mp.sqrt(s), mp.mpf("1e-12"))
        if abs(x - z) < near:
            x = z + near
        y = mp.bessely(order, x) - 2 / mp.pi * mp.log(x / z) * mp.besselj(order, x)
        return y * x ** order / (x * x - z * z)
    return fit(r, range(terms), 0, mp.mpf(limit) ** 2, lambda s: 1 / abs(r(s)), bits, 150)


FITS.update(y0_near_1=lambda: without_logarithm(0, "2.5", 6), y1_near_2=lambda: without_logarithm(1, "3.75", 7),
            wide_y0_near_1=lambda: without_logarithm(0, "2.5", 11, 53), wide_y1_near_2=lambda: without_logarithm(1, "3.75", 14, 53))


def wave(order, phase, terms=4, bits=24):
    """Amplitude and phase of j + i y against sqrt(2 / (pi x)) and x - (2 n + 1) pi / 4, in 1 / x^2 (the phase times x)."""
    def g(z):
        if z < mp.mpf(10) ** (-6 if bits < 30 else -18):
            return (mp.mpf(3) / 8 if order else mp.mpf(-1) / 8) if phase else mp.mpf(1)
        x = 1 / mp.sqrt(z)
        j, y = mp.besselj(order, x), mp.bessely(order, x)
        if not phase:
            return mp.sqrt(j * j + y * y) * mp.sqrt(mp.pi * x / 2)
        drift = mp.atan2(y, j) - (x - mp.pi / 4 - order * mp.pi / 2)
        return (drift - 2 * mp.pi * mp.nint(drift / (2 * mp.pi))) * x
    return fit(g, range(terms), 0, mp.mpf(1) / 64, (lambda z: mp.sqrt(z)) if phase else (lambda z: 1), bits, 100)


FITS.update(amplitude_0=lambda: wave(0, False), phase_0=lambda: wave(0, True), amplitude_1=lambda: wave(1, False),
            phase_1=lambda: wave(1, True), wide_amplitude_0=lambda: wave(0, False, 12, 53), wide_phase_0=lambda: wave(0, True, 12, 53),
            wide_amplitude_1=lambda: wave(1, False, 12, 53), wide_phase_1=lambda: wave(1, True, 12, 53))


# f64
def wide(f, terms, low, high, weight, points=160):
    return fit(f, range(terms), low, high, weight, bits=53, points=points)


SMALL = mp.mpf(10) ** -15
FITS.update(
    wide_expm1=lambda: wide(expm1_tail, 12, -mp.mpf("0.5"), mp.mpf("0.525"), over(2, mp.expm1)),
    wide_log=lambda: wide(quotient(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, mp.mpf(2) / 3, SMALL), 7, 0,
                          mp.mpf("0.1716") ** 2 * mp.mpf("1.001"), lambda z: z / 2),
    wide_pow=lambda: wide(quotient(lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2 - 2 * z / 3) / mp.log(2) / z ** 2,
                                   2 / mp.log(2) / 5, SMALL), 8, 0, mp.mpf("0.1716") ** 2 * mp.mpf("1.001"),
                          lambda z: z * z / 6),
    wide_sin=lambda: wide(odd(mp.sin, 1, -mp.mpf(1) / 6), 6, 0, QUARTER, lambda z: z),
    wide_cos=lambda: wide(quotient(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, mp.mpf(1) / 24), 6, 0, QUARTER,
                          lambda z: z * z),
    wide_tanh=lambda: wide(odd(mp.tanh, 1, -mp.mpf(1) / 3), 9, 0, mp.mpf("0.35") ** 2, lambda z: z, points=120),
    wide_erf=lambda: wide(quotient(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 2 / mp.sqrt(mp.pi) - 1), 13, 0, 1,
                          lambda z: 1),
    wide_erfc_log=lambda: wide(lambda x: mp.log(mp.erfc(x), 2) / x, 18, 1, mp.mpf("5.95"),
                               lambda x: x * mp.erfc(x) / mp.erf(x), points=240))


def tail_of(f, first):
    """(f(x) - x) / x^3 in z = x^2, and the weight of x z P(z) in f."""
    root = mp.sqrt
    return (quotient(lambda z: (f(root(z)) - root(z)) / (root(z) * z), first, SMALL),
            lambda z: z * root(z) / f(root(z)) if z else mp.mpf(0))


def wide_tail(f, first, terms, high):
    g, weight = tail_of(f, first)
    return wide(g, terms, 0, mp.mpf(high), weight, points=220)


def wide_inverse_error(w):
    """inverse_error by Newton's method, to all digits."""
    if w == 0:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    complement = mp.exp(-w) / (1 + x)
    y = mp.sqrt(w) * mp.mpf("0.85") if w < 4 else mp.sqrt(w) - mp.mpf("0.3")
    for _ in range(60):
        e = mp.erfc(y)
        step = (mp.log(e) - mp.log(complement)) * e / (-2 / mp.sqrt(mp.pi) * mp.exp(-y * y))
        y -= step
        if abs(step) < mp.mpf(10) ** -45 * abs(y):
            break
    return y / x


def wide_erfc_scaled():
    def g(t):
        r = (1 - t) / 4
        return erfcx(1 / r - 2) / r if r > 0 else 1 / mp.sqrt(mp.pi)
    return wide(g, 28, -1, 1, lambda t: 1 / g(t), points=300)


def wide_erfinv_central():
    w = lambda u: max(u + mp.mpf("2.5"), mp.mpf(10) ** -22)
    return wide(lambda u: (wide_inverse_error(w(u)) - mp.sqrt(mp.pi) / 2) / w(u), 22, -2.5, 2.5,
                lambda u: (u + mp.mpf("2.5")) / wide_inverse_error(w(u)) + mp.mpf("1e-3"), points=150)


def wide_erfinv_far():
    p = lambda u: wide_inverse_error(1 / u ** 2) * u
    return wide(p, 10, 1 / mp.sqrt(760), 1 / mp.sqrt(mp.mpf("4.9")), lambda u: 1 / p(u), points=120)


def wide_lgamma(at, terms, low, high, limit):
    a = quotient(lambda t: mp.loggamma(at + t) / t, limit, mp.mpf(10) ** -25)
    return wide(a, terms, mp.mpf(low), mp.mpf(high), lambda t: 1 / abs(a(t)), points=220)


def wide_stirling():
    def s(z):
        if z == 0:
            return mp.mpf(1) / 12
        x = 1 / mp.sqrt(z)
        return (mp.loggamma(x) - (x - mp.mpf("0.5")) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x
    return wide(s, 10, 0, 1 / mp.mpf("3.5") ** 2, lambda z: mp.sqrt(z) / mp.loggamma(1 / mp.sqrt(z)) if z else 0, 220)


def wide_gamma_tail():
    def g(u):
        x = 1 / u if u else None
        return mp.gamma(x) / (mp.sqrt(2 * mp.pi) * mp.exp((x - mp.mpf("0.5")) * mp.log(x) - x)) if u else mp.mpf(1)
    return wide(g, 12, 0, mp.mpf("0.25"), lambda u: 1, 220)


def wide_modified(order):
    f = quotient(lambda z: mp.besseli(order, mp.sqrt(z)) / mp.sqrt(z) ** order, mp.mpf(1) / (order + 1), mp.mpf(10) ** -30)
    return wide(f, 20, 0, 121, lambda z: 1 / f(z), points=220)


def wide_modified_tail(order):
    g = lambda u: mp.exp(-1 / u) * mp.besseli(order, 1 / u) / mp.sqrt(u)
    return wide(g, 18, mp.mpf(1) / 720, mp.mpf(1) / 11, lambda u: 1 / g(u), points=220)


def wide_gamma_middle():
    g = lambda t: mp.gamma(t + mp.mpf("1.5"))
    return wide(g, 22, -mp.mpf("0.5"), mp.mpf("0.5"), lambda t: 1 / g(t), points=220)


FITS.update(
    wide_asin=lambda: wide_tail(mp.asin, mp.mpf(1) / 6, 13, "0.25"),
    wide_atan=lambda: wide_tail(mp.atan, -mp.mpf(1) / 3, 21, "1"),
    wide_tan=lambda: wide_tail(mp.tan, mp.mpf(1) / 3, 15, "0.6171"),
    wide_sinh=lambda: wide_tail(mp.sinh, mp.mpf(1) / 6, 7, "1"),
    wide_sinpi=lambda: wide(quotient(lambda z: (mp.sin(mp.pi * mp.sqrt(z)) / mp.sqrt(z) - mp.pi) / z, -mp.pi ** 3 / 6,
                                     SMALL), 6, 0, mp.mpf("0.0626"), lambda z: z / 3, points=220),
    wide_cospi=lambda: wide(quotient(lambda z: (mp.cos(mp.pi * mp.sqrt(z)) - 1) / z, -mp.pi ** 2 / 2, SMALL), 7, 0,
                            mp.mpf("0.0626"), lambda z: z, points=220),
    wide_erfc_scaled=wide_erfc_scaled, wide_erfinv_central=wide_erfinv_central, wide_erfinv_far=wide_erfinv_far,
    wide_lgamma_one=lambda: wide_lgamma(1, 24, "-0.3", "0.7", -mp.euler),
    wide_lgamma_two=lambda: wide_lgamma(2, 26, "-0.5", "1.5", 1 - mp.euler),
    wide_stirling=wide_stirling, wide_gamma_middle=wide_gamma_middle, wide_gamma_tail=wide_gamma_tail,
    wide_i0=lambda: wide_modified(0), wide_i1=lambda: wide_modified(1), wide_i0_tail=lambda: wide_modified_tail(0),
    wide_i1_tail=lambda: wide_modified_tail(1))


if __name__ == "__main__":
    for name in sys.argv[1:] or FITS:
        show(name, FITS[name]())
