/* TensorCopy.c - the tensor copy engine and barriers in shared memory: thread 0 of the program speaks for all.
 *
 *   tile_gpu.tma_copy 0[%i, %k], %m, %bar if %more
 * becomes, one for each swizzled row's width of columns,
 *   tile_nv.tma_load %m', %map[%k, %i], %bar' if (%more and thread 0) */
#include "../TileGPUToLLVM/Buffers.h"
#include "ClusterNVVM.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/TensorMap.h"

enum { MAP_BYTES = 128, MAP_ALIGNMENT = 64 };

void tileMarkTensorMaps(TileLowering *l, MlirOperation source, MlirOperation function) {
  const intptr_t maps = tileTensorMapCount(source), n = l->firstMap + maps;
  l->numMaps = maps;
  MlirContext context = l->context;
  MlirType bytes = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(context, 8), MAP_BYTES);
  MlirNamedAttribute byValue[] = {tileNamedAttr(context, "llvm.byval", mlirTypeAttrGet(bytes)),
                                  tileNamedAttr(context, "llvm.align", tileI64Attr(context, MAP_ALIGNMENT)),
                                  tileNamedAttr(context, "nvvm.grid_constant", mlirUnitAttrGet(context))};
  MlirAttribute *attrs = tileArenaAlloc(l->arena, (size_t)n, sizeof *attrs);
  for (intptr_t i = 0; i < n; ++i)
    attrs[i] = mlirDictionaryAttrGet(context, i < l->firstMap ? 0 : 3, byValue);
  llvmLLVMFuncOpSetArgAttrsAttr(llvmLLVMFuncOpCast(function), mlirArrayAttrGet(context, n, attrs));
  tileTensorMapSetList(function, tileTensorMapList(source));
}

static MlirLogicalResult requireTma(TileLowering *l, MlirOperation op) {
  return tileTargetHas(l->target, TileFeature_TMA)
             ? tileSuccess()
             : tileEmitOpError(op, "got chip %s, expected one with a tensor copy engine", l->target->chip);
}

static MlirValue baseOf(TileLowering *l, MlirValue buffer) { return tileRegistersOf(l, buffer).values[0]; }

/* The thread that speaks for all, where the predicate is true. */
static MlirValue onlyFirst(TileLowering *l, MlirValue predicate) {
  MlirValue leads = l->leader ? tileEmitICmp(l, LLVMICmpPredicate_eq, l->tid, tileEmitI32(l, l->leader))
                              : tileEmitFirstThread(l);
  return tileEmit2(l, TileOp_LLVM_And, leads, tileRegistersOf(l, predicate).values[0]);
}

/* A block in shared memory as boxes, one for each swizzled row's width of columns. */
typedef struct Boxes {
  TileBufferView view;
  MlirValue map, row, column;
  int64_t width;                   ///< columns
  MlirValue others[TILE_MAX_RANK]; ///< of the dimensions in front of rows, innermost first
  intptr_t numOthers;
} Boxes;

/* Coordinates of a copy: rows and columns are the last ones. */
static void readCoordinates(TileLowering *l, intptr_t n, MlirValue (*get)(MlirOperation, intptr_t),
                            MlirOperation op, Boxes *out) {
  out->row = tileRegistersOf(l, get(op, n - 2)).values[0];
  out->column = tileRegistersOf(l, get(op, n - 1)).values[0];
  out->numOthers = n - 2;
  for (intptr_t i = 0; i < n - 2; ++i)
    out->others[i] = tileRegistersOf(l, get(op, n - 3 - i)).values[0];
}

static MlirValue copyCoordinate(MlirOperation op, intptr_t i) {
  return tileGPUTmaCopyOpGetCoordinates(tileGPUTmaCopyOpCast(op), i);
}
static MlirValue storeCoordinate(MlirOperation op, intptr_t i) {
  return tileGPUTmaStoreOpGetCoordinates(tileGPUTmaStoreOpCast(op), i);
}

