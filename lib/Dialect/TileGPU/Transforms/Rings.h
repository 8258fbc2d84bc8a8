/* Rings.h - private to SpecializeRings.c and its parts: rings of buffers that one producer fills for a whole kernel. */
#ifndef TILE_LIB_TILEGPU_RINGS_H
#define TILE_LIB_TILEGPU_RINGS_H
#include "TmaCopies.h"
#include "tile-c/Support/PointerList.h"

enum { TileRing_Max = 8, TileRing_GroupWarps = 4 };

/// The buffers for blocks of one tensor map and type, and of one `tile_gpu.ring`.
typedef struct TileRing {
  MlirAttribute map;
  int64_t number; ///< tile_gpu.ring: blocks that are there at the same time differ in it
  MlirType type;  ///< of a buffer
  int64_t bytes;  ///< of a buffer
  int numBuffers;
  bool isInner;    ///< some copies stand in a loop that asks for a producer
  bool isRepeated; ///< some stand in a loop
  bool isBeside;   ///< they meet sums (tile-gpu-load-blocks): one buffer will do if there is no room for more
  int leader; ///< the ring whose copies stand in front of this one's and whose barriers it takes; -1: none
  MlirValue buffers, full, freed;
} TileRing;

/// Number and parity of each ring's next buffer.
typedef struct TileRingState {
  MlirValue at[TileRing_Max][2];
} TileRingState;

typedef struct TileRings {
  TileTmaCopies c;
  TileArena *arena;
  MlirOperation function;
  TileRing rings[TileRing_Max];
  int count;
  MlirOperation
      front; ///< the branch of two versions that the producer stands in front of; null: it stands at the start
  TilePointerList allocs;
  TilePointerList from, to; ///< values of the producer
} TileRings;

// FindRings.c
/// Fills in `allocs` and the rings with their numbers of buffers; false if a producer cannot do it, or if they do not fit.
bool tileFindRings(TileRings *r);
bool tileRingsHaveCopies(MlirOperation op);
/// The ring of a tile_gpu.tma_alloc; -1 if there is none.
int tileRingOf(const TileRings *r, MlirOperation op);
/// Which rings an op's regions use, in order; their number.
int tileRingsIn(const TileRings *r, MlirOperation op, int out[TileRing_Max]);
/// The bytes that a phase of a ring's barriers expects: its own buffer's, and those of the rings that it leads.
int64_t tileRingPhaseBytes(const TileRings *r, int ring);
/// Ends of the reads of a buffer and of its views: products' waits and reads into registers; false if something else reads it.
bool tileRingEnds(MlirValue buffer, TilePointerList *ends);
/// The last op of the block that is an end or has one; null without any.
MlirOperation tileRingLastEnd(MlirBlock block, const TilePointerList *ends);

// RingState.c: loops and branches with more values
/// All rings at their first buffers.
TileRingState tileRingStateStart(TileRings *r, int64_t parity);
/// The values of `n` rings, 2 each; their number.
intptr_t tileRingStateAppend(const TileRingState *state, const int *rings, int n, MlirValue *out);
/// From the last values of an op, or of a loop's body.
void tileRingStateFromResults(TileRingState *state, const int *rings, int n, MlirOperation op);
void tileRingStateFromArguments(TileRingState *state, const int *rings, int n, MlirBlock body);
/// To the ring's next buffer.
void tileRingAdvance(TileRings *r, const TileRing *ring, MlirValue at[2]);

// ProduceRings.c
/// Buffers, barriers and the producer, at the start of the function or in front of the branch of two versions.
void tileRingsProduce(TileRings *r, MlirBlock entry);

#endif
