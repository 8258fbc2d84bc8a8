/* AmdRecompute.c - after all passes over the IR: what threads compute from their number in front of a loop of matrix products, for use
 * behind it alone, is computed again behind it.
 *
 *   %tid = call @llvm.amdgcn.workitem.id.x()          %tid = call @llvm.amdgcn.workitem.id.x()
 *   %row = lshr %tid, 3                               loop: ... mfma ...
 *   loop: ... mfma ...                        to      behind:
 *   behind:                                             %again = call asm sideeffect "", "=v,0"(%tid)
 *     %at = getelementptr %c, %row                      %row2 = lshr %again, 3
 *                                                       %at = getelementptr %c, %row2
 *
 * Such a loop needs all registers for accumulators and fragments. Addresses of the result, and of the loop that does the rest, are tens
 * of registers that would wait through it, or be spilled around it; they are as many instructions once. What is the same for all
 * threads stays: scalar registers are not short.
 *
 * The loop that does the rest runs once for most sizes. If it takes many registers' worth of that, addresses in shared memory most of
 * all, it computes them in each iteration; so does the fast one on RDNA, where softmax stands between its products. */
#include "LLVMModule.h"
#include "tile-c/Support/PointerMap.h"
#include "llvm-c/Core.h"
#include <string.h>

enum { FEWEST_PRODUCTS = 8, MOST_CLONES = 1024, MOST_DEPTH = 64 };

typedef enum Nature { Nature_Unknown, Nature_Uniform, Nature_OfThread, Nature_Other } Nature;

/// The other ends of block b's edges are others[first[b]] to others[first[b + 1] - 1].
typedef struct Edges {
  unsigned *first, *others;
} Edges;

typedef struct Recompute {
  TileArena *arena;
  LLVMBuilderRef builder;
  TilePointerMap numbers; ///< block: its number + 1
  LLVMBasicBlockRef *blocks;
  unsigned numBlocks, *stack; ///< room for every block
  Edges out, in;
  TilePointerMap natures; ///< instruction: Nature
  TilePointerMap clones;  ///< instruction: what is computed again
  LLVMValueRef place;     ///< in front of which
  int numClones;
  bool isShort; ///< 256 registers are all there are
} Recompute;

// ---- Blocks ----

static unsigned numberOf(const Recompute *r, LLVMBasicBlockRef b) {
  return (unsigned)(size_t)tilePointerMapFind(&r->numbers, b) - 1;
}

static unsigned numSuccessors(const Recompute *r, unsigned block) {
  return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(r->blocks[block]));
}

static void findEdges(Recompute *r) {
  const unsigned n = r->numBlocks;
  r->out.first = tileArenaAlloc(r->arena, n + 2, sizeof(unsigned));
  r->in.first = tileArenaAlloc(r->arena, n + 2, sizeof(unsigned));
  for (unsigned b = 0; b < n; ++b)
    r->out.first[b + 1] = r->out.first[b] + numSuccessors(r, b);
  r->out.others = tileArenaAlloc(r->arena, r->out.first[n] + 1, sizeof(unsigned));
  r->in.others = tileArenaAlloc(r->arena, r->out.first[n] + 1, sizeof(unsigned));
  for (unsigned b = 0; b < n; ++b)
    for (unsigned i = 0; i < numSuccessors(r, b); ++i) {
      unsigned to = numberOf(r, LLVMGetSuccessor(LLVMGetBasicBlockTerminator(r->blocks[b]), i));
      r->out.others[r->out.first[b] + i] = to;
      ++r->in.first[to + 2];
    }
  for (unsigned b = 2; b < n + 2; ++b) // the places of the block before, until they are filled
    r->in.first[b] += r->in.first[b - 1];
  for (unsigned b = 0; b < n; ++b)
    for (unsigned i = r->out.first[b]; i < r->out.first[b + 1]; ++i)
      r->in.others[r->in.first[r->out.others[i] + 1]++] = b;
}

