/* CutBlocks.c - products for warp groups whose sizes are no powers of two become several that are.
 *
 *   %y = tile.desc_load %b[%j, %k] : !tile.desc<192x64xf16> -> tensor<192x64xf16>
 *   %t = tile.trans %y order = [1, 0]
 *   %d = tile.dot %x, %t, %acc : tensor<128x64xf16> * tensor<64x192xf16> -> tensor<128x192xf32>
 * becomes
 *   %y0 = tile.desc_load %b[%j, %k] {tile_gpu.piece} : !tile.desc<128x64xf16> -> tensor<128x64xf16>
 *   %j1 = arith.addi %j, 128;  %y1 = tile.desc_load %b[%j1, %k] {tile_gpu.piece} : ... -> tensor<64x64xf16>
 *   %t0, %t1 = ...
 *   %d0 = tile.dot %x, %t0, %acc0 : ... -> tensor<128x128xf32>
 *   %d1 = tile.dot %x, %t1, %acc1 : ... -> tensor<128x64xf32>
 * and so everything that the size follows from or into: loops carry both parts, both are stored. Along K the parts' products add up:
 *   %d0 = tile.dot %x0, %t0, %acc;  %d = tile.dot %x1, %t1, %d0 No element is added, as padding
 * would; 192 columns take the time of 192. Where one op stands among them that no such rule is known for, all stays as it is. */
#include "Cut.h"
#include "tile-c/CreateOp.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/OpKind.h"
#include "tile-c/Patterns.h"
#include "tile-c/Support/Bits.h"

enum { GroupWarps = 4, LeastRows = 64, LeastColumns = 16, MostTensors = 64 };

// ---- Pieces ----

/* Powers of two, the largest first; false if there are too many or one is too small. */
static bool findPieces(Cut *c, int64_t size, int64_t least) {
  c->size = size;
  c->numPieces = 0;
  for (int64_t bit = INT64_C(1) << 20, start = 0; bit; bit /= 2) {
    if (!(size & bit))
      continue;
    if (c->numPieces == Cut_MostPieces || bit < least)
      return false;
    c->starts[c->numPieces] = start;
    c->pieces[c->numPieces++] = bit;
    start += bit;
  }
  return true;
}

static MlirType pieceType(const Cut *c, MlirType type, int dim, int piece) {
  int64_t shape[8];
  const int rank = tileTypeGetShape(type, shape, 8);
  shape[dim] = c->pieces[piece];
  return mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(type), mlirAttributeGetNull());
}

static MlirValue *partsOf(const Cut *c, MlirValue v) { return tilePointerMapFind(&c->parts, v.ptr); }

static void setPart(Cut *c, MlirValue v, int piece, MlirValue part) {
  MlirValue *parts = partsOf(c, v);
  if (!parts) {
    parts = tileArenaAlloc(c->arena, (size_t)c->numPieces, sizeof *parts);
    tilePointerMapSet(&c->parts, v.ptr, parts);
  }
  parts[piece] = part;
}

// ---- Ops ----

static void setAttr(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetInherentAttributeByName(op, tileStr(name), value);
}

/* The coordinate along the dimension that is cut, further on by what is in front of the piece. */
static void moveBlock(Cut *c, MlirOperation clone, int dim, int piece, bool isOnly) {
  const intptr_t at = 1 + dim; // behind the descriptor
  MlirValue coordinate = mlirOperationGetOperand(clone, at);
  MlirType type = mlirValueGetType(coordinate);
  MlirLocation loc = mlirOperationGetLocation(clone);
  if (c->start.ptr) {
    mlirOperationSetOperand(clone, at, tileCreateOp2(c->b, loc, TileOp_Arith_AddI, coordinate, c->start));
  } else if (c->starts[piece]) {
    MlirValue by = tileCreateInteger(c->b, loc, type, c->starts[piece]);
    mlirOperationSetOperand(clone, at, tileCreateOp2(c->b, loc, TileOp_Arith_AddI, coordinate, by));
  }
  mlirOperationSetDiscardableAttributeByName(clone, tileStr("tile_gpu.piece"), mlirUnitAttrGet(c->context));
  if (isOnly)
    mlirOperationSetDiscardableAttributeByName(clone, tileStr("tile_gpu.only_piece"),
                                               mlirUnitAttrGet(c->context));
}

/* Whether nothing accesses the descriptor but this op. */
static bool isOnlyAccess(MlirOperation op) {
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetOperand(op, 0));
  return mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

