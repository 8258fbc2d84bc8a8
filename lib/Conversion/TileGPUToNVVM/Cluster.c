/* Cluster.c - blocks of a cluster: their numbers, their barrier, and sums over all of them through each other's shared
 * memory.
 *
 *   %s = tile_gpu.block_sum %p blocks = 2
 * becomes, in thread t of T, with its registers as vectors of four words,
 *   vector i is stored at scratch + 16 * (i * T + t)
 *   nvvm.cluster.arrive; nvvm.cluster.wait
 *   in block 0: for each other block, its scratch by nvvm.mapa, vector i is loaded and added
 *   nvvm.cluster.arrive; nvvm.cluster.wait */
#include "ClusterNVVM.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/TileGPU.h"

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
  MlirValue offset = tileEmit2(l, TileOp_LLVM_Mul, l->tid, tileEmitI32(l, VECTOR_BYTES));
  MlirValue own = tileEmitSharedElement(l, tileEmitSharedPointer(l, tileScratchOffset(operation)),
                                        mlirIntegerTypeGet(l->context, 8), offset);
  for (intptr_t i = 0; i < parts.count; i += WORDS) {
    TileAccess to = accessAt(place(l, own, i / WORDS), element);
    tileEmitPlainStore(l, &to, parts.values + i);
  }
  tileClusterBarrier(l);
  MlirBlock first = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, parts.count, types);
  MlirValue isFirst = tileEmitICmp(l, LLVMICmpPredicate_eq, tileEmitBlockRank(l), tileEmitI32(l, 0));
  tileEmitCondBranch(l, isFirst, first, 0, NULL, rest, parts.count, parts.values);
  tileEnterBlock(l, first);
  for (intptr_t i = 0; i < parts.count; ++i)
    sums.values[i] = parts.values[i];
  addOthers(l, own, tileGPUBlockSumOpGetBlocks(op), element, sums.values, parts.count);
  tileEmitBranch(l, rest, parts.count, sums.values);
  tileEnterBlock(l, rest);
  for (intptr_t i = 0; i < parts.count; ++i)
    sums.values[i] = mlirBlockGetArgument(rest, i);
  tileClusterBarrier(l);
  tileBind(l, tileGPUBlockSumOpGetResult(op), sums);
  return tileSuccess();
}
