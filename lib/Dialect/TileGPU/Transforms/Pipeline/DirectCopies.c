/* DirectCopies.c - loads of a pipeline that go from global memory to LDS without passing through registers (AMD,
 * buffer_load_dwordx4 lds).
 *
 * Such a copy writes 16 bytes for each lane, one lane behind the other from a base that is the warp's: where an element
 * goes cannot be chosen, but which element a lane loads can. So the buffer's layout is chosen for its readers, as always,
 * in chunks of 16 bytes, and the addresses get the layout in which the chunks of a warp's lanes follow each other in it:
 * what swizzles the buffer permutes the lanes' addresses. These are recomputed in front of the loop; inside it the base
 * of the resource moves.
 *
 * Only loads through buffer resources: a lane that is masked off has an offset outside of the resource, and gets zeros. So
 * every warp issues the same number of copies, and a wait can count them. */
#include "../BufferOffsets.h"
#include "../LayoutClasses.h"
#include "../MemoryRoots.h"
#include "Pipeline.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"

enum { COPY_BYTES = 16 };

// ---- Values in another layout ----

static bool isSplat(MlirOperation op) {
  ArithConstantOp constant = arithConstantOpCast(op);
  return !arithConstantOpIsNull(constant) &&
         mlirAttributeIsADenseElements(arithConstantOpGetValueAttr(constant)) &&
         mlirDenseElementsAttrIsSplat(arithConstantOpGetValueAttr(constant));
}

static bool isInBody(const TilePipeline *p, MlirValue v) { return tileValueGetBlock(v).ptr == p->body.ptr; }

/* What a tensor is made of in each thread: its own operands, or the tensor of another layout or shape. */
static bool followsOperands(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Arith_Constant:
    return isSplat(op);
  case TileOp_Tile_Broadcast:
  case TileOp_Tile_ExpandDims:
  case TileOp_Tile_MakeRange:
  case TileOp_Tile_Splat:
  case TileOp_Tile_Trans:
  case TileOp_TileGPU_ConvertLayout:
    return true;
  default:
    return tileOpIsElementwise(op) && mlirOperationGetNumResults(op) == 1 && tileOpIsPure(op) &&
           !mlirOperationGetNumRegions(op);
  }
}

/* Whether a value can be computed in front of the loop, a tensor in any layout: from ranges, and from scalars that do not
 * depend on the iteration. */
static bool canRemake(const TilePipeline *p, MlirValue v, int depth) {
  bool isTensor = tileTypeIsTensor(mlirValueGetType(v));
  if (!isTensor && !isInBody(p, v))
    return true;
  MlirOperation op = tileValueGetDefiningOp(v);
  bool follows = op.ptr && depth < 24 &&
                 (isTensor ? followsOperands(op) : tileOpIsPure(op) && !mlirOperationGetNumRegions(op));
  for (intptr_t i = 0; follows && i < mlirOperationGetNumOperands(op); ++i)
    follows = canRemake(p, mlirOperationGetOperand(op, i), depth + 1);
  return follows;
}

static MlirValue insertWith(TileBuilder b, MlirOperation clone, MlirType type) {
  MlirValue result = mlirOperationGetResult(clone, 0);
  mlirValueSetType(result, type);
  if (isSplat(clone)) {
    MlirAttribute value =
        mlirDenseElementsAttrGetSplatValue(arithConstantOpGetValueAttr(arithConstantOpCast(clone)));
    mlirOperationSetInherentAttributeByName(clone, tileStr("value"),
                                            mlirDenseElementsAttrSplatGet(type, value));
  }
  mlirRewriterBaseInsert(b, clone);
  return result;
}

