/* Poll.c - tile.atomic_poll: one thread of the program loads until it sees the value, the others wait at a
 * barrier behind.
 *
 *   %seen = tile.atomic_poll %flag, %one timeout %ns sem = acquire : !tile.ptr<i32>
 * becomes, in thread 0,
 *   ^poll: %v = llvm.load %flag atomic acquire; llvm.cond_br (%v == %one), ^done(true), ^late
 *   ^late: llvm.cond_br (counter - begin >= %ns / tick), ^done(false), ^poll
 * and its result goes through shared memory to everybody. The barrier hands the acquired writes on.
 *
 * The counter runs at a constant rate whatever the clock of the cores; a tick is one nanosecond on NVIDIA
 * (which may advance by many at once), 10 or 40 on AMD: the wait is at least as long as asked for. A timeout
 * that is not positive looks once. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Scratch.h"

typedef struct Poll {
  TileLowering *l;
  TileAtomicPollOp op;
  MlirType i1, i64;
  MlirValue limit, begin; ///< in ticks; null without a timeout
  MlirBlock poll, done;   ///< done takes what was seen
} Poll;

static MlirValue boolean(Poll *p, bool value) { return tileEmitInt(p->l, p->i1, value); }

static MlirValue readCounter(Poll *p) {
  return tileEmitIntrinsic(p->l, "llvm.readsteadycounter", p->i64, 0, NULL);
}

static MlirValue load(Poll *p) {
  TileLowering *l = p->l;
  bool acquires = tileAtomicPollOpGetSem(p->op) == TileMemSemantic_Acquire;
  LLVMAtomicOrdering ordering = acquires ? LLVMAtomicOrdering_acquire : LLVMAtomicOrdering_monotonic;
  MlirValue expected = tileRegistersOf(l, tileAtomicPollOpGetExpected(p->op)).values[0];
  MlirType type = mlirValueGetType(expected);
  const char *scope = l->hooks->syncScope(tileAtomicPollOpGetScope(p->op));
  LLVMLoadOpAttrs attrs = {.alignment = tileI64Attr(l->context, tileTypeBits(type) / 8),
                           .ordering = tileI64Attr(l->context, ordering),
                           .syncscope = mlirStringAttrGet(l->context, tileStr(scope))};
  MlirValue pointer = tileRegistersOf(l, tileAtomicPollOpGetPtr(p->op)).values[0];
  MlirValue v = llvmLoadOpGetRes(llvmLoadOpCreate(l->b, l->loc, type, pointer, &attrs));
  return tileEmitICmp(l, LLVMICmpPredicate_eq, v, expected);
}

/* Ticks of a timeout, rounded up; 0 if it is negative. */
static MlirValue ticksOf(Poll *p, MlirValue nanoseconds) {
  TileLowering *l = p->l;
  MlirValue zero = tileEmitInt(l, p->i64, 0), tick = tileEmitInt(l, p->i64, l->target->timerNanoseconds);
  MlirValue positive =
      tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_sgt, nanoseconds, zero), nanoseconds, zero);
  if (l->target->timerNanoseconds == 1)
    return positive;
  MlirValue whole = tileEmit2(l, TileOp_LLVM_UDiv, positive, tick);
  return tileEmit2(l, TileOp_LLVM_Add, whole, tileEmitInt(l, p->i64, 1));
}

/* The loop of the thread that polls; continues in `done`. */
static void emitLoop(Poll *p) {
  TileLowering *l = p->l;
  MlirValue yes = boolean(p, true), no = boolean(p, false);
  tileEmitBranch(l, p->poll, 0, NULL);
  tileEnterBlock(l, p->poll);
  MlirValue equal = load(p);
  if (!p->limit.ptr) {
    tileEmitCondBranch(l, equal, p->done, 1, &yes, p->poll, 0, NULL);
  } else {
    MlirBlock late = tileAppendBlock(l, 0, NULL);
    tileEmitCondBranch(l, equal, p->done, 1, &yes, late, 0, NULL);
    tileEnterBlock(l, late);
    MlirValue passed = tileEmit2(l, TileOp_LLVM_Sub, readCounter(p), p->begin);
    tileEmitCondBranch(l, tileEmitICmp(l, LLVMICmpPredicate_uge, passed, p->limit), p->done, 1, &no, p->poll,
                       0, NULL);
  }
  tileEnterBlock(l, p->done);
}

static TileAccess scratchAccess(Poll *p) {
  return (TileAccess){.pointer = tileEmitSharedPointer(p->l, tileScratchOffset(p->op.op)),
                      .element = mlirIntegerTypeGet(p->l->context, 8),
                      .width = 1,
                      .alignment = 1};
}

MlirLogicalResult tileLowerAtomicPoll(TileLowering *l, MlirOperation op) {
  Poll p = {.l = l,
            .op = tileAtomicPollOpCast(op),
            .i1 = mlirIntegerTypeGet(l->context, 1),
            .i64 = mlirIntegerTypeGet(l->context, 64)};
  MlirValue timeout = tileAtomicPollOpGetTimeout(p.op), result = tileAtomicPollOpGetResult(p.op);
  bool shares = timeout.ptr && !tileValueIsUnused(result);
  MlirBlock start = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  p.poll = tileAppendBlock(l, 0, NULL);
  p.done = tileAppendBlock(l, 1, &p.i1);
  if (shares)
    tileEmitScratchBarrier(l, op);
  tileEmitCondBranch(l, tileEmitFirstThread(l), start, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, start);
  if (timeout.ptr) {
    p.limit = ticksOf(&p, tileRegistersOf(l, timeout).values[0]);
    p.begin = readCounter(&p);
  }
  emitLoop(&p);
  if (shares) {
    TileAccess to = scratchAccess(&p);
    MlirValue seen = tileToMemory(l, mlirBlockGetArgument(p.done, 0));
    tileEmitPlainStore(l, &to, &seen);
  }
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
  l->hooks->fullBarrier(l);
  MlirValue seen = boolean(&p, true);
  if (shares) {
    TileAccess from = scratchAccess(&p);
    tileEmitPlainLoad(l, &from, &seen);
    seen = tileFromMemory(l, seen, p.i1);
  }
  tileBindOne(l, result, seen);
  return tileSuccess();
}
