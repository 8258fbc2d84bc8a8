/* HostArray.h - arrays and scalars of the element types on the host: made from a seed, read from and written
 * to .npy files, converted, compared.
 *
 * Plain C with no LLVM behind it; values round as Numerics.h says. Results are the same on every machine:
 * only exactly rounded operations are used. */
#ifndef TILE_C_HOSTARRAY_H
#define TILE_C_HOSTARRAY_H
#include "tile-c/ElementType.h"
#include "tile-c/Error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Scalars ----

/// A value of an element type: `i`, sign-extended, for i1 to i64; `f`, exactly, for every float type.
typedef union TileScalar {
  int64_t i;
  double f;
} TileScalar;

/// Reads `length` bytes of text as a value of the type. Integers: decimal or 0x, with a sign, from the signed
/// minimum to the unsigned maximum; i1 also true and false. Floats: as strtod, with inf and nan; rounded to
/// nearest even. Text beyond the type's range, or infinity where the type has none, is an error.
TileErrorCode tileScalarParse(TileElementType type, const char *text, size_t length, TileScalar *out_value,
                              TileError *out_error);
/// Writes one element to memory, rounding a float once to nearest even. The f8 types saturate, but for an
/// infinity where the type has one.
void tileScalarStore(TileElementType type, TileScalar value, void *element);
TileScalar tileScalarLoad(TileElementType type, const void *element);

// ---- Arrays ----

enum { TILE_ARRAY_MAX_RANK = 8 };

/// Row-major, dense; `data` is malloc'ed and owned.
typedef struct TileArray {
  TileElementType type;
  unsigned rank; ///< 0: a single element
  int64_t shape[TILE_ARRAY_MAX_RANK];
  int64_t numElements;
  void *data;
} TileArray;

/// Zeroed elements. `out_array` is zeroed on failure.
TileErrorCode tileArrayCreate(TileElementType type, unsigned rank, const int64_t *shape, TileArray *out_array,
                              TileError *out_error);
TileErrorCode tileArrayCopy(const TileArray *array, TileArray *out_copy, TileError *out_error);
void tileArrayRelease(TileArray *array);
size_t tileArrayBytes(const TileArray *array);

/// Every element becomes `value`.
void tileArrayFill(TileArray *array, TileScalar value);
/// Element i becomes i: wrapped to an integer type, rounded to a float type.
void tileArrayFillIota(TileArray *array);
/// Uniform. Floats: in [low, high), from 53 random bits, rounded to the type (the result stays below `high`).
/// Integers: low <= x < high. The ranges without a caller's wish are tileRandomRange's.
void tileArrayFillUniform(TileArray *array, uint64_t seed, double low, double high);
/// Normal with mean 0 and deviation 1, rounded; float types only.
TileErrorCode tileArrayFillNormal(TileArray *array, uint64_t seed, TileError *out_error);
/// Floats: [0, 1); i1: 0 and 1; other integers: -128 to 127.
void tileRandomRange(TileElementType type, double *out_low, double *out_high);

// ---- .npy files: format versions 1 to 3 of numpy's "NEP 1" ----

/// Reads an array and converts it to `type`, in row-major order also from a Fortran-order file. Little-endian
/// bool, int, uint and float16/32/64 are read. Numbers are rounded to nearest even; an integer beyond the
/// type's range (signed minimum to unsigned maximum) is an error, and so is a NaN or a value beyond the range
/// for an integer type. uint8 and int8 are raw bits for an f8 type.
TileErrorCode tileNpyRead(const char *path, TileElementType type, TileArray *out_array, TileError *out_error);

/// Writes format version 1 under a temporary name beside `path`, then renames. bf16 as float32, f8 as uint8
/// (raw bits), i1 as bool, the others as themselves.
TileErrorCode tileNpyWrite(const char *path, const TileArray *array, TileError *out_error);

// ---- Comparison ----

/// What differs between two arrays of one type and length. Positions are -1 where there is none.
typedef struct TileComparison {
  bool equal;            ///< within the tolerance, everywhere
  bool identical;        ///< bit for bit, any NaN being equal to any NaN
  int64_t numMismatches; ///< elements out of tolerance
  int64_t firstMismatch; ///< position of the first of them
  double maxAbs, maxRel; ///< over elements that are finite in both; relative to |expected|
  int64_t maxAbsAt, maxRelAt;
  double maxExpected; ///< max |expected| over finite elements
  int64_t numSpecial; ///< positions where only one is NaN, or infinities differ
} TileComparison;

/// Element i fits if both are NaN, or both the same infinity, or |got - expected| <= absolute + relative *
/// |expected|. With both tolerances 0 it fits only if the bits are equal (or both are NaN): -0 and +0 differ
/// then.
void tileArrayCompare(const TileArray *got, const TileArray *expected, double absolute, double relative,
                      TileComparison *out_comparison);
/// Without a caller's wish, both absolute and relative: 0 for integers; f64 1e-12, f32 2e-5, f16 2e-3, bf16
/// 2e-2, f8 0.125.
double tileDefaultTolerance(TileElementType type);

#ifdef __cplusplus
}
#endif
#endif
