/* OrderReductions.c - marks reductions whose partial results have to be combined in the order of the elements.
 *
 *   before: tile.reduce %x axis = 0 : tensor<256xi32> -> i32 {subi}
 *   after:  tile.reduce %x axis = 0 {tile_gpu.ordered} : tensor<256xi32> -> i32 {subi}
 *
 * A combiner that is one commutative op for each operand needs no order. Any other is tried: the `cpu` device
 * executes its body on pairs of values, numbers with ties and NaNs among them, and on the same pairs swapped.
 * Where it tells them apart, beyond rounding, the layout of the operands has to keep the order
 * (tileReduceLayoutFits). No two numbers add up to zero: Chan's formula of variances divides by the sum of weights,
 * and is commutative as long as that is none. Combiners that compute with values from outside, or that the cpu
 * device does not execute, are not tried and keep the order. */
#include "Order.h"
#include "mlir-c/Diagnostics.h"
#include "tile-c/Combiner.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Interpreter.h"
#include "tile-c/Numerics.h"
#include "tile-c/Session.h"
#include "tile-c/Support/StringBuilder.h"
#include <math.h>

enum { PAIRS = 64, MAX_STEPS = 1 << 20 };

typedef struct Trial {
  TileArena *arena;
  MlirOperation reduce;
  intptr_t n;             ///< operands of the reduction
  TileElementType *types; ///< of its elements, by operand
  MlirOperation maps[2];  ///< the body on the pairs, and on the pairs swapped
  int found;
} Trial;

/* Whether the body is one commutative op for each operand. */
static bool isSymmetric(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirOperation by = tileCombinerOp(op, i);
    if (!by.ptr || !tileKindIsCommutative(tileOpKind(by)))
      return false;
  }
  return true;
}

static void appendList(TileStringBuilder *out, intptr_t n, const char *format, intptr_t from) {
  for (intptr_t i = 0; i < n; ++i) {
    tileStringAppendText(out, i ? ", " : "");
    tileStringAppendFormat(out, format, (int)(from + i));
  }
}

/* `n` types, those of the operands over and over. */
static void appendTypes(const Trial *t, TileStringBuilder *out, intptr_t n, const char *format) {
  for (intptr_t i = 0; i < n; ++i) {
    tileStringAppendText(out, i ? ", " : "");
    tileStringAppendFormat(out, format, tileElementTypeName(t->types[i % t->n]));
  }
}

/* One tile.map_elementwise whose operands start with the left or the right sides, and stores of its results. */
static void appendMap(const Trial *t, TileStringBuilder *out, int swapped) {
  intptr_t n = t->n;
  tileStringAppendFormat(out, "%%r%d:%d = tile.map_elementwise ", swapped, (int)n);
  appendList(out, n, "%%v%d", swapped ? n : 0);
  tileStringAppendText(out, ", ");
  appendList(out, n, "%%v%d", swapped ? 0 : n);
  tileStringAppendText(out, " : ");
  appendTypes(t, out, 2 * n, "tensor<64x%s>");
  tileStringAppendText(out, " -> ");
  appendTypes(t, out, n, "tensor<64x%s>");
  tileStringAppendText(out, " {\n^bb0(");
  for (intptr_t i = 0; i < 2 * n; ++i)
    tileStringAppendFormat(out, "%s%%x%d: %s", i ? ", " : "", (int)i, tileElementTypeName(t->types[i % n]));
  tileStringAppendText(out, "):\n tile.yield ");
  appendList(out, n, "%%x%d", 0);
  tileStringAppendText(out, " : ");
  appendTypes(t, out, n, "%s");
  tileStringAppendText(out, "\n}\n");
  for (intptr_t i = 0; i < n; ++i)
    tileStringAppendFormat(out, "tile.store %%q%d, %%r%d#%d : tensor<64x!tile.ptr<%s>>\n",
                           (int)((2 + swapped) * n + i), swapped, (int)i, tileElementTypeName(t->types[i]));
}

