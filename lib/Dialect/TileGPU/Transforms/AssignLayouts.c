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
#include "FactorCost.h"
#include "LayoutClasses.h"
#include "LayoutCost.h"
#include "MatrixLayouts.h"
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"

enum { MAX_CANDIDATES = 8 };

typedef struct Assign {
  LayoutClasses classes;
  TileAxisInfo *axis;
  const TileTargetInfo *target;
  MlirContext context;
  int numWarps;
  bool printCosts;
  TilePointerMap clones; ///< value -> Clone list
} Assign;

/* A value's copies in other layouts. */
typedef struct Clone {
  struct Clone *next;
  MlirAttribute layout;
  MlirValue value;
} Clone;

// ---- Choosing ----

/* The tensor of pointers of a memory op; null for other ops. */
static MlirValue pointerOf(MlirOperation op) {
  MlirValue ptr = tilePointerAccessOf(op).ptr;
  return ptr.ptr && tileTypeIsTensor(mlirValueGetType(ptr)) ? ptr : (MlirValue){NULL};
}

/* Spread evenly, runs of `run` elements in each thread, the last dimension fastest. */
static bool evenLayout(const Assign *a, const int64_t *shape, int rank, int32_t run, TileLayout *out) {
  int32_t perThread[TileLayout_MaxRank], order[TileLayout_MaxRank];
  for (int i = 0; i < rank; ++i) {
    perThread[i] = i == rank - 1 ? run : 1;
    order[i] = rank - 1 - i;
  }
  return tileLayoutDefaultBlocked(shape, rank, perThread, order, (int32_t)a->target->warpSize, a->numWarps,
                                  out);
}

static bool defaultLayout(const Assign *a, MlirType type, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  return evenLayout(a, shape, rank, 1, out);
}

/* For a scan: the axis fastest, as many of its elements in each thread as it has of all. */
static bool scanLayout(const Assign *a, MlirOperation op, MlirType type, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank], moved[TileLayout_MaxRank];
  int32_t perm[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  int axis = (int)tileScanOpGetAxis(tileScanOpCast(op));
  int64_t run = tileTypeNumElements(type) / ((int64_t)a->target->warpSize * a->numWarps);
  for (int i = 0; i < rank; ++i) {
    moved[i < axis ? i : i == axis ? rank - 1 : i - 1] = shape[i];
    perm[i] = i < axis ? i : i == axis ? rank - 1 : i - 1;
  }
  run = run < 1 ? 1 : run > shape[axis] ? shape[axis] : run;
  return evenLayout(a, moved, rank, (int32_t)run, out) && tileLayoutTranspose(out, perm, out);
}

/* Cost of one memory op with a layout: instructions, and the sectors they move. */
static double accessCost(const Assign *a, MlirOperation op, const TileLayout *layout) {
  MlirValue ptr = pointerOf(op);
  const TileAxis *axis = tileAxisInfoOf(a->axis, ptr);
  int bytes = (int)tileElementTypeSize(tilePointeeElement(mlirValueGetType(ptr)));
  TileAccessVector access =
      tileAccessVector(axis, NULL, layout, 8 * bytes, a->target->maxGlobalVectorBits, true);
  double accesses = (double)tileLayoutNumRegisters(layout) / (double)access.width;
  return accesses * (1.0 + tileAccessSectors(axis, layout, bytes, a->target->sectorBytes));
}

typedef struct Candidates {
  MlirAttribute layouts[MAX_CANDIDATES];
  int count;
} Candidates;

static void addCandidate(Candidates *c, MlirAttribute layout) {
  for (int i = 0; i < c->count; ++i)
    if (mlirAttributeEqual(c->layouts[i], layout))
      return;
  if (c->count < MAX_CANDIDATES)
    c->layouts[c->count++] = layout;
}

/* Runs of the op's pack in row-major order. */
static bool packLayout(const Assign *a, MlirOperation op, MlirType type, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank], n = tileTypeNumElements(type);
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  return evenLayout(a, &n, 1, (int32_t)tileElementsPerPack(op), out) &&
         tileLayoutReshape(out, shape, rank, out);
}

