/* MatrixAccess.c - whether a fragment can be moved by ldmatrix or stmatrix, and with which addresses. */
#include "Linear.h"
#include "tile-c/LayoutShared.h"
#include <string.h>

/// Image of one input bit of a map between inputs: its offset; *elsewhere is set if it also moves to another
/// block.
static uint64_t offsetBasis(const TileLayout *toOffset, int32_t dim, int32_t bit) {
  return (uint64_t)toOffset->bases[dim][bit][TileLayoutDim_Offset];
}

static bool movesTo(const TileLayout *toOffset, int32_t dim, int32_t bit, int32_t offset) {
  return offsetBasis(toOffset, dim, bit) == (uint64_t)offset &&
         !toOffset->bases[dim][bit][TileLayoutDim_Block];
}

/// Lanes firstLane, firstLane + 1, ... are consecutive elements, from `start` on, of 16-byte rows of `row`
/// elements.
static bool lanesRunAlongRow(const TileLayout *toOffset, int32_t firstLane, int32_t start, int32_t row) {
  for (int32_t offset = start; offset < row; offset *= 2, ++firstLane)
    if (!movesTo(toOffset, TileLayoutDim_Lane, firstLane, offset))
      return false;
  return true;
}

/// All inputs but the lanes in `rowLanes` start at a row's first element.
static bool othersStartRows(const TileLayout *toOffset, const TileLayoutVector *registers, uint32_t rowLanes,
                            int32_t row) {
  for (int32_t i = 0; i < registers->accessBits; ++i) {
    int32_t at[TileLayout_MaxRank];
    tileLayoutApply(toOffset, registers->access[i], 0, 0, 0, at);
    if (at[TileLayoutDim_Offset] & (row - 1))
      return false;
  }
  for (int32_t dim = TileLayoutDim_Lane; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < toOffset->bits[dim]; ++bit)
      if (!(dim == TileLayoutDim_Lane && (rowLanes >> bit & 1)) &&
          (offsetBasis(toOffset, dim, bit) & (uint64_t)(row - 1)))
        return false;
  return true;
}

/// The registers of a 32-bit word for transposed access: the lowest register bit, the others being accesses.
static TileLayoutVector pairRegisters(const TileLayout *toOffset) {
  TileLayoutVector vector;
  memset(&vector, 0, sizeof vector);
  vector.elementBits = 1;
  vector.element[0] = 1;
  for (int32_t bit = 1; bit < toOffset->bits[TileLayoutDim_Register]; ++bit)
    vector.access[vector.accessBits++] = 1u << bit;
  vector.inOrder = true;
  return vector;
}

static void setBasis(TileLayout *address, TileLayoutDim dim, int32_t bit, const TileLayout *toOffset,
                     int64_t reg, int64_t lane) {
  tileLayoutApply(toOffset, reg, lane, 0, 0, address->bases[dim][bit]);
}

/// Lane l supplies row l % 8 of matrix l / 8; register i of the map is instruction bit i.
static void buildAddresses(const TileLayout *toOffset, TileMatrixAccess *access) {
  TileLayout address = *toOffset;
  const TileLayoutVector *registers = &access->registers;
  memset(address.bases[TileLayoutDim_Register], 0, sizeof address.bases[0]);
  memset(address.bases[TileLayoutDim_Lane], 0, sizeof address.bases[0]);
  for (int32_t bit = 0; bit < 3; ++bit) {
    // Rows are lanes 2..4; transposed, the row's bits are the register of the pair, then lanes 0 and 1.
    bool inRegister = access->transposed && bit == 0;
    int32_t lane = access->transposed ? bit - 1 : bit + 2;
    setBasis(&address, TileLayoutDim_Lane, bit, toOffset, inRegister ? registers->element[0] : 0,
             inRegister ? 0 : 1 << lane);
  }
  for (int32_t bit = 0; bit < access->matrixBits; ++bit)
    setBasis(&address, TileLayoutDim_Lane, 3 + bit, toOffset, registers->access[bit], 0);
  address.bits[TileLayoutDim_Register] = registers->accessBits - access->matrixBits;
  for (int32_t bit = 0; bit < address.bits[TileLayoutDim_Register]; ++bit)
    setBasis(&address, TileLayoutDim_Register, bit, toOffset, registers->access[access->matrixBits + bit], 0);
  access->address = address;
}

bool tileSharedMatrixAccess(const TileLayout *distributed, const TileSharedLayout *shared,
                            int32_t elementBits, bool transposed, int32_t maxMatrices,
                            TileMatrixAccess *out) {
  TileSharedAccess plain;
  if (distributed->bits[TileLayoutDim_Lane] != 5 || elementBits > 32 || (transposed && elementBits != 16) ||
      !tileIsPowerOfTwo(maxMatrices) || maxMatrices > 4 ||
      !tileSharedAccessOf(distributed, shared, elementBits, 32, &plain))
    return false;
  int32_t row = 128 / elementBits, word = 32 / elementBits;
  if (shared->padInterval && (shared->padInterval < row || shared->padAmount % row != 0))
    return false;
  TileMatrixAccess access;
  access.transposed = transposed;
  if (transposed && !distributed->bits[TileLayoutDim_Register])
    return false;
  access.registers = transposed ? pairRegisters(&plain.toOffset) : plain.vector;
  if (!transposed && (1 << plain.vector.elementBits) != word)
    return false;
  uint32_t rowLanes = transposed ? 0x1c : 0x3;
  bool pairStartsRow =
      !transposed || !(offsetBasis(&plain.toOffset, TileLayoutDim_Register, 0) & (uint64_t)(row - 1));
  if (!pairStartsRow || !lanesRunAlongRow(&plain.toOffset, transposed ? 2 : 0, transposed ? 1 : word, row) ||
      !othersStartRows(&plain.toOffset, &access.registers, rowLanes, row))
    return false;
  int32_t most = tileLog2((uint64_t)maxMatrices);
  access.matrixBits = access.registers.accessBits < most ? access.registers.accessBits : most;
  buildAddresses(&plain.toOffset, &access);
  *out = access;
  return true;
}