static MlirLogicalResult prepareBoxes(TileLowering *l, MlirOperation op, MlirValue buffer, int64_t map,
                                      Boxes *out) {
  TileWarpGroupFactor rows;
  TILE_TRY(requireTma(l, op));
  if (!tileBufferViewOf(l, buffer, &out->view) || !tileWarpGroupFactorOf(&out->view.desc, 1, &rows) ||
      !rows.kMajor)
    return tileEmitOpError(op, "got a buffer in another layout than swizzled rows of 128, 64 or 32 bytes");
  out->map = mlirBlockGetArgument(mlirRegionGetFirstBlock(l->body), l->firstMap + map);
  out->width = rows.swizzleBytes / out->view.desc.elementBytes;
  return tileSuccess();
}

/* The box from column `first` on: its place and, innermost first, its coordinates. */
static MlirValue boxAt(TileLowering *l, const Boxes *b, int64_t first, MlirValue coordinates[TILE_MAX_RANK]) {
  const int64_t at[TileLayout_MaxRank] = {0, first};
  const int64_t offset = tileMemDescOffset(&b->view.desc, at) * b->view.desc.elementBytes;
  coordinates[0] = first ? tileEmit2(l, TileOp_LLVM_Add, b->column, tileEmitI32(l, first)) : b->column;
  coordinates[1] = b->row;
  for (intptr_t i = 0; i < b->numOthers; ++i)
    coordinates[2 + i] = b->others[i];
  return offset ? tileEmitSharedOffset(l, b->view.base, offset) : b->view.base;
}

/* A vector: one box, as it lies in memory. */
static MlirLogicalResult copyVector(TileLowering *l, TileGPUTmaCopyOp op, MlirValue predicate) {
  const int32_t order[1] = {0};
  TileBufferView view;
  TileSharedLayout plain;
  if (!tileBufferViewOf(l, tileGPUTmaCopyOpGetTarget(op), &view) || view.desc.rank != 1 ||
      !tileSharedPlain(view.desc.shape, 1, order, &plain) || !tileSharedEqual(&plain, &view.desc.layout))
    return tileEmitOpError(op.op, "got a buffer in another layout than that of a vector");
  MlirValue map = mlirBlockGetArgument(mlirRegionGetFirstBlock(l->body),
                                       l->firstMap + tileGPUTmaCopyOpGetMap(op)),
            at = tileRegistersOf(l, tileGPUTmaCopyOpGetCoordinates(op, 0)).values[0];
  tileNVTmaLoadOpCreate(l->b, l->loc, view.base, map, 1, &at, baseOf(l, tileGPUTmaCopyOpGetBarrier(op)),
                        predicate, (MlirValue){NULL});
  return tileSuccess();
}

/* The part of a block that starts at a row and a column, `times` times as far: a number of threads' own. */
static void addPart(TileLowering *l, Boxes *b, MlirValue times, int64_t row, int64_t column) {
  const int64_t at[TileLayout_MaxRank] = {row, column};
  const int64_t bytes = tileMemDescOffset(&b->view.desc, at) * b->view.desc.elementBytes;
  MlirValue *first = column ? &b->column : &b->row;
  *first = tileEmit2(l, TileOp_LLVM_Add, *first,
                     tileEmit2(l, TileOp_LLVM_Mul, times, tileEmitI32(l, column ? column : row)));
  b->view.base = tileEmitSharedElement(l, b->view.base, mlirIntegerTypeGet(l->context, 8),
                                       tileEmit2(l, TileOp_LLVM_Mul, times, tileEmitI32(l, bytes)));
}

/* Blocks of a cluster that need the same: their number, how far their ranks are apart, this block's number among them and the
 * mask of their ranks. */
typedef struct Sharers {
  int64_t blocks;
  MlirValue own, mask;
} Sharers;

