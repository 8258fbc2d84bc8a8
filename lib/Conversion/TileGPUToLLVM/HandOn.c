/* HandOn.c - tile_gpu.hand_on: a sum goes from one program to another through global memory.
 *
 *   %r = tile_gpu.hand_on %s from %p if %takes to %q if %gives
 * becomes, in thread t of T, with its registers as vectors of four words,
 *   if %takes: thread 0 loads the word at %p (acquire) until it is 1, and stores 0; barrier;
 *     vector i at %p + 128 + 16 * (i * T + t) is loaded and added
 *   if %gives: vector i is stored at %q + 128 + 16 * (i * T + t); barrier; thread 0 stores 1 to the word at %q (release)
 *
 * Nobody but this program reads a place that it waited for, so that its word can be cleared at once. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"

enum { WORDS = 4, VECTOR_BYTES = 16, HEADER_BYTES = 128 };

typedef struct HandOn {
  TileLowering *l;
  MlirType element, i32;
  MlirAttribute scope;
  TileRegisters value;
} HandOn;

static MlirAttribute ordering(const HandOn *h, LLVMAtomicOrdering o) { return tileI64Attr(h->l->context, o); }

/* This thread's place for vector i. */
static TileAccess accessAt(HandOn *h, MlirValue place, intptr_t i) {
  TileLowering *l = h->l;
  const int64_t threads = l->numWarps * (int64_t)l->target->warpSize;
  MlirValue base = tileEmitSharedElement(l, place, mlirIntegerTypeGet(l->context, 8),
                                         tileEmit2(l, TileOp_LLVM_Mul, l->tid, tileEmitI32(l, VECTOR_BYTES)));
  return (TileAccess){.pointer =
                          tileEmitSharedOffset(l, base, HEADER_BYTES + i / WORDS * threads * VECTOR_BYTES),
                      .element = h->element,
                      .width = WORDS,
                      .alignment = VECTOR_BYTES};
}

static void storeWord(HandOn *h, MlirValue place, int64_t word, LLVMAtomicOrdering o) {
  TileLowering *l = h->l;
  LLVMStoreOpAttrs attrs = {
      .alignment = tileI64Attr(l->context, 4), .ordering = ordering(h, o), .syncscope = h->scope};
  llvmStoreOpCreate(l->b, l->loc, tileEmitI32(l, word), place, &attrs);
}

/* The first thread waits for the word; the barrier hands on what it acquired. */
static void waitFor(HandOn *h, MlirValue place) {
  TileLowering *l = h->l;
  MlirBlock poll = tileAppendBlock(l, 0, NULL), seen = tileAppendBlock(l, 0, NULL),
            after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, tileEmitFirstThread(l), poll, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, poll);
  LLVMLoadOpAttrs attrs = {.alignment = tileI64Attr(l->context, 4),
                           .ordering = ordering(h, LLVMAtomicOrdering_acquire),
                           .syncscope = h->scope};
  MlirValue word = llvmLoadOpGetRes(llvmLoadOpCreate(l->b, l->loc, h->i32, place, &attrs));
  tileEmitCondBranch(l, tileEmitICmp(l, LLVMICmpPredicate_eq, word, tileEmitI32(l, 1)), seen, 0, NULL, poll,
                     0, NULL);
  tileEnterBlock(l, seen);
  storeWord(h, place, 0, LLVMAtomicOrdering_monotonic);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
  l->hooks->fullBarrier(l);
}

/* The sums with what was left at the place. */
static void take(HandOn *h, MlirValue place, MlirValue *sums) {
  waitFor(h, place);
  for (intptr_t i = 0; i < h->value.count; i += WORDS) {
    MlirValue words[WORDS];
    TileAccess from = accessAt(h, place, i);
    tileEmitPlainLoad(h->l, &from, words);
    for (int k = 0; k < WORDS; ++k)
      sums[i + k] = tileEmit2(h->l, mlirTypeIsAInteger(h->element) ? TileOp_LLVM_Add : TileOp_LLVM_FAdd,
                              words[k], h->value.values[i + k]);
  }
}

static void give(HandOn *h, MlirValue place, const MlirValue *sums) {
  TileLowering *l = h->l;
  for (intptr_t i = 0; i < h->value.count; i += WORDS) {
    TileAccess to = accessAt(h, place, i);
    tileEmitPlainStore(l, &to, sums + i);
  }
  l->hooks->fullBarrier(l);
  MlirBlock first = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, tileEmitFirstThread(l), first, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, first);
  storeWord(h, place, 1, LLVMAtomicOrdering_release);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

static MlirValue only(TileLowering *l, MlirValue v) { return tileRegistersOf(l, v).values[0]; }

MlirLogicalResult tileLowerHandOn(TileLowering *l, MlirOperation operation) {
  TileGPUHandOnOp op = tileGPUHandOnOpCast(operation);
  HandOn h = {.l = l,
              .i32 = mlirIntegerTypeGet(l->context, 32),
              .scope = mlirStringAttrGet(l->context, tileStr(l->hooks->syncScope(TileMemScope_GPU))),
              .value = tileRegistersOf(l, tileGPUHandOnOpGetValue(op))};
  const int64_t threads = l->numWarps * (int64_t)l->target->warpSize,
                elements = tileTypeNumElements(mlirValueGetType(tileGPUHandOnOpGetValue(op)));
  if (h.value.count % WORDS || h.value.count * threads != elements)
    return tileEmitOpError(operation, "got %ld registers a thread, expected %ld, a multiple of %d",
                           (long)h.value.count, (long)(elements / threads), WORDS);
  h.element = mlirValueGetType(h.value.values[0]);
  MlirType *types = tileArenaAlloc(l->arena, (size_t)h.value.count, sizeof *types);
  TileRegisters sums = tileNewRegisters(l, h.value.count), result = tileNewRegisters(l, h.value.count);
  for (intptr_t i = 0; i < h.value.count; ++i)
    types[i] = h.element;
  MlirBlock takes = tileAppendBlock(l, 0, NULL), taken = tileAppendBlock(l, h.value.count, types),
            gives = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, only(l, tileGPUHandOnOpGetTakes(op)), takes, 0, NULL, taken, h.value.count,
                     h.value.values);
  tileEnterBlock(l, takes);
  take(&h, only(l, tileGPUHandOnOpGetFrom(op)), sums.values);
  tileEmitBranch(l, taken, h.value.count, sums.values);
  tileEnterBlock(l, taken);
  for (intptr_t i = 0; i < h.value.count; ++i)
    result.values[i] = mlirBlockGetArgument(taken, i);
  tileEmitCondBranch(l, only(l, tileGPUHandOnOpGetGives(op)), gives, 0, NULL, rest, 0, NULL);
  tileEnterBlock(l, gives);
  give(&h, only(l, tileGPUHandOnOpGetTo(op)), result.values);
  tileEmitBranch(l, rest, 0, NULL);
  tileEnterBlock(l, rest);
  tileBind(l, tileGPUHandOnOpGetResult(op), result);
  return tileSuccess();
}
