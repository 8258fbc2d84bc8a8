/* CostProducts.c - cycles that matrix products take on a multiprocessor.
 *
 * wgmma: a warp group's m64 nN k32-bytes takes N / 2 cycles of the matrix units, or as long as shared memory needs for its
 * factors, 2048 + 32 N bytes at 128 a cycle (CUDA's H100 tuning guide; measured in docs/auto.md). */
#include "CostWalk.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/Support/Bits.h"

typedef struct Product {
  double m, n, k;
  unsigned bytes; ///< of an element
} Product;

static Product productOf(const TileCostWalk *w, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  int64_t a[3] = {1, 1, 1}, c[3] = {1, 1, 1};
  const int rank = tileTypeGetShape(mlirValueGetType(tileDotOpGetA(dot)), a, 3);
  tileTypeGetShape(mlirValueGetType(tileDotOpGetResult(dot)), c, 3);
  const int at = rank == 3;
  const double batch = rank == 3 ? (double)c[0] : 1;
  return (Product){batch * (double)c[at] * tileCostPart(w, mlirValueGetType(tileDotOpGetResult(dot))),
                   (double)c[at + 1], (double)a[at + 1],
                   tileElementTypeSize(tileElementTypeOf(mlirValueGetType(tileDotOpGetA(dot))))};
}

static double larger(double a, double b) { return a > b ? a : b; }

/// The largest power of two in a size: sizes that are none are cut (convert-tile-to-tile-gpu).
static double pieceOf(double size) {
  double piece = 1;
  while (2 * piece <= size)
    piece *= 2;
  return piece;
}

/// The power of two to which a size is padded where it is not cut.
static double paddedOf(double size) { return pieceOf(size) < size ? 2 * pieceOf(size) : size; }

/// Sizes are powers of two. How the groups stand: along M first, as far as there are 64 rows for each.
static double costOfPiece(const TileCostWalk *w, Product p) {
  double groups = w->in->numWarps / 4, alongM = groups;
  while (alongM > 1 && alongM * 64 > p.m)
    alongM /= 2;
  const double n = p.n / (groups / alongM), steps = p.k * p.bytes / 32;
  const double instruction = larger(n / 2, 19 + 0.15 * n);
  const double busy = groups > 1 ? 0.77 : 0.5; // alone, a group's waits are nobody's gain
  // Without a producer, copies wait for all warps.
  return p.m / 64 * (groups / alongM) * steps * instruction / (w->isShared ? 0.75 * busy : busy);
}

/// Three warp groups have their rows in one piece.
static double rowsOfPiece(const TileCostWalk *w, double rows) {
  return tileIsPowerOfTwo(w->in->numWarps) ? pieceOf(rows) : rows;
}

static double costOfGroups(const TileCostWalk *w, Product p) {
  // Each iteration waits for several products, which shows where the chip's power is not what limits them.
  const bool waits = rowsOfPiece(w, p.m) < p.m || pieceOf(p.n) < p.n;
  double sum = 0;
  for (double m = p.m; m > 0; m -= rowsOfPiece(w, m))
    for (double n = p.n; n > 0; n -= pieceOf(n))
      sum += costOfPiece(w, (Product){rowsOfPiece(w, m), pieceOf(n), p.k, p.bytes});
  return waits && p.bytes != 2 ? sum / 0.89 : sum;
}

/// Products a cycle of mma.sync and its kin, of 16-bit elements.
static double rateOf(const TileTargetInfo *target) {
  if (!target->numMatrixInstrs)
    return 128;
  return target->vendor == TileVendor_AMD ? 1024 : tileTargetHas(target, TileFeature_WGMMA) ? 1300 : 1024;
}

double tileCostOfProduct(const TileCostWalk *w, MlirOperation op) {
  const Product p = productOf(w, op);
  const TileTargetInfo *target = w->in->target;
  if (tileTargetHas(target, TileFeature_WGMMA) && (int64_t)p.m % 64 == 0 && w->in->numWarps % 4 == 0 &&
      p.bytes <= 4)
    return costOfGroups(w, p);
  const double few = w->in->numWarps < 4 ? w->in->numWarps / 4.0 : 1;
  const double waste = p.m < 16 ? p.m / 16 : 1;
  return paddedOf(p.m) * paddedOf(p.n) * paddedOf(p.k) * p.bytes / 2 / (rateOf(target) * few * waste);
}
