/* FactorSlices.c - what a factor of a product in a loop is computed of, slice by slice along K. */
#include "FactorSlices.h"
#include "RepeatedRows.h"
#include "SliceValues.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Layout.h"
#include "tile-c/OpKind.h"

/* How slices of a value can be had: not at all, of what is not read in the loop, or of slices of reads. */
typedef enum Slices { Slices_None, Slices_Known, Slices_Read } Slices;

static bool isInBody(const TileFactor *f, MlirOperation op) {
  return op.ptr && mlirOperationGetBlock(op).ptr == f->body.ptr;
}

static int findOp(const TileFactor *f, MlirOperation op) {
  for (int i = 0; i < f->numOps; ++i)
    if (f->ops[i].op.ptr == op.ptr)
      return i;
  return -1;
}

static bool addOp(TileFactor *f, MlirOperation op, int dim, MlirType type) {
  if (f->numOps == TILE_MOST_FACTOR_OPS)
    return false;
  f->ops[f->numOps].op = op;
  f->ops[f->numOps].dim = dim;
  f->ops[f->numOps++].type = type;
  return true;
}

/* local_load [of trans] of index, in the body; the index is carried. */
static Slices addRead(TileFactor *f, MlirOperation op, int dim, MlirType type) {
  if (f->numReads == TILE_MOST_FACTOR_READS)
    return Slices_None;
  TileFactorRead *r = &f->reads[f->numReads];
  r->load = tileGPULocalLoadOpCast(op);
  r->dim = dim;
  r->fragment = type;
  MlirOperation view = tileValueGetDefiningOp(tileGPULocalLoadOpGetSource(r->load));
  r->trans = tileGPUTransOpCast(view);
  if (!tileGPUTransOpIsNull(r->trans))
    view = tileValueGetDefiningOp(tileGPUTransOpGetSource(r->trans));
  r->index = tileGPUIndexOpCast(view);
  if (tileGPUIndexOpIsNull(r->index) || !isInBody(f, view))
    return Slices_None;
  MlirValue index = tileGPUIndexOpGetIndex(r->index);
  if (!mlirValueIsABlockArgument(index) || tileValueGetBlock(index).ptr != f->body.ptr ||
      !addOp(f, op, dim, type))
    return Slices_None;
  ++f->numReads;
  return Slices_Read;
}

/* One row, or column: brought into another layout it is read in that one. */
static bool isVector(MlirType type, int dim) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  for (int d = 0; d < rank; ++d)
    if (d != dim && shape[d] != 1)
      return false;
  return true;
}

static Slices findSlices(TileFactor *f, MlirValue v, int dim, MlirType type);

/* Of an op that moves elements, with the type and dimension of its operand's slices: null if there are none. */
static Slices findMoved(TileFactor *f, MlirOperation op, int dim, MlirType type) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType inner = tileTypeWithElement(type, tileTypeGetElement(mlirValueGetType(source)));
  int64_t times;
  switch (tileOpKind(op)) {
  case TileOp_Tile_Reshape:
    source = tileRepeatedOf(op, dim, &times);
    if (!source.ptr)
      return Slices_None;
    inner = tileRepeatedType(type, tileTypeGetElement(mlirValueGetType(source)), dim, times);
    break;
  case TileOp_TileGPU_ConvertLayout:
    if (!isVector(mlirValueGetType(source), dim))
      return Slices_None;
    break;
  default:
    inner = tileSliceSourceType(op, dim, type);
    dim = tileSliceSourceDim(op, dim);
  }
  return inner.ptr && dim >= 0 ? findSlices(f, source, dim, inner) : Slices_None;
}

static Slices findElementwise(TileFactor *f, MlirOperation op, int dim, MlirType type) {
  Slices found = Slices_Known;
  if (!tileOpIsElementwise(op) || mlirOperationGetNumResults(op) != 1 || mlirOperationGetNumRegions(op))
    return Slices_None;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    Slices slices = findSlices(f, v, dim, tileTypeWithElement(type, tileTypeGetElement(mlirValueGetType(v))));
    if (slices == Slices_None)
      return slices;
    found = slices == Slices_Read ? slices : found;
  }
  return found;
}

