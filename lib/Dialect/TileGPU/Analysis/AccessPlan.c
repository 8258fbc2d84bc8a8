/* AccessPlan.c - chooses the width of a tensor's accesses: what the axis analysis proves about the addresses,
 * what the mask allows, what the layout keeps together in one thread, and what the chip has. */
#include "tile-c/AccessPlan.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Bits.h"

/* Seven predicate registers of an NVIDIA thread are few: in a loop, more narrow accesses with a predicate each are kept apart by
 * them. (H200: without a form for masks that are all true a product with a bias takes 1.8 times as long, others 0.92 to 1.07.)
 * Elsewhere the second form costs more than predicates do (times of 0.88 to 1.01 without it), and for bytes one by one, of which
 * there are so many that what meets behind both forms is spilled, it does in loops too (0.67). */
enum { MANY_PREDICATES = 3 };

static bool isInLoop(MlirValue v) {
  MlirOperation op = mlirBlockGetParentOperation(tileValueGetBlock(v));
  for (; op.ptr; op = mlirOperationGetParentOperation(op))
    if (tileOpKind(op) == TileOp_SCF_For || tileOpKind(op) == TileOp_SCF_While)
      return true;
  return false;
}

static bool takesTwoOfOneWidth(const TileTargetInfo *target, MlirValue ptr, MlirValue mask, int64_t accesses,
                               int64_t bits) {
  if (target->vendor == TileVendor_AMD)
    return accesses > 1; /* each would have a branch around it */
  bool bytes = bits == 8;
  return bits < target->maxVectorBits && accesses > MANY_PREDICATES && !bytes &&
         (isInLoop(ptr) || isInLoop(mask));
}

TileAccessPlan tileAccessPlan(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr,
                              MlirValue mask, const TileLayout *layout, int64_t bits) {
  const TileAxis *pointers = tileAxisInfoOf(info, ptr), *masks = mask.ptr ? tileAxisInfoOf(info, mask) : NULL;
  int64_t most = target->maxGlobalVectorBits, registers = tileLayoutNumRegisters(layout), any = 1;
  TileAccessVector wide = tileAccessVector(pointers, NULL, layout, bits, most, true);
  TileAccessPlan plan = {wide.dim, mask.ptr ? 1 : (int)wide.width, (int)wide.width, false};
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
  bool again = takesTwoOfOneWidth(target, ptr, mask, registers / plan.width, plan.width * bits);
  plan.twoForms = any > 1 && (plan.wideWidth > plan.width || again);
  return plan;
}

TileAccessLimits tileAccessLimits(const TileAxisInfo *info, const TileTargetInfo *target, MlirValue ptr,
                                  MlirValue mask, const TileLayout *layout, int64_t bits,
                                  const TileAccessPlan *plan) {
  const TileAxis *pointers = tileAxisInfoOf(info, ptr);
  int32_t dim = plan->dim, running = tileAxisRunDim(pointers);
  if (plan->wideWidth == 1 && running >= 0)
    dim = running;
  TileAxisDim axis = tileAxisInfoGet(info, ptr, dim);
  int64_t chip = target->maxGlobalVectorBits / bits;
  TileLayoutVector held = tileLayoutVector(layout, dim, layout->shape[dim], true);
  return (TileAccessLimits){.dim = dim,
                            .chip = chip > 1 ? chip : 1,
                            .run = axis.run,
                            .address = axis.contiguity,
                            .mask = mask.ptr ? tileAxisInfoMaskGroup(info, mask, dim) : chip,
                            .layout = INT64_C(1) << held.elementBits,
                            .alignment = tileLeast(axis.divisibility, target->maxGlobalVectorBits / 8)};
}
