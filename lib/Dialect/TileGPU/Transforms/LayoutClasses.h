/* LayoutClasses.h - which values must share a layout, and how layouts carry over between classes.
 *
 * Values that element-wise and memory ops, loop carries and branch results force to be equal form one class.
 * An access of memory is apart from what it loads or stores if that is an accumulator of matrix
 * instructions: whether addresses follow the accumulator's layout or data are converted is a matter of cost.
 * Shape ops (expand_dims, broadcast, trans, reshape, join, split, cat) join two classes by an edge along
 * which the algebra carries a layout. Producers that any thread can compute for itself (constants, splats,
 * ranges) belong to no class: they are cloned where needed. */
#ifndef TILE_LIB_TILEGPU_LAYOUTCLASSES_H
#define TILE_LIB_TILEGPU_LAYOUTCLASSES_H
#include "tile-c/IR.h"
#include "tile-c/Layout.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerMap.h"

/// A node of the union-find forest: an op with tensors, or a tensor value.
typedef struct LayoutNode {
  struct LayoutNode *parent; ///< null at a root
  MlirType type;             ///< a tensor type of the class (shape)
  MlirAttribute layout;      ///< of a root, once chosen
  MlirOperation access;      ///< of a root: the first load or store whose data are in the class
  bool isMatrix;             ///< a matrix instruction's accumulator is in the class
} LayoutNode;

typedef enum LayoutRole {
  LayoutRole_None,        ///< no tensors, or nothing to say
  LayoutRole_Free,        ///< any thread can compute it: constant, splat, range
  LayoutRole_Elementwise, ///< all tensors of the op share one layout (memory ops too)
  LayoutRole_Shape,       ///< operand and result layouts follow from each other
  LayoutRole_Operands,    ///< operands share one layout, the result has one of its own
  LayoutRole_Reduce,      ///< operands share one layout, results have its slice
  LayoutRole_Dot,         ///< accumulator and result share one layout, the factors have their own
  LayoutRole_Mma,         ///< the same, and all layouts are the instruction's
  LayoutRole_Gather,      ///< indices and result share one layout, the source has its own
  LayoutRole_Region,      ///< scf: carries
  LayoutRole_Other,       ///< tensors of several shapes, each with a layout of its own
  LayoutRole_Convert      ///< tile_gpu.convert_layout: unrelated
} LayoutRole;

typedef struct LayoutClasses {
  TileArena *arena;
  /// Whether an access of memory is cheaper in a layout of its own, with its data converted, than in that of an
  /// access which was there before. May be null: never.
  bool (*prefersOwn)(void *user, MlirOperation op, MlirOperation first);
  void *user;
  TilePointerMap nodes;     ///< op or value -> LayoutNode
  const MlirOperation *ops; ///< all ops with tensors, in walk order
  size_t numOps;
} LayoutClasses;

LayoutRole tileLayoutRole(MlirOperation op);
/// Results of broadcasts are computed anew for users that want another layout; so they do not force their users to
/// agree: a mask may be that of a load and that of a product's result. They take the layout of a user.
bool tileLayoutFollowsUser(MlirValue v);
/// True for ops that may be cloned to have their result in another layout.
bool tileLayoutIsCheap(MlirOperation op);
/// How many consecutive elements the op wants in one thread.
int64_t tileElementsPerPack(MlirOperation op);
/// Whether the op's lowering can work with this layout on its tensors.
bool tileLayoutSuits(MlirOperation op, const TileLayout *layout);
void tileLayoutClassesBuild(LayoutClasses *c, MlirOperation function);
/// Root of the class of an op or value; null if it has none.
LayoutNode *tileLayoutClassOf(LayoutClasses *c, const void *opOrValue);

/// Layout of a shape op's operand that makes the op free, given the result's; and the other way round.
bool tileLayoutCarryBack(MlirOperation op, const TileLayout *result, TileLayout *out);
bool tileLayoutCarryForward(MlirOperation op, const TileLayout *operand, TileLayout *out);

#endif
