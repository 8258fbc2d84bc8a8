/* CostWalk.c - adds up what one program does, loop by loop. */
#include "CostWalk.h"
#include "mlir-c/Support.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include <math.h>

// Fitted to two runs on an H200, but for UNKNOWN_TRIPS, ISSUE, STORE, REDUCTION and the last two, which are estimates (docs/auto.md).
enum {
  LATENCY = 1256,        // cycles from a load's start to its data while others are on their way
  FIRST = 886,           // what a loop's first load shows of it
  ITERATION = 86,        // of a loop with loads and products, to start them
  MEETING = 5,           // more in a cluster of two, four, eight: so often
  UNKNOWN_TRIPS = 16,    // of a loop whose bounds are not known
  ISSUE = 283,           // elements a multiprocessor's threads compute a cycle
  STORED = 9,            // elements of a block that are brought to the copy engine a cycle
  COPIED = 113,          // cycles of a block's store besides
  CLUSTER_WAIT = 2754,   // cycles until the blocks of a cluster have met, twice
  COLLECTING = 507,      // more where each adds up a share
  SHARES_FROM = 4,       // blocks (tileBlockSumIsShared)
  STREAMED = 658,        // what a block takes more that might be shared
  HAND_ON = 6614,        // cycles until sums have gone from one program to another
  HAND_ON_NEXT = 1039,   // more for each further program of a block
  HAND_ON_BYTES = 6,     // times that the sums go through the cache
  STORE = 370,           // cycles of a store
  REDUCTION = 100,       // of a reduction, and elements once more for their way through it
  APART_FIRST = 4645,    // what a loop's first load shows where rows start at any element
  APART_ITERATION = 128, // of such a loop, besides
  APART_BOX = 54,        // cycles of the copy engine for a box of such rows
  BARRIERS = 2048,       // bytes of shared memory that are left for barriers and small scratch
  // Of a thread; the rest of 255 is for addresses and epilogues (128 x 256 by two warp groups has 128).
  MAX_SUM_REGISTERS = 144
};

/// Of rows that do not start at the cache's lines: lines that are asked for twice, less what other requests hide; and how much longer the
/// cache takes for each program that asks for the same lines.
static const double acrossLines = 3.90, askedAcross = 5.12;

/// Cycles of an iteration at least for each program that needs the same block: the cache answers one after the other.
static const double asked = 1.50;

/// Rows that start at any element: the copy engine's cycles for one of a box; bytes that one warp group and several, which wait for each
/// other, move to their places a cycle; elements that are stored a cycle, and how many times their bytes they ask of the cache.
static const double apartRow = 4.68, moved[2] = {88, 46}, storedApart = 1.67, storedTimes = 17.4;

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

static double bytesOf(MlirType type) {
  const TileElementType element = tileElementTypeOf(type);
  const double size = element == TileElementType_None ? 8 : (double)tileElementTypeBits(element) / 8;
  return size * (double)tileTypeNumElements(type);
}

/// What a block has of a tensor.
static double bytesIn(const TileCostWalk *w, MlirValue v) {
  const MlirType type = mlirValueGetType(v);
  int sharers;
  const double part = tileCostFactorPart(w, v, &sharers);
  return bytesOf(type) * (part > 0 ? part : tileCostPart(w, type));
}

/// What it asks the cache for.
static double bytesFetched(TileCostWalk *w, MlirOperation load) {
  MlirValue v = mlirOperationGetResult(load, 0);
  int sharers = 1;
  tileCostFactorPart(w, v, &sharers);
  const double times = (1 + acrossLines * tileCostAcross(w, load)) * tileCostApart(w, load).longer;
  return bytesIn(w, v) * tileCostValid(w, load) * times / sharers;
}

static void add(TileWork *to, TileWork more) {
  to->time += more.time;
  to->start += more.start;
  to->matrix += more.matrix;
  to->engine += more.engine;
  to->bytes += more.bytes;
}

static bool isLoad(TileOpKind kind) {
  return kind == TileOp_Tile_Load || kind == TileOp_Tile_DescLoad || kind == TileOp_Tile_DescGather;
}

// ---- Loops ----

static double tripsOf(TileCostWalk *w, SCFForOp loop) {
  int64_t low, high, step;
  if (!tileCostNumber(w, scfForOpGetLowerBound(loop), &low) ||
      !tileCostNumber(w, scfForOpGetUpperBound(loop), &high) ||
      !tileCostNumber(w, scfForOpGetStep(loop), &step) || step <= 0)
    return UNKNOWN_TRIPS;
  return high > low ? (double)((high - low + step - 1) / step) : 0;
}

