/* Emit.c - short forms for building LLVM-dialect ops. */
#include "Lowering.h"

MlirValue tileEmit(TileLowering *l, TileOpKind kind, MlirType result, intptr_t n, const MlirValue *operands) {
  MlirOperationState s = mlirOperationStateGet(tileStr(tileOpKindName(kind)), l->loc);
  mlirOperationStateAddOperands(&s, n, operands);
  if (result.ptr)
    mlirOperationStateAddResults(&s, 1, &result);
  MlirOperation op = tileBuilderInsert(l->b, &s);
  return result.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

MlirValue tileEmit1(TileLowering *l, TileOpKind kind, MlirType result, MlirValue a) {
  return tileEmit(l, kind, result, 1, &a);
}

MlirValue tileEmit2(TileLowering *l, TileOpKind kind, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return tileEmit(l, kind, mlirValueGetType(a), 2, operands);
}

MlirValue tileEmit3(TileLowering *l, TileOpKind kind, MlirType result, MlirValue a, MlirValue b,
                    MlirValue c) {
  MlirValue operands[] = {a, b, c};
  return tileEmit(l, kind, result, 3, operands);
}

MlirValue tileEmitConstant(TileLowering *l, MlirAttribute value) {
  MlirValue known = {tilePointerMapFind(&l->constants, value.ptr)};
  if (known.ptr)
    return known;
  LLVMConstantOp op = llvmConstantOpCreate(l->prologue, l->loc, mlirAttributeGetType(value), value);
  tilePointerMapSet(&l->constants, value.ptr, (void *)llvmConstantOpGetRes(op).ptr);
  return llvmConstantOpGetRes(op);
}

MlirValue tileEmitInt(TileLowering *l, MlirType type, int64_t value) {
  return tileEmitConstant(l, mlirIntegerAttrGet(type, value));
}

MlirValue tileEmitI32(TileLowering *l, int64_t value) {
  return tileEmitInt(l, mlirIntegerTypeGet(l->context, 32), value);
}

MlirValue tileEmitFloat(TileLowering *l, MlirType type, double value) {
  return tileEmitConstant(l, mlirFloatAttrDoubleGet(l->context, type, value));
}

MlirValue tileEmitZero(TileLowering *l, MlirType type) {
  MlirValue known = {tilePointerMapFind(&l->constants, type.ptr)};
  if (known.ptr)
    return known;
  LLVMZeroOp op = llvmZeroOpCreate(l->prologue, l->loc, type);
  tilePointerMapSet(&l->constants, type.ptr, (void *)llvmZeroOpGetRes(op).ptr);
  return llvmZeroOpGetRes(op);
}

MlirValue tileEmitICmp(TileLowering *l, LLVMICmpPredicate p, MlirValue a, MlirValue b) {
  MlirAttribute predicate = mlirIntegerAttrGet(mlirIntegerTypeGet(l->context, 64), p);
  return llvmICmpOpGetRes(llvmICmpOpCreate(l->b, l->loc, mlirIntegerTypeGet(l->context, 1), a, b, predicate));
}

MlirValue tileEmitFCmp(TileLowering *l, LLVMFCmpPredicate p, MlirValue a, MlirValue b) {
  MlirAttribute predicate = mlirIntegerAttrGet(mlirIntegerTypeGet(l->context, 64), p), none = {NULL};
  return llvmFCmpOpGetRes(
      llvmFCmpOpCreate(l->b, l->loc, mlirIntegerTypeGet(l->context, 1), a, b, predicate, none));
}

MlirValue tileEmitSelect(TileLowering *l, MlirValue c, MlirValue t, MlirValue f) {
  return tileEmit3(l, TileOp_LLVM_Select, mlirValueGetType(t), c, t, f);
}

MlirValue tileEmitBitcast(TileLowering *l, MlirValue v, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(v), type) ? v : tileEmit1(l, TileOp_LLVM_Bitcast, type, v);
}

MlirValue tileEmitIntrinsic(TileLowering *l, const char *name, MlirType result, intptr_t n,
                            const MlirValue *operands) {
  MlirAttribute none = {NULL};
  LLVMCallIntrinsicOp op = llvmCallIntrinsicOpCreate(
      l->b, l->loc, result, n, operands, 0, NULL, mlirStringAttrGet(l->context, tileStr(name)), none,
      mlirDenseI32ArrayGet(l->context, 0, NULL), none, none, none);
  return result.ptr ? llvmCallIntrinsicOpGetResults(op) : (MlirValue){NULL};
}

