/* BlockPointer.h - a block pointer taken apart. */
#ifndef TILE_CONVERSION_TTTOTILE_BLOCKPOINTER_H
#define TILE_CONVERSION_TTTOTILE_BLOCKPOINTER_H
#include "TTToTile.h"

/// What a value of type !tt.ptr<tensor<..>> consists of, in the order of tt.make_tensor_ptr's operands. Shape
/// and strides are i64, offsets i32; all count elements.
typedef struct TTBlockPointer {
  MlirType block; ///< the tensor type
  intptr_t rank;
  MlirValue *components; ///< base, then shape, strides and offsets, `rank` values each
} TTBlockPointer;

static inline MlirValue ttBlockBase(const TTBlockPointer *p) { return p->components[0]; }
static inline MlirValue ttBlockShape(const TTBlockPointer *p, intptr_t d) { return p->components[1 + d]; }
static inline MlirValue ttBlockStride(const TTBlockPointer *p, intptr_t d) {
  return p->components[1 + p->rank + d];
}
static inline MlirValue ttBlockOffset(const TTBlockPointer *p, intptr_t d) {
  return p->components[1 + 2 * p->rank + d];
}

static inline bool ttIsBlockPointer(MlirType type) {
  return ttPtrTypeIsA(type) && tileTypeIsTensor(ttPtrTypeGetPointeeType(type));
}

/// BlockPointerAccess.c: replaces a tt.load or tt.store through a block pointer by one through a tensor of
/// pointers, masked where `boundaryCheck` asks for it.
MlirLogicalResult ttExpandBlockLoad(TTConversion *c, TTLoadOp load, const TTBlockPointer *p);
MlirLogicalResult ttExpandBlockStore(TTConversion *c, TTStoreOp store, const TTBlockPointer *p);

#endif
