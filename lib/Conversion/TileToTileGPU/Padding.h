/* Padding.h - what the parts of the padding of odd tensors share.
 *
 * A tensor is odd if one of its sizes is no power of two. Rules insert, in terms of the odd types, what keeps
 * the elements that padding will add from doing harm ("index < size", true for every element that there is);
 * then all types grow at once. An added element holds an arbitrary value. */
#ifndef TILE_LIB_TILETOTILEGPU_PADDING_H
#define TILE_LIB_TILETOTILEGPU_PADDING_H
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Layout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Patterns.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"

typedef struct Padding {
  MlirContext context;
  TileBuilder b;    ///< in front of the op that a rule works on
  MlirLocation loc; ///< the op's
  TileArena *arena;
  TilePointerList reshapes; ///< PadReshape *, to be rewritten once types have grown
} Padding;

/// A reshape whose elements padding would move apart.
typedef struct PadReshape {
  MlirOperation op;
  MlirType from, to; ///< before padding
} PadReshape;

// ---- Types (PadValues.c) ----

/// The size that `n` is padded to.
int64_t padSize(int64_t n);
/// The padded type of an odd tensor; any other type as it is.
MlirType padType(MlirType type);
bool padIsOdd(MlirType type);
/// Bit d: size d of a tensor is no power of two.
uint32_t padOddDims(MlirType type);
static inline MlirType padTypeOf(MlirOperation op, intptr_t operand) {
  return mlirValueGetType(mlirOperationGetOperand(op, operand));
}

// ---- Values (PadValues.c) ----

MlirValue padConstant(Padding *p, MlirType type, MlirAttribute element);
MlirValue padZero(Padding *p, MlirType type);
/// The index along dimension `dim` of each element of a tensor like `like`, as i32.
MlirValue padIndex(Padding *p, MlirType like, int dim);
/// Whether an element of a tensor like `like` is one that there is, as far as the dimensions of the bit set
/// `dims` say; null if they are all powers of two.
MlirValue padInside(Padding *p, MlirType like, uint32_t dims);
MlirValue padSelect(Padding *p, MlirValue condition, MlirValue yes, MlirValue no);
MlirValue padAnd(Padding *p, MlirValue a, MlirValue b);
/// Picks along one axis.
MlirValue padGather(Padding *p, MlirValue src, MlirValue indices, MlirType result, int axis);

// ---- Rules: each treats one op with an odd operand or result ----

typedef MlirLogicalResult (*PadRule)(Padding *p, MlirOperation op);

// PadMemory.c
MlirLogicalResult padLoad(Padding *p, MlirOperation op);
MlirLogicalResult padStore(Padding *p, MlirOperation op);
MlirLogicalResult padAtomicRMW(Padding *p, MlirOperation op);
MlirLogicalResult padAtomicCAS(Padding *p, MlirOperation op);
MlirLogicalResult padDescScatter(Padding *p, MlirOperation op);
MlirLogicalResult padAssert(Padding *p, MlirOperation op);
MlirLogicalResult padPrint(Padding *p, MlirOperation op);
MlirLogicalResult padInlineAsm(Padding *p, MlirOperation op);
MlirLogicalResult padExtern(Padding *p, MlirOperation op);

// PadReduce.c
MlirLogicalResult padReduce(Padding *p, MlirOperation op);
MlirLogicalResult padScan(Padding *p, MlirOperation op);
MlirLogicalResult padMapElementwise(Padding *p, MlirOperation op);
MlirLogicalResult padHistogram(Padding *p, MlirOperation op);
MlirLogicalResult padDot(Padding *p, MlirOperation op);
MlirLogicalResult padDotScaled(Padding *p, MlirOperation op);

// PadShape.c
MlirLogicalResult padMakeRange(Padding *p, MlirOperation op);
MlirLogicalResult padCat(Padding *p, MlirOperation op);
MlirLogicalResult padReshape(Padding *p, MlirOperation op);
/// Through a flat tensor from which each element is picked; types have grown already.
void padFinishReshape(Padding *p, const PadReshape *r);
/// The value of a constant in its padded type; null if it is no list of elements.
MlirAttribute padDense(Padding *p, MlirAttribute value);

/// Packs of an elementwise op stay together: an error if the last size is no multiple of `pack`.
MlirLogicalResult padCheckPack(MlirOperation op, int64_t pack, MlirType type);

/// Padding.c: the whole module.
MlirLogicalResult padModule(MlirOperation module);

#endif
