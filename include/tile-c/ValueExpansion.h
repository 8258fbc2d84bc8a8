/* ValueExpansion.h - values of a compound type (descriptors, block pointers) become the values they consist
 * of, through loops, branches, calls and selections.
 *
 *     static const TileExpansionRules rules = {isDescriptor, appendComponentTypes, expandOp};
 *     TileExpansion e = tileExpansionOf(&rules, context, builder, &arena, user);
 *     tileExpandArguments(&e, entry, loc);  // if a function takes such values
 *     TILE_TRY(tileExpandRegions(&e, function));
 *     tileExpansionFinish(&e);
 *
 * The rules say what a value consists of and expand the ops that make or use one; ops that hand values on
 * (scf, terminators, calls, arith.select, poison) are rebuilt here with the components in their place.
 * Operations are visited in order, regions after the op that has them, so that a value's components are known
 * at its uses. */
#ifndef TILE_C_VALUEEXPANSION_H
#define TILE_C_VALUEEXPANSION_H
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TileExpansion TileExpansion;

/// What the rules made of an op.
typedef enum TileExpanded {
  TileExpanded_Failed,  ///< after a diagnostic
  TileExpanded_Carries, ///< it hands values on: to be rebuilt with components in their place
  TileExpanded_Done     ///< expanded; the op is erased at the end if it has not been erased yet
} TileExpanded;

typedef struct TileExpansionRules {
  const char *what; ///< for messages: "a descriptor"
  bool (*matches)(MlirType type);
  /// Appends the types of the components.
  void (*types)(TileExpansion *e, MlirType type, TilePointerList *out);
  /// An op with an operand or result of such a type; the builder stands in front of it. *out_erased: the op
  /// is gone already.
  TileExpanded (*expand)(TileExpansion *e, MlirOperation op, bool *out_erased);
} TileExpansionRules;

struct TileExpansion {
  const TileExpansionRules *rules;
  MlirContext context;
  TileBuilder builder; ///< the caller's
  TileArena *arena;
  void *user;
  TilePointerMap components; ///< value -> its components, MlirValue[]
  TilePointerList deadOps;   ///< replaced ops, users after their operands' owners
  TilePointerList deadArgs;  ///< replaced block arguments
};

TileExpansion tileExpansionOf(const TileExpansionRules *rules, MlirContext context, TileBuilder builder,
                              TileArena *arena, void *user);
/// An empty list of values, types or attributes.
static inline TilePointerList tileExpansionList(const TileExpansion *e) {
  return (TilePointerList){.arena = e->arena};
}

/// The components of a value; null, after a diagnostic at `user`, if nothing is known of it.
MlirValue *tileExpansionGet(TileExpansion *e, MlirOperation user, MlirValue value);
/// Room for the components of a value, and their number; the caller fills it.
MlirValue *tileExpansionNew(TileExpansion *e, MlirValue value, size_t *out_count);

/// Gives a block new arguments behind each of a compound type.
void tileExpandArguments(TileExpansion *e, MlirBlock block, MlirLocation loc);
/// Expands all ops in the regions of `op`.
MlirLogicalResult tileExpandRegions(TileExpansion *e, MlirOperation op);
/// Erases what has been replaced. To be called after success only.
void tileExpansionFinish(TileExpansion *e);

/// Function types and their argument attributes: an argument's dictionary goes to its first component.
MlirType tileExpandFunctionType(TileExpansion *e, MlirType type);
MlirAttribute tileExpandArgAttrs(TileExpansion *e, MlirAttribute attrs, MlirType function);

#ifdef __cplusplus
}
#endif
#endif
