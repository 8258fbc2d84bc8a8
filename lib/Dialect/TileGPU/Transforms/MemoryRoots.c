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

/* A coordinate as a value and a constant; the value of a constant is null. */
static MlirValue withoutConstant(MlirValue v, int64_t *out_constant) {
  MlirOperation op = tileValueGetDefiningOp(v);
  *out_constant = 0;
  if (tileValueConstantInt(v, out_constant))
    return unknown;
  if (op.ptr && tileOpKind(op) == TileOp_Arith_AddI &&
      tileValueConstantInt(mlirOperationGetOperand(op, 1), out_constant))
    return mlirOperationGetOperand(op, 0);
  return v;
}

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

MlirValue tileAccessedParameter(MlirOperation access) {
  MlirValue ptr = tilePointerAccessOf(access).ptr;
  MlirValue root = ptr.ptr ? tilePointerParameter(ptr) : mlirOperationGetOperand(access, 0);
  return root.ptr && mlirValueIsABlockArgument(root) ? root : (MlirValue){NULL};
}

static MlirAttribute formed(MlirValue desc) {
  MlirOperation op = tileValueGetDefiningOp(desc);
  return op.ptr && tileOpKind(op) == TileOp_Tile_MakeDesc
             ? mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.formed"))
             : (MlirAttribute){NULL};
}

static bool isFormedTo(MlirValue desc, const char *verb) {
  MlirAttribute a = formed(desc);
  return a.ptr && mlirAttributeIsAString(a) && mlirStringRefEqual(mlirStringAttrGetValue(a), tileStr(verb));
}

bool tileDescriptorIsFormed(MlirValue desc) { return formed(desc).ptr; }

/* The parameter that a descriptor is, or is made of; null if it is not known. */
static MlirValue parameterOf(MlirValue desc) {
  MlirOperation op = tileValueGetDefiningOp(desc);
  if (!op.ptr)
    return isParameter(desc) ? desc : unknown;
  return tileOpKind(op) == TileOp_Tile_MakeDesc ? tilePointerParameter(mlirOperationGetOperand(op, 0))
                                                : unknown;
}

MlirValue tileMemoryParameter(MlirOperation access) {
  MlirValue ptr = tilePointerAccessOf(access).ptr;
  return ptr.ptr ? tilePointerParameter(ptr) : parameterOf(mlirOperationGetOperand(access, 0));
}

/* Whether a pointer may be of this parameter's memory: it is, or nothing is known. Branches choose among several. */
static bool mayPointTo(MlirValue pointer, MlirValue parameter, int depth) {
  enum { MostChoices = 8 };
  MlirValue at = pointer, next = pointer;
  while (next.ptr && !isParameter(next)) {
    at = next;
    next = towardsRoot(next);
  }
  if (next.ptr)
    return mlirValueEqual(next, parameter);
  MlirOperation op = tileValueGetDefiningOp(at);
  if (!op.ptr || depth == MostChoices)
    return true;
  if (tileOpKind(op) == TileOp_Arith_Select)
    return mayPointTo(mlirOperationGetOperand(op, 1), parameter, depth + 1) ||
           mayPointTo(mlirOperationGetOperand(op, 2), parameter, depth + 1);
  if (tileOpKind(op) != TileOp_SCF_If)
    return true;
  for (int arm = 0; arm < 2; ++arm) {
    MlirOperation yield = mlirBlockGetTerminator(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, arm)));
    if (mayPointTo(mlirOperationGetOperand(yield, mlirOpResultGetResultNumber(at)), parameter, depth + 1))
      return true;
  }
  return false;
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
    w->found = mayPointTo(tilePointerAccessOf(op).ptr, w->desc, 0);
    return w->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
  case TileOp_Tile_DescStore:
  case TileOp_Tile_DescReduce:
  case TileOp_Tile_DescScatter:
    root = parameterOf(mlirOperationGetOperand(op, 0));
    break;
  case TileOp_Tile_AtomicPoll:
    if (tileAtomicPollOpGetLaunch(tileAtomicPollOpCast(op)))
      return MlirWalkResultAdvance;
    break;
  case TileOp_Tile_GridDependencyWait:
  case TileOp_Func_Call:
    break;
  default:
    return MlirWalkResultAdvance;
  }
  w->found = !root.ptr || !mlirValueIsABlockArgument(root) || root.ptr == w->desc.ptr;
  return w->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool tileParameterIsReadOnly(MlirValue pointer) {
  Writes w = {pointer, false};
  mlirOperationWalk(mlirBlockGetParentOperation(tileValueGetBlock(pointer)), findWrite, &w, MlirWalkPreOrder);
  return !w.found;
}

