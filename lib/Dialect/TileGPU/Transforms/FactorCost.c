/* FactorCost.c - bits that move between threads for a factor, with and without repeating what makes it. */
#include "FactorCost.h"
#include "FactorLoads.h"
#include "LayoutClasses.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Scratch.h"

bool tileLayoutIsFreeFor(MlirValue value, const TileLayout *wanted) {
  TileLayout from;
  TileConversion conversion;
  return tileLayoutOfType(mlirValueGetType(value), &from) &&
         tileLayoutConversion(&from, wanted, &conversion) && conversion.kind <= TileConversion_Register;
}

/* Producers that may be repeated for a factor: its conversion then works on what they take. */
static bool isCheapFactor(MlirOperation def) {
  return tileLayoutIsCheap(def) || tileOpKind(def) == TileOp_Tile_FpToFp ||
         tileOpKind(def) == TileOp_TileGPU_LocalLoad;
}

/* The dimension along which a thread holds neighbours; -1 if along none. */
static int runDim(const TileLayout *layout) {
  for (int d = 0; layout->bits[TileLayoutDim_Register] && d < layout->rank; ++d)
    if (layout->bases[TileLayoutDim_Register][0][d] == 1)
      return d;
  return -1;
}

/* Whether a thread holds neighbours along `dim`, whatever it holds along the others. */
static bool holdsPair(const TileLayout *layout, int dim) {
  for (int32_t bit = 0; bit < layout->bits[TileLayoutDim_Register]; ++bit)
    if (layout->bases[TileLayoutDim_Register][bit][dim] == 1)
      return true;
  return false;
}

bool tileIsReadByBytes(MlirType type, const TileLayout *wanted, const TileTargetInfo *target) {
  TileLayout from;
  return tileScratchElementBytes(type) == 1 && tileTargetHas(target, TileFeature_LdMatrix) &&
         tileLayoutOfType(type, &from) && runDim(&from) >= 0 && runDim(wanted) >= 0 &&
         runDim(&from) != runDim(wanted) && !holdsPair(wanted, runDim(&from));
}

/* Bits that move if `v` is converted; a byte that is read alone is as dear as a word. */
static double bitsOf(MlirValue v, const TileLayout *wanted, const TileTargetInfo *target) {
  MlirType type = mlirValueGetType(v);
  int bits = tileIsReadByBytes(type, wanted, target) ? 32 : 8 * tileScratchElementBytes(type);
  return (double)tileTypeNumElements(type) * bits;
}

typedef struct Costs {
  const TileTargetInfo *target;
  int numStages;
} Costs;

/* What it takes to have `v` in another layout: bits that move, and one for each operation on an element that
 * is repeated for it. */
static double movedBits(MlirValue v, const TileLayout *wanted, const Costs *c, int depth) {
  TileLayout operand;
  MlirType type = mlirValueGetType(v);
  MlirOperation def = tileValueGetDefiningOp(v);
  if (!tileTypeIsTensor(type) ||
      (def.ptr && (tileLayoutRole(def) == LayoutRole_Free || tileOpKind(def) == TileOp_TileGPU_LocalLoad ||
                   tileLoadWaitsInBuffer(c->target, c->numStages, def))) ||
      tileLayoutIsFreeFor(v, wanted))
    return 0;
  double bits = bitsOf(v, wanted, c->target), through = 0;
  if (!depth || !def.ptr || !isCheapFactor(def))
    return bits;
  bool shape = tileLayoutRole(def) == LayoutRole_Shape;
  if (shape && !tileLayoutCarryBack(def, wanted, &operand))
    return bits;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(def); ++i)
    through += movedBits(mlirOperationGetOperand(def, i), shape ? &operand : wanted, c, depth - 1);
  if (!shape)
    through += (double)tileTypeNumElements(type);
  return through < bits ? through : bits;
}

/* Where copies wait for cp.async anyway, a load goes with them, through shared memory. */
static bool isBesideBlocks(MlirOperation beside) {
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(beside)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_TmaAlloc)
      return true;
  return false;
}

bool tileIsReadAgain(MlirOperation def, MlirAttribute attr) {
  enum { Few = 4 };
  int64_t shape[2];
  int32_t kept[TileLayout_MaxBits];
  TileLayout layout, unique;
  if (tileOpKind(def) == TileOp_TileGPU_LocalLoad)
    return true;
  if (tileOpKind(def) != TileOp_Tile_Load || tileLoadOpGetIsVolatile(tileLoadOpCast(def)) ||
      tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(def, 0)), shape, 2) != 1 ||
      !tileLayoutFromAttr(attr, shape, 1, &layout) || !isBesideBlocks(def))
    return false;
  tileLayoutDropRedundantRegisters(&layout, &unique, kept);
  return 1 << unique.bits[TileLayoutDim_Register] <= Few;
}

