/* StreamLoops.c - tile-gpu-stream-loops: programs share out the blocks that are left over when all have had equally many.
 *
 *   scf.for %t = %pid to %tiles step %num {
 *     ... coordinates from %t
 *     %s = scf.for %k = %lo to %hi step %st iter_args(%acc = %zero) { ... tile.dot ... }
 *     tile.desc_store %c[%i, %j], %s
 *   } {tile.stream = 3 : i32}
 * becomes, with n = (%hi - %lo) / %st iterations a block and a parameter %scratch more,
 *   rounds = %tiles / %num;  rest = %tiles % %num
 *   parts = min(3, %num / rest)                        // programs of each block that is left over
 *   scf.for %u = 0 to rounds + (1 if %pid < rest * parts) {
 *     %t = %u < rounds ? %u * %num + %pid : rounds * %num + %pid % rest
 *     %first, %end = %u < rounds ? 0, n : part %pid / rest of n
 *     %s = scf.for %k = %lo + %first * %st to min(%hi, %lo + %end * %st) step %st { ... }
 *     %r = tile_gpu.hand_on %s from (place %pid % rest of %scratch) by rest places times (%end < n ? 0 : %pid / rest)
 *          to (place %pid) if %end < n
 *     tile.desc_store %c[%end < n ? outside : %i, %j], %r
 *   }
 *
 * Programs beside each other have the same part of neighbouring blocks: what they load at a time they share. The programs of a block
 * compute at the same time; the one with the last part waits for the others, adds their sums and stores.
 *
 * Of programs that are clusters (tile.blocks, tile.column_blocks) each block hands its sums on to the block of its number in the other
 * cluster: places are counted by %pid times the cluster's blocks plus %rank.
 *
 * requires: tile ops; module attributes.
 * ensures: the same sums but for the order of their terms. A loop that cannot be shared out stays as it is, with a warning. */
#include "MemoryRoots.h"
#include "Parameters.h"
#include "tile-c/Collect.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/HandOn.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/Bits.h"
#include "tile-c/Support/PointerList.h"

enum { MOST_SUMS = 16, OUTSIDE = 1 << 30 /* a coordinate that no tensor has */ };

typedef struct Streamer {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  MlirOperation function;
  SCFForOp outer, inner;
  MlirType i32;
  TilePointerList writers;
  int64_t placeBytes, mostParts, leastElements;
  int64_t cluster; ///< blocks of a program
  MlirValue pid, num, zero, one;
  MlirValue iterations; ///< of a block
  MlirValue rounds, rest,
      parts;                 ///< of whole blocks; blocks that are left over; programs that share each of them
  MlirValue block, from, to; ///< of a unit: the block and its iterations
  MlirValue part;            ///< which part of a block this program has
  MlirValue takes, gives;
} Streamer;

// ---- What can be shared out ----

static MlirBlock bodyOf(SCFForOp loop) { return mlirRegionGetFirstBlock(scfForOpGetRegion(loop)); }

static bool isOutside(const Streamer *s, MlirValue v) {
  return !tileOpIsIn(mlirBlockGetParentOperation(tileValueGetBlock(v)), s->outer.op);
}

static bool isI32(MlirValue v) {
  return mlirTypeIsAInteger(mlirValueGetType(v)) && mlirIntegerTypeGetWidth(mlirValueGetType(v)) == 32;
}

/* From program x by steps of the number of programs along x. */
static bool isDealt(const Streamer *s) {
  TileProgramIdOp id = tileProgramIdOpCast(tileValueGetDefiningOp(scfForOpGetLowerBound(s->outer)));
  TileNumProgramsOp num = tileNumProgramsOpCast(tileValueGetDefiningOp(scfForOpGetStep(s->outer)));
  return !tileProgramIdOpIsNull(id) && !tileNumProgramsOpIsNull(num) &&
         tileProgramIdOpGetAxis(id) == TileProgramAxis_X &&
         tileNumProgramsOpGetAxis(num) == TileProgramAxis_X;
}

typedef struct Asks {
  const Streamer *s;
  bool found;
} Asks;