/* The value, which canRemake has accepted, computed at the builder's place: a tensor in another layout. */
static MlirValue remake(const TilePipeline *p, MlirValue v, const TileLayout *layout) {
  MlirOperation op = tileValueGetDefiningOp(v);
  MlirType type = mlirValueGetType(v);
  bool isTensor = tileTypeIsTensor(type);
  if (!isTensor && !isInBody(p, v))
    return v;
  if (tileOpKind(op) == TileOp_TileGPU_ConvertLayout)
    return remake(p, mlirOperationGetOperand(op, 0), layout);
  TileLayout before = *layout;
  if (isTensor && mlirOperationGetNumOperands(op) && !tileOpIsElementwise(op))
    (void)tileLayoutCarryBack(op, layout, &before);
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(clone, i, remake(p, mlirOperationGetOperand(op, i), &before));
  return insertWith(p->b, clone,
                    isTensor ? tileTypeWithEncoding(type, tileLayoutToAttr(p->context, layout)) : type);
}

// ---- Which loads ----

/* Threads' chunks of 16 bytes behind each other in the buffer: those of a warp's lanes first, then the warps'. */
static bool lanesOf(const TilePipeline *p, const TileSharedLayout *shared, int elementBytes,
                    TileLayout *out) {
  const TileLayout *map = &shared->map;
  int32_t chunk = __builtin_ctz((unsigned)(COPY_BYTES / elementBytes)), all = map->bits[TileLayoutDim_Offset],
          lanes = __builtin_ctz((unsigned)p->target->info.warpSize),
          warps = __builtin_ctz((unsigned)p->target->numWarps), rest = all - chunk - lanes - warps;
  if (shared->padInterval || rest < 0 || map->bits[TileLayoutDim_Block])
    return false;
  int32_t bits[TileLayoutDim_Count] = {
      [TileLayoutDim_Register] = chunk + rest, [TileLayoutDim_Lane] = lanes, [TileLayoutDim_Warp] = warps};
  int32_t bases[TileLayout_MaxBits * TileLayout_MaxRank], order[TileLayout_MaxBits], n = 0;
  int64_t shape[TileLayout_MaxRank];
  if (all > TileLayout_MaxBits)
    return false;
  for (int32_t bit = 0; bit < all; ++bit) /* registers, lanes, warps */
    order[bit < chunk ? bit : bit < chunk + lanes + warps ? bit + rest : bit - lanes - warps] = bit;
  for (int32_t i = 0; i < all; ++i)
    for (int32_t d = 0; d < map->rank; ++d)
      bases[n++] = map->bases[TileLayoutDim_Offset][order[i]][d];
  for (int32_t d = 0; d < map->rank; ++d)
    shape[d] = map->shape[d];
  return tileLayoutFromBases(map->rank, shape, bits, bases, out);
}

/* Of pointers of the form (splat of a scalar) + offsets, as of a load that is marked as a buffer access. */
static MlirValue offsetsOf(MlirValue pointers) {
  MlirOperation op = tileValueGetDefiningOp(pointers);
  if (tileOpKind(op) != TileOp_Tile_AddPtr ||
      tileOpKind(tileValueGetDefiningOp(mlirOperationGetOperand(op, 0))) != TileOp_Tile_Splat)
    return (MlirValue){NULL};
  return mlirOperationGetOperand(op, 1);
}

static bool isMarked(TileLoadOp load) {
  return mlirOperationGetDiscardableAttributeByName(load.op, tileStr("tile_gpu.buffer")).ptr != NULL;
}

/* Whether tile-gpu-buffer-accesses will make the load a buffer access; then its parts. */
static bool willBeBuffer(const TilePipeline *p, TileLoadOp load, TileBufferParts *parts) {
  MlirValue pointers = tileLoadOpGetPtr(load), parameter = tilePointerParameter(pointers);
  TileLayout layout;
  if (isMarked(load) || !parameter.ptr || tilePointerRange(parameter) > 32 || !tileBufferIsPlain(load.op) ||
      !tileLayoutOfType(mlirValueGetType(pointers), &layout) || tileBufferPartsOf(pointers, parts) ||
      !tileBufferIsUniform(parts) || tileBufferMayLeadBack(parts))
    return false;
  int64_t bytes = (int64_t)tileElementTypeSize(tilePointeeElement(mlirValueGetType(pointers)));
  TileAccessPlan plan = tileAccessPlan(p->axis, &p->target->info, pointers, tileLoadOpGetMask(load), &layout,
                                       8 * (bytes ? bytes : 1));
  return bytes && (!plan.twoForms || plan.width == plan.wideWidth);
}

