/* ThreadWords.c - how much of its tensors a thread of a kernel has to keep in registers. */
#include "tile-c/ThreadWords.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Bits.h"

enum { MAX_VALUES = 512, MAX_ACCESSES = 4 };

typedef struct Data {
  MlirValue value;
  int64_t words, from, until; ///< numbers of the op that makes it and of the last one that uses it
} Data;

typedef struct Words {
  const TileAxisInfo *axis;
  const TileTargetInfo *target;
  Data data[MAX_VALUES];
  int count;
} Words;

/* One instruction or few, and no registers but the results'. */
static bool isSimple(TileOpKind kind) {
  switch (kind) {
  case TileOp_Arith_AddF:
  case TileOp_Arith_AddI:
  case TileOp_Arith_AndI:
  case TileOp_Arith_Bitcast:
  case TileOp_Arith_CmpF:
  case TileOp_Arith_CmpI:
  case TileOp_Arith_Constant:
  case TileOp_Arith_DivF:
  case TileOp_Arith_ExtF:
  case TileOp_Arith_ExtSI:
  case TileOp_Arith_ExtUI:
  case TileOp_Arith_MaxNumF:
  case TileOp_Arith_MaxSI:
  case TileOp_Arith_MaximumF:
  case TileOp_Arith_MinNumF:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_MinimumF:
  case TileOp_Arith_MulF:
  case TileOp_Arith_MulI:
  case TileOp_Arith_NegF:
  case TileOp_Arith_OrI:
  case TileOp_Arith_Select:
  case TileOp_Arith_ShLI:
  case TileOp_Arith_ShRSI:
  case TileOp_Arith_ShRUI:
  case TileOp_Arith_SIToFP:
  case TileOp_Arith_SubF:
  case TileOp_Arith_SubI:
  case TileOp_Arith_TruncF:
  case TileOp_Arith_UIToFP:
  case TileOp_Arith_XOrI:
  case TileOp_Func_Return:
  case TileOp_Math_AbsF:
  case TileOp_Math_Exp2:
  case TileOp_Math_Fma:
  case TileOp_Math_Rsqrt:
  case TileOp_Math_Sqrt:
  case TileOp_Tile_AddPtr:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Load:
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_ProgramId:
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Store:
    return true;
  default:
    return false;
  }
}

static Data *find(Words *w, MlirValue v) {
  for (int i = w->count - 1; i >= 0; --i)
    if (mlirValueEqual(w->data[i].value, v))
      return &w->data[i];
  return NULL;
}

/* Registers of a thread for the tensor; -1 if its elements are too wide or its layout is not known. */
static int64_t wordsOf(MlirType type) {
  TileLayout layout;
  int64_t bytes = (int64_t)tileElementTypeSize(tileElementTypeOf(type));
  if (!tileTypeIsTensor(type))
    return 0;
  if (!bytes || bytes > 4 || !tileLayoutOfType(type, &layout))
    return -1;
  if (tileElementTypeOf(type) == TileElementType_I1)
    return 0; /* predicates */
  return (tileLayoutNumRegisters(&layout) * bytes + 3) / 4;
}

/* Whether a thread accesses memory in few parts, so that their addresses take few registers. */
static bool hasFewAccesses(const Words *w, MlirOperation op) {
  bool load = tileOpKind(op) == TileOp_Tile_Load;
  MlirValue ptr = mlirOperationGetOperand(op, 0);
  MlirValue mask = load ? tileLoadOpGetMask(tileLoadOpCast(op)) : tileStoreOpGetMask(tileStoreOpCast(op));
  MlirType type = mlirValueGetType(load ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 1));
  TileLayout layout;
  if (!tileTypeIsTensor(type))
    return true;
  if (!tileLayoutOfType(type, &layout))
    return false;
  int64_t bits = 8 * (int64_t)tileElementTypeSize(tileElementTypeOf(type));
  TileAccessPlan plan = tileAccessPlan(w->axis, w->target, ptr, mask, &layout, bits);
  return !plan.twoForms && tileLayoutNumRegisters(&layout) <= MAX_ACCESSES * (int64_t)plan.width;
}

/* Notes what op number `at` uses, and what it makes of it; false if it needs more than is known here. */
static bool note(Words *w, MlirOperation op, int64_t at) {
  TileOpKind kind = tileOpKind(op);
  bool made = kind == TileOp_Tile_Load;
  if (!isSimple(kind) || w->count == MAX_VALUES ||
      ((made || kind == TileOp_Tile_Store) && !hasFewAccesses(w, op)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    Data *used = find(w, mlirOperationGetOperand(op, i));
    if (used)
      used->until = at;
    made |= used != NULL;
  }
  if (!made || !mlirOperationGetNumResults(op))
    return true;
  MlirValue result = mlirOperationGetResult(op, 0);
  int64_t words = mlirOperationGetNumResults(op) == 1 ? wordsOf(mlirValueGetType(result)) : -1;
  w->data[w->count++] = (Data){result, words, at, at};
  return words >= 0;
}

static int64_t aliveAt(const Words *w, int64_t at) {
  int64_t words = 0;
  for (int i = 0; i < w->count; ++i)
    words += w->data[i].from <= at && w->data[i].until > at ? w->data[i].words : 0;
  return words;
}

int64_t tileThreadWords(MlirOperation function, const TileAxisInfo *axis, const TileTargetInfo *target) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  Words words = {.axis = axis, .target = target};
  int64_t at = 0, most = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (!note(&words, op, at++))
      return -1;
  at = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op), ++at)
    if (tileOpKind(op) == TileOp_Tile_Load || tileOpKind(op) == TileOp_Tile_Reduce)
      most = tileMost(most, aliveAt(&words, at));
  return most;
}
