"""Dropout with Philox 4x32-10, written down again from the paper and checked against its authors' known answers."""
from inputs import normal

MASK = 0xFFFFFFFF
# kat_vectors of the authors' Random123: counter, key, output.
KNOWN = [
    ([0] * 4, [0, 0], [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([MASK] * 4, [MASK, MASK], [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
]


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ k[0], q & MASK, p >> 32 ^ c[3] ^ k[1], p & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return c


def cases():
    for counter, key, output in KNOWN:
        assert philox(counter, key) == output
    for n, p, seed in [(0, 0.5, 1), (1, 0.5, 0), (781, 0.25, 42), (3000, 0.9, 0x123456789ABCDEF), (1025, 0.0, -1)]:
        x = normal(n, n)
        key = [seed & MASK, seed >> 32 & MASK]
        numbers = [(philox([i, 0, 0, 0], key)[0] >> 8) * 2.0**-24 for i in range(n)]
        y = [v / (1 - p) if r >= p else 0.0 for v, r in zip(x, numbers)]
        yield dict(name=f"dropout {n} {p}", file="dropout.mlir", kernel="dropout", grid=[max(1, (n + 1023) // 1024)],
                   args=[("f32", x), ("f32", [9.0] * len(x)), ("i32", n), ("f32", p), ("i64", seed)], outs={1: y},
                   tolerance={"atol": 1e-6, "rtol": 1e-6})
