/* IR.h - what passes in C need of MLIR beyond mlir-c: short names, located diagnostics, type queries,
 * properties.
 *
 * Handles are mlir-c's: not owned unless said, null when `.ptr` is null. Debian's MLIR has no assertions, so
 * a null or wrong handle given to mlir-c is undefined behaviour: check first. */
#ifndef TILE_C_IR_H
#define TILE_C_IR_H
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Rewrite.h"
#include "tile-c/ElementType.h"
#include <stdarg.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILE_COUNTOF(a) (sizeof(a) / sizeof((a)[0]))
#if defined(__GNUC__)
#define TILE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TILE_PRINTF(text, first)
#endif

/// Creates ops at an insertion point.
typedef MlirRewriterBase TileBuilder;

static inline MlirStringRef tileStr(const char *s) { return mlirStringRefCreate(s, strlen(s)); }

// ---- Diagnostics ----

/// Each reports at a location; the error forms return failure so that callers can return them. Text: lower
/// case, no full stop, "got X, expected Y". tileEmitOpError prefixes "'tile.load' op ".
MlirLogicalResult tileEmitError(MlirLocation loc, const char *format, ...) TILE_PRINTF(2, 3);
MlirLogicalResult tileEmitOpError(MlirOperation op, const char *format, ...) TILE_PRINTF(2, 3);
void tileEmitWarning(MlirLocation loc, const char *format, ...) TILE_PRINTF(2, 3);
void tileEmitRemark(MlirLocation loc, const char *format, ...) TILE_PRINTF(2, 3);
/// An error at `op` with one note at another place.
MlirLogicalResult tileEmitOpErrorWithNote(MlirOperation op, MlirLocation noteLoc, const char *note,
                                          const char *format, ...) TILE_PRINTF(4, 5);
/// Our own bug: reports file, line and text at the op as an error ("internal error ..."); never aborts.
MlirLogicalResult tileEmitBug(MlirOperation op, const char *file, int line, const char *text);
#define TILE_BUG(op, text) tileEmitBug(op, __FILE__, __LINE__, text)

static inline MlirLogicalResult tileSuccess(void) { return mlirLogicalResultSuccess(); }
static inline MlirLogicalResult tileFailure(void) { return mlirLogicalResultFailure(); }
static inline bool tileFailed(MlirLogicalResult r) { return mlirLogicalResultIsFailure(r); }
static inline bool tileSucceeded(MlirLogicalResult r) { return mlirLogicalResultIsSuccess(r); }

/// Returns failure from the function around it if the call fails.
#define TILE_TRY(call)                                                                                       \
  do {                                                                                                       \
    if (tileFailed(call))                                                                                    \
      return tileFailure();                                                                                  \
  } while (0)

// ---- Locations ----

/// The file position in a location: of a name its child's, of a call the callee's, of a fusion the first
/// part's. Another kind of location if there is none.
MlirLocation tileLocationPosition(MlirLocation loc);

// ---- Creation (used by generated code) ----

/// Creates the op of `state` and inserts it at the builder's insertion point.
MlirOperation tileBuilderInsert(TileBuilder b, MlirOperationState *state);
void tileStateAddAttr(MlirOperationState *state, const char *name, MlirAttribute attribute);
/// Adds n empty regions.
void tileStateAddRegions(MlirOperationState *state, intptr_t n);
/// First index and size of operand (result) group `group` by the op's segment-size property.
void tileOperandSegment(MlirOperation op, intptr_t group, intptr_t *out_start, intptr_t *out_count);
void tileResultSegment(MlirOperation op, intptr_t group, intptr_t *out_start, intptr_t *out_count);
/// `#dialect<mnemonic keyword>`, the keyword in angle brackets if bracket is "<".
MlirAttribute tileEnumAttrGet(MlirContext context, const char *dialect, const char *mnemonic,
                              const char *bracket, const char *keyword);
/// The keyword of such an attribute; false if it is null or too long.
bool tileEnumAttrKeyword(MlirAttribute attribute, char *out, size_t size);
/// Value of an integer attribute of any width up to 64 bits, sign-extended.
int64_t tileIntegerAttrValue(MlirAttribute attribute);

/// What a folder found: an existing value, or a constant attribute.
typedef struct TileFoldResult {
  MlirValue value;
  MlirAttribute attribute;
} TileFoldResult;

// ---- Fast math ----

/// Whether fast-math flags (#arith.fastmath; null: none) hold afn, alone or as part of fast.
bool tileAttrAllowsApproximation(MlirAttribute attr);

// ---- Numbers ----

