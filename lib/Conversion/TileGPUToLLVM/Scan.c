/* Scan.c - tile.scan: over the registers of a thread, the lanes of a warp by shuffles, blocks of other warps
 * through shared memory, from the lowest bit of the position along the axis to the highest (ScanPlan.h).
 *
 * All index arithmetic here is on logical numbers, in which elements are combined in ascending order. A
 * reverse scan complements them: its logical register 0 is the last one, its first lane the one with all bits
 * set. */
#include "Combine.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/ScanPlan.h"
#include "tile-c/Scratch.h"

typedef struct Scan {
  TileCombiner c;
  TileLowering *l;
  TileScanPlan plan;
  int axisRegisters[TileLayout_MaxBits]; ///< register bits along the axis, by position
  int numRegisters, innerRegisters;      ///< how many; how many of them below innerBits
  uint32_t offRegisters;                 ///< register bits along other dimensions
  TileLayout slice;                      ///< the layout without the axis, all registers kept
  MlirValue lane;
} Scan;

/* The elements of one scan that a thread holds, by logical number; of one choice of `offRegisters`. */
typedef struct Line {
  uint32_t off;
  TilePartial *parts; ///< 2^numRegisters
} Line;

static uint32_t physicalRegister(const Scan *s, uint32_t off, uint32_t logical) {
  uint32_t reg = off;
  for (int i = 0; i < s->numRegisters; ++i)
    if ((logical >> i & 1) != s->plan.reverse)
      reg |= 1u << s->axisRegisters[i];
  return reg;
}

static TilePartial fromLane(Scan *s, const TilePartial *part, MlirValue lane) {
  TilePartial result = *part;
  for (intptr_t i = 0; i < s->c.n; ++i)
    result.values[i] = tileEmitShuffleIndex(s->l, part->values[i], lane);
  return result;
}

/* The lane number with these bits logically set (clear in a reverse scan), or the other way round. */
static MlirValue withBits(Scan *s, MlirValue lane, uint32_t mask, bool set) {
  if (!mask)
    return lane;
  return set != s->plan.reverse ? tileEmit2(s->l, TileOp_LLVM_Or, lane, tileEmitI32(s->l, mask))
                                : tileEmit2(s->l, TileOp_LLVM_And, lane, tileEmitI32(s->l, ~(int64_t)mask));
}

/* i1: any of the bits is logically set. */
static MlirValue anySet(Scan *s, MlirValue index, uint32_t mask) {
  TileLowering *l = s->l;
  MlirValue bits = tileEmit2(l, TileOp_LLVM_And, index, tileEmitI32(l, mask));
  return tileEmitICmp(l, LLVMICmpPredicate_ne, bits, tileEmitI32(l, s->plan.reverse ? mask : 0));
}

// ---- Registers ----

/* The next register bits, low to high - 1, above blocks of which `lowerLanes` hold parts: block after block
 * is continued from the total of those before. */
static void scanRegisters(Scan *s, TilePartial *parts, int low, int high, uint32_t lowerLanes) {
  uint32_t block = 1u << low, blocks = 1u << (high - low);
  MlirValue last = lowerLanes ? withBits(s, s->lane, lowerLanes, true) : s->lane;
  for (uint32_t base = 0; base < 1u << s->numRegisters; base += block * blocks) {
    TilePartial total[1u << 1], *carry = &total[0], *next = &total[1];
    *carry = lowerLanes ? fromLane(s, &parts[base + block - 1], last) : parts[base + block - 1];
    for (uint32_t j = 1; j < blocks; ++j) {
      TilePartial *here = parts + base + j * block;
      if (lowerLanes && j + 1 < blocks)
        *next = fromLane(s, &here[block - 1], last);
      for (uint32_t i = 0; i < block; ++i)
        here[i] = tileCombine(&s->c, carry, &here[i]);
      *carry = lowerLanes && j + 1 < blocks ? tileCombine(&s->c, carry, next) : here[block - 1];
    }
  }
}

