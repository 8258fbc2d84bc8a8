/* Expand.h - private to expand-tile-nv: how each op becomes inline PTX. */
#ifndef TILE_LIB_TILENV_EXPAND_H
#define TILE_LIB_TILENV_EXPAND_H
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Dialect/TileNV.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/StringBuilder.h"

/// Replaces the op's results; the builder inserts before the op, which the caller erases.
typedef void (*TileExpand)(TileBuilder b, MlirOperation op);

/// Inline assembly with side effects; result may be null, and so is then what is returned.
MlirValue tileExpandToAsm(TileBuilder b, MlirLocation loc, MlirType result, intptr_t n,
                          const MlirValue *operands, const TileStringBuilder *text,
                          const TileStringBuilder *constraints);

// ExpandWgmma.c
void tileExpandWgmma(TileBuilder b, MlirOperation op);
void tileExpandWgmmaWait(TileBuilder b, MlirOperation op);
void tileExpandWgmmaFence(TileBuilder b, MlirOperation op);
// ExpandHopper.c
void tileExpandMBarrierInit(TileBuilder b, MlirOperation op);
void tileExpandMBarrierInval(TileBuilder b, MlirOperation op);
void tileExpandMBarrierExpect(TileBuilder b, MlirOperation op);
void tileExpandMBarrierArrive(TileBuilder b, MlirOperation op);
void tileExpandMBarrierWait(TileBuilder b, MlirOperation op);
void tileExpandTmaLoad(TileBuilder b, MlirOperation op);
void tileExpandTmaStore(TileBuilder b, MlirOperation op);
void tileExpandHold(TileBuilder b, MlirOperation op);
void tileExpandAnew(TileBuilder b, MlirOperation op);
void tileExpandPrefetchTensorMap(TileBuilder b, MlirOperation op);
void tileExpandBarrierArrive(TileBuilder b, MlirOperation op);

#endif
