/* KnownBits.c - how large integers can be at most, from the ops that make them. */
#include "Elementwise.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

enum { MOST_DEPTH = 12, WIDEST = 62 };

static int bitsOfNumber(int64_t n) {
  int bits = 0;
  for (uint64_t rest = n < 0 ? ~(uint64_t)n : (uint64_t)n; rest; rest >>= 1)
    ++bits;
  return bits;
}

/* Of sums one bit more, of products both together; `width` where they would wrap around. */
static int bitsOfTwo(TileOpKind kind, int x, int y, int width) {
  const int larger = x > y ? x : y, bits = kind == TileOp_Arith_MulI ? x + y + 1
                                           : kind == TileOp_Arith_AddI || kind == TileOp_Arith_SubI
                                               ? larger + 1
                                               : larger;
  return bits < width ? bits : width;
}

static int bitsOf(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  const int width = 8 * (int)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(v))) - 1;
  int64_t n, mask;
  if (tileValueConstantInt(v, &n))
    return bitsOfNumber(n);
  if (!op.ptr || depth == MOST_DEPTH || mlirOperationGetNumOperands(op) == 0 || width < 0)
    return width;
  const TileOpKind kind = tileOpKind(op);
  MlirValue first = mlirOperationGetOperand(op, 0);
  switch (kind) {
  case TileOp_Arith_ExtSI:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_Trans:
  case TileOp_Tile_Reshape:
  case TileOp_TileGPU_ConvertLayout:
  case TileOp_Arith_ShRSI:
    return bitsOf(first, depth + 1);
  case TileOp_Arith_ExtUI: // all bits of what it was, should that have had a sign; i1 has its one bit in a byte
    return 8 * (int)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(first)));
  case TileOp_Arith_AndI:
    mask = tileValueConstantInt(mlirOperationGetOperand(op, 1), &n) && n >= 0 ? n : -1;
    return mask >= 0 ? bitsOfNumber(mask)
                     : bitsOfTwo(kind, bitsOf(first, depth + 1),
                                 bitsOf(mlirOperationGetOperand(op, 1), depth + 1), width);
  case TileOp_Arith_OrI:
  case TileOp_Arith_XOrI:
  case TileOp_Arith_AddI:
  case TileOp_Arith_SubI:
  case TileOp_Arith_MulI:
  case TileOp_Arith_MinSI:
  case TileOp_Arith_MaxSI:
    return bitsOfTwo(kind, bitsOf(first, depth + 1), bitsOf(mlirOperationGetOperand(op, 1), depth + 1),
                     width);
  case TileOp_Arith_Select:
    return bitsOfTwo(kind, bitsOf(mlirOperationGetOperand(op, 1), depth + 1),
                     bitsOf(mlirOperationGetOperand(op, 2), depth + 1), width);
  default:
    return width;
  }
}

int tileKnownBits(MlirValue v) {
  const int bits = bitsOf(v, 0);
  return bits < WIDEST ? bits : WIDEST;
}