/* The class's layout, or another one if the op cannot work with it. */
static MlirAttribute workingLayout(Assign *a, MlirOperation op, const LayoutNode *root) {
  int64_t shape[TileLayout_MaxRank];
  TileLayout layout;
  int rank = tileTypeGetShape(root->type, shape, TileLayout_MaxRank);
  if (!tileLayoutFromAttr(root->layout, shape, rank, &layout) || tileLayoutSuits(op, &layout))
    return root->layout;
  TileOpKind kind = tileOpKind(op);
  bool found = kind == TileOp_Tile_Scan     ? scanLayout(a, op, root->type, &layout)
               : kind == TileOp_Tile_Reduce ? defaultLayout(a, root->type, &layout)
                                            : packLayout(a, op, root->type, &layout);
  return found ? tileLayoutToAttr(a->context, &layout) : root->layout;
}

/* The layout in which a reduction leaves its results, if that of its operands is chosen already. */
static MlirAttribute reducedLayout(Assign *a, MlirOperation op) {
  LayoutNode *from = tileLayoutClassOf(&a->classes, op.ptr);
  int64_t shape[TileLayout_MaxRank];
  TileLayout layout;
  if (!from || !from->layout.ptr)
    return (MlirAttribute){NULL};
  int rank = tileTypeGetShape(from->type, shape, TileLayout_MaxRank);
  if (!tileLayoutFromAttr(workingLayout(a, op, from), shape, rank, &layout) ||
      !tileLayoutCarryForward(op, &layout, &layout))
    return (MlirAttribute){NULL};
  return tileLayoutToAttr(a->context, &layout);
}

/* Whether a tensor that op reduces to belongs to the class. */
static bool reducesInto(Assign *a, MlirOperation op, LayoutNode *root) {
  return tileLayoutRole(op) == LayoutRole_Reduce &&
         tileLayoutClassOf(&a->classes, mlirOperationGetResult(op, 0).ptr) == root;
}

static Candidates candidatesOf(Assign *a, LayoutNode *root) {
  Candidates found = {.count = 0};
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    MlirAttribute reduced = reducesInto(a, op, root) ? reducedLayout(a, op) : (MlirAttribute){NULL};
    if (reduced.ptr)
      addCandidate(&found, reduced);
    if (!pointerOf(op).ptr || tileLayoutClassOf(&a->classes, op.ptr) != root)
      continue;
    MlirAttribute preferred = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.layout"));
    if (preferred.ptr)
      addCandidate(&found, preferred);
    MlirAttribute data = tileLayoutOfData(&a->classes, op);
    if (data.ptr)
      addCandidate(&found, data);
  }
  return found;
}

/* Of what a memory op loads or stores. */
static MlirType dataType(MlirOperation op) {
  return mlirValueGetType(mlirOperationGetNumResults(op) ? mlirOperationGetResult(op, 0)
                                                         : mlirOperationGetOperand(op, 1));
}

/* Whether `op` in the layout it prefers, with its data converted, is cheaper than in the one that `first` does. */
static bool prefersOwn(void *user, MlirOperation op, MlirOperation first) {
  const Assign *a = user;
  MlirStringRef name = tileStr("tile_gpu.layout");
  MlirAttribute own = mlirOperationGetDiscardableAttributeByName(op, name),
                other = mlirOperationGetDiscardableAttributeByName(first, name);
  int64_t shape[TileLayout_MaxRank];
  TileLayout mine, its;
  int rank = tileTypeGetShape(mlirValueGetType(pointerOf(op)), shape, TileLayout_MaxRank);
  return own.ptr && other.ptr && !mlirAttributeEqual(own, other) &&
         tileLayoutFromAttr(own, shape, rank, &mine) && tileLayoutFromAttr(other, shape, rank, &its) &&
         accessCost(a, op, &mine) + tileConversionCost(dataType(op), other, own, a->target) <
             accessCost(a, op, &its);
}

/* Accesses and conversions of the class's values if they have this layout, by how often they are executed. */
static double classCost(Assign *a, LayoutNode *root, const TileLayout *layout) {
  double cost = 0;
  MlirAttribute wanted = tileLayoutToAttr(a->context, layout);
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    MlirAttribute reduced = reducesInto(a, op, root) ? reducedLayout(a, op) : (MlirAttribute){NULL};
    if (reduced.ptr)
      cost += tileTripWeight(op) *
              tileConversionCost(mlirValueGetType(mlirOperationGetResult(op, 0)), reduced, wanted, a->target);
  }
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    if (!pointerOf(op).ptr || tileLayoutClassOf(&a->classes, op.ptr) != root)
      continue;
    MlirAttribute data = tileLayoutOfData(&a->classes, op);
    double once = accessCost(a, op, layout);
    if (data.ptr)
      once += tileConversionCost(dataType(op), data, wanted, a->target);
    cost += tileTripWeight(op) * once;
  }
  return cost;
}

