/* FloatOps.h - the float functions of one to four operands, by op and by library name; private to
 * lib/Interpreter. */
#ifndef TILE_LIB_INTERPRETER_FLOATOPS_H
#define TILE_LIB_INTERPRETER_FLOATOPS_H
#include "Program.h"
#include "tile-c/OpKind.h"

/// r[i] = f(a[i], b[i], c[i]) for values of `type`; the caller rounds r to `type`.
typedef void (*FloatLoop)(TileElementType type, double *r, const double *a, const double *b, const double *c,
                          int64_t count);

/// One of `unary`, `binary`, `many` and `loop` is set.
typedef struct FloatOp {
  TileOpKind kind;  ///< TileOp_None: a library function only
  const char *name; ///< in libdevice and OCML, without prefix and type suffix; NULL: an op only
  int arity;
  double (*unary)(double);
  double (*binary)(double, double);
  FloatLoop loop;
  double (*many)(const double *); ///< of `arity` operands
} FloatOp;

const FloatOp *interpFloatOpOf(TileOpKind kind);
/// `length` characters of `name`.
const FloatOp *interpFloatOpNamed(const char *name, size_t length);
/// Instruction with `data` = its FloatOp; operands and the result have one float type.
bool interpRunFloat(Machine *m, const Instruction *i);

#endif
