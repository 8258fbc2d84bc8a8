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

/// The registers of a 32-bit word for transposed access, the others being accesses: the lowest bit that does not lead to
/// the neighbour leads to the next row; of bytes, the neighbour comes first. False if there are no such registers.
static bool pairRegisters(const TileLayout *toOffset, int32_t elementBits, TileLayoutVector *out) {
  int32_t n = toOffset->bits[TileLayoutDim_Register], neighbour = -1;
  memset(out, 0, sizeof *out);
  for (int32_t bit = 0; elementBits == 8 && bit < n; ++bit)
    if (movesTo(toOffset, TileLayoutDim_Register, bit, 1))
      neighbour = bit;
  int32_t row = neighbour == 0 ? 1 : 0;
  if (row >= n || (elementBits == 8 && neighbour < 0))
    return false;
  if (neighbour >= 0)
    out->element[out->elementBits++] = 1u << neighbour;
  out->element[out->elementBits++] = 1u << row;
  for (int32_t bit = 0; bit < n; ++bit)
    if (bit != row && bit != neighbour)
      out->access[out->accessBits++] = 1u << bit;
  out->inOrder = neighbour <= 0;
  return true;
}

/// Whether the last register bit of a transposed word leads to the start of a row.
static bool nextStartsRow(const TileLayout *toOffset, const TileLayoutVector *registers, int32_t row) {
  int32_t at[TileLayout_MaxRank];
  tileLayoutApply(toOffset, registers->element[registers->elementBits - 1], 0, 0, 0, at);
  return !(at[TileLayoutDim_Offset] & (row - 1));
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
    setBasis(&address, TileLayoutDim_Lane, bit, toOffset,
             inRegister ? registers->element[registers->elementBits - 1] : 0, inRegister ? 0 : 1 << lane);
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
  if (distributed->bits[TileLayoutDim_Lane] != 5 || elementBits > 32 ||
      (transposed && elementBits != 16 && elementBits != 8) || !tileIsPowerOfTwo(maxMatrices) ||
      maxMatrices > 4 || !tileSharedAccessOf(distributed, shared, elementBits, 32, &plain))
    return false;
  int32_t row = 128 / elementBits, word = 32 / elementBits;
  if (shared->padInterval && (shared->padInterval < row || shared->padAmount % row != 0))
    return false;
  TileMatrixAccess access;
  access.transposed = transposed;
  access.registers = plain.vector;
  if (transposed ? !pairRegisters(&plain.toOffset, elementBits, &access.registers)
                 : (1 << plain.vector.elementBits) != word)
    return false;
  uint32_t rowLanes = transposed ? 0x1c : 0x3;
  int32_t first = transposed ? 16 / elementBits : word; // elements of a row that a lane holds
  if ((transposed && !nextStartsRow(&plain.toOffset, &access.registers, row)) ||
      !lanesRunAlongRow(&plain.toOffset, transposed ? 2 : 0, first, row) ||
      !othersStartRows(&plain.toOffset, &access.registers, rowLanes, row))
    return false;
  int32_t most = tileLog2((uint64_t)maxMatrices);
  access.matrixBits = access.registers.accessBits < most ? access.registers.accessBits : most;
  buildAddresses(&plain.toOffset, &access);
  *out = access;
  return true;
}
