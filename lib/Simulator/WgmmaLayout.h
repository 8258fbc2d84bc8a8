/* WgmmaLayout.h - where the elements of a warp group's operands are in shared memory and in registers.
 *
 * Pure functions from the PTX ISA 9.0, 9.7.15.5 ("Asynchronous wgmma.mma_async": register fragments, shared memory
 * layout, matrix descriptor), written independently of lib/Layout. */
#ifndef TILE_LIB_SIMULATOR_WGMMALAYOUT_H
#define TILE_LIB_SIMULATOR_WGMMALAYOUT_H
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SimWgmmaShape {
  unsigned n, k, elementBytes; ///< m is 64; k * elementBytes is 32
  bool transA, transB;         ///< operands in shared memory are not K-major
} SimWgmmaShape;

/// A 64-bit matrix descriptor, taken apart. Bytes.
typedef struct SimDescriptor {
  uint32_t start, leading, stride;
  unsigned swizzleBytes; ///< 0, 32, 64 or 128
} SimDescriptor;

SimDescriptor simDescriptorOf(uint64_t bits);
/// Bits 4 and up of an address change places with those above, for a pattern of `swizzleBytes`.
uint32_t simPatternAddress(uint32_t address, unsigned swizzleBytes);
/// Shared address of element (outer, k): `outer` is the row of A or the column of B.
uint32_t simDescriptorAddress(const SimDescriptor *d, const SimWgmmaShape *s, bool transposed, unsigned outer,
                              unsigned k);
/// Row (of the warp's 16) and k of element e of register `reg` of A.
void simWgmmaA(const SimWgmmaShape *s, unsigned lane, unsigned reg, unsigned e, unsigned *row, unsigned *k);
/// Row and column of 32-bit register `reg` of the accumulator; of two 16-bit halves, of half `e`.
void simWgmmaC(bool isHalf, unsigned lane, unsigned reg, unsigned e, unsigned *row, unsigned *column);

#ifdef __cplusplus
}
#endif
#endif
