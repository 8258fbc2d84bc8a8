/* BufferOffsets.h - pointers of a tensor taken apart: one scalar pointer for all threads, and offsets of 32 bits. */
#ifndef TILE_LIB_TILEGPU_BUFFEROFFSETS_H
#define TILE_LIB_TILEGPU_BUFFEROFFSETS_H
#include "tile-c/IR.h"
#include "tile-c/Support/Arena.h"

enum { TileBufferParts_Max = 8 };

typedef struct TileBufferParts {
  MlirValue base;                       ///< scalar pointer that all start from
  MlirValue moves[TileBufferParts_Max]; ///< scalar numbers of elements by which all are moved, of any width
  MlirValue
      offsets[TileBufferParts_Max]; ///< tensors of numbers of elements, each in the shape it was added in
  int numMoves, numOffsets;
} TileBufferParts;

/// Follows addptr, splat and changes of shape. Null if the pointers are taken apart, else why they cannot be.
const char *tileBufferPartsOf(MlirValue pointers, TileBufferParts *out);

/// Bits that a byte offset of what is reached through a parameter has, by `tile.pointer_range`; 64 if nothing is said.
int64_t tilePointerRange(MlirValue parameter);
/// Whether a load or store has no hint that a buffer access cannot give.
bool tileBufferIsPlain(MlirOperation access);
/// Whether scalars move the pointer away from the parameter that it starts from, and offsets may lead back: they are made of
/// differences, negative constants, parameters or loaded numbers. (Parameters that are factors or in divisions, strides and sizes, count as
/// not negative.)
bool tileBufferMayLeadBack(const TileBufferParts *parts);
/// Whether the scalars are known to be the same in all lanes to LLVM too.
bool tileBufferIsUniform(const TileBufferParts *parts);

/// The offsets' sum in i32, modulo 2^32, in the shape of the pointers: each op stands behind the one of the pointers that
/// it follows. Null if all elements have one pointer.
MlirValue tileBufferOffsets(TileBuilder b, MlirValue pointers);

/// Gives a load or store pointers of the form (splat of a scalar) + offsets, less `low` (i64, elements; may be null) in
/// the offsets and more in the scalar, and marks it as a buffer access.
void tileBufferRewrite(TileBuilder b, MlirOperation access, const TileBufferParts *parts, MlirValue low);

#endif
