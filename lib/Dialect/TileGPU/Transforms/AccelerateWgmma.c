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
 * pipeliner lets copies fill the buffers. A factor from outside of a loop is stored there. A first factor of 16 bits that follows from a product stays where it is,
 * in registers (attention).
 *
 * requires: module attributes; tile_gpu.layout on loads (tile-gpu-coalesce); sizes that are powers of two.
 * ensures: the same sums, in the order and with the bits of the chip's instruction. */
#include "AccelerateWgmma.h"
#include "TensorMaps.h"
#include "WidenedFactors.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUModule.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Passes.h"
#include "tile-c/Support/PointerList.h"

enum { MAX_MADE = 64, UNLIMITED = 1 << 20 /* elements of K: docs/spec/numerics.md */ };

/* A factor that is made where its source is, for all products of it. */
typedef struct Made {
  MlirValue source, alloc;
} Made;

typedef struct Products {
  TileBuilder b;
  const TileModuleTarget *target;
  TilePointerList dots;
  Made made[MAX_MADE];
  int numMade;
  MlirValue unfenced[2]; ///< made in front of the product
  int numUnfenced;
  bool descriptors; ///< factors are blocks that the copy engine brings
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
  case TileElementType_F8E4M3FN:
  case TileElementType_F8E5M2: // their sums are short of bits
    return c == TileElementType_F32 && tileDotOpGetImpreciseAcc(dot) >= UNLIMITED;
  default:
    return false;
  }
}

bool tileWgmmaShapeOf(const TileModuleTarget *target, TileDotOp dot, TileWarpGroupShape *out) {
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

/* What a factor is read by, if its only user is the product or a transposition. A matrix of a block of more dimensions is one too. */
static TileDescLoadOp blockOf(MlirValue v) {
  TileReshapeOp reshape = tileReshapeOpCast(tileValueGetDefiningOp(v));
  if (tileReshapeOpIsNull(reshape))
    return tileDescLoadOpCast(tileValueGetDefiningOp(v));
  MlirType matrix = tileBlockMatrix(mlirValueGetType(tileReshapeOpGetSrc(reshape)));
  return tileDescLoadOpCast(matrix.ptr && mlirTypeEqual(matrix, mlirValueGetType(v))
                                ? tileValueGetDefiningOp(tileReshapeOpGetSrc(reshape))
                                : (MlirOperation){NULL});
}

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

/* Before the product or loops in which the factor stays the same (true); blocks of descriptors where they are
 * loaded (true). */
static bool place(Products *p, MlirValue v, MlirOperation product, bool asBlock) {
  MlirOperation def = tileValueGetDefiningOp(v), at = outermostWith(product, v);
  if (asBlock && def.ptr)
    mlirRewriterBaseSetInsertionPointAfter(p->b, def);
  else
    mlirRewriterBaseSetInsertionPointBefore(p->b, at);
  return asBlock || at.ptr != product.ptr;
}

/* A buffer with the same contents that is there already. */
static MlirValue madeBefore(const Products *p, MlirValue source, MlirValue alloc) {
  for (int i = 0; i < p->numMade; ++i)
    if (p->made[i].source.ptr == source.ptr &&
        mlirTypeEqual(mlirValueGetType(p->made[i].alloc), mlirValueGetType(alloc)))
      return p->made[i].alloc;
  return (MlirValue){NULL};
}

static MlirValue allocate(Products *p, MlirLocation loc, MlirValue v, int kDim, bool asBlock) {
  if (asBlock)
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
  MlirValue alloc = tileGPUAllocOpGetResult(tileGPUAllocOpCreate(p->b, loc, buffer, v));
  MlirOperation read = tileValueGetDefiningOp(v);
  if (read.ptr && tileOpKind(read) == TileOp_TileGPU_ShiftedLoad && tileValueHasOneUse(v) &&
      mlirBlockEqual(mlirOperationGetBlock(read), tileValueGetBlock(alloc)))
    mlirOperationMoveBefore(
        read, tileValueGetDefiningOp(alloc)); // from buffer to buffer: one factor after the other
  return alloc;
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
static MlirValue makeFactor(Products *p, MlirOperation product, MlirValue v, int kDim, MlirValue *out_alloc) {
  MlirLocation loc = mlirOperationGetLocation(product);
  TileTransOp trans = tileTransOpCast(tileValueGetDefiningOp(v));
  const bool isTurned = !tileTransOpIsNull(trans);
  MlirValue source = isTurned ? tileTransOpGetSrc(trans) : v;
  const bool asBlock = p->descriptors && isBlock(v), isThere = place(p, source, product, asBlock);
  *out_alloc = allocate(p, loc, source, isTurned ? 1 - kDim : kDim, asBlock);
  MlirValue old = out_alloc->ptr && isThere ? madeBefore(p, source, *out_alloc) : (MlirValue){NULL};
  if (old.ptr) {
    mlirRewriterBaseEraseOp(p->b, tileValueGetDefiningOp(*out_alloc));
    *out_alloc = old;
    mlirRewriterBaseSetInsertionPointBefore(p->b, product);
  } else if (out_alloc->ptr && isThere && p->numMade < MAX_MADE) {
    p->made[p->numMade++] = (Made){source, *out_alloc};
  }
  if (out_alloc->ptr && !asBlock && !isThere)
    p->unfenced[p->numUnfenced++] = *out_alloc;
  else if (out_alloc->ptr && !old.ptr && !asBlock)
    tileGPUFenceAsyncOpCreate(p->b, loc, 1, out_alloc);
  return out_alloc->ptr && isTurned ? transposedView(p, loc, *out_alloc) : *out_alloc;
}

/* Whether another product reads the buffer. */
static bool isInProduct(MlirValue v) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    if (tileOpKind(owner) == TileOp_TileGPU_Wgmma ||
        (mlirOperationGetNumResults(owner) && isInProduct(mlirOperationGetResult(owner, 0))))
      return true;
  }
  return false;
}