static MlirLogicalResult chooseForMemory(Assign *a, MlirOperation op) {
  LayoutNode *root = tileLayoutClassOf(&a->classes, op.ptr);
  if (root->layout.ptr)
    return tileSuccess();
  Candidates candidates = candidatesOf(a, root);
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(root->type, shape, TileLayout_MaxRank);
  double best = 0;
  for (int i = 0; i < candidates.count; ++i) {
    TileLayout layout;
    if (!tileLayoutFromAttr(candidates.layouts[i], shape, rank, &layout))
      return tileEmitOpError(op, "got a tile_gpu.layout attribute that does not fit the tensor's shape");
    double cost = candidates.count > 1 || a->printCosts ? classCost(a, root, &layout) : 0;
    if (a->printCosts)
      tileEmitRemark(mlirOperationGetLocation(op), "layout candidate %d of %d costs %.1f", i + 1,
                     candidates.count, cost);
    if (!root->layout.ptr || cost < best) {
      root->layout = candidates.layouts[i];
      best = cost;
    }
  }
  return tileSuccess();
}

/* Gives operands that follow their user the layout of the op. */
static bool lendLayout(Assign *a, MlirOperation op) {
  LayoutNode *own = tileLayoutClassOf(&a->classes, op.ptr);
  bool lent = false;
  for (intptr_t i = 0; own && own->layout.ptr && i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue v = mlirOperationGetOperand(op, i);
    LayoutNode *root = tileLayoutFollowsUser(v) ? tileLayoutClassOf(&a->classes, v.ptr) : NULL;
    if (!root || root->layout.ptr || mlirShapedTypeGetRank(root->type) != mlirShapedTypeGetRank(own->type))
      continue;
    root->layout = own->layout;
    lent = true;
  }
  return lent;
}

/* Carries chosen layouts over shape ops until nothing changes: backwards first, that is where addresses come
 * from. */
static void spread(Assign *a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = a->classes.numOps; n-- > 0;) {
      MlirOperation op = a->classes.ops[n];
      LayoutRole role = tileLayoutRole(op);
      changed |= role == LayoutRole_Elementwise && lendLayout(a, op);
      if ((role != LayoutRole_Shape && role != LayoutRole_Reduce) || !mlirOperationGetNumResults(op))
        continue;
      LayoutNode *from = tileLayoutClassOf(&a->classes, mlirOperationGetOperand(op, 0).ptr);
      LayoutNode *to = tileLayoutClassOf(&a->classes, mlirOperationGetResult(op, 0).ptr);
      if (!from || !to || !from->layout.ptr == !to->layout.ptr)
        continue;
      bool back = !from->layout.ptr;
      if (back && role == LayoutRole_Reduce)
        continue;
      LayoutNode *known = back ? to : from, *unknown = back ? from : to;
      int64_t shape[TileLayout_MaxRank];
      TileLayout layout;
      int rank = tileTypeGetShape(known->type, shape, TileLayout_MaxRank);
      if (!tileLayoutFromAttr(known->layout, shape, rank, &layout) ||
          !(back ? tileLayoutCarryBack(op, &layout, &layout) : tileLayoutCarryForward(op, &layout, &layout)))
        continue;
      unknown->layout = tileLayoutToAttr(a->context, &layout);
      changed = true;
    }
  }
}

static MlirLogicalResult chooseDefault(Assign *a, MlirOperation op, LayoutNode *root) {
  TileLayout layout;
  if (!root || root->layout.ptr)
    return tileSuccess();
  if (!defaultLayout(a, root->type, &layout))
    return tileEmitOpError(op, "has a tensor that no layout fits, expected power-of-two sizes");
  root->layout = tileLayoutToAttr(a->context, &layout);
  spread(a);
  return tileSuccess();
}

