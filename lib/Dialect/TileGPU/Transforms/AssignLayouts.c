/* AssignLayouts.c - tile-gpu-assign-layouts: one layout per value, chosen by cost over the whole function.
 *
 *   %v = tile.load %p {tile_gpu.layout = #a} : tensor<256x!tile.ptr<f32>>
 *   %w = arith.addf %v, %v : tensor<256xf32>
 * becomes
 *   %v = tile.load %p : tensor<256x!tile.ptr<f32>, #a>
 *   %w = arith.addf %v, %v : tensor<256xf32, #a>
 *
 * Values that must agree form classes (LayoutClasses.h). A class takes the candidate, among those its memory
 * ops prefer, that makes all its memory ops cheapest; classes without memory ops get theirs through shape ops
 * from their neighbours. Where an op then needs an operand in another layout, a cheap producer is cloned and
 * anything else is converted.
 *
 * requires: module attributes of convert-tile-to-tile-gpu; preferred layouts of tile-gpu-coalesce.
 * ensures: every tensor of every kernel has an encoding; ops whose tensors must agree do. */
#include "AssignLayouts.h"
#include "FactorCost.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"

/* A value's copies in other layouts. */
typedef struct Clone {
  struct Clone *next;
  MlirAttribute layout;
  MlirValue value;
} Clone;

// ---- Rewriting ----

static void setLayout(MlirValue v, MlirAttribute layout) {
  mlirValueSetType(v, tileTypeWithEncoding(mlirValueGetType(v), layout));
}

static void setResultLayout(MlirOperation op, MlirAttribute layout) {
  MlirValue result = mlirOperationGetResult(op, 0);
  setLayout(result, layout);
  ArithConstantOp constant = arithConstantOpCast(op);
  if (arithConstantOpIsNull(constant))
    return;
  MlirAttribute value =
      mlirDenseElementsAttrReshapeGet(arithConstantOpGetValueAttr(constant), mlirValueGetType(result));
  arithConstantOpSetValueAttr(constant, value);
}

static MlirValue insertAfter(MlirOperation def, MlirOperation created) {
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(def), def, created);
  return mlirOperationGetResult(created, 0);
}

static MlirValue convert(Assign *a, MlirValue v, MlirAttribute layout) {
  TileBuilder b = mlirIRRewriterCreate(a->context);
  MlirOperation def = tileValueGetDefiningOp(v);
  if (def.ptr)
    mlirRewriterBaseSetInsertionPointAfter(b, def);
  else
    mlirRewriterBaseSetInsertionPointToStart(b, mlirBlockArgumentGetOwner(v));
  MlirLocation loc = def.ptr ? mlirOperationGetLocation(def) : mlirLocationUnknownGet(a->context);
  MlirType type = tileTypeWithEncoding(mlirValueGetType(v), layout);
  MlirValue converted = tileGPUConvertLayoutOpGetResult(tileGPUConvertLayoutOpCreate(b, loc, type, v));
  mlirIRRewriterDestroy(b);
  return converted;
}

// ---- Values in other layouts ----

static MlirValue inLayout(Assign *a, MlirValue v, MlirAttribute layout);

/* A copy of a cheap op with its result in another layout. */
static MlirValue cloneInLayout(Assign *a, MlirOperation def, MlirAttribute layout) {
  MlirOperation clone = mlirOperationClone(def);
  MlirValue result = insertAfter(def, clone);
  setResultLayout(clone, layout);
  TileLayout here, operand;
  bool shape = tileLayoutRole(def) == LayoutRole_Shape;
  if (shape &&
      (!tileLayoutOfType(mlirValueGetType(result), &here) || !tileLayoutCarryBack(def, &here, &operand)))
    return result;
  MlirAttribute wanted = shape ? tileLayoutToAttr(a->context, &operand) : layout;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(def); ++i) {
    MlirValue x = mlirOperationGetOperand(def, i);
    if (tileTypeIsTensor(mlirValueGetType(x)))
      mlirOperationSetOperand(clone, i, inLayout(a, x, wanted));
  }
  return result;
}

static bool hasLayout(MlirValue v, MlirAttribute layout) {
  MlirAttribute encoding = tileTypeGetEncoding(mlirValueGetType(v));
  return encoding.ptr && mlirAttributeEqual(encoding, layout);
}

