/* Memory.c - tile.load and tile.store as vector accesses of each thread, as wide as AccessPlan.h says. */
#include "Lowering.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"

/* What a load and a store have in common. */
typedef struct GlobalAccess {
  MlirOperation op;
  MlirValue ptr, mask; ///< mask may be null
  TileRegisters pointers, masks;
  TileLayout layout; ///< valid if tensor
  bool tensor;
  TileAccessPlan plan;
  intptr_t registers;       ///< per thread
  MlirType element, memory; ///< LLVM types in registers and in memory
  MlirValue resource;       ///< of a buffer access; else null
  TileRegisters offsets;    ///< from it, in elements; null if there are none
} GlobalAccess;

/* The scalar pointer and the offsets of an access that tile-gpu-buffer-accesses marked. */
static MlirLogicalResult describeBuffer(TileLowering *l, GlobalAccess *g) {
  MlirOperation def = tileValueGetDefiningOp(g->ptr), splat = def;
  if (!l->hooks->makeResource ||
      !mlirOperationGetDiscardableAttributeByName(g->op, tileStr("tile_gpu.buffer")).ptr)
    return tileSuccess();
  if (tileOpKind(def) == TileOp_Tile_AddPtr) {
    splat = tileValueGetDefiningOp(mlirOperationGetOperand(def, 0));
    g->offsets = tileRegistersOf(l, mlirOperationGetOperand(def, 1));
  }
  if (tileOpKind(splat) != TileOp_Tile_Splat)
    return TILE_BUG(g->op, "a buffer access has pointers of another form");
  MlirValue base = mlirOperationGetOperand(splat, 0);
  const bool isStore = tileOpKind(g->op) == TileOp_Tile_Store;
  g->resource = l->hooks->makeResource(l, tileRegistersOf(l, base).values[0],
                                       isStore && tileValueGetDefiningOp(base).ptr);
  // A mask costs no branch. Stores that it keeps narrow are wide where it is true; loads would meet again.
  g->plan.twoForms &= isStore && g->plan.wideWidth > g->plan.width;
  return tileSuccess();
}

static MlirLogicalResult describe(TileLowering *l, MlirOperation op, MlirValue ptr, MlirValue mask,
                                  MlirType valueType, GlobalAccess *g) {
  *g = (GlobalAccess){.op = op, .ptr = ptr, .mask = mask, .plan = {.width = 1, .wideWidth = 1, .aligned = 1}};
  g->pointers = tileRegistersOf(l, ptr);
  if (mask.ptr)
    g->masks = tileRegistersOf(l, mask);
  g->registers = g->pointers.count;
  g->element = tileLowerElementType(l, valueType);
  if (!g->element.ptr)
    return tileEmitOpError(op, "got an element type that has no memory form");
  g->memory = tileMemoryType(l, g->element);
  g->tensor = tileTypeIsTensor(mlirValueGetType(ptr));
  if (!g->tensor)
    return tileSuccess();
  if (tileFailed(tileRequireLayout(op, ptr, &g->layout)))
    return tileFailure();
  g->plan = tileAccessPlan(l->axis, l->target, ptr, mask, &g->layout, tileTypeBits(g->memory));
  return describeBuffer(l, g);
}

/* How the op is written out once: the width, and whether masks are known to be true. */
typedef struct Form {
  int width;
  bool masked;
  bool apart; ///< must not be taken for the same access as that of the other form
} Form;

/* Bytes from the resource's start, modulo 2^32. */
static MlirValue offsetAt(TileLowering *l, const GlobalAccess *g, intptr_t first) {
  int bytes = (int)tileTypeBits(g->memory) / 8;
  if (!g->resource.ptr || !g->offsets.count)
    return g->resource.ptr ? tileEmitI32(l, 0) : (MlirValue){NULL};
  return tileEmit2(l, TileOp_LLVM_Shl, g->offsets.values[first],
                   tileEmitI32(l, __builtin_ctz((unsigned)bytes)));
}

static TileAccess accessAt(TileLowering *l, const GlobalAccess *g, Form form, intptr_t first, int64_t cache,
                           int64_t evict) {
  int bytes = (int)tileTypeBits(g->memory) / 8,
      aligned = bytes * (form.width < g->plan.aligned ? form.width : g->plan.aligned);
  return (TileAccess){.pointer = g->pointers.values[first],
                      .resource = g->resource,
                      .offset = offsetAt(l, g, first),
                      .predicate = form.masked ? g->masks.values[first] : (MlirValue){NULL},
                      .element = g->memory,
                      .width = form.width,
                      .alignment = form.apart && aligned > 4 ? 4 : aligned,
                      .cache = (int)cache,
                      .evict = (int)evict};
}