static Sharers sharersOf(TileLowering *l, MlirOperation op) {
  const int64_t blocks = tileGetIntAttr(op, "tile_gpu.multicast", 1),
                stride = tileGetIntAttr(op, "tile_gpu.multicast_stride", 1);
  MlirType i16 = mlirIntegerTypeGet(l->context, 16);
  int64_t ranks = 0;
  for (int64_t i = 0; i < blocks; ++i)
    ranks |= INT64_C(1) << (i * stride);
  MlirValue rank = tileEmitBlockRank(l);
  if (blocks == l->cluster)
    return (Sharers){blocks, rank, tileEmitInt(l, i16, ranks)};
  MlirValue along = stride > 1 ? tileEmit2(l, TileOp_LLVM_UDiv, rank, tileEmitI32(l, stride)) : rank;
  MlirValue own = tileEmit2(l, TileOp_LLVM_And, along, tileEmitI32(l, blocks - 1));
  MlirValue first =
      tileEmit2(l, TileOp_LLVM_Sub, rank, tileEmit2(l, TileOp_LLVM_Mul, own, tileEmitI32(l, stride)));
  MlirValue mask = tileEmit2(l, TileOp_LLVM_Shl, tileEmitI32(l, ranks), first);
  return (Sharers){blocks, own, tileEmit1(l, TileOp_LLVM_Trunc, i16, mask)};
}

/* The boxes, or rows of all, that this block of a cluster copies for all of them. Returns the number of columns. */
static int64_t enterShare(TileLowering *l, Boxes *b, int64_t blocks, MlirValue own) {
  const int64_t columns = b->view.desc.shape[1], part = columns / blocks;
  const bool alongColumns = columns / b->width % blocks == 0;
  addPart(l, b, own, alongColumns ? 0 : b->view.desc.shape[0] / blocks, alongColumns ? part : 0);
  return alongColumns ? part : columns;
}

/* Every so many-th row from a map of its own. */
static MlirLogicalResult copyApart(TileLowering *l, TileGPUTmaCopyOp op, int64_t apart) {
  Boxes b;
  TileSharedLayout expected;
  MlirValue coordinates[TILE_MAX_RANK], barrier = baseOf(l, tileGPUTmaCopyOpGetBarrier(op));
  MlirBlock entry = mlirRegionGetFirstBlock(l->body);
  TILE_TRY(requireTma(l, op.op));
  if (!tileBufferViewOf(l, tileGPUTmaCopyOpGetTarget(op), &b.view) || b.view.desc.rank != 2 ||
      !tileSharedApart(b.view.desc.shape, b.view.desc.elementBytes, apart, &expected, &b.width) ||
      !tileSharedEqual(&expected, &b.view.desc.layout))
    return tileEmitOpError(op.op, "got a buffer in another layout than that of rows that are %lld apart",
                           (long long)apart);
  readCoordinates(l, tileGPUTmaCopyOpGetNumCoordinates(op), copyCoordinate, op.op, &b);
  b.row = tileEmit2(l, TileOp_LLVM_AShr, b.row, tileEmitI32(l, __builtin_ctzll((uint64_t)apart)));
  MlirValue predicate = onlyFirst(l, tileGPUTmaCopyOpGetPredicate(op));
  for (int64_t row = 0; row < apart; ++row)
    for (int64_t first = 0; first < b.view.desc.shape[1]; first += b.width) {
      const int64_t at[TileLayout_MaxRank] = {row, first};
      const int64_t offset = tileSharedPhysicalOffset(&expected, tileMemDescOffset(&b.view.desc, at));
      MlirValue map = mlirBlockGetArgument(entry, l->firstMap + tileGPUTmaCopyOpGetMap(op) + row),
                to = offset ? tileEmitSharedOffset(l, b.view.base, offset * b.view.desc.elementBytes)
                            : b.view.base;
      coordinates[0] = first ? tileEmit2(l, TileOp_LLVM_Add, b.column, tileEmitI32(l, first)) : b.column;
      coordinates[1] = b.row;
      for (intptr_t i = 0; i < b.numOthers; ++i)
        coordinates[2 + i] = b.others[i];
      tileNVTmaLoadOpCreate(l->b, l->loc, to, map, 2 + b.numOthers, coordinates, barrier, predicate,
                            (MlirValue){NULL});
    }
  return tileSuccess();
}

