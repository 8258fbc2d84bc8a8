/* Memory.c - tile.load and tile.store as vector accesses of each thread.
 *
 * The widest access is what the axis analysis proves about the addresses, what the mask allows, what the
 * layout keeps together in one thread, and what the chip has. */
#include "Lowering.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"

/* What a load and a store have in common. */
typedef struct GlobalAccess {
  MlirOperation op;
  MlirValue ptr, mask; ///< mask may be null
  TileRegisters pointers, masks;
  TileLayout layout; ///< valid if tensor
  bool tensor;
  int width;                ///< elements of one access
  intptr_t registers;       ///< per thread
  MlirType element, memory; ///< LLVM types in registers and in memory
} GlobalAccess;

static MlirLogicalResult describe(TileLowering *l, MlirOperation op, MlirValue ptr, MlirValue mask,
                                  MlirType valueType, GlobalAccess *g) {
  *g = (GlobalAccess){.op = op, .ptr = ptr, .mask = mask, .width = 1};
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
  const TileAxis *pointerAxis = tileAxisInfoOf(l->axis, ptr),
                 *maskAxis = mask.ptr ? tileAxisInfoOf(l->axis, mask) : NULL;
  if (!mask.ptr || maskAxis)
    g->width = (int)tileAccessVectorWidth(pointerAxis, maskAxis, &g->layout, tileTypeBits(g->memory),
                                          l->target->maxGlobalVectorBits);
  return tileSuccess();
}

static TileAccess accessAt(const GlobalAccess *g, intptr_t first, int64_t cache, int64_t evict) {
  int bytes = (int)tileTypeBits(g->memory) / 8;
  return (TileAccess){.pointer = g->pointers.values[first],
                      .predicate = g->mask.ptr ? g->masks.values[first] : (MlirValue){NULL},
                      .element = g->memory,
                      .width = g->width,
                      .alignment = bytes * g->width,
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

MlirLogicalResult tileLowerLoad(TileLowering *l, MlirOperation op) {
  TileLoadOp load = tileLoadOpCast(op);
  MlirValue other = tileLoadOpGetOther(load), result = tileLoadOpGetResult(load);
  GlobalAccess g;
  if (tileFailed(
          describe(l, op, tileLoadOpGetPtr(load), tileLoadOpGetMask(load), mlirValueGetType(result), &g)))
    return tileFailure();
  TileRegisters defaults = other.ptr ? tileRegistersOf(l, other) : (TileRegisters){0, NULL};
  TileRegisters r = tileNewRegisters(l, g.registers);
  MlirValue *others = tileArenaAlloc(l->arena, (size_t)g.width, sizeof *others);
  for (intptr_t first = 0; first < g.registers; first += g.width) {
    TileAccess access = accessAt(&g, first, tileLoadOpGetCache(load), tileLoadOpGetEvict(load));
    access.isVolatile = tileLoadOpGetIsVolatile(load);
    for (int i = 0; i < g.width; ++i)
      others[i] = other.ptr ? toMemory(l, &g, defaults.values[first + i]) : tileEmitZero(l, g.memory);
    l->hooks->load(l, &access, others, &r.values[first]);
    for (int i = 0; i < g.width; ++i)
      r.values[first + i] = fromMemory(l, &g, r.values[first + i]);
  }
  tileBind(l, result, r);
  return tileSuccess();
}

static MlirValue both(TileLowering *l, MlirValue a, MlirValue b) {
  if (!a.ptr || !b.ptr)
    return a.ptr ? a : b;
  return tileEmit2(l, TileOp_LLVM_And, a, b);
}

MlirLogicalResult tileLowerStore(TileLowering *l, MlirOperation op) {
  TileStoreOp store = tileStoreOpCast(op);
  MlirValue value = tileStoreOpGetValue(store);
  GlobalAccess g;
  if (tileFailed(
          describe(l, op, tileStoreOpGetPtr(store), tileStoreOpGetMask(store), mlirValueGetType(value), &g)))
    return tileFailure();
  TileRegisters values = tileRegistersOf(l, value);
  /* Of the threads and registers that hold copies of an element, one stores. */
  MlirValue owner = g.tensor ? tileEmitOwnerPredicate(l, &g.layout) : tileEmitFirstThread(l);
  uint32_t copies = g.tensor ? tileLayoutFreeMask(&g.layout, TileLayoutDim_Register) : 0;
  MlirValue *words = tileArenaAlloc(l->arena, (size_t)g.width, sizeof *words);
  for (intptr_t first = 0; first < g.registers; first += g.width) {
    if ((uint32_t)first & copies)
      continue;
    TileAccess access = accessAt(&g, first, tileStoreOpGetCache(store), tileStoreOpGetEvict(store));
    access.predicate = both(l, access.predicate, owner);
    for (int i = 0; i < g.width; ++i)
      words[i] = toMemory(l, &g, values.values[first + i]);
    l->hooks->store(l, &access, words);
  }
  return tileSuccess();
}
