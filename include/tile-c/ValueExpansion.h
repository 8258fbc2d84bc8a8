/* ValueExpansion.h - values of a compound type (descriptors, block pointers) become the values they consist
 * of, through loops, branches, calls and selections.
 *
 *     static const TileExpansionRules rules = {isDescriptor, appendComponentTypes, expandOp};
 *     TileExpansion e = {.rules = &rules, .context = context, .builder = b, .arena = &arena, ...};
 *     e.components.arena = &arena;
 *     tileExpandArguments(&e, entry, loc);  // if a function takes such values
 *     TRY(tileExpandRegions(&e, function));
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
#include "tile-c/Support/PointerMap.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handles appended one by one; memory is the arena's.
typedef struct TileHandleList {
  intptr_t count, capacity;
  const void **items;
} TileHandleList;
void tileHandleListAppend(TileArena *arena, TileHandleList *list, const void *item);

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
  void (*types)(TileExpansion *e, MlirType type, TileHandleList *out);
  /// An op with an operand or result of such a type; the builder stands in front of it. *out_erased: the op
  /// is gone already.
  TileExpanded (*expand)(TileExpansion *e, MlirOperation op, bool *out_erased);
} TileExpansionRules;

/// Set the first five members and `components.arena`, leave the rest zero.
struct TileExpansion {
  const TileExpansionRules *rules;
  MlirContext context;
  TileBuilder builder; ///< the caller's
  TileArena *arena;
  void *user;
  TilePointerMap components; ///< value -> its components, MlirValue[]
  TileHandleList deadOps;    ///< replaced ops, users after their operands' owners
  TileHandleList deadArgs;   ///< replaced block arguments
};

/// The components of a value; null, after a diagnostic at `user`, if nothing is known of it.
MlirValue *tileExpansionGet(TileExpansion *e, MlirOperation user, MlirValue value);
/// Room for the components of a value, and their number; the caller fills it.
MlirValue *tileExpansionNew(TileExpansion *e, MlirValue value, intptr_t *out_count);
/// Gives a block new arguments behind each of a compound type.
void tileExpandArguments(TileExpansion *e, MlirBlock block, MlirLocation loc);
/// Expands all ops in the regions of `op`.
MlirLogicalResult tileExpandRegions(TileExpansion *e, MlirOperation op);
/// Erases what has been replaced. To be called after success only.
void tileExpansionFinish(TileExpansion *e);

/// Function types and their argument attributes. An argument's dictionary goes to its first component;
/// `extra` (may be null) gives that of component k (0 is the first), from the original's.
MlirType tileExpandFunctionType(TileExpansion *e, MlirType type);
MlirAttribute tileExpandArgAttrs(TileExpansion *e, MlirAttribute attrs, MlirType function,
                                 MlirAttribute (*extra)(TileExpansion *e, MlirType type, intptr_t k,
                                                        MlirAttribute original));

#ifdef __cplusplus
}
#endif
#endif
