/* TileGPUWarpGroup.h - products of warp groups: which are possible, where accumulators and factors lie. */
#ifndef TILE_C_DIALECT_TILEGPUWARPGROUP_H
#define TILE_C_DIALECT_TILEGPUWARPGROUP_H
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Sizes of a product in elements, and its warps: a multiple of four along M.
typedef struct TileWarpGroupShape {
  int64_t m, n, k;
  int32_t warpsM, warpsN;
  int32_t instrN; ///< columns of one instruction, at most 256
} TileWarpGroupShape;

/// Spreads the warps; false if sizes or warps do not admit it.
bool tileWarpGroupShape(int64_t m, int64_t n, int64_t k, int numWarps, TileElementType element,
                        TileWarpGroupShape *out);
/// Completes warps and instrN of given warps.
bool tileWarpGroupWithWarps(int64_t m, int64_t n, int64_t k, int64_t warpsM, int64_t warpsN,
                            TileWarpGroupShape *out);
/// The accumulator's layout.
bool tileWarpGroupLayout(const TileWarpGroupShape *shape, TileLayout *out);
/// The layout of accumulators of a tile_gpu.wgmma as an attribute; null if there is none.
MlirAttribute tileWarpGroupLayoutAttr(MlirOperation wgmma);
/// The layout of a first factor of 16-bit elements in registers.
bool tileWarpGroupRegistersLayout(const TileWarpGroupShape *shape, TileLayout *out);
/// The same as an attribute; null if the op's first factor is in shared memory.
MlirAttribute tileWarpGroupRegistersAttr(MlirOperation wgmma);
/// Sizes and warps of a tile_gpu.wgmma.
bool tileWarpGroupShapeOf(MlirOperation wgmma, TileWarpGroupShape *out);

/// Whether a tile_gpu.wgmma or a wait for one is in an op's regions, or is the op.
bool tileHasWarpGroupProducts(MlirOperation op);
/// The wait of the same block behind which a tile_gpu.wgmma is over: at most as many stay open as were started since. Null if
/// there is none.
MlirOperation tileWarpGroupWaitOf(MlirOperation wgmma);

enum { TileJoin_Most = 4 };
/// The product behind this one that its instructions can do too, where its second factor lies behind this one's: both read one first
/// factor in shared memory, all warps are along M, and nothing but views and copies stands between them. Null: none.
MlirOperation tileWarpGroupJoined(MlirOperation wgmma);
/// The products that one instruction does, at most TileJoin_Most and 256 columns; second factors lie after each other. Returns their
/// number, 1 for a product on its own.
int tileWarpGroupJoin(MlirOperation wgmma, MlirOperation out[TileJoin_Most]);

/// `tile_gpu.turn` of a tile_gpu.wgmma in a kernel whose tile_gpu.producer has `tile_gpu.turns`: a warp group waits for its turn
/// before it, or passes it on behind it.
enum { TileTurn_None, TileTurn_Take, TileTurn_Pass };

/// A factor in shared memory as a product's instructions see it.
typedef struct TileWarpGroupFactor {
  bool kMajor;          ///< K runs along rows
  int32_t swizzleBytes; ///< 128, 64 or 32
} TileWarpGroupFactor;

/// How a buffer [rows, columns] is a factor whose K is dimension `kDim`. False: its layout is no such one.
bool tileWarpGroupFactorOf(const TileMemDesc *desc, int kDim, TileWarpGroupFactor *out);
/// The buffer's type for a factor of this shape, rows along dimension `fastest`. Null: rows are too short.
MlirType tileWarpGroupBufferType(MlirType element, const int64_t shape[2], int fastest);

/// Whether a product of so many rows and columns takes fewer instructions transposed: an instruction has 64 rows and any multiple of 8
/// columns, of which at most three powers of two from 8 on are put together.
bool tileWarpGroupSuitsTransposed(int64_t rows, int64_t columns);

#ifdef __cplusplus
}
#endif
#endif