/* The value itself, an earlier copy, a clone or a conversion. */
static MlirValue inLayout(Assign *a, MlirValue v, MlirAttribute layout) {
  if (hasLayout(v, layout))
    return v;
  Clone *known = tilePointerMapFind(&a->clones, v.ptr);
  for (Clone *c = known; c; c = c->next)
    if (mlirAttributeEqual(c->layout, layout))
      return c->value;
  MlirOperation def = tileValueGetDefiningOp(v);
  if (tileOpKind(def) ==
      TileOp_TileGPU_ConvertLayout) { /* made here for others, of something that may be read again */
    MlirValue source = mlirOperationGetOperand(def, 0);
    MlirOperation read = tileValueGetDefiningOp(source);
    if (hasLayout(source, layout) || (read.ptr && tileIsReadAgain(read, layout)))
      return inLayout(a, source, layout);
  }
  Clone *made = tileArenaAlloc(a->classes.arena, 1, sizeof *made);
  *made = (Clone){known, layout, {NULL}};
  if (def.ptr && tileLayoutRole(def) == LayoutRole_Free && !tileTypeGetEncoding(mlirValueGetType(v)).ptr) {
    setResultLayout(def, layout); /* first use: no clone needed */
    return v;
  }
  if (def.ptr && tileIsReadAgain(def, layout)) {
    made->value = cloneInLayout(a, def, layout);
    tilePointerMapSet(&a->clones, v.ptr, made);
    return made->value;
  }
  MlirAttribute ofWarps = def.ptr ? tileLayoutOfWarps(a->context, def, a->numWarps) : (MlirAttribute){NULL};
  if (ofWarps.ptr && !hasLayout(v, ofWarps) && !mlirAttributeEqual(layout, ofWarps))
    made->value = convert(a, cloneInLayout(a, def, ofWarps), layout);
  else
    made->value = def.ptr && (tileFactorIsRepeated(v, layout, a->target, a->numStages) ||
                              tileVectorIsRepeated(v, layout))
                      ? cloneInLayout(a, def, layout)
                      : convert(a, v, layout);
  tilePointerMapSet(&a->clones, v.ptr, made);
  return made->value;
}

static void setOperand(Assign *a, MlirOperation op, intptr_t i, MlirAttribute layout) {
  MlirValue v = mlirOperationGetOperand(op, i), wanted;
  if (!layout.ptr || !tileTypeIsTensor(mlirValueGetType(v)))
    return;
  wanted = inLayout(a, v, layout);
  if (wanted.ptr != v.ptr)
    mlirOperationSetOperand(op, i, wanted);
}

static MlirAttribute layoutOf(Assign *a, MlirValue v) {
  LayoutNode *root = tileLayoutClassOf(&a->classes, v.ptr);
  return root ? root->layout : (MlirAttribute){NULL};
}

/* A result comes in the layout `made`; what follows sees it in the layout of its class. */
static void fixResult(Assign *a, MlirValue result, MlirAttribute made) {
  MlirAttribute wanted = layoutOf(a, result);
  if (!tileTypeIsTensor(mlirValueGetType(result)) || !made.ptr || mlirAttributeEqual(made, wanted))
    return;
  setLayout(result, made);
  MlirValue converted = convert(a, result, wanted);
  mlirValueReplaceAllUsesExcept(result, converted, 1, (MlirOperation[]){tileValueGetDefiningOp(converted)});
}

static void fixResults(Assign *a, MlirOperation op, MlirAttribute made) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    fixResult(a, mlirOperationGetResult(op, i), made);
}

static void fixElementwise(Assign *a, MlirOperation op, const LayoutNode *root) {
  if (!root || !root->layout.ptr)
    return;
  MlirAttribute layout = tileWorkingLayout(a, op, root);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    setOperand(a, op, k, layout);
  fixResults(a, op, layout);
}

/* The layout of a shape op's first operand that has one. */
static bool operandLayout(Assign *a, MlirOperation op, TileLayout *out) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileLayoutOfType(mlirValueGetType(mlirOperationGetOperand(op, i)), out))
      return true;
  return tileDefaultLayout(a, mlirValueGetType(mlirOperationGetOperand(op, 0)), out);
}

