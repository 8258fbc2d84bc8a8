/* Gather.c - tile.gather through shared memory: the source is stored, then each thread loads the elements that its
 * indices name; in rounds if it does not fit whole.
 *
 * An index outside the axis gives an undefined element but must not leave the scratch: sizes are powers of
 * two, so its low bits are taken. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Scratch.h"

/* One of the threads that hold copies of an element stores it. */
static void storeSource(TileLowering *l, const TileGatherPlan *plan, MlirValue base, TileRegisters in) {
  MlirValue owner = tileEmitOwnerPredicate(l, &plan->source);
  if (!owner.ptr) {
    tileEmitSharedStores(l, &plan->store, plan->kept, base, in);
    return;
  }
  MlirBlock store = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, owner, store, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, store);
  tileEmitSharedStores(l, &plan->store, plan->kept, base, in);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

/* An index of any integer type as i32, within the axis. */
static MlirValue clampIndex(TileLowering *l, MlirValue index, int64_t extent) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  unsigned bits = tileTypeBits(mlirValueGetType(index));
  if (bits < 32)
    index = tileEmit1(l, TileOp_LLVM_ZExt, i32, index);
  else if (bits > 32)
    index = tileEmit1(l, TileOp_LLVM_Trunc, i32, index);
  return tileEmit2(l, TileOp_LLVM_And, index, tileEmitI32(l, extent - 1));
}

typedef struct Gather {
  TileGatherPlan plan;
  MlirAttribute encoding; ///< of the result
  int axis;
  int64_t shape[TileLayout_MaxRank]; ///< of the source
  MlirType type, memory;             ///< of an element
  MlirValue base;
  TileRegisters indices;
  TileRegisters offsets,
      parts; ///< of each result's element: place in its part; number of the part, null if one
} Gather;

/* The bits of coordinate `c` of dimension `d` that name the part go to *part, the others are returned. */
static MlirValue splitCoordinate(TileLowering *l, const TileGatherPlan *plan, int d, MlirValue c,
                                 MlirValue *part) {
  for (int k = 0; k < plan->roundBits; ++k) {
    if (plan->rounds[k].dim != d)
      continue;
    int32_t b = plan->rounds[k].bit, low = (1 << b) - 1;
    MlirValue up = tileEmit2(l, TileOp_LLVM_LShr, c, tileEmitI32(l, b));
    MlirValue bit = tileEmit2(l, TileOp_LLVM_Shl, tileEmit2(l, TileOp_LLVM_And, up, tileEmitI32(l, 1)),
                              tileEmitI32(l, k));
    *part = part->ptr ? tileEmit2(l, TileOp_LLVM_Or, *part, bit) : bit;
    MlirValue above = tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, c, tileEmitI32(l, 1)),
                                tileEmitI32(l, ~low));
    c = tileEmit2(l, TileOp_LLVM_Or, tileEmit2(l, TileOp_LLVM_And, c, tileEmitI32(l, low)), above);
  }
  return c;
}

/* Which of the source's elements result register `reg` is: where in its part it lies, and in which. */
static void locate(TileLowering *l, Gather *g, int reg) {
  const TileGatherPlan *plan = &g->plan;
  MlirValue sum = {NULL};
  for (int i = 0; i < plan->source.rank; ++i) {
    int d = plan->order[i];
    if (g->shape[d] == 1)
      continue;
    MlirValue c = d == g->axis ? clampIndex(l, g->indices.values[reg], g->shape[d])
                               : tileEmitCoordinate(l, g->encoding, &plan->result, reg, d);
    c = splitCoordinate(l, plan, d, c, &g->parts.values[reg]);
    if (plan->strides[d] > 1)
      c = tileEmit2(l, TileOp_LLVM_Mul, c, tileEmitI32(l, plan->strides[d]));
    sum = sum.ptr ? tileEmit2(l, TileOp_LLVM_Add, sum, c) : c;
  }
  g->offsets.values[reg] = sum.ptr ? sum : tileEmitI32(l, 0);
}

/* The registers of part `round`, at the places of those of part 0. */
static TileRegisters registersOfPart(TileLowering *l, const TileGatherPlan *plan, TileRegisters in,
                                     uint32_t round) {
  uint32_t upper = 0;
  for (int k = 0; k < plan->roundBits; ++k)
    upper |= (round >> k & 1u) << plan->rounds[k].registerBit;
  if (!upper)
    return in;
  TileRegisters part = tileNewRegisters(l, in.count);
  for (intptr_t i = 0; i < in.count; ++i)
    part.values[i] = in.values[(uint32_t)i | upper];
  return part;
}

/* Elements of other parts keep what they have; those of later ones are loaded again. */
static void loadPart(TileLowering *l, const Gather *g, uint32_t round, TileRegisters out) {
  uint32_t copies = tileLayoutZeroMask(&g->plan.result, TileLayoutDim_Register);
  for (intptr_t i = 0; i < out.count; ++i) {
    if ((uint32_t)i & copies) { /* the same element as a register before */
      out.values[i] = out.values[(uint32_t)i & ~copies];
      continue;
    }
    TileAccess from = {.pointer = tileEmitSharedElement(l, g->base, g->memory, g->offsets.values[i]),
                       .element = g->memory,
                       .width = 1,
                       .alignment = g->plan.elementBits / 8};
    MlirValue v;
    tileEmitPlainLoad(l, &from, &v);
    if (round)
      v = tileEmitSelect(l, tileEmitICmp(l, LLVMICmpPredicate_eq, g->parts.values[i], tileEmitI32(l, round)),
                         v, out.values[i]);
    out.values[i] = v;
  }
}

MlirLogicalResult tileLowerGather(TileLowering *l, MlirOperation op) {
  TileGatherOp gather = tileGatherOpCast(op);
  MlirValue result = tileGatherOpGetResult(gather);
  Gather g = {.encoding = tileTypeGetEncoding(mlirValueGetType(result)),
              .axis = (int)tileGatherOpGetAxis(gather)};
  if (!tileGatherPlan(op, l->target, 0, &g.plan))
    return tileFailure();
  tileTypeGetShape(mlirValueGetType(tileGatherOpGetSrc(gather)), g.shape, TileLayout_MaxRank);
  g.type = tileLowerElementType(l, mlirValueGetType(result));
  g.memory = tileMemoryType(l, g.type);
  g.indices = tileRegistersOf(l, tileGatherOpGetIndices(gather));
  g.offsets = tileNewRegisters(l, g.indices.count);
  g.parts = tileNewRegisters(l, g.indices.count);
  TileRegisters in = tileRegistersOf(l, tileGatherOpGetSrc(gather)),
                out = tileNewRegisters(l, g.indices.count);
  tileEmitScratchBarrier(l, op);
  g.base = tileEmitSharedPointer(l, tileScratchOffset(op));
  for (uint32_t round = 0; round < 1u << g.plan.roundBits; ++round) {
    if (round)
      l->hooks->barrier(l);
    storeSource(l, &g.plan, g.base, registersOfPart(l, &g.plan, in, round));
    l->hooks->barrier(l);
    for (intptr_t i = 0; !round && i < out.count; ++i)
      locate(l, &g, (int)i);
    loadPart(l, &g, round, out);
  }
  for (intptr_t i = 0; i < out.count; ++i)
    out.values[i] = tileFromMemory(l, out.values[i], g.type);
  tileBind(l, result, out);
  return tileSuccess();
}