static void adjust(Cut *c, MlirOperation op, MlirOperation clone, int piece, bool isOnly) {
  switch (tileOpKind(op)) {
  case TileOp_Tile_DescLoad:
    moveBlock(c, clone, cutDimOf(c, mlirOperationGetResult(op, 0)), piece, false);
    break;
  case TileOp_Tile_DescStore:
    moveBlock(c, clone, cutDimOf(c, tileDescStoreOpGetValue(tileDescStoreOpCast(op))), piece, isOnly);
    break;
  case TileOp_Tile_MakeRange: {
    const int64_t start = tileMakeRangeOpGetStart(tileMakeRangeOpCast(op)) + c->starts[piece];
    setAttr(clone, "start", tileI32Attr(c->context, start));
    setAttr(clone, "end", tileI32Attr(c->context, start + c->pieces[piece]));
    break;
  }
  case TileOp_Arith_Constant: {
    MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
    setAttr(clone, "value",
            mlirDenseElementsAttrSplatGet(mlirValueGetType(mlirOperationGetResult(clone, 0)),
                                          mlirDenseElementsAttrGetSplatValue(value)));
    break;
  }
  default:
    break;
  }
}

/* Whether a product is cut along K: its factors are, its sum is not. */
static bool isAlongK(const Cut *c, MlirOperation op) {
  return tileOpKind(op) == TileOp_Tile_Dot && cutDimOf(c, mlirOperationGetResult(op, 0)) < 0;
}

static void cutOp(Cut *c, MlirOperation op) {
  MlirValue sum = {NULL};
  const bool isOnly = tileOpKind(op) == TileOp_Tile_DescStore && isOnlyAccess(op);
  mlirRewriterBaseSetInsertionPointBefore(c->b, op);
  for (int piece = 0; piece < c->numPieces; ++piece) {
    MlirOperation clone = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
      const MlirValue *parts = partsOf(c, mlirOperationGetOperand(op, i));
      if (parts)
        mlirOperationSetOperand(clone, i, parts[piece]);
    }
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
      MlirValue old = mlirOperationGetResult(op, i), result = mlirOperationGetResult(clone, i);
      if (cutDimOf(c, old) < 0)
        continue;
      mlirValueSetType(result, pieceType(c, mlirValueGetType(old), cutDimOf(c, old), piece));
      setPart(c, old, piece, result);
    }
    adjust(c, op, clone, piece, isOnly);
    mlirRewriterBaseInsert(c->b, clone);
    if (isAlongK(c, op) && piece)
      mlirOperationSetOperand(clone, 2, sum);
    sum = mlirOperationGetNumResults(clone) ? mlirOperationGetResult(clone, 0) : sum;
  }
  if (isAlongK(c, op))
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), sum);
  tilePointerListAppend(&c->dead, op.ptr);
}

// ---- Control flow ----

typedef struct Values {
  MlirValue items[MostTensors];
  intptr_t count;
} Values;

/* Parts in place of what is cut. */
static void addValue(const Cut *c, Values *to, MlirValue v) {
  const MlirValue *parts = partsOf(c, v);
  for (int i = 0; i < (parts ? c->numPieces : 1) && to->count < MostTensors; ++i)
    to->items[to->count++] = parts ? parts[i] : v;
}

static void addTypes(const Cut *c, MlirType *types, intptr_t *count, MlirValue v) {
  const int dim = cutDimOf(c, v);
  for (int i = 0; i < (dim >= 0 ? c->numPieces : 1) && *count < MostTensors; ++i)
    types[(*count)++] = dim >= 0 ? pieceType(c, mlirValueGetType(v), dim, i) : mlirValueGetType(v);
}

/* What stands for `old` from value `*inout_at` on, which `get` gives. */
static void bind(Cut *c, MlirValue old, bool isArgument, void *owner, intptr_t *inout_at) {
  const bool isCut = cutDimOf(c, old) >= 0;
  for (int i = 0; i < (isCut ? c->numPieces : 1); ++i, ++*inout_at) {
    MlirValue by = isArgument ? mlirBlockGetArgument((MlirBlock){owner}, *inout_at)
                              : mlirOperationGetResult((MlirOperation){owner}, *inout_at);
    if (isCut)
      setPart(c, old, i, by);
    else
      mlirValueReplaceAllUsesOfWith(old, by);
  }
}

static void bindResults(Cut *c, MlirOperation op, MlirOperation by) {
  intptr_t at = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    bind(c, mlirOperationGetResult(op, i), false, by.ptr, &at);
  tileCopyDiscardableAttrs(op, by);
  tilePointerListAppend(&c->dead, op.ptr);
}

