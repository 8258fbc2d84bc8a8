/* InterleaveWrite.c - ops of a block in a new order, for tile-interleave-products: each with what it needs before it, and with
 * LLVM kept from moving it; vector instructions between products. */
#include "InterleaveWrite.h"
#include "tile-c/Dialect/ROCDL.h"
#include <stdlib.h>

static void pin(TileInterleaveWriter *w, MlirOperation op) {
  mlirRewriterBaseSetInsertionPointBefore(w->b, w->end);
  rocdlSchedBarrierCreate(w->b, mlirOperationGetLocation(op), tileI32Attr(mlirOperationGetContext(op), 0));
}

/* The op and, before it, what it needs. */
void tileInterleaveWrite(TileInterleaveWriter *w, TileBlockOp *o) {
  if (o->done)
    return;
  o->done = true;
  o->at = w->written;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k) {
    TileBlockOp *def = tileBlockOpOf(w->x, mlirOperationGetOperand(o->op, k));
    if (def)
      tileInterleaveWrite(w, def);
  }
  mlirOperationMoveBefore(o->op, w->end);
  w->written += o->kind == TileBlockOp_Matrix;
  if (o->kind != TileBlockOp_Pure && o->kind != TileBlockOp_Barrier)
    pin(w, o->op);
}

// ---- Vector instructions between products ----

bool tileInterleaveIsLight(TileOpKind kind) {
  switch (kind) {
  case TileOp_LLVM_AddressOf:
  case TileOp_LLVM_Bitcast:
  case TileOp_LLVM_Constant:
  case TileOp_LLVM_ExtractElement:
  case TileOp_LLVM_ExtractValue:
  case TileOp_LLVM_GEP:
  case TileOp_LLVM_InsertElement:
  case TileOp_LLVM_InsertValue:
  case TileOp_LLVM_Poison:
  case TileOp_LLVM_ShuffleVector:
  case TileOp_LLVM_Undef:
  case TileOp_LLVM_Zero:
  case TileOp_ROCDL_MakeBufferRsrc:
    return true;
  default:
    return false;
  }
}

/* What a value needs of the block's vector instructions, operands first. */
static void collectHeavy(TileInterleaveWriter *w, MlirValue v) {
  TileBlockOp *o = tileBlockOpOf(w->x, v);
  if (!o || o->collected || o->kind != TileBlockOp_Pure)
    return;
  o->collected = true;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k)
    collectHeavy(w, mlirOperationGetOperand(o->op, k));
  if (!tileInterleaveIsLight(tileOpKind(o->op)))
    w->heavy[w->numHeavy++] = o;
}

/* Whether what was read for an op has had time to come. */
static bool isReady(const TileInterleaveWriter *w, const TileBlockOp *o) {
  enum { TIME = 6 };
  if (o->done)
    return o->kind == TileBlockOp_Pure || w->written - o->at >= TIME;
  if (o->kind != TileBlockOp_Pure)
    return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k) {
    const TileBlockOp *def = tileBlockOpOf(w->x, mlirOperationGetOperand(o->op, k));
    if (def && !isReady(w, def))
      return false;
  }
  return true;
}

/* Behind each product its share of the vector instructions that later ones need: they cost nothing beside it. */
void tileInterleaveWriteHeavy(TileInterleaveWriter *w) {
  int share = (w->numHeavy + w->x->numProducts - 1) / w->x->numProducts;
  for (int n = 0; n < share && w->nextHeavy < w->numHeavy; ++w->nextHeavy) {
    TileBlockOp *o = w->heavy[w->nextHeavy];
    if (o->done)
      continue;
    if (!isReady(w, o))
      return;
    tileInterleaveWrite(w, o);
    ++n;
  }
}

void tileInterleaveStart(TileInterleaveWriter *w, TileInterleave *x) {
  *w = (TileInterleaveWriter){.x = x, .end = x->to};
  w->b = mlirIRRewriterCreate(mlirOperationGetContext(w->end));
  w->heavy = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *w->heavy);
  for (int i = 0; i < x->numProducts; ++i)
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(x->ops[x->products[i]].op); ++k)
      collectHeavy(w, mlirOperationGetOperand(x->ops[x->products[i]].op, k));
}

void tileInterleaveFinish(TileInterleaveWriter *w) {
  for (int i = 0; i < w->x->numOps; ++i)
    tileInterleaveWrite(w, &w->x->ops[i]);
  mlirRewriterBaseClearInsertionPoint(w->b);
  mlirIRRewriterDestroy(w->b);
}

void tileInterleaveWriteBarrier(TileInterleaveWriter *w, int part) {
  for (int i = 0; i < w->x->numOps; ++i)
    if (w->x->ops[i].part == part && w->x->ops[i].kind == TileBlockOp_Barrier)
      tileInterleaveWrite(w, &w->x->ops[i]);
}

static int byFirstUse(const void *a, const void *b) {
  const TileBlockOp *x = *(TileBlockOp *const *)a, *y = *(TileBlockOp *const *)b;
  if (x->freed != y->freed)
    return x->freed < y->freed ? -1 : 1;
  return x->firstUse != y->firstUse ? (x->firstUse < y->firstUse ? -1 : 1) : x < y ? -1 : x > y;
}

void tileInterleaveAccesses(TileInterleave *x, int part, TileBlockAccesses *out) {
  bool writes = false;
  int first = part ? x->end[part - 1] : 0;
  out->shared = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *out->shared);
  out->global = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *out->global);
  out->numShared = out->numGlobal = 0;
  for (int i = 0; i < x->numOps; ++i) {
    TileBlockOp *o = &x->ops[i];
    if (o->part != part)
      continue;
    if (o->kind == TileBlockOp_Global)
      out->global[out->numGlobal++] = o;
    if (o->freed < first) /* the registers are free */
      o->freed = -1;
    if (o->kind == TileBlockOp_SharedRead || o->kind == TileBlockOp_SharedWrite)
      out->shared[out->numShared++] = o;
    writes |= o->kind == TileBlockOp_SharedWrite;
  }
  if (!writes)
    qsort(out->shared, (size_t)out->numShared, sizeof *out->shared, byFirstUse);
}