/* Marks the blocks that edges from one lead to, directly or not, as far as they are not marked yet. */
static void reach(const Recompute *r, const Edges *edges, unsigned from, bool *marks) {
  unsigned depth = 0;
  for (r->stack[depth++] = from; depth;) {
    const unsigned b = r->stack[--depth];
    for (unsigned i = edges->first[b]; i < edges->first[b + 1]; ++i)
      if (!marks[edges->others[i]]) {
        marks[edges->others[i]] = true;
        r->stack[depth++] = edges->others[i];
      }
  }
}

static bool *reachOf(const Recompute *r, const Edges *edges, unsigned from) {
  bool *marks = tileArenaAlloc(r->arena, r->numBlocks, sizeof *marks);
  reach(r, edges, from, marks);
  return marks;
}

static int productsIn(LLVMBasicBlockRef b) {
  int n = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
    n += tileCallsNamed(i, "llvm.amdgcn.mfma") || tileCallsNamed(i, "llvm.amdgcn.wmma");
  return n;
}

/* Whether all edges to blocks behind one come from it or from them. */
static bool isOnlyWay(const Recompute *r, unsigned block, const bool *behind) {
  for (unsigned b = 0; b < r->numBlocks; ++b)
    for (unsigned i = r->in.first[b]; behind[b] && i < r->in.first[b + 1]; ++i)
      if (r->in.others[i] != block && !behind[r->in.others[i]])
        return false;
  return true;
}

/* The block outside of a loop from which all others that come after it are reached alone; numBlocks if there is none. Where one leads to
 * all others, it is the last that a search which starts at each in turn has to start at. */
static unsigned landingOf(const Recompute *r, const bool *loop, const bool *after) {
  bool *seen = tileArenaAlloc(r->arena, r->numBlocks, sizeof *seen);
  unsigned landing = r->numBlocks;
  for (unsigned b = 0; b < r->numBlocks; ++b)
    if (after[b] && !loop[b] && !seen[b]) {
      landing = b;
      seen[b] = true;
      reach(r, &r->out, b, seen);
    }
  if (landing == r->numBlocks)
    return landing;
  const bool *behind = reachOf(r, &r->out, landing);
  bool isLanding = !behind[landing] && isOnlyWay(r, landing, behind);
  for (unsigned b = 0; b < r->numBlocks; ++b)
    isLanding &= !after[b] || loop[b] || b == landing || behind[b];
  return isLanding ? landing : r->numBlocks;
}

// ---- Values ----

static bool isPure(LLVMValueRef i) {
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAdd:
  case LLVMAnd:
  case LLVMAShr:
  case LLVMBitCast:
  case LLVMExtractElement:
  case LLVMFreeze:
  case LLVMGetElementPtr:
  case LLVMICmp:
  case LLVMInsertElement:
  case LLVMLShr:
  case LLVMMul:
  case LLVMOr:
  case LLVMSelect:
  case LLVMSExt:
  case LLVMShl:
  case LLVMShuffleVector:
  case LLVMSub:
  case LLVMTrunc:
  case LLVMXor:
  case LLVMZExt:
    return true;
  default:
    return tileCallsNamed(i, "llvm.umin") || tileCallsNamed(i, "llvm.umax") ||
           tileCallsNamed(i, "llvm.smin") || tileCallsNamed(i, "llvm.smax");
  }
}

static bool isThreadNumber(LLVMValueRef i) { return tileCallsNamed(i, "llvm.amdgcn.workitem.id.x"); }

/* Whether a value is the same for all threads, computed from the thread's number and such, or something else. */
static Nature natureOf(Recompute *r, LLVMValueRef v, int depth) {
  if (!LLVMIsAInstruction(v))
    return Nature_Uniform;
  Nature known = (Nature)(size_t)tilePointerMapFind(&r->natures, v);
  if (known != Nature_Unknown)
    return known;
  Nature nature = isThreadNumber(v)                               ? Nature_OfThread
                  : tileCallsNamed(v, "llvm.amdgcn.workgroup.id") ? Nature_Uniform
                  : !isPure(v) || depth == MOST_DEPTH             ? Nature_Other
                                                                  : Nature_Uniform;
  for (int i = 0; isPure(v) && i < LLVMGetNumOperands(v) - (LLVMIsACallInst(v) != NULL); ++i) {
    Nature of = natureOf(r, LLVMGetOperand(v, (unsigned)i), depth + 1);
    nature = of > nature ? of : nature;
  }
  tilePointerMapSet(&r->natures, v, (void *)(size_t)nature);
  return nature;
}