static MlirWalkResult findAsks(MlirOperation op, void *user) {
  Asks *a = user;
  const TileOpKind kind = tileOpKind(op);
  if (kind != TileOp_Tile_ProgramId && kind != TileOp_Tile_NumPrograms)
    return MlirWalkResultAdvance;
  for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    a->found |= mlirOpOperandGetOwner(use).ptr != a->s->outer.op.ptr;
  return a->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool isSum(SCFForOp loop, intptr_t i) {
  MlirType type = mlirValueGetType(scfForOpGetInitArgs(loop, i));
  MlirValue start = mlirBlockGetArgument(bodyOf(loop), i + 1);
  MlirOperation op = tileValueGetDefiningOp(mlirOperationGetOperand(mlirBlockGetTerminator(bodyOf(loop)), i));
  return tileTypeIsTensor(type) && tileElementTypeBits(tileElementTypeOf(type)) == 32 &&
         tileValueIsZero(scfForOpGetInitArgs(loop, i)) && op.ptr && tileOpKind(op) == TileOp_Tile_Dot &&
         mlirValueEqual(tileDotOpGetC(tileDotOpCast(op)), start) && tileValueHasOneUse(start);
}

static const char *reasonAgainstInner(Streamer *s) {
  SCFForOp loop = s->inner;
  if (!isI32(scfForOpGetLowerBound(loop)) || scfForOpGetUnsignedCmp(loop) ||
      !isOutside(s, scfForOpGetLowerBound(loop)) || !isOutside(s, scfForOpGetUpperBound(loop)) ||
      !isOutside(s, scfForOpGetStep(loop)))
    return "the inner loop's bounds are not i32 of the whole kernel";
  if (scfForOpGetNumInitArgs(loop) > MOST_SUMS)
    return "the inner loop carries too many sums";
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(loop); ++i)
    if (!isSum(loop, i))
      return "the inner loop carries something else than sums of products that start at zero";
    else if (tileTypeNumElements(mlirValueGetType(scfForOpGetInitArgs(loop, i))) < s->leastElements)
      return "threads would hold copies of a sum's elements";
  for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(loop)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (!tileOpIsPure(op) && tileOpKind(op) != TileOp_Tile_Load && tileOpKind(op) != TileOp_Tile_DescLoad &&
        tileOpKind(op) != TileOp_SCF_Yield)
      return "the inner loop does more than load and compute";
  return NULL;
}

static const char *readBody(Streamer *s) {
  for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(s->outer)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_SCF_For && scfForOpIsNull(s->inner)) {
      s->inner = scfForOpCast(op);
    } else if (kind == TileOp_Tile_Store || kind == TileOp_Tile_DescStore) {
      if (scfForOpIsNull(s->inner))
        return "something is stored in front of the inner loop";
      tilePointerListAppend(&s->writers, op.ptr);
    } else if (!(tileOpIsPure(op) && !mlirOperationGetNumRegions(op)) && kind != TileOp_SCF_Yield &&
               kind != TileOp_Tile_Load && kind != TileOp_Tile_DescLoad) {
      return "there is more than one loop, loads and stores in it";
    }
  }
  return scfForOpIsNull(s->inner) || !scfForOpGetNumInitArgs(s->inner) ? "there is no loop with sums in it"
                                                                       : NULL;
}

typedef struct Reads {
  const Streamer *s;
  bool found;
} Reads;

