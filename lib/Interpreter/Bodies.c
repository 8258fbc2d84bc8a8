/* Bodies.c - scalar combiner regions, decoded once and executed on many elements at a time. */
#include "Decode.h"

/// True if every op of the region works on each lane by itself: no regions, branches or calls, which may hold
/// some.
static bool isStraightLine(MlirRegion region) {
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockGetNextInRegion(block).ptr)
    return false;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumRegions(op) || mlirOperationGetNumSuccessors(op) ||
        tileOpKind(op) == TileOp_Func_Call)
      return false;
  return true;
}

Body *interpDecodeBody(Decoder *d, MlirOperation op, MlirRegion region, int64_t lanes) {
  Body *body = tileArenaAlloc(&d->arena, 1, sizeof *body);
  body->byLane = !isStraightLine(region);
  body->lanes = body->byLane ? 1 : lanes;
  Body *outer = d->body;
  d->body = body;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  body->numArguments = (int)mlirBlockGetNumArguments(block);
  body->arguments = tileArenaAlloc(&d->arena, (size_t)body->numArguments, sizeof(Slot *));
  bool ok = true;
  for (int a = 0; a < body->numArguments && ok; ++a) {
    MlirValue argument = mlirBlockGetArgument(block, a);
    body->arguments[a] = interpNewSlot(d, op, mlirValueGetType(argument));
    if ((ok = body->arguments[a] != NULL))
      interpBind(d, argument, body->arguments[a]);
  }
  // The body is not on the straight way: the instruction after it is reached by a jump over it.
  Instruction *over = interpEmitJump(d, op, NULL);
  body->begin = d->numCode;
  body->numYields = (int)mlirOperationGetNumOperands(mlirBlockGetTerminator(block));
  body->yields = tileArenaAlloc(&d->arena, (size_t)body->numYields, sizeof(Slot *));
  ok = ok && interpDecodeRegion(d, region, body->yields, body->numYields);
  body->end = over->target = d->numCode;
  d->body = outer;
  return ok ? body : NULL;
}

bool interpRunBody(Machine *m, Body *body, int64_t lanes) {
  for (int s = 0; s < body->slots.count; ++s)
    body->slots.items[s]->count = lanes;
  for (int c = 0; c < body->captures.count; c += 2) {
    Slot *outer = body->captures.items[c], *inner = body->captures.items[c + 1];
    interpCopyElements(inner->data, 1, outer->data, 0, lanes, inner->size);
  }
  return interpRun(m, body->begin, body->end);
}
