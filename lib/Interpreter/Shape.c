/* Shape.c - ops that move elements without computing: ranges, splat, broadcast, transposition, join, split,
 * cat, gather, histogram. Those that keep the row-major order share storage with their operand. */
#include "Decode.h"
#include "tile-c/Dialect/Tile.h"

static bool runMakeRange(Machine *m, const Instruction *i) {
  Slot *result = i->results[0];
  for (int64_t e = 0; e < result->count; ++e)
    ((int32_t *)result->data)[e] = (int32_t)(i->parameter + e);
  return true;
}

bool interpDecodeMakeRange(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runMakeRange);
  if (!i)
    return false;
  i->parameter = (int)tileMakeRangeOpGetStart(tileMakeRangeOpCast(op));
  return true;
}

static bool runSplat(Machine *m, const Instruction *i) {
  Slot *result = i->results[0];
  interpCopyElements(result->data, 1, i->operands[0]->data, 0, result->count, result->size);
  return true;
}

bool interpDecodeSplat(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runSplat);
  if (!i)
    return false;
  interpMergeOrigins(d, i->results[0], i->operands[0]);
  return true;
}

/// reshape, expand_dims, unsplat: the same elements in the same order.
bool interpDecodeSameOrder(Decoder *d, MlirOperation op) {
  const Slot *source = interpUse(d, op, mlirOperationGetOperand(op, 0));
  if (!source)
    return false;
  MlirValue result = mlirOperationGetResult(op, 0);
  Slot *slot = interpAliasSlot(d, op, mlirValueGetType(result), source);
  if (!slot)
    return false;
  interpBind(d, result, slot);
  return true;
}

// ---- Strided views ----

/// The result in row-major order, each dimension with the source's stride; adjacent dimensions that one
/// stride describes are merged.
typedef struct View {
  int rank;
  int64_t shape[MAX_RANK], strides[MAX_RANK];
} View;

static void addDimension(View *v, int64_t extent, int64_t stride) {
  if (extent == 1)
    return;
  if (v->rank && v->strides[v->rank - 1] == stride * extent) {
    v->shape[v->rank - 1] *= extent;
    v->strides[v->rank - 1] = stride;
    return;
  }
  v->shape[v->rank] = extent;
  v->strides[v->rank++] = stride;
}

static void rowMajorStrides(const Slot *slot, int64_t *strides) {
  int64_t stride = 1;
  for (int dim = slot->rank; dim-- > 0; stride *= slot->shape[dim])
    strides[dim] = stride;
}

static bool runView(Machine *m, const Instruction *i) {
  const View *v = i->data;
  const Slot *source = i->operands[0];
  Slot *result = i->results[0];
  int inner = v->rank - 1;
  int64_t index[MAX_RANK] = {0}, run = v->rank ? v->shape[inner] : 1,
          stride = v->rank ? v->strides[inner] : 1;
  char *to = result->data;
  int64_t offset = 0;
  for (;;) {
    interpCopyElements(to, 1, source->data + offset * (int64_t)source->size, stride, run, result->size);
    to += run * (int64_t)result->size;
    int dim = inner - 1;
    for (; dim >= 0; --dim) { // the odometer of the outer dimensions
      offset += v->strides[dim];
      if (++index[dim] < v->shape[dim])
        break;
      offset -= v->strides[dim] * v->shape[dim];
      index[dim] = 0;
    }
    if (dim < 0)
      return true;
  }
}

static Instruction *emitView(Decoder *d, MlirOperation op, View **out_view) {
  Instruction *i = interpEmitOp(d, op, runView);
  if (!i)
    return NULL;
  interpMergeOrigins(d, i->results[0], i->operands[0]);
  i->data = *out_view = tileArenaAlloc(&d->arena, 1, sizeof(View));
  return i;
}

bool interpDecodeBroadcast(Decoder *d, MlirOperation op) {
  View *view;
  Instruction *i = emitView(d, op, &view);
  if (!i)
    return false;
  const Slot *source = i->operands[0], *result = i->results[0];
  int64_t strides[MAX_RANK];
  rowMajorStrides(source, strides);
  for (int dim = 0; dim < result->rank; ++dim)
    addDimension(view, result->shape[dim], source->shape[dim] == 1 ? 0 : strides[dim]);
  return true;
}

