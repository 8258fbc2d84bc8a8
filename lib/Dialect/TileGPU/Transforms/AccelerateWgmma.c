/* AccelerateWgmma.c - tile-gpu-accelerate-wgmma: products that warp groups can compute get their factors in
 * shared memory.
 *
 *   %d = tile.dot %a, %b, %c : tensor<64x64xf16> * tensor<64x128xf16> -> tensor<64x128xf32>
 * becomes (sm_90a, four warps)
 *   %m = tile_gpu.alloc %a : (tensor<64x64xf16>) -> !tile_gpu.memdesc<64x64xf16, #swizzled128>
 *   %n = tile_gpu.alloc %b : (tensor<64x128xf16>) -> !tile_gpu.memdesc<64x128xf16, #swizzled128>
 *   tile_gpu.fence_async %m, %n
 *   %s = tile_gpu.wgmma %m, %n, %c warps = [4, 1]
 *   %d = tile_gpu.wgmma_wait 0 (%s)
 *
 * Rows of a buffer run along the dimension in which the factor's memory runs, so that its way there is short;
 * what is not 16 bits wide has to have rows along K. A transposed factor is a transposed view of a buffer. The
 * pipeliner lets copies fill the buffers.
 *
 * requires: module attributes; tile_gpu.layout on loads (tile-gpu-coalesce); sizes that are powers of two.
 * ensures: the same sums, in the order and with the bits of the chip's instruction. */
#include "TensorMaps.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

typedef struct Products {
  TileBuilder b;
  const TileModuleTarget *target;
  TilePointerList dots;
  MlirOperation dot; ///< the product that is rewritten
  bool descriptors;  ///< factors are blocks that the copy engine brings
} Products;

// ---- Which ----

static bool takesTypes(TileDotOp dot, TileElementType a, TileElementType b, TileElementType c) {
  if (a != b)
    return false;
  switch (a) {
  case TileElementType_F16:
  case TileElementType_BF16:
    return c == TileElementType_F32;
  case TileElementType_F32:
    return c == TileElementType_F32 && tileDotOpGetPrecision(dot) == TileInputPrecision_TF32;
  case TileElementType_I8:
    return c == TileElementType_I32;
  default: // sums of 8-bit floats are short of bits
    return false;
  }
}

static bool findShape(const TileModuleTarget *target, TileDotOp dot, TileWarpGroupShape *out) {
  MlirType types[3] = {mlirValueGetType(tileDotOpGetA(dot)), mlirValueGetType(tileDotOpGetB(dot)),
                       mlirValueGetType(tileDotOpGetC(dot))};
  int64_t a[3], c[3];
  return tileTypeGetShape(types[0], a, 3) == 2 && tileTypeGetShape(types[2], c, 3) == 2 &&
         takesTypes(dot, tileElementTypeOf(types[0]), tileElementTypeOf(types[1]),
                    tileElementTypeOf(types[2])) &&
         tileWarpGroupShape(c[0], c[1], a[1], target->numWarps, tileElementTypeOf(types[0]), out);
}

// ---- Factors ----

/* The dimension of neighbours in a thread, or else lane. */
static int fastestOfLayout(const TileLayout *layout) {
  for (int in = TileLayoutDim_Register; in <= TileLayoutDim_Lane; ++in)
    for (int32_t bit = 0; bit < layout->bits[in]; ++bit)
      for (int32_t d = 0; d < layout->rank; ++d)
        if (layout->bases[in][bit][d])
          return d;
  return layout->rank - 1;
}

/* The dimension along which a factor's elements follow each other in memory, as far as that is known. */
static int fastestOf(MlirValue v) {
  for (int depth = 0; depth < 8; ++depth) {
    MlirOperation op = tileValueGetDefiningOp(v);
    TileLayout layout;
    int64_t shape[2];
    if (!op.ptr)
      break;
    if (tileOpKind(op) == TileOp_Tile_Load) {
      MlirAttribute preferred = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.layout"));
      return preferred.ptr && tileTypeGetShape(mlirValueGetType(v), shape, 2) == 2 &&
                     tileLayoutFromAttr(preferred, shape, 2, &layout)
                 ? fastestOfLayout(&layout)
                 : 1;
    }
    if (!tileOpIsPure(op) || mlirOperationGetNumRegions(op) || !mlirOperationGetNumOperands(op) ||
        tileTypeNumElements(mlirValueGetType(mlirOperationGetOperand(op, 0))) !=
            tileTypeNumElements(mlirValueGetType(v)))
      break;
    v = mlirOperationGetOperand(op, 0);
  }
  return 1;
}

/* What a factor is read by, if its only user is the product or a transposition. */
static TileDescLoadOp blockOf(MlirValue v) { return tileDescLoadOpCast(tileValueGetDefiningOp(v)); }

static bool isBlock(MlirValue v) {
  TileTransOp trans = tileTransOpCast(tileValueGetDefiningOp(v));
  return !tileDescLoadOpIsNull(blockOf(tileTransOpIsNull(trans) ? v : tileTransOpGetSrc(trans)));
}

/* The op in whose region `op` lies and which stands in the block that makes `v`: a loop in which the value stays
 * the same. `op` itself if it stands there. */
static MlirOperation outermostWith(MlirOperation op, MlirValue v) {
  MlirBlock block = tileValueGetBlock(v);
  MlirOperation at = op;
  while (at.ptr && !mlirBlockEqual(mlirOperationGetBlock(at), block))
    at = mlirOperationGetParentOperation(at);
  return at.ptr && tileOpKind(at) != TileOp_Func_Func ? at : op;
}

