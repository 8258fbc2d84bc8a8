/* ChooseLayouts.c - which layout each class of values takes.
 *
 * A class takes the candidate, among those its memory ops prefer, that makes all its memory ops cheapest; classes without
 * memory ops get theirs through shape ops from their neighbours, or a default. */
#include "AssignLayouts.h"
#include "FactorCost.h"
#include "LayoutCost.h"
#include "MatrixLayouts.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Scratch.h"

enum { MAX_CANDIDATES = 8 };

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

bool tileDefaultLayout(const Assign *a, MlirType type, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  return evenLayout(a, shape, rank, 1, out);
}

/* For what goes in order: the axis fastest, as many of its elements in each thread as it has of all. */
static bool orderedLayout(const Assign *a, int axis, MlirType type, TileLayout *out) {
  int64_t shape[TileLayout_MaxRank], moved[TileLayout_MaxRank];
  int32_t perm[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  int64_t run = tileTypeNumElements(type) / ((int64_t)a->target->warpSize * a->numWarps);
  for (int i = 0; i < rank; ++i) {
    moved[i < axis ? i : i == axis ? rank - 1 : i - 1] = shape[i];
    perm[i] = i < axis ? i : i == axis ? rank - 1 : i - 1;
  }
  run = run < 1 ? 1 : run > shape[axis] ? shape[axis] : run;
  return evenLayout(a, moved, rank, (int32_t)run, out) && tileLayoutTranspose(out, perm, out);
}

/* Cost of one memory op with a layout: instructions, and the sectors they move. Beside sums of products (`sums`), a store whose accesses
 * leave out bytes of the sectors that they touch costs twice these: each is written again by another access, and as many lines are looked up
 * (NVIDIA: 64x64 sums of 16 bits as `wgmma` leaves them, stored in a loop, took 1.8 times as long as in rows). */
static double accessCost(const Assign *a, MlirOperation op, const TileLayout *layout, bool sums) {
  MlirValue ptr = pointerOf(op);
  TileAxis reach;
  const TileAxis *axis = tileAccessAxis(a->axis, a->target, ptr, &reach) ? &reach : NULL;
  int bytes = (int)tileElementTypeSize(tilePointeeElement(mlirValueGetType(ptr)));
  TileAccessVector access =
      tileAccessVector(axis, NULL, layout, 8 * bytes, a->target->maxGlobalVectorBits, true);
  double accesses = (double)tileLayoutNumRegisters(layout) / (double)access.width;
  const int64_t sectors = tileAccessSectors(axis, layout, bytes, a->target->sectorBytes);
  const bool parts = sums && tileOpKind(op) == TileOp_Tile_Store && a->target->vendor == TileVendor_NVIDIA &&
                     bytes * access.width * tileLayoutNumLanes(layout) < sectors * a->target->sectorBytes;
  return accesses * (1.0 + (double)(parts ? 2 * sectors : sectors));
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
MlirAttribute tileWorkingLayout(Assign *a, MlirOperation op, const LayoutNode *root) {
  int64_t shape[TileLayout_MaxRank];
  TileLayout layout;
  int rank = tileTypeGetShape(root->type, shape, TileLayout_MaxRank);
  if (!tileLayoutFromAttr(root->layout, shape, rank, &layout) || tileLayoutSuits(op, &layout))
    return root->layout;
  bool found;
  if (tileOpKind(op) == TileOp_Tile_Scan)
    found = orderedLayout(a, (int)tileScanOpGetAxis(tileScanOpCast(op)), root->type, &layout);
  else if (tileOpKind(op) != TileOp_Tile_Reduce)
    found = packLayout(a, op, root->type, &layout);
  else if (tileReduceIsOrdered(op))
    found = orderedLayout(a, (int)tileReduceOpGetAxis(tileReduceOpCast(op)), root->type, &layout);
  else
    found = tileDefaultLayout(a, root->type, &layout);
  return found ? tileLayoutToAttr(a->context, &layout) : root->layout;
}

/* The layout in which a reduction leaves its results, if that of its operands is chosen already. */
MlirAttribute tileReducedLayout(Assign *a, MlirOperation op) {
  LayoutNode *from = tileLayoutClassOf(&a->classes, op.ptr);
  int64_t shape[TileLayout_MaxRank];
  TileLayout layout;
  if (!from || !from->layout.ptr)
    return (MlirAttribute){NULL};
  int rank = tileTypeGetShape(from->type, shape, TileLayout_MaxRank);
  if (!tileLayoutFromAttr(tileWorkingLayout(a, op, from), shape, rank, &layout) ||
      !tileLayoutCarryForward(op, &layout, &layout))
    return (MlirAttribute){NULL};
  return tileLayoutToAttr(a->context, &layout);
}

/* Whether a tensor that op reduces to belongs to the class. */
static bool reducesInto(Assign *a, MlirOperation op, LayoutNode *root) {
  return tileLayoutRole(op) == LayoutRole_Reduce &&
         tileLayoutClassOf(&a->classes, mlirOperationGetResult(op, 0).ptr) == root;
}

/* Accesses of memory, and reads of a buffer that are best in one layout. */
static bool hasWish(MlirOperation op) {
  return pointerOf(op).ptr || tileOpKind(op) == TileOp_TileGPU_ShiftedLoad;
}

static Candidates candidatesOf(Assign *a, LayoutNode *root) {
  Candidates found = {.count = 0};
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    MlirAttribute reduced = reducesInto(a, op, root) ? tileReducedLayout(a, op) : (MlirAttribute){NULL};
    if (reduced.ptr)
      addCandidate(&found, reduced);
    if (!hasWish(op) || tileLayoutClassOf(&a->classes, op.ptr) != root)
      continue;
    MlirAttribute preferred = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.layout"));
    if (preferred.ptr)
      addCandidate(&found, preferred);
    if (!pointerOf(op).ptr)
      continue;
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
bool tilePrefersOwnLayout(void *user, MlirOperation op, MlirOperation first) {
  const Assign *a = user;
  MlirStringRef name = tileStr("tile_gpu.layout");
  MlirAttribute own = mlirOperationGetDiscardableAttributeByName(op, name),
                other = mlirOperationGetDiscardableAttributeByName(first, name);
  int64_t shape[TileLayout_MaxRank];
  TileLayout mine, its;
  int rank = tileTypeGetShape(mlirValueGetType(pointerOf(op)), shape, TileLayout_MaxRank);
  return own.ptr && other.ptr && !mlirAttributeEqual(own, other) &&
         tileLayoutFromAttr(own, shape, rank, &mine) && tileLayoutFromAttr(other, shape, rank, &its) &&
         accessCost(a, op, &mine, false) + tileConversionCost(dataType(op), other, own, a->target) <
             accessCost(a, op, &its, false);
}

/* Accesses and conversions of the class's values if they have this layout, by how often they are executed. */
static double classCost(Assign *a, LayoutNode *root, const TileLayout *layout) {
  double cost = 0;
  MlirAttribute wanted = tileLayoutToAttr(a->context, layout);
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    MlirAttribute reduced = reducesInto(a, op, root) ? tileReducedLayout(a, op) : (MlirAttribute){NULL};
    if (reduced.ptr)
      cost += tileTripWeight(op) *
              tileConversionCost(mlirValueGetType(mlirOperationGetResult(op, 0)), reduced, wanted, a->target);
  }
  for (size_t i = 0; i < a->classes.numOps; ++i) {
    MlirOperation op = a->classes.ops[i];
    if (!pointerOf(op).ptr || tileLayoutClassOf(&a->classes, op.ptr) != root)
      continue;
    MlirAttribute data = tileLayoutOfData(&a->classes, op);
    double once = accessCost(a, op, layout, data.ptr);
    if (data.ptr && !tileIsReadFromBuffer(op, a->target, a->numStages))
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
  if (!tileDefaultLayout(a, root->type, &layout))
    return tileEmitOpError(op, "has a tensor that no layout fits, expected power-of-two sizes");
  root->layout = tileLayoutToAttr(a->context, &layout);
  spread(a);
  return tileSuccess();
}

MlirLogicalResult tileChooseLayouts(Assign *a) {
  tileChooseMatrixLayouts(&a->classes);
  for (size_t i = 0; i < a->classes.numOps; ++i)
    if (hasWish(a->classes.ops[i]) && tileFailed(chooseForMemory(a, a->classes.ops[i])))
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
