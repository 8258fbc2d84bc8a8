/* CostProducts.c - cycles that matrix products take on a multiprocessor.
 *
 * wgmma: a warp group's m64 nN k32-bytes takes N / 2 cycles of the matrix units, or as long as shared memory needs for its
 * factors, 2048 + 32 N bytes at 128 a cycle (CUDA's H100 tuning guide; measured in docs/auto.md). */
#include "CostWalk.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/IR.h"
#include "tile-c/Support/Bits.h"

typedef struct Product {
  double m, n, k;
  unsigned bytes; ///< of an element
  bool alongK;    ///< the second factor lies along K in memory
} Product;

MlirValue tileCostSourceOf(MlirValue factor) {
  MlirOperation op = tileValueGetDefiningOp(factor);
  return op.ptr && tileOpKind(op) == TileOp_Tile_Trans ? mlirOperationGetOperand(op, 0) : factor;
}

static bool isLoaded(MlirValue factor) {
  MlirOperation op = tileValueGetDefiningOp(tileCostSourceOf(factor));
  return op.ptr && tileOpKind(op) == TileOp_Tile_DescLoad;
}

/// What the loop around says of a cluster's blocks.
static int64_t blocksAround(MlirOperation op, const char *attribute) {
  MlirOperation loop = mlirOperationGetParentOperation(op);
  const int64_t blocks = tileOpKind(loop) == TileOp_SCF_For ? tileGetIntAttr(loop, attribute, 1) : 1;
  return blocks > 1 ? blocks : 1;
}

bool tileCostIsTransposed(const TileCostWalk *w, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  const int64_t blocks = blocksAround(op, "tile.blocks"),
                columnBlocks = blocksAround(op, "tile.column_blocks");
  int64_t shape[2];
  return tileTargetHas(w->in->target, TileFeature_WGMMA) && w->in->numWarps % 4 == 0 &&
         tileTypeGetShape(mlirValueGetType(tileDotOpGetResult(dot)), shape, 2) == 2 &&
         shape[0] % blocks == 0 && shape[1] % columnBlocks == 0 &&
         tileWarpGroupSuitsTransposed(shape[0] / blocks, shape[1] / columnBlocks) &&
         isLoaded(tileDotOpGetA(dot)) && isLoaded(tileDotOpGetB(dot));
}

static Product productOf(const TileCostWalk *w, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  int64_t a[3] = {1, 1, 1}, c[3] = {1, 1, 1};
  const int rank = tileTypeGetShape(mlirValueGetType(tileDotOpGetA(dot)), a, 3);
  tileTypeGetShape(mlirValueGetType(tileDotOpGetResult(dot)), c, 3);
  const int at = rank == 3;
  const double batch = rank == 3 ? (double)c[0] : 1;
  const bool isTransposed = tileCostIsTransposed(w, op);
  const unsigned bytes = tileElementTypeSize(tileElementTypeOf(mlirValueGetType(tileDotOpGetA(dot))));
  MlirValue second = isTransposed ? tileDotOpGetA(dot) : tileDotOpGetB(dot);
  const bool isPart = rank == 2 && tileCostPart(w, mlirValueGetType(tileDotOpGetResult(dot))) < 1;
  return (Product){batch * (double)c[at + isTransposed] / (isPart ? w->needs.blocks : 1),
                   (double)c[at + !isTransposed] / (isPart ? w->needs.columnBlocks : 1), (double)a[at + 1],
                   bytes, (tileCostSourceOf(second).ptr == second.ptr) == isTransposed};
}

/// Cycles of an instruction at least, and for each column, that its factors need from shared memory; how busy the matrix units are with
/// several groups, or one: products that are waited for in the iteration, and one that stays open; the same in loops with tile.split;
/// of elements that are not of 16 bits, where an iteration has several products. All but the last fitted to two runs on an H200 (docs/auto.md).
static const double instructionCycles = 13.2, columnCycles = 0.360, busyGroups[2] = {1.29, 1.33},
                    busyGroup[2] = {0.51, 1.30}, sharedBusy = 0.79, waiting = 0.89;

/// What products take longer while all multiprocessors work: they share the chip's power and its cache.
static const double crowded = 0.62;

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

/// Warp groups along M, as far as there are 64 rows for each.
static double groupsAlongM(const TileCostWalk *w, double m) {
  double groups = w->in->numWarps / 4;
  while (groups > 1 && groups * 64 > m)
    groups /= 2;
  return groups;
}

/// Columns of an instruction: `n` of them for all groups.
static double costOfColumns(const TileCostWalk *w, const Product *p, double m, double n) {
  const double groups = w->in->numWarps / 4, alongM = groupsAlongM(w, m);
  const double own = n / (groups / alongM), steps = p->k * p->bytes / 32;
  return m / 64 * (groups / alongM) * steps * larger(own / 2, instructionCycles + columnCycles * own);
}

/// Three warp groups have their rows in one piece.
static double rowsOfPiece(const TileCostWalk *w, double rows) {
  return tileIsPowerOfTwo(w->in->numWarps) ? pieceOf(rows) : rows;
}

/// Columns that are one instruction's: powers of two, and those whose pieces lie behind each other in shared memory.
static double columnsOfPiece(const TileCostWalk *w, const Product *p, double m, double n) {
  const double row = 128 / p->bytes; // elements of a whole swizzled row
  if (groupsAlongM(w, m) < w->in->numWarps / 4 || p->bytes != 2)
    return pieceOf(n);
  return p->alongK || n < row ? (p->alongK ? n : pieceOf(n)) : row * (double)(int)(n / row);
}

static double costOfGroups(const TileCostWalk *w, Product p) {
  // Each iteration waits for several products, which shows where the chip's power is not what limits them.
  const bool waits = rowsOfPiece(w, p.m) < p.m || pieceOf(p.n) < p.n;
  const bool isOne = rowsOfPiece(w, p.m) == p.m && columnsOfPiece(w, &p, p.m, p.n) == p.n;
  double sum = 0;
  for (double m = p.m; m > 0; m -= rowsOfPiece(w, m))
    for (double n = p.n; n > 0; n -= columnsOfPiece(w, &p, rowsOfPiece(w, m), n))
      sum += costOfColumns(w, &p, rowsOfPiece(w, m), columnsOfPiece(w, &p, rowsOfPiece(w, m), n));
  // A group that is alone waits itself for what is not open while the next iteration starts; without a producer, copies wait for all.
  const double busy = (w->in->numWarps > 4 ? busyGroups : busyGroup)[isOne] * (w->isShared ? sharedBusy : 1);
  return (waits && p.bytes != 2 ? sum / waiting : sum) / busy * (1 + crowded * w->active);
}

/// Products of 16-bit elements that a multiprocessor does in a cycle without warp groups: the matrix units of an A100 and an MI300X do 1024
/// (their data sheets' dense rates over processors and clock), an H200's about 1300 of the 2048 that warp groups reach; without
/// matrix instructions, one of each of 128 lanes. Only the ratio to the other parts of the estimate matters.
static double rateOf(const TileTargetInfo *target) {
  enum { LANES = 128, UNITS = 1024, HOPPER = 1300 };
  if (!target->numMatrixInstrs)
    return LANES;
  return target->vendor != TileVendor_AMD && tileTargetHas(target, TileFeature_WGMMA) ? HOPPER : UNITS;
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
