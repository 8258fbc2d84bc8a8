/* Operations.h - which operations of the source compile for which chip, through the whole compiler. */
#ifndef TILE_TEST_LEGALITY_OPERATIONS_H
#define TILE_TEST_LEGALITY_OPERATIONS_H
#include "Rows.h"

enum { MAX_CHIPS = 32 };

/// What became of one example.
typedef struct OperationResult {
  uint32_t compiled, refused;   ///< bits of the chips; neither: not tried, or broken
  const char *words[MAX_CHIPS]; ///< of the refusal, without its position; null: none
} OperationResult;

typedef struct OperationOptions {
  bool binary;       ///< to PTX or a code object; else to LLVM IR of legal operations
  const char *ptxas; ///< null: PTX is not assembled
} OperationOptions;

/// Compiles every example for the chip with this index. False after a message if one is neither compiled nor refused with
/// a diagnostic at its place.
bool operationsTry(Rows *rows, OperationResult *results, size_t chip, const OperationOptions *options);

/// The page for readers.
bool operationsWriteDoc(const Rows *rows, const OperationResult *results, const char *path, bool check);

#endif
