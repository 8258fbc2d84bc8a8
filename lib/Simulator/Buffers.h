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
  uint32_t addresses;        ///< slot for the addresses of an atomic
  bool isStore;
} SimBufferAccess;

SimStatus simBufferAccess(SimWarp *w, const SimInsn *i);
/// `data` of the first half of a copy to LDS, which computes what the second, simAsyncCopy, takes. Operands as above.
typedef struct SimBufferCopy {
  uint32_t bytes;             ///< of a lane
  uint32_t addresses, counts; ///< slots: where each lane reads, and how many bytes lie in the resource
} SimBufferCopy;

SimStatus simBufferCopyAddresses(SimWarp *w, const SimInsn *i);
/// result = the resource from a (base), b (stride, 16 bits), c (bytes, 64 bits) and the flags in slot
/// `param`.
void simMakeResource(const SimInsn *i, const char *regs, char *result);
#endif