bool tileDescriptorIsReadOnly(MlirValue desc) {
  if (isFormedTo(desc, "loaded")) // asked before
    return true;
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

/* Whether two stores are through one descriptor, of blocks beside each other: their coordinates differ by a constant of at least a
 * block's size along a dimension. */
static bool areApart(MlirOperation x, MlirOperation y) {
  TileDescStoreOp a = tileDescStoreOpCast(x), b = tileDescStoreOpCast(y);
  MlirType desc = mlirValueGetType(tileDescStoreOpGetDesc(a));
  if (tileDescStoreOpIsNull(b) || !mlirValueEqual(tileDescStoreOpGetDesc(a), tileDescStoreOpGetDesc(b)))
    return false;
  for (intptr_t d = 0; d < tileDescStoreOpGetNumCoords(a); ++d) {
    int64_t from, to;
    MlirValue u = withoutConstant(tileDescStoreOpGetCoords(a, d), &from),
              v = withoutConstant(tileDescStoreOpGetCoords(b, d), &to);
    const int64_t distance = from < to ? to - from : from - to;
    if (u.ptr == v.ptr && distance >= tileDescTypeGetShape(desc, d) && distance < INT32_MAX)
      return true;
  }
  return false;
}

/* Whether a descriptor of this memory is made for something else than the store, and stores of blocks beside its own. */
static bool isMadeForMore(MlirOperation make, MlirValue parameter, MlirOperation store) {
  MlirValue root = tilePointerParameter(mlirOperationGetOperand(make, 0)),
            desc = mlirOperationGetResult(make, 0);
  if (root.ptr && !mlirValueEqual(root, parameter))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(desc); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!mlirOperationEqual(mlirOpOperandGetOwner(use), store) &&
        !areApart(store, mlirOpOperandGetOwner(use)))
      return true;
  return !root.ptr;
}

typedef struct Uses {
  MlirValue parameter;
  MlirOperation store;
  bool found; ///< something else
} Uses;

static MlirWalkResult findUse(MlirOperation op, void *user) {
  Uses *u = user;
  MlirValue pointer = tilePointerAccessOf(op).ptr;
  const TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_Func_Call || kind == TileOp_Tile_AtomicPoll ||
      (kind == TileOp_Tile_MakeDesc && isMadeForMore(op, u->parameter, u->store)))
    u->found = true;
  if (pointer.ptr && op.ptr != u->store.ptr) {
    MlirValue root = tilePointerParameter(pointer);
    u->found |= !root.ptr || mlirValueEqual(root, u->parameter);
  }
  return u->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool tileParameterIsStoredOnce(MlirValue pointer, MlirOperation store) {
  Uses u = {pointer, store, false};
  mlirOperationWalk(mlirBlockGetParentOperation(tileValueGetBlock(pointer)), findUse, &u, MlirWalkPreOrder);
  return !u.found;
}

bool tileDescriptorIsStoredOnce(MlirValue desc) {
  if (isFormedTo(desc, "stored")) // asked before
    return true;
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
    tileAssumeSeparate(o->desc, parameterOf(mlirOperationGetOperand(op, 0)));
    break;
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_DescGather:
    if (o->alsoReads)
      tileAssumeSeparate(o->desc, parameterOf(mlirOperationGetOperand(op, 0)));
    break;
  default:
    break;
  }
  return MlirWalkResultAdvance;
}

void tileAssumeDescriptorSeparate(MlirValue desc, bool alsoReads) {
  Others o = {parameterOf(desc), alsoReads};
  mlirOperationWalk(mlirBlockGetParentOperation(tileValueGetBlock(o.desc)), assumeOther, &o,
                    MlirWalkPreOrder);
}
