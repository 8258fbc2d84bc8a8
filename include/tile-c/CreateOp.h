/* CreateOp.h - ops by kind: for code that creates one of several kinds from the same operands.
 *
 * An op whose kind is fixed has a function of its own (tileFooOpCreate, from its .td file). All of these create at the
 * builder's insertion point and return the op's one result; the block owns the op. */
#ifndef TILE_C_CREATEOP_H
#define TILE_C_CREATEOP_H
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An op with these operands and this result, without attributes.
MlirValue tileCreateOp(TileBuilder b, MlirLocation loc, TileOpKind kind, MlirType result, intptr_t n,
                       const MlirValue *operands);
/// Of two operands, the result of x's type.
MlirValue tileCreateOp2(TileBuilder b, MlirLocation loc, TileOpKind kind, MlirValue x, MlirValue y);
/// arith.select: x where `condition` (of i1, one or as many as x has elements) is true, else y.
MlirValue tileCreateSelect(TileBuilder b, MlirLocation loc, MlirValue condition, MlirValue x, MlirValue y);
/// arith.constant of an integer type or index; `n` is cut to its width.
MlirValue tileCreateInteger(TileBuilder b, MlirLocation loc, MlirType type, int64_t n);
/// A name and its value, for lists of attributes.
MlirNamedAttribute tileNamedAttr(MlirContext context, const char *name, MlirAttribute value);

#ifdef __cplusplus
}
#endif
#endif
