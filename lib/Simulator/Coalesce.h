/* Coalesce.h - how many pieces of memory a warp's access touches, and how often it occupies the banks of
 * shared memory. Pure functions. */
#ifndef TILE_LIB_SIMULATOR_COALESCE_H
#define TILE_LIB_SIMULATOR_COALESCE_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Different aligned pieces of `pieceBytes` (a power of two) that the lanes of the mask touch with `bytes`
/// each from their addresses. On NVIDIA a piece is a sector of 32 bytes: what l1tex counts for one request.
unsigned simCountPieces(const uint64_t *addresses, uint64_t mask, unsigned bytes, unsigned pieceBytes);

/// Passes through the banks: `passes` that the access takes, `conflicts` beyond what as many bytes side by side take.
typedef struct SimBankPasses {
  unsigned passes, conflicts;
} SimBankPasses;

/// How a wide access of shared memory is cut into groups of lanes that go through the banks together.
typedef enum SimBankRule {
  SimBankRule_Nvidia, ///< ld, st: halves or quarters of a warp; see Coalesce.c
  SimBankRule_Rows,   ///< ldmatrix, stmatrix: eight rows
  SimBankRule_Amd     ///< a model: consecutive lanes that ask for one row of banks
} SimBankRule;

/// `banks` of 4 bytes each; lanes of a group that want the same word share it.
SimBankPasses simCountBankPasses(SimBankRule rule, const uint64_t *offsets, uint64_t mask, unsigned lanes,
                                 unsigned bytes, unsigned banks);

#ifdef __cplusplus
}
#endif
#endif