// ---- Lanes ----

/* Consecutive position bits held by lanes. */
typedef struct LaneRun {
  int bits[TileLayout_MaxBits], n;
  uint32_t mask;
  MlirValue source[TileLayout_MaxBits]; ///< the lane whose total step k combines, where `upper` holds
  MlirValue upper[TileLayout_MaxBits];  ///< i1
  MlirValue previous;                   ///< the lane one position before
  MlirValue notFirst;                   ///< i1
} LaneRun;

static bool isAscending(const LaneRun *run) {
  for (int k = 1; k < run->n; ++k)
    if (run->bits[k] < run->bits[k - 1])
      return false;
  return true;
}

/* One before in the order of the run's bits; whatever for the first. */
static MlirValue previousLane(Scan *s, const LaneRun *run) {
  TileLowering *l = s->l;
  MlirValue one = tileEmitI32(l, s->plan.reverse ? 1 : -1);
  if (isAscending(run)) { /* other bits are set while a carry runs up, clear while a borrow does */
    MlirValue rest = tileEmit2(l, TileOp_LLVM_And, s->lane, tileEmitI32(l, ~(int64_t)run->mask));
    MlirValue moved = s->plan.reverse
                          ? tileEmit2(l, TileOp_LLVM_Or, s->lane, tileEmitI32(l, ~(int64_t)run->mask))
                          : tileEmit2(l, TileOp_LLVM_And, s->lane, tileEmitI32(l, run->mask));
    moved = tileEmit2(l, TileOp_LLVM_Add, moved, one);
    moved = tileEmit2(l, TileOp_LLVM_And, moved, tileEmitI32(l, run->mask));
    return tileEmit2(l, TileOp_LLVM_Or, moved, rest);
  }
  MlirValue number = tileEmit2(l, TileOp_LLVM_Add, tileEmitGatherBits(l, s->lane, run->bits, run->n), one);
  MlirValue lane = tileEmit2(l, TileOp_LLVM_And, s->lane, tileEmitI32(l, ~(int64_t)run->mask));
  for (int k = 0; k < run->n; ++k) {
    MlirValue bit = tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, number, tileEmitI32(l, k)),
                              tileEmitI32(l, 1));
    lane =
        tileEmit2(l, TileOp_LLVM_Or, lane, tileEmit2(l, TileOp_LLVM_Shl, bit, tileEmitI32(l, run->bits[k])));
  }
  return lane;
}

static void prepareLanes(Scan *s, LaneRun *run) {
  uint32_t below = 0;
  for (int k = 0; k < run->n; ++k) {
    uint32_t bit = 1u << run->bits[k];
    run->source[k] = withBits(s, withBits(s, s->lane, bit, false), below, true);
    run->upper[k] = anySet(s, s->lane, bit);
    below |= bit;
  }
  run->mask = below;
  run->previous = previousLane(s, run);
  run->notFirst = anySet(s, s->lane, run->mask);
}

/* What each lane and those before it make together. */
static TilePartial scanTotals(Scan *s, TilePartial total, const LaneRun *run) {
  for (int k = 0; k < run->n; ++k) {
    TilePartial other = fromLane(s, &total, run->source[k]);
    TilePartial sum = tileCombine(&s->c, &other, &total);
    total = tilePartialSelect(&s->c, run->upper[k], &total, &sum);
  }
  return total;
}

/* Above blocks of 2^low registers and `lowerLanes`: totals are scanned over the lanes, the one before a
 * block is combined into all of it. */
static void scanLanes(Scan *s, TilePartial *parts, int low, const LaneRun *run, uint32_t lowerLanes) {
  uint32_t block = 1u << low;
  for (TilePartial *here = parts; here < parts + (1u << s->numRegisters); here += block) {
    TilePartial total = here[block - 1];
    if (lowerLanes)
      total = fromLane(s, &total, withBits(s, s->lane, lowerLanes, true));
    total = scanTotals(s, total, run);
    uint32_t open = block;
    if (!lowerLanes)
      here[--open] = total;
    if (!open)
      continue;
    TilePartial before = fromLane(s, &total, run->previous);
    for (uint32_t i = 0; i < open; ++i) {
      TilePartial sum = tileCombine(&s->c, &before, &here[i]);
      here[i] = tilePartialSelect(&s->c, run->notFirst, &here[i], &sum);
    }
  }
}