typedef struct Direct {
  double loaded, fetched; ///< bytes in shared memory; bytes that this block copies
  double moved;           ///< bytes that threads move to their places
  double engine;          ///< cycles of the copy engine for them
  double asked;           ///< times that a line of the block that most programs need is asked for
  int loads;
  bool hasProduct;
} Direct;

/// Loads and products that stand in the block itself.
static Direct directOf(TileCostWalk *w, MlirBlock body) {
  Direct d = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    const TileOpKind kind = tileOpKind(op);
    d.hasProduct |= kind == TileOp_Tile_Dot || kind == TileOp_Tile_DotScaled;
    if (isLoad(kind)) {
      const TileCostApart apart = tileCostApart(w, op);
      const double bytes = bytesIn(w, mlirOperationGetResult(op, 0));
      d.loaded += bytes * apart.longer;
      d.moved += apart.boxes > 0 ? bytes : 0;
      d.engine += APART_BOX * apart.boxes + apartRow * apart.pieces;
      d.fetched += bytesFetched(w, op);
      d.asked = larger(d.asked, tileCostSharers(w, op) * (1 + askedAcross * tileCostAcross(w, op)));
      ++d.loads;
    }
  }
  return d;
}

/// Registers of a thread for what the loop carries.
static void needSums(TileCostWalk *w, SCFForOp loop) {
  double bytes = 0;
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(loop); ++i)
    if (tileElementTypeOf(mlirValueGetType(scfForOpGetInitArgs(loop, i))) != TileElementType_None)
      bytes += bytesIn(w, scfForOpGetInitArgs(loop, i));
  w->needs.sumBytes = bytes;
  const double registers = bytes / 4 / (w->in->numWarps * (double)w->in->target->warpSize);
  w->needs.registers = larger(w->needs.registers, registers);
  w->needs.impossible |= registers > MAX_SUM_REGISTERS;
}

/// How many iterations' factors fit; those stand beside a block of results of `out` bytes, and the `moved` ones of products, which leave
/// room for a second program as long as two fit (tile-gpu-pipeline-tma).
static double stagesOf(TileCostWalk *w, double loaded, double out, double moved) {
  const TileTargetInfo *t = w->in->target;
  const double room = t->sharedPerBlock - (double)BARRIERS - out - moved;
  const double half = t->sharedPerMultiprocessor / 2.0 - t->sharedReserved - BARRIERS - moved;
  const double all = (double)(int)(room / loaded),
               fit = moved > 0 && half >= 2 * loaded ? (double)(int)(half / loaded) : all;
  const double stages = smaller(fit, w->in->numStages);
  w->needs.impossible |= all < 2;
  w->needs.sharedBytes = larger(w->needs.sharedBytes, stages * loaded + out + moved);
  return stages;
}

/// Bytes of blocks that the loop around stores, or of their parts: they are staged while the next block's factors come.
static double storedAround(const TileCostWalk *w, MlirOperation loop) {
  const bool isInLoop = tileOpKind(mlirOperationGetParentOperation(loop)) == TileOp_SCF_For;
  double bytes = 0;
  for (MlirOperation op = mlirOperationGetNextInBlock(loop); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Tile_DescStore) {
      MlirValue block = tileDescStoreOpGetValue(tileDescStoreOpCast(op));
      int64_t shape[2];
      const double all = bytesIn(w, block);
      const bool leavesInParts = isInLoop && tileTypeGetShape(mlirValueGetType(block), shape, 2) == 2;
      bytes += leavesInParts ? all / tileTargetStoreParts(w->in->target, (int64_t)all,
                                                          shape[1] / w->needs.storedParts, 0)
                             : all;
    }
  return bytes;
}

static double cube(double x) { return x * x * x; }

/// What a cluster's blocks wait for each other in an iteration.
static double meeting(const TileCostWalk *w) { return w->cluster > 1 ? MEETING * log2(w->cluster) : 0; }