static void cutBlock(Cut *c, MlirBlock block);

static void cutFor(Cut *c, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirBlock old = mlirRegionGetFirstBlock(scfForOpGetRegion(loop));
  Values inits = {.count = 0};
  MlirType types[MostTensors];
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    addValue(c, &inits, scfForOpGetInitArgs(loop, i));
  for (intptr_t i = 0; i < inits.count; ++i)
    types[i] = mlirValueGetType(inits.items[i]);
  mlirRewriterBaseSetInsertionPointBefore(c->b, op);
  SCFForOp by =
      scfForOpCreate(c->b, loc, inits.count, types, scfForOpGetLowerBound(loop), scfForOpGetUpperBound(loop),
                     scfForOpGetStep(loop), inits.count, inits.items, scfForOpGetUnsignedCmpAttr(loop));
  MlirBlock body = mlirBlockCreate(0, NULL, NULL);
  mlirBlockAddArgument(body, mlirValueGetType(mlirBlockGetArgument(old, 0)), loc);
  for (intptr_t i = 0; i < inits.count; ++i)
    mlirBlockAddArgument(body, types[i], loc);
  mlirRegionAppendOwnedBlock(scfForOpGetRegion(by), body);
  for (MlirOperation o = mlirBlockGetFirstOperation(old), next; o.ptr; o = next) {
    next = mlirOperationGetNextInBlock(o);
    mlirOperationRemoveFromParent(o);
    mlirBlockAppendOwnedOperation(body, o);
  }
  intptr_t at = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(old); ++i)
    bind(c, mlirBlockGetArgument(old, i), true, body.ptr, &at);
  bindResults(c, op, by.op);
  cutBlock(c, body);
}

static void cutIf(Cut *c, MlirOperation op) {
  MlirType types[MostTensors];
  intptr_t count = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    addTypes(c, types, &count, mlirOperationGetResult(op, i));
  mlirRewriterBaseSetInsertionPointBefore(c->b, op);
  SCFIfOp by =
      scfIfOpCreate(c->b, mlirOperationGetLocation(op), count, types, mlirOperationGetOperand(op, 0));
  bindResults(c, op, by.op);
  for (int arm = 0; arm < 2; ++arm) {
    mlirRegionTakeBody(mlirOperationGetRegion(by.op, arm), mlirOperationGetRegion(op, arm));
    cutBlock(c, mlirRegionGetFirstBlock(mlirOperationGetRegion(by.op, arm)));
  }
}

static void cutYield(Cut *c, MlirOperation op) {
  Values values = {.count = 0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    addValue(c, &values, mlirOperationGetOperand(op, i));
  mlirRewriterBaseSetInsertionPointBefore(c->b, op);
  scfYieldOpCreate(c->b, mlirOperationGetLocation(op), values.count, values.items);
  tilePointerListAppend(&c->dead, op.ptr);
}

static bool mentions(const Cut *c, MlirOperation op) {
  bool any = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    any |= cutDimOf(c, mlirOperationGetOperand(op, i)) >= 0;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    any |= cutDimOf(c, mlirOperationGetResult(op, i)) >= 0;
  return any;
}

static void cutBlock(Cut *c, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    const TileOpKind kind = tileOpKind(op);
    if (!mentions(c, op)) {
      for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
        for (MlirBlock b = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); b.ptr;
             b = mlirBlockGetNextInRegion(b))
          cutBlock(c, b);
    } else if (kind == TileOp_SCF_For) {
      cutFor(c, op);
    } else if (kind == TileOp_SCF_If) {
      cutIf(c, op);
    } else if (kind == TileOp_SCF_Yield) {
      cutYield(c, op);
    } else {
      cutOp(c, op);
    }
  }
}

// ---- Functions ----

