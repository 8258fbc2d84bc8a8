/* InterleaveWrite.h - the new order of a block's ops, written from its start to its end. */
#ifndef TILE_LIB_CONVERSION_INTERLEAVEWRITE_H
#define TILE_LIB_CONVERSION_INTERLEAVEWRITE_H
#include "InterleaveProducts.h"

typedef struct TileInterleaveWriter {
  TileInterleave *x;
  TileBuilder b;
  MlirOperation end;   ///< what stands behind
  int written;         ///< products
  TileBlockOp **heavy; ///< vector instructions that factors need, in the order of the products
  int numHeavy, nextHeavy;
} TileInterleaveWriter;

/// Accesses of a part: of shared memory in the order in which they shall start (reads by their first use, unless there are writes), of
/// global memory as they stand.
typedef struct TileBlockAccesses {
  TileBlockOp **shared, **global;
  int numShared, numGlobal;
} TileBlockAccesses;

void tileInterleaveAccesses(TileInterleave *x, int part, TileBlockAccesses *out);

/// Ops that become no instruction, or one for scalars.
bool tileInterleaveIsLight(TileOpKind kind);
void tileInterleaveStart(TileInterleaveWriter *w, TileInterleave *x);
/// The op and, before it, what it needs.
void tileInterleaveWrite(TileInterleaveWriter *w, TileBlockOp *o);
void tileInterleaveWriteBarrier(TileInterleaveWriter *w, int part);
/// Behind each product its share of the vector instructions that later ones need: they cost nothing beside it.
void tileInterleaveWriteHeavy(TileInterleaveWriter *w);
/// What is left, in the old order.
void tileInterleaveFinish(TileInterleaveWriter *w);

/// Numbers the products of each part anew, those first that need the fewest reads beside what has been read (InterleaveOrder.c).
/// `soon`: reads in an order that lets many products follow; else as few at a time as can be.
void tileInterleaveOrderByReads(TileInterleave *x, bool soon);
/// Writes a block whose products need reads of its own, each as late as registers ask for.
void tileInterleaveNear(TileInterleave *x);
/// Whether all fragments of what was read would not fit the registers beside what is alive.
bool tileInterleaveIsShort(const TileInterleave *x);

#endif
