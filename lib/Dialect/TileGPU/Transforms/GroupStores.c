/* GroupStores.c - copies out of a buffer by warp groups, each of the rows that it stored itself.
 *
 *   tile_gpu.tma_store_wait %m
 *   tile_gpu.local_store %h, %m        group g holds rows [64 g, 64 g + 64) of %h
 *   tile_gpu.fence_async %m
 *   tile_gpu.tma_store 2[%i, %j], %m
 * gets `tile_gpu.groups = 2` on all uses of %m, and map 2 boxes of 64 rows: barriers between them are among four warps, and no group
 * waits for another one. Where groups hold columns instead, the copy gets `tile_gpu.columns`.
 *
 * A copy that adds goes warp by warp: `tile_gpu.groups` is the number of warps, and the copy gets what each bit of a warp's number
 * adds to its row and column, `tile_gpu.warp_rows = array<i32: 16, 32, 0>` and `tile_gpu.warp_columns = array<i32: 0, 0, 64>`. Such
 * copies stand in loops beside products, where the warps of a group need not meet either. */
#include "GroupStores.h"
#include "TensorMaps.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/OpKind.h"
#include "tile-c/TensorMap.h"

enum { GROUP_WARPS = 4, GROUP_BITS = 2, LEAST_ROWS = 8, MOST_WARP_BITS = 6 };

/* The dimension along which each warp group holds its own run of rows (0) or columns (1); -1: along none. */
static int ownDim(const TileLayout *layout, int groups) {
  for (int dim = 0; layout->rank == 2 && dim < 2; ++dim) {
    const int32_t run = (int32_t)(layout->shape[dim] / groups);
    bool holds = run >= LEAST_ROWS;
    for (int in = 0; in < TileLayoutDim_Count; ++in)
      for (int32_t bit = 0; bit < layout->bits[in]; ++bit) {
        const int32_t *basis = layout->bases[in][bit];
        const bool isGroup = in == TileLayoutDim_Warp && bit >= GROUP_BITS;
        holds &= isGroup ? basis[dim] == run << (bit - GROUP_BITS) && !basis[1 - dim] : basis[dim] < run;
      }
    if (holds)
      return dim;
  }
  return -1;
}

/* What each warp holds: a block of rows and columns, at a place that the bits of its number add up to. */
typedef struct WarpPart {
  int32_t size[2];
  int32_t bits[2][MOST_WARP_BITS];
} WarpPart;

/* Adds a basis to the numbers of one dimension that are there; false if it lies along none or both. */
static bool addBasis(const int32_t *basis, int32_t seen[2]) {
  const int dim = basis[1] != 0;
  if (!basis[dim] || basis[1 - dim] || (seen[dim] & basis[dim]))
    return false;
  seen[dim] |= basis[dim];
  return true;
}

static bool ownPart(const TileLayout *layout, WarpPart *out) {
  int32_t seen[2] = {0, 0};
  if (layout->rank != 2 || layout->bits[TileLayoutDim_Warp] > MOST_WARP_BITS)
    return false;
  for (int in = TileLayoutDim_Register; in <= TileLayoutDim_Lane; ++in)
    for (int32_t bit = 0; bit < layout->bits[in]; ++bit)
      if (!addBasis(layout->bases[in][bit], seen))
        return false;
  for (int dim = 0; dim < 2; ++dim) {
    out->size[dim] = seen[dim] + 1;
    if (out->size[dim] & seen[dim])
      return false;
  }
  for (int32_t bit = 0; bit < layout->bits[TileLayoutDim_Warp]; ++bit) {
    const int32_t *basis = layout->bases[TileLayoutDim_Warp][bit];
    if (!addBasis(basis, seen))
      return false;
    out->bits[0][bit] = basis[0];
    out->bits[1][bit] = basis[1];
  }
  return true;
}

enum { MAX_USES = 32, MAX_COPIES = 8 };

/* Copies of one buffer that threads fill, each time in the same layout, by one map. */
typedef struct StagedCopy {
  MlirOperation function, uses[MAX_USES], store, copies[MAX_COPIES];
  TileLayout layout;             ///< of what is stored
  int count, numCopies, columns; ///< columns: of a box
} StagedCopy;

static bool sameLayout(MlirOperation store, MlirOperation other) {
  return mlirTypeEqual(mlirValueGetType(tileGPULocalStoreOpGetValue(tileGPULocalStoreOpCast(store))),
                       mlirValueGetType(tileGPULocalStoreOpGetValue(tileGPULocalStoreOpCast(other))));
}

