/* FormPairs.h - a version for matrices of 16-bit elements whose rows are whole words but not whole 16 bytes. */
#ifndef TILE_LIB_TILEGPU_FORMPAIRS_H
#define TILE_LIB_TILEGPU_FORMPAIRS_H
#include "Boxes.h"

enum { TilePairs_Most = 8 };

/// Parameters that have to be even for pairs of neighbours to be words of memory and of masks.
typedef struct TilePairs {
  MlirValue even[TilePairs_Most];
  int count;
  bool refuses; ///< a box can never be so
} TilePairs;

/// Adds what the box asks for.
void tilePairsAdd(TilePairs *p, const TileBox *box);
/// Two versions of a block: out_arms[0] for parameters that are even, out_arms[1] for others.
void tilePairsSplit(const TilePairs *p, TileBuilder b, MlirLocation loc, MlirBlock block,
                    MlirBlock out_arms[2]);
/// Lets the operations of the first one know what is even.
void tilePairsAssume(const TilePairs *p, TileBuilder b, MlirLocation loc, MlirBlock arm);

#endif