/* All position bits below innerBits, by runs of register and of lane bits. */
static void scanWarp(Scan *s, Line *lines, int numLines) {
  int registers = 0;
  uint32_t lanes = 0;
  for (int at = 0, end; at < s->plan.innerBits; at = end) {
    LaneRun run = {.n = 0};
    for (end = at; end < s->plan.innerBits && s->plan.bits[end].holder == s->plan.bits[at].holder; ++end)
      run.bits[run.n++] = s->plan.bits[end].bit;
    if (s->plan.bits[at].holder == TileLayoutDim_Lane) {
      prepareLanes(s, &run);
      for (int i = 0; i < numLines; ++i)
        scanLanes(s, lines[i].parts, registers, &run, lanes);
      lanes |= run.mask;
    } else {
      for (int i = 0; i < numLines; ++i)
        scanRegisters(s, lines[i].parts, registers, registers + run.n, lanes);
      registers += run.n;
    }
  }
}

// ---- Blocks of other warps ----

/* The register's and the thread's part of a block's number; bits of both are disjoint. */
static uint32_t registerBlock(const Scan *s, uint32_t group) {
  uint32_t block = 0;
  for (int at = s->plan.innerBits, i = 0; at < s->plan.axisBits; ++at)
    if (s->plan.bits[at].holder == TileLayoutDim_Register)
      block |= (group >> i++ & 1) << (at - s->plan.innerBits);
  return block;
}

static uint32_t threadBlockMask(const Scan *s) {
  uint32_t mask = 0;
  for (int at = s->plan.innerBits; at < s->plan.axisBits; ++at)
    if (s->plan.bits[at].holder != TileLayoutDim_Register)
      mask |= 1u << (at - s->plan.innerBits);
  return mask;
}

static MlirValue threadBlock(Scan *s) {
  TileLowering *l = s->l;
  MlirValue block = {NULL};
  for (int at = s->plan.innerBits; at < s->plan.axisBits; ++at) {
    TileScanBit source = s->plan.bits[at];
    if (source.holder == TileLayoutDim_Register)
      continue;
    int lanes = source.holder == TileLayoutDim_Warp ? s->plan.layout.bits[TileLayoutDim_Lane] : 0;
    int from = lanes + source.bit, to = at - s->plan.innerBits;
    MlirValue bit = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, (int64_t)1 << from));
    if (from > to)
      bit = tileEmit2(l, TileOp_LLVM_LShr, bit, tileEmitI32(l, from - to));
    else if (from < to)
      bit = tileEmit2(l, TileOp_LLVM_Shl, bit, tileEmitI32(l, to - from));
    block = block.ptr ? tileEmit2(l, TileOp_LLVM_Or, block, bit) : bit;
  }
  return s->plan.reverse ? tileEmit2(l, TileOp_LLVM_XOr, block, tileEmitI32(l, threadBlockMask(s))) : block;
}

static MlirValue slotAddress(Scan *s, intptr_t operand, MlirType memory, int64_t block, MlirValue index) {
  TileLowering *l = s->l;
  int64_t offset = tileScratchOffset(s->c.op) + tileScanOffset(s->c.op, &s->plan, operand) +
                   block * s->plan.sliceElements * ((int)tileTypeBits(memory) / 8);
  return tileEmitSharedElement(l, tileEmitSharedPointer(l, offset), memory, index);
}

