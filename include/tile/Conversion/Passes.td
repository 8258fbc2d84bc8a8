/* Conversions between dialects. Keep alphabetical. */
#ifndef TILE_CONVERSION_PASSES
#define TILE_CONVERSION_PASSES
include "mlir/Pass/PassBase.td"

#endif
