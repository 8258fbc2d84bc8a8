/* TmaCopies.h - rings of buffers that the copy engine fills: what tile-gpu-pipeline-tma and
 * tile-gpu-warp-specialize have in common. */
#ifndef TILE_LIB_TILEGPU_TMACOPIES_H
#define TILE_LIB_TILEGPU_TMACOPIES_H
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Layout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"

enum { TileTma_MaxCopies = 8, TileTma_MaxBuffers = 16 };

/// The copies of one iteration of a loop, and their ring.
typedef struct TileTmaCopies {
  TileBuilder b;
  MlirContext context;
  MlirLocation loc;
  const TileModuleTarget *target;
  int count;
  TileGPUTmaAllocOp ops[TileTma_MaxCopies];
  MlirValue buffers[TileTma_MaxCopies];
  int first[TileTma_MaxCopies]; ///< of an array of smaller buffers in each of them; -1: they are whole
  MlirValue barriers;           ///< full
  int64_t bytes;                ///< of one iteration
  int numBuffers;
  int blocks; ///< of a cluster that share copies with tile_gpu.multicast; 0 or 1: none
  int apart; ///< how far the ranks of those are apart that share some copies, while those in between share others; 0: all share all
  int behind; ///< buffers between a copy and the product that last read its own
} TileTmaCopies;

MlirType tileTmaI32(const TileTmaCopies *c);
MlirValue tileTmaConstant(TileTmaCopies *c, MlirType type, int64_t value);
MlirValue tileTmaIndex(TileTmaCopies *c, int64_t value); ///< i32
/// An arith op of two operands, by kind.
MlirValue tileTmaBinary(TileTmaCopies *c, TileOpKind kind, MlirValue a, MlirValue b);
void tileTmaBarrier(TileTmaCopies *c); ///< of shared memory
/// The same, of all blocks that share copies.
void tileTmaClusterBarrier(TileTmaCopies *c);

/// Whether a value is there in front of an op of the kernel's block: it stands there itself, or is a parameter. `front` may be null.
bool tileTmaIsInFront(MlirOperation front, MlirValue v);

/// Bytes of one buffer of this type.
int64_t tileTmaBytes(MlirType buffer);
/// Rings for all copies; one for second factors that one instruction reads (tileWarpGroupJoin).
void tileTmaMakeBuffers(TileTmaCopies *c);
/// How many products one instruction does, of the first copies for which it does several; 0: there are none.
int tileTmaJoined(const TileTmaCopies *c);
/// Barriers, one a buffer, that expect `arrivals` arrivals; not yet known to others.
MlirValue tileTmaMakeBarriersFor(TileTmaCopies *c, int number, int64_t arrivals);
MlirValue tileTmaMakeBarriers(TileTmaCopies *c, int64_t arrivals);
/// Frees a buffer, in all blocks that share copies with this one.
MlirOperation tileTmaArrive(TileTmaCopies *c, MlirValue barrier);
/// How many those are, this one among them.
int tileTmaSharers(const TileTmaCopies *c);
MlirValue tileTmaView(TileTmaCopies *c, MlirValue buffers, MlirType one, MlirValue index, int rotate);
/// The buffer of a copy.
MlirValue tileTmaBufferOf(TileTmaCopies *c, int copy, MlirValue index, int rotate);
MlirValue tileTmaBarrierOf(TileTmaCopies *c, MlirValue barriers, MlirValue index, int rotate);
/// The buffers that a loop asks for: two at least. Barriers of its own for each copy of a loop that is to wait for each block cost more than
/// its product.
int tileTmaStages(MlirOperation loop, const TileModuleTarget *target);
/// Starts a copy: coordinates outermost first.
void tileTmaStart(TileTmaCopies *c, int copy, const MlirValue *coordinates, MlirValue index, int rotate,
                  MlirValue barrier, MlirValue predicate);

/// The loop with more carried variables, all i32, that start with these; its body moves over.
SCFForOp tileTmaWidenLoopBy(TileTmaCopies *c, SCFForOp loop, intptr_t more, const MlirValue *inits,
                            TileArena *arena);
/// With two.
SCFForOp tileTmaWidenLoop(TileTmaCopies *c, SCFForOp loop, const MlirValue inits[2], TileArena *arena);
/// The number of the next buffer, and the parity that belongs to it.
void tileTmaAdvance(TileTmaCopies *c, MlirValue index, MlirValue parity, MlirValue out[2]);
/// Adds two values to what the loop's body passes on.
void tileTmaYield(TileTmaCopies *c, SCFForOp loop, const MlirValue values[2], TileArena *arena);

#endif
