/* Interpreter.h - the `cpu` device: executes a kernel of target-free `tile` IR on host arrays; the meaning of
 * the ops.
 *
 * The module holds tile, arith, math, scf, cf, func and ub operations, as the target-free passes leave them
 * (or as written: the passes change speed and the forming of fma, nothing else). Programs of the grid run one
 * after another in the order x fastest, then y, then z, but for those that wait for others
 * (docs/interpreter.md), so a result never depends on timing; numbers follow
 * docs/spec/numerics.md, op by op orders are in docs/interpreter.md.
 *
 * Pointers are host addresses. Each access is checked: against the buffer of the argument that the pointer
 * was computed from where this is known, against all of them otherwise (a pointer loaded from memory or made
 * from an integer). Undefined values (ub.poison, masked elements without `other`) are zeros. */
#ifndef TILE_C_INTERPRETER_H
#define TILE_C_INTERPRETER_H
#include "mlir-c/IR.h"
#include "tile-c/Compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Zero-initialised means the defaults.
typedef struct TileInterpretOptions {
  int64_t maxSteps;      ///< operations that one program may execute; 0: no limit
  size_t maxTensorBytes; ///< memory for the tensors of one program; 0: 8 GiB
  /// Receives what tile.print writes, one call a line without its newline; NULL: lines go to stdout.
  void (*print)(const char *line, void *user);
  void *printUser;
} TileInterpretOptions;

/// Executes `kernel` (NULL: the only function with the attribute tile.kernel) for every program of `grid`.
/// Arguments are the parameters in order; a descriptor parameter takes 1 + 2 * rank of them: the base (a
/// buffer), the sizes (i32) and the strides in elements (i64). Buffers are written in place. `options` may be
/// NULL. Failure: a diagnostic was given at the op at fault; the programs before have taken effect.
MlirLogicalResult tileInterpretKernel(MlirModule module, const char *kernel, const uint32_t grid[3],
                                      const TileArgument *arguments, size_t numArguments,
                                      const TileInterpretOptions *options);

#ifdef __cplusplus
}
#endif
#endif
