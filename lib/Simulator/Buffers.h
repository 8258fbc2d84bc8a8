/* Buffers.h - private to lib/Simulator: AMD's accesses through buffer resources, with bounds in the hardware.
 */
#ifndef TILE_LIB_SIMULATOR_BUFFERS_H
#define TILE_LIB_SIMULATOR_BUFFERS_H
#include "Async.h"
#include "Atomics.h"

/// `data` of a buffer access. Operands: a the resource (16 bytes: base in 48 bits, stride in 14, the number
/// of bytes at bit 64, flags at 96), b the offset, c the uniform offset.
typedef struct SimBufferAccess {
  SimAccess access;          ///< parts of the value; the space is global
  const SimAtomicOp *atomic; ///< or NULL: a load or store
  uint32_t addresses;        ///< slot for the addresses of an atomic, or of a copy to LDS
  bool isStore;
} SimBufferAccess;

SimStatus simBufferAccess(SimWarp *w, const SimInsn *i);
/// result = the resource from a (base), b (stride, 16 bits), c (bytes, 64 bits) and the flags in slot
/// `param`.
void simMakeResource(const SimInsn *i, const char *regs, char *result);
#endif