/* Totals of block `block` (a constant, plus `thread` if given), of the scan with this slice index. */
static TileAccess scratchAccess(Scan *s, intptr_t operand, MlirType memory, uint32_t block, MlirValue thread,
                                MlirValue slice) {
  TileLowering *l = s->l;
  int bytes = (int)tileTypeBits(memory) / 8;
  MlirValue index = slice;
  if (thread.ptr) {
    MlirValue row = tileEmit2(l, TileOp_LLVM_Mul, thread, tileEmitI32(l, s->plan.sliceElements));
    index = tileEmit2(l, TileOp_LLVM_Add, index, row);
  }
  return (TileAccess){.pointer = slotAddress(s, operand, memory, block, index),
                      .element = memory,
                      .width = 1,
                      .alignment = bytes};
}

static uint32_t innerLanes(const Scan *s) {
  uint32_t lanes = 0;
  for (int at = 0; at < s->plan.innerBits; ++at)
    if (s->plan.bits[at].holder == TileLayoutDim_Lane)
      lanes |= 1u << s->plan.bits[at].bit;
  return lanes;
}

static void storeTotal(Scan *s, const TilePartial *total, uint32_t block, MlirValue thread, MlirValue slice) {
  for (intptr_t k = 0; k < s->c.n; ++k) {
    MlirValue v = tileToMemory(s->l, total->values[k]);
    TileAccess to = scratchAccess(s, k, mlirValueGetType(v), block, thread, slice);
    tileEmitPlainStore(s->l, &to, &v);
  }
}

/* The last lane of each block stores its total; of threads that hold the same, one. */
static void storeTotals(Scan *s, const Line *lines, int numLines, MlirValue thread) {
  TileLowering *l = s->l;
  MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  uint32_t last = innerLanes(s), copies = tileLayoutFreeMask(&s->plan.layout, TileLayoutDim_Lane) |
                                          tileLayoutFreeMask(&s->plan.layout, TileLayoutDim_Warp)
                                              << s->plan.layout.bits[TileLayoutDim_Lane];
  MlirValue bits = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, last | copies));
  MlirValue stores = tileEmitICmp(l, LLVMICmpPredicate_eq, bits, tileEmitI32(l, s->plan.reverse ? 0 : last));
  tileEmitCondBranch(l, stores, store, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, store);
  for (int i = 0; i < numLines; ++i) {
    MlirValue slice = tileEmitFlatIndex(l, &s->slice, (int)lines[i].off);
    for (uint32_t g = 0; g < 1u << (s->numRegisters - s->innerRegisters); ++g) {
      uint32_t reg = (g + 1) << s->innerRegisters;
      storeTotal(s, &lines[i].parts[reg - 1], registerBlock(s, g), thread, slice);
    }
  }
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

static TilePartial loadTotal(Scan *s, const TilePartial *like, uint32_t block, MlirValue thread,
                             MlirValue slice) {
  TilePartial total = *like;
  for (intptr_t k = 0; k < s->c.n; ++k) {
    MlirType type = mlirValueGetType(like->values[k]), memory = tileMemoryType(s->l, type);
    TileAccess from = scratchAccess(s, k, memory, block, thread, slice);
    MlirValue v;
    tileEmitPlainLoad(s->l, &from, &v);
    total.values[k] = tileFromMemory(s->l, v, type);
  }
  return total;
}