MlirLogicalResult tileLowerTmaCopy(TileLowering *l, MlirOperation operation) {
  TileGPUTmaCopyOp op = tileGPUTmaCopyOpCast(operation);
  Boxes boxes;
  MlirValue coordinates[TILE_MAX_RANK];
  if (tileGPUTmaCopyOpGetNumCoordinates(op) == 1) {
    TILE_TRY(requireTma(l, operation));
    return copyVector(l, op, onlyFirst(l, tileGPUTmaCopyOpGetPredicate(op)));
  }
  MlirAttribute apart = tileGPUTmaCopyOpGetApartAttr(op);
  if (apart.ptr)
    return copyApart(l, op, tileIntegerAttrValue(apart));
  TILE_TRY(prepareBoxes(l, operation, tileGPUTmaCopyOpGetTarget(op), tileGPUTmaCopyOpGetMap(op), &boxes));
  readCoordinates(l, tileGPUTmaCopyOpGetNumCoordinates(op), copyCoordinate, operation, &boxes);
  MlirValue predicate = onlyFirst(l, tileGPUTmaCopyOpGetPredicate(op)), mask = {NULL};
  int64_t columns = boxes.view.desc.shape[1];
  if (tileGetIntAttr(operation, "tile_gpu.multicast", 1) > 1) {
    const Sharers sharers = sharersOf(l, operation);
    columns = enterShare(l, &boxes, sharers.blocks, sharers.own);
    mask = sharers.mask;
  }
  for (int64_t first = 0; first < columns; first += boxes.width) {
    MlirValue to = boxAt(l, &boxes, first, coordinates);
    tileNVTmaLoadOpCreate(l->b, l->loc, to, boxes.map, 2 + boxes.numOthers, coordinates,
                          baseOf(l, tileGPUTmaCopyOpGetBarrier(op)), predicate, mask);
  }
  return tileSuccess();
}

/* The first of each `threads` threads. */
static MlirValue firstOf(TileLowering *l, int threads) {
  MlirValue own = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, threads - 1));
  return tileEmitICmp(l, LLVMICmpPredicate_eq, own, tileEmitI32(l, 0));
}

/* The rows or columns of the thread's warp group, each group's first thread speaking for it. */
static MlirValue enterGroup(TileLowering *l, Boxes *b, int64_t groups, bool alongColumns) {
  enum { GroupThreads = 128 };
  const int64_t run = b->view.desc.shape[alongColumns] / groups;
  MlirValue group = tileEmit2(l, TileOp_LLVM_LShr, tileEmitWarp(l), tileEmitI32(l, 2));
  addPart(l, b, group, alongColumns ? 0 : run, alongColumns ? run : 0);
  return firstOf(l, GroupThreads);
}

/* What each warp stored itself: a bit of its number adds to its row or its column. Returns the number of columns. */
static int64_t enterWarp(TileLowering *l, Boxes *b, MlirAttribute rows, MlirAttribute columns) {
  int64_t width = b->view.desc.shape[1];
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(rows); ++i) {
    MlirValue bit =
        tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, tileEmitWarp(l), tileEmitI32(l, i)),
                  tileEmitI32(l, 1));
    const int32_t row = mlirDenseI32ArrayGetElement(rows, i),
                  column = mlirDenseI32ArrayGetElement(columns, i);
    addPart(l, b, bit, row, column);
    width /= column ? 2 : 1;
  }
  return width;
}

/* Part of a block in shared memory, and the thread that copies it. */
static MlirValue enterPart(TileLowering *l, MlirOperation op, Boxes *b, int64_t *out_columns) {
  const int64_t groups = tileGetIntAttr(op, "tile_gpu.groups", 1);
  MlirAttribute rows = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.warp_rows")),
                columns = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.warp_columns"));
  const bool alongColumns =
      mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.columns")).ptr != NULL;
  *out_columns = b->view.desc.shape[1] / (alongColumns ? groups : 1);
  if (!rows.ptr || !columns.ptr)
    return groups > 1 ? enterGroup(l, b, groups, alongColumns) : tileEmitFirstThread(l);
  *out_columns = enterWarp(l, b, rows, columns);
  return firstOf(l, (int)l->target->warpSize);
}