static MlirWalkResult findRead(MlirOperation op, void *user) {
  Reads *r = user;
  const TileOpKind kind = tileOpKind(op);
  if (kind != TileOp_Tile_Load && kind != TileOp_Tile_DescLoad)
    return MlirWalkResultAdvance;
  MlirValue read = tileAccessedParameter(op);
  for (size_t i = 0; i < r->s->writers.count; ++i) {
    MlirValue written = tileAccessedParameter((MlirOperation){(void *)r->s->writers.items[i]});
    r->found |= !read.ptr || !written.ptr || mlirValueEqual(read, written);
  }
  return r->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static const char *reasonAgainst(Streamer *s) {
  Asks asks = {s, false};
  Reads reads = {s, false};
  if (tileOpKind(mlirOperationGetParentOperation(s->outer.op)) != TileOp_Func_Func ||
      scfForOpGetNumInitArgs(s->outer) || !isI32(scfForOpGetLowerBound(s->outer)) || !isDealt(s))
    return "it is no loop of the kernel from tile.program_id x by steps of tile.num_programs x";
  mlirOperationWalk(s->function, findAsks, &asks, MlirWalkPreOrder);
  if (asks.found)
    return "the program's number is used elsewhere";
  const char *reason = readBody(s);
  reason = reason ? reason : reasonAgainstInner(s);
  if (reason)
    return reason;
  mlirOperationWalk(s->function, findRead, &reads, MlirWalkPreOrder);
  return reads.found ? "the kernel may read what it writes" : NULL;
}

// ---- Scalars ----

static MlirValue binary(Streamer *s, TileOpKind kind, MlirValue a, MlirValue b) {
  return tileCreateOp2(s->b, s->loc, kind, a, b);
}

static MlirValue constantOf(Streamer *s, MlirType type, int64_t value) {
  return tileCreateInteger(s->b, s->loc, type, value);
}

static MlirValue constant(Streamer *s, int64_t value) { return constantOf(s, s->i32, value); }

static MlirValue compare(Streamer *s, ArithCmpIPredicate predicate, MlirValue a, MlirValue b) {
  return arithCmpIOpGetResult(arithCmpIOpCreate(s->b, s->loc, mlirIntegerTypeGet(s->context, 1), a, b,
                                                tileI64Attr(s->context, predicate)));
}

static MlirValue choose(Streamer *s, MlirValue condition, MlirValue a, MlirValue b) {
  return tileCreateSelect(s->b, s->loc, condition, a, b);
}

static MlirValue add(Streamer *s, MlirValue a, MlirValue b) { return binary(s, TileOp_Arith_AddI, a, b); }
static MlirValue subtract(Streamer *s, MlirValue a, MlirValue b) {
  return binary(s, TileOp_Arith_SubI, a, b);
}
static MlirValue multiply(Streamer *s, MlirValue a, MlirValue b) {
  return binary(s, TileOp_Arith_MulI, a, b);
}

/* In front of the loop: what is dealt out and what is shared; returns how many units this program has. */
static MlirValue shareOut(Streamer *s) {
  SCFForOp inner = s->inner;
  s->zero = constant(s, 0);
  s->one = constant(s, 1);
  s->pid = scfForOpGetLowerBound(s->outer);
  s->num = scfForOpGetStep(s->outer);
  MlirValue tiles = binary(s, TileOp_Arith_MaxSI, scfForOpGetUpperBound(s->outer), s->zero);
  MlirValue distance = subtract(s, scfForOpGetUpperBound(inner), scfForOpGetLowerBound(inner));
  s->iterations = binary(s, TileOp_Arith_MaxSI, s->one,
                         binary(s, TileOp_Arith_CeilDivSI, distance, scfForOpGetStep(inner)));
  s->rounds = binary(s, TileOp_Arith_DivSI, tiles, s->num);
  MlirValue left = subtract(s, tiles, multiply(s, s->rounds, s->num));
  s->rest = binary(s, TileOp_Arith_MaxSI, left, s->one); // a divisor
  MlirValue most = binary(s, TileOp_Arith_MinSI, s->iterations, constant(s, s->mostParts));
  s->parts = binary(s, TileOp_Arith_MinSI, most, binary(s, TileOp_Arith_DivSI, s->num, s->rest));
  s->part = binary(s, TileOp_Arith_DivSI, s->pid, s->rest);
  MlirValue has = compare(s, ArithCmpIPredicate_slt, s->pid, multiply(s, left, s->parts));
  return add(s, s->rounds, choose(s, has, s->one, s->zero));
}

/* Where part `part` of a block's iterations starts. */
static MlirValue startOf(Streamer *s, MlirValue part) {
  return binary(s, TileOp_Arith_DivSI, multiply(s, s->iterations, part), s->parts);
}

/* Within the loop: which block, and which of its iterations. */
static void findUnit(Streamer *s, MlirValue unit) {
  MlirValue isPart = compare(s, ArithCmpIPredicate_sge, unit, s->rounds);
  MlirValue number = subtract(s, s->pid, multiply(s, s->part, s->rest));
  MlirValue column = choose(s, isPart, number, s->pid);
  s->block = add(s, multiply(s, unit, s->num), column);
  s->from = choose(s, isPart, startOf(s, s->part), s->zero);
  s->to = choose(s, isPart, startOf(s, add(s, s->part, s->one)), s->iterations);
  s->gives = compare(s, ArithCmpIPredicate_slt, s->to, s->iterations);
  MlirValue others = choose(s, isPart, s->part, s->zero);
  s->takes = choose(s, s->gives, s->zero, others);
}

// ---- Sharing out ----

/* Bytes of so many programs' places. */
static MlirValue bytesOfPlaces(Streamer *s, MlirValue programs) {
  MlirType i64 = mlirIntegerTypeGet(s->context, 64);
  MlirValue wide = arithExtSIOpGetOut(arithExtSIOpCreate(s->b, s->loc, i64, programs));
  return multiply(s, wide, constantOf(s, i64, s->placeBytes * s->cluster));
}

/* Pointer to a sum's place among those of a program, or of this block of it. */
static MlirValue placeOf(Streamer *s, MlirValue scratch, MlirValue program, int64_t offset) {
  MlirType i64 = mlirIntegerTypeGet(s->context, 64);
  MlirValue bytes = add(s, bytesOfPlaces(s, program), constantOf(s, i64, offset));
  if (s->cluster > 1) {
    MlirValue rank = tileGPUBlockRankOpGetResult(tileGPUBlockRankOpCreate(s->b, s->loc, s->i32));
    MlirValue wide = arithExtUIOpGetOut(arithExtUIOpCreate(s->b, s->loc, i64, rank));
    bytes = add(s, bytes, multiply(s, wide, constantOf(s, i64, s->placeBytes)));
  }
  MlirValue operands[2] = {scratch, binary(s, TileOp_Arith_DivSI, bytes, constantOf(s, i64, 4))};
  return tileCreateOp(s->b, s->loc, TileOp_Tile_AddPtr, mlirValueGetType(scratch), 2, operands);
}

static int64_t bytesOf(MlirType sum) { return TileHandOn_HeaderBytes + 4 * tileTypeNumElements(sum); }

static void handOn(Streamer *s, MlirValue scratch) {
  int64_t offset = 0;
  SCFForOp loop = s->inner;
  mlirRewriterBaseSetInsertionPointBefore(s->b, s->outer.op);
  MlirValue first = subtract(s, s->pid, multiply(s, s->part, s->rest)), distance = bytesOfPlaces(s, s->rest);
  MlirValue from[MOST_SUMS], to[MOST_SUMS];
  const intptr_t n = mlirOperationGetNumResults(loop.op);
  for (intptr_t i = 0; i < n; ++i) {
    from[i] = placeOf(s, scratch, first, offset);
    to[i] = placeOf(s, scratch, s->pid, offset);
    offset += bytesOf(mlirValueGetType(mlirOperationGetResult(loop.op, i)));
  }
  mlirRewriterBaseSetInsertionPointAfter(s->b, loop.op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue part = mlirOperationGetResult(loop.op, i);
    TileGPUHandOnOp sum = tileGPUHandOnOpCreate(s->b, s->loc, mlirValueGetType(part), part, from[i], distance,
                                                s->takes, to[i], s->gives);
    mlirValueReplaceAllUsesExcept(part, tileGPUHandOnOpGetResult(sum), 1, &sum.op);
  }
}

/* Nothing is stored of a sum that goes on: a block outside of the tensor, or no store. */
static void storeWholes(Streamer *s, MlirOperation writer) {
  s->loc = mlirOperationGetLocation(writer);
  mlirRewriterBaseSetInsertionPointBefore(s->b, writer);
  if (tileOpKind(writer) == TileOp_Tile_DescStore) {
    MlirValue first = mlirOperationGetOperand(writer, 1);
    mlirOperationSetOperand(writer, 1, choose(s, s->gives, constant(s, OUTSIDE), first));
    return;
  }
  MlirValue stores = compare(s, ArithCmpIPredicate_sge, s->to, s->iterations);
  SCFIfOp branch = scfIfOpCreate(s->b, s->loc, 0, NULL, stores);
  MlirBlock body = tileRegionAddBlock(mlirOperationGetRegion(branch.op, 0));
  mlirOperationRemoveFromParent(writer);
  mlirBlockAppendOwnedOperation(body, writer);
  mlirRewriterBaseSetInsertionPointToEnd(s->b, body);
  scfYieldOpCreate(s->b, s->loc, 0, NULL);
}

static void stream(Streamer *s) {
  SCFForOp inner = s->inner;
  mlirRewriterBaseSetInsertionPointBefore(s->b, s->outer.op);
  MlirValue units = shareOut(s);
  MlirValue unit = mlirBlockGetArgument(bodyOf(s->outer), 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(inner.op); ++i)
    s->placeBytes += bytesOf(mlirValueGetType(mlirOperationGetResult(inner.op, i)));
  mlirOperationSetOperand(s->outer.op, 0, s->zero);
  mlirOperationSetOperand(s->outer.op, 1, units);
  mlirOperationSetOperand(s->outer.op, 2, s->one);
  MlirOperation firstOld = mlirBlockGetFirstOperation(bodyOf(s->outer));
  mlirRewriterBaseSetInsertionPointToStart(s->b, bodyOf(s->outer));
  MlirValue marker = add(s, unit, s->zero); // stands for the block until the old uses of the variable are its
  mlirValueReplaceAllUsesExcept(unit, marker, 1, (MlirOperation[]){tileValueGetDefiningOp(marker)});
  mlirRewriterBaseSetInsertionPointBefore(s->b, firstOld);
  findUnit(s, unit);
  mlirValueReplaceAllUsesOfWith(marker, s->block);
  mlirRewriterBaseEraseOp(s->b, tileValueGetDefiningOp(marker));
  MlirValue low = scfForOpGetLowerBound(inner), high = scfForOpGetUpperBound(inner),
            step = scfForOpGetStep(inner);
  mlirRewriterBaseSetInsertionPointBefore(s->b, inner.op);
  mlirOperationSetOperand(inner.op, 0, add(s, low, multiply(s, s->from, step)));
  mlirOperationSetOperand(inner.op, 1,
                          binary(s, TileOp_Arith_MinSI, high, add(s, low, multiply(s, s->to, step))));
  MlirValue scratch;
  tileAppendParameters(s->function, 1, tilePtrTypeGet(s->context, s->i32, 1), &scratch);
  handOn(s, scratch);
  for (size_t i = 0; i < s->writers.count; ++i)
    storeWholes(s, (MlirOperation){(void *)s->writers.items[i]});
  mlirOperationSetDiscardableAttributeByName(s->function, tileStr(tileHandOnScratchName),
                                             tileI32Attr(s->context, s->placeBytes));
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_SCF_For && tileGetIntAttr(op, "tile.stream", 1) > 1)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

/* The one loop of a kernel that asks for it. */
static bool streamKernel(MlirOperation function, const TileModuleTarget *target) {
  TileArena arena = {0};
  TilePointerList loops = {.arena = &arena};
  mlirOperationWalk(function, collect, &loops, MlirWalkPreOrder);
  const int64_t threads = target->numWarps * (int64_t)target->info.warpSize;
  bool done = false;
  for (size_t i = 0; i < loops.count; ++i) {
    MlirOperation loop = {(void *)loops.items[i]};
    Streamer s = {.context = mlirOperationGetContext(function),
                  .loc = mlirOperationGetLocation(loop),
                  .function = function,
                  .outer = scfForOpCast(loop),
                  .cluster = tileGetIntAttr(function, "tile_gpu.cluster", 1),
                  .mostParts =
                      tileLeast(tileGetIntAttr(loop, "tile.stream", 1), threads), // a thread waits for one
                  .leastElements = 4 * threads,
                  .writers = {.arena = &arena}};
    s.i32 = mlirIntegerTypeGet(s.context, 32);
    const char *reason = done ? "another loop of the kernel has it" : reasonAgainst(&s);
    if (reason) {
      tileEmitWarning(s.loc, "tile.stream is left out: %s", reason);
      continue;
    }
    s.b = mlirIRRewriterCreate(s.context);
    stream(&s);
    mlirIRRewriterDestroy(s.b);
    done = true;
  }
  tileArenaRelease(&arena);
  return done;
}

MlirLogicalResult tileGPUStreamLoopsRun(MlirOperation module, const TileGPUStreamLoopsParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_WGMMA))
    return tileSuccess();
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func)
      *params->numKernels += streamKernel(op, &target);
  return tileSuccess();
}
