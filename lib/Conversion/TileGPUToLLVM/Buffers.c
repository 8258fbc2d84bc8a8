/* Buffers.c - buffers in shared memory and views of them: a base pointer each, and a constant offset. */
#include "Buffers.h"
#include "tile-c/Dialect/TileGPU.h"

static MlirValue emitByteOffset(TileLowering *l, MlirValue base, MlirValue bytes) {
  return tileEmitSharedElement(l, base, mlirIntegerTypeGet(l->context, 8), bytes);
}

/* Where a view begins in its buffer: the slices between the two, combined. */
static int64_t startOf(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_Trans:
    return startOf(mlirOperationGetOperand(op, 0));
  case TileOp_TileGPU_Slice: {
    MlirValue source = mlirOperationGetOperand(op, 0);
    MlirAttribute offsets = tileGPUSliceOpGetOffsetsAttr(tileGPUSliceOpCast(op));
    int64_t coords[TileLayout_MaxRank];
    TileMemDesc desc;
    if (!tileMemDescOf(mlirValueGetType(source), &desc))
      return 0;
    for (int32_t d = 0; d < desc.rank; ++d)
      coords[d] = mlirDenseI64ArrayGetElement(offsets, d);
    return startOf(source) ^ tileMemDescOffset(&desc, coords);
  }
  default:
    return 0;
  }
}

bool tileBufferViewOf(TileLowering *l, MlirValue v, TileBufferView *out) {
  if (!tileMemDescOf(mlirValueGetType(v), &out->desc) || out->desc.numBufferDims)
    return false;
  TileRegisters r = tileRegistersOf(l, v);
  out->base = r.count ? r.values[0] : (MlirValue){NULL};
  out->start = startOf(v);
  return out->base.ptr != NULL;
}

int64_t tileBufferAlignedWidth(const TileBufferView *view, int64_t width) {
  while (width > 1 && view->start % width)
    width /= 2;
  return width;
}

/* What padding adds to an offset. Parts of an offset that share no bit can be padded one by one. */
static MlirValue emitPadded(TileLowering *l, const TileSharedLayout *shared, MlirValue offset) {
  if (!shared->padInterval)
    return offset;
  MlirValue rows = tileEmit2(l, TileOp_LLVM_LShr, offset,
                             tileEmitI32(l, __builtin_ctzll((unsigned long long)shared->padInterval)));
  return tileEmit2(l, TileOp_LLVM_Add, offset,
                   tileEmit2(l, TileOp_LLVM_Mul, rows, tileEmitI32(l, shared->padAmount)));
}

TileBufferAddress tileBufferAddress(TileLowering *l, const TileBufferView *view, const TileLayout *toOffset) {
  TileBuilder body = l->b;
  TileBufferAddress a = {.view = *view, .toOffset = *toOffset};
  MlirType element = tileElementTypeToMlir(l->context, view->desc.element);
  a.memory = tileMemoryType(l, tileLowerElementType(l, element));
  l->b = l->prologue;
  a.thread = tileEmitThreadPart(l, toOffset, TileLayoutDim_Offset);
  l->b = body;
  return a;
}

/* Bits that thread and register share are combined by XOR, once in front of the body; the others are added as
 * a constant, which the access's offset field takes. */
MlirValue tileEmitBufferAddress(TileLowering *l, const TileBufferAddress *a, uint32_t reg) {
  const TileSharedLayout *shared = &a->view.desc.layout;
  uint32_t mask = tileThreadMask(&a->toOffset, TileLayoutDim_Offset);
  uint32_t constant =
      tileRegisterPart(&a->toOffset, (int)reg, TileLayoutDim_Offset) ^ (uint32_t)a->view.start;
  int64_t rest = tileSharedPhysicalOffset(shared, constant & ~mask) * a->view.desc.elementBytes;
  MlirValue address = a->view.base;
  if (mask) {
    TileBuilder body = l->b;
    MlirValue offset = a->thread;
    l->b = l->prologue;
    if (constant & mask)
      offset = tileEmit2(l, TileOp_LLVM_XOr, offset, tileEmitI32(l, constant & mask));
    offset = emitPadded(l, shared, offset);
    if (a->view.desc.elementBytes > 1)
      offset = tileEmit2(l, TileOp_LLVM_Mul, offset, tileEmitI32(l, a->view.desc.elementBytes));
    l->b = body;
    address = emitByteOffset(l, address, offset);
  }
  return rest ? tileEmitSharedOffset(l, address, rest) : address;
}

