/* Types.c - types and hint attributes of Triton IR as the tile dialect has them.
 *
 *   !tt.ptr<f16>                       -> !tile.ptr<f16>
 *   !tt.tensordesc<64x32xsi32>         -> !tile.desc<64x32xi32>
 *   {tt.contiguity = dense<16> : ..}   -> {tile.contiguity = array<i32: 16>}
 *   {tt.num_stages = 3 : i32}          -> {tile.num_stages = 3 : i32} */
#include "TTToTile.h"
#include "tile-c/CreateOp.h"

/* Signedness says nothing in `tile`; descriptors of Triton IR carry it. */
static MlirType signless(MlirType type) {
  return mlirTypeIsAInteger(type)
             ? mlirIntegerTypeGet(mlirTypeGetContext(type), mlirIntegerTypeGetWidth(type))
             : type;
}

static MlirType convertDescriptor(TTConversion *c, MlirLocation loc, MlirType type) {
  intptr_t rank = ttTensorDescTypeGetNumShape(type);
  int64_t *shape = tileArenaAlloc(c->arena, rank + 1, sizeof *shape);
  MlirType element = signless(ttTensorDescTypeGetElementType(type));
  bool fits = rank >= 1 && rank <= 5 && tileTypeIsNumber(element);
  for (intptr_t i = 0; i < rank; ++i) {
    shape[i] = ttTensorDescTypeGetShape(type, i);
    fits &= shape[i] > 0;
  }
  if (fits)
    return tileDescTypeGet(c->context, rank, shape, element, mlirAttributeGetNull());
  tileEmitError(loc,
                "got a tensor descriptor that tile has not, expected a static block of 1 to 5 dimensions of "
                "numbers");
  return (MlirType){NULL};
}

static MlirType convertPointer(TTConversion *c, MlirLocation loc, MlirType type) {
  MlirType pointee = ttPtrTypeGetPointeeType(type);
  if (!tileTypeIsNumber(pointee)) {
    tileEmitError(loc, "got a pointer to a type that is no number, expected a pointer to a number");
    return (MlirType){NULL};
  }
  return tilePtrTypeGet(c->context, pointee, ttPtrTypeGetAddressSpace(type));
}

static MlirType convertFunction(TTConversion *c, MlirLocation loc, MlirType type) {
  intptr_t inputs = mlirFunctionTypeGetNumInputs(type), results = mlirFunctionTypeGetNumResults(type);
  MlirType *all = tileArenaAlloc(c->arena, inputs + results + 1, sizeof *all);
  for (intptr_t i = 0; i < inputs + results; ++i) {
    MlirType t = i < inputs ? mlirFunctionTypeGetInput(type, i) : mlirFunctionTypeGetResult(type, i - inputs);
    all[i] = ttConvertType(c, loc, t);
    if (mlirTypeIsNull(all[i]))
      return all[i];
  }
  return mlirFunctionTypeGet(c->context, inputs, all, results, all + inputs);
}

static MlirType convertUncached(TTConversion *c, MlirLocation loc, MlirType type) {
  if (ttPtrTypeIsA(type))
    return convertPointer(c, loc, type);
  if (ttTensorDescTypeIsA(type))
    return convertDescriptor(c, loc, type);
  if (mlirTypeIsAFunction(type))
    return convertFunction(c, loc, type);
  if (!tileTypeIsTensor(type))
    return type;
  MlirType element = ttConvertType(c, loc, tileTypeGetElement(type));
  return mlirTypeIsNull(element) ? element : tileTypeWithElement(type, element);
}

MlirType ttConvertType(TTConversion *c, MlirLocation loc, MlirType type) {
  void *known = tilePointerMapFind(&c->types, type.ptr);
  if (known)
    return (MlirType){known};
  MlirType converted = convertUncached(c, loc, type);
  if (!mlirTypeIsNull(converted))
    tilePointerMapSet(&c->types, type.ptr, (void *)converted.ptr);
  return converted;
}

void ttSetFunctionInputs(TTConversion *c, TTFuncOp func, intptr_t n, const MlirType *inputs) {
  MlirType type = mlirTypeAttrGetValue(ttFuncOpGetFunctionTypeAttr(func));
  intptr_t results = mlirFunctionTypeGetNumResults(type);
  MlirType *types = tileArenaAlloc(c->arena, results + 1, sizeof *types);
  for (intptr_t i = 0; i < results; ++i)
    types[i] = mlirFunctionTypeGetResult(type, i);
  ttFuncOpSetFunctionTypeAttr(func,
                              mlirTypeAttrGet(mlirFunctionTypeGet(c->context, n, inputs, results, types)));
}

// ---- Hints ----

typedef enum HintKind { Hint_PerDim, Hint_Count, Hint_Unit } HintKind;

/* What is not listed has no meaning in `tile` and is dropped. */
static const struct {
  const char *from, *to;
  HintKind kind;
} hints[] = {
    {"tt.divisibility", "tile.divisibility", Hint_PerDim},
    {"tt.contiguity", "tile.contiguity", Hint_PerDim},
    {"tt.constancy", "tile.constancy", Hint_PerDim},
    {"tt.num_stages", "tile.num_stages", Hint_Count},
    {"tt.loop_unroll_factor", "tile.unroll", Hint_Count},
    {"tt.flatten", "tile.flatten", Hint_Unit},
    {"tt.warp_specialize", "tile.warp_specialize", Hint_Unit},
};

