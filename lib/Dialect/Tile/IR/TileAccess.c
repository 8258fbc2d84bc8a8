/* TileAccess.c - pointer and mask of the ops that access memory. */
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"

TilePointerAccess tilePointerAccessOf(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_Load: {
    TileLoadOp load = tileLoadOpCast(op);
    return (TilePointerAccess){tileLoadOpGetPtr(load), tileLoadOpGetMask(load)};
  }
  case TileOp_Tile_Store: {
    TileStoreOp store = tileStoreOpCast(op);
    return (TilePointerAccess){tileStoreOpGetPtr(store), tileStoreOpGetMask(store)};
  }
  case TileOp_Tile_AtomicRMW: {
    TileAtomicRMWOp rmw = tileAtomicRMWOpCast(op);
    return (TilePointerAccess){tileAtomicRMWOpGetPtr(rmw), tileAtomicRMWOpGetMask(rmw)};
  }
  case TileOp_Tile_AtomicCAS:
    return (TilePointerAccess){tileAtomicCASOpGetPtr(tileAtomicCASOpCast(op)), {NULL}};
  default:
    return (TilePointerAccess){{NULL}, {NULL}};
  }
}

TileElementType tilePointeeElement(MlirType pointers) {
  return tileElementTypeOf(tilePtrTypeGetPointee(tileTypeGetElement(pointers)));
}