/// A loop whose loads run ahead, or the part of it that one of `split` blocks has: the iterations that all buffers are free for do not
/// wait for them.
static TileWork walkPipelined(TileCostWalk *w, SCFForOp loop, Direct d, TileWork body, double trips,
                              int split) {
  needSums(w, loop);
  // without a producer, with a buffer more
  const bool isApart = d.moved > 0;
  const double stages = stagesOf(w, d.loaded, split > 1 ? d.loaded : storedAround(w, loop.op), d.moved);
  const double ahead = stages > 2 || isApart ? stages - 1.3 : 0.5;
  const double busy = cube(body.matrix + d.moved / moved[w->in->numWarps > 4]) + cube(d.fetched / w->rate) +
                      cube(asked * d.asked) + cube(d.engine);
  const double rest = larger(body.time - body.matrix - d.fetched / w->rate - d.loads * LATENCY, 0) +
                      meeting(w) + (isApart ? APART_ITERATION : 0);
  const double first = cbrt(busy) + ITERATION + rest,
               each = cbrt(busy + cube(LATENCY / ahead)) + ITERATION + rest;
  const double part = (double)(int64_t)((trips + split - 1) / split), early = smaller(part, stages);
  const double start = FIRST + (isApart ? APART_FIRST - FIRST : 0) - early * (each - first);
  return (TileWork){start + part * each, start, part * body.matrix, part * d.engine, part * body.bytes};
}

/// Blocks of a cluster that share the loop, and sum up after it.
static TileWork share(TileCostWalk *w, SCFForOp loop, TileWork one, double trips, int split) {
  double bytes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(loop.op); ++i)
    bytes += bytesOf(mlirValueGetType(mlirOperationGetResult(loop.op, i)));
  w->needs.impossible |= !tileTargetHas(w->in->target, TileFeature_Cluster) ||
                         (unsigned)split > w->in->target->maxClusterSize || trips < split;
  // Each of four and more adds up a share, which the first one collects.
  const bool adds = split >= SHARES_FROM;
  const double parts = adds ? 2 - 2.0 / split : split - 1;
  one.time += CLUSTER_WAIT + (adds ? COLLECTING : 0) + bytes / 28 + parts * bytes / 18;
  return one;
}

/// Programs that share each of the blocks that are left over in a loop with tile.stream; *inout_trips: blocks of a program.
static double partsOf(TileCostWalk *w, SCFForOp loop, double *inout_trips) {
  int64_t blocks, programs;
  const int64_t most = tileGetIntAttr(loop.op, "tile.stream", 1);
  if (most < 2 || !tileTargetHas(w->in->target, TileFeature_WGMMA) ||
      !tileCostNumber(w, scfForOpGetUpperBound(loop), &blocks) ||
      !tileCostNumber(w, scfForOpGetStep(loop), &programs) || programs < 1 || blocks % programs <= 0)
    return 1;
  const double parts = smaller((double)most, (double)(programs / (blocks % programs)));
  *inout_trips += 1 / parts - 1;
  return parts;
}

/// What the programs of a block take to hand sums on.
static double handOn(const TileCostWalk *w, double parts) {
  const double move = HAND_ON_BYTES * w->needs.sumBytes / w->rate;
  return parts > 1 ? HAND_ON + move + (parts - 2) * (HAND_ON_NEXT + 1.5 * move) : 0;
}

static TileWork walkLoop(TileCostWalk *w, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  MlirBlock body = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  int64_t low;
  if (tileCostNumber(w, scfForOpGetLowerBound(loop), &low))
    tileCostSetNumber(w, mlirBlockGetArgument(body, 0), low);
  double trips = tripsOf(w, loop);
  const double parts = partsOf(w, loop, &trips);
  const Direct d = directOf(w, body);
  const int64_t split = tileGetIntAttr(op, "tile.split", 1);
  w->isShared |= split > 1;
  TileWork one = tileCostWalkBlock(w, body);
  w->isShared &= split <= 1;
  w->needs.specialized |=
      mlirOperationGetDiscardableAttributeByName(op, tileStr("tile.warp_specialize")).ptr != NULL;
  if (tileGetIntAttr(op, "tile.stream", 1) > 1)
    one.time += STREAMED;
  TileWork all = {trips * one.time, one.start, trips * one.matrix, trips * one.engine, trips * one.bytes};
  if (d.hasProduct && d.loaded > 0)
    all = walkPipelined(w, loop, d, one, trips, (int)split);
  else if (w->needs.specialized && trips > 1) // the copies of the next block start while this one is stored
    all.time -= (trips - 1) * one.start;
  all.time += handOn(w, parts);
  return split > 1 ? share(w, loop, all, trips, (int)split) : all;
}

// ---- Ops ----