static Slices findSlices(TileFactor *f, MlirValue v, int dim, MlirType type) {
  if (tileIsEqualAlong(v, dim) ||
      (tileElementTypeOf(type) != TileElementType_I1 && tileCanSlice(v, dim, (MlirType){NULL})))
    return tileCanSlice(v, dim, type) ? Slices_Known : Slices_None;
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!isInBody(f, op))
    return Slices_None;
  int known = findOp(f, op);
  if (known >= 0)
    return f->ops[known].dim == dim && mlirTypeEqual(f->ops[known].type, type) ? Slices_Read : Slices_None;
  Slices found;
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_LocalLoad:
    return addRead(f, op, dim, type);
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Reshape:
  case TileOp_TileGPU_ConvertLayout:
    found = findMoved(f, op, dim, type);
    break;
  default:
    found = findElementwise(f, op, dim, type);
  }
  // What is not read and could be sliced has been found above.
  return found == Slices_Read && addOp(f, op, dim, type) ? found : Slices_None;
}

/* Whether products take the value, as factors, and what the factor is computed by, and nothing else. */
static bool staysInside(const TileFactor *f, MlirValue v) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpKind(user) == TileOp_TileGPU_Mma
            ? !mlirValueEqual(v, f->value) || mlirOpOperandGetOperandNumber(use) > 1
            : findOp(f, user) < 0)
      return false;
  }
  return true;
}

/* The expansion that leads to a repetition (RepeatedRows.h) is used once. */
static bool isRepeated(const TileFactor *f, int i) {
  int64_t times;
  for (int k = i + 1; k < f->numOps; ++k) {
    MlirValue source = tileRepeatedOf(f->ops[k].op, f->ops[k].dim, &times);
    if (source.ptr && tileValueGetDefiningOp(source).ptr == f->ops[i].op.ptr)
      return tileValueHasOneUse(source);
  }
  return false;
}

bool tileFindFactor(TileFactor *f, MlirType slice) {
  f->numReads = f->numOps = 0;
  if (findSlices(f, f->value, f->dim, slice) != Slices_Read)
    return false;
  for (int i = 0; i < f->numOps; ++i)
    if (!staysInside(f, mlirOperationGetResult(f->ops[i].op, 0)) && !isRepeated(f, i))
      return false;
  return true;
}

/* Whether a value is defined outside of the body, or computed of such ones; of `left` ops at most. */
static bool isInvariant(const TileFactor *f, MlirValue v, int *left) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr)
    return tileValueGetBlock(v).ptr != f->body.ptr;
  if (!isInBody(f, op))
    return true;
  if (--*left < 0 || mlirOperationGetNumRegions(op) || !tileOpIsPure(op))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!isInvariant(f, mlirOperationGetOperand(op, i), left))
      return false;
  return true;
}

bool tileIsFactorInvariant(const TileFactor *f) {
  enum { MOST_VALUES = 64 };
  int left = MOST_VALUES;
  for (int i = 0; i < f->numOps; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(f->ops[i].op); ++k) {
      MlirValue v = mlirOperationGetOperand(f->ops[i].op, k);
      MlirOperation def = tileValueGetDefiningOp(v);
      if (tileOpKind(f->ops[i].op) != TileOp_TileGPU_LocalLoad &&
          tileOpKind(f->ops[i].op) != TileOp_Tile_Reshape && (!def.ptr || findOp(f, def) < 0) &&
          !isInvariant(f, v, &left))
        return false;
    }
  return true;
}

