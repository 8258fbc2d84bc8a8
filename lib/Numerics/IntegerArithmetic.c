/* IntegerArithmetic.c - shifts, divisions and high products with every corner defined
 * (docs/spec/numerics.md). */
#include "tile-c/Numerics.h"

/// Signed reading: tileWrap leaves one-bit values as 0 or 1, but as a signed number 1 is -1.
static int64_t signedOf(int64_t value, unsigned bits) { return bits == 1 ? -(value & 1) : value; }

int64_t tileShiftLeft(int64_t a, int64_t amount, unsigned bits) {
  uint64_t count = tileUnsigned(amount, bits);
  return count >= bits ? 0 : tileWrap((int64_t)((uint64_t)a << count), bits);
}

int64_t tileShiftRightSigned(int64_t a, int64_t amount, unsigned bits) {
  uint64_t count = tileUnsigned(amount, bits);
  return tileWrap(signedOf(a, bits) >> (count >= bits ? bits - 1 : count), bits);
}

int64_t tileShiftRightUnsigned(int64_t a, int64_t amount, unsigned bits) {
  uint64_t count = tileUnsigned(amount, bits);
  return count >= bits ? 0 : tileWrap((int64_t)(tileUnsigned(a, bits) >> count), bits);
}

int64_t tileDivSigned(int64_t a, int64_t b, unsigned bits) {
  a = signedOf(a, bits), b = signedOf(b, bits);
  if (b == -1) // the machine's division traps on the smallest value
    return tileWrap((int64_t)(0 - (uint64_t)a), bits);
  return tileWrap(b == 0 ? a : a / b, bits);
}

int64_t tileRemSigned(int64_t a, int64_t b, unsigned bits) {
  a = signedOf(a, bits), b = signedOf(b, bits);
  return b == 0 || b == -1 ? 0 : tileWrap(a % b, bits);
}

int64_t tileDivUnsigned(int64_t a, int64_t b, unsigned bits) {
  uint64_t x = tileUnsigned(a, bits), y = tileUnsigned(b, bits);
  return tileWrap((int64_t)(y == 0 ? x : x / y), bits);
}

int64_t tileRemUnsigned(int64_t a, int64_t b, unsigned bits) {
  uint64_t x = tileUnsigned(a, bits), y = tileUnsigned(b, bits);
  return y == 0 ? 0 : tileWrap((int64_t)(x % y), bits);
}

int64_t tileFloorDivSigned(int64_t a, int64_t b, unsigned bits) {
  int64_t quotient = tileDivSigned(a, b, bits), x = signedOf(a, bits), y = signedOf(b, bits);
  bool down = y != 0 && y != -1 && x % y != 0 && (x < 0) != (y < 0);
  return tileWrap(quotient - down, bits);
}

int64_t tileCeilDivSigned(int64_t a, int64_t b, unsigned bits) {
  int64_t quotient = tileDivSigned(a, b, bits), x = signedOf(a, bits), y = signedOf(b, bits);
  bool up = y != 0 && y != -1 && x % y != 0 && (x < 0) == (y < 0);
  return tileWrap(quotient + up, bits);
}

int64_t tileCeilDivUnsigned(int64_t a, int64_t b, unsigned bits) {
  uint64_t x = tileUnsigned(a, bits), y = tileUnsigned(b, bits);
  return tileWrap((int64_t)(y == 0 ? x : x / y + (x % y != 0)), bits);
}

/// The upper 64 bits of a 64 x 64 bit product, from four 32-bit ones.
static uint64_t highProduct(uint64_t a, uint64_t b) {
  uint64_t aLow = (uint32_t)a, aHigh = a >> 32, bLow = (uint32_t)b, bHigh = b >> 32;
  uint64_t middle = aHigh * bLow + (aLow * bLow >> 32);
  uint64_t other = aLow * bHigh + (uint32_t)middle;
  return aHigh * bHigh + (middle >> 32) + (other >> 32);
}

int64_t tileMulHighUnsigned(int64_t a, int64_t b, unsigned bits) {
  uint64_t x = tileUnsigned(a, bits), y = tileUnsigned(b, bits);
  return tileWrap((int64_t)(bits > 32 ? highProduct(x, y) : x * y >> bits), bits);
}

int64_t tileMulHighSigned(int64_t a, int64_t b, unsigned bits) {
  a = signedOf(a, bits), b = signedOf(b, bits);
  if (bits <= 32)
    return tileWrap(a * b >> bits, bits);
  uint64_t high = highProduct((uint64_t)a, (uint64_t)b);
  return (int64_t)(high - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0));
}