static bool sameCopy(MlirOperation copy, MlirOperation other) {
  TileGPUTmaStoreOp a = tileGPUTmaStoreOpCast(copy), b = tileGPUTmaStoreOpCast(other);
  return tileGPUTmaStoreOpGetMap(a) == tileGPUTmaStoreOpGetMap(b) &&
         tileGPUTmaStoreOpGetAdd(a) == tileGPUTmaStoreOpGetAdd(b);
}

static bool addUse(StagedCopy *c, MlirOperation op) {
  if (c->count == MAX_USES)
    return false;
  c->uses[c->count++] = op;
  switch (tileOpKind(op)) {
  case TileOp_TileGPU_TmaStoreWait:
  case TileOp_TileGPU_FenceAsync:
    return true;
  case TileOp_TileGPU_LocalStore:
    c->store = c->store.ptr ? c->store : op;
    return sameLayout(c->store, op);
  case TileOp_TileGPU_TmaStore:
    if (c->numCopies == MAX_COPIES)
      return false;
    c->copies[c->numCopies++] = op;
    return sameCopy(c->copies[0], op);
  default:
    return false;
  }
}

/* All uses of the buffer: stores to it, copies from it, waits and fences. */
static bool collectUses(MlirValue buffer, StagedCopy *out) {
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!addUse(out, mlirOpOperandGetOwner(use)))
      return false;
  return out->store.ptr && out->numCopies;
}

static void markGroups(const StagedCopy *c, int groups) {
  for (int i = 0; i < c->count; ++i)
    mlirOperationSetDiscardableAttributeByName(c->uses[i], tileStr("tile_gpu.groups"),
                                               tileI32Attr(mlirOperationGetContext(c->function), groups));
}

static void markCopies(const StagedCopy *c, const char *name, MlirAttribute value) {
  for (int i = 0; i < c->numCopies; ++i)
    mlirOperationSetDiscardableAttributeByName(c->copies[i], tileStr(name), value);
}

static bool shortenBoxesOf(const StagedCopy *c, int64_t parts) {
  return parts == 1 ||
         tileTensorMapShorten(c->function, tileGPUTmaStoreOpGetMap(tileGPUTmaStoreOpCast(c->copies[0])),
                              (int)parts);
}

static bool copyByWarps(const StagedCopy *c, int numWarps) {
  const char *const names[2] = {"tile_gpu.warp_rows", "tile_gpu.warp_columns"};
  WarpPart part;
  if (!tileGPUTmaStoreOpGetAdd(tileGPUTmaStoreOpCast(c->copies[0])) || !ownPart(&c->layout, &part) ||
      part.size[0] < LEAST_ROWS || part.size[1] % c->columns ||
      !shortenBoxesOf(c, c->layout.shape[0] / part.size[0]))
    return false;
  for (int dim = 0; dim < 2; ++dim)
    markCopies(c, names[dim],
               mlirDenseI32ArrayGet(mlirOperationGetContext(c->function), c->layout.bits[TileLayoutDim_Warp],
                                    part.bits[dim]));
  markGroups(c, numWarps);
  return true;
}

static bool copyByGroups(const StagedCopy *c, int groups) {
  const int dim = ownDim(&c->layout, groups);
  if (dim < 0 || (dim == 1 && c->layout.shape[1] / groups % c->columns) ||
      (!dim && !shortenBoxesOf(c, groups)))
    return false;
  markGroups(c, groups);
  if (dim)
    markCopies(c, "tile_gpu.columns", mlirUnitAttrGet(mlirOperationGetContext(c->function)));
  return true;
}

bool tileGroupStore(MlirOperation function, MlirValue buffer, int numWarps) {
  StagedCopy c = {.function = function};
  TileMemDesc desc;
  TileWarpGroupFactor rows;
  const int groups = numWarps / GROUP_WARPS;
  if (groups < 2 || numWarps % GROUP_WARPS || !collectUses(buffer, &c) ||
      !tileLayoutOfType(mlirValueGetType(tileGPULocalStoreOpGetValue(tileGPULocalStoreOpCast(c.store))),
                        &c.layout) ||
      !tileMemDescOf(mlirValueGetType(buffer), &desc) || !tileWarpGroupFactorOf(&desc, 1, &rows))
    return false;
  c.columns = (int)(rows.swizzleBytes / desc.elementBytes);
  return copyByWarps(&c, numWarps) || copyByGroups(&c, groups);
}