MlirValue tileReadSlice(TileBuilder b, const TileFactorRead *r, MlirValue index, int64_t s) {
  MlirLocation loc = mlirOperationGetLocation(r->load.op);
  MlirContext context = mlirOperationGetContext(r->load.op);
  MlirValue view = tileGPUIndexOpGetResult(tileGPUIndexOpCreate(
      b, loc, mlirValueGetType(tileGPUIndexOpGetResult(r->index)), tileGPUIndexOpGetSource(r->index), index,
      tileI32Attr(context, tileGPUIndexOpGetRotate(r->index))));
  if (!tileGPUTransOpIsNull(r->trans))
    view = tileGPUTransOpGetResult(tileGPUTransOpCreate(b, loc,
                                                        mlirValueGetType(tileGPUTransOpGetResult(r->trans)),
                                                        view, tileGPUTransOpGetOrderAttr(r->trans)));
  MlirType whole = mlirValueGetType(view);
  int64_t shape[TileLayout_MaxRank], offsets[TileLayout_MaxRank] = {0};
  int rank = tileTypeGetShape(r->fragment, shape, TileLayout_MaxRank);
  offsets[r->dim] = s * shape[r->dim];
  MlirType part = tileGPUMemDescTypeGet(context, rank, shape, tileGPUMemDescTypeGetElementType(whole),
                                        tileGPUMemDescTypeGetLayout(whole));
  MlirValue slice = tileGPUSliceOpGetResult(
      tileGPUSliceOpCreate(b, loc, part, view, mlirDenseI64ArrayGet(context, rank, offsets)));
  return tileGPULocalLoadOpGetResult(tileGPULocalLoadOpCreate(b, loc, r->fragment, slice));
}

static int64_t sizeAlong(MlirType type, int dim) {
  int64_t shape[TileLayout_MaxRank];
  tileTypeGetShape(type, shape, TileLayout_MaxRank);
  return shape[dim];
}

/* The op again, of slices of its operands. */
static MlirValue sliceOp(TileBuilder b, TileFactor *f, int at, int64_t s) {
  MlirOperation op = f->ops[at].op, copy = mlirOperationClone(op);
  MlirType type = f->ops[at].type;
  int dim = f->ops[at].dim;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k) {
    MlirValue v = mlirOperationGetOperand(op, k);
    MlirOperation def = tileValueGetDefiningOp(v);
    int known = def.ptr ? findOp(f, def) : -1;
    MlirType wanted = tileTypeWithElement(type, tileTypeGetElement(mlirValueGetType(v)));
    mlirOperationSetOperand(copy, k,
                            known >= 0 ? f->ops[known].value
                                       : tileSliceValue(b, v, dim, s * sizeAlong(type, dim), wanted));
  }
  mlirValueSetType(mlirOperationGetResult(copy, 0), type);
  mlirRewriterBaseInsert(b, copy);
  return mlirOperationGetResult(copy, 0);
}

static MlirValue sourceSlice(const TileFactor *f, MlirValue source) {
  return f->ops[findOp(f, tileValueGetDefiningOp(source))].value;
}

MlirValue tileMakeSlice(TileBuilder b, TileFactor *f, const MlirValue *reads, int64_t s) {
  int64_t times;
  for (int i = 0, r = 0; i < f->numOps; ++i) {
    MlirOperation op = f->ops[i].op;
    MlirValue *value = &f->ops[i].value;
    switch (tileOpKind(op)) {
    case TileOp_TileGPU_LocalLoad:
      *value = reads[r++];
      break;
    case TileOp_TileGPU_ConvertLayout:
      *value = sourceSlice(f, mlirOperationGetOperand(op, 0));
      break;
    case TileOp_Tile_Reshape: {
      MlirValue source = sourceSlice(f, tileRepeatedOf(op, f->ops[i].dim, &times));
      *value = tileRepeatRows(b, mlirOperationGetLocation(op), source, f->ops[i].type, f->ops[i].dim, times);
      break;
    }
    default:
      *value = sliceOp(b, f, i, s);
    }
  }
  return f->ops[f->numOps - 1].value;
}

static void eraseUnused(TileBuilder b, MlirOperation view) {
  if (view.ptr && tileValueIsUnused(mlirOperationGetResult(view, 0)))
    mlirRewriterBaseEraseOp(b, view);
}

void tileEraseFactor(TileBuilder b, const TileFactor *f) {
  for (int i = f->numOps; i-- > 0;)
    if (tileOpKind(f->ops[i].op) == TileOp_Tile_Reshape)
      tileEraseRepeated(b, f->ops[i].op);
    else
      mlirRewriterBaseEraseOp(b, f->ops[i].op);
  for (int i = 0; i < f->numReads; ++i) {
    eraseUnused(b, f->reads[i].trans.op);
    eraseUnused(b, f->reads[i].index.op);
  }
}