/* Walks over all blocks in order; where one is a thread's own, what came before goes into it. */
static void combineBlocks(Scan *s, Line *line, MlirValue thread) {
  TileLowering *l = s->l;
  uint32_t groups = 1u << (s->numRegisters - s->innerRegisters), threads = threadBlockMask(s);
  TilePartial *before = tileArenaAlloc(l->arena, groups, sizeof *before);
  MlirValue slice = tileEmitFlatIndex(l, &s->slice, (int)line->off);
  TilePartial sum = loadTotal(s, &line->parts[0], 0, (MlirValue){NULL}, slice);
  for (uint32_t block = 1; block < s->plan.blocks; ++block) {
    uint32_t g = 0;
    while (registerBlock(s, g) != (block & ~threads))
      ++g;
    MlirValue own = tileEmitICmp(l, LLVMICmpPredicate_eq, thread, tileEmitI32(l, block & threads));
    before[g] = before[g].values[0].ptr ? tilePartialSelect(&s->c, own, &before[g], &sum) : sum;
    if (block + 1 < s->plan.blocks) {
      TilePartial total = loadTotal(s, &sum, block, (MlirValue){NULL}, slice);
      sum = tileCombine(&s->c, &sum, &total);
    }
  }
  MlirValue notFirst = tileEmitICmp(l, LLVMICmpPredicate_ne, thread, tileEmitI32(l, 0));
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t i = g << s->innerRegisters; i < (g + 1) << s->innerRegisters; ++i) {
      TilePartial after = tileCombine(&s->c, &before[g], &line->parts[i]);
      line->parts[i] = g ? after : tilePartialSelect(&s->c, notFirst, &line->parts[i], &after);
    }
}

static void scanBlocks(Scan *s, Line *lines, int numLines) {
  TileLowering *l = s->l;
  MlirValue thread = threadBlock(s);
  tileEmitScratchBarrier(l, s->c.op);
  storeTotals(s, lines, numLines, thread);
  l->hooks->barrier(l);
  for (int i = 0; i < numLines; ++i)
    combineBlocks(s, &lines[i], thread);
}

// ---- Blocks that lie apart, put next to each other ----

/* `width` totals of operand k that follow each other, from total `at` of a row on. */
static TileAccess rowAccess(Scan *s, intptr_t k, MlirType memory, MlirValue row, uint32_t at,
                            uint32_t width) {
  return (TileAccess){.pointer = slotAddress(s, k, memory, at, row),
                      .element = memory,
                      .width = (int)width,
                      .alignment = (int)width * (int)tileTypeBits(memory) / 8};
}

enum { ROW_BYTES = 16 };

static uint32_t rowWidth(MlirType memory, uint32_t count) {
  uint32_t most = ROW_BYTES / ((uint32_t)tileTypeBits(memory) / 8);
  return count < most ? count : most;
}

static void loadRow(Scan *s, const TilePartial *like, MlirValue row, TilePartial *out, uint32_t count) {
  for (intptr_t k = 0; k < s->c.n; ++k) {
    MlirType type = mlirValueGetType(like->values[k]), memory = tileMemoryType(s->l, type);
    uint32_t width = rowWidth(memory, count);
    for (uint32_t at = 0; at < count; at += width) {
      TileAccess access = rowAccess(s, k, memory, row, at, width);
      MlirValue values[ROW_BYTES];
      tileEmitPlainLoad(s->l, &access, values);
      for (uint32_t i = 0; i < width; ++i)
        out[at + i].values[k] = tileFromMemory(s->l, values[i], type);
    }
  }
}

static void storeRow(Scan *s, MlirValue row, const TilePartial *parts, uint32_t count) {
  for (intptr_t k = 0; k < s->c.n; ++k) {
    MlirType memory = tileMemoryType(s->l, mlirValueGetType(parts[0].values[k]));
    uint32_t width = rowWidth(memory, count);
    for (uint32_t at = 0; at < count; at += width) {
      TileAccess access = rowAccess(s, k, memory, row, at, width);
      MlirValue values[ROW_BYTES];
      for (uint32_t i = 0; i < width; ++i)
        values[i] = tileToMemory(s->l, parts[at + i].values[k]);
      tileEmitPlainStore(s->l, &access, values);
    }
  }
}

