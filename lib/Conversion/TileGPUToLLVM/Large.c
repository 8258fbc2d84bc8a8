/* Large.c - tensors that a thread's registers cannot hold by far are compiled, with a warning at the largest: they live in
 * memory, their code is long, and LLVM's and ptxas's allocators need minutes for it. */
#include "Lowering.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"

enum { TOO_MANY_TIMES = 4 }; ///< what a thread has; reductions of as much still get by without spilling

typedef struct Largest {
  MlirOperation op;
  int64_t registers;
} Largest;

/// Constants and what is computed from places are made where they are used: only data counts.
static bool makesData(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Load:
  case TileOp_Tile_Scan:
  case TileOp_Tile_Dot:
  case TileOp_Tile_Gather:
  case TileOp_TileGPU_ConvertLayout:
    return true;
  default:
    return false;
  }
}

static MlirWalkResult compare(MlirOperation op, void *user) {
  Largest *largest = user;
  for (intptr_t i = 0; makesData(op) && i < mlirOperationGetNumResults(op); ++i) {
    int64_t registers = tileRegisterWords(mlirValueGetType(mlirOperationGetResult(op, i)));
    if (registers > largest->registers)
      *largest = (Largest){op, registers};
  }
  return MlirWalkResultAdvance;
}

void tileWarnOfLargeTensors(const TileLowering *l, MlirOperation function) {
  Largest largest = {.registers = TOO_MANY_TIMES * (int64_t)l->target->maxRegistersPerThread};
  mlirOperationWalk(function, compare, &largest, MlirWalkPreOrder);
  if (largest.op.ptr)
    tileEmitWarning(
        mlirOperationGetLocation(largest.op),
        "a tensor takes %lld registers of each of %d threads, and %s has %u: it lives in memory and may "
        "take minutes to compile; expected more warps, or a smaller tensor",
        (long long)largest.registers, l->numWarps * (int)l->target->warpSize, l->target->chip,
        l->target->maxRegistersPerThread);
}
