/* Cluster.c - blocks of a cluster: their numbers, their barrier, and sums over all of them through each other's shared
 * memory.
 *
 *   %s = tile_gpu.block_sum %p blocks = 2
 * becomes, in thread t of T, with its registers as vectors of four words,
 *   vector i is stored at scratch + 16 * (i * T + t)
 *   nvvm.cluster.arrive; nvvm.cluster.wait
 *   in block 0: for each other block, its scratch by nvvm.mapa, vector i is loaded and added
 *   nvvm.cluster.arrive; nvvm.cluster.wait
 *
 * Of four blocks and more each adds up its share of the vectors, so that the first one waits for what it has itself and not for all
 * of all others' parts: of V vectors, block r
 *   loads vectors r * V / blocks to (r + 1) * V / blocks of every block by nvvm.mapa, and adds them
 *   stores the sums behind its part
 *   nvvm.cluster.arrive; nvvm.cluster.wait
 *   in block 0: vector i is loaded from the block that has added it up
 *   nvvm.cluster.arrive; nvvm.cluster.wait */
#include "ClusterNVVM.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Scratch.h"

enum { WORDS = 4, VECTOR_BYTES = 16, CLUSTER_SPACE = 7 };

static MlirLogicalResult requireCluster(TileLowering *l, MlirOperation op) {
  return tileTargetHas(l->target, TileFeature_Cluster)
             ? tileSuccess()
             : tileEmitOpError(op, "got chip %s, expected one with clusters of blocks", l->target->chip);
}

MlirValue tileEmitBlockRank(TileLowering *l) {
  return tileEmit(l, TileOp_NVVM_ClusterId, mlirIntegerTypeGet(l->context, 32), 0, NULL);
}

MlirLogicalResult tileLowerBlockRank(TileLowering *l, MlirOperation op) {
  TILE_TRY(requireCluster(l, op));
  tileBindOne(l, mlirOperationGetResult(op, 0), tileEmitBlockRank(l));
  return tileSuccess();
}

void tileClusterBarrier(TileLowering *l) {
  nvvmClusterArriveOpCreate(l->b, l->loc, mlirUnitAttrGet(l->context));
  nvvmClusterWaitOpCreate(l->b, l->loc, mlirUnitAttrGet(l->context));
}

/* This thread's place for vector i, in whose shared memory `base` points to. */
static MlirValue place(TileLowering *l, MlirValue base, int64_t i) {
  const int64_t threads = l->numWarps * (int64_t)l->target->warpSize;
  return i ? tileEmitSharedOffset(l, base, i * threads * VECTOR_BYTES) : base;
}

static TileAccess accessAt(MlirValue pointer, MlirType element) {
  return (TileAccess){.pointer = pointer, .element = element, .width = WORDS, .alignment = VECTOR_BYTES};
}

static MlirValue add(TileLowering *l, MlirValue a, MlirValue b) {
  return tileEmit2(l, mlirTypeIsAInteger(mlirValueGetType(a)) ? TileOp_LLVM_Add : TileOp_LLVM_FAdd, a, b);
}

/* Adds what the other blocks have stored, in the order of their numbers. */
static void addOthers(TileLowering *l, MlirValue own, int64_t blocks, MlirType element, MlirValue *values,
                      intptr_t count) {
  MlirType pointer = mlirLLVMPointerTypeGet(l->context, CLUSTER_SPACE);
  for (int64_t other = 1; other < blocks; ++other) {
    MlirValue base = nvvmMapaOpGetRes(nvvmMapaOpCreate(l->b, l->loc, pointer, own, tileEmitI32(l, other)));
    for (intptr_t i = 0; i < count; i += WORDS) {
      MlirValue words[WORDS];
      TileAccess from = accessAt(place(l, base, i / WORDS), element);
      tileEmitPlainLoad(l, &from, words);
      for (int k = 0; k < WORDS; ++k)
        values[i + k] = add(l, values[i + k], words[k]);
    }
  }
}