MlirLogicalResult tileLowerTmaStore(TileLowering *l, MlirOperation operation) {
  TileGPUTmaStoreOp op = tileGPUTmaStoreOpCast(operation);
  Boxes boxes;
  MlirValue coordinates[TILE_MAX_RANK];
  TILE_TRY(prepareBoxes(l, operation, tileGPUTmaStoreOpGetSource(op), tileGPUTmaStoreOpGetMap(op), &boxes));
  readCoordinates(l, tileGPUTmaStoreOpGetNumCoordinates(op), storeCoordinate, operation, &boxes);
  int64_t columns;
  MlirValue leads = enterPart(l, operation, &boxes, &columns);
  const TileNVTmaReduction reduction =
      tileGPUTmaStoreOpGetAdd(op) ? TileNVTmaReduction_Add : TileNVTmaReduction_None;
  /* One branch: predicates would make a branch of each copy, and all warps compute their operands. */
  MlirBlock only = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, 0, NULL);
  MlirValue always = tileEmitInt(l, mlirIntegerTypeGet(l->context, 1), 1);
  tileEmitCondBranch(l, leads, only, 0, NULL, rest, 0, NULL);
  tileEnterBlock(l, only);
  for (int64_t first = 0; first < columns; first += boxes.width) {
    MlirValue from = boxAt(l, &boxes, first, coordinates);
    tileNVTmaStoreOpCreate(l->b, l->loc, boxes.map, 2 + boxes.numOthers, coordinates, from, always,
                           tileI32Attr(l->context, reduction));
  }
  nvvmCpAsyncBulkCommitGroupOpCreate(l->b, l->loc);
  tileEmitBranch(l, rest, 0, NULL);
  tileEnterBlock(l, rest);
  return tileSuccess();
}

/* Reading is over: the buffer may go. What is written is there at the end of the kernel. */
MlirLogicalResult tileLowerTmaStoreWait(TileLowering *l, MlirOperation operation) {
  TILE_TRY(requireTma(l, operation));
  nvvmCpAsyncBulkWaitGroupOpCreate(l->b, l->loc, tileI32Attr(l->context, 0), mlirUnitAttrGet(l->context));
  return tileSuccess();
}

// ---- Barriers ----

/* Continues in a block that only thread 0 enters; leaveFirst ends it. */
static MlirBlock enterFirst(TileLowering *l) {
  MlirBlock only = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, tileEmitFirstThread(l), only, 0, NULL, rest, 0, NULL);
  tileEnterBlock(l, only);
  return rest;
}
static void leaveFirst(TileLowering *l, MlirBlock rest) {
  tileEmitBranch(l, rest, 0, NULL);
  tileEnterBlock(l, rest);
}

static MlirValue barrierAt(TileLowering *l, MlirValue base, const TileMemDesc *desc, int64_t i) {
  return i ? tileEmitSharedOffset(l, base, i * desc->stride) : base;
}

/* Tensor maps are on their way before the first copy asks for them; once a kernel. */
static void prefetchMaps(TileLowering *l) {
  const intptr_t n = l->prefetched ? 0 : l->numMaps;
  const MlirAttribute none = {NULL};
  for (intptr_t i = 0; i < n; ++i)
    nvvmPrefetchOpCreate(l->b, l->loc,
                         mlirBlockGetArgument(mlirRegionGetFirstBlock(l->body), l->firstMap + i),
                         (MlirValue){NULL}, none, none, mlirUnitAttrGet(l->context), none, none);
  l->prefetched = true;
}

/* Whether more barriers are made right behind an op: one fence covers all that a thread has made. */
static bool makesMore(MlirOperation op) {
  while ((op = mlirOperationGetNextInBlock(op)).ptr)
    if (tileOpKind(op) != TileOp_TileGPU_Alloc && !tileOpIsPure(op))
      break;
  return op.ptr && tileOpKind(op) == TileOp_TileGPU_MBarrierInit;
}

MlirLogicalResult tileLowerMBarrierInit(TileLowering *l, MlirOperation operation) {
  MlirValue buffer = mlirOperationGetOperand(operation, 0), base = baseOf(l, buffer);
  TileMemDesc desc;
  TILE_TRY(requireTma(l, operation));
  if (!tileMemDescOf(mlirValueGetType(buffer), &desc))
    return TILE_BUG(operation, "barriers in no buffer");
  MlirBlock rest = enterFirst(l);
  prefetchMaps(l);
  for (int64_t i = 0; i < desc.numBuffers; ++i)
    tileNVMBarrierInitOpCreate(
        l->b, l->loc, barrierAt(l, base, &desc, i),
        tileEmitI32(l, tileGPUMBarrierInitOpGetCount(tileGPUMBarrierInitOpCast(operation))));
  if (!makesMore(operation))
    nvvmFenceMbarrierInitOpCreate(l->b, l->loc);
  leaveFirst(l, rest);
  return tileSuccess();
}