/// The encoding of a float attribute of up to 64 bits. mlir-c has its value as a double only, for which a signalling NaN becomes a
/// quiet one.
uint64_t tileFloatAttrBits(MlirAttribute attr);

// ---- Properties ----

/// All native properties of an op as one attribute (a dictionary), such as overflowFlags, which mlir-c cannot
/// see.
MlirAttribute tileOperationGetProperties(MlirOperation op);
/// Sets them; false (and a diagnostic) if the attribute does not fit.
MlirLogicalResult tileOperationSetProperties(MlirOperation op, MlirAttribute properties);

// ---- Blocks ----

/// A new block without arguments at the end of the region, which owns it.
static inline MlirBlock tileRegionAddBlock(MlirRegion region) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  return block;
}

// ---- Values ----

static inline MlirOperation tileValueGetDefiningOp(MlirValue v) {
  return v.ptr && mlirValueIsAOpResult(v) ? mlirOpResultGetOwner(v) : (MlirOperation){NULL};
}
/// The block that a value is an argument of, or whose op it is a result of.
static inline MlirBlock tileValueGetBlock(MlirValue v) {
  return mlirValueIsABlockArgument(v) ? mlirBlockArgumentGetOwner(v)
                                      : mlirOperationGetBlock(mlirOpResultGetOwner(v));
}
static inline bool tileValueHasOneUse(MlirValue v) {
  MlirOpOperand use = mlirValueGetFirstUse(v);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}
/// The op that has the only use of `v`; null if there are none or several.
static inline MlirOperation tileValueOnlyUser(MlirValue v) {
  return tileValueHasOneUse(v) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(v)) : (MlirOperation){NULL};
}
static inline bool tileValueIsUnused(MlirValue v) { return mlirOpOperandIsNull(mlirValueGetFirstUse(v)); }

/// The number that `v` is constant at (arith.constant, scalar or splat), an integer or float attribute; null if it
/// is not.
MlirAttribute tileValueConstantNumber(MlirValue v);
/// Constant at 0, +0 or -0.
bool tileValueIsZero(MlirValue v);
/// Constant at 0 or +0: all bits are zeros.
bool tileValueIsPositiveZero(MlirValue v);
/// The integer that `v` is constant at (arith.constant, scalar or splat); false if it is not.
bool tileValueConstantInt(MlirValue v, int64_t *out_value);

// ---- Types ----

/// Scalar type's element type, or a tensor's element's; None for pointers, index and others.
TileElementType tileElementTypeOf(MlirType type);
/// One of the integer and float types that a tensor may hold and a pointer may point to: no tensor, no vector,
/// no signed integer.
bool tileTypeIsNumber(MlirType type);
MlirType tileElementTypeToMlir(MlirContext context, TileElementType element);
bool tileTypeIsTensor(MlirType type);
/// The type itself unless it is a tensor.
MlirType tileTypeGetElement(MlirType type);
/// Elements of a ranked tensor; 1 for a scalar.
int64_t tileTypeNumElements(MlirType type);
/// `type` with another element type: the scalar itself, or a tensor of the same shape and encoding.
MlirType tileTypeWithElement(MlirType type, MlirType element);
/// A tensor type with another encoding (null: none); anything else unchanged.
MlirType tileTypeWithEncoding(MlirType type, MlirAttribute encoding);
/// The encoding of a tensor type; null if it has none or is no tensor.
MlirAttribute tileTypeGetEncoding(MlirType type);
/// Copies up to `max` dimensions; returns the rank (0 for scalars).
int tileTypeGetShape(MlirType type, int64_t *out_shape, int max);

// ---- Attributes ----

MlirAttribute tileI32Attr(MlirContext context, int64_t value);
MlirAttribute tileI64Attr(MlirContext context, int64_t value);
/// Integer module or op attribute by name (discardable), or `missing`.
int64_t tileGetIntAttr(MlirOperation op, const char *name, int64_t missing);
/// True if every element is the same; also for a scalar attribute.
bool tileAttrIsSplatInt(MlirAttribute attribute, int64_t *out_value);

// ---- Registration ----

/// Every dialect that Tile reads or produces, with the extensions that inlining and translation need.
void tileRegisterAllDialects(MlirDialectRegistry registry);
/// Tile's passes and the upstream ones that its pipelines name.
void tileRegisterAllPasses(void);
/// Parts of the two above that need C++: the pass shells, and what lets the inliner see func.call.
void tileRegisterTilePasses(void);
void tileRegisterInlinerExtension(MlirDialectRegistry registry);

#ifdef __cplusplus
}
#endif
#endif
