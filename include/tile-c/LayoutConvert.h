/* LayoutConvert.h - how to carry out a conversion: lane shuffles within a warp, or shared memory.
 *
 * tileLayoutConversion (Layout.h) says what kind of conversion is needed; here are the plans for the kinds
 * that cost instructions, with the counts by which to choose between them.
 *
 * SHUFFLES. The conversion is a linear map C from (register, lane) of the destination to (register, lane) of
 * the source. A shuffle moves one value per lane: every lane offers one register and names the lane it reads.
 * When C sends two lanes to the same source lane for different registers, one shuffle does not serve both.
 * The cure is to let lane-dependent choices of registers come before and after the shuffles:
 *
 *     C = collect . shuffle . supply      supply:  which register a lane offers in a round (select before)
 *                                         shuffle: from which lane it is read
 *                                         collect: which round a register takes its value from (select after)
 *
 * Worked: transposing register bit 0 with lane bit 0. Destination (r, l) wants source (register l, lane r).
 * In round d lane l reads lane l ^ d, which offers its register lane ^ d; register r takes round r ^ l. Round
 * 0 reads its own lane, no shuffle: two registers cost one shuffle and four selects.
 *
 * SHARED MEMORY. Among all bijective linear maps from offsets to elements we look for one where both sides
 * access long vectors and no two lanes of a phase meet in a bank with different words. Offset bits are, from
 * the lowest: those of a vector, those that choose the bank, and the rest, S. Two lanes meet in a bank with
 * different words exactly if their difference lies in the span of vector and S, but not of the vector's word
 * alone. So S has to miss the span T of a phase (its lanes and one vector), for the writing side, T_w, and
 * for the reading side, T_r. Both have at most as many dimensions as vector and bank bits together, and two
 * subspaces of equal dimension always have a common complement: vectors outside T_w + T_r, and sums a + b of
 * vectors of T_w only and T_r only. Hence such an S always exists and scratch conversions are free of
 * conflicts; what differs is the vector width, and that is searched. */
#ifndef TILE_C_LAYOUTCONVERT_H
#define TILE_C_LAYOUTCONVERT_H
#include "tile-c/LayoutShared.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Shuffles ----

/// In threads where an odd number of the masked index bits is set, values x and x ^ flip are exchanged.
typedef struct TileSelectStage {
  uint32_t laneMask, warpMask, blockMask;
  uint32_t flip;
} TileSelectStage;

/// dst register r of lane l: after the stages `before` on the source registers, round d is read from lane
/// fetch(d, l) where it is register supply(d); after the stages `after` on the rounds, register r is round
/// collect(r). All are XOR-linear: supply and collect list the contribution of each index bit.
struct TileShufflePlan {
  int32_t numBefore, numAfter;
  TileSelectStage before[TileLayout_MaxBits], after[TileLayout_MaxBits];
  int32_t sourceBits;                   ///< log2 of the source's registers
  int32_t roundBits;                    ///< log2 of the number of rounds
  uint32_t supply[TileLayout_MaxBits];  ///< source register, by bit of the round
  int32_t registerBits;                 ///< log2 of the destination's registers
  uint32_t collect[TileLayout_MaxBits]; ///< round, by bit of the destination register
  TileLayout fetch;                     ///< (register = round, lane, warp, block) -> lane; rank 1
  bool isXor;                           ///< fetch is lane ^ f(round, warp, block): a butterfly shuffle
  uint32_t sameLane; ///< bits of the round that do not change the lane: such values can be packed
  int32_t shuffles;  ///< rounds that read another lane
  int32_t selects;   ///< upper bound: values times stages
};
typedef struct TileShufflePlan TileShufflePlan;

/// Plans src -> dst by shuffles. False unless the conversion's kind is at most TileConversion_Lane.
bool tileLayoutPlanShuffles(const TileLayout *src, const TileLayout *dst, TileShufflePlan *out);
/// Source register of a round, and round of a destination register.
uint32_t tileShuffleSupply(const TileShufflePlan *plan, uint32_t round);
uint32_t tileShuffleCollect(const TileShufflePlan *plan, uint32_t dstRegister);

/// Narrow values in words of 32 bits: rounds that read the same lane travel together. Value e of source word w
/// is register word(w) ^ element(e), each the XOR of the entries of its set bits; a word of rounds alike. The
/// stages exchange whole words, and value e of a word of rounds is supplied by value e of one source word.
typedef struct TileShufflePacking {
  int32_t bits; ///< log2 of the values of a word; 0: each value travels alone
  int32_t sourceWordBits, roundWordBits;
  uint32_t sourceElement[2], sourceWord[TileLayout_MaxBits];
  uint32_t roundElement[2], roundWord[TileLayout_MaxBits];
} TileShufflePacking;

/// The packing with the most values, at most 32 / elementBits, in a word.
void tileShufflePack(const TileShufflePlan *plan, int32_t elementBits, TileShufflePacking *out);
/// Instructions and passes of a warp for shuffles, selects and packing: comparable with TileScratchPlan.cost.
int64_t tileShuffleCost(const TileShufflePlan *plan, int32_t elementBits);

// ---- Shared memory ----

typedef struct TileScratchOptions {
  int32_t elementBits;     ///< 8, 16, 32 or 64
  int32_t maxVectorBits;   ///< widest access of a thread: 32, 64 or 128
  int32_t banks;           ///< 32 or 64, 4 bytes each
  int64_t maxBytes;        ///< scratch at hand in each block; 0: no limit
  bool ldMatrix, stMatrix; ///< the chip has these instructions
} TileScratchOptions;

typedef enum TileScratchAccess {
  TileScratchAccess_Vector,          ///< tileSharedAccessOf
  TileScratchAccess_Matrix,          ///< tileSharedMatrixAccess, not transposed
  TileScratchAccess_MatrixTransposed ///< tileSharedMatrixAccess, transposed
} TileScratchAccess;

/// A conversion through shared memory in 2^roundBits rounds, each: store, barrier, load (and a barrier before
/// the next store). The top roundBits of an offset are the round in which the element travels, the rest is
/// its place in the scratch. On either side, a bit of the round depends on the register alone, or on the warp
/// alone: then a warp sits out the rounds that differ from its own. Only scratch that is short needs that.
typedef struct TileScratchPlan {
  TileSharedLayout shared;
  int32_t roundBits;
  uint32_t storeByWarp, loadByWarp; ///< bits of the round that depend on the storing / loading warp
  int64_t bytes;                    ///< of one round, in each block
  TileScratchAccess store, load;
  int32_t storeVectorBits, loadVectorBits;           ///< widest vectors to use: wider ones would conflict
  TileSharedConflicts storeConflicts, loadConflicts; ///< of all rounds together
  int64_t cost;                                      ///< instructions plus bank passes of a warp, both sides
} TileScratchPlan;

/// The cheapest plan that fits into maxBytes, with as few rounds as fit. `src` and `dst` have no repeated
/// registers (tileLayoutDropRedundantRegisters). False if src lacks an element, the options are out of range,
/// or even the smallest rounds do not fit; then out->bytes is the least that would do (0 in the other cases).
bool tileLayoutPlanScratch(const TileLayout *src, const TileLayout *dst, const TileScratchOptions *options,
                           TileScratchPlan *out);

#ifdef __cplusplus
}
#endif
#endif