MlirLogicalResult tileLowerMBarrierInval(TileLowering *l, MlirOperation operation) {
  MlirValue buffer = mlirOperationGetOperand(operation, 0), base = baseOf(l, buffer);
  TileMemDesc desc;
  TILE_TRY(requireTma(l, operation));
  if (!tileMemDescOf(mlirValueGetType(buffer), &desc))
    return TILE_BUG(operation, "barriers in no buffer");
  MlirBlock rest = enterFirst(l);
  for (int64_t i = 0; i < desc.numBuffers; ++i)
    tileNVMBarrierInvalOpCreate(l->b, l->loc, barrierAt(l, base, &desc, i));
  leaveFirst(l, rest);
  return tileSuccess();
}

MlirLogicalResult tileLowerMBarrierExpect(TileLowering *l, MlirOperation operation) {
  TileGPUMBarrierExpectOp op = tileGPUMBarrierExpectOpCast(operation);
  TILE_TRY(requireTma(l, operation));
  tileNVMBarrierExpectOpCreate(l->b, l->loc, baseOf(l, tileGPUMBarrierExpectOpGetBarrier(op)),
                               tileEmitI32(l, tileGPUMBarrierExpectOpGetBytes(op)),
                               onlyFirst(l, tileGPUMBarrierExpectOpGetPredicate(op)));
  return tileSuccess();
}

MlirLogicalResult tileLowerMBarrierWait(TileLowering *l, MlirOperation operation) {
  TileGPUMBarrierWaitOp op = tileGPUMBarrierWaitOpCast(operation);
  TILE_TRY(requireTma(l, operation));
  tileNVMBarrierWaitOpCreate(l->b, l->loc, baseOf(l, tileGPUMBarrierWaitOpGetBarrier(op)),
                             tileRegistersOf(l, tileGPUMBarrierWaitOpGetParity(op)).values[0]);
  return tileSuccess();
}

/* The rank of the block that shares copies with this one: of the first `apart` lanes, those whose ranks lie between the same two
 * multiples of it; of the lanes behind, the others that are as far from theirs. */
static MlirValue sharerOf(TileLowering *l, MlirValue lane, int64_t apart) {
  MlirValue rank = tileEmitBlockRank(l), most = tileEmitI32(l, apart - 1), size = tileEmitI32(l, apart);
  MlirValue own = tileEmit2(l, TileOp_LLVM_And, rank, most), first = tileEmit2(l, TileOp_LLVM_Sub, rank, own);
  MlirValue other = tileEmit2(l, TileOp_LLVM_Mul, tileEmit2(l, TileOp_LLVM_Sub, lane, size), size);
  MlirValue isBehind = tileEmitICmp(l, LLVMICmpPredicate_sge, other, first); // this block itself is left out
  other = tileEmitSelect(l, isBehind, tileEmit2(l, TileOp_LLVM_Add, other, size), other);
  return tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_ult, lane, size),
                        tileEmit2(l, TileOp_LLVM_Add, first, lane),
                        tileEmit2(l, TileOp_LLVM_Add, other, own));
}

MlirLogicalResult tileLowerMBarrierArrive(TileLowering *l, MlirOperation operation) {
  TILE_TRY(requireTma(l, operation));
  const int64_t blocks = tileGetIntAttr(operation, "tile_gpu.blocks", 1),
                apart = tileGetIntAttr(operation, "tile_gpu.multicast_stride", 0);
  const int64_t lanes = apart ? apart + blocks / apart - 1 : blocks;
  MlirValue lane = tileEmitLane(l);
  MlirValue leads = tileEmitICmp(l, blocks > 1 ? LLVMICmpPredicate_ult : LLVMICmpPredicate_eq, lane,
                                 tileEmitI32(l, blocks > 1 ? lanes : 0));
  MlirValue block = apart ? sharerOf(l, lane, apart) : lane; // lane n arrives in block n
  tileNVMBarrierArriveOpCreate(l->b, l->loc, baseOf(l, mlirOperationGetOperand(operation, 0)), leads,
                               blocks > 1 ? block : (MlirValue){NULL});
  return tileSuccess();
}