/* Uniform values of another kind (loaded, carried) may stand in a chain as they are. */
static bool isAgain(Recompute *r, LLVMValueRef v) { return natureOf(r, v, 0) == Nature_OfThread; }

static LLVMValueRef threadAgain(LLVMBuilderRef builder, LLVMValueRef number) {
  LLVMTypeRef type = LLVMTypeOf(number), function = LLVMFunctionType(type, &type, 1, 0);
  LLVMValueRef nothing =
      LLVMGetInlineAsm(function, "", 0, "=v,0", strlen("=v,0"), 1, 0, LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(builder, function, nothing, &number, 1, "");
}

/* The value, which isAgain has accepted, computed again at the place. */
static LLVMValueRef again(Recompute *r, LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || !isAgain(r, v))
    return v;
  LLVMValueRef clone = tilePointerMapFind(&r->clones, v);
  if (clone)
    return clone;
  if (isThreadNumber(v)) {
    LLVMPositionBuilderBefore(r->builder, r->place);
    clone = threadAgain(r->builder, v);
  } else {
    clone = LLVMInstructionClone(v);
    for (int i = 0; i < LLVMGetNumOperands(v) - (LLVMIsACallInst(v) != NULL); ++i)
      LLVMSetOperand(clone, (unsigned)i, again(r, LLVMGetOperand(v, (unsigned)i)));
    LLVMPositionBuilderBefore(r->builder, r->place);
    LLVMInsertIntoBuilder(r->builder, clone);
  }
  ++r->numClones;
  tilePointerMapSet(&r->clones, v, clone);
  return clone;
}

// ---- The rewriting ----

static LLVMValueRef firstBehindPhis(LLVMBasicBlockRef b) {
  LLVMValueRef i = LLVMGetFirstInstruction(b);
  while (LLVMIsAPHINode(i))
    i = LLVMGetNextInstruction(i);
  return i;
}

/* Operands of the landing's and all later instructions that come from in front of the loop. A phi's stand at the end of another block,
 * which comes after too: the landing's own are left. */
static void rewriteUses(Recompute *r, unsigned landing, const bool *before) {
  const bool *behind = reachOf(r, &r->out, landing);
  for (unsigned b = 0; b < r->numBlocks; ++b) {
    if (b != landing && !behind[b])
      continue;
    LLVMValueRef first = b == landing ? r->place : LLVMGetFirstInstruction(r->blocks[b]);
    for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i))
      for (int k = 0; k < LLVMGetNumOperands(i) && r->numClones < MOST_CLONES; ++k) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        if (LLVMIsAInstruction(v) && before[numberOf(r, LLVMGetInstructionParent(v))] && isAgain(r, v))
          LLVMSetOperand(i, (unsigned)k, again(r, v));
      }
  }
}

static void recomputeBehind(Recompute *r, unsigned block) {
  findEdges(r);
  const bool *after = reachOf(r, &r->out, block), *leads = reachOf(r, &r->in, block);
  bool *loop = tileArenaAlloc(r->arena, r->numBlocks, sizeof *loop),
       *before = tileArenaAlloc(r->arena, r->numBlocks, sizeof *before);
  if (!after[block])
    return;
  for (unsigned b = 0; b < r->numBlocks; ++b) {
    loop[b] = after[b] && leads[b];
    before[b] = !after[b];
  }
  unsigned landing = landingOf(r, loop, after);
  if (landing == r->numBlocks)
    return;
  r->place = firstBehindPhis(r->blocks[landing]);
  r->clones = (TilePointerMap){.arena = r->arena};
  r->numClones = 0;
  rewriteUses(r, landing, before);
}

/* Whether a value is computed from the thread's number in front of a loop. */
static bool isFromBefore(Recompute *r, LLVMValueRef v, const bool *loop) {
  return LLVMIsAInstruction(v) && !loop[numberOf(r, LLVMGetInstructionParent(v))] && isAgain(r, v);
}

