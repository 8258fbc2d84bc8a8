/* TileAttributes.c - verifies `tile.*` attributes on other dialects' operations and on function arguments. */
#include "TileHooks.h"
#include "TileVerify.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/OpKind.h"

typedef enum HintKind {
  Hint_Kernel, ///< unit attribute of a function, see verifyKernel
  Hint_Unit,   ///< unit attribute of a loop
  Hint_Count,  ///< positive i32 of a loop
  Hint_PerDim, ///< positive i32 for each dimension of an operation's first result
} HintKind;

static const struct {
  const char *name;
  HintKind kind;
} hints[] = {
    {"tile.kernel", Hint_Kernel},    {"tile.warp_specialize", Hint_Unit}, {"tile.flatten", Hint_Unit},
    {"tile.num_stages", Hint_Count}, {"tile.unroll", Hint_Count},         {"tile.split", Hint_Count},
    {"tile.blocks", Hint_Count},     {"tile.divisibility", Hint_PerDim},  {"tile.contiguity", Hint_PerDim},
    {"tile.stream", Hint_Count},     {"tile.constancy", Hint_PerDim},     {"tile.column_blocks", Hint_Count},
};

static TileText nameOf(MlirNamedAttribute attr) {
  TileText text = {{0}};
  MlirStringRef name = mlirIdentifierStr(attr.name);
  memcpy(text.s, name.data, name.length < sizeof text.s ? name.length : sizeof text.s - 1);
  return text;
}

static bool isUnit(MlirAttribute a) { return mlirAttributeIsAUnit(a); }

/* An i32 attribute of at least 1. */
static bool isCount(MlirAttribute a) {
  return mlirAttributeIsAInteger(a) && mlirTypeIsAInteger(mlirAttributeGetType(a)) &&
         mlirIntegerTypeGetWidth(mlirAttributeGetType(a)) == 32 && tileIntegerAttrValue(a) >= 1;
}

/* A launch passes addresses of global memory. */
static bool isKernelArgument(MlirType type) {
  enum { generic = 0, global = 1 };
  if (tilePtrTypeIsA(type))
    return tilePtrTypeGetAddressSpace(type) == generic || tilePtrTypeGetAddressSpace(type) == global;
  return tileTypeIsNumber(type) || tileDescTypeIsA(type);
}

static MlirLogicalResult verifyKernel(MlirOperation op) {
  if (tileOpKind(op) != TileOp_Func_Func)
    return tileEmitOpError(op, "got 'tile.kernel', expected it on func.func only");
  MlirAttribute typeAttr = mlirOperationGetAttributeByName(op, tileStr("function_type"));
  MlirType type = mlirTypeAttrGetValue(typeAttr);
  if (mlirFunctionTypeGetNumResults(type))
    return tileEmitOpError(op, "got a kernel with %lld results, expected none",
                           (long long)mlirFunctionTypeGetNumResults(type));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    MlirType input = mlirFunctionTypeGetInput(type, i);
    if (!isKernelArgument(input))
      return tileEmitOpError(
          op,
          "got kernel argument #%lld of %s, expected a number, a pointer to global memory or a "
          "descriptor",
          (long long)i, tileTextOfType(input).s);
  }
  if (!mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr)
    return tileEmitOpError(op, "got a kernel without a body, expected one");
  MlirAttribute visibility = mlirOperationGetAttributeByName(op, tileStr("sym_visibility"));
  if (visibility.ptr && !mlirStringRefEqual(mlirStringAttrGetValue(visibility), tileStr("public")))
    return tileEmitOpError(op, "got a private kernel, expected a public one");
  return tileSuccess();
}

static MlirLogicalResult verifyPerDim(MlirOperation op, const char *name, MlirAttribute value) {
  if (!mlirAttributeIsADenseI32Array(value) || !mlirOperationGetNumResults(op))
    return tileEmitOpError(op, "got '%s' = %s, expected array<i32: ..> on an operation with a result", name,
                           tileTextOfAttr(value).s);
  intptr_t n = mlirDenseArrayGetNumElements(value), rank = tileRankOf(typeOf(mlirOperationGetResult(op, 0)));
  if (n != (rank ? rank : 1))
    return tileEmitOpError(op, "got %lld entries in '%s', expected %lld", (long long)n, name,
                           (long long)(rank ? rank : 1));
  for (intptr_t i = 0; i < n; ++i)
    if (mlirDenseI32ArrayGetElement(value, i) < 1)
      return tileEmitOpError(op, "got %d in '%s', expected at least 1", mlirDenseI32ArrayGetElement(value, i),
                             name);
  return tileSuccess();
}

static MlirLogicalResult verifyHint(MlirOperation op, HintKind kind, const char *name, MlirAttribute value) {
  switch (kind) {
  case Hint_Kernel:
    if (!isUnit(value))
      return tileEmitOpError(op, "got a value for '%s', expected a unit attribute", name);
    return verifyKernel(op);
  case Hint_Unit:
    return isUnit(value) ? tileSuccess()
                         : tileEmitOpError(op, "got a value for '%s', expected a unit attribute", name);
  case Hint_Count:
    return isCount(value)
               ? tileSuccess()
               : tileEmitOpError(op, "got '%s' = %s, expected a positive i32", name, tileTextOfAttr(value).s);
  case Hint_PerDim:
    return verifyPerDim(op, name, value);
  }
  return tileSuccess();
}

MlirLogicalResult tileVerifyOperationAttribute(MlirOperation op, MlirNamedAttribute attr) {
  TileText name = nameOf(attr);
  for (size_t i = 0; i < TILE_COUNTOF(hints); ++i)
    if (!strcmp(name.s, hints[i].name))
      return verifyHint(op, hints[i].kind, name.s, attr.attribute);
  return tileEmitOpError(op, "got unknown attribute '%s', expected one that the tile dialect documents",
                         name.s);
}

MlirLogicalResult tileVerifyArgAttribute(MlirOperation op, MlirNamedAttribute attr) {
  TileText name = nameOf(attr);
  // A lowered kernel written by hand says so what its pointers point to (docs/simulator.md).
  if (!strcmp(name.s, "tile.element") && tileOpKind(op) == TileOp_LLVM_LLVMFunc)
    return mlirAttributeIsAType(attr.attribute)
               ? tileSuccess()
               : tileEmitOpError(op, "got 'tile.element' = %s, expected a type",
                                 tileTextOfAttr(attr.attribute).s);
  if (strcmp(name.s, "tile.divisibility") && strcmp(name.s, "tile.pointer_range"))
    return tileEmitOpError(
        op, "got unknown argument attribute '%s', expected tile.divisibility or tile.pointer_range", name.s);
  return isCount(attr.attribute) ? tileSuccess()
                                 : tileEmitOpError(op, "got '%s' = %s, expected a positive i32", name.s,
                                                   tileTextOfAttr(attr.attribute).s);
}
