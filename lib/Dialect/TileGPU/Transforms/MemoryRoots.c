/* MemoryRoots.c - which parameters of a kernel memory belongs to. */
#include "MemoryRoots.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"
#include "tile-c/SeparateMemory.h"

static MlirValue rootOf(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirValue unknown = {NULL};
  if (depth > 64)
    return unknown;
  if (!op.ptr) {
    MlirOperation parent = mlirBlockGetParentOperation(tileValueGetBlock(v));
    intptr_t arg = mlirBlockArgumentGetArgNumber(v);
    if (tileOpKind(parent) == TileOp_Func_Func)
      return v;
    /* A carried pointer keeps its root if the loop only moves it. */
    if (tileOpKind(parent) != TileOp_SCF_For || !arg)
      return unknown;
    MlirOperation yield = mlirBlockGetTerminator(tileValueGetBlock(v));
    MlirValue next = mlirOperationGetOperand(yield, arg - 1);
    while (tileOpKind(tileValueGetDefiningOp(next)) == TileOp_Tile_AddPtr)
      next = mlirOperationGetOperand(tileValueGetDefiningOp(next), 0);
    return next.ptr == v.ptr ? rootOf(scfForOpGetInitArgs(scfForOpCast(parent), arg - 1), depth + 1)
                             : unknown;
  }
  switch (tileOpKind(op)) {
  case TileOp_Tile_AddPtr:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Reshape:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Trans:
  case TileOp_TileGPU_ConvertLayout:
    return rootOf(mlirOperationGetOperand(op, 0), depth + 1);
  default:
    return unknown;
  }
}

MlirValue tilePointerParameter(MlirValue pointer) { return rootOf(pointer, 0); }

typedef struct Writes {
  MlirValue desc;
  bool found;
} Writes;

static MlirWalkResult findWrite(MlirOperation op, void *user) {
  Writes *w = user;
  MlirValue root = {NULL};
  switch (tileOpKind(op)) {
  case TileOp_Tile_Store:
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
    root = tilePointerParameter(tilePointerAccessOf(op).ptr);
    break;
  case TileOp_Tile_DescStore:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_DescScatter:
    root = mlirOperationGetOperand(op, 0);
    break;
  case TileOp_Tile_AtomicPoll:
  case TileOp_Tile_GridDependencyWait:
  case TileOp_Func_Call:
    break;
  default:
    return MlirWalkResultAdvance;
  }
  w->found = !root.ptr || !mlirValueIsABlockArgument(root) || root.ptr == w->desc.ptr;
  return w->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool tileDescriptorIsReadOnly(MlirValue desc) {
  Writes w = {desc, !mlirValueIsABlockArgument(desc)};
  if (!w.found)
    mlirOperationWalk(mlirBlockGetParentOperation(tileValueGetBlock(desc)), findWrite, &w, MlirWalkPreOrder);
  return !w.found;
}

static MlirWalkResult findUnknown(MlirOperation op, void *user) {
  MlirValue pointer = tilePointerAccessOf(op).ptr;
  if (!pointer.ptr || tilePointerParameter(pointer).ptr)
    return MlirWalkResultAdvance;
  *(bool *)user = true;
  return MlirWalkResultInterrupt;
}

bool tileDescriptorIsStoredOnce(MlirValue desc) {
  MlirOpOperand use = mlirValueGetFirstUse(desc);
  bool isUnknown = false;
  if (!mlirValueIsABlockArgument(desc) || mlirOpOperandIsNull(use) ||
      !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return false;
  const TileOpKind kind = tileOpKind(mlirOpOperandGetOwner(use));
  if (kind != TileOp_Tile_DescStore && kind != TileOp_Tile_DescReduce)
    return false;
  mlirOperationWalk(mlirBlockGetParentOperation(tileValueGetBlock(desc)), findUnknown, &isUnknown,
                    MlirWalkPreOrder);
  return !isUnknown;
}

typedef struct Others {
  MlirValue desc;
  bool alsoReads;
} Others;

static MlirWalkResult assumeOther(MlirOperation op, void *user) {
  const Others *o = user;
  switch (tileOpKind(op)) {
  case TileOp_Tile_Store:
  case TileOp_Tile_AtomicRMW:
  case TileOp_Tile_AtomicCAS:
    tileAssumeSeparate(o->desc, tilePointerParameter(tilePointerAccessOf(op).ptr));
    break;
  case TileOp_Tile_Load:
    if (o->alsoReads)
      tileAssumeSeparate(o->desc, tilePointerParameter(tilePointerAccessOf(op).ptr));
    break;
  case TileOp_Tile_DescStore:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_DescScatter:
    tileAssumeSeparate(o->desc, mlirOperationGetOperand(op, 0));
    break;
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_DescGather:
    if (o->alsoReads)
      tileAssumeSeparate(o->desc, mlirOperationGetOperand(op, 0));
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

void tileAssumeDescriptorSeparate(MlirValue desc, bool alsoReads) {
  Others o = {desc, alsoReads};
  mlirOperationWalk(mlirBlockGetParentOperation(tileValueGetBlock(desc)), assumeOther, &o, MlirWalkPreOrder);
}