/* Parameters' blocks get the size of the first piece; accesses to the others are of less. */
static void cutDescriptors(Cut *c, MlirOperation function) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
  FuncFuncOp f = funcFuncOpCast(function);
  MlirType type = funcFuncOpGetFunctionType(f);
  const intptr_t n = mlirBlockGetNumArguments(entry);
  MlirType *types = tileArenaAlloc(c->arena, (size_t)n + 1, sizeof *types);
  for (size_t i = 0; i < c->descs.count; ++i) {
    MlirValue desc = {(void *)c->descs.items[i]};
    MlirOperation op = mlirOpOperandGetOwner(mlirValueGetFirstUse(desc));
    MlirType old = mlirValueGetType(desc);
    const int dim = cutDimOf(c, tileOpKind(op) == TileOp_Tile_DescLoad
                                    ? mlirOperationGetResult(op, 0)
                                    : tileDescStoreOpGetValue(tileDescStoreOpCast(op)));
    int64_t shape[8];
    for (intptr_t d = 0; d < tileDescTypeGetNumShape(old) && d < 8; ++d)
      shape[d] = d == dim ? c->pieces[0] : tileDescTypeGetShape(old, d);
    mlirValueSetType(desc, tileDescTypeGet(c->context, tileDescTypeGetNumShape(old), shape,
                                           tileDescTypeGetElementType(old), tileDescTypeGetEncoding(old)));
  }
  for (intptr_t i = 0; i < n; ++i)
    types[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
  funcFuncOpSetFunctionTypeAttr(f, mlirTypeAttrGet(mlirFunctionTypeGet(
                                       c->context, n, types, mlirFunctionTypeGetNumResults(type), NULL)));
}

void cutRewrite(Cut *c, MlirOperation function) {
  cutDescriptors(c, function);
  cutBlock(c, mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
  for (size_t i = c->dead.count; i-- > 0;)
    mlirRewriterBaseEraseOp(c->b, (MlirOperation){(void *)c->dead.items[i]});
}

static MlirWalkResult collectDot(MlirOperation op, void *user) {
  if (tileOpKind(op) == TileOp_Tile_Dot)
    tilePointerListAppend(user, op.ptr);
  return MlirWalkResultAdvance;
}

int64_t cutLeastColumns(TileDotOp dot) {
  TileTransOp trans = tileTransOpCast(tileValueGetDefiningOp(tileDotOpGetB(dot)));
  if (tileTransOpIsNull(trans) ||
      tileElementTypeSize(tileElementTypeOf(mlirValueGetType(tileDotOpGetB(dot)))) != 2)
    return LeastColumns;
  MlirOperation load = tileValueGetDefiningOp(tileTransOpGetSrc(trans));
  return load.ptr && tileOpKind(load) == TileOp_Tile_DescLoad ? LeastColumns / 2 : LeastColumns;
}

/* Finds what is cut with size `which` of a product: 0 its columns, 1 its rows, 2 along K. */
static bool findCut(Cut *c, MlirOperation op, int which) {
  TileDotOp dot = tileDotOpCast(op);
  MlirValue v = which == 2 ? tileDotOpGetA(dot) : tileDotOpGetResult(dot);
  const int dim = which == 1 ? 0 : 1;
  const int64_t bytes = (int64_t)tileElementTypeSize(tileElementTypeOf(mlirValueGetType(v)));
  const int64_t alongK = bytes == 1 ? 2 * LeastColumns : LeastColumns, // 32 bytes at least
      least = which == 1   ? LeastRows
              : which == 2 ? alongK
                           : cutLeastColumns(dot);
  int64_t shape[2];
  return tileTypeGetShape(mlirValueGetType(v), shape, 2) == 2 && !tileIsPowerOfTwo(shape[dim]) &&
         shape[0] >= LeastRows && findPieces(c, shape[dim], least) && cutFindValues(c, v, dim);
}

/* Cuts the first product with a size that can be cut; false if there is none. */
static bool cutFirst(MlirOperation function, TileBuilder b) {
  TileArena arena = {0};
  TilePointerList dots = {.arena = &arena};
  bool done = false;
  mlirOperationWalk(function, collectDot, &dots, MlirWalkPreOrder);
  for (size_t i = 0; !done && i < 3 * dots.count; ++i) {
    Cut c = {.context = mlirOperationGetContext(function), .b = b, .arena = &arena};
    c.dims.arena = c.values.arena = c.descs.arena = c.parts.arena = c.dead.arena = &arena;
    if (!findCut(&c, (MlirOperation){(void *)dots.items[i / 3]}, (int)(i % 3)))
      continue;
    cutRewrite(&c, function);
    done = true;
  }
  tileArenaRelease(&arena);
  return done;
}

void cutModule(MlirOperation module, int numWarps, unsigned mostBlocks) {
  MlirBlock body = mlirModuleGetBody(mlirModuleFromOperation(module));
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(module));
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op))
    if (tileOpKind(op) == TileOp_Func_Func && numWarps % GroupWarps == 0) {
      cutRowsOf(op, b, mostBlocks);
      while (cutFirst(op, b))
        ;
    }
  mlirIRRewriterDestroy(b);
}
