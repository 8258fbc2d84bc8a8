/* TileGPUVerifyMemory.c - verifiers of buffers in shared memory, views and copies. */
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Support/Bits.h"

static MlirType typeOf(MlirValue v) { return mlirValueGetType(v); }

static intptr_t rankOf(MlirType desc) { return tileGPUMemDescTypeGetNumShape(desc); }

/* The shape of `tensor` is the buffer's, and so is its element type. */
static MlirLogicalResult verifyTensor(MlirOperation op, MlirType tensor, MlirType element, MlirType desc) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(tensor, shape, TileLayout_MaxRank);
  if (rank != rankOf(desc))
    return tileEmitOpError(op, "got a tensor of rank %d, expected the buffer's %ld", rank,
                           (long)rankOf(desc));
  for (int d = 0; d < rank; ++d)
    if (shape[d] != tileGPUMemDescTypeGetShape(desc, d))
      return tileEmitOpError(op, "got size %lld in dimension %d of the tensor, expected the buffer's %lld",
                             (long long)shape[d], d, (long long)tileGPUMemDescTypeGetShape(desc, d));
  if (!mlirTypeEqual(element, tileGPUMemDescTypeGetElementType(desc)))
    return tileEmitOpError(op, "got a tensor of elements that differ from the buffer's");
  return tileSuccess();
}

static MlirLogicalResult verifyValue(MlirOperation op, MlirValue tensor, MlirType desc) {
  return verifyTensor(op, typeOf(tensor), tileTypeGetElement(typeOf(tensor)), desc);
}

MlirLogicalResult tileGPUAllocOpVerify(TileGPUAllocOp o) {
  MlirType desc = typeOf(tileGPUAllocOpGetResult(o));
  MlirValue init = tileGPUAllocOpGetInit(o);
  TileMemDesc d;
  if (!tileMemDescOf(desc, &d) || tileMemDescIsPart(&d))
    return tileEmitOpError(o.op, "got a part of what the layout spans, expected a whole buffer");
  return init.ptr ? verifyValue(o.op, init, desc) : tileSuccess();
}

/* Element type and layout stay. */
static MlirLogicalResult verifyView(MlirOperation op, MlirType from, MlirType to, bool sameLayout) {
  if (!mlirTypeEqual(tileGPUMemDescTypeGetElementType(from), tileGPUMemDescTypeGetElementType(to)))
    return tileEmitOpError(op, "got a view of other elements, expected the buffer's");
  if (sameLayout && !mlirAttributeEqual(tileGPUMemDescTypeGetLayout(from), tileGPUMemDescTypeGetLayout(to)))
    return tileEmitOpError(op, "got a view of another layout, expected the buffer's");
  return tileSuccess();
}

MlirLogicalResult tileGPUIndexOpVerify(TileGPUIndexOp o) {
  MlirType from = typeOf(tileGPUIndexOpGetSource(o)), to = typeOf(tileGPUIndexOpGetResult(o));
  TileMemDesc d;
  TILE_TRY(verifyView(o.op, from, to, true));
  if (!tileMemDescOf(from, &d) || d.numBufferDims < 1)
    return tileEmitOpError(o.op, "got a single buffer, expected a leading dimension of buffers");
  int64_t count = tileGPUMemDescTypeGetShape(from, 0), rotate = tileGPUIndexOpGetRotate(o);
  if (rotate < 0 || rotate >= count)
    return tileEmitOpError(o.op, "got rotate = %lld, expected 0 to %lld", (long long)rotate,
                           (long long)count - 1);
  bool same = rankOf(to) == rankOf(from) - 1;
  for (intptr_t i = 0; same && i < rankOf(to); ++i)
    same = tileGPUMemDescTypeGetShape(to, i) == tileGPUMemDescTypeGetShape(from, i + 1);
  return same
             ? tileSuccess()
             : tileEmitOpError(o.op, "got a result of another shape, expected the source's without its first "
                                     "dimension");
}