static TileWork walkRegions(TileCostWalk *w, MlirOperation op) {
  TileWork most = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    const TileWork one = block.ptr ? tileCostWalkBlock(w, block) : (TileWork){0};
    most = one.time > most.time ? one : most;
  }
  if (tileOpKind(op) == TileOp_SCF_While)
    most = (TileWork){most.time * UNKNOWN_TRIPS, 0, most.matrix * UNKNOWN_TRIPS, most.engine * UNKNOWN_TRIPS,
                      most.bytes * UNKNOWN_TRIPS};
  return most;
}

static TileWork walkMemory(TileCostWalk *w, double bytes, double latency) {
  return (TileWork){.time = latency + bytes / w->rate, .bytes = bytes};
}

/// A block that threads store: elements one by one where rows start at any of them.
static TileWork walkStored(TileCostWalk *w, MlirOperation op) {
  MlirValue block = tileStoreOpGetValue(tileStoreOpCast(op));
  const bool isApart = tileCostIsApart(w, op);
  TileWork work = walkMemory(w, bytesIn(w, block) * (isApart ? storedTimes : 1), STORE);
  work.time += isApart ? (double)tileTypeNumElements(mlirValueGetType(block)) / storedApart : 0;
  return work;
}

/// A block that the copy engine stores.
static TileWork walkStore(TileCostWalk *w, MlirValue block) {
  TileWork work = walkMemory(w, bytesIn(w, block), COPIED);
  work.time += (double)tileTypeNumElements(mlirValueGetType(block)) *
               tileCostPart(w, mlirValueGetType(block)) / STORED;
  return work;
}

/// Element-wise ops, by their largest tensor.
static TileWork walkElements(const TileCostWalk *w, MlirOperation op) {
  double elements = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    if (tileTypeIsTensor(type))
      elements = larger(elements, (double)tileTypeNumElements(type) * tileCostPart(w, type));
  }
  return (TileWork){.time = elements / ISSUE};
}

/// The function that a call names.
static MlirOperation calleeOf(TileCostWalk *w, MlirOperation op) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(funcCallOpGetCalleeAttr(funcCallOpCast(op)));
  MlirBlock body = mlirModuleGetBody(w->in->module);
  for (MlirOperation f = mlirBlockGetFirstOperation(body); f.ptr; f = mlirOperationGetNextInBlock(f)) {
    MlirAttribute symbol = mlirOperationGetAttributeByName(f, mlirSymbolTableGetSymbolAttributeName());
    if (symbol.ptr && mlirStringRefEqual(mlirStringAttrGetValue(symbol), name))
      return f;
  }
  return (MlirOperation){NULL};
}

static TileWork walkCall(TileCostWalk *w, MlirOperation op) {
  enum { MaxDepth = 16 };
  MlirOperation callee = calleeOf(w, op);
  TileWork work = {0};
  if (callee.ptr && tileOpKind(callee) == TileOp_Func_Func && w->depth < MaxDepth) {
    ++w->depth;
    work = walkRegions(w, callee);
    --w->depth;
  }
  return work;
}

static TileWork walkReduction(TileCostWalk *w, MlirOperation op) {
  const double elements = (double)tileTypeNumElements(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  (void)w;
  return (TileWork){.time = REDUCTION + 2 * elements / ISSUE};
}

static TileWork walkOp(TileCostWalk *w, MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_SCF_For:
    return walkLoop(w, op);
  case TileOp_Func_Call:
    return walkCall(w, op);
  case TileOp_Tile_Dot: {
    const double cycles = tileCostOfProduct(w, op);
    return (TileWork){.time = cycles, .matrix = cycles};
  }
  case TileOp_Tile_Load:
  case TileOp_Tile_DescLoad:
  case TileOp_Tile_DescGather:
  case TileOp_Tile_AtomicRMW:
    return walkMemory(w, bytesFetched(w, op), LATENCY);
  case TileOp_Tile_Store:
    return walkStored(w, op);
  case TileOp_Tile_DescStore:
    return walkStore(w, tileDescStoreOpGetValue(tileDescStoreOpCast(op)));
  case TileOp_Tile_Reduce:
  case TileOp_Tile_Scan:
    return walkReduction(w, op);
  case TileOp_Tile_Trans:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_AddPtr:
  case TileOp_Arith_Constant:
    return (TileWork){0};
  default:
    return mlirOperationGetNumRegions(op) ? walkRegions(w, op) : walkElements(w, op);
  }
}

TileWork tileCostWalkBlock(TileCostWalk *w, MlirBlock block) {
  TileWork sum = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    add(&sum, walkOp(w, op));
  return sum;
}
