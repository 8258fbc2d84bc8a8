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


@fit_entry
def tan7():
    return fit(odd(mp.tan, 1, mp.mpf(1) / 3), range(7), 0, QUARTER, lambda z: z * mp.sqrt(z) / mp.tan(mp.sqrt(z)) if z else z)


# asin(x) = x + x z A(z), z = x^2 <= 1/4
@fit_entry
def asin():
    return fit(odd(mp.asin, 1, mp.mpf(1) / 6), range(5), 0, mp.mpf("0.2502"), lambda z: z)


# atan(x) = x + x z A(z), |x| <= 1
@fit_entry
def atan():
    return fit(odd(mp.atan, 1, -mp.mpf(1) / 3), range(8), 0, 1, lambda z: z * mp.sqrt(z) / mp.atan(mp.sqrt(z)) if z else z)


@fit_entry
def atan9():
    return fit(odd(mp.atan, 1, -mp.mpf(1) / 3), range(9), 0, 1, lambda z: z * mp.sqrt(z) / mp.atan(mp.sqrt(z)) if z else z)


# sinh(x) = x + x z S(z), |x| < 1; tanh(x) = x + x z T(z), |x| < 0.63
@fit_entry
def sinh():
    return fit(odd(mp.sinh, 1, mp.mpf(1) / 6), range(4), 0, mp.mpf("1.01"), lambda z: z)


@fit_entry
def sinh3():
    return fit(odd(mp.sinh, 1, mp.mpf(1) / 6), range(3), 0, mp.mpf("1.01"), lambda z: z)


@fit_entry
def tanh():
    return fit(odd(mp.tanh, 1, -mp.mpf(1) / 3), range(5), 0, mp.mpf("0.63") ** 2, lambda z: z)


# erf(x) = x + x P(z), |x| < 1; log2(erfc(x)) = x * L(x)
@fit_entry
def erf_small():
    return fit(quotient(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1, 2 / mp.sqrt(mp.pi) - 1), range(6), 0, 1, lambda z: 1)


@fit_entry
def erfc_log():
    return fit(lambda x: mp.log(mp.erfc(x), 2) / x, range(7), 1, mp.mpf("3.9"), lambda x: x * mp.erfc(x) / mp.erf(x))


if __name__ == "__main__":
    for name in sys.argv[1:] or FITS:
        show(name, FITS[name]())
