/* LibraryName.h - one name for the functions that tile.extern_elementwise calls by several. */
#ifndef TILE_C_LIBRARYNAME_H
#define TILE_C_LIBRARYNAME_H
#include "tile-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The name in libdevice of the function that a tile.extern_elementwise calls, where OCML or Triton's AMD back end have
/// another for it; else the symbol as it stands. Some of Triton's names go by the type of the first operand.
MlirStringRef tileLibraryName(MlirOperation call);

#ifdef __cplusplus
}
#endif
#endif
