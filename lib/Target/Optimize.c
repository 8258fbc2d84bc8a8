/* Optimize.c - which of LLVM's passes run over a module of kernels.
 *
 * LLVM's own pipelines visit loops, calls and memory several times, with an InstCombine after each visit. The
 * lowering has unrolled every tensor into registers, so one visit does, and what the NVPTX back end would run over the
 * IR after it can be left out too (CodeGen.h). Over the kernels of our test data without loops the short way gives no
 * more than "default<O3>" (23,960 instead of 24,048 machine instructions, 2,736 instead of 2,859 registers, by ptxas
 * for sm_90a) in a fifth of the time. With loops (the second list; 87 kernels) it gives 2 % fewer instructions, 1 %
 * inside of loops, and no more spilling; ptxas unrolls some loops that LLVM would have unrolled. */
#include "CodeGen.h"
#include "LLVMModule.h"
#include "tile-c/IR.h"
#include "tile-c/Support/PointerMap.h"
#include "llvm-c/Core.h"
#include "llvm-c/Error.h"
#include "llvm-c/Transforms/PassBuilder.h"

/// An address from its neighbour's: looked for among all of them, so that it takes seconds for long functions, where it
/// changes least.
#define NEIGHBOURS "slsr,"
enum {
  NEIGHBOURS_LIMIT = 6000,
  /// In longer code, whose tensors live in memory, the pairs that LLVM's vectoriser finds take it two thirds of the time.
  VECTORIZE_LIMIT = 40000
};

#define STRAIGHT(neighbours)                                                                                 \
  "function("                                                                                                \
  "early-cse<memssa>,"        /* each register of a thread computed its coordinates anew */                  \
  "simplifycfg,"              /* blocks that the lowering only opened to have a place */                     \
  "jump-threading,"           /* ops under one mask, each written in two forms: one branch for all */        \
  "reassociate,"              /* sums of indices in one order */                                             \
      neighbours "early-cse," /* what they share; GVN finds no more, in three times as long */               \
  "bdce,"                     /* bits that nobody asks for */                                                \
  "correlated-propagation,"   /* no-wrap flags from the ranges of ids: offsets fold into addresses */        \
  "instcombine<no-verify-fixpoint>,"                                                                         \
  "simplifycfg<sink-common-insts;hoist-common-insts>)"

#define VALUES "gvn<no-load-pre;no-memdep>," /* early-cse has seen to the loads */

/// Two operations of 16 bits in one: it looks for them among all values, up to a quarter of the time.
#define PAIRS "slp-vectorizer,"

#define LOOPS(neighbours, pairs)                                                                             \
  "function("                                                                                                \
  "nvvm-intr-range,early-cse<memssa>,simplifycfg,jump-threading,reassociate,"                                \
  "loop-mssa(loop-rotate,licm),"    /* one branch an iteration; what stays the same, out of it */            \
  "loop(indvars,loop-unroll-full)," /* or ptxas does not see how often, and unrolls */                       \
      neighbours VALUES "bdce,correlated-propagation,instcombine<no-verify-fixpoint>,"                       \
  "simplifycfg<sink-common-insts;hoist-common-insts>," pairs "instcombine<no-verify-fixpoint>,"              \
  "separate-const-offset-from-gep,nary-reassociate,early-cse,"                                               \
  "loop(loop-reduce))" /* addresses that count along */

/* What "default<O3>" runs over functions, in its order, without what is for arrays on the stack, calls and assumptions. Its
 * analyses of whole modules find nothing in kernels and took up to half of the time, most of it with the results of
 * products, of a hundred parts each. Passes that seem to do nothing for a kernel still change the order of its moves. */
#define TIDY "instcombine<no-verify-fixpoint>,"
#define WARP_GROUPS(pairs)                                                                                   \
  "function("                                                                                                \
  "nvvm-intr-range,simplifycfg,sroa<modify-cfg>,early-cse<>," TIDY "simplifycfg,"                            \
  "early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg," TIDY                                \
  "reassociate,constraint-elimination,"                                                                      \
  "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,licm,"                 \
  "simple-loop-unswitch<nontrivial;trivial>),simplifycfg," TIDY                                              \
  "loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,"                                \
  "vector-combine,mldst-motion,gvn<>,sccp,bdce," TIDY "jump-threading,correlated-propagation,adce,"          \
  "memcpyopt,dse,loop-mssa(licm),simplifycfg<hoist-common-insts;sink-common-insts>," TIDY "float2int,"       \
  "loop(loop-rotate,loop-deletion),loop-load-elim," TIDY                                                     \
  "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;"                     \
  "hoist-common-insts;sink-common-insts>," pairs "vector-combine," TIDY                                      \
  "loop-unroll<O3>,sroa<preserve-cfg>," TIDY                                                                 \
  "loop-mssa(licm),loop-sink,instsimplify,div-rem-pairs,simplifycfg<speculate-unpredictables>)"

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

/// ptxas serialises products of warp groups whose accumulators other instructions define, and whether there are such
/// (moves at a loop's edge) hangs on the passes: these kernels get LLVM's own order, by which they have been measured.
static bool multipliesByWarpGroups(LLVMValueRef function) {
  static const char product[] = "wgmma.mma_async";
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (!LLVMIsACallInst(i) || !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
        continue;
      size_t length;
      const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &length);
      if (memmem(text, length, product, sizeof product - 1))
        return true;
    }
  return false;
}

