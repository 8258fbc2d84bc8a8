/* Constant.c - arith.constant: splats become one constant; where elements differ, a thread chooses its own.
 *
 * Of a few elements it chooses by comparisons; more become a constant array in the module, which each thread
 * reads at its coordinates. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Arith.h"
#include <stdio.h>

enum { MAX_CHOICES = 4 };

static MlirAttribute float8Bits(TileLowering *l, MlirAttribute element) {
  int64_t bits = (int64_t)tileFloatAttrBits(element);
  return mlirIntegerAttrGet(mlirIntegerTypeGet(l->context, 8), bits > 127 ? bits - 256 : bits);
}

/* A constant's element as an attribute of LLVM's type: f8 as bits, index as i64. */
static MlirAttribute inLLVMType(TileLowering *l, MlirAttribute element) {
  MlirType type = mlirAttributeGetType(element);
  if (mlirTypeIsAIndex(type))
    return mlirIntegerAttrGet(mlirIntegerTypeGet(l->context, 64), mlirIntegerAttrGetValueInt(element));
  TileElementType e = tileElementTypeOf(type);
  return e >= TileElementType_F8E4M3FN ? float8Bits(l, element) : element;
}

/* Element number `index` (row-major) in LLVM's type. */
static MlirAttribute elementAt(TileLowering *l, MlirAttribute value, const TileLayout *layout,
                               int64_t index) {
  uint64_t at[TileLayout_MaxRank];
  for (int d = layout->rank - 1; d >= 0; index /= layout->shape[d--])
    at[d] = (uint64_t)(index % layout->shape[d]);
  return inLLVMType(l, mlirElementsAttrGetValue(value, layout->rank, at));
}

static bool isOfI1(MlirAttribute value) {
  MlirType element = mlirShapedTypeGetElementType(mlirAttributeGetType(value));
  return mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) == 1;
}

/* The elements as they lie in memory, row-major, little-endian; an i1 is a byte. */
static MlirStringRef bytesOf(TileLowering *l, MlirAttribute value, MlirType memory) {
  size_t n = (size_t)mlirElementsAttrGetNumElements(value);
  if (!isOfI1(value))
    return mlirStringRefCreate(mlirDenseElementsAttrGetRawData(value), n * tileTypeBits(memory) / 8);
  char *bytes = tileArenaAlloc(l->arena, n, 1);
  for (size_t i = 0; i < n; ++i)
    bytes[i] = mlirDenseElementsAttrGetBoolValue(value, (intptr_t)i);
  return mlirStringRefCreate(bytes, n);
}

/* A constant array of bytes in the module. */
static MlirValue emitArray(TileLowering *l, MlirAttribute value, MlirType memory) {
  MlirStringRef bytes = bytesOf(l, value, memory), owner = tileKernelName(l);
  char name[256];
  snprintf(name, sizeof name, "%.*s.constant%d", (int)(owner.length < 200 ? owner.length : 200), owner.data,
           l->numGlobals++);
  int space = l->target->vendor == TileVendor_AMD ? 4 : 1; /* AMD's constant space is global memory, too */
  LLVMGlobalOpAttrs attrs = {.constant = mlirUnitAttrGet(l->context),
                             .value = mlirStringAttrGet(l->context, bytes),
                             .alignment = tileI64Attr(l->context, 16),
                             .addr_space = tileI32Attr(l->context, space)};
  TileBuilder top = mlirIRRewriterCreateFromOp(mlirBlockGetParentOperation(mlirRegionGetFirstBlock(l->body)));
  MlirType type = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(l->context, 8), (unsigned)bytes.length);
  llvmGlobalOpCreate(top, l->loc, mlirTypeAttrGet(type), mlirStringAttrGet(l->context, tileStr(name)),
                     mlirLLVMLinkageAttrGet(l->context, MlirLLVMLinkageInternal), &attrs);
  mlirIRRewriterDestroy(top);
  return llvmAddressOfOpGetRes(llvmAddressOfOpCreate(l->b, l->loc,
                                                     mlirLLVMPointerTypeGet(l->context, (unsigned)space),
                                                     mlirFlatSymbolRefAttrGet(l->context, tileStr(name))));
}

static MlirValue loadFromArray(TileLowering *l, MlirValue base, MlirType memory, MlirType type,
                               MlirValue index) {
  TileAccess from = {.pointer = tileEmitSharedElement(l, base, memory, index),
                     .element = memory,
                     .width = 1,
                     .alignment = (int)tileTypeBits(memory) / 8};
  MlirValue v;
  tileEmitPlainLoad(l, &from, &v);
  return tileFromMemory(l, v, type);
}

static MlirValue choose(TileLowering *l, MlirAttribute value, const TileLayout *layout, MlirValue index) {
  MlirValue v = tileEmitConstant(l, elementAt(l, value, layout, 0));
  for (int64_t i = 1; i < tileLayoutNumElements(layout); ++i)
    v = tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_eq, index, tileEmitI32(l, i)),
                       tileEmitConstant(l, elementAt(l, value, layout, i)), v);
  return v;
}

static bool threadsAgree(const TileLayout *layout) {
  for (int d = 0; d < layout->rank; ++d)
    if (tileThreadMask(layout, d))
      return false;
  return true;
}

static MlirLogicalResult lowerDense(TileLowering *l, MlirOperation op, MlirAttribute value) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirType type = tileLowerElementType(l, mlirValueGetType(result)), memory = tileMemoryType(l, type);
  TileLayout layout;
  if (tileFailed(tileRequireLayout(op, result, &layout)))
    return tileFailure();
  TileRegisters r = tileNewRegisters(l, (intptr_t)tileLayoutNumRegisters(&layout));
  bool constant = threadsAgree(&layout), few = tileLayoutNumElements(&layout) <= MAX_CHOICES;
  MlirValue base = {NULL};
  if (!constant && !few)
    base = emitArray(l, value, memory);
  for (intptr_t i = 0; i < r.count; ++i)
    if (constant)
      r.values[i] =
          tileEmitConstant(l, elementAt(l, value, &layout, tileLayoutApplyFlat(&layout, i, 0, 0, 0)));
    else if (few)
      r.values[i] = choose(l, value, &layout, tileEmitFlatIndex(l, &layout, (int)i));
    else
      r.values[i] = loadFromArray(l, base, memory, type, tileEmitFlatIndex(l, &layout, (int)i));
  tileBind(l, result, r);
  return tileSuccess();
}

MlirLogicalResult tileLowerConstant(TileLowering *l, MlirOperation op) {
  MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
  MlirValue result = mlirOperationGetResult(op, 0);
  if (tileTypeIsTensor(mlirValueGetType(result)) && !mlirAttributeIsADenseElements(value))
    return tileLowerNotSupported(l, op);
  if (mlirAttributeIsADenseElements(value) && !mlirDenseElementsAttrIsSplat(value))
    return lowerDense(l, op, value);
  MlirAttribute element =
      mlirAttributeIsADenseElements(value) ? mlirDenseElementsAttrGetSplatValue(value) : value;
  intptr_t count;
  if (tileFailed(tileRegisterCount(l, op, mlirValueGetType(result), &count)))
    return tileFailure();
  TileRegisters r = tileNewRegisters(l, count);
  for (intptr_t i = 0; i < count; ++i)
    r.values[i] = tileEmitConstant(l, inLLVMType(l, element));
  tileBind(l, result, r);
  return tileSuccess();
}