MlirLogicalResult tileGPUAdvanceOpVerify(TileGPUAdvanceOp o) {
  int64_t count = tileGPUAdvanceOpGetCount(o);
  return count >= 1 ? tileSuccess()
                    : tileEmitOpError(o.op, "got %lld buffers, expected at least 1", (long long)count);
}

static int64_t offsetOf(MlirAttribute offsets, intptr_t i) { return mlirDenseI64ArrayGetElement(offsets, i); }

MlirLogicalResult tileGPUSliceOpVerify(TileGPUSliceOp o) {
  MlirType from = typeOf(tileGPUSliceOpGetSource(o)), to = typeOf(tileGPUSliceOpGetResult(o));
  MlirAttribute offsets = tileGPUSliceOpGetOffsetsAttr(o);
  TileMemDesc d;
  TILE_TRY(verifyView(o.op, from, to, true));
  if (!tileMemDescOf(from, &d) || d.numBufferDims)
    return tileEmitOpError(o.op, "got several buffers, expected one (tile_gpu.index before)");
  if (rankOf(to) != d.rank || mlirDenseArrayGetNumElements(offsets) != d.rank)
    return tileEmitOpError(o.op, "got a rank or a number of offsets that is not the source's, expected %d",
                           d.rank);
  for (intptr_t i = 0; i < d.rank; ++i) {
    int64_t size = tileGPUMemDescTypeGetShape(to, i), at = offsetOf(offsets, i);
    if (at < 0 || at % size || at + size > d.shape[i])
      return tileEmitOpError(o.op,
                             "got offset %lld in dimension %ld, expected a multiple of the size %lld that "
                             "ends within %lld",
                             (long long)at, (long)i, (long long)size, (long long)d.shape[i]);
  }
  return tileSuccess();
}

MlirLogicalResult tileGPUPartOpVerify(TileGPUPartOp o) {
  MlirType from = typeOf(tileGPUPartOpGetSource(o)), to = typeOf(tileGPUPartOpGetResult(o));
  const int64_t first = tileGPUPartOpGetFirst(o);
  TileMemDesc one, whole;
  TILE_TRY(verifyView(o.op, from, to, false));
  if (!tileMemDescOf(from, &one) || !tileMemDescOf(to, &whole) || one.numBufferDims != 1 ||
      whole.numBufferDims)
    return tileEmitOpError(o.op, "got other than an array of buffers and one buffer of it");
  if (!tileMemDescContinues(&one, &whole))
    return tileEmitOpError(o.op,
                           "got a layout that the buffers do not make, expected one with their bases first");
  const int64_t count = whole.stride / one.stride;
  return first >= 0 && first + count <= one.numBuffers
             ? tileSuccess()
             : tileEmitOpError(o.op, "got buffers %lld to %lld, expected them among %lld", (long long)first,
                               (long long)(first + count - 1), (long long)one.numBuffers);
}

MlirLogicalResult tileGPUTransOpVerify(TileGPUTransOp o) {
  MlirType from = typeOf(tileGPUTransOpGetSource(o)), to = typeOf(tileGPUTransOpGetResult(o));
  MlirAttribute order = tileGPUTransOpGetOrderAttr(o);
  TileMemDesc a, b;
  int32_t perm[TileLayout_MaxRank];
  uint32_t seen = 0;
  TILE_TRY(verifyView(o.op, from, to, false));
  if (!tileMemDescOf(from, &a) || !tileMemDescOf(to, &b) || a.numBufferDims || b.numBufferDims)
    return tileEmitOpError(o.op, "got several buffers, expected one (tile_gpu.index before)");
  if (b.rank != a.rank || mlirDenseArrayGetNumElements(order) != a.rank)
    return tileEmitOpError(o.op, "got a rank or an order that is not the source's, expected %d", a.rank);
  for (intptr_t i = 0; i < a.rank; ++i) {
    perm[i] = mlirDenseI32ArrayGetElement(order, i);
    if (perm[i] < 0 || perm[i] >= a.rank || seen >> perm[i] & 1)
      return tileEmitOpError(o.op, "got dimension %d in the order, expected each of 0 to %d once", perm[i],
                             a.rank - 1);
    seen |= 1u << perm[i];
    if (b.shape[i] != a.shape[perm[i]])
      return tileEmitOpError(o.op, "got size %lld in dimension %ld, expected %lld", (long long)b.shape[i],
                             (long)i, (long long)a.shape[perm[i]]);
  }
  TileSharedLayout expected = a.layout;
  if (!tileLayoutTranspose(&a.layout.map, perm, &expected.map) || !tileSharedEqual(&expected, &b.layout) ||
      a.alignment != b.alignment)
    return tileEmitOpError(o.op, "got a result of another layout, expected the source's in this order");
  return tileSuccess();
}

