/* Optimize.c - which of LLVM's passes run over a module of kernels.
 *
 * LLVM's own pipelines visit loops, calls and memory several times, with an InstCombine after each visit. Most
 * kernels have no loop: the lowering has unrolled every tensor into registers. For these one visit does, and what the
 * NVPTX back end would run over the IR after it can be left out too (CodeGen.h): over the kernels of our test data
 * the short way gives no more than "default<O3>" (23,960 instead of 24,048 machine instructions, 2,736 instead of 2,859
 * registers, by ptxas for sm_90a) in a fifth of the time. */
#include "LLVMModule.h"
#include "tile-c/IR.h"
#include "tile-c/Support/PointerMap.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/Transforms/PassBuilder.h"

static const char straightPipeline[] =
    "function("
    "early-cse<memssa>,"      /* each register of a thread computed its coordinates anew */
    "simplifycfg,"            /* blocks that the lowering only opened to have a place */
    "jump-threading,"         /* ops under one mask, each written in two forms: one branch for all */
    "reassociate,"            /* sums of indices in one order */
    "slsr,"                   /* an address from its neighbour's */
    "gvn,"                    /* what they share, across blocks too */
    "bdce,"                   /* bits that nobody asks for */
    "correlated-propagation," /* no-wrap flags from the ranges of ids: offsets fold into addresses */
    "instcombine<no-verify-fixpoint>,"
    "simplifycfg<sink-common-insts;hoist-common-insts>)";

/// A block whose successors before `next` have been visited.
typedef struct Visit {
  LLVMValueRef end;
  LLVMBasicBlockRef block;
  unsigned next;
} Visit;

static Visit startVisit(TilePointerMap *state, LLVMBasicBlockRef block, const char *open) {
  tilePointerMapSet(state, block, (void *)open);
  return (Visit){.end = LLVMGetBasicBlockTerminator(block), .block = block};
}

/// True if a branch leads to a block that leads to it: depth first; the blocks on the way are open. The order
/// in which blocks are written says nothing: the translation from MLIR may write a join before its branches.
static bool hasLoop(LLVMValueRef function, TileArena *arena) {
  static const char open, done;
  TilePointerMap state = {.arena = arena};
  Visit *stack = tileArenaAlloc(arena, LLVMCountBasicBlocks(function), sizeof *stack);
  size_t depth = 0;
  stack[depth++] = startVisit(&state, LLVMGetEntryBasicBlock(function), &open);
  while (depth) {
    Visit *top = &stack[depth - 1];
    if (!top->end || top->next == LLVMGetNumSuccessors(top->end)) {
      tilePointerMapSet(&state, top->block, (void *)&done);
      --depth;
      continue;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(top->end, top->next++);
    const char *known = tilePointerMapFind(&state, next);
    if (known == &open)
      return true;
    if (!known)
      stack[depth++] = startVisit(&state, next, &open);
  }
  return false;
}

bool tileIsStraightCode(LLVMModuleRef module) {
  TileArena arena = {0};
  bool straight = true;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && straight; f = LLVMGetNextFunction(f))
    straight = LLVMIsDeclaration(f) || (tileIsKernel(f) && !hasLoop(f, &arena));
  tileArenaRelease(&arena);
  return straight;
}

/// AMD's back end adds passes of its own to LLVM's pipelines, so it always gets those.
bool tileTakesShortPipeline(const TileLLVMModule *m) {
  return m->straight && (m->options->optLevel & 3) >= 2 && m->options->target->vendor == TileVendor_NVIDIA;
}

static const char *choosePipeline(const TileLLVMModule *m) {
  static const char *const pipelines[] = {"default<O0>", "default<O1>", "default<O2>", "default<O3>"};
  return tileTakesShortPipeline(m) ? straightPipeline : pipelines[m->options->optLevel & 3];
}

MlirLogicalResult tileLLVMModuleOptimize(TileLLVMModule *m) {
  LLVMPassBuilderOptionsRef passes = LLVMCreatePassBuilderOptions();
  // A thread is scalar: there is no vector unit for the loop vectoriser to fill.
  LLVMPassBuilderOptionsSetLoopVectorization(passes, false);
  LLVMPassBuilderOptionsSetLoopInterleaving(passes, false);
  LLVMPassBuilderOptionsSetSLPVectorization(passes, m->options->slpVectorize);
  LLVMErrorRef error = LLVMRunPasses(m->module, choosePipeline(m), m->machine, passes);
  LLVMDisposePassBuilderOptions(passes);
  if (!error && m->options->target->vendor == TileVendor_NVIDIA)
    tileNvptxGuardShifts(m->module);
  if (!error && m->options->target->vendor == TileVendor_AMD) {
    tileAmdWidenDivisions(m->module);
    tileAmdgpuGuard(m->module);
  }
  if (!error)
    return m->failed ? tileFailure() : tileSuccess();
  char *text = LLVMGetErrorMessage(error);
  tileEmitError(m->loc, "LLVM cannot optimise kernel %s: %s", m->kernels, text);
  LLVMDisposeErrorMessage(text);
  return tileFailure();
}