/* A kernel with 2n buffers of values and 2n of results. */
static void appendKernel(const Trial *t, TileStringBuilder *out) {
  tileStringAppendText(out, "func.func @trial(");
  for (intptr_t i = 0; i < 4 * t->n; ++i)
    tileStringAppendFormat(out, "%s%%p%d: !tile.ptr<%s>", i ? ", " : "", (int)i,
                           tileElementTypeName(t->types[i % t->n]));
  tileStringAppendText(out, ") attributes {tile.kernel} {\n"
                            "%range = tile.make_range 0 to 64 : tensor<64xi32>\n");
  for (intptr_t i = 0; i < 4 * t->n; ++i) {
    const char *type = tileElementTypeName(t->types[i % t->n]);
    tileStringAppendFormat(out, "%%s%d = tile.splat %%p%d : tensor<64x!tile.ptr<%s>>\n", (int)i, (int)i,
                           type);
    tileStringAppendFormat(out,
                           "%%q%d = tile.addptr %%s%d, %%range : tensor<64x!tile.ptr<%s>>, tensor<64xi32>\n",
                           (int)i, (int)i, type);
    if (i < 2 * t->n)
      tileStringAppendFormat(out, "%%v%d = tile.load %%q%d : tensor<64x!tile.ptr<%s>>\n", (int)i, (int)i,
                             type);
  }
  appendMap(t, out, 0);
  appendMap(t, out, 1);
  tileStringAppendText(out, "return\n}\n");
}

static MlirWalkResult findMap(MlirOperation op, void *user) {
  Trial *t = user;
  if (tileOpKind(op) == TileOp_Tile_MapElementwise && t->found < 2)
    t->maps[t->found++] = op;
  return MlirWalkResultAdvance;
}

// ---- The body ----

typedef struct Outside {
  MlirOperation map;
  bool fits;
} Outside;

static bool isWithin(MlirOperation op, MlirOperation parent) {
  while (op.ptr && !mlirOperationEqual(op, parent))
    op = mlirOperationGetParentOperation(op);
  return op.ptr;
}

/* Constants from outside the body are copied in front of the map. */
static MlirWalkResult bringConstants(MlirOperation op, void *user) {
  Outside *o = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !mlirOperationEqual(op, o->map); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    MlirOperation def = tileValueGetDefiningOp(v);
    if (!def.ptr) { /* an argument: of the body or of a block in it */
      def = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v));
      o->fits &= isWithin(def, o->map);
      continue;
    }
    if (isWithin(def, o->map))
      continue;
    if (tileOpKind(def) != TileOp_Arith_Constant) {
      o->fits = false;
      continue;
    }
    MlirOperation copy = mlirOperationClone(def);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(o->map), o->map, copy);
    mlirOperationSetOperand(op, i, mlirOperationGetResult(copy, 0));
  }
  return o->fits ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool giveBody(const Trial *t, MlirOperation map) {
  MlirOperation copy = mlirOperationClone(t->reduce);
  mlirRegionTakeBody(mlirOperationGetRegion(map, 0), mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  Outside outside = {map, true};
  mlirOperationWalk(map, bringConstants, &outside, MlirWalkPreOrder);
  return outside.fits;
}

// ---- Values ----

static uint32_t nextRandom(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 16; }

/* Few different ones, so that there are ties; of both signs. */
static void fillValues(TileElementType type, void *array, uint32_t *state) {
  static const double numbers[] = {0.5, 1, 2, 3, 4, 0.25, -0.75, -1.5};
  static const int64_t integers[] = {0, 1, 2, 3, 5, -1};
  for (int64_t i = 0; i < PAIRS; ++i) {
    uint32_t pick = nextRandom(state), isNaN = i % 4 == 3 && nextRandom(state) & 1;
    if (tileElementTypeIsFloat(type))
      tileFloatStore(type, array, i, isNaN ? NAN : numbers[pick % TILE_COUNTOF(numbers)]);
    else
      tileIntStore(type, array, i,
                   type == TileElementType_I1 ? pick & 1 : integers[pick % TILE_COUNTOF(integers)]);
  }
}

static bool isSame(TileElementType type, const void *a, const void *b, int64_t i) {
  if (!tileElementTypeIsFloat(type))
    return tileIntLoad(type, a, i) == tileIntLoad(type, b, i);
  double x = tileFloatLoad(type, a, i), y = tileFloatLoad(type, b, i);
  double rounding = tileElementTypeBits(type) < 16 ? 0.3 : tileElementTypeBits(type) < 32 ? 0.03 : 1e-4;
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y);
  return x == y || fabs(x - y) <= rounding * fmax(1, fmax(fabs(x), fabs(y)));
}

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *user) {
  (void)diagnostic, (void)user;
  return tileSuccess();
}

