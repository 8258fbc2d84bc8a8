/* Module.h - private to lib/Simulator: globals of the module, and the kernel's arguments. */
#ifndef TILE_LIB_SIMULATOR_MODULE_H
#define TILE_LIB_SIMULATOR_MODULE_H
#include "Decode.h"
#include "mlir-c/Support.h"

/// The buffer of constant data has the first address; arguments follow.
enum { SIM_CONSTANT_BUFFER = 1, SIM_IMPLICIT_ARGUMENT_BYTES = 256 };

/// Gives every global in shared memory a place and sets the program's shared bytes; false after a diagnostic.
bool simPlaceGlobals(SimDecoder *d);
/// The address of a global.
bool simGlobalAddress(SimDecoder *d, MlirOperation op, MlirStringRef name, uint64_t *out_address);
#endif
