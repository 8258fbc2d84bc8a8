/* MemoryRoots.c - which parameters of a kernel memory belongs to. */
#include "MemoryRoots.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/OpKind.h"
#include "tile-c/SeparateMemory.h"

static const MlirValue unknown = {NULL};

static bool isParameter(MlirValue v) {
  return mlirValueIsABlockArgument(v) &&
         tileOpKind(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v))) == TileOp_Func_Func;
}

static MlirValue towardsRoot(MlirValue v);

/* What variable `i` of a loop starts with, if the loop only moves it; a loop that exchanges pointers does not. */
static MlirValue startOfVariable(MlirOperation loop, intptr_t i) {
  if (tileOpKind(loop) != TileOp_SCF_For || i < 0)
    return unknown;
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(scfForOpCast(loop)));
  MlirValue next = mlirOperationGetOperand(mlirBlockGetTerminator(body), i);
  while (next.ptr && !mlirValueIsABlockArgument(next))
    next = towardsRoot(next);
  return mlirValueEqual(next, mlirBlockGetArgument(body, i + 1)) ? scfForOpGetInitArgs(scfForOpCast(loop), i)
                                                                 : unknown;
}

/* One step towards the parameter; null where nothing is known. */
static MlirValue towardsRoot(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr)
    return startOfVariable(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(v)),
                           mlirBlockArgumentGetArgNumber(v) - 1);
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
    return startOfVariable(op, mlirOpResultGetResultNumber(v));
  case TileOp_Tile_AddPtr:
  case TileOp_Tile_Bitcast:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Gather:
  case TileOp_Tile_Reshape:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Trans:
  case TileOp_Tile_Unsplat:
  case TileOp_TileGPU_ConvertLayout:
    return mlirOperationGetOperand(op, 0);
  default:
    return unknown;
  }
}

MlirValue tilePointerParameter(MlirValue pointer) {
  while (pointer.ptr && !isParameter(pointer))
    pointer = towardsRoot(pointer);
  return pointer;
}

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

/* The only access, or pieces of one (convert-tile-to-tile-gpu): they are apart. */
static bool isOneStore(MlirValue desc) {
  int count = 0, pieces = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(desc); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    const TileOpKind kind = tileOpKind(op);
    if (kind != TileOp_Tile_DescStore && kind != TileOp_Tile_DescReduce)
      return false;
    ++count;
    pieces += mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.only_piece")).ptr != NULL;
  }
  return count == 1 || (count && pieces == count);
}

bool tileDescriptorIsStoredOnce(MlirValue desc) {
  bool isUnknown = false;
  if (!mlirValueIsABlockArgument(desc) || !isOneStore(desc))
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