/* Whether swapped pairs gave other results, or none. */
static bool tellsApart(const Trial *t, MlirModule module) {
  static const uint32_t grid[3] = {1, 1, 1};
  TileInterpretOptions options = {.maxSteps = MAX_STEPS};
  TileArgument *arguments = tileArenaAlloc(t->arena, (size_t)(4 * t->n), sizeof *arguments);
  uint32_t state = 1;
  for (intptr_t i = 0; i < 4 * t->n; ++i) {
    TileElementType type = t->types[i % t->n];
    arguments[i] = (TileArgument){.type = type, .isBuffer = true, .numElements = PAIRS};
    arguments[i].data = tileArenaAlloc(t->arena, PAIRS, tileElementTypeSize(type));
    fillValues(type, arguments[i].data, &state);
  }
  if (tileFailed(tileInterpretKernel(module, NULL, grid, arguments, (size_t)(4 * t->n), &options)))
    return true;
  for (intptr_t k = 0; k < t->n; ++k)
    for (int64_t i = 0; i < PAIRS; ++i)
      if (!isSame(t->types[k], arguments[2 * t->n + k].data, arguments[3 * t->n + k].data, i))
        return true;
  return false;
}

static bool needsOrder(Trial *t) {
  MlirContext context = mlirOperationGetContext(t->reduce);
  TileStringBuilder text = {0};
  appendKernel(t, &text);
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  MlirModule module = tileParseModule(context, mlirStringRefCreate(text.data, text.length), "trial");
  bool apart = true;
  if (module.ptr) {
    mlirOperationWalk(mlirModuleGetOperation(module), findMap, t, MlirWalkPreOrder);
    apart = t->found != 2 || !giveBody(t, t->maps[0]) || !giveBody(t, t->maps[1]) || tellsApart(t, module);
    mlirModuleDestroy(module);
  }
  mlirContextDetachDiagnosticHandler(context, handler);
  tileStringRelease(&text);
  return apart;
}

static MlirWalkResult mark(MlirOperation op, void *user) {
  if (tileOpKind(op) != TileOp_Tile_Reduce || isSymmetric(op))
    return MlirWalkResultAdvance;
  Trial t = {.arena = user, .reduce = op, .n = mlirOperationGetNumOperands(op)};
  t.types = tileArenaAlloc(t.arena, (size_t)t.n, sizeof *t.types);
  for (intptr_t i = 0; i < t.n; ++i) {
    t.types[i] = tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(op, i)));
    if (t.types[i] == TileElementType_None)
      return MlirWalkResultAdvance;
  }
  if (needsOrder(&t))
    mlirOperationSetDiscardableAttributeByName(op, tileStr("tile_gpu.ordered"),
                                               mlirUnitAttrGet(mlirOperationGetContext(op)));
  return MlirWalkResultAdvance;
}

void orderReductions(MlirOperation module) {
  TileArena arena = {0};
  mlirOperationWalk(module, mark, &arena, MlirWalkPreOrder);
  tileArenaRelease(&arena);
}