/* An i1 travels as a byte that is 0 or 1; any other byte reads as 1. */
static MlirValue fromMemory(TileLowering *l, const GlobalAccess *g, MlirValue v) {
  return tileTypeBits(g->element) == 1
             ? tileEmitICmp(l, LLVMICmpPredicate_ne, v, tileEmitInt(l, g->memory, 0))
             : v;
}
static MlirValue toMemory(TileLowering *l, const GlobalAccess *g, MlirValue v) {
  return tileTypeBits(g->element) == 1 ? tileEmit1(l, TileOp_LLVM_ZExt, g->memory, v) : v;
}

static MlirValue both(TileLowering *l, MlirValue a, MlirValue b) {
  if (!a.ptr || !b.ptr || a.ptr == b.ptr)
    return a.ptr ? a : b;
  return tileEmit2(l, TileOp_LLVM_And, a, b);
}

/* Whether masked elements are to be something but zero; a block's argument may be anything. */
static bool othersMatter(MlirValue other) {
  MlirOperation def = other.ptr ? tileValueGetDefiningOp(other) : (MlirOperation){NULL};
  bool isPoison = def.ptr && tileOpKind(def) == TileOp_UB_Poison;
  return other.ptr && !isPoison && !tileValueIsPositiveZero(other);
}

static void loadForm(TileLowering *l, const GlobalAccess *g, TileLoadOp load, Form form, MlirValue *out) {
  MlirValue other = tileLoadOpGetOther(load);
  TileRegisters defaults = other.ptr ? tileRegistersOf(l, other) : (TileRegisters){0, NULL};
  MlirValue *others = tileArenaAlloc(l->arena, (size_t)form.width, sizeof *others);
  for (intptr_t first = 0; first < g->registers; first += form.width) {
    TileAccess access = accessAt(l, g, form, first, tileLoadOpGetCache(load), tileLoadOpGetEvict(load));
    access.isVolatile = tileLoadOpGetIsVolatile(load);
    access.othersMatter = form.masked && othersMatter(other);
    for (int i = 0; i < form.width; ++i)
      others[i] =
          other.ptr && form.masked ? toMemory(l, g, defaults.values[first + i]) : tileEmitZero(l, g->memory);
    l->hooks->load(l, &access, others, &out[first]);
    for (int i = 0; i < form.width; ++i)
      out[first + i] = fromMemory(l, g, out[first + i]);
  }
}

/* To `all` if the masks of this thread's registers are true; where lanes that go different ways are dear, if those
 * of the whole warp are. */
static void branchOnMasks(TileLowering *l, const GlobalAccess *g, MlirBlock all, MlirBlock some) {
  MlirValue condition = tileEmitAllOf(l, g->masks);
  if (!l->hooks->anyLane) {
    tileEmitCondBranch(l, condition, all, 0, NULL, some, 0, NULL);
    return;
  }
  MlirType i1 = mlirIntegerTypeGet(l->context, 1);
  MlirValue off = tileEmit2(l, TileOp_LLVM_XOr, condition, tileEmitInt(l, i1, 1));
  MlirValue any = l->hooks->anyLane(l, off);
  tileEmitLikelyBranch(l, tileEmit2(l, TileOp_LLVM_XOr, any, tileEmitInt(l, i1, 1)), all, some);
}

/* Whether a thread loads many values beside a producer's program, whose sums fill its registers. */
static bool loadsManyBesideSums(const TileLowering *l, const GlobalAccess *g) {
  enum { Many = 32 };
  return l->extraWarps && g->registers >= Many;
}

/* How many values share a register where both forms meet: beside sums that fill registers two of 16 bits; where a mask is a branch,
 * as many of many as a word holds. */
static int meetingPack(const TileLowering *l, const GlobalAccess *g) {
  enum { Many = 32, WordBits = 32 };
  const int64_t bits = tileTypeBits(g->element);
  const int pack = l->hooks->anyLane && g->registers >= Many && (bits == 8 || bits == 16)
                       ? (int)(WordBits / bits)
                   : loadsManyBesideSums(l, g) && bits == 16 ? 2
                                                             : 1;
  return g->registers % pack ? 1 : pack;
}

static void unpackWord(TileLowering *l, MlirValue word, MlirType element, int count, MlirValue *out) {
  const int64_t length = count;
  tileEmitUnpack(l, tileEmitBitcast(l, word, mlirVectorTypeGet(1, &length, element)), count, out);
}

static MlirType wordType(const TileLowering *l, const GlobalAccess *g, int pack) {
  const int64_t length = pack;
  return pack > 1 ? mlirVectorTypeGet(1, &length, g->element) : g->element;
}

/* Part of a word behind a branch, which hands on the word with it: were the elements put together behind the branches, they would all
 * be there before, in registers of their own. */