static TileCodeShape shapeOfKernel(LLVMValueRef kernel, TileArena *arena) {
  if (!hasLoop(kernel, arena))
    return TileCodeShape_Straight;
  return multipliesByWarpGroups(kernel) ? TileCodeShape_WarpGroups : TileCodeShape_Loops;
}

TileCodeShape tileCodeShapeOf(LLVMModuleRef module) {
  TileArena arena = {0};
  TileCodeShape shape = TileCodeShape_Straight;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    TileCodeShape own = tileIsKernel(f) ? shapeOfKernel(f, &arena) : TileCodeShape_Other;
    shape = own > shape ? own : shape; // the one with the more general pipeline
  }
  tileArenaRelease(&arena);
  return shape;
}

bool tileIsFunctionLongerThan(LLVMValueRef function, unsigned limit) {
  unsigned count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
      if (++count > limit)
        return true;
  return false;
}

bool tileIsLongerThan(LLVMModuleRef module, unsigned limit) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (tileIsFunctionLongerThan(f, limit))
      return true;
  return false;
}

/// AMD's back end adds passes of its own to LLVM's pipelines, so it always gets those.
static bool takesOwnPipeline(const TileLLVMModule *m) {
  return m->shape != TileCodeShape_Other && (m->options->optLevel & 3) >= 2 &&
         m->options->target->vendor == TileVendor_NVIDIA;
}

bool tileTakesShortPipeline(const TileLLVMModule *m) {
  return takesOwnPipeline(m) && m->shape != TileCodeShape_WarpGroups;
}

/// Whether an instruction computes in 16 bits or fewer, or converts floats of them: what may have a form for pairs.
static bool isNarrow(LLVMValueRef instruction) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  if (opcode == LLVMLoad || (opcode == LLVMCall && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction))))
    return false;
  LLVMTypeRef type = LLVMTypeOf(opcode == LLVMFPExt ? LLVMGetOperand(instruction, 0) : instruction);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
    return LLVMGetIntTypeWidth(type) == 8 || LLVMGetIntTypeWidth(type) == 16;
  return LLVMGetTypeKind(type) == LLVMHalfTypeKind || LLVMGetTypeKind(type) == LLVMBFloatTypeKind;
}

static bool hasNarrow(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (isNarrow(i))
          return true;
  return false;
}

static const char *choosePipeline(const TileLLVMModule *m) {
  static const char *const pipelines[] = {"default<O0>", "default<O1>", "default<O2>", "default<O3>"};
  static const char *const own[][2][2] = {
      [TileCodeShape_Straight] = {{STRAIGHT(NEIGHBOURS), STRAIGHT(NEIGHBOURS)}, {STRAIGHT(""), STRAIGHT("")}},
      [TileCodeShape_Loops] = {{LOOPS(NEIGHBOURS, ""), LOOPS(NEIGHBOURS, PAIRS)},
                               {LOOPS("", ""), LOOPS("", PAIRS)}},
      [TileCodeShape_WarpGroups] = {{WARP_GROUPS(""), WARP_GROUPS(PAIRS)},
                                    {WARP_GROUPS(""), WARP_GROUPS(PAIRS)}}};
  unsigned level = (unsigned)m->options->optLevel & 3;
  if (!takesOwnPipeline(m))
    return pipelines[level > 1 && tileIsLongerThan(m->module, VECTORIZE_LIMIT) ? 1 : level];
  return own[m->shape][tileIsLongerThan(m->module, NEIGHBOURS_LIMIT)][hasNarrow(m->module)];
}

MlirLogicalResult tileLLVMModuleOptimize(TileLLVMModule *m) {
  LLVMPassBuilderOptionsRef passes = LLVMCreatePassBuilderOptions();
  // A thread is scalar: there is no vector unit for the loop vectoriser to fill.
  LLVMPassBuilderOptionsSetLoopVectorization(passes, false);
  LLVMPassBuilderOptionsSetLoopInterleaving(passes, false);
  LLVMPassBuilderOptionsSetSLPVectorization(passes, m->options->slpVectorize);
  if (m->options->target->vendor == TileVendor_AMD && m->options->optLevel)
    tileAmdWholePhis(m->module);
  if (m->options->target->vendor == TileVendor_AMD && m->options->optLevel &&
      tileTargetHas(m->options->target, TileFeature_PackedF32))
    tileAmdPackFloats(m->module);
  /* No instruction of ours makes poison, and of those that LLVM's passes change it is proved. Products of warp groups keep the
   * addresses that they have been measured with. */
  tileReuseGuardEnter(!tileTakesShortPipeline(m));
  LLVMErrorRef error = LLVMRunPasses(m->module, choosePipeline(m), m->machine, passes);
  tileReuseGuardLeave();
  LLVMDisposePassBuilderOptions(passes);
  if (!error)
    tileSinkLoads(m->module);
  if (!error && m->options->target->vendor == TileVendor_NVIDIA) {
    tileNvptxGuardShifts(m->module);
    if (m->options->optLevel)
      tileNvptxPackBits(m->module);
  }
  if (!error && m->options->target->vendor == TileVendor_AMD) {
    tileAmdWidenDivisions(m->module);
    tileAmdgpuGuard(m->module);
    tileAmdRecompute(m->module, m->options->target);
    tileAmdSinkAddresses(m->module);
    m->shortened = tileShortenFunctions(m->module, m->options->target);
  }
  if (!error)
    return m->failed ? tileFailure() : tileSuccess();
  char *text = LLVMGetErrorMessage(error);
  tileEmitError(m->loc, "LLVM cannot optimise kernel %s: %s", m->kernels, text);
  LLVMDisposeErrorMessage(text);
  return tileFailure();
}