/* Registers of a value of 32 bits or fewer, or some such; pointers of LDS are 32 bits wide. */
static int wordsOf(LLVMTypeRef type) {
  enum { SHARED = 3 };
  switch (LLVMGetTypeKind(type)) {
  case LLVMVectorTypeKind:
    return (int)LLVMGetVectorSize(type) * wordsOf(LLVMGetElementType(type));
  case LLVMPointerTypeKind:
    return LLVMGetPointerAddressSpace(type) == SHARED ? 1 : 2;
  case LLVMIntegerTypeKind:
    return (int)(LLVMGetIntTypeWidth(type) + 31) / 32;
  default:
    return 1;
  }
}

/* Registers of a thread's number's making that the loop's instructions take from in front of it. */
static int wordsFromBefore(Recompute *r, const bool *loop) {
  TilePointerMap seen = {.arena = r->arena};
  int words = 0;
  for (unsigned b = 0; b < r->numBlocks; ++b)
    for (LLVMValueRef i = loop[b] ? firstBehindPhis(r->blocks[b]) : NULL; i; i = LLVMGetNextInstruction(i))
      for (int k = 0; k < LLVMGetNumOperands(i); ++k) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        if (!isFromBefore(r, v, loop) || tilePointerMapFind(&seen, v))
          continue;
        tilePointerMapSet(&seen, v, v);
        words += wordsOf(LLVMTypeOf(v));
      }
  return words;
}

/* In a loop of products: what it takes of that from in front of it, in each block for itself, in front of what takes it. Not in the fast
 * one, of several blocks, where there are registers beside the 256 of vector instructions. */
static void recomputeInside(Recompute *r, unsigned block, unsigned fast) {
  enum { MANY = 32 };
  findEdges(r);
  const bool *after = reachOf(r, &r->out, block), *leads = reachOf(r, &r->in, block);
  bool *loop = tileArenaAlloc(r->arena, r->numBlocks, sizeof *loop);
  for (unsigned b = 0; b < r->numBlocks; ++b)
    loop[b] = after[b] && leads[b];
  if (!loop[block] || (loop[fast] && !r->isShort) || wordsFromBefore(r, loop) < MANY)
    return;
  r->numClones = 0;
  for (unsigned b = 0; b < r->numBlocks; ++b) {
    r->clones = (TilePointerMap){.arena = r->arena};
    for (LLVMValueRef i = loop[b] ? firstBehindPhis(r->blocks[b]) : NULL; i; i = LLVMGetNextInstruction(i))
      for (int k = 0; k < LLVMGetNumOperands(i) && r->numClones < MOST_CLONES; ++k) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
        r->place = i;
        if (isFromBefore(r, v, loop))
          LLVMSetOperand(i, (unsigned)k, again(r, v));
      }
  }
}

static void visitFunction(LLVMValueRef function, LLVMBuilderRef builder, bool isShort) {
  TileArena arena = {0};
  Recompute r = {.arena = &arena,
                 .builder = builder,
                 .numbers.arena = &arena,
                 .natures.arena = &arena,
                 .isShort = isShort};
  r.blocks = tileArenaAlloc(&arena, LLVMCountBasicBlocks(function) + 1, sizeof *r.blocks);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    r.blocks[r.numBlocks++] = b;
    tilePointerMapSet(&r.numbers, b, (void *)(size_t)r.numBlocks);
  }
  r.stack = tileArenaAlloc(&arena, r.numBlocks + 1, sizeof *r.stack);
  unsigned fast = r.numBlocks;
  for (unsigned b = 0; b < r.numBlocks; ++b) {
    if (productsIn(r.blocks[b]) < FEWEST_PRODUCTS)
      continue;
    if (fast == r.numBlocks)
      fast = b; // as the first one is
    else
      recomputeInside(&r, b, fast);
  }
  if (fast < r.numBlocks)
    recomputeBehind(&r, fast);
  tileArenaRelease(&arena);
}

void tileAmdRecompute(LLVMModuleRef module, const TileTargetInfo *target) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      visitFunction(f, builder, !tileTargetHas(target, TileFeature_AGPR));
  LLVMDisposeBuilder(builder);
}