static MlirValue loadIntoWord(TileLowering *l, const GlobalAccess *g, TileLoadOp load, Form form, int pack,
                              intptr_t first, MlirValue word) {
  enum { MostParts = 4 };
  const MlirType type = wordType(l, g, pack);
  MlirBlock act = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 1, &type);
  MlirValue parts[MostParts];
  TileAccess access = accessAt(l, g, form, first, tileLoadOpGetCache(load), tileLoadOpGetEvict(load));
  tileEmitCondBranch(l, access.predicate, act, 0, NULL, after, 1, &word);
  tileEnterBlock(l, act);
  access.predicate = (MlirValue){NULL};
  tileEmitUnpack(l, word, pack, parts);
  l->hooks->load(l, &access, NULL, &parts[first % pack]);
  word = tileEmitPack(l, parts, pack);
  tileEmitBranch(l, after, 1, &word);
  tileEnterBlock(l, after);
  return mlirBlockGetArgument(after, 0);
}

/* A masked form whose accesses are shorter than words, each of which is one value. */
static void loadWords(TileLowering *l, const GlobalAccess *g, TileLoadOp load, Form form, int pack,
                      MlirValue *out) {
  MlirValue other = tileLoadOpGetOther(load), zero = tileEmitZero(l, wordType(l, g, pack));
  TileRegisters defaults = other.ptr ? tileRegistersOf(l, other) : (TileRegisters){0, NULL};
  for (intptr_t first = 0; first < g->registers; first += pack) {
    MlirValue word = other.ptr ? tileEmitPack(l, &defaults.values[first], pack) : zero;
    for (int i = 0; i < pack; i += form.width)
      word = loadIntoWord(l, g, load, form, pack, first + i, word);
    out[first / pack] = word;
  }
}

static MlirValue asInteger(TileLowering *l, MlirValue word) {
  return tileEmitBitcast(l, word, mlirIntegerTypeGet(l->context, 32));
}

/* A form of the load in the current block, and on to the one where both meet. */
static void loadAndMeet(TileLowering *l, const GlobalAccess *g, TileLoadOp load, Form form, MlirBlock after,
                        MlirValue *out) {
  const int pack = meetingPack(l, g);
  const bool inWords = form.masked && form.width < pack && l->hooks->anyLane;
  if (inWords)
    loadWords(l, g, load, form, pack, out);
  else
    loadForm(l, g, load, form, out);
  for (intptr_t i = 0; pack > 1 && i < g->registers; i += pack)
    out[i / pack] = asInteger(l, inWords ? out[i / pack] : tileEmitPack(l, &out[i], pack));
  tileEmitBranch(l, after, g->registers / pack, out);
}

/* Both forms, each in blocks of its own; the values meet in a block with one argument a register. */
static void loadBothForms(TileLowering *l, const GlobalAccess *g, TileLoadOp load, MlirValue *out) {
  MlirType *types = tileArenaAlloc(l->arena, (size_t)g->registers, sizeof *types);
  const int pack = meetingPack(l, g);
  for (intptr_t i = 0; i < g->registers / pack; ++i)
    types[i] = pack > 1 ? mlirIntegerTypeGet(l->context, 32) : g->element;
  MlirBlock wide = tileAppendBlock(l, 0, NULL), single = tileAppendBlock(l, 0, NULL),
            after = tileAppendBlock(l, g->registers / pack, types);
  branchOnMasks(l, g, wide, single);
  tileEnterBlock(l, wide);
  loadAndMeet(l, g, load, (Form){g->plan.wideWidth, false, false}, after, out);
  tileEnterBlock(l, single);
  /* Where accesses need no more than 4 bytes' alignment, less of it keeps LLVM from joining the ends of both. */
  loadAndMeet(l, g, load, (Form){g->plan.width, true, l->hooks->anyLane != NULL}, after, out);
  tileEnterBlock(l, after);
  for (intptr_t i = 0; i < g->registers; i += pack)
    if (pack > 1)
      unpackWord(l, mlirBlockGetArgument(after, i / pack), g->element, pack, &out[i]);
    else
      out[i] = mlirBlockGetArgument(after, i);
}

/* The one condition of all elements, where the mask is a scalar spread out; null otherwise. */
static MlirValue commonCondition(TileLowering *l, MlirValue mask) {
  MlirOperation def = mask.ptr ? tileValueGetDefiningOp(mask) : (MlirOperation){NULL};
  if (!def.ptr || tileOpKind(def) != TileOp_Tile_Splat)
    return (MlirValue){NULL};
  return tileRegistersOf(l, mlirOperationGetOperand(def, 0)).values[0];
}

