/* TTToTile.h - what the parts of convert-tt-to-tile share: the state of one run, the tables of op families,
 * types and attributes. */
#ifndef TILE_CONVERSION_TTTOTILE_TTTOTILE_H
#define TILE_CONVERSION_TTTOTILE_TTTOTILE_H
#include "tile-c/Dialect/TT.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

/// One run of the pass on a module.
typedef struct TTConversion {
  MlirContext context;
  TileBuilder builder;  ///< owned by the driver; stands before the op that is being converted
  TileArena *arena;     ///< released at the end of the run
  TilePointerMap types; ///< converted types by type
} TTConversion;

/// Replaces one op; all types are `tile`'s by then. Failure means that a diagnostic was emitted.
typedef MlirLogicalResult (*TTConvert)(TTConversion *c, MlirOperation op);
typedef struct TTRow {
  TileOpKind kind;
  TTConvert convert;
} TTRow;
/// The ops of a family; a row of kind TileOp_None ends it.
extern const TTRow ttDebugRows[], ttDescriptorRows[], ttElementwiseRows[], ttFunctionRows[], ttMatrixRows[],
    ttMemoryRows[], ttRegionRows[], ttShapeRows[];

// ---- Steps before the ops, in this order; each on one tt.func ----

/// BlockPointer.c: no value of type !tt.ptr<tensor<..>> remains.
MlirLogicalResult ttExpandBlockPointers(TTConversion *c, TTFuncOp func);
/// Descriptor.c: kernel arguments that are opaque tensor maps get descriptor types.
MlirLogicalResult ttResolveTensorMaps(TTConversion *c, TTFuncOp func);
/// Types.c: every value below `op` has a type of `tile`, and every hint attribute its name there.
MlirLogicalResult ttConvertTypesAndHints(TTConversion *c, MlirOperation op);

// ---- Types and attributes ----

/// The same type without types of `tt`; null, after a diagnostic at loc, if there is none.
MlirType ttConvertType(TTConversion *c, MlirLocation loc, MlirType type);
/// tt.divisibility and tt.pointer_range of an argument under their names in `tile`; all else that is tt's is
/// left out.
MlirAttribute ttConvertArgAttrs(TTConversion *c, MlirAttribute dictionary);

/// Gives a function other argument types; its results stay.
void ttSetFunctionInputs(TTConversion *c, TTFuncOp func, intptr_t n, const MlirType *inputs);

static inline MlirType ttTypeOf(MlirValue v) { return mlirValueGetType(v); }
static inline MlirType ttResultType(MlirOperation op) { return ttTypeOf(mlirOperationGetResult(op, 0)); }
static inline MlirLocation ttLoc(MlirOperation op) { return mlirOperationGetLocation(op); }
static inline MlirAttribute ttI32(const TTConversion *c, int64_t value) {
  return tileI32Attr(c->context, value);
}
/// A unit attribute, or none.
static inline MlirAttribute ttUnitIf(const TTConversion *c, bool on) {
  return on ? mlirUnitAttrGet(c->context) : (MlirAttribute){NULL};
}
/// Operands from `first` on, as many as there are or `n`; in the arena.
MlirValue *ttOperands(TTConversion *c, MlirOperation op, intptr_t first, intptr_t n);
MlirType *ttResultTypes(TTConversion *c, MlirOperation op);

/// Puts `by` in the place of `op`: attributes that are not the op's own, uses, and erases `op`.
MlirLogicalResult ttReplace(TTConversion *c, MlirOperation op, MlirOperation by);
/// The same for an op with one result, by a value that exists already.
MlirLogicalResult ttReplaceByValue(TTConversion *c, MlirOperation op, MlirValue by);

/// Cache modifier and eviction policy of an access, from either way of writing them, as `tile`'s attributes.
typedef struct TTCaching {
  MlirAttribute cache, evict;
} TTCaching;
TTCaching ttCaching(const TTConversion *c, TTCacheModifier cache, TTEvictionPolicy evict,
                    MlirAttribute policy);

#endif
