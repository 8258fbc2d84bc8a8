/* HandOn.c - tile_gpu.hand_on: sums go from some programs to another through global memory.
 *
 *   %r = tile_gpu.hand_on %s from %p by %d times %n to %q if %gives
 * becomes, in thread t of T, with its registers as vectors of four words,
 *   if %n > 0: thread t < %n loads the word at %p + t * %d (acquire) until it is 1, and stores 0; barrier;
 *     for j < %n: vector i at %p + j * %d + 128 + 16 * (i * T + t) is loaded and added
 *   if %gives: vector i is stored at %q + 128 + 16 * (i * T + t); barrier; thread 0 stores 1 to the word at %q (release)
 *
 * Nobody but this program reads a place that it waited for, so that its word can be cleared at once. */
#include "tile-c/HandOn.h"
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"

enum { WORDS = 4, VECTOR_BYTES = 16 };

typedef struct HandOn {
  TileLowering *l;
  MlirType element, i32;
  MlirAttribute scope;
  TileRegisters value;
  MlirValue from, distance, takes;
} HandOn;

static MlirAttribute ordering(const HandOn *h, LLVMAtomicOrdering o) { return tileI64Attr(h->l->context, o); }

/* This thread's place for vector i. */
static TileAccess accessAt(HandOn *h, MlirValue place, intptr_t i) {
  TileLowering *l = h->l;
  const int64_t threads = l->numWarps * (int64_t)l->target->warpSize;
  MlirValue base = tileEmitSharedElement(l, place, mlirIntegerTypeGet(l->context, 8),
                                         tileEmit2(l, TileOp_LLVM_Mul, l->tid, tileEmitI32(l, VECTOR_BYTES)));
  return (TileAccess){
      .pointer = tileEmitSharedOffset(l, base, TileHandOn_HeaderBytes + i / WORDS * threads * VECTOR_BYTES),
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

static MlirValue plusBytes(TileLowering *l, MlirValue place, MlirValue bytes) {
  return tileEmitSharedElement(l, place, mlirIntegerTypeGet(l->context, 8), bytes);
}

/* Place number `index` (i32) of those that are taken. */
static MlirValue placeOf(HandOn *h, MlirValue index) {
  TileLowering *l = h->l;
  MlirValue wide = tileEmit(l, TileOp_LLVM_ZExt, mlirIntegerTypeGet(l->context, 64), 1, &index);
  return plusBytes(l, h->from, tileEmit2(l, TileOp_LLVM_Mul, wide, h->distance));
}

/* A thread for each place waits for its word; the barrier hands on what they acquired. */
static void waitForAll(HandOn *h) {
  TileLowering *l = h->l;
  MlirBlock start = tileAppendBlock(l, 0, NULL), poll = tileAppendBlock(l, 0, NULL),
            seen = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, tileEmitICmp(l, LLVMICmpPredicate_ult, l->tid, h->takes), start, 0, NULL, after, 0,
                     NULL);
  tileEnterBlock(l, start);
  MlirValue place = placeOf(h, l->tid);
  tileEmitBranch(l, poll, 0, NULL);
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

/* A loop over the places; `carried` are the types of the sums and, last, of the place's number. Goes on in `taken`. */
static void take(HandOn *h, MlirType *carried, MlirBlock taken) {
  TileLowering *l = h->l;
  const intptr_t n = h->value.count;
  waitForAll(h);
  MlirBlock body = tileAppendBlock(l, n + 1, carried);
  MlirValue *values = tileArenaAlloc(l->arena, (size_t)n + 1, sizeof *values);
  for (intptr_t i = 0; i < n; ++i)
    values[i] = h->value.values[i];
  values[n] = tileEmitI32(l, 0);
  tileEmitBranch(l, body, n + 1, values);
  tileEnterBlock(l, body);
  MlirValue number = mlirBlockGetArgument(body, n), place = placeOf(h, number);
  for (intptr_t i = 0; i < n; i += WORDS) {
    MlirValue words[WORDS];
    TileAccess from = accessAt(h, place, i);
    tileEmitPlainLoad(l, &from, words);
    for (int k = 0; k < WORDS; ++k)
      values[i + k] = tileEmit2(l, mlirTypeIsAInteger(h->element) ? TileOp_LLVM_Add : TileOp_LLVM_FAdd,
                                words[k], mlirBlockGetArgument(body, i + k));
  }
  values[n] = tileEmit2(l, TileOp_LLVM_Add, number, tileEmitI32(l, 1));
  tileEmitCondBranch(l, tileEmitICmp(l, LLVMICmpPredicate_ult, values[n], h->takes), body, n + 1, values,
                     taken, n, values);
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
              .value = tileRegistersOf(l, tileGPUHandOnOpGetValue(op)),
              .from = only(l, tileGPUHandOnOpGetFrom(op)),
              .distance = only(l, tileGPUHandOnOpGetDistance(op)),
              .takes = only(l, tileGPUHandOnOpGetTakes(op))};
  const int64_t threads = l->numWarps * (int64_t)l->target->warpSize,
                elements = tileTypeNumElements(mlirValueGetType(tileGPUHandOnOpGetValue(op)));
  if (h.value.count % WORDS || h.value.count * threads != elements)
    return tileEmitOpError(operation, "got %ld registers a thread, expected %ld, a multiple of %d",
                           (long)h.value.count, (long)(elements / threads), WORDS);
  h.element = mlirValueGetType(h.value.values[0]);
  const intptr_t n = h.value.count;
  MlirType *types = tileArenaAlloc(l->arena, (size_t)n + 1, sizeof *types);
  TileRegisters result = tileNewRegisters(l, n);
  for (intptr_t i = 0; i < n; ++i)
    types[i] = h.element;
  types[n] = h.i32;
  MlirBlock takes = tileAppendBlock(l, 0, NULL), taken = tileAppendBlock(l, n, types),
            gives = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, tileEmitICmp(l, LLVMICmpPredicate_ne, h.takes, tileEmitI32(l, 0)), takes, 0, NULL,
                     taken, n, h.value.values);
  tileEnterBlock(l, takes);
  take(&h, types, taken);
  tileEnterBlock(l, taken);
  for (intptr_t i = 0; i < n; ++i)
    result.values[i] = mlirBlockGetArgument(taken, i);
  tileEmitCondBranch(l, only(l, tileGPUHandOnOpGetGives(op)), gives, 0, NULL, rest, 0, NULL);
  tileEnterBlock(l, gives);
  give(&h, only(l, tileGPUHandOnOpGetTo(op)), result.values);
  tileEmitBranch(l, rest, 0, NULL);
  tileEnterBlock(l, rest);
  tileBind(l, tileGPUHandOnOpGetResult(op), result);
  return tileSuccess();
}