/* Operands come in the layout that makes the op free; where there is none, results are converted. */
static void fixShape(Assign *a, MlirOperation op) {
  intptr_t n = mlirOperationGetNumOperands(op);
  TileLayout to, wanted;
  if (!tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(op, 0)), &to))
    return;
  bool back = tileLayoutCarryBack(op, &to, &wanted);
  if (!back && (!operandLayout(a, op, &wanted) || !tileLayoutCarryForward(op, &wanted, &to)))
    return;
  for (intptr_t i = 0; i < n; ++i)
    if (n > 1 || !tileLayoutIsFreeFor(mlirOperationGetOperand(op, i), &wanted))
      setOperand(a, op, i, tileLayoutToAttr(a->context, &wanted));
  if (!back)
    fixResults(a, op, tileLayoutToAttr(a->context, &to));
}

/* The layout in which a terminator passes operand i. */
static MlirAttribute carriedLayout(Assign *a, MlirOperation yield, intptr_t i) {
  MlirOperation parent = mlirOperationGetParentOperation(yield);
  if (tileOpKind(yield) == TileOp_SCF_Condition)
    return i ? layoutOf(a, mlirOperationGetResult(parent, i - 1)) : (MlirAttribute){NULL};
  if (tileOpKind(parent) == TileOp_SCF_While)
    return layoutOf(a, mlirBlockGetArgument(mlirRegionGetFirstBlock(mlirOperationGetRegion(parent, 0)), i));
  return layoutOf(a, mlirOperationGetResult(parent, i));
}

/* All layouts are the instruction's. */
static void fixMatrix(Assign *a, MlirOperation op) {
  MlirAttribute accumulator = tileMatrixLayoutAttr(op, TileMatrixRole_Accumulator);
  setOperand(a, op, 0, tileMatrixLayoutAttr(op, TileMatrixRole_A));
  setOperand(a, op, 1, tileMatrixLayoutAttr(op, TileMatrixRole_B));
  setOperand(a, op, 2, accumulator);
  fixResults(a, op, accumulator);
}

static bool isOnlyWaitedFor(MlirValue v) {
  MlirOpOperand use = mlirValueGetFirstUse(v);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (tileOpKind(mlirOpOperandGetOwner(use)) != TileOp_TileGPU_WgmmaWait)
      return false;
  return true;
}

/* The same, but sums are not there before they have been waited for: it is the wait's results that are converted. */
static void fixWarpGroup(Assign *a, MlirOperation op) {
  MlirAttribute accumulator = tileWarpGroupLayoutAttr(op);
  MlirValue sums = mlirOperationGetResult(op, 0);
  setOperand(a, op, 0, tileWarpGroupRegistersAttr(op));
  setOperand(a, op, 2, accumulator);
  if (isOnlyWaitedFor(sums))
    setLayout(sums, accumulator);
  else
    fixResult(a, sums, accumulator);
}

static void fixWait(Assign *a, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    fixResult(a, mlirOperationGetResult(op, i),
              tileTypeGetEncoding(mlirValueGetType(mlirOperationGetOperand(op, i))));
}

static void fixRegion(Assign *a, MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (kind == TileOp_SCF_Yield || kind == TileOp_SCF_Condition)
      setOperand(a, op, i, carriedLayout(a, op, i));
    else if (kind == TileOp_SCF_For && i >= 3)
      setOperand(a, op, i, layoutOf(a, mlirOperationGetResult(op, i - 3)));
    else if (kind == TileOp_SCF_While)
      setOperand(
          a, op, i,
          layoutOf(a, mlirBlockGetArgument(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)), i)));
  }
}

static void setTypes(Assign *a, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirAttribute layout = layoutOf(a, mlirOperationGetResult(op, i));
    if (layout.ptr)
      setLayout(mlirOperationGetResult(op, i), layout);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (intptr_t i = 0; block.ptr && i < mlirBlockGetNumArguments(block); ++i) {
      MlirAttribute layout = layoutOf(a, mlirBlockGetArgument(block, i));
      if (layout.ptr)
        setLayout(mlirBlockGetArgument(block, i), layout);
    }
  }
}