/* The terms are few enough, or the first block adds up all of them. */
static void sumInFirst(TileLowering *l, MlirValue own, int64_t blocks, MlirType element,
                       const MlirValue *parts, MlirValue *sums, intptr_t count) {
  for (intptr_t i = 0; i < count; ++i)
    sums[i] = parts[i];
  addOthers(l, own, blocks, element, sums, count);
}

// ---- Shares ----

/* Vectors of all threads, of which each block adds up equally many. */
typedef struct Shares {
  TileLowering *l;
  MlirType element;
  MlirValue scratch; ///< of this block: its part, and the sums of its share
  int64_t blocks, threads;
  int64_t vectors; ///< of a thread
  int64_t each;    ///< of a block's share
} Shares;

static MlirValue inBlock(const Shares *s, MlirValue pointer, MlirValue block) {
  MlirType type = mlirLLVMPointerTypeGet(s->l->context, CLUSTER_SPACE);
  return nvvmMapaOpGetRes(nvvmMapaOpCreate(s->l->b, s->l->loc, type, pointer, block));
}

static MlirValue vectorAt(const Shares *s, MlirValue base, MlirValue index) {
  TileLowering *l = s->l;
  return tileEmitSharedElement(l, base, mlirIntegerTypeGet(l->context, 8),
                               tileEmit2(l, TileOp_LLVM_Mul, index, tileEmitI32(l, VECTOR_BYTES)));
}

static MlirValue sumsOf(const Shares *s) {
  return tileEmitSharedOffset(s->l, s->scratch, s->vectors * s->threads * VECTOR_BYTES);
}

/* Vector `j` of those that this thread adds up, in the order of the blocks. */
static void addVector(const Shares *s, const MlirValue *from, int64_t j, MlirValue sum[WORDS]) {
  for (int64_t block = 0; block < s->blocks; ++block) {
    MlirValue words[WORDS];
    TileAccess access = accessAt(place(s->l, from[block], j), s->element);
    tileEmitPlainLoad(s->l, &access, words);
    for (int k = 0; k < WORDS; ++k)
      sum[k] = block ? add(s->l, sum[k], words[k]) : words[k];
  }
}

static void storeSum(const Shares *s, MlirValue to, int64_t j, const MlirValue *sum) {
  TileAccess access = accessAt(place(s->l, to, j), s->element);
  tileEmitPlainStore(s->l, &access, sum);
}

/* This block's share: all loads first, then the vectors that not all threads have. */
static void addShare(const Shares *s) {
  TileLowering *l = s->l;
  const int64_t whole = s->each / s->threads, rest = s->each % s->threads;
  MlirValue first = tileEmit2(l, TileOp_LLVM_Mul, tileEmitBlockRank(l), tileEmitI32(l, s->each));
  MlirValue own = vectorAt(s, s->scratch, tileEmit2(l, TileOp_LLVM_Add, first, l->tid));
  MlirValue to = vectorAt(s, sumsOf(s), l->tid);
  MlirValue *from = tileArenaAlloc(l->arena, (size_t)s->blocks, sizeof *from);
  MlirValue *sums = tileArenaAlloc(l->arena, (size_t)(whole + 1) * WORDS, sizeof *sums);
  for (int64_t block = 0; block < s->blocks; ++block)
    from[block] = inBlock(s, own, tileEmitI32(l, block));
  for (int64_t j = 0; j < whole; ++j)
    addVector(s, from, j, sums + j * WORDS);
  for (int64_t j = 0; j < whole; ++j)
    storeSum(s, to, j, sums + j * WORDS);
  if (!rest)
    return;
  MlirBlock some = tileAppendBlock(l, 0, NULL), all = tileAppendBlock(l, 0, NULL);
  MlirValue has = tileEmitICmp(l, LLVMICmpPredicate_ult, l->tid, tileEmitI32(l, rest));
  tileEmitCondBranch(l, has, some, 0, NULL, all, 0, NULL);
  tileEnterBlock(l, some);
  addVector(s, from, whole, sums);
  storeSum(s, to, whole, sums);
  tileEmitBranch(l, all, 0, NULL);
  tileEnterBlock(l, all);
}

