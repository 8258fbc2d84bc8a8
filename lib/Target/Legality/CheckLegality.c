/* CheckLegality.c - tile-check-legality: lets through what LLVM is known to select for the chip.
 *
 *   %r = llvm.intr.sin(%x) : (f32) -> f32          (chip = "sm_80")
 * gives
 *   error: 'llvm.intr.sin' op on f32 is not supported on sm_80
 *
 * where LLVM would end the process with "Cannot select".
 *
 * requires: llvm, nvvm, rocdl and tile_nv ops; tile_gpu.target on the module, or the option chip.
 * ensures: every op has a row in the table for the chip. */
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Legality.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"
#include <stdlib.h>

enum { MAX_ERRORS = 8 };

typedef struct Checker {
  uint32_t chip; ///< its bit
  MlirStringRef name;
  const TileLegalityRow **first; ///< per kind: its first row, or null
  const TileLegalityRow *reported[MAX_ERRORS];
  int errors;
} Checker;

/* The row of a key for any chip; null if there is none. */
static const TileLegalityRow *findRow(const Checker *c, const TileLegalityKey *key) {
  const TileLegalityRow *row = c->first[key->op], *end = tileLegalityRows + tileLegalityNumRows;
  for (; row && row < end && row->op == key->op; ++row)
    if (tileLegalityKeyMatches(key, row))
      return row;
  return NULL;
}

/* One error for each row is enough. */
static bool wasReported(Checker *c, const TileLegalityRow *row) {
  for (int i = 0; row && i < c->errors; ++i)
    if (c->reported[i] == row)
      return true;
  c->reported[c->errors++] = row;
  return false;
}

static void appendText(MlirStringRef text, void *out) { tileStringAppend(out, text.data, text.length); }

static void appendTypes(const TileLegalityKey *key, const MlirType types[3], TileStringBuilder *out) {
  for (int i = 0; i < 3; ++i)
    if (key->types[i] == TileLegality_Other) { /* has no name of ours */
      mlirTypePrint(types[i], appendText, out);
      return;
    }
  tileLegalityAppendTypes(out, key->types);
}

static void report(Checker *c, MlirOperation op, const TileLegalityKey *key, const MlirType types[3],
                   const TileLegalityRow *row) {
  TileStringBuilder text = {0};
  if (wasReported(c, row))
    return;
  if (key->detail.length)
    tileStringAppendFormat(&text, "(%.*s) ", (int)key->detail.length, key->detail.data);
  tileStringAppendText(&text, key->op == TileOp_LLVM_LLVMFunc ? "parameter of type " : "on ");
  appendTypes(key, types, &text);
  (void)tileEmitOpError(op, "%s is not supported on %.*s%s", text.data, (int)c->name.length, c->name.data,
                        row ? "" : ": no such operation was ever compiled (test/legality/rows.txt)");
  tileStringRelease(&text);
}

static void check(Checker *c, MlirOperation op, const TileLegalityKey *key, const MlirType types[3]) {
  const TileLegalityRow *row = findRow(c, key);
  if (!row || !(row->chips & c->chip))
    report(c, op, key, types, row);
}

static MlirWalkResult checkOp(MlirOperation op, void *user) {
  Checker *c = user;
  TileLegalityKey key;
  MlirType types[3] = {{NULL}};
  if (!tileLegalityKeyOf(op, &key))
    return MlirWalkResultAdvance;
  if (key.types[0])
    types[0] = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (int i = 1; i < 3; ++i)
    if (key.types[i])
      types[i] = mlirValueGetType(mlirOperationGetOperand(op, i - 1));
  check(c, op, &key, types);
  return c->errors < MAX_ERRORS ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static void checkFunction(Checker *c, LLVMLLVMFuncOp function) {
  MlirBlock entry = mlirRegionGetFirstBlock(llvmLLVMFuncOpGetBody(function));
  if (!entry.ptr)
    return;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry) && c->errors < MAX_ERRORS; ++i) {
    MlirType types[3] = {mlirValueGetType(mlirBlockGetArgument(entry, i))};
    TileLegalityKey key = tileLegalityParameterKey(types[0]);
    check(c, function.op, &key, types);
  }
  if (c->errors < MAX_ERRORS)
    mlirOperationWalk(function.op, checkOp, c, MlirWalkPreOrder);
}

static void indexRows(Checker *c) {
  for (size_t i = 0; i < tileLegalityNumRows; ++i)
    if (!c->first[tileLegalityRows[i].op])
      c->first[tileLegalityRows[i].op] = &tileLegalityRows[i];
}

static bool findChip(Checker *c, MlirOperation module, const TileCheckLegalityParams *params) {
  MlirAttribute chip = mlirOperationGetDiscardableAttributeByName(module, tileStr("tile_gpu.target"));
  c->name = params->chip;
  if (!c->name.length && chip.ptr && mlirAttributeIsAString(chip))
    c->name = mlirStringAttrGetValue(chip);
  for (size_t i = 0; i < tileLegalityNumChips; ++i)
    if (mlirStringRefEqual(c->name, tileStr(tileLegalityChips[i])))
      c->chip = UINT32_C(1) << i;
  return c->chip;
}

MlirLogicalResult tileCheckLegalityRun(MlirOperation module, const TileCheckLegalityParams *params) {
  TileArena arena = {0};
  Checker c = {.first = tileArenaAlloc(&arena, TileOp_Count, sizeof(TileLegalityRow *))};
  if (!findChip(&c, module, params)) {
    tileArenaRelease(&arena);
    return tileEmitOpError(module, "got chip '%.*s', which no operation was ever compiled for",
                           (int)c.name.length, c.name.data);
  }
  indexRows(&c);
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr && c.errors < MAX_ERRORS;
       op = mlirOperationGetNextInBlock(op)) {
    LLVMLLVMFuncOp function = llvmLLVMFuncOpCast(op);
    if (!llvmLLVMFuncOpIsNull(function))
      checkFunction(&c, function);
  }
  tileArenaRelease(&arena);
  return c.errors ? tileFailure() : tileSuccess();
}