static void rewrite(Assign *a) {
  for (size_t i = 0; i < a->classes.numOps; ++i)
    setTypes(a, a->classes.ops[i]);
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    LayoutNode *root = tileLayoutClassOf(&a->classes, op.ptr);
    switch (tileLayoutRole(op)) {
    case LayoutRole_Elementwise:
      if (tileOpKind(op) == TileOp_TileGPU_WgmmaWait)
        fixWait(a, op);
      else
        fixElementwise(a, op, root);
      break;
    case LayoutRole_Dot:
      setOperand(a, op, 2, root ? root->layout : (MlirAttribute){NULL});
      break;
    case LayoutRole_Mma:
      if (tileOpKind(op) == TileOp_TileGPU_Wgmma)
        fixWarpGroup(a, op);
      else
        fixMatrix(a, op);
      break;
    case LayoutRole_Operands:
    case LayoutRole_Reduce:
      for (intptr_t k = 0; root && k < mlirOperationGetNumOperands(op); ++k)
        setOperand(a, op, k, tileWorkingLayout(a, op, root));
      fixResults(a, op, tileReducedLayout(a, op));
      break;
    case LayoutRole_Gather: /* any layout of the source will do */
      if (root)
        setOperand(a, op, 1, root->layout);
      break;
    case LayoutRole_Shape:
      fixShape(a, op);
      break;
    case LayoutRole_Region:
      fixRegion(a, op);
      break;
    default:
      break;
    }
    mlirOperationRemoveDiscardableAttributeByName(op, tileStr("tile_gpu.layout"));
  }
}

/* Free producers that nobody asked for (or whose user takes no side) still need a layout. */
static MlirLogicalResult finishFree(Assign *a) {
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    TileLayout layout;
    if (tileLayoutRole(op) != LayoutRole_Free)
      continue;
    MlirValue v = mlirOperationGetResult(op, 0);
    if (!tileTypeIsTensor(mlirValueGetType(v)) || tileTypeGetEncoding(mlirValueGetType(v)).ptr)
      continue;
    if (!tileDefaultLayout(a, mlirValueGetType(v), &layout))
      return tileEmitOpError(op, "has a tensor that no layout fits, expected power-of-two sizes");
    setResultLayout(op, tileLayoutToAttr(a->context, &layout));
  }
  return tileSuccess();
}

static bool isUnused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!tileValueIsUnused(mlirOperationGetResult(op, i)))
      return false;
  return true;
}

/* What was read again in other layouts only, and what follows from it: the end of a buffer's reads is looked for before anything else
 * would erase them. */
static void eraseUnread(Assign *a) {
  TileBuilder b = mlirIRRewriterCreate(a->context);
  for (size_t i = a->classes.numOps; i-- > 0;) {
    MlirOperation op = a->classes.ops[i];
    const bool isRead = tileOpKind(op) == TileOp_TileGPU_LocalLoad;
    if ((isRead || (tileOpIsPure(op) && !mlirOperationGetNumRegions(op))) && isUnused(op))
      mlirRewriterBaseEraseOp(b, op);
  }
  mlirIRRewriterDestroy(b);
}

static MlirLogicalResult assignFunction(MlirOperation function, Assign shared) {
  TileArena arena = {0};
  Assign a = shared;
  a.classes.arena = a.clones.arena = &arena;
  a.axis = tileAxisInfoCreate(function);
  a.classes.prefersOwn = a.axis ? tilePrefersOwnLayout : NULL;
  a.classes.user = &a;
  tileLayoutClassesBuild(&a.classes, function);
  MlirLogicalResult result = a.axis ? tileChooseLayouts(&a) : tileFailure();
  if (tileSucceeded(result)) {
    rewrite(&a);
    result = finishFree(&a);
    eraseUnread(&a);
  }
  tileAxisInfoRelease(a.axis);
  tileArenaRelease(&arena);
  return result;
}

MlirLogicalResult tileGPUAssignLayoutsRun(MlirOperation module, const TileGPUAssignLayoutsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  Assign shared = {.context = mlirOperationGetContext(module),
                   .target = &target.info,
                   .numWarps = target.numWarps,
                   .numStages = target.numStages,
                   .printCosts = params->printCosts};
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func && tileFailed(assignFunction(op, shared)))
      return tileFailure();
  return tileSuccess();
}