static MlirValue allocate(Products *p, MlirLocation loc, MlirValue v, int kDim) {
  if (p->descriptors)
    return tileTmaBufferFor(p->b, blockOf(v), kDim);
  MlirType type = mlirValueGetType(v), element = tileTypeGetElement(type);
  int64_t shape[2];
  int fastest = fastestOf(v);
  tileTypeGetShape(type, shape, 2);
  if (tileElementTypeSize(tileElementTypeOf(element)) != 2)
    fastest = kDim;
  MlirType buffer = tileWarpGroupBufferType(element, shape, fastest);
  if (!buffer.ptr && fastest != kDim)
    buffer = tileWarpGroupBufferType(element, shape, kDim);
  if (!buffer.ptr)
    return (MlirValue){NULL};
  mlirRewriterBaseSetInsertionPointBefore(p->b, outermostWith(p->dot, v));
  MlirValue made = tileGPUAllocOpGetResult(tileGPUAllocOpCreate(p->b, loc, buffer, v));
  mlirRewriterBaseSetInsertionPointBefore(p->b, p->dot);
  return made;
}

static MlirValue transposedView(Products *p, MlirLocation loc, MlirValue buffer) {
  MlirType type = mlirValueGetType(buffer);
  static const int32_t order[2] = {1, 0};
  TileMemDesc desc;
  if (!tileMemDescOf(type, &desc))
    return buffer;
  TileSharedLayout turned = desc.layout;
  (void)tileLayoutTranspose(&desc.layout.map, order, &turned.map);
  MlirType to = tileMemDescTypeFor(tileGPUMemDescTypeGetElementType(type), &turned, desc.alignment, 0);
  return tileGPUTransOpGetResult(tileGPUTransOpCreate(
      p->b, loc, to, buffer, mlirDenseI32ArrayGet(mlirLocationGetContext(loc), 2, order)));
}

/* A buffer with the factor, whose K is dimension kDim; the alloc in *out_alloc. Null: rows would be too short. */
static MlirValue makeFactor(Products *p, MlirLocation loc, MlirValue v, int kDim, MlirValue *out_alloc) {
  TileTransOp trans = tileTransOpCast(tileValueGetDefiningOp(v));
  if (tileTransOpIsNull(trans))
    return *out_alloc = allocate(p, loc, v, kDim);
  *out_alloc = allocate(p, loc, tileTransOpGetSrc(trans), 1 - kDim);
  return out_alloc->ptr ? transposedView(p, loc, *out_alloc) : *out_alloc;
}

// ---- Rewriting ----

static bool rewrite(Products *p, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirOperationGetContext(op);
  TileWarpGroupShape shape;
  MlirValue allocs[2] = {{NULL}, {NULL}};
  if (!findShape(p->target, dot, &shape) ||
      (p->descriptors && (!isBlock(tileDotOpGetA(dot)) || !isBlock(tileDotOpGetB(dot)))))
    return false;
  mlirRewriterBaseSetInsertionPointBefore(p->b, op);
  p->dot = op;
  MlirValue a = makeFactor(p, loc, tileDotOpGetA(dot), 1, &allocs[0]);
  MlirValue b = a.ptr ? makeFactor(p, loc, tileDotOpGetB(dot), 0, &allocs[1]) : a;
  if (!b.ptr) {
    if (allocs[0].ptr && tileValueIsUnused(allocs[0]))
      mlirRewriterBaseEraseOp(p->b, tileValueGetDefiningOp(allocs[0]));
    return false;
  }
  if (!p->descriptors)
    tileGPUFenceAsyncOpCreate(p->b, loc, 2, allocs);
  int64_t warps[2] = {shape.warpsM, shape.warpsN};
  MlirValue c = tileDotOpGetC(dot);
  MlirType type = mlirValueGetType(c);
  MlirValue started = tileGPUWgmmaOpGetResult(
      tileGPUWgmmaOpCreate(p->b, loc, type, a, b, c, mlirDenseI64ArrayGet(context, 2, warps)));
  MlirValue done = tileGPUWgmmaWaitOpGetResults(
      tileGPUWgmmaWaitOpCreate(p->b, loc, 1, &type, 1, &started, tileI32Attr(context, 0)), 0);
  mlirValueReplaceAllUsesOfWith(tileDotOpGetResult(dot), done);
  mlirRewriterBaseEraseOp(p->b, op);
  return true;
}

static MlirWalkResult collect(MlirOperation op, void *user) {
  Products *p = user;
  if (tileOpKind(op) == TileOp_Tile_Dot)
    tilePointerListAppend(&p->dots, op.ptr);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileGPUAccelerateWgmmaRun(MlirOperation module,
                                            const TileGPUAccelerateWgmmaParams *params) {
  TileModuleTarget target;
  TILE_TRY(tileModuleTargetRead(module, &target));
  if (!tileTargetHas(&target.info, TileFeature_WGMMA) ||
      (params->descriptors && !tileTargetHas(&target.info, TileFeature_TMA)))
    return tileSuccess();
  TileArena arena = {0};
  Products p = {.b = mlirIRRewriterCreate(mlirOperationGetContext(module)),
                .target = &target,
                .dots = {.arena = &arena},
                .descriptors = params->descriptors};
  mlirOperationWalk(module, collect, &p, MlirWalkPreOrder);
  for (size_t i = 0; i < p.dots.count; ++i)
    *params->numProducts += rewrite(&p, (MlirOperation){(void *)p.dots.items[i]});
  mlirIRRewriterDestroy(p.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
