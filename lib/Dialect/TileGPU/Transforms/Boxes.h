/* Boxes.h - loads and stores through tensors of pointers that are boxes of a strided matrix. */
#ifndef TILE_LIB_TILEGPU_BOXES_H
#define TILE_LIB_TILEGPU_BOXES_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/IR.h"

enum { TileSum_Most = 8, TileBox_MostExact = 8, TileBox_MostExtra = 2 };

/// constant + factors[0] * values[0] + ..., of scalar integers, as numbers without bounds.
typedef struct TileSum {
  int64_t constant;
  int count;
  MlirValue values[TileSum_Most];
  int64_t factors[TileSum_Most];
} TileSum;

/// One dimension of a box.
typedef struct TileBoxDim {
  TileSum start;    ///< the index of its first element
  int64_t length;   ///< elements of the box
  MlirValue bound;  ///< the matrix' size, a parameter of the kernel; null: it is `size`
  int64_t size;     ///< TileBox_Unbounded: nothing says
  bool isWrapped;   ///< indices are taken modulo the size
  bool hasFloor;    ///< the mask leaves out indices below 0, if there are any
  MlirValue stride; ///< a parameter; null: 1
  int64_t factor;   ///< of the stride
  // How its offsets are computed, if in 32 bits:
  TileSum ramp;  ///< the part of the start that the range is added to
  TileSum moved; ///< the rest, but for what loops add
  int64_t step;  ///< the most that a loop adds at once; 0: none does
} TileBoxDim;

/// Whether offsets along the dimension are a range times the stride, without more.
bool tileBoxDimIsRamp(const TileBoxDim *dim);

enum { TileBox_Unbounded = INT32_MAX - 15 }; // a multiple of 16 too, for the copy engine

/// A dimension along which the box has one element, as of a batch or of heads.
typedef struct TileBoxExtra {
  TileSum start;
  MlirValue stride; ///< a parameter, or a product of some (TileHostNumber); null: 1
  int64_t factor;   ///< of the stride
  bool isNarrow;    ///< start * stride is computed in 32 bits
} TileBoxExtra;

typedef struct TileBox {
  MlirValue base; ///< a parameter
  MlirOperation
      made; ///< a block of this descriptor (FormMade.h), of which base, length, unit and stores are set; null: none
  TileBoxDim dims[2];
  TileBoxExtra extra[TileBox_MostExtra];
  int numExtra;
  int unit;    ///< the dimension of neighbours
  bool stores; ///< it is written
  int64_t elementBytes;
  bool isAligned; ///< its stride is known to be a multiple of 16 bytes
  int64_t apart;  ///< its rows come by copies of rows so far apart (FormApart.h); 0: they come in order
  bool isNarrow;  ///< offsets are computed in 32 bits
  TileSum exact
      [TileBox_MostExact]; ///< must be neither negative nor too large for the addresses to be those of the box
  int numExact;
  MlirValue culprit; ///< if it is no box: the parameter that is at fault; null: none is
} TileBox;

/// What a tile.load or tile.store of a matrix reads or writes, or an access through a descriptor that the kernel makes. Null if it is a box, else which part of its address or mask is
/// none.
const char *tileBoxOf(MlirOperation access, const TileAxisInfo *info, TileBox *out);

bool tileSumEqual(const TileSum *a, const TileSum *b);
/// Whether it is known to be a multiple of so many.
bool tileSumIsMultiple(const TileAxisInfo *info, const TileSum *sum, int64_t of);
/// The parameter of the kernel that a number is, extended or not; null if it is none.
MlirValue tileBoxParameter(MlirValue v);

enum { TileHostNumber_Most = 3 };

/// factor * params[0] * ..., which the launcher can compute.
typedef struct TileHostNumber {
  MlirValue params[TileHostNumber_Most];
  int count;
  int64_t factor;
} TileHostNumber;
/// A constant, a parameter of the kernel, extended or not, or a product of such; false if it is something else.
bool tileHostNumberOf(MlirValue v, TileHostNumber *out);

/// A mask's bound along each dimension: true where start + 0, 1, ... < bound, and where 0 <= floor + 0, 1, ...
typedef struct TileBoxMask {
  TileSum start[2], bound[2], floor[2];
  bool has[2], hasFloor[2];
} TileBoxMask;
/// False if the mask is something else.
bool tileBoxMaskOf(MlirValue mask, TileBoxMask *out);

#endif