MlirAttribute tileLayoutOfWarps(MlirContext context, MlirOperation load, int numWarps) {
  enum { Lanes = 32, Most = 128 };
  const MlirAttribute none = {NULL};
  int64_t shape[2];
  TileLayout layout;
  if (tileOpKind(load) != TileOp_Tile_Load || tileLoadOpGetIsVolatile(tileLoadOpCast(load)) ||
      tileTypeGetShape(mlirValueGetType(mlirOperationGetResult(load, 0)), shape, 2) != 1 ||
      shape[0] < Lanes || shape[0] > Most)
    return none;
  bool hasProducts = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(load)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    hasProducts |= tileOpKind(op) == TileOp_TileGPU_Wgmma;
  if (!hasProducts || !tileLayoutIdentity1D(1, TileLayoutDim_Register, 0, shape[0] / Lanes, &layout) ||
      !tileLayoutAppend(&layout, TileLayoutDim_Lane, 0, Lanes) ||
      !tileLayoutAppendZeros(&layout, TileLayoutDim_Warp, numWarps))
    return none;
  return tileLayoutToAttr(context, &layout);
}

bool tileFactorIsRepeated(MlirValue value, MlirAttribute layout, const TileTargetInfo *target,
                          int numStages) {
  enum { Depth = 6 };
  TileLayout wanted;
  int64_t shape[TileLayout_MaxRank];
  MlirType type = mlirValueGetType(value);
  MlirOperation def = tileValueGetDefiningOp(value);
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  if (!def.ptr || !tileLayoutFromAttr(layout, shape, rank, &wanted) || tileLayoutIsFreeFor(value, &wanted))
    return false;
  if (!isCheapFactor(def))
    return false;
  // Converting the operand of a shape op costs the same and leaves the load next to its conversion.
  const Costs costs = {target, numStages};
  return tileLayoutRole(def) == LayoutRole_Shape ||
         movedBits(value, &wanted, &costs, Depth) < bitsOf(value, &wanted, target);
}

static bool hasProducts(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_TileGPU_Wgmma || tileOpKind(op) == TileOp_TileGPU_Mma)
      return true;
  return false;
}

static bool isWithin(MlirValue v, MlirBlock block) {
  for (MlirBlock b = tileValueGetBlock(v); b.ptr;) {
    if (mlirBlockEqual(b, block))
      return true;
    MlirOperation parent = mlirBlockGetParentOperation(b);
    b = parent.ptr ? mlirOperationGetBlock(parent) : (MlirBlock){NULL};
  }
  return false;
}

/* Ops that compute `v` in the block from what comes from outside; more than `most` if something else than cheap ops does. */
static int countOps(MlirValue v, MlirBlock block, int most) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!tileTypeIsTensor(mlirValueGetType(v)) || !isWithin(v, block) ||
      (op.ptr && tileLayoutRole(op) == LayoutRole_Free))
    return 0;
  const TileOpKind kind = op.ptr ? tileOpKind(op) : TileOp_None;
  const bool divides = kind == TileOp_Arith_DivSI || kind == TileOp_Arith_DivUI ||
                       kind == TileOp_Arith_RemSI || kind == TileOp_Arith_RemUI;
  if (!op.ptr || most < 1 || divides || tileLayoutRole(op) != LayoutRole_Elementwise ||
      !tileLayoutIsCheap(op))
    return most + 1;
  int count = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && count <= most; ++i)
    count += countOps(mlirOperationGetOperand(op, i), block, most - count);
  return count;
}

bool tileVectorIsRepeated(MlirValue v, MlirAttribute attr) {
  enum { MostOps = 32, MostRegisters = 8 };
  int64_t shape[2];
  int32_t kept[TileLayout_MaxBits];
  TileLayout layout, unique;
  MlirType type = mlirValueGetType(v);
  MlirBlock block = tileValueGetBlock(v);
  if (tileTypeGetShape(type, shape, 2) != 1 || mlirTypeIsAFloat(tileTypeGetElement(type)) ||
      tileOpKind(mlirBlockGetParentOperation(block)) != TileOp_SCF_For || !hasProducts(block) ||
      !tileLayoutFromAttr(attr, shape, 1, &layout) || tileLayoutIsFreeFor(v, &layout))
    return false;
  tileLayoutDropRedundantRegisters(&layout, &unique, kept);
  return 1 << unique.bits[TileLayoutDim_Register] <= MostRegisters && countOps(v, block, MostOps) <= MostOps;
}

/* Whether a factor of a product in the value's block follows from it. */
static bool leadsToProduct(MlirValue v, MlirBlock block, int *budget) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), block) || --*budget < 0)
      continue;
    if (tileOpKind(user) == TileOp_TileGPU_Mma && mlirOpOperandGetOperandNumber(use) < 2)
      return true;
    const LayoutRole role = tileLayoutRole(user);
    if ((role == LayoutRole_Elementwise || role == LayoutRole_Shape) &&
        mlirOperationGetNumResults(user) == 1 &&
        leadsToProduct(mlirOperationGetResult(user, 0), block, budget))
      return true;
  }
  return false;
}

bool tileIsReadFromBuffer(MlirOperation load, const TileTargetInfo *target, int numStages) {
  int budget = 64;
  return tileOpKind(load) == TileOp_Tile_Load && tileLoadWaitsInBuffer(target, numStages, load) &&
         leadsToProduct(mlirOperationGetResult(load, 0), mlirOperationGetBlock(load), &budget);
}
