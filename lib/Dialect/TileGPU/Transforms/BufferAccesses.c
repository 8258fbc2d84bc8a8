/* BufferAccesses.c - tile-gpu-buffer-accesses: accesses through a buffer resource, whose base is in scalar registers
 * and whose offsets have 32 bits.
 *
 *   %p = tile.addptr %rows, %columns : tensor<128x64x!tile.ptr<f16>>, tensor<128x64xi32>   // rows: of %a
 *   scf.for ... iter_args(%d = 0) {
 *     %s = tile.splat %d : tensor<128x64xi64>
 *     %q = tile.addptr %p, %s
 *     %v = tile.load %q mask %m
 * becomes, if all that is reached through %a lies less than 2^31 bytes behind it (tile.pointer_range = 32),
 *   %o = arith.addi (offsets of %rows), %columns : tensor<128x64xi32>
 *   scf.for ... {
 *     %b = tile.addptr %a, %d : !tile.ptr<f16>, i64
 *     %q = tile.addptr (tile.splat %b), %o
 *     %v = tile.load %q mask %m {tile_gpu.buffer}
 *
 * Loads of loops that tile-gpu-split-loops has prepared are marked already.
 *
 * The loop then moves one scalar, and a mask is an offset outside of the resource instead of a branch. Accesses that
 * stay as they are get the reason as `tile_gpu.not_buffer`, for the report.
 *
 * requires: layouts. ensures: pointers of marked accesses are one scalar pointer plus offsets of 32 bits, whose
 * products with the element's size, modulo 2^32, lie below 2^31 wherever something is accessed. */
#include "BufferOffsets.h"
#include "MemoryRoots.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

typedef struct Buffers {
  const TileModuleTarget *target;
  const TileAxisInfo *axis;
  TileBuilder b;
  TilePointerList accesses;
} Buffers;

/* Null if the access can go through a buffer. */
static const char *refuse(const Buffers *p, MlirOperation op, TileBufferParts *parts) {
  TilePointerAccess access = tilePointerAccessOf(op);
  TileLayout layout;
  if (!tileLayoutOfType(mlirValueGetType(access.ptr), &layout))
    return "it is of one element";
  if (tilePointeeElement(mlirValueGetType(access.ptr)) == TileElementType_None)
    return "its elements are no numbers";
  if (!tileBufferIsPlain(op))
    return "it has cache hints or is volatile";
  const char *reason = tileBufferPartsOf(access.ptr, parts);
  if (reason)
    return reason;
  if (!tileBufferIsUniform(parts))
    return "the pointers depend on numbers that were loaded";
  int bits = 8 * (int)tileElementTypeSize(tilePointeeElement(mlirValueGetType(access.ptr)));
  TileAccessPlan plan = tileAccessPlan(p->axis, &p->target->info, access.ptr, access.mask, &layout, bits);
  if (plan.twoForms && plan.width < plan.wideWidth && tileOpKind(op) == TileOp_Tile_Load)
    return "the mask may change within an access";
  if (tileBufferMayLeadBack(parts))
    return "offsets may lead back from where scalars moved the pointer";
  MlirValue parameter = tilePointerParameter(access.ptr);
  return parameter.ptr && tilePointerRange(parameter) <= 32
             ? NULL
             : "nothing says that 32 bits reach all elements (tile.pointer_range)";
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  TileOpKind kind = tileOpKind(op);
  if ((kind == TileOp_Tile_Load || kind == TileOp_Tile_Store) &&
      !mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.buffer")).ptr &&
      tileTypeIsTensor(mlirValueGetType(tilePointerAccessOf(op).ptr)))
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUBufferAccessesRun(MlirOperation module, const TileGPUBufferAccessesParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_BufferOps))
    return tileSuccess();
  TileArena arena = {0};
  Buffers p = {.target = &target, .accesses = {.arena = &arena}};
  p.axis = tileAxisInfoCreate(module);
  p.b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  mlirOperationWalk(module, collect, &p.accesses, MlirWalkPreOrder);
  for (size_t i = 0; p.axis && i < p.accesses.count; ++i) {
    MlirOperation op = {(void *)p.accesses.items[i]};
    TileBufferParts parts;
    const char *reason = refuse(&p, op, &parts);
    if (reason)
      mlirOperationSetDiscardableAttributeByName(
          op, tileStr("tile_gpu.not_buffer"),
          mlirStringAttrGet(mlirOperationGetContext(op), tileStr(reason)));
    else
      tileBufferRewrite(p.b, op, &parts, (MlirValue){NULL});
    ++*(reason ? params->numOthers : params->numBuffers);
  }
  mlirRewriterBaseClearInsertionPoint(p.b);
  mlirIRRewriterDestroy(p.b);
  tileAxisInfoRelease((TileAxisInfo *)(void *)p.axis);
  tileArenaRelease(&arena);
  return tileSuccess();
}