static bool startsWith(MlirStringRef text, const char *prefix) {
  size_t n = strlen(prefix);
  return text.length >= n && !memcmp(text.data, prefix, n);
}

/* dense<N> : tensor<RxI32> -> array<i32: ..>, if it has an entry of at least 1 for each dimension. */
static MlirAttribute perDimension(TTConversion *c, MlirOperation op, MlirAttribute value) {
  if (!mlirAttributeIsADenseIntElements(value) || !mlirOperationGetNumResults(op))
    return mlirAttributeGetNull();
  MlirType element = tileTypeGetElement(mlirAttributeGetType(value));
  int64_t shape[1];
  int rank = tileTypeGetShape(ttResultType(op), shape, 0);
  intptr_t n = mlirElementsAttrGetNumElements(value);
  if (tileElementTypeOf(element) != TileElementType_I32 || n != (rank ? rank : 1))
    return mlirAttributeGetNull();
  int32_t *entries = tileArenaAlloc(c->arena, n, sizeof *entries);
  for (intptr_t i = 0; i < n; ++i) {
    entries[i] = mlirDenseElementsAttrGetInt32Value(value, i);
    if (entries[i] < 1)
      return mlirAttributeGetNull();
  }
  return mlirDenseI32ArrayGet(c->context, n, entries);
}

static MlirAttribute hintValue(TTConversion *c, MlirOperation op, HintKind kind, MlirAttribute value) {
  switch (kind) {
  case Hint_PerDim:
    return perDimension(c, op, value);
  case Hint_Count:
    return mlirAttributeIsAInteger(value) && tileIntegerAttrValue(value) >= 1
               ? ttI32(c, tileIntegerAttrValue(value))
               : mlirAttributeGetNull();
  case Hint_Unit:
    return mlirUnitAttrGet(c->context);
  }
  return mlirAttributeGetNull();
}

static void convertHint(TTConversion *c, MlirOperation op, MlirNamedAttribute attr) {
  MlirStringRef name = mlirIdentifierStr(attr.name);
  /* llvm.loop_annotation keeps Triton's own pipeline from hoisting out of the loop; ours decides by cost. */
  if (!startsWith(name, "tt.") && !startsWith(name, "ttg.") &&
      !mlirStringRefEqual(name, tileStr("llvm.loop_annotation")))
    return;
  mlirOperationRemoveDiscardableAttributeByName(op, name);
  for (size_t i = 0; i < TILE_COUNTOF(hints); ++i) {
    if (!mlirStringRefEqual(name, tileStr(hints[i].from)))
      continue;
    MlirAttribute value = hintValue(c, op, hints[i].kind, attr.attribute);
    if (!mlirAttributeIsNull(value))
      mlirOperationSetDiscardableAttributeByName(op, tileStr(hints[i].to), value);
  }
}

static void convertHints(TTConversion *c, MlirOperation op) {
  intptr_t n = mlirOperationGetNumDiscardableAttributes(op);
  MlirNamedAttribute *attrs = tileArenaAlloc(c->arena, n + 1, sizeof *attrs);
  for (intptr_t i = 0; i < n; ++i)
    attrs[i] = mlirOperationGetDiscardableAttribute(op, i);
  for (intptr_t i = 0; i < n; ++i)
    convertHint(c, op, attrs[i]);
}

MlirAttribute ttConvertArgAttrs(TTConversion *c, MlirAttribute dictionary) {
  intptr_t n = mlirDictionaryAttrGetNumElements(dictionary), kept = 0;
  MlirNamedAttribute *attrs = tileArenaAlloc(c->arena, n + 1, sizeof *attrs);
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute attr = mlirDictionaryAttrGetElement(dictionary, i);
    MlirStringRef name = mlirIdentifierStr(attr.name);
    bool divisibility = mlirStringRefEqual(name, tileStr("tt.divisibility"));
    if (divisibility || mlirStringRefEqual(name, tileStr("tt.pointer_range"))) {
      MlirAttribute value = hintValue(c, (MlirOperation){NULL}, Hint_Count, attr.attribute);
      const char *to = divisibility ? "tile.divisibility" : "tile.pointer_range";
      if (!mlirAttributeIsNull(value))
        attrs[kept++] = tileNamedAttr(c->context, to, value);
    } else if (!startsWith(name, "tt.") && !startsWith(name, "ttg.")) {
      attrs[kept++] = attr;
    }
  }
  return mlirDictionaryAttrGet(c->context, kept, attrs);
}

// ---- All values ----

static bool convertValue(TTConversion *c, MlirLocation loc, MlirValue value) {
  MlirType from = ttTypeOf(value), to = ttConvertType(c, loc, from);
  if (mlirTypeIsNull(to))
    return false;
  if (!mlirTypeEqual(from, to))
    mlirValueSetType(value, to);
  return true;
}

MlirLogicalResult ttConvertTypesAndHints(TTConversion *c, MlirOperation op) {
  bool ok = true;
  convertHints(c, op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    ok &= convertValue(c, ttLoc(op), mlirOperationGetResult(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); block.ptr;
         block = mlirBlockGetNextInRegion(block)) {
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
        ok &= convertValue(c, ttLoc(op), mlirBlockGetArgument(block, i));
      for (MlirOperation inner = mlirBlockGetFirstOperation(block); inner.ptr;
           inner = mlirOperationGetNextInBlock(inner))
        ok &= tileSucceeded(ttConvertTypesAndHints(c, inner));
    }
  return ok ? tileSuccess() : tileFailure();
}