static void dropAlloc(Products *p, MlirValue alloc) {
  MlirOpOperand use;
  if (!alloc.ptr || isInProduct(alloc))
    return;
  if (p->numMade && p->made[p->numMade - 1].alloc.ptr == alloc.ptr)
    --p->numMade;
  while (!mlirOpOperandIsNull(use = mlirValueGetFirstUse(alloc)))
    mlirRewriterBaseEraseOp(p->b, mlirOpOperandGetOwner(use)); // a fence or a view without uses
  mlirRewriterBaseEraseOp(p->b, tileValueGetDefiningOp(alloc));
}

/* A first factor of 16-bit elements that follows from a product, element by element, is already in the right
 * registers if warps share out rows alone; through a branch if it does in both arms. */
static bool staysInRegisters(const TileWarpGroupShape *shape, MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  int64_t sizes[2];
  if (!op.ptr || depth > 16 || shape->warpsN != 1 || shape->k < 16 ||
      tileTypeGetShape(mlirValueGetType(v), sizes, 2) != 2 || sizes[0] != shape->m || sizes[1] != shape->k ||
      (!depth && tileElementTypeSize(tileElementTypeOf(mlirValueGetType(v))) != 2))
    return false;
  TileOpKind kind = tileOpKind(op);
  if (kind == TileOp_Tile_Dot || kind == TileOp_TileGPU_WgmmaWait)
    return true;
  if (kind == TileOp_SCF_If && mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1)).ptr) {
    const intptr_t number = mlirOpResultGetResultNumber(v);
    for (int arm = 0; arm < 2; ++arm) {
      MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, arm));
      if (!staysInRegisters(shape, mlirOperationGetOperand(mlirBlockGetTerminator(block), number), depth + 1))
        return false;
    }
    return true;
  }
  if (!tileOpIsPure(op) || mlirOperationGetNumRegions(op) || kind == TileOp_Tile_Trans ||
      kind == TileOp_Tile_Reshape || kind == TileOp_Tile_Gather)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (staysInRegisters(shape, mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

bool tileWgmmaKeepsFactor(const TileWarpGroupShape *shape, TileDotOp dot) {
  return staysInRegisters(shape, tileDotOpGetA(dot), 0);
}

bool tileWgmmaLeavesRoom(const TileModuleTarget *target, int64_t sums) {
  enum { Others = 64 }; // registers of a thread beside sums
  const int64_t threads = target->numWarps * (int64_t)target->info.warpSize;
  return 2 * threads * (sums / threads + Others) <= target->info.registersPerMultiprocessor;
}

/* Whether what becomes of the sums, element by element, is another product's factor, as attention's weights are. */
static bool leadsToFactor(MlirValue v, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use) && depth < 32;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (tileOpKind(user) == TileOp_Tile_Dot && mlirOpOperandGetOperandNumber(use) < 2)
      return true;
    if (tileOpIsPure(user) && tileOpIsElementwise(user) &&
        leadsToFactor(mlirOperationGetResult(user, 0), depth + 1))
      return true;
  }
  return false;
}

