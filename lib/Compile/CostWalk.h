/* CostWalk.h - private to lib/Compile: what one program of a kernel does, found by walking over its ops with the
 * parameters that are known. */
#ifndef TILE_LIB_COMPILE_COSTWALK_H
#define TILE_LIB_COMPILE_COSTWALK_H
#include "Cost.h"
#include "tile-c/Support/PointerMap.h"

/// Cycles of one program on one multiprocessor.
typedef struct TileWork {
  double time;   ///< from start to end
  double start;  ///< of it, what a block takes more for which nothing has been copied ahead
  double matrix; ///< of it, the matrix unit's
  double engine; ///< of it, the copy engine's, where rows start at any element
  double bytes;  ///< that it reads and writes
} TileWork;

/// Of a block that is loaded or stored through pointers.
typedef struct TileCostRows {
  int64_t length;  ///< bytes from row to row of the matrix
  int64_t columns; ///< bytes of a row of the block, which lie together
} TileCostRows;

/// How a block comes whose rows start at any element (tile-gpu-load-apart).
typedef struct TileCostApart {
  double longer; ///< what is copied over what the block has; 1: rows start at multiples of 16 bytes
  double boxes;  ///< of a block; 0 then
  double pieces; ///< of rows, of a box each
} TileCostApart;

/// What a program needs all the time.
typedef struct TileNeeds {
  double sharedBytes, registers; ///< of a block; of a thread, for sums
  int split;                     ///< blocks that share a program's loop
  int blocks, columnBlocks;      ///< blocks that share out the rows of a program's products, and its columns
  double sumBytes;               ///< of what a loop with products carries
  int storedParts;               ///< of a stored block's columns, that the cluster's blocks have
  bool specialized, impossible;
} TileNeeds;

typedef struct TileCostWalk {
  const TileCostInput *in;
  TileArena *arena;
  TilePointerMap numbers; ///< value -> int64_t * of what is known
  double rate;            ///< bytes a cycle that one multiprocessor gets from the cache
  double active;          ///< part of the multiprocessors that work
  double cluster;         ///< blocks of a program
  TileNeeds needs;
  bool isShared; ///< the loop at hand has tile.split
  int64_t
      shape[2]; ///< of products that `needs.blocks` and `needs.columnBlocks` share out, as they are computed
  MlirValue factors
      [2]; ///< of those: what rows and what columns come from, each loaded by all blocks that need it together
  int depth;
} TileCostWalk;

TileWork tileCostWalkBlock(TileCostWalk *w, MlirBlock block);
/// The number that a scalar is, as far as it is known.
bool tileCostNumber(TileCostWalk *w, MlirValue v, int64_t *out_value);
/// What an op of scalars gives for these operands; false: it is none of those that are known.
bool tileCostCompute(MlirOperation op, const int64_t operands[3], int64_t *out);
/// How many of the programs that run at a time load the block that the first one loads, as far as can be seen (CostSharing.c).
double tileCostSharers(TileCostWalk *w, MlirOperation load);
void tileCostSetNumber(TileCostWalk *w, MlirValue v, int64_t value);

/// How the rows of a block of two dimensions lie that is loaded or stored through pointers; false if that is not known (CostElements.c).
bool tileCostRowsOf(TileCostWalk *w, MlirOperation access, TileCostRows *out);
/// Whether such rows do not start at multiples of 16 bytes.
bool tileCostIsApart(TileCostWalk *w, MlirOperation access);

/// Looks for a loop that a cluster shares in the block or in a loop of it (CostBlocks.c).
void tileCostFindBlocks(TileCostWalk *w, MlirBlock block);
/// The part of a load's rows that do not start at the cache's lines.
double tileCostAcross(TileCostWalk *w, MlirOperation load);
/// How a load's block comes; all of a block of ops come so if one of them has such rows.
TileCostApart tileCostApart(TileCostWalk *w, MlirOperation load);
/// The part of a load's block that lies in the tensor, as far as its sizes are declared.
double tileCostValid(TileCostWalk *w, MlirOperation load);
/// The part of a tensor that one block of the cluster has: 1 of what they have alike.
double tileCostPart(const TileCostWalk *w, MlirType type);
/// The same of a factor of the products that are shared out; *out_sharers: blocks that have the same part. 0: it is none.
double tileCostFactorPart(const TileCostWalk *w, MlirValue v, int *out_sharers);

// CostProducts.c
/// Whether warp groups compute a product transposed: its rows are no whole groups', its columns are.
bool tileCostIsTransposed(const TileCostWalk *w, MlirOperation dot);
/// What a factor is the transpose of, or the factor.
MlirValue tileCostSourceOf(MlirValue factor);
/// Cycles of the matrix unit (or of the arithmetic units, on chips or shapes without one) for a tile.dot.
double tileCostOfProduct(const TileCostWalk *w, MlirOperation dot);

#endif