/* Where vector `i` of this thread has been added up. */
static MlirValue sumPlace(const Shares *s, int64_t i) {
  TileLowering *l = s->l;
  MlirValue index = tileEmit2(l, TileOp_LLVM_Add, l->tid, tileEmitI32(l, i * s->threads));
  MlirValue each = tileEmitI32(l, s->each);
  MlirValue block = s->each % s->threads ? tileEmit2(l, TileOp_LLVM_UDiv, index, each)
                                         : tileEmitI32(l, i * s->threads / s->each);
  MlirValue within = tileEmit2(l, TileOp_LLVM_Sub, index, tileEmit2(l, TileOp_LLVM_Mul, block, each));
  return inBlock(s, vectorAt(s, sumsOf(s), within), block);
}

static void loadSums(const Shares *s, MlirValue *sums) {
  for (int64_t i = 0; i < s->vectors; ++i) {
    TileAccess access = accessAt(sumPlace(s, i), s->element);
    tileEmitPlainLoad(s->l, &access, sums + i * WORDS);
  }
}

MlirLogicalResult tileLowerBlockSum(TileLowering *l, MlirOperation operation) {
  TileGPUBlockSumOp op = tileGPUBlockSumOpCast(operation);
  TileRegisters parts = tileRegistersOf(l, tileGPUBlockSumOpGetValue(op));
  TILE_TRY(requireCluster(l, operation));
  if (parts.count % WORDS || l->target->warpSize != 32)
    return tileEmitOpError(operation, "got %ld registers a thread, expected a multiple of %d",
                           (long)parts.count, WORDS);
  MlirType element = mlirValueGetType(parts.values[0]);
  MlirType *types = tileArenaAlloc(l->arena, (size_t)parts.count, sizeof *types);
  TileRegisters sums = tileNewRegisters(l, parts.count);
  for (intptr_t i = 0; i < parts.count; ++i)
    types[i] = element;
  tileEmitScratchBarrier(l, operation);
  const int64_t blocks = tileGPUBlockSumOpGetBlocks(op), threads = l->numWarps * (int64_t)l->target->warpSize;
  const Shares shares = {.l = l,
                         .element = element,
                         .scratch = tileEmitSharedPointer(l, tileScratchOffset(operation)),
                         .blocks = blocks,
                         .threads = threads,
                         .vectors = parts.count / WORDS,
                         .each = parts.count / WORDS * threads / blocks};
  const bool isShared = tileBlockSumIsShared(operation);
  MlirValue own = vectorAt(&shares, shares.scratch, l->tid);
  for (intptr_t i = 0; i < parts.count; i += WORDS) {
    TileAccess to = accessAt(place(l, own, i / WORDS), element);
    tileEmitPlainStore(l, &to, parts.values + i);
  }
  tileClusterBarrier(l);
  if (isShared) {
    addShare(&shares);
    tileClusterBarrier(l);
  }
  MlirBlock first = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, parts.count, types);
  MlirValue isFirst = tileEmitICmp(l, LLVMICmpPredicate_eq, tileEmitBlockRank(l), tileEmitI32(l, 0));
  tileEmitCondBranch(l, isFirst, first, 0, NULL, rest, parts.count, parts.values);
  tileEnterBlock(l, first);
  if (isShared)
    loadSums(&shares, sums.values);
  else
    sumInFirst(l, own, blocks, element, parts.values, sums.values, parts.count);
  tileEmitBranch(l, rest, parts.count, sums.values);
  tileEnterBlock(l, rest);
  for (intptr_t i = 0; i < parts.count; ++i)
    sums.values[i] = mlirBlockGetArgument(rest, i);
  tileClusterBarrier(l);
  tileBind(l, tileGPUBlockSumOpGetResult(op), sums);
  return tileSuccess();
}