bool tileWgmmaWidens(const TileModuleTarget *target, TileDotOp dot, int factor) {
  TileWarpGroupShape shape, other;
  if (!tileWgmmaShapeOf(target, dot, &shape) || shape.k < 16 ||
      staysInRegisters(&shape, tileDotOpGetA(dot), 0))
    return false;
  if (!factor)
    return shape.warpsN == 1;
  /* Sums that are transposed could not stay in registers for the next product. */
  return !leadsToFactor(tileDotOpGetResult(dot), 0) &&
         tileWarpGroupShape(shape.n, shape.m, shape.k, target->numWarps,
                            tileElementTypeOf(mlirValueGetType(tileDotOpGetA(dot))), &other) &&
         other.warpsN == 1;
}

/* Whether a factor follows from a product in the same block, element by element, transposed or not: no load is left to the copy
 * engine's rivals. */
static bool isMade(MlirValue v, int depth) {
  MlirOperation op = tileValueGetDefiningOp(v);
  if (!op.ptr || depth > 16)
    return false;
  if (tileOpKind(op) == TileOp_Tile_Dot || tileOpKind(op) == TileOp_TileGPU_WgmmaWait)
    return true;
  if (!tileOpIsPure(op) || mlirOperationGetNumRegions(op))
    return tileOpKind(op) == TileOp_SCF_If;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (tileTypeNumElements(mlirValueGetType(mlirOperationGetOperand(op, i))) ==
            tileTypeNumElements(mlirValueGetType(v)) &&
        isMade(mlirOperationGetOperand(op, i), depth + 1))
      return true;
  return false;
}

/* Whether a factor is made in front of the loop in which it is multiplied (scaled or rotated queries): its own load is none of the loop's. */
static bool isMadeBefore(TileDotOp dot, MlirValue v) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirOperationGetBlock(dot.op));
  MlirOperation op = tileValueGetDefiningOp(v);
  return op.ptr && tileOpKind(loop) == TileOp_SCF_For &&
         !mlirBlockEqual(tileValueGetBlock(v), mlirOperationGetBlock(dot.op));
}

static int64_t bytesOf(MlirValue v) {
  const MlirType type = mlirValueGetType(v);
  return tileTypeNumElements(type) * (int64_t)tileElementTypeSize(tileElementTypeOf(type));
}

/* Both factors are in shared memory at once, whole; products on registers can take theirs in parts. */
static bool fits(const Products *p, TileDotOp dot, bool inRegisters) {
  const int64_t bytes = (inRegisters ? 0 : bytesOf(tileDotOpGetA(dot))) + bytesOf(tileDotOpGetB(dot));
  return bytes <= p->target->info.sharedPerBlock;
}

/* Where sums leave room for two programs a multiprocessor, one multiplies while the other one widens: ptxas is told so, as it would take
 * all registers for bytes that wait. */
static void askForRoom(const Products *p, TileDotOp dot) {
  MlirOperation loop = mlirBlockGetParentOperation(mlirOperationGetBlock(dot.op)),
                function = tileFunctionOf(loop);
  const int64_t sums = tileTypeNumElements(mlirValueGetType(tileDotOpGetResult(dot)));
  if (function.ptr &&
      !mlirOperationGetDiscardableAttributeByName(loop, tileStr("tile.warp_specialize")).ptr &&
      tileWgmmaLeavesRoom(p->target, sums))
    mlirOperationSetDiscardableAttributeByName(function, tileStr("tile_gpu.min_blocks"),
                                               tileI32Attr(mlirOperationGetContext(function), 2));
}

/* A second factor that is widened and a first one that is not change places, where the warp groups of the other product have all of
 * their rows. */
static TileDotOp exchanged(Products *p, TileDotOp dot, TileWarpGroupShape *shape) {
  MlirValue a = tileDotOpGetA(dot), b = tileDotOpGetB(dot);
  TileWarpGroupShape other;
  if (tileFactorIsWidened(dot, a, p->descriptors) || !tileFactorIsWidened(dot, b, p->descriptors) ||
      (p->descriptors && !isBlock(a)) || staysInRegisters(shape, a, 0) || shape->k < 16 ||
      leadsToFactor(tileDotOpGetResult(dot), 0) ||
      !tileWarpGroupShape(shape->n, shape->m, shape->k, p->target->numWarps,
                          tileElementTypeOf(mlirValueGetType(a)), &other) ||
      other.warpsN != 1)
    return dot;
  *shape = other;
  askForRoom(p, dot);
  return tileExchangeFactors(p->b, dot);
}