bool tilePipelineMarkBuffers(TilePipeline *p) {
  TileBufferParts parts;
  bool any = false;
  for (int i = 0; i < p->numLoads; ++i)
    if (willBeBuffer(p, p->loads[i].op, &parts)) {
      tileBufferRewrite(p->b, p->loads[i].op.op, &parts, (MlirValue){NULL});
      any = true;
    }
  return any;
}

/* Whether a mask can be had in the copy's layout, and what is masked off may be zero. */
static bool masksFit(const TilePipeline *p, TileLoadOp load) {
  MlirValue mask = tileLoadOpGetMask(load), other = tileLoadOpGetOther(load);
  return !mask.ptr || (canRemake(p, mask, 0) && (!other.ptr || tileValueIsPositiveZero(other)));
}

bool tilePipelineHasDirectCopies(const TileTargetInfo *target) {
  return tileTargetHas(target, TileFeature_LdsDma) && tileTargetHas(target, TileFeature_BufferOps) &&
         (target->asyncCopyBytes & COPY_BYTES);
}

void tilePipelineTryDirect(TilePipeline *p, int i) {
  TilePipelineLoad *load = &p->loads[i];
  MlirValue pointers = tileLoadOpGetPtr(load->op);
  int bytes = (int)tileElementTypeSize(tilePointeeElement(mlirValueGetType(pointers)));
  TileLayout lanes;
  if (load->mode != TileCopy_Staged || !tilePipelineHasDirectCopies(&p->target->info) ||
      bytes > COPY_BYTES / 2 || !isMarked(load->op) || !masksFit(p, load->op))
    return;
  load->isDirect = true; /* for the choice of the layout */
  bool fits = tilePipelineChooseLayout(p, i) && lanesOf(p, &load->layout, bytes, &lanes);
  load->isDirect = false;
  if (!fits)
    return;
  TileAccessPlan plan =
      tileAccessPlan(p->axis, &p->target->info, pointers, tileLoadOpGetMask(load->op), &lanes, 8 * bytes);
  if (plan.width * bytes < COPY_BYTES || plan.aligned < plan.width)
    return;
  MlirValue offsets = offsetsOf(tileLoadOpGetPtr(load->op));
  if (!offsets.ptr || !canRemake(p, offsets, 0))
    return;
  load->isDirect = true;
  load->lanes = tileLayoutToAttr(p->context, &lanes);
  load->mode = TileCopy_Async;
}

void tilePipelinePrepareDirect(TilePipeline *p, TilePipelineLoad *load) {
  TileLayout lanes;
  MlirType pointers = mlirValueGetType(tileLoadOpGetPtr(load->op));
  if (!load->isDirect || !tileLayoutOfType(tileTypeWithEncoding(pointers, load->lanes), &lanes))
    return;
  MlirValue mask = tileLoadOpGetMask(load->op);
  load->offsets = remake(p, offsetsOf(tileLoadOpGetPtr(load->op)), &lanes);
  load->mask = mask.ptr ? remake(p, mask, &lanes) : mask;
}

MlirValue tilePipelineDirectPointers(TilePipeline *p, const TilePipelineLoad *load, MlirValue pointers) {
  MlirOperation splat = tileValueGetDefiningOp(mlirOperationGetOperand(tileValueGetDefiningOp(pointers), 0));
  MlirLocation loc = mlirOperationGetLocation(load->op.op);
  MlirType type = tileTypeWithEncoding(mlirValueGetType(pointers), load->lanes);
  MlirValue base =
      tileSplatOpGetResult(tileSplatOpCreate(p->b, loc, type, mlirOperationGetOperand(splat, 0)));
  return tileAddPtrOpGetResult(tileAddPtrOpCreate(p->b, loc, type, base, load->offsets));
}
