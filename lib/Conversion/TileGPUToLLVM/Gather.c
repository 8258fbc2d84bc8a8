/* Gather.c - tile.gather through shared memory: the source is stored whole, then each thread loads the
 * elements that its indices name.
 *
 * An index outside the axis gives an undefined element but must not leave the scratch: sizes are powers of
 * two, so its low bits are taken. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Scratch.h"

/* One of the threads that hold copies of an element stores it. */
static void storeSource(TileLowering *l, const TileGatherPlan *plan, MlirValue base, TileRegisters in) {
  MlirValue owner = tileEmitOwnerPredicate(l, &plan->source);
  if (!owner.ptr) {
    tileEmitSharedStores(l, &plan->store, plan->kept, base, in);
    return;
  }
  MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, owner, store, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, store);
  tileEmitSharedStores(l, &plan->store, plan->kept, base, in);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

/* An index of any integer type as i32, within the axis. */
static MlirValue clampIndex(TileLowering *l, MlirValue index, int64_t extent) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  unsigned bits = tileTypeBits(mlirValueGetType(index));
  if (bits < 32)
    index = tileEmit1(l, TileOp_LLVM_ZExt, i32, index);
  else if (bits > 32)
    index = tileEmit1(l, TileOp_LLVM_Trunc, i32, index);
  return tileEmit2(l, TileOp_LLVM_And, index, tileEmitI32(l, extent - 1));
}

/* Where in the scratch the element of result register `reg` lies. */
static MlirValue sourceOffset(TileLowering *l, const TileGatherPlan *plan, MlirAttribute encoding, int axis,
                              int reg, MlirValue index) {
  MlirValue sum = {NULL};
  for (int i = 0; i < plan->source.rank; ++i) {
    int d = plan->order[i];
    if (plan->source.shape[d] == 1)
      continue;
    MlirValue c = d == axis ? clampIndex(l, index, plan->source.shape[d])
                            : tileEmitCoordinate(l, encoding, &plan->result, reg, d);
    if (plan->strides[d] > 1)
      c = tileEmit2(l, TileOp_LLVM_Mul, c, tileEmitI32(l, plan->strides[d]));
    sum = sum.ptr ? tileEmit2(l, TileOp_LLVM_Add, sum, c) : c;
  }
  return sum.ptr ? sum : tileEmitI32(l, 0);
}

MlirLogicalResult tileLowerGather(TileLowering *l, MlirOperation op) {
  TileGatherOp gather = tileGatherOpCast(op);
  MlirValue result = tileGatherOpGetResult(gather);
  TileGatherPlan plan;
  if (!tileGatherPlan(op, l->target, &plan))
    return tileFailure();
  TileRegisters in = tileRegistersOf(l, tileGatherOpGetSrc(gather)),
                indices = tileRegistersOf(l, tileGatherOpGetIndices(gather));
  tileEmitScratchBarrier(l, op);
  MlirValue base = tileEmitSharedPointer(l, tileScratchOffset(op));
  storeSource(l, &plan, base, in);
  l->hooks->barrier(l);
  MlirType type = tileLowerElementType(l, mlirValueGetType(result)), memory = tileMemoryType(l, type);
  MlirAttribute encoding = tileTypeGetEncoding(mlirValueGetType(result));
  uint32_t copies = tileLayoutZeroMask(&plan.result, TileLayoutDim_Register);
  TileRegisters out = tileNewRegisters(l, indices.count);
  for (intptr_t i = 0; i < out.count; ++i) {
    if ((uint32_t)i & copies) { /* the same element as a register before */
      out.values[i] = out.values[(uint32_t)i & ~copies];
      continue;
    }
    MlirValue offset =
        sourceOffset(l, &plan, encoding, (int)tileGatherOpGetAxis(gather), (int)i, indices.values[i]);
    TileAccess from = {.pointer = tileEmitSharedElement(l, base, memory, offset),
                       .element = memory,
                       .width = 1,
                       .alignment = plan.elementBits / 8};
    MlirValue v;
    tileEmitPlainLoad(l, &from, &v);
    out.values[i] = tileFromMemory(l, v, type);
  }
  tileBind(l, result, out);
  return tileSuccess();
}
