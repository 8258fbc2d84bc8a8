/* AccessPlan.c - chooses the width of a tensor's accesses: what the axis analysis proves about the addresses,
 * what the mask allows, what the layout keeps together in one thread, and what the chip has. */
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Bits.h"

/* Seven predicate registers of an NVIDIA thread are few: in a loop, more narrow accesses with a condition each are kept apart by
 * them. (H200: without a form for masks that are all true a product with a bias takes 1.8 times as long, others 0.92 to 1.07.)
 * Elsewhere the second form costs more than predicates do (times of 0.88 to 1.00 without it; gathers 1.01). So it does for any number of
 * accesses under few conditions, and for gathers in front of a loop, which run once (products of factors with any strides 1.00 to 1.11 times as
 * fast without it, 1400 bytes of spills became 196). Not so for bytes: without it
 * products of weights that bytes become take 1.1 to 1.7 times as long; those of bytes by warp groups 0.65 to 0.84, since what meets
 * behind both forms of so many loads is spilled. */
enum { MANY_PREDICATES = 3 };

static MlirWalkResult findByteProduct(MlirOperation op, void *found) {
  TileGPUWgmmaOp product = tileGPUWgmmaOpCast(op);
  if (tileGPUWgmmaOpIsNull(product))
    return MlirWalkResultAdvance;
  MlirType factor = tileGPUMemDescTypeGetElementType(mlirValueGetType(tileGPUWgmmaOpGetB(product)));
  if (tileElementTypeBits(tileElementTypeOf(factor)) != 8)
    return MlirWalkResultAdvance;
  *(bool *)found = true;
  return MlirWalkResultInterrupt;
}

/* Whether the kernel multiplies bytes by warp groups. */
static bool multipliesBytes(MlirValue v) {
  bool found = false;
  MlirOperation op = mlirBlockGetParentOperation(tileValueGetBlock(v));
  while (op.ptr && tileOpKind(op) != TileOp_Func_Func)
    op = mlirOperationGetParentOperation(op);
  if (op.ptr)
    mlirOperationWalk(op, findByteProduct, &found, MlirWalkPreOrder);
  return found;
}

/* Whether a loop stands in the block: what stands beside it runs once, and most of the time is spent inside. */
static bool hasLoop(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_SCF_For || tileOpKind(op) == TileOp_SCF_While)
      return true;
  return false;
}

static bool takesTwoOfOneWidth(const TileTargetInfo *target, MlirValue ptr, MlirValue mask, bool gathers,
                               int64_t conditions, int64_t bits) {
  if (bits >= target->maxVectorBits || conditions <= MANY_PREDICATES)
    return false;
  MlirBlock block = tileValueGetBlock(ptr);
  if (bits == 8)
    return !multipliesBytes(ptr);
  return tileBlockIsInLoop(block) || tileBlockIsInLoop(tileValueGetBlock(mask)) ||
         (gathers && !hasLoop(block));
}

/* How many conditions the masks of a thread's registers are, as far as is known: one for those that a mask does not tell apart. */
static int64_t conditionsOf(const TileAxis *masks, const TileLayout *layout) {
  int64_t conditions = 1;
  for (int bit = 0; bit < layout->bits[TileLayoutDim_Register]; ++bit) {
    const int32_t *basis = tileLayoutBasis(layout, TileLayoutDim_Register, bit);
    bool apart = false;
    for (int d = 0; d < layout->rank; ++d)
      apart |= basis[d] >= (masks ? masks->dims[d].constancy : 1);
    conditions <<= apart;
  }
  return conditions;
}

TileAccessPlan tileAccessPlan(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr,
                              MlirValue mask, const TileLayout *layout, int64_t bits) {
  const TileAxis *known = tileAxisInfoOf(info, ptr), *masks = mask.ptr ? tileAxisInfoOf(info, mask) : NULL;
  TileAxis reach;
  const TileAxis *pointers = tileAccessAxis(info, target, ptr, &reach) ? &reach : NULL;
  int64_t most = target->maxGlobalVectorBits, registers = tileLayoutNumRegisters(layout), any = 1;
  TileAccessVector wide = tileAccessVector(pointers, NULL, layout, bits, most, true);
  TileAccessPlan plan = {wide.dim, mask.ptr ? 1 : (int)wide.width, (int)wide.width, 1, false};
  if (known && known->type.rank == layout->rank)
    plan.aligned = (int)tileLeast(known->dims[wide.dim].contiguity, most);
  if (!mask.ptr)
    return plan;
  if (masks)
    plan.width = (int)tileAccessVectorWidth(pointers, masks, layout, bits, most);
  int64_t group = tileAxisInfoMaskGroup(info, mask, wide.dim);
  while (plan.wideWidth > plan.width && plan.wideWidth > group)
    plan.wideWidth /= 2;
  for (int d = 0; d < layout->rank; ++d) {
    int64_t along = tileAxisInfoMaskGroup(info, mask, d);
    any = along > any ? along : any;
  }
  bool gathers = tileAxisRunDim(pointers) < 0;
  int64_t accesses = registers / plan.width;
  int64_t conditions = tileLeast(accesses, conditionsOf(masks, layout));
  bool again = target->vendor == TileVendor_AMD
                   ? accesses > 1 /* each would have a branch around it */
                   : takesTwoOfOneWidth(target, ptr, mask, gathers, conditions, plan.width * bits);
  plan.twoForms = any > 1 && (plan.wideWidth > plan.width || again);
  return plan;
}

TileAccessLimits tileAccessLimits(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr,
                                  MlirValue mask, const TileLayout *layout, int64_t bits,
                                  const TileAccessPlan *plan) {
  TileAxis reach;
  const TileAxis *pointers = tileAccessAxis(info, target, ptr, &reach) ? &reach : NULL;
  int32_t dim = plan->dim, running = tileAxisRunDim(pointers);
  if (plan->wideWidth == 1 && running >= 0)
    dim = running;
  TileAxisDim axis = tileAxisInfoGet(info, ptr, dim);
  int64_t chip = target->maxGlobalVectorBits / bits;
  TileLayoutVector held = tileLayoutVector(layout, dim, layout->shape[dim], true);
  return (TileAccessLimits){.dim = dim,
                            .chip = chip > 1 ? chip : 1,
                            .run = axis.run,
                            .address = pointers && dim < pointers->type.rank ? pointers->dims[dim].contiguity
                                                                             : axis.contiguity,
                            .mask = mask.ptr ? tileAxisInfoMaskGroup(info, mask, dim) : chip,
                            .layout = INT64_C(1) << held.elementBits,
                            .alignment = tileLeast(axis.divisibility, target->maxGlobalVectorBits / 8)};
}
