/* InterleaveProducts.h - one block of a loop as tile-interleave-products sees it: its ops by kind, the parts that it
 * consists of, and where each op goes.
 *
 * A part is a run of memory accesses, perhaps behind a barrier, and the products that follow it. */
#ifndef TILE_LIB_CONVERSION_INTERLEAVEPRODUCTS_H
#define TILE_LIB_CONVERSION_INTERLEAVEPRODUCTS_H
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerMap.h"

typedef enum TileBlockOpKind {
  TileBlockOp_Pure,
  TileBlockOp_Matrix,
  TileBlockOp_SharedRead,
  TileBlockOp_SharedWrite,
  TileBlockOp_Global, ///< a load
  TileBlockOp_Barrier,
  TileBlockOp_Other ///< whose place must not change
} TileBlockOpKind;

typedef struct TileBlockOp {
  MlirOperation op;
  TileBlockOpKind kind;
  int part;
  int needs;    ///< the last part that it needs a read of; -1: none of this iteration's
  int firstUse; ///< of a read: number of the first product that takes it, in this iteration or the next
  int freed; ///< of a read: number of the last product that takes what it brings anew, in the registers where that shall stand; -1: none
  bool collected, done;
  int at; ///< products written before it was
} TileBlockOp;

enum { TileInterleave_MaxParts = 32, TileInterleave_MostMoves = 40 /* ops between a read and its product */ };

typedef struct TileInterleave {
  TileArena *arena;
  MlirBlock block;
  MlirOperation from,
      to;               ///< the ops of the block that are read and written: `to` is the first one behind them
  bool isSegment;       ///< there are others in the block
  TilePointerMap index; ///< op -> number + 1
  TileBlockOp *ops;
  int numOps, numParts;
  bool hasBarrier;
  int *products, numProducts;       ///< numbers of the matrix instructions, in order
  int end[TileInterleave_MaxParts]; ///< products that are over when a part is
} TileInterleave;

/// What an op is to the pass, whatever its block.
TileBlockOpKind tileBlockOpKind(MlirOperation op);
/// The block's op that makes the value; NULL if it comes from elsewhere.
TileBlockOp *tileBlockOpOf(const TileInterleave *x, MlirValue v);
/// The number of the last product that a value leads to in the block, through what only moves or widens elements; -1 if there is none.
int tileInterleaveLastUse(const TileInterleave *x, MlirValue v);
/// Reads the block. False if it has nothing to interleave, or something whose place must not change.
bool tileInterleaveRead(TileInterleave *x, MlirBlock block);
/// Reads the part of the block from `from` up to the first op whose place must not change, `x->to`. False if it has nothing to interleave.
bool tileInterleaveReadSegment(TileInterleave *x, MlirOperation from);
/// Finds the first use of each read again, after products have got other numbers.
void tileInterleaveFindUses(TileInterleave *x);
/// How many products stand in a part.
int tileInterleaveProductsIn(const TileInterleave *x, int part);
/// Which products each part gets. False if one would wait for reads of its own part: the loop does not read ahead.
bool tileInterleavePlan(TileInterleave *x);

#endif