// ---- Rewriting ----

/* What the product adds to. A sum that nothing but it reads, as of another part of K, is not waited for: products of one sum follow each
 * other. */
static MlirValue sumFor(Products *p, TileDotOp dot) {
  MlirValue c = tileDotOpGetC(dot);
  TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(tileValueGetDefiningOp(c));
  if (!p->descriptors || tileGPUWgmmaWaitOpIsNull(wait) || tileGPUWgmmaWaitOpGetNumValues(wait) != 1 ||
      tileGPUWgmmaWaitOpGetPending(wait) || !mlirOperationEqual(tileValueOnlyUser(c), dot.op) ||
      !mlirBlockEqual(mlirOperationGetBlock(wait.op), mlirOperationGetBlock(dot.op)))
    return c;
  MlirValue open = tileGPUWgmmaWaitOpGetValues(wait, 0);
  mlirValueReplaceAllUsesOfWith(c, open);
  mlirRewriterBaseEraseOp(p->b, wait.op);
  return open;
}

static bool rewrite(Products *p, MlirOperation op) {
  TileDotOp dot = tileDotOpCast(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirContext context = mlirOperationGetContext(op);
  TileWarpGroupShape shape;
  MlirValue allocs[2] = {{NULL}, {NULL}};
  if (!tileWgmmaShapeOf(p->target, dot, &shape))
    return false;
  dot = exchanged(p, dot, &shape);
  op = dot.op;
  MlirValue a = tileDotOpGetA(dot);
  const bool isWidened = shape.warpsN == 1 && shape.k >= 16 && tileFactorIsWidened(dot, a, p->descriptors);
  const bool inRegisters = isWidened || staysInRegisters(&shape, a, 0);
  if (!fits(p, dot, inRegisters) ||
      (p->descriptors && ((!inRegisters && !isBlock(a) && !isMade(a, 0) && !isMadeBefore(dot, a)) ||
                          !isBlock(tileDotOpGetB(dot)))))
    return false;
  p->numUnfenced = 0;
  if (isWidened && p->descriptors)
    tileBringWidened(p->b, a);
  if (!inRegisters)
    a = makeFactor(p, op, a, 1, &allocs[0]);
  MlirValue b = a.ptr ? makeFactor(p, op, tileDotOpGetB(dot), 0, &allocs[1]) : a;
  if (!b.ptr) {
    dropAlloc(p, allocs[0]);
    return false;
  }
  mlirRewriterBaseSetInsertionPointBefore(p->b, op);
  if (p->numUnfenced)
    tileGPUFenceAsyncOpCreate(p->b, loc, p->numUnfenced, p->unfenced);
  int64_t warps[2] = {shape.warpsM, shape.warpsN};
  MlirValue c = sumFor(p, dot);
  MlirType type = mlirValueGetType(c);
  TileGPUWgmmaOp product =
      tileGPUWgmmaOpCreate(p->b, loc, type, a, b, c, mlirDenseI64ArrayGet(context, 2, warps));
  MlirValue started = tileGPUWgmmaOpGetResult(product);
  if (isWidened) // part by part, each while the one before is multiplied
    mlirOperationSetDiscardableAttributeByName(product.op, tileStr("tile_gpu.parts"),
                                               mlirUnitAttrGet(context));
  MlirValue done = tileGPUWgmmaWaitOpGetResults(
      tileGPUWgmmaWaitOpCreate(p->b, loc, 1, &type, 1, &started, tileI32Attr(context, 0)), 0);
  mlirValueReplaceAllUsesOfWith(tileDotOpGetResult(dot), done);
  mlirRewriterBaseEraseOp(p->b, op);
  return true;
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
  tileCollectOps(module, TileOp_Tile_Dot, MlirWalkPreOrder, &p.dots);
  for (size_t i = 0; i < p.dots.count; ++i)
    *params->numProducts += rewrite(&p, (MlirOperation){(void *)p.dots.items[i]});
  mlirIRRewriterDestroy(p.b);
  tileArenaRelease(&arena);
  return tileSuccess();
}