bool interpDecodeTrans(Decoder *d, MlirOperation op) {
  View *view;
  Instruction *i = emitView(d, op, &view);
  if (!i)
    return false;
  int64_t strides[MAX_RANK];
  rowMajorStrides(i->operands[0], strides);
  TileTransOp trans = tileTransOpCast(op);
  for (int dim = 0; dim < i->results[0]->rank; ++dim)
    addDimension(view, i->results[0]->shape[dim], strides[tileTransOpGetOrder(trans, dim)]);
  return true;
}

// ---- Two tensors, one tensor ----

static bool runJoin(Machine *m, const Instruction *i) {
  Slot *result = i->results[0];
  for (int k = 0; k < 2; ++k)
    interpCopyElements(result->data + k * (int64_t)result->size, 2, i->operands[k]->data, 1,
                       result->count / 2, result->size);
  return true;
}

static bool runSplit(Machine *m, const Instruction *i) {
  const Slot *source = i->operands[0];
  for (int k = 0; k < 2; ++k)
    interpCopyElements(i->results[k]->data, 1, source->data + k * (int64_t)source->size, 2, source->count / 2,
                       source->size);
  return true;
}

static bool runCat(Machine *m, const Instruction *i) {
  const Slot *a = i->operands[0], *b = i->operands[1];
  memcpy(i->results[0]->data, a->data, (size_t)a->count * a->size);
  memcpy(i->results[0]->data + a->count * (int64_t)a->size, b->data, (size_t)b->count * b->size);
  return true;
}

static bool decodeMerging(Decoder *d, MlirOperation op, Execute execute) {
  Instruction *i = interpEmitOp(d, op, execute);
  if (!i)
    return false;
  for (int r = 0; r < i->numResults; ++r)
    for (int o = 0; o < i->numOperands; ++o)
      interpMergeOrigins(d, i->results[r], i->operands[o]);
  return true;
}

bool interpDecodeJoin(Decoder *d, MlirOperation op) { return decodeMerging(d, op, runJoin); }
bool interpDecodeSplit(Decoder *d, MlirOperation op) { return decodeMerging(d, op, runSplit); }
bool interpDecodeCat(Decoder *d, MlirOperation op) { return decodeMerging(d, op, runCat); }

// ---- By index ----

/// Shapes are [outer, axis, inner]; an index outside the axis gives zero.
static bool runGather(Machine *m, const Instruction *i) {
  const Slot *source = i->operands[0], *indices = i->operands[1];
  Slot *result = i->results[0];
  int axis = i->parameter;
  int64_t inner = 1, extent = source->shape[axis], steps = indices->shape[axis];
  for (int dim = axis + 1; dim < source->rank; ++dim)
    inner *= source->shape[dim];
  for (int64_t e = 0; e < result->count; ++e) {
    int64_t index = tileIntLoad(indices->type, indices->data, e), outer = e / inner / steps;
    char *to = result->data + e * (int64_t)result->size;
    if (index < 0 || index >= extent)
      memset(to, 0, result->size);
    else
      memcpy(to, source->data + ((outer * extent + index) * inner + e % inner) * (int64_t)source->size,
             source->size);
  }
  return true;
}

bool interpDecodeGather(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runGather);
  if (!i)
    return false;
  interpMergeOrigins(d, i->results[0], i->operands[0]);
  i->parameter = (int)tileGatherOpGetAxis(tileGatherOpCast(op));
  return true;
}

static bool runHistogram(Machine *m, const Instruction *i) {
  const Slot *source = i->operands[0], *mask = i->numOperands > 1 ? i->operands[1] : NULL;
  Slot *result = i->results[0];
  unsigned bits = tileElementTypeBits(source->type);
  memset(result->data, 0, (size_t)result->count * result->size);
  for (int64_t e = 0; e < source->count; ++e) {
    uint64_t bin = tileUnsigned(tileIntLoad(source->type, source->data, e), bits);
    if (bin < (uint64_t)result->count && (!mask || mask->data[e]))
      tileIntStore(result->type, result->data, (int64_t)bin,
                   tileIntLoad(result->type, result->data, (int64_t)bin) + 1);
  }
  return true;
}

bool interpDecodeHistogram(Decoder *d, MlirOperation op) { return interpEmitOp(d, op, runHistogram) != NULL; }
