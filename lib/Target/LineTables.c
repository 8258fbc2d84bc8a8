/* LineTables.c - makes a module's locations such that every instruction gets one line.
 *
 *   loc(fused["a.py":13:3, "b.py":14:4])   becomes   loc("a.py":13:3)
 * since LLVM, which has no fused locations, would give an instruction with two of them line 0. Names go too,
 * a range becomes its start; calls stay, as the frames that a debugger shows, if both ends have a position:
 * upstream's pass for debug scopes crashes on a call from or of an unknown place. */
#include "LLVMModule.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include <stdlib.h>

static bool hasPosition(MlirLocation loc) {
  return mlirLocationIsAFileLineColRange(tileLocationPosition(loc));
}

/* The first part with a position, else the first. */
static MlirLocation choosePart(MlirLocation fused) {
  unsigned n = mlirLocationFusedGetNumLocations(fused), chosen = 0;
  MlirLocation *parts = n ? malloc(n * sizeof *parts) : NULL;
  if (!parts)
    return mlirLocationUnknownGet(mlirLocationGetContext(fused));
  mlirLocationFusedGetLocations(fused, parts);
  while (chosen < n && !hasPosition(parts[chosen]))
    ++chosen;
  MlirLocation part = parts[chosen < n ? chosen : 0];
  free(parts);
  return part;
}

static MlirLocation startOf(MlirLocation range) {
  return mlirLocationFileLineColGet(mlirLocationGetContext(range),
                                    mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(range)),
                                    (unsigned)mlirLocationFileLineColRangeGetStartLine(range),
                                    (unsigned)mlirLocationFileLineColRangeGetStartColumn(range));
}

static MlirLocation oneLine(MlirLocation loc) {
  for (;;) {
    if (mlirLocationIsAName(loc))
      loc = mlirLocationNameGetChildLoc(loc);
    else if (mlirLocationIsAFused(loc))
      loc = choosePart(loc);
    else
      break;
  }
  if (mlirLocationIsAFileLineColRange(loc))
    return startOf(loc);
  if (!mlirLocationIsACallSite(loc))
    return loc;
  MlirLocation callee = oneLine(mlirLocationCallSiteGetCallee(loc)),
               caller = oneLine(mlirLocationCallSiteGetCaller(loc));
  if (!hasPosition(callee))
    return caller;
  return hasPosition(caller) ? mlirLocationCallSiteGet(callee, caller) : callee;
}

static MlirWalkResult simplify(MlirOperation op, void *user) {
  TileOpKind kind = tileOpKind(op);
  /* A function's fusion may hold its debug scope. */
  if (kind != TileOp_LLVM_LLVMFunc)
    mlirOperationSetLocation(op, oneLine(mlirOperationGetLocation(op)));
  return MlirWalkResultAdvance;
}

MlirLogicalResult tilePrepareLineTables(MlirModule module, bool directivesOnly) {
  mlirOperationWalk(mlirModuleGetOperation(module), simplify, NULL, MlirWalkPreOrder);
  return tileAddDebugScopes(module, directivesOnly);
}
