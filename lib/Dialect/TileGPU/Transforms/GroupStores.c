/* GroupStores.c - copies out of a buffer by warp groups, each of the rows that it stored itself.
 *
 *   tile_gpu.tma_store_wait %m
 *   tile_gpu.local_store %h, %m        group g holds rows [64 g, 64 g + 64) of %h
 *   tile_gpu.fence_async %m
 *   tile_gpu.tma_store 2[%i, %j], %m
 * gets `tile_gpu.groups = 2` on all uses of %m, and map 2 boxes of 64 rows: barriers between them are among four warps, and no group
 * waits for another one. Where groups hold columns instead, the copy gets `tile_gpu.columns`. */
#include "GroupStores.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/OpKind.h"
#include "tile-c/TensorMap.h"

enum { GROUP_WARPS = 4, GROUP_BITS = 2 };

/* The dimension along which each warp group holds its own run of rows (0) or columns (1); -1: along none. */
static int ownDim(const TileLayout *layout, int groups) {
  for (int dim = 0; layout->rank == 2 && dim < 2; ++dim) {
    const int32_t run = (int32_t)(layout->shape[dim] / groups);
    bool holds = run >= 8;
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

/* All uses of the buffer: one store to it, one copy from it, waits and fences. */
static bool collectUses(MlirValue buffer, MlirOperation out[8], int *out_count, MlirOperation *out_store,
                        MlirOperation *out_copy) {
  *out_count = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    const TileOpKind kind = tileOpKind(op);
    MlirOperation *once = kind == TileOp_TileGPU_LocalStore ? out_store
                          : kind == TileOp_TileGPU_TmaStore ? out_copy
                                                            : NULL;
    if (*out_count == 8 ||
        (once ? once->ptr != NULL : kind != TileOp_TileGPU_TmaStoreWait && kind != TileOp_TileGPU_FenceAsync))
      return false;
    if (once)
      *once = op;
    out[(*out_count)++] = op;
  }
  return out_store->ptr && out_copy->ptr;
}

/* Boxes of the map with fewer rows. Only this copy uses it: its descriptor has no other use. */
static bool shortenBoxes(MlirOperation function, intptr_t map, int groups) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute all = tileTensorMapList(function), maps[64];
  const intptr_t n = tileTensorMapCount(function);
  if (n > 64)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    maps[i] = mlirArrayAttrGetElement(all, i);
  MlirNamedAttribute members[16];
  const intptr_t count = mlirDictionaryAttrGetNumElements(maps[map]);
  for (intptr_t i = 0; i < count && i < 16; ++i) {
    members[i] = mlirDictionaryAttrGetElement(maps[map], i);
    if (!mlirStringRefEqual(mlirIdentifierStr(members[i].name), tileStr("box")))
      continue;
    const int32_t box[2] = {mlirDenseI32ArrayGetElement(members[i].attribute, 0),
                            mlirDenseI32ArrayGetElement(members[i].attribute, 1) / groups};
    members[i].attribute = mlirDenseI32ArrayGet(context, 2, box);
  }
  maps[map] = mlirDictionaryAttrGet(context, count, members);
  tileTensorMapSetList(function, mlirArrayAttrGet(context, n, maps));
  return true;
}

bool tileGroupStore(MlirOperation function, MlirValue buffer, int numWarps) {
  MlirOperation uses[8], store = {NULL}, copy = {NULL};
  MlirContext context = mlirOperationGetContext(function);
  TileLayout layout;
  TileMemDesc desc;
  TileWarpGroupFactor rows;
  int count;
  const int groups = numWarps / GROUP_WARPS;
  if (groups < 2 || numWarps % GROUP_WARPS || !collectUses(buffer, uses, &count, &store, &copy) ||
      !tileLayoutOfType(mlirValueGetType(tileGPULocalStoreOpGetValue(tileGPULocalStoreOpCast(store))),
                        &layout) ||
      !tileMemDescOf(mlirValueGetType(buffer), &desc) || !tileWarpGroupFactorOf(&desc, 1, &rows))
    return false;
  const int dim = ownDim(&layout, groups);
  const int64_t columns = rows.swizzleBytes / desc.elementBytes; // of a box
  if (dim < 0 || (dim == 1 && layout.shape[1] / groups % columns) ||
      (!dim && !shortenBoxes(function, tileGPUTmaStoreOpGetMap(tileGPUTmaStoreOpCast(copy)), groups)))
    return false;
  for (int i = 0; i < count; ++i)
    mlirOperationSetDiscardableAttributeByName(uses[i], tileStr("tile_gpu.groups"),
                                               tileI32Attr(context, groups));
  if (dim)
    mlirOperationSetDiscardableAttributeByName(copy, tileStr("tile_gpu.columns"), mlirUnitAttrGet(context));
  return true;
}