/* What comes before a thread in its warp, if `any` does, becomes what comes before it in all warps. */
static void addWarps(Scan *s, const TilePartial *total, TilePartial *before, MlirValue *any) {
  TileLowering *l = s->l;
  const TileLayout *layout = &s->plan.layout;
  int lanes = layout->bits[TileLayoutDim_Lane], warps = layout->bits[TileLayoutDim_Warp];
  MlirValue zero = tileEmitI32(l, 0), warp = tileEmit2(l, TileOp_LLVM_LShr, l->tid, tileEmitI32(l, lanes));
  warp = tileEmit2(l, TileOp_LLVM_And, warp, tileEmitI32(l, ((int64_t)1 << warps) - 1));
  MlirValue last = tileEmitICmp(l, LLVMICmpPredicate_eq, s->lane, tileEmitI32(l, ((int64_t)1 << lanes) - 1));
  MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, last, store, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, store);
  storeTotal(s, total, (uint32_t)s->plan.blocks, warp, zero);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
  l->hooks->barrier(l);
  TilePartial sum = loadTotal(s, total, (uint32_t)s->plan.blocks, (MlirValue){NULL}, zero), own = sum;
  for (uint32_t w = 2; w < 1u << warps; ++w) {
    TilePartial next = loadTotal(s, total, (uint32_t)s->plan.blocks + w - 1, (MlirValue){NULL}, zero);
    sum = tileCombine(&s->c, &sum, &next);
    own =
        tilePartialSelect(&s->c, tileEmitICmp(l, LLVMICmpPredicate_eq, warp, tileEmitI32(l, w)), &own, &sum);
  }
  MlirValue notFirst = tileEmitICmp(l, LLVMICmpPredicate_ne, warp, zero);
  TilePartial both = tileCombine(&s->c, &own, before);
  both = tilePartialSelect(&s->c, *any, &own, &both);
  *before = tilePartialSelect(&s->c, notFirst, before, &both);
  *any = tileEmit2(l, TileOp_LLVM_Or, *any, notFirst);
}

/* In ascending order of the threads: each of a thread's totals becomes what comes before it. The first one of all has
 * nothing before it and becomes anything. */
static void scanThreads(Scan *s, TilePartial *totals, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i)
    totals[i] = tileCombine(&s->c, &totals[i - 1], &totals[i]);
  LaneRun run = {.n = s->plan.layout.bits[TileLayoutDim_Lane]};
  for (int k = 0; k < run.n; ++k)
    run.bits[k] = k;
  prepareLanes(s, &run);
  TilePartial total = scanTotals(s, totals[count - 1], &run);
  TilePartial before = fromLane(s, &total, run.previous);
  MlirValue any = run.notFirst;
  if (s->plan.layout.bits[TileLayoutDim_Warp])
    addWarps(s, &total, &before, &any);
  for (uint32_t i = count - 1; i > 0; --i) {
    TilePartial sum = tileCombine(&s->c, &before, &totals[i - 1]);
    totals[i] = tilePartialSelect(&s->c, any, &totals[i - 1], &sum);
  }
  totals[0] = before;
}

static void spreadBlocks(Scan *s, Line *line) {
  TileLowering *l = s->l;
  const TileLayout *layout = &s->plan.layout;
  int threadBits = layout->bits[TileLayoutDim_Lane] + layout->bits[TileLayoutDim_Warp];
  uint32_t groups = 1u << (s->numRegisters - s->innerRegisters), block = 1u << s->innerRegisters;
  MlirValue thread = threadBlock(s), zero = tileEmitI32(l, 0);
  tileEmitScratchBarrier(l, s->c.op);
  for (uint32_t g = 0; g < groups; ++g)
    storeTotal(s, &line->parts[(g + 1) * block - 1], registerBlock(s, g), thread, zero);
  l->hooks->barrier(l);
  MlirValue row = tileEmit2(l, TileOp_LLVM_And, l->tid, tileEmitI32(l, ((int64_t)1 << threadBits) - 1));
  row = tileEmit2(l, TileOp_LLVM_Mul, row, tileEmitI32(l, groups));
  TilePartial *totals = tileArenaAlloc(l->arena, groups, sizeof *totals);
  loadRow(s, &line->parts[0], row, totals, groups);
  const bool reverse = s->plan.reverse;
  s->plan.reverse = false; // the blocks' numbers ascend
  scanThreads(s, totals, groups);
  s->plan.reverse = reverse;
  storeRow(s, row, totals, groups);
  l->hooks->barrier(l);
  MlirValue notFirst = tileEmitICmp(l, LLVMICmpPredicate_ne, thread, zero);
  for (uint32_t g = 0; g < groups; ++g) {
    TilePartial before = loadTotal(s, &line->parts[0], registerBlock(s, g), thread, zero);
    for (TilePartial *here = line->parts + g * block; here < line->parts + (g + 1) * block; ++here) {
      TilePartial after = tileCombine(&s->c, &before, here);
      *here = g ? after : tilePartialSelect(&s->c, notFirst, here, &after);
    }
  }
}