static MlirLogicalResult choose(Assign *a) {
  tileChooseMatrixLayouts(&a->classes);
  for (size_t i = 0; i < a->classes.numOps; ++i)
    if (pointerOf(a->classes.ops[i]).ptr && tileFailed(chooseForMemory(a, a->classes.ops[i])))
      return tileFailure();
  spread(a);
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    if (tileFailed(chooseDefault(a, op, tileLayoutClassOf(&a->classes, op.ptr))))
      return tileFailure();
    for (intptr_t k = 0; k < mlirOperationGetNumResults(op); ++k)
      if (tileFailed(chooseDefault(a, op, tileLayoutClassOf(&a->classes, mlirOperationGetResult(op, k).ptr))))
        return tileFailure();
  }
  return tileSuccess();
}

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
  Clone *made = tileArenaAlloc(a->classes.arena, 1, sizeof *made);
  *made = (Clone){known, layout, {NULL}};
  if (def.ptr && tileLayoutRole(def) == LayoutRole_Free && !tileTypeGetEncoding(mlirValueGetType(v)).ptr) {
    setResultLayout(def, layout); /* first use: no clone needed */
    return v;
  }
  made->value = def.ptr && tileFactorIsRepeated(v, layout, a->target) ? cloneInLayout(a, def, layout)
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

/* Results come in the layout `made`; what follows sees them in the layout of their class. */
static void fixResults(Assign *a, MlirOperation op, MlirAttribute made) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirAttribute wanted = layoutOf(a, result);
    if (!tileTypeIsTensor(mlirValueGetType(result)) || !made.ptr || mlirAttributeEqual(made, wanted))
      continue;
    setLayout(result, made);
    MlirValue converted = convert(a, result, wanted);
    mlirValueReplaceAllUsesExcept(result, converted, 1, (MlirOperation[]){tileValueGetDefiningOp(converted)});
  }
}

static void fixElementwise(Assign *a, MlirOperation op, const LayoutNode *root) {
  if (!root || !root->layout.ptr)
    return;
  MlirAttribute layout = workingLayout(a, op, root);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); ++k)
    setOperand(a, op, k, layout);
  fixResults(a, op, layout);
}

/* The layout of a shape op's first operand that has one. */
static bool operandLayout(Assign *a, MlirOperation op, TileLayout *out) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileLayoutOfType(mlirValueGetType(mlirOperationGetOperand(op, i)), out))
      return true;
  return defaultLayout(a, mlirValueGetType(mlirOperationGetOperand(op, 0)), out);
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
  MlirAttribute accumulator;
  if (tileOpKind(op) == TileOp_TileGPU_Wgmma) {
    accumulator = tileWarpGroupLayoutAttr(op);
    setOperand(a, op, 0, tileWarpGroupRegistersAttr(op));
  } else {
    accumulator = tileMatrixLayoutAttr(op, TileMatrixRole_Accumulator);
    setOperand(a, op, 0, tileMatrixLayoutAttr(op, TileMatrixRole_A));
    setOperand(a, op, 1, tileMatrixLayoutAttr(op, TileMatrixRole_B));
  }
  setOperand(a, op, 2, accumulator);
  fixResults(a, op, accumulator);
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
      fixElementwise(a, op, root);
      break;
    case LayoutRole_Dot:
      setOperand(a, op, 2, root ? root->layout : (MlirAttribute){NULL});
      break;
    case LayoutRole_Mma:
      fixMatrix(a, op);
      break;
    case LayoutRole_Operands:
    case LayoutRole_Reduce:
      for (intptr_t k = 0; root && k < mlirOperationGetNumOperands(op); ++k)
        setOperand(a, op, k, workingLayout(a, op, root));
      fixResults(a, op, reducedLayout(a, op));
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
    if (!defaultLayout(a, mlirValueGetType(v), &layout))
      return tileEmitOpError(op, "has a tensor that no layout fits, expected power-of-two sizes");
    setResultLayout(op, tileLayoutToAttr(a->context, &layout));
  }
  return tileSuccess();
}

static MlirLogicalResult assignFunction(MlirOperation function, Assign shared) {
  TileArena arena = {0};
  Assign a = shared;
  a.classes.arena = a.clones.arena = &arena;
  a.axis = tileAxisInfoCreate(function);
  a.classes.prefersOwn = a.axis ? prefersOwn : NULL;
  a.classes.user = &a;
  tileLayoutClassesBuild(&a.classes, function);
  MlirLogicalResult result = a.axis ? choose(&a) : tileFailure();
  if (tileSucceeded(result)) {
    rewrite(&a);
    result = finishFree(&a);
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
                   .printCosts = params->printCosts};
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func && tileFailed(assignFunction(op, shared)))
      return tileFailure();
  return tileSuccess();
}