MlirLogicalResult tileGPULocalLoadOpVerify(TileGPULocalLoadOp o) {
  return verifyValue(o.op, tileGPULocalLoadOpGetResult(o), typeOf(tileGPULocalLoadOpGetSource(o)));
}

MlirLogicalResult tileGPUShiftedLoadOpVerify(TileGPUShiftedLoadOp o) {
  MlirType type = typeOf(tileGPUShiftedLoadOpGetSource(o));
  TileSharedLayout expected;
  TileMemDesc desc;
  int64_t columns;
  TILE_TRY(verifyValue(o.op, tileGPUShiftedLoadOpGetResult(o), type));
  if (!tileMemDescOf(type, &desc) || desc.rank != 2 ||
      !tileSharedApart(desc.shape, desc.elementBytes, tileGPUShiftedLoadOpGetApart(o), &expected, &columns) ||
      !tileSharedEqual(&expected, &desc.layout))
    return tileEmitOpError(o.op, "got a buffer in another layout than that of rows that are %lld apart",
                           (long long)tileGPUShiftedLoadOpGetApart(o));
  return tileSuccess();
}

MlirLogicalResult tileGPULocalStoreOpVerify(TileGPULocalStoreOp o) {
  return verifyValue(o.op, tileGPULocalStoreOpGetValue(o), typeOf(tileGPULocalStoreOpGetTarget(o)));
}

MlirLogicalResult tileGPUAsyncCopyOpVerify(TileGPUAsyncCopyOp o) {
  MlirType ptr = typeOf(tileGPUAsyncCopyOpGetPtr(o)), desc = typeOf(tileGPUAsyncCopyOpGetTarget(o));
  MlirValue mask = tileGPUAsyncCopyOpGetMask(o), other = tileGPUAsyncCopyOpGetOther(o);
  MlirType pointer = tileTypeGetElement(ptr);
  if (!tilePtrTypeIsA(pointer))
    return tileEmitOpError(o.op, "got elements that are no pointers, expected a tensor of pointers");
  TILE_TRY(verifyTensor(o.op, ptr, tilePtrTypeGetPointee(pointer), desc));
  MlirType i1 = mlirIntegerTypeGet(mlirOperationGetContext(o.op), 1);
  if (mask.ptr && !mlirTypeEqual(typeOf(mask), tileTypeWithElement(ptr, i1)))
    return tileEmitOpError(o.op,
                           "got a mask that does not fit, expected i1 in the pointers' shape and layout");
  if (!other.ptr)
    return tileSuccess();
  if (!mask.ptr)
    return tileEmitOpError(o.op, "got 'other' without a mask, expected both");
  if (!mlirTypeEqual(typeOf(other), tileTypeWithElement(ptr, tilePtrTypeGetPointee(pointer))))
    return tileEmitOpError(o.op, "got 'other' of another type, expected elements in the pointers' shape and "
                                 "layout");
  return tileSuccess();
}

MlirLogicalResult tileGPUAsyncWaitOpVerify(TileGPUAsyncWaitOp o) {
  int64_t pending = tileGPUAsyncWaitOpGetPending(o);
  return pending >= 0 && pending <= 64
             ? tileSuccess()
             : tileEmitOpError(o.op, "got %lld groups, expected 0 to 64", (long long)pending);
}