// ---- The op ----

static MlirLogicalResult initScan(TileLowering *l, MlirOperation op, Scan *out) {
  *out = (Scan){.l = l};
  if (tileFailed(tileCombinerInit(l, op, &out->c)) || !tileScanPlan(op, &out->plan))
    return tileFailure();
  if (!tileLayoutDropDim(&out->plan.layout, out->plan.axis, &out->slice))
    return TILE_BUG(op, "cannot drop the axis of the layout");
  out->offRegisters = (1u << out->plan.layout.bits[TileLayoutDim_Register]) - 1;
  out->offRegisters &= ~tileLayoutZeroMask(&out->plan.layout, TileLayoutDim_Register);
  for (int at = 0; at < out->plan.axisBits; ++at) {
    if (out->plan.bits[at].holder != TileLayoutDim_Register)
      continue;
    out->axisRegisters[out->numRegisters++] = out->plan.bits[at].bit;
    out->innerRegisters += at < out->plan.innerBits;
    out->offRegisters &= ~(1u << out->plan.bits[at].bit);
  }
  out->lane = tileEmitLane(l);
  return tileSuccess();
}

static Line *takeLines(Scan *s, int numLines) {
  Line *lines = tileArenaAlloc(s->l->arena, (size_t)numLines, sizeof *lines);
  uint32_t off = 0;
  for (int i = 0; i < numLines; ++i, off = (off - s->offRegisters) & s->offRegisters) {
    lines[i].off = off;
    lines[i].parts = tileArenaAlloc(s->l->arena, (size_t)1 << s->numRegisters, sizeof *lines[i].parts);
    for (uint32_t reg = 0; reg < 1u << s->numRegisters; ++reg)
      lines[i].parts[reg] = tilePartialOfRegister(&s->c, physicalRegister(s, off, reg));
  }
  return lines;
}

static void bindLines(Scan *s, const Line *lines, int numLines) {
  int64_t registers = tileLayoutNumRegisters(&s->plan.layout);
  uint32_t copies = tileLayoutZeroMask(&s->plan.layout, TileLayoutDim_Register);
  for (intptr_t k = 0; k < s->c.n; ++k) {
    TileRegisters out = tileNewRegisters(s->l, (intptr_t)registers);
    for (int i = 0; i < numLines; ++i)
      for (uint32_t reg = 0; reg < 1u << s->numRegisters; ++reg)
        out.values[physicalRegister(s, lines[i].off, reg)] = lines[i].parts[reg].values[k];
    for (int64_t reg = 0; reg < registers; ++reg)
      out.values[reg] = out.values[reg & ~(int64_t)copies];
    tileBind(s->l, mlirOperationGetResult(s->c.op, k), out);
  }
}

MlirLogicalResult tileLowerScan(TileLowering *l, MlirOperation op) {
  Scan s;
  if (tileFailed(initScan(l, op, &s)))
    return tileFailure();
  int numLines = 1 << __builtin_popcount(s.offRegisters);
  Line *lines = takeLines(&s, numLines);
  scanWarp(&s, lines, numLines);
  if (s.plan.spread && !s.c.failed)
    spreadBlocks(&s, lines);
  else if (s.plan.blocks > 1 && !s.c.failed)
    scanBlocks(&s, lines, numLines);
  if (s.c.failed)
    return tileFailure();
  bindLines(&s, lines, numLines);
  return tileSuccess();
}
