/* BufferOffsets.c - tensors of pointers taken apart into a scalar pointer and offsets. */
#include "BufferOffsets.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerMap.h"

static MlirValue splatOf(MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  return tileOpKind(op) == TileOp_Tile_Splat ? mlirOperationGetOperand(op, 0) : (MlirValue){NULL};
}

static bool changesShape(TileOpKind kind) {
  return kind == TileOp_Tile_Broadcast || kind == TileOp_Tile_ExpandDims || kind == TileOp_Tile_Reshape ||
         kind == TileOp_Tile_Trans || kind == TileOp_TileGPU_ConvertLayout;
}

const char *tileBufferPartsOf(MlirValue pointers, TileBufferParts *out) {
  *out = (TileBufferParts){.numMoves = 0};
  for (MlirValue v = pointers;;) {
    MlirOperation op = tileValueGetDefiningOp(v);
    if (!op.ptr)
      return "a loop or branch hands the pointers on";
    TileOpKind kind = tileOpKind(op);
    if (kind == TileOp_Tile_Splat) {
      out->base = mlirOperationGetOperand(op, 0);
      return NULL;
    }
    if (kind == TileOp_Tile_AddPtr) {
      MlirValue offset = mlirOperationGetOperand(op, 1), move = splatOf(offset);
      if (out->numMoves == TileBufferParts_Max || out->numOffsets == TileBufferParts_Max)
        return "the pointers are moved too often";
      if (move.ptr)
        out->moves[out->numMoves++] = move;
      else
        out->offsets[out->numOffsets++] = offset;
    } else if (!changesShape(kind)) {
      return "the pointers come from more than one";
    }
    v = mlirOperationGetOperand(op, 0);
  }
}

static MlirValue toI32(TileBuilder b, MlirLocation loc, MlirValue v) {
  MlirType i32 = mlirIntegerTypeGet(mlirLocationGetContext(loc), 32), type = mlirValueGetType(v);
  unsigned bits = mlirIntegerTypeGetWidth(tileTypeGetElement(type));
  MlirType to = tileTypeWithElement(type, i32);
  if (bits == 32)
    return v;
  return bits > 32 ? arithTruncIOpGetOut(arithTruncIOpCreate(b, loc, to, v, (MlirAttribute){NULL}))
                   : arithExtSIOpGetOut(arithExtSIOpCreate(b, loc, to, v));
}

/* The op that changes the pointers' shape, on their offsets. */
static MlirValue reshaped(TileBuilder b, MlirOperation op, MlirValue offsets) {
  MlirType i32 = mlirIntegerTypeGet(mlirOperationGetContext(op), 32);
  MlirOperation clone = mlirOperationClone(op);
  MlirValue result = mlirOperationGetResult(clone, 0);
  mlirOperationSetOperand(clone, 0, offsets);
  mlirValueSetType(result, tileTypeWithElement(mlirValueGetType(result), i32));
  mlirRewriterBaseInsert(b, clone);
  return result;
}

MlirValue tileBufferOffsets(TileBuilder b, MlirValue pointers) {
  MlirOperation op = tileValueGetDefiningOp(pointers);
  if (tileOpKind(op) == TileOp_Tile_Splat)
    return (MlirValue){NULL};
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue before = tileBufferOffsets(b, mlirOperationGetOperand(op, 0));
  mlirRewriterBaseSetInsertionPointAfter(b, op);
  if (tileOpKind(op) != TileOp_Tile_AddPtr)
    return before.ptr ? reshaped(b, op, before) : before;
  MlirValue offset = mlirOperationGetOperand(op, 1);
  if (splatOf(offset).ptr)
    return before;
  offset = toI32(b, loc, offset);
  if (!before.ptr)
    return offset;
  return arithAddIOpGetResult(
      arithAddIOpCreate(b, loc, mlirValueGetType(offset), before, offset, (MlirAttribute){NULL}));
}

static MlirValue movedBy(TileBuilder b, MlirLocation loc, MlirValue pointer, MlirValue by) {
  return tileAddPtrOpGetResult(tileAddPtrOpCreate(b, loc, mlirValueGetType(pointer), pointer, by));
}

static MlirValue moved(TileBuilder b, MlirLocation loc, const TileBufferParts *parts, MlirValue low) {
  MlirValue base = low.ptr ? movedBy(b, loc, parts->base, low) : parts->base;
  for (int i = parts->numMoves; i-- > 0;)
    base = movedBy(b, loc, base, parts->moves[i]);
  return base;
}

/* The offsets less a scalar, which is known to come before them. */
static MlirValue lessLow(TileBuilder b, MlirLocation loc, MlirValue offsets, MlirValue low) {
  MlirValue splat =
      tileSplatOpGetResult(tileSplatOpCreate(b, loc, mlirValueGetType(offsets), toI32(b, loc, low)));
  MlirAttribute none = {NULL};
  return arithSubIOpGetResult(arithSubIOpCreate(b, loc, mlirValueGetType(offsets), offsets, splat, none));
}

void tileBufferRewrite(TileBuilder b, MlirOperation access, const TileBufferParts *parts, MlirValue low) {
  MlirLocation loc = mlirOperationGetLocation(access);
  MlirValue old = mlirOperationGetOperand(access, 0);
  MlirType type = mlirValueGetType(old);
  MlirValue offsets = tileBufferOffsets(b, old);
  mlirRewriterBaseSetInsertionPointBefore(b, access);
  MlirValue pointers = tileSplatOpGetResult(
      tileSplatOpCreate(b, loc, type, moved(b, loc, parts, offsets.ptr ? low : offsets)));
  if (offsets.ptr && low.ptr)
    offsets = lessLow(b, loc, offsets, low);
  if (offsets.ptr) {
    pointers = movedBy(b, loc, pointers, offsets);
    mlirOperationSetDiscardableAttributeByName(tileValueGetDefiningOp(pointers), tileStr("tile_gpu.bounded"),
                                               mlirUnitAttrGet(mlirOperationGetContext(access)));
  }
  mlirOperationSetOperand(access, 0, pointers);
  mlirOperationSetDiscardableAttributeByName(access, tileStr("tile_gpu.buffer"),
                                             mlirUnitAttrGet(mlirOperationGetContext(access)));
  (void)mlirOperationRemoveDiscardableAttributeByName(access, tileStr("tile_gpu.not_buffer"));
  TileArena arena = {0};
  TilePointerMap gone = {.arena = &arena};
  tileEraseUnused(b, &gone, tileValueGetDefiningOp(old));
  tileArenaRelease(&arena);
}