/* All accesses in one block of their own, behind one branch. */
static void loadBehindBranch(TileLowering *l, const GlobalAccess *g, TileLoadOp load, MlirValue condition,
                             MlirValue *out) {
  MlirValue other = tileLoadOpGetOther(load);
  TileRegisters defaults = other.ptr ? tileRegistersOf(l, other) : (TileRegisters){0, NULL};
  MlirType *types = tileArenaAlloc(l->arena, (size_t)g->registers, sizeof *types);
  MlirValue *others = tileArenaAlloc(l->arena, (size_t)g->registers, sizeof *others);
  for (intptr_t i = 0; i < g->registers; ++i) {
    types[i] = g->element;
    others[i] = other.ptr ? defaults.values[i] : tileEmitZero(l, g->element);
  }
  MlirBlock access = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, g->registers, types);
  tileEmitCondBranch(l, condition, access, 0, NULL, after, g->registers, others);
  tileEnterBlock(l, access);
  loadForm(l, g, load, (Form){g->plan.twoForms ? g->plan.wideWidth : g->plan.width, false, false}, out);
  tileEmitBranch(l, after, g->registers, out);
  tileEnterBlock(l, after);
  for (intptr_t i = 0; i < g->registers; ++i)
    out[i] = mlirBlockGetArgument(after, i);
}

/* Beside sums that fill a thread's registers, what many accesses load is used one by one: behind a branch all of it would be alive. */
static bool isBesideSums(const TileLowering *l, const GlobalAccess *g) {
  return loadsManyBesideSums(l, g) && g->plan.wideWidth == g->plan.width;
}

MlirLogicalResult tileLowerLoad(TileLowering *l, MlirOperation op) {
  TileLoadOp load = tileLoadOpCast(op);
  MlirValue result = tileLoadOpGetResult(load);
  GlobalAccess g;
  if (tileFailed(
          describe(l, op, tileLoadOpGetPtr(load), tileLoadOpGetMask(load), mlirValueGetType(result), &g)))
    return tileFailure();
  TileRegisters r = tileNewRegisters(l, g.registers);
  MlirValue condition = commonCondition(l, g.mask);
  if (condition.ptr && l->hooks->loadsBranch && g.registers > g.plan.width && !g.resource.ptr)
    loadBehindBranch(l, &g, load, condition, r.values);
  else if (g.plan.twoForms && !isBesideSums(l, &g))
    loadBothForms(l, &g, load, r.values);
  else
    loadForm(l, &g, load, (Form){g.plan.width, g.mask.ptr != NULL, false}, r.values);
  tileBind(l, result, r);
  return tileSuccess();
}

static void storeForm(TileLowering *l, const GlobalAccess *g, TileStoreOp store, Form form, MlirValue owner) {
  TileRegisters values = tileRegistersOf(l, tileStoreOpGetValue(store));
  uint32_t copies = g->tensor ? tileLayoutFreeMask(&g->layout, TileLayoutDim_Register) : 0;
  MlirValue *words = tileArenaAlloc(l->arena, (size_t)form.width, sizeof *words);
  for (intptr_t first = 0; first < g->registers; first += form.width) {
    if ((uint32_t)first & copies)
      continue;
    TileAccess access = accessAt(l, g, form, first, tileStoreOpGetCache(store), tileStoreOpGetEvict(store));
    access.predicate = both(l, access.predicate, owner);
    for (int i = 0; i < form.width; ++i)
      words[i] = toMemory(l, g, values.values[first + i]);
    l->hooks->store(l, &access, words);
  }
}

static void storeBothForms(TileLowering *l, const GlobalAccess *g, TileStoreOp store, MlirValue owner) {
  MlirBlock wide = tileAppendBlock(l, 0, NULL), single = tileAppendBlock(l, 0, NULL),
            after = tileAppendBlock(l, 0, NULL);
  branchOnMasks(l, g, wide, single);
  tileEnterBlock(l, wide);
  storeForm(l, g, store, (Form){g->plan.wideWidth, false, false}, owner);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, single);
  storeForm(l, g, store, (Form){g->plan.width, true, false}, owner);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

MlirLogicalResult tileLowerStore(TileLowering *l, MlirOperation op) {
  TileStoreOp store = tileStoreOpCast(op);
  GlobalAccess g;
  if (tileFailed(describe(l, op, tileStoreOpGetPtr(store), tileStoreOpGetMask(store),
                          mlirValueGetType(tileStoreOpGetValue(store)), &g)))
    return tileFailure();
  /* Of the threads and registers that hold copies of an element, one stores. */
  MlirValue owner = g.tensor ? tileEmitOwnerPredicate(l, &g.layout) : tileEmitFirstThread(l);
  if (g.plan.twoForms)
    storeBothForms(l, &g, store, owner);
  else
    storeForm(l, &g, store, (Form){g.plan.width, g.mask.ptr != NULL, false}, owner);
  return tileSuccess();
}