// ---- A warp of its own ----

enum { GROUP_WARPS = 4, REGISTERS = 65536, PRODUCER_REGISTERS = 24, MOST_REGISTERS = 240, GRANULE = 8 };

/* Registers of a thread of the program if the producer's warp group keeps PRODUCER_REGISTERS; 0 if none move. */
static int programRegisters(const TileLowering *l, int threads) {
  const int all = threads + GROUP_WARPS * (int)l->target->warpSize,
            launched = REGISTERS / all / GRANULE * GRANULE;
  const int left = launched * all - PRODUCER_REGISTERS * GROUP_WARPS * (int)l->target->warpSize;
  const int share = left / threads / GRANULE * GRANULE;
  return launched >= MOST_REGISTERS ? 0 : share < MOST_REGISTERS ? share : MOST_REGISTERS;
}

static void setRegisters(TileLowering *l, int count, NVVMSetMaxRegisterAction action) {
  nvvmSetMaxRegisterOpCreate(l->b, l->loc, tileI32Attr(l->context, count),
                             nvvmSetMaxRegisterActionAttrGet(l->context, action));
}

/* All threads meet; the warp behind the program's does the region and returns. Registers move in whole warp groups only: the
 * producer's then has three more warps, which end at once. */
MlirLogicalResult tileLowerProducer(TileLowering *l, MlirOperation operation) {
  MlirBlock body = mlirRegionGetFirstBlock(tileGPUProducerOpGetBody(tileGPUProducerOpCast(operation)));
  MlirBlock own = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, 0, NULL);
  const int threads = l->launchedWarps * (int)l->target->warpSize;
  const bool moves =
      mlirOperationGetDiscardableAttributeByName(operation, tileStr("tile_gpu.moves_registers")).ptr;
  const int registers = moves ? programRegisters(l, threads) : 0;
  MlirOperation terminator;
  TILE_TRY(requireTma(l, operation));
  l->hasProducts |=
      registers >
      0; // else ptxas may know no number of registers at the start, and ignore the changes (C7508)
  if (tileGetIntAttr(operation, "tile_gpu.blocks", 1) > 1)
    tileClusterBarrier(l);
  else
    nvvmBarrier0OpCreate(l->b, l->loc);
  MlirValue warp = tileEmit2(l, TileOp_LLVM_LShr, l->tid, tileEmitI32(l, 5));
  warp = l->hooks->shuffleIndex(l, warp, tileEmitI32(l, 0)); // the same in all lanes, which ptxas cannot know
  MlirValue isExtra = tileEmitICmp(l, LLVMICmpPredicate_sge, warp, tileEmitI32(l, l->launchedWarps));
  tileEmitCondBranch(l, isExtra, own, 0, NULL, rest, 0, NULL);
  tileEnterBlock(l, own);
  if (registers) {
    MlirBlock work = tileAppendBlock(l, 0, NULL), idle = tileAppendBlock(l, 0, NULL);
    setRegisters(l, PRODUCER_REGISTERS, NVVMSetMaxRegisterAction_decrease);
    MlirValue works = tileEmitICmp(l, LLVMICmpPredicate_eq, warp, tileEmitI32(l, l->launchedWarps));
    tileEmitCondBranch(l, works, work, 0, NULL, idle, 0, NULL);
    tileEnterBlock(l, idle);
    llvmReturnOpCreate(l->b, l->loc, (MlirValue){NULL});
    tileEnterBlock(l, work);
  }
  l->leader = threads;
  TILE_TRY(tileLowerBlock(l, body, &terminator));
  llvmReturnOpCreate(l->b, l->loc, (MlirValue){NULL});
  l->leader = 0;
  l->extraWarps = registers ? GROUP_WARPS : 1;
  tileEnterBlock(l, rest);
  if (registers)
    setRegisters(l, registers, NVVMSetMaxRegisterAction_increase);
  if (mlirOperationGetDiscardableAttributeByName(operation, tileStr("tile_gpu.turns")).ptr)
    tileBeginTurns(l);
  return tileSuccess();
}
