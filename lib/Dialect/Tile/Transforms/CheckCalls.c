/* CheckCalls.c - tile-check-calls: refuses calls that inlining could not remove.
 *
 *   func.func private @f(%n: i32) -> i32 { %r = func.call @f(%n) : (i32) -> i32 ... }
 * gives
 *   error: 'func.call' op calls 'f' recursively, which is not supported: helpers are inlined
 *
 * requires: func.func and func.call. ensures: `inline` removes every call, and within a bounded number of
 * them. */
#include "tile-c/Dialect/Func.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Arena.h"
#include <stdint.h>

enum { MAX_INLINED = 1 << 16 };

typedef struct Call {
  MlirOperation op;
  intptr_t callee; ///< index of the function
} Call;

typedef enum Visit { Visit_None, Visit_Open, Visit_Done } Visit;

typedef struct Function {
  FuncFuncOp op;
  MlirStringRef name;
  intptr_t firstCall, numCalls, nextCall; ///< nextCall: the first that the walk has not followed yet
  Visit visit;
  int64_t inlined; ///< calls in its body once everything is inlined
} Function;

typedef struct CallGraph {
  TileArena arena;
  Function *functions;
  Call *calls;
  intptr_t numFunctions, numCalls, current;
  MlirLogicalResult result;
} CallGraph;

static MlirWalkResult countOps(MlirOperation op, void *user) {
  CallGraph *g = user;
  g->numFunctions += !funcFuncOpIsNull(funcFuncOpCast(op));
  g->numCalls += !funcCallOpIsNull(funcCallOpCast(op));
  return MlirWalkResultAdvance;
}

static intptr_t findFunction(const CallGraph *g, MlirStringRef name) {
  for (intptr_t i = 0; i < g->numFunctions; ++i)
    if (mlirStringRefEqual(g->functions[i].name, name))
      return i;
  return -1;
}

static MlirWalkResult collectFunction(MlirOperation op, void *user) {
  CallGraph *g = user;
  FuncFuncOp function = funcFuncOpCast(op);
  if (funcFuncOpIsNull(function))
    return MlirWalkResultAdvance;
  g->functions[g->numFunctions++] = (Function){.op = function, .name = funcFuncOpGetSymName(function)};
  return MlirWalkResultSkip;
}

static MlirWalkResult collectCall(MlirOperation op, void *user) {
  CallGraph *g = user;
  FuncCallOp call = funcCallOpCast(op);
  if (funcCallOpIsNull(call))
    return MlirWalkResultAdvance;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(funcCallOpGetCalleeAttr(call));
  intptr_t callee = findFunction(g, name);
  if (callee < 0 || !mlirRegionGetFirstBlock(funcFuncOpGetBody(g->functions[callee].op)).ptr) {
    g->result = tileEmitOpError(op, "calls '%.*s', which has no body, expected a function of this file",
                                (int)name.length, name.data);
    return MlirWalkResultInterrupt;
  }
  g->calls[g->numCalls++] = (Call){op, callee};
  ++g->functions[g->current].numCalls;
  return MlirWalkResultAdvance;
}

static MlirLogicalResult buildGraph(CallGraph *g, MlirOperation module) {
  g->result = tileSuccess();
  mlirOperationWalk(module, countOps, g, MlirWalkPreOrder);
  g->functions = tileArenaAlloc(&g->arena, (size_t)g->numFunctions, sizeof *g->functions);
  g->calls = tileArenaAlloc(&g->arena, (size_t)g->numCalls, sizeof *g->calls);
  g->numFunctions = g->numCalls = 0;
  mlirOperationWalk(module, collectFunction, g, MlirWalkPreOrder);
  for (g->current = 0; g->current < g->numFunctions && tileSucceeded(g->result); ++g->current) {
    Function *f = &g->functions[g->current];
    f->firstCall = f->nextCall = g->numCalls;
    mlirOperationWalk(f->op.op, collectCall, g, MlirWalkPreOrder);
  }
  return g->result;
}

static MlirLogicalResult refuseRecursion(const Call *call, const Function *callee) {
  return tileEmitOpErrorWithNote(call->op, mlirOperationGetLocation(callee->op.op), "the function is here",
                                 "calls '%.*s' recursively, which is not supported: helpers are inlined",
                                 (int)callee->name.length, callee->name.data);
}

/* All calls of the function have been followed. */
static MlirLogicalResult finish(CallGraph *g, Function *f) {
  f->visit = Visit_Done;
  for (intptr_t i = 0; i < f->numCalls; ++i) {
    const Call *call = &g->calls[f->firstCall + i];
    f->inlined += 1 + g->functions[call->callee].inlined;
    if (f->inlined > MAX_INLINED)
      return tileEmitOpError(call->op, "leads to more than %d inlined calls, expected fewer", MAX_INLINED);
  }
  return tileSuccess();
}

/* Depth first, with a stack of our own: a file may nest calls deeply. */
static MlirLogicalResult visit(CallGraph *g, intptr_t root, intptr_t *stack) {
  intptr_t depth = 0;
  stack[depth++] = root;
  g->functions[root].visit = Visit_Open;
  while (depth) {
    Function *f = &g->functions[stack[depth - 1]];
    if (f->nextCall == f->firstCall + f->numCalls) {
      --depth;
      if (tileFailed(finish(g, f)))
        return tileFailure();
      continue;
    }
    const Call *call = &g->calls[f->nextCall++];
    Function *callee = &g->functions[call->callee];
    if (callee->visit == Visit_Open)
      return refuseRecursion(call, callee);
    if (callee->visit == Visit_None) {
      callee->visit = Visit_Open;
      stack[depth++] = call->callee;
    }
  }
  return tileSuccess();
}

/* What stays in the module by itself; private functions that nobody calls go unseen. */
static bool isRoot(const Function *f) {
  MlirAttribute visibility = funcFuncOpGetSymVisibilityAttr(f->op);
  return !visibility.ptr || mlirStringRefEqual(mlirStringAttrGetValue(visibility), tileStr("public")) ||
         mlirOperationGetDiscardableAttributeByName(f->op.op, tileStr("tile.kernel")).ptr;
}

MlirLogicalResult tileCheckCallsRun(MlirOperation module, const TileCheckCallsParams *params) {
  CallGraph g = {0};
  MlirLogicalResult result = buildGraph(&g, module);
  intptr_t *stack = tileArenaAlloc(&g.arena, (size_t)g.numFunctions, sizeof *stack);
  for (intptr_t i = 0; i < g.numFunctions && tileSucceeded(result); ++i)
    if (isRoot(&g.functions[i]) && g.functions[i].visit == Visit_None)
      result = visit(&g, i, stack);
  tileArenaRelease(&g.arena);
  return result;
}
