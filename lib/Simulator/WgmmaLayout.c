/* WgmmaLayout.c - the published layouts of warp-group products as formulas. */
#include "WgmmaLayout.h"

enum { ChunkBytes = 16, ChunkRows = 8 };

SimDescriptor simDescriptorOf(uint64_t bits) {
  static const unsigned swizzles[] = {0, 128, 64, 32};
  return (SimDescriptor){.start = (uint32_t)(bits & 0x3FFF) << 4,
                         .leading = (uint32_t)(bits >> 16 & 0x3FFF) << 4,
                         .stride = (uint32_t)(bits >> 32 & 0x3FFF) << 4,
                         .swizzleBytes = swizzles[bits >> 62]};
}

/// Of 128 bytes: bits 4 to 6 are combined with 7 to 9; of 64: 4 and 5 with 7 and 8; of 32: 4 with 7.
uint32_t simPatternAddress(uint32_t address, unsigned swizzleBytes) {
  const uint32_t mask = swizzleBytes ? swizzleBytes / ChunkBytes - 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

/// Rows of chunks of 16 bytes along k. Without swizzle, chunks of eight rows are packed and `leading` leads along
/// k; with it, a row of the pattern is as long as the swizzle, and `leading` is not used.
static uint32_t alongK(const SimDescriptor *d, unsigned outer, unsigned byte) {
  const unsigned chunk = byte / ChunkBytes, rest = byte % ChunkBytes;
  const uint32_t group = outer / ChunkRows * d->stride;
  if (!d->swizzleBytes)
    return d->start + group + outer % ChunkRows * ChunkBytes + chunk * d->leading + rest;
  return d->start + group + outer % ChunkRows * d->swizzleBytes + byte;
}

/// Rows of chunks of 16 bytes along m or n; eight rows along k make a group.
static uint32_t alongOuter(const SimDescriptor *d, unsigned byte, unsigned k) {
  if (!d->swizzleBytes)
    return d->start + byte / ChunkBytes * d->stride + byte % ChunkBytes + k % ChunkRows * ChunkBytes +
           k / ChunkRows * d->leading;
  return d->start + byte / d->swizzleBytes * d->leading + byte % d->swizzleBytes +
         k % ChunkRows * d->swizzleBytes + k / ChunkRows * d->stride;
}

uint32_t simDescriptorAddress(const SimDescriptor *d, const SimWgmmaShape *s, bool transposed, unsigned outer,
                              unsigned k) {
  const uint32_t address =
      transposed ? alongOuter(d, outer * s->elementBytes, k) : alongK(d, outer, k * s->elementBytes);
  return simPatternAddress(address, d->swizzleBytes);
}

/// Groups of four lanes hold a row; registers alternate between rows g and g + 8, then go on along k.
void simWgmmaA(const SimWgmmaShape *s, unsigned lane, unsigned reg, unsigned e, unsigned *row, unsigned *k) {
  const unsigned perRegister = 4 / s->elementBytes;
  *row = lane / 4 + 8 * (reg % 2);
  *k = lane % 4 * perRegister + e + reg / 2 * 4 * perRegister;
}

void simWgmmaC(bool isHalf, unsigned lane, unsigned reg, unsigned e, unsigned *row, unsigned *column) {
  const unsigned pair = isHalf ? reg : reg / 2, within = isHalf ? e : reg % 2;
  *row = lane / 4 + 8 * (pair % 2);
  *column = pair / 2 * 8 + lane % 4 * 2 + within;
}
