/* Try.h - compiles examples where a failure, a crash or an endless loop of LLVM does no harm. */
#ifndef TILE_TEST_LEGALITY_TRY_H
#define TILE_TEST_LEGALITY_TRY_H
#include "Rows.h"

typedef struct TryOptions {
  MlirContext context;
  const char *ptxas; ///< null: PTX is not assembled
  bool verbose;      ///< says why an example failed
} TryOptions;

/// Compiles the examples of all rows that are planned for the chip with this index, and sets the rows' bits.
void tryChip(Rows *rows, size_t chip, const TryOptions *options);

#endif
