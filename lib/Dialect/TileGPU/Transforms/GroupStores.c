/* GroupStores.c - copies out of a buffer by warp groups, each of the rows that it stored itself.
 *
 *   tile_gpu.tma_store_wait %m
 *   tile_gpu.local_store %h, %m        group g holds rows [64 g, 64 g + 64) of %h
 *   tile_gpu.fence_async %m
 *   tile_gpu.tma_store 2[%i, %j], %m
 * gets `tile_gpu.groups = 2` on all uses of %m, and map 2 boxes of 64 rows: barriers between them are among four warps, and no group
 * waits for another one. */
#include "GroupStores.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/OpKind.h"
#include "tile-c/TensorMap.h"

enum { GROUP_WARPS = 4, GROUP_BITS = 2 };

static const char mapsName[] = "tile_gpu.tensor_maps";

/* Whether each warp group holds its own run of rows. */
static bool holdsRows(MlirType type, int groups) {
  TileLayout layout;
  if (!tileLayoutOfType(type, &layout) || layout.rank != 2 || layout.shape[0] % groups)
    return false;
  const int32_t rows = (int32_t)(layout.shape[0] / groups);
  for (int in = 0; in < TileLayoutDim_Count; ++in)
    for (int32_t bit = 0; bit < layout.bits[in]; ++bit) {
      const int32_t *basis = layout.bases[in][bit];
      const bool isGroup = in == TileLayoutDim_Warp && bit >= GROUP_BITS;
      if (isGroup ? basis[0] != rows << (bit - GROUP_BITS) || basis[1] : basis[0] >= rows)
        return false;
    }
  return rows >= 8;
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
  MlirAttribute all = mlirOperationGetDiscardableAttributeByName(function, tileStr(mapsName)), maps[64];
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
  mlirOperationSetDiscardableAttributeByName(function, tileStr(mapsName), mlirArrayAttrGet(context, n, maps));
  return true;
}

bool tileGroupStore(MlirOperation function, MlirValue buffer, int numWarps) {
  MlirOperation uses[8], store = {NULL}, copy = {NULL};
  int count;
  const int groups = numWarps / GROUP_WARPS;
  if (groups < 2 || numWarps % GROUP_WARPS || !collectUses(buffer, uses, &count, &store, &copy) ||
      !holdsRows(mlirValueGetType(tileGPULocalStoreOpGetValue(tileGPULocalStoreOpCast(store))), groups) ||
      !shortenBoxes(function, tileGPUTmaStoreOpGetMap(tileGPUTmaStoreOpCast(copy)), groups))
    return false;
  for (int i = 0; i < count; ++i)
    mlirOperationSetDiscardableAttributeByName(uses[i], tileStr("tile_gpu.groups"),
                                               tileI32Attr(mlirOperationGetContext(function), groups));
  return true;
}