MlirLogicalResult tileLowerAlloc(TileLowering *l, MlirOperation op) {
  MlirAttribute offset = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.offset"));
  TileGPUAllocOp alloc = tileGPUAllocOpCast(op);
  MlirValue init = tileGPUAllocOpGetInit(alloc), result = tileGPUAllocOpGetResult(alloc);
  if (!offset.ptr)
    return tileEmitOpError(op, "has no place in shared memory, expected 'tile_gpu.offset' (run "
                               "tile-gpu-allocate-shared before)");
  tileBindOne(l, result, tileEmitSharedPointer(l, tileIntegerAttrValue(offset)));
  return init.ptr ? tileEmitLocalStore(l, op, init, result) : tileSuccess();
}

/* (index + rotate) modulo count. */
static MlirValue emitRotated(TileLowering *l, MlirValue index, int64_t rotate, int64_t count) {
  int64_t known;
  if (tileLLVMConstant(index, &known))
    return tileEmitI32(l, (known + rotate) % count);
  if (!rotate)
    return index;
  MlirValue wraps = tileEmitICmp(l, LLVMICmpPredicate_sge, index, tileEmitI32(l, count - rotate));
  MlirValue by = tileEmitSelect(l, wraps, tileEmitI32(l, rotate - count), tileEmitI32(l, rotate));
  return tileEmit2(l, TileOp_LLVM_Add, index, by);
}

MlirLogicalResult tileLowerIndex(TileLowering *l, MlirOperation op) {
  TileGPUIndexOp o = tileGPUIndexOpCast(op);
  MlirValue source = tileGPUIndexOpGetSource(o), result = tileGPUIndexOpGetResult(o);
  MlirType type = mlirValueGetType(source);
  TileMemDesc desc, rest;
  int64_t known;
  if (!tileMemDescOf(type, &desc) || !tileMemDescOf(mlirValueGetType(result), &rest))
    return TILE_BUG(op, "a view of no buffer");
  MlirValue index = emitRotated(l, tileRegistersOf(l, tileGPUIndexOpGetIndex(o)).values[0],
                                tileGPUIndexOpGetRotate(o), tileGPUMemDescTypeGetShape(type, 0));
  MlirValue base = tileRegistersOf(l, source).values[0];
  int64_t stride = desc.stride * rest.numBuffers;
  if (tileLLVMConstant(index, &known))
    base = tileEmitSharedOffset(l, base, known * stride);
  else
    base = emitByteOffset(l, base, tileEmit2(l, TileOp_LLVM_Mul, index, tileEmitI32(l, stride)));
  tileBindOne(l, result, base);
  return tileSuccess();
}

MlirLogicalResult tileLowerPart(TileLowering *l, MlirOperation op) {
  TileGPUPartOp part = tileGPUPartOpCast(op);
  MlirValue source = tileGPUPartOpGetSource(part);
  TileMemDesc desc;
  if (!tileMemDescOf(mlirValueGetType(source), &desc))
    return TILE_BUG(op, "a view of no buffer");
  tileBindOne(l, tileGPUPartOpGetResult(part),
              tileEmitSharedOffset(l, tileRegistersOf(l, source).values[0],
                                   tileGPUPartOpGetFirst(part) * desc.stride));
  return tileSuccess();
}

MlirLogicalResult tileLowerAdvance(TileLowering *l, MlirOperation op) {
  TileGPUAdvanceOp o = tileGPUAdvanceOpCast(op);
  MlirValue index = tileRegistersOf(l, tileGPUAdvanceOpGetIndex(o)).values[0];
  MlirValue next = tileEmit2(l, TileOp_LLVM_Add, index, tileEmitI32(l, 1));
  MlirValue wraps = tileEmitICmp(l, LLVMICmpPredicate_eq, next, tileEmitI32(l, tileGPUAdvanceOpGetCount(o)));
  tileBindOne(l, tileGPUAdvanceOpGetResult(o), tileEmitSelect(l, wraps, tileEmitI32(l, 0), next));
  return tileSuccess();
}

/* Slices and transposed views begin where their buffer does; startOf knows the rest. */
MlirLogicalResult tileLowerView(TileLowering *l, MlirOperation op) {
  tileBind(l, mlirOperationGetResult(op, 0), tileRegistersOf(l, mlirOperationGetOperand(op, 0)));
  return tileSuccess();
}
