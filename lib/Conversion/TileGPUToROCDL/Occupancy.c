/* Occupancy.c - how many waves of a kernel with products shall share a SIMD (CDNA).
 *
 * A SIMD has 512 registers a lane: with up to 128 of them four waves share it, and of kernels of eight waves a second group shares the
 * compute unit, which hides what one group waits for at its barriers. LLVM's scheduler stops a few registers above where it would
 * do, unless it is told. It is told where accumulators, staged loads and fragments of the loop leave it room enough, so that it need
 * not spill, where none of these is put together from parts or widened by hand, and where shared memory holds as many groups. */
#include "Occupancy.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"

enum { WAVES = 4, SIMDS = 4, REGISTERS = 128, OTHERS = 20, FEWEST = 84 };

typedef struct Sum {
  const TileTargetInfo *target;
  int64_t words;
  bool multiplies,
      needsMore; ///< registers for other things: elements put together on their way, sums that are computed with
} Sum;

/* Whether a thread's runs in a buffer are shorter than 8 bytes. */
static bool isNarrow(MlirType tensor, MlirType buffer) {
  enum { LEAST = 64, MOST = 128 };
  TileLayout layout;
  TileMemDesc desc;
  TileSharedAccess access;
  if (!tileLayoutOfType(tensor, &layout) || !tileMemDescOf(buffer, &desc))
    return true;
  int32_t bits = 8 * desc.elementBytes;
  return tileSharedAccessOf(&layout, &desc.layout, bits, MOST, &access) &&
         bits << access.vector.elementBits < LEAST;
}

static void add(Sum *sum, MlirType tensor, MlirType buffer) {
  sum->words += tileRegisterWords(tensor);
  sum->needsMore |= isNarrow(tensor, buffer);
}

/* Whether a sum is only handed on, to another product or iteration. */
static bool isSumAlone(MlirValue sum) {
  for (MlirOpOperand use = mlirValueGetFirstUse(sum); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    TileOpKind user = tileOpKind(mlirOpOperandGetOwner(use));
    if (user != TileOp_SCF_Yield && (user != TileOp_TileGPU_Mma || mlirOpOperandGetOperandNumber(use) != 2))
      return false;
  }
  return true;
}

/* Whether an op widens 8-bit floats in a format that the chip has no conversion for: a dozen instructions for four of them. */
static bool widensByHand(const TileTargetInfo *target, MlirOperation op) {
  TileElementType from = tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  bool isFnuz = from == TileElementType_F8E4M3FNUZ || from == TileElementType_F8E5M2FNUZ;
  return from >= TileElementType_F8E4M3FN && from != TileElementType_F8E5M2 &&
         !(tileTargetHas(target, TileFeature_Fp8Convert) &&
           target->fp8Format == (isFnuz ? TileFp8Format_FNUZ : TileFp8Format_OCP));
}

static MlirWalkResult addWords(MlirOperation op, void *user) {
  Sum *sum = user;
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_LocalLoad:
    add(sum, mlirValueGetType(mlirOperationGetResult(op, 0)),
        mlirValueGetType(mlirOperationGetOperand(op, 0)));
    break;
  case TileOp_TileGPU_LocalStore:
    add(sum, mlirValueGetType(mlirOperationGetOperand(op, 0)),
        mlirValueGetType(mlirOperationGetOperand(op, 1)));
    break;
  case TileOp_Tile_FpToFp:
    sum->needsMore |= widensByHand(sum->target, op);
    break;
  case TileOp_TileGPU_Mma:
    sum->needsMore |= !isSumAlone(mlirOperationGetResult(op, 0));
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

/* What a loop holds: its accumulators, and everything that passes between buffers and registers in an iteration; too much if that needs
 * more registers on its way. */
static int64_t wordsOfLoop(const TileTargetInfo *target, MlirOperation loop) {
  Sum sum = {.target = target};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop); ++i) {
    MlirValue next = mlirOperationGetOperand(
        mlirBlockGetTerminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0))), i);
    MlirOperation def = tileValueGetDefiningOp(next);
    if (!def.ptr || tileOpKind(def) != TileOp_TileGPU_Mma)
      continue;
    sum.multiplies = true;
    sum.words += tileRegisterWords(mlirValueGetType(next));
  }
  if (sum.multiplies)
    mlirOperationWalk(loop, addWords, &sum, MlirWalkPreOrder);
  return sum.needsMore ? REGISTERS : sum.words;
}

typedef struct Most {
  const TileTargetInfo *target;
  int64_t words;
} Most;

static MlirWalkResult findMost(MlirOperation op, void *user) {
  Most *most = user;
  int64_t words = tileOpKind(op) == TileOp_SCF_For ? wordsOfLoop(most->target, op) : 0;
  most->words = words > most->words ? words : most->words;
  return MlirWalkResultAdvance;
}

int tileAmdWantedWaves(MlirOperation module) {
  TileModuleTarget target;
  if (tileFailed(tileModuleTargetRead(module, &target)) || !tileTargetHas(&target.info, TileFeature_AGPR))
    return 0;
  Most most = {.target = &target.info};
  mlirOperationWalk(module, findMost, &most, MlirWalkPreOrder);
  int64_t groups = WAVES * SIMDS / target.numWarps, shared = tileGetIntAttr(module, "tile_gpu.shared", 0);
  bool fits = most.words >= FEWEST && most.words + OTHERS <= REGISTERS;
  return fits && groups > 1 && groups * shared <= target.info.sharedPerMultiprocessor ? WAVES : 0;
}
