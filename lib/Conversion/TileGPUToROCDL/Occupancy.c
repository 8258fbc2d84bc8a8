/* Occupancy.c - how many waves of a kernel with products shall share a SIMD (CDNA).
 *
 * A SIMD has 512 registers a lane: with up to 128 of them four waves share it, and of kernels of eight waves a second group shares the
 * compute unit, which hides what one group waits for at its barriers. LLVM's scheduler stops a few registers above where it would
 * do, unless it is told. It is told where accumulators, staged loads and fragments of the loop leave it room enough, so that it need
 * not spill, where none of these is put together from parts or widened by hand, and where shared memory holds as many groups.
 *
 * With up to 256 registers two waves share a SIMD, two groups of four waves the compute unit: what is not in the main loop, or a branch in it,
 * takes a few more where nothing is said (attention with a mask, 264; products whose factors have edges on both sides, 260), which
 * costs half of the time. */
#include "Occupancy.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUModule.h"

enum { SIMDS = 4 };

/// Loops that only hand on what they load and sum up; all; those that compute with sums, as softmax does.
typedef enum Loops { Loops_Plain, Loops_All, Loops_Computing } Loops;

/// Waves that share a SIMD, how many registers each has then, how many of them are for other things than the loop's accumulators and
/// what passes between buffers and registers, and how many of these there are at least: with fewer LLVM comes there by itself.
typedef struct Sharing {
  int waves, registers, others, fewest;
  Loops loops;
} Sharing;

static const Sharing sharings[] = {
    {4, 128, 20, 84, Loops_Plain}, {2, 256, 32, 160, Loops_All}, {4, 128, 40, 40, Loops_Computing}};

typedef struct Sum {
  const TileTargetInfo *target;
  int64_t words;
  bool multiplies,
      needsMore, ///< registers for elements that are put together on their way, or widened
      computes;  ///< with sums, as softmax does
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
    sum->computes |= !isSumAlone(mlirOperationGetResult(op, 0));
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

/* What a loop holds: its accumulators, and everything that passes between buffers and registers in an iteration. */
static Sum sumOfLoop(const TileTargetInfo *target, MlirOperation loop) {
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
  return sum;
}

/* The most of any loop. */
static MlirWalkResult findMost(MlirOperation op, void *user) {
  Sum *most = user;
  if (tileOpKind(op) != TileOp_SCF_For)
    return MlirWalkResultAdvance;
  Sum sum = sumOfLoop(most->target, op);
  most->words = sum.words > most->words ? sum.words : most->words;
  most->needsMore |= sum.needsMore;
  most->computes |= sum.computes;
  return MlirWalkResultAdvance;
}

static bool isOf(const Sum *most, Loops loops) {
  return loops == Loops_All ||
         (loops == Loops_Computing ? most->computes : !most->computes && !most->needsMore);
}

static bool canShare(const TileModuleTarget *target, const Sum *most, int64_t shared, const Sharing *s) {
  int64_t groups = s->waves * SIMDS / target->numWarps;
  return groups > 1 && groups * shared <= target->info.sharedPerMultiprocessor && isOf(most, s->loops) &&
         most->words >= s->fewest && most->words + s->others <= s->registers;
}

int tileAmdWantedWaves(MlirOperation module) {
  TileModuleTarget target;
  if (tileFailed(tileModuleTargetRead(module, &target)) || !tileTargetHas(&target.info, TileFeature_AGPR))
    return 0;
  Sum most = {.target = &target.info};
  mlirOperationWalk(module, findMost, &most, MlirWalkPreOrder);
  int64_t shared = tileGetIntAttr(module, "tile_gpu.shared", 0);
  for (size_t i = 0; i < sizeof sharings / sizeof sharings[0]; ++i)
    if (canShare(&target, &most, shared, &sharings[i]))
      return sharings[i].waves;
  return 0;
}