MlirValue tileEmitExtract(TileLowering *l, MlirValue vector, int i) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(vector));
  return llvmExtractElementOpGetRes(
      llvmExtractElementOpCreate(l->b, l->loc, element, vector, tileEmitI32(l, i)));
}

MlirValue tileEmitInsert(TileLowering *l, MlirValue vector, MlirValue element, int i) {
  MlirType type = mlirValueGetType(vector);
  return llvmInsertElementOpGetRes(
      llvmInsertElementOpCreate(l->b, l->loc, type, vector, element, tileEmitI32(l, i)));
}

static MlirType vectorOf(MlirType element, int width) {
  int64_t shape[] = {width};
  return width == 1 ? element : mlirVectorTypeGet(1, shape, element);
}

MlirValue tileEmitPack(TileLowering *l, const MlirValue *elements, int width) {
  if (width == 1)
    return elements[0];
  MlirType type = vectorOf(mlirValueGetType(elements[0]), width);
  MlirValue packed = llvmPoisonOpGetRes(llvmPoisonOpCreate(l->b, l->loc, type));
  for (int i = 0; i < width; ++i)
    packed = tileEmitInsert(l, packed, elements[i], i);
  return packed;
}

void tileEmitUnpack(TileLowering *l, MlirValue packed, int width, MlirValue *out) {
  if (width == 1) {
    out[0] = packed;
    return;
  }
  for (int i = 0; i < width; ++i)
    out[i] = tileEmitExtract(l, packed, i);
}

void tileEmitPlainLoad(TileLowering *l, const TileAccess *a, MlirValue *out) {
  LLVMLoadOpAttrs attrs = {.alignment = tileI64Attr(l->context, a->alignment)};
  if (a->isVolatile)
    attrs.volatile_ = mlirUnitAttrGet(l->context);
  MlirValue v =
      llvmLoadOpGetRes(llvmLoadOpCreate(l->b, l->loc, vectorOf(a->element, a->width), a->pointer, &attrs));
  tileEmitUnpack(l, v, a->width, out);
}

void tileEmitPlainStore(TileLowering *l, const TileAccess *a, const MlirValue *values) {
  LLVMStoreOpAttrs attrs = {.alignment = tileI64Attr(l->context, a->alignment)};
  llvmStoreOpCreate(l->b, l->loc, tileEmitPack(l, values, a->width), a->pointer, &attrs);
}

bool tileLLVMConstant(MlirValue v, int64_t *out) {
  LLVMConstantOp constant = llvmConstantOpCast(tileValueGetDefiningOp(v));
  return !llvmConstantOpIsNull(constant) && tileAttrIsSplatInt(llvmConstantOpGetValueAttr(constant), out);
}

MlirValue tileEmitAllOf(TileLowering *l, TileRegisters conditions) {
  MlirValue all = {NULL};
  for (intptr_t i = 0; i < conditions.count; ++i)
    if (!all.ptr || all.ptr != conditions.values[i].ptr)
      all = all.ptr ? tileEmit2(l, TileOp_LLVM_And, all, conditions.values[i]) : conditions.values[i];
  return all;
}

MlirBlock tileAppendBlock(TileLowering *l, intptr_t n, const MlirType *argumentTypes) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(block, argumentTypes[i], l->loc);
  mlirRegionAppendOwnedBlock(l->body, block);
  return block;
}

void tileEnterBlock(TileLowering *l, MlirBlock block) { mlirRewriterBaseSetInsertionPointToEnd(l->b, block); }

void tileEmitBranch(TileLowering *l, MlirBlock to, intptr_t n, const MlirValue *arguments) {
  llvmBrOpCreate(l->b, l->loc, n, arguments, (MlirAttribute){NULL}, to);
}

void tileEmitCondBranch(TileLowering *l, MlirValue c, MlirBlock t, intptr_t nt, const MlirValue *ta,
                        MlirBlock f, intptr_t nf, const MlirValue *fa) {
  MlirAttribute none = {NULL};
  llvmCondBrOpCreate(l->b, l->loc, c, nt, ta, nf, fa, none, none, t, f);
}

void tileEmitLikelyBranch(TileLowering *l, MlirValue c, MlirBlock t, MlirBlock f) {
  static const int32_t weights[] = {2000, 1};
  llvmCondBrOpCreate(l->b, l->loc, c, 0, NULL, 0, NULL, mlirDenseI32ArrayGet(l->context, 2, weights),
                     (MlirAttribute){NULL}, t, f);
}
