/* Legality.h - which operations LLVM can select on which chip, as tried, so that it never has to say so
 * itself.
 *
 * An operation's key is its kind with the types of its first result and its first two operands, and for some
 * kinds a word more (the intrinsic that is called, what an atomic does). test/legality/tile-legality compiles
 * an example of each row of test/legality/rows.txt for each chip and writes lib/Target/Legality/Table.c. */
#ifndef TILE_C_LEGALITY_H
#define TILE_C_LEGALITY_H
#include "mlir-c/IR.h"
#include "tile-c/Support/StringBuilder.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A scalar's type; a vector's is `length << 8 | scalar`.
typedef enum TileLegalityType {
  TileLegality_None, ///< no such result or operand
  TileLegality_I1,
  TileLegality_I8,
  TileLegality_I16,
  TileLegality_I32,
  TileLegality_I64,
  TileLegality_I128,
  TileLegality_F16,
  TileLegality_BF16,
  TileLegality_F32,
  TileLegality_F64,
  TileLegality_Struct, ///< whatever is in it
  TileLegality_Other,  ///< never legal
  TileLegality_Pointer ///< to address space 0; those after it to 1, 2, ... 15
} TileLegalityType;

typedef struct TileLegalityKey {
  uint16_t op; ///< TileOpKind
  uint16_t
      types[3]; ///< TileLegalityType of result 0, operand 0, operand 1; a function's: parameter, None, None
  MlirStringRef detail; ///< empty for most; borrowed
} TileLegalityKey;

/// One row of the table.
typedef struct TileLegalityRow {
  uint16_t op;
  uint16_t types[3];
  uint32_t chips;     ///< bit i: compiled for tileLegalityChips[i]
  const char *detail; ///< or NULL
} TileLegalityRow;

/// The generated table: rows of one kind stand together.
extern const TileLegalityRow tileLegalityRows[];
extern const size_t tileLegalityNumRows;
extern const char *const tileLegalityChips[];
extern const size_t tileLegalityNumChips;

/// The key of an operation; false if it becomes no instruction by itself (constants, branches, ...).
bool tileLegalityKeyOf(MlirOperation op, TileLegalityKey *out_key);
/// The key of a kernel's parameter of this type.
TileLegalityKey tileLegalityParameterKey(MlirType type);
bool tileLegalityKeyMatches(const TileLegalityKey *key, const TileLegalityRow *row);

/// "f16", "vector<4xi32>", "ptr<1>".
void tileLegalityAppendType(TileStringBuilder *out, uint16_t type);
/// "f64 to f16", "f32": the types that matter to a reader.
void tileLegalityAppendTypes(TileStringBuilder *out, const uint16_t types[3]);

#ifdef __cplusplus
}
#endif
#endif
