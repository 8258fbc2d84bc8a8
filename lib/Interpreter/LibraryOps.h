/* LibraryOps.h - library functions that are no float function of floats: tests, roundings to integers, bit
 * operations; private to lib/Interpreter. */
#ifndef TILE_LIB_INTERPRETER_LIBRARYOPS_H
#define TILE_LIB_INTERPRETER_LIBRARYOPS_H
#include "Program.h"

typedef union Scalar {
  double f;
  int64_t i;
} Scalar;

typedef struct LibraryOp {
  const char *name;      ///< in libdevice, without its prefix
  const char *signature; ///< result, then operands: 'f' a float, 'i' an integer of any width
  /// `bits`: of the first operand if it is an integer, else of the result. The result is wrapped or rounded
  /// to its type.
  Scalar (*function)(const Scalar *x, unsigned bits);
} LibraryOp;

/// The op called so (`length` characters), or NULL.
const LibraryOp *interpLibraryOpNamed(const char *name, size_t length);
/// True if the instruction's slots fit the signature.
bool interpLibraryOpFits(const LibraryOp *op, const Instruction *i);
/// Instruction with `data` = its LibraryOp.
bool interpRunLibraryOp(Machine *m, const Instruction *i);

#endif
