/* WarpGroup.c - products of warp groups: descriptors of the factors, one instruction for each 64 rows, columns of
 * an instruction and 32 bytes of K.
 *
 *   %d = tile_gpu.wgmma %a, %b, %c warps = [4, 1]
 * becomes
 *   nvvm.wgmma.fence.aligned
 *   %1 = tile_nv.wgmma %c', [%descA], %descB n = 128 f16, f16 : !llvm.struct<...>, i64
 *   %2 = tile_nv.wgmma %1, [%descA + step], %descB + step ...
 *   nvvm.wgmma.commit.group.sync.aligned */
#include "../TileGPUToLLVM/Buffers.h"
#include "SinkParts.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUWarpGroup.h"
#include "tile-c/Dialect/TileNV.h"
#include <math.h>

enum { GroupRows = 64, GroupWarps = 4, DepthBytes = 32 };

/* A factor while its descriptors are made. */
typedef struct Factor {
  TileBufferView view;
  TileWarpGroupFactor how;
  int kDim;
  MlirValue start; ///< i64: descriptor of the warp group's first rows (columns)
} Factor;

static int64_t byteOffset(const Factor *f, int64_t outer, int64_t k) {
  int64_t coords[TileLayout_MaxRank] = {0};
  coords[f->kDim] = k;
  coords[1 - f->kDim] = outer;
  return tileMemDescOffset(&f->view.desc, coords) * f->view.desc.elementBytes;
}

/* Everything of a descriptor but the address: bytes / 16 from one group of eight rows to the next and, where rows
 * run along M or N, from one row's width of columns to the next. */
static uint64_t constantBits(const Factor *f) {
  static const uint64_t modes[] = {[4] = 1, [2] = 2, [1] = 3}; // by swizzle / 32
  const int32_t swizzle = f->how.swizzleBytes, elements = swizzle / f->view.desc.elementBytes;
  const int64_t outer = f->view.desc.shape[1 - f->kDim];
  const uint64_t stride = (uint64_t)(8 * swizzle) >> 4;
  uint64_t leading = 1;
  if (!f->how.kMajor && outer > elements)
    leading = (uint64_t)byteOffset(f, elements, 0) >> 4;
  return modes[swizzle / 32] << 62 | stride << 32 | leading << 16;
}

static MlirValue emitI64(TileLowering *l, uint64_t value) {
  return tileEmitInt(l, mlirIntegerTypeGet(l->context, 64), (int64_t)value);
}

/* The number of the warp group along M (dim 0) or N (dim 1), as a byte offset into a factor. */
static MlirValue emitGroupOffset(TileLowering *l, const Factor *f, const TileLayout *accumulator, int dim) {
  MlirValue sum = tileEmitI32(l, 0);
  for (int32_t bit = 2; bit < accumulator->bits[TileLayoutDim_Warp]; ++bit) {
    const int64_t step = accumulator->bases[TileLayoutDim_Warp][bit][dim];
    if (!step)
      continue;
    MlirValue set =
        tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, tileEmitWarp(l), tileEmitI32(l, bit)),
                  tileEmitI32(l, 1));
    sum = tileEmit2(l, TileOp_LLVM_Add, sum,
                    tileEmit2(l, TileOp_LLVM_Mul, set, tileEmitI32(l, byteOffset(f, step, 0))));
  }
  return sum;
}

static bool makeFactor(TileLowering *l, MlirValue buffer, int kDim, const TileLayout *accumulator,
                       Factor *out) {
  *out = (Factor){.kDim = kDim};
  if (!tileBufferViewOf(l, buffer, &out->view) || !tileWarpGroupFactorOf(&out->view.desc, kDim, &out->how))
    return false;
  MlirType i32 = mlirIntegerTypeGet(l->context, 32), i64 = mlirIntegerTypeGet(l->context, 64);
  MlirValue address = llvmPtrToIntOpGetRes(llvmPtrToIntOpCreate(l->b, l->loc, i32, out->view.base));
  MlirValue group = emitGroupOffset(l, out, accumulator, 1 - kDim);
  address = tileEmit2(l, TileOp_LLVM_Add, address, group);
  address = tileEmit2(l, TileOp_LLVM_And, tileEmit2(l, TileOp_LLVM_LShr, address, tileEmitI32(l, 4)),
                      tileEmitI32(l, 0x3FFF));
  MlirValue wide = llvmZExtOpGetRes(llvmZExtOpCreate(l->b, l->loc, i64, address, (MlirAttribute){NULL}));
  out->start = tileEmit2(l, TileOp_LLVM_Or, wide, emitI64(l, constantBits(out)));
  return true;
}

/* The descriptor `outer` rows (columns) and `k` further on. */
static MlirValue emitDescriptor(TileLowering *l, const Factor *f, int64_t outer, int64_t k) {
  const int64_t offset = byteOffset(f, outer, k);
  return offset ? tileEmit2(l, TileOp_LLVM_Add, f->start, emitI64(l, (uint64_t)offset >> 4)) : f->start;
}

// ---- Accumulators ----

/* Which register of the tensor is register `reg` of the instruction at this row and column of the warp's part:
 * registers 4 i to 4 i + 3 are rows 0, 0, 8, 8 of columns 8 i, 8 i + 1. So are the elements of a first factor. */
static int32_t registerAt(const TileLayout *layout, int64_t row, int64_t column, int reg) {
  const int64_t wanted[2] = {row + reg / 2 % 2 * 8, column + reg / 4 * 8 + reg % 2};
  int64_t at[2] = {0, 0};
  int32_t found = 0;
  for (int32_t bit = 0; bit < layout->bits[TileLayoutDim_Register]; ++bit) {
    const int32_t *basis = layout->bases[TileLayoutDim_Register][bit];
    if ((basis[0] && (wanted[0] & basis[0])) || (basis[1] && (wanted[1] & basis[1]))) {
      found |= 1 << bit;
      at[0] ^= basis[0];
      at[1] ^= basis[1];
    }
  }
  return at[0] == wanted[0] && at[1] == wanted[1] ? found : -1;
}

/* The columns of one of the products that an instruction does together. */
typedef struct Piece {
  MlirValue result;
  TileRegisters c, out;
  TileLayout layout;
  int32_t registers; ///< of the instruction
} Piece;

typedef struct Product {
  Factor a, b;
  Piece pieces[TileJoin_Most]; ///< one, but for products that are done together
  int numPieces;
  TileRegisters aRegisters; ///< if its layout has rank
  MlirValue *aWords;        ///< of two elements
  TileLayout aLayout;
  TileWarpGroupShape shape;
  TileLayout layout;
  MlirType accumulator; ///< struct
  TileNVWgmmaType aType, bType;
  bool fromZero;     ///< the accumulator that comes in is +0: the first instruction replaces it
  int32_t registers; ///< of one instruction
  int32_t columns;   ///< of one instruction
  int64_t depth;     ///< elements of K of one instruction
} Product;

static bool typeOf(TileElementType element, TileNVWgmmaType *out) {
  switch (element) {
  case TileElementType_F16:
    return *out = TileNVWgmmaType_F16, true;
  case TileElementType_BF16:
    return *out = TileNVWgmmaType_BF16, true;
  case TileElementType_F32:
    return *out = TileNVWgmmaType_TF32, true;
  case TileElementType_F8E4M3FN:
    return *out = TileNVWgmmaType_E4M3, true;
  case TileElementType_F8E5M2:
    return *out = TileNVWgmmaType_E5M2, true;
  case TileElementType_I8:
    return *out = TileNVWgmmaType_S8, true;
  default:
    return false;
  }
}

/* Pieces are neighbours: so are their registers. */
static MlirValue packAccumulator(TileLowering *l, const Product *p, int64_t row, int64_t column) {
  MlirValue packed = llvmPoisonOpGetRes(llvmPoisonOpCreate(l->b, l->loc, p->accumulator));
  int64_t at = 0;
  for (const Piece *piece = p->pieces; piece < p->pieces + p->numPieces; ++piece)
    for (int32_t reg = 0; reg < piece->registers; ++reg, ++at)
      packed = llvmInsertValueOpGetRes(llvmInsertValueOpCreate(
          l->b, l->loc, p->accumulator, packed, piece->c.values[registerAt(&piece->layout, row, column, reg)],
          mlirDenseI64ArrayGet(l->context, 1, &at)));
  return packed;
}

static void unpackAccumulator(TileLowering *l, const Product *p, MlirValue packed, int64_t row,
                              int64_t column) {
  MlirType field = mlirLLVMStructTypeGetElementType(p->accumulator, 0);
  int64_t at = 0;
  for (const Piece *piece = p->pieces; piece < p->pieces + p->numPieces; ++piece)
    for (int32_t reg = 0; reg < piece->registers; ++reg, ++at)
      piece->out.values[registerAt(&piece->layout, row, column, reg)] = llvmExtractValueOpGetRes(
          llvmExtractValueOpCreate(l->b, l->loc, field, packed, mlirDenseI64ArrayGet(l->context, 1, &at)));
}

/* The registers of all values as one struct. */
static MlirValue packAll(TileLowering *l, MlirType all, intptr_t count, const MlirValue *values) {
  MlirValue packed = llvmPoisonOpGetRes(llvmPoisonOpCreate(l->b, l->loc, all));
  for (int64_t i = 0; i < count; ++i)
    packed = llvmInsertValueOpGetRes(llvmInsertValueOpCreate(l->b, l->loc, all, packed, values[i],
                                                             mlirDenseI64ArrayGet(l->context, 1, &i)));
  return packed;
}

static int64_t rowsAtOnce(const Product *p) { return (int64_t)GroupRows / GroupWarps * p->shape.warpsM; }

/* The first of four words of a first factor in registers. */
static int64_t wordAt(const Product *p, int64_t row, int64_t k) {
  return (row / rowsAtOnce(p) * (p->shape.k / p->depth) + k / p->depth) * 4;
}

/* The words of [k, k + depth) and all rows, packed. */
static void packWords(TileLowering *l, Product *p, int64_t k) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  for (int64_t row = 0; row < p->shape.m; row += rowsAtOnce(p))
    for (int i = 0; i < 4; ++i) {
      MlirValue pair[2];
      for (int e = 0; e < 2; ++e)
        pair[e] = p->aRegisters.values[registerAt(&p->aLayout, row, k, 2 * i + e)];
      p->aWords[wordAt(p, row, k) + i] = tileEmitBitcast(l, tileEmitPack(l, pair, 2), i32);
    }
}

/* A fence that `count` words pass through; those of the list. */
static void fenceWords(TileLowering *l, intptr_t count, MlirValue *const *words) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  MlirType *fields = tileArenaAlloc(l->arena, (size_t)count, sizeof *fields);
  MlirValue *values = tileArenaAlloc(l->arena, (size_t)count, sizeof *values);
  for (intptr_t i = 0; i < count; ++i) {
    fields[i] = i32;
    values[i] = *words[i];
  }
  MlirType all = mlirLLVMStructTypeLiteralGet(l->context, count, fields, false);
  MlirValue packed = packAll(l, all, count, values);
  packed = tileNVWgmmaFenceOpGetResults(tileNVWgmmaFenceOpCreate(l->b, l->loc, 1, &all, 1, &packed), 0);
  for (int64_t i = 0; i < count; ++i)
    *words[i] = llvmExtractValueOpGetRes(
        llvmExtractValueOpCreate(l->b, l->loc, i32, packed, mlirDenseI64ArrayGet(l->context, 1, &i)));
}

/* The fence before the products, and behind all that makes a first factor in registers. */
static void emitFence(TileLowering *l, Product *p) {
  if (!p->aLayout.rank) {
    nvvmWgmmaFenceAlignedOpCreate(l->b, l->loc);
    return;
  }
  const intptr_t count = (intptr_t)wordAt(p, p->shape.m, 0);
  MlirValue **words = tileArenaAlloc(l->arena, (size_t)count, sizeof *words);
  p->aWords = tileArenaAlloc(l->arena, (size_t)count, sizeof *p->aWords);
  for (int64_t k = 0; k < p->shape.k; k += p->depth)
    packWords(l, p, k);
  for (intptr_t i = 0; i < count; ++i)
    words[i] = &p->aWords[i];
  fenceWords(l, count, words);
}

/* A descriptor, or four registers of two elements. */
static intptr_t emitA(TileLowering *l, const Product *p, int64_t row, int64_t k, MlirValue out[4]) {
  if (!p->aLayout.rank)
    return out[0] = emitDescriptor(l, &p->a, row, k), 1;
  for (int i = 0; i < 4; ++i)
    out[i] = p->aWords[wordAt(p, row, k) + i];
  return 4;
}

/* The sum with the product of one step of K added. */
static MlirValue emitStep(TileLowering *l, const Product *p, MlirValue sum, int64_t row, int64_t column,
                          int64_t k) {
  MlirAttribute none = {NULL};
  MlirValue a[4], adds = {NULL};
  const intptr_t count = emitA(l, p, row, k, a);
  TileNVWgmmaOpAttrs attrs = {.transA =
                                  p->aLayout.rank || p->a.how.kMajor ? none : mlirUnitAttrGet(l->context),
                              .transB = p->b.how.kMajor ? none : mlirUnitAttrGet(l->context)};
  if (p->fromZero && !k)
    adds = tileEmitInt(l, mlirIntegerTypeGet(l->context, 1), 0);
  return tileNVWgmmaOpGetResult(
      tileNVWgmmaOpCreate(l->b, l->loc, p->accumulator, sum, count, a, emitDescriptor(l, &p->b, column, k),
                          adds, tileI32Attr(l->context, p->columns), tileI32Attr(l->context, p->aType),
                          tileI32Attr(l->context, p->bType), &attrs));
}

static MlirValue startSum(TileLowering *l, const Product *p, int64_t row, int64_t column) {
  return p->fromZero ? llvmPoisonOpGetRes(llvmPoisonOpCreate(l->b, l->loc, p->accumulator))
                     : packAccumulator(l, p, row, column);
}

static void emitChain(TileLowering *l, const Product *p, int64_t row, int64_t column) {
  MlirValue sum = startSum(l, p, row, column);
  for (int64_t k = 0; k < p->shape.k; k += p->depth)
    sum = emitStep(l, p, sum, row, column, k);
  unpackAccumulator(l, p, sum, row, column);
}

// ---- In parts ----

/* The first op that packs a word: two insertions into poison, and a bitcast. */
static MlirOperation firstOfPack(MlirValue word) {
  MlirOperation op = tileValueGetDefiningOp(word);
  while (op.ptr && mlirOperationGetNumOperands(op))
    op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0));
  return op;
}

enum { MOST_SUMS = 32, MOST_PARTS = 32 };

static int64_t columnsAtOnce(const Product *p) { return (int64_t)p->shape.instrN * p->shape.warpsN; }

static bool inParts(const Product *p, MlirOperation op) {
  return p->aLayout.rank && mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.parts")).ptr &&
         p->shape.k / p->depth > 1 && p->shape.k / p->depth <= MOST_PARTS &&
         p->shape.m / rowsAtOnce(p) * (p->shape.n / columnsAtOnce(p)) <= MOST_SUMS;
}

/* All products of one step of K after each other; what makes the words of the next steps stands behind them. */
static void emitParts(TileLowering *l, Product *p) {
  const int perPart = (int)(4 * p->shape.m / rowsAtOnce(p)), parts = (int)(p->shape.k / p->depth);
  MlirValue sums[MOST_SUMS], **words = tileArenaAlloc(l->arena, (size_t)perPart, sizeof *words),
                             *made = tileArenaAlloc(l->arena, (size_t)(perPart * parts), sizeof *made);
  MlirOperation anchors[MOST_PARTS];
  int n = 0;
  p->aWords = tileArenaAlloc(l->arena, (size_t)wordAt(p, p->shape.m, 0), sizeof *p->aWords);
  for (int64_t row = 0; row < p->shape.m; row += rowsAtOnce(p))
    for (int64_t column = 0; column < p->shape.n; column += columnsAtOnce(p))
      sums[n++] = startSum(l, p, row, column);
  for (int part = 0; part < parts; ++part) {
    const int64_t k = part * p->depth;
    packWords(l, p, k);
    for (int i = 0; i < perPart; ++i) {
      words[i] = &p->aWords[wordAt(p, i / 4 * rowsAtOnce(p), k) + i % 4];
      made[part * perPart + i] = *words[i];
    }
    if (part)
      anchors[part - 1] = firstOfPack(made[part * perPart]);
    fenceWords(l, perPart, words);
    n = 0;
    for (int64_t row = 0; row < p->shape.m; row += rowsAtOnce(p))
      for (int64_t column = 0; column < p->shape.n; column += columnsAtOnce(p), ++n)
        sums[n] = emitStep(l, p, sums[n], row, column, k);
  }
  n = 0;
  for (int64_t row = 0; row < p->shape.m; row += rowsAtOnce(p))
    for (int64_t column = 0; column < p->shape.n; column += columnsAtOnce(p))
      unpackAccumulator(l, p, sums[n++], row, column);
  tileSinkParts(l, made, parts, perPart, anchors);
}

static bool prepareA(TileLowering *l, MlirValue a, Product *p) {
  MlirType type = mlirValueGetType(a);
  TileLayout given;
  if (!tileTypeIsTensor(type))
    return makeFactor(l, a, 1, &p->layout, &p->a) && typeOf(p->a.view.desc.element, &p->aType);
  if (!tileWarpGroupRegistersLayout(&p->shape, &p->aLayout) || !tileLayoutOfType(type, &given) ||
      !tileLayoutEqual(&given, &p->aLayout))
    return false;
  p->aRegisters = tileRegistersOf(l, a);
  return typeOf(tileElementTypeOf(type), &p->aType);
}

/* The product's own columns, and those of products that its instructions do too. */
static bool preparePieces(TileLowering *l, TileGPUWgmmaOp op, Product *p) {
  MlirOperation products[TileJoin_Most];
  p->numPieces = tileWarpGroupJoin(op.op, products);
  p->fromZero = true;
  p->registers = p->columns = 0;
  for (int i = 0; i < p->numPieces; ++i) {
    TileGPUWgmmaOp product = tileGPUWgmmaOpCast(products[i]);
    Piece *piece = &p->pieces[i];
    TileWarpGroupShape shape;
    if (!tileWarpGroupShapeOf(products[i], &shape) || !tileWarpGroupLayout(&shape, &piece->layout))
      return false;
    piece->result = tileGPUWgmmaOpGetResult(product);
    piece->c = tileRegistersOf(l, tileGPUWgmmaOpGetC(product));
    piece->out = tileNewRegisters(l, piece->c.count);
    piece->registers = shape.instrN / 2;
    p->fromZero &= tileValueIsPositiveZero(tileGPUWgmmaOpGetC(product));
    p->registers += piece->registers;
    p->columns += shape.instrN;
    if (i)
      mlirOperationSetDiscardableAttributeByName(products[i], tileStr("tile_gpu.joined"),
                                                 mlirUnitAttrGet(l->context));
  }
  return true;
}

static bool prepare(TileLowering *l, TileGPUWgmmaOp op, Product *p) {
  if (!tileWarpGroupShapeOf(op.op, &p->shape) || !tileWarpGroupLayout(&p->shape, &p->layout) ||
      !prepareA(l, tileGPUWgmmaOpGetA(op), p) ||
      !makeFactor(l, tileGPUWgmmaOpGetB(op), 0, &p->layout, &p->b) ||
      !typeOf(p->b.view.desc.element, &p->bType))
    return false;
  if (!preparePieces(l, op, p))
    return false;
  p->depth = DepthBytes / p->b.view.desc.elementBytes;
  MlirType field = tileLowerElementType(l, tileTypeGetElement(mlirValueGetType(tileGPUWgmmaOpGetC(op))));
  MlirType *fields = tileArenaAlloc(l->arena, (size_t)p->registers, sizeof *fields);
  for (int32_t i = 0; i < p->registers; ++i)
    fields[i] = field;
  p->accumulator = mlirLLVMStructTypeLiteralGet(l->context, p->registers, fields, false);
  return true;
}

// ---- Turns ----

/* Warp groups take turns: group 0, 1, ... and 0 again. Barrier 0 is everybody's, 1 the program's, then each group has its own, and
 * then one for its turn: 128 threads wait there, 128 arrive. */
static MlirValue turnOf(TileLowering *l, MlirValue group) {
  return tileEmit2(l, TileOp_LLVM_Add, group, tileEmitI32(l, 2 + l->launchedWarps / GroupWarps));
}

static MlirValue threadsOfTurn(TileLowering *l) {
  return tileEmitI32(l, 2 * GroupWarps * (int)l->target->warpSize);
}

static MlirValue emitGroup(TileLowering *l) {
  return tileEmit2(l, TileOp_LLVM_LShr, tileEmitWarp(l), tileEmitI32(l, 2));
}

static void takeTurn(TileLowering *l) {
  const MlirValue none = {NULL};
  nvvmBarrierOpCreate(l->b, l->loc, (MlirType){NULL}, turnOf(l, emitGroup(l)), threadsOfTurn(l), none,
                      (MlirAttribute){NULL});
}

static void passTurn(TileLowering *l) {
  MlirValue next = tileEmit2(l, TileOp_LLVM_Add, emitGroup(l), tileEmitI32(l, 1)),
            last = tileEmitICmp(l, LLVMICmpPredicate_eq, next, tileEmitI32(l, l->launchedWarps / GroupWarps));
  nvvmBarrierArriveOpCreate(l->b, l->loc, turnOf(l, tileEmitSelect(l, last, tileEmitI32(l, 0), next)),
                            threadsOfTurn(l));
}

void tileBeginTurns(TileLowering *l) {
  MlirBlock last = tileAppendBlock(l, 0, NULL), rest = tileAppendBlock(l, 0, NULL);
  MlirValue isLast =
      tileEmitICmp(l, LLVMICmpPredicate_eq, emitGroup(l), tileEmitI32(l, l->launchedWarps / GroupWarps - 1));
  l->takesTurns = true;
  tileEmitCondBranch(l, isLast, last, 0, NULL, rest, 0, NULL);
  tileEnterBlock(l, last);
  passTurn(l);
  tileEmitBranch(l, rest, 0, NULL);
  tileEnterBlock(l, rest);
}

/* A product that an instruction in front of it has done. Waits count products: it is a group of its own, unless the next wait is for
 * all of them (ptxas makes an instruction of an empty group). */
static MlirLogicalResult endJoined(TileLowering *l, MlirOperation product) {
  MlirOperation op = mlirOperationGetNextInBlock(product);
  while (op.ptr && tileOpKind(op) != TileOp_TileGPU_WgmmaWait &&
         !(mlirOperationGetNumRegions(op) && tileHasWarpGroupProducts(op)))
    op = mlirOperationGetNextInBlock(op);
  TileGPUWgmmaWaitOp wait = tileGPUWgmmaWaitOpCast(op);
  if (!mlirOperationGetDiscardableAttributeByName(product, tileStr("tile_gpu.same_group")).ptr &&
      (tileGPUWgmmaWaitOpIsNull(wait) || tileGPUWgmmaWaitOpGetPending(wait)))
    nvvmWgmmaGroupSyncAlignedOpCreate(l->b, l->loc);
  return tileSuccess();
}

MlirLogicalResult tileLowerWgmma(TileLowering *l, MlirOperation operation) {
  TileGPUWgmmaOp op = tileGPUWgmmaOpCast(operation);
  Product *p = tileArenaAlloc(l->arena, 1, sizeof *p);
  TileLayout given;
  if (!tileTargetHas(l->target, TileFeature_WGMMA))
    return tileEmitOpError(operation, "got chip %s, expected one with wgmma", l->target->chip);
  TILE_TRY(tileRequireLayout(operation, tileGPUWgmmaOpGetC(op), &given));
  if (mlirOperationGetDiscardableAttributeByName(operation, tileStr("tile_gpu.joined")).ptr)
    return endJoined(l, operation);
  if (!prepare(l, op, p) || !tileLayoutEqual(&given, &p->layout))
    return tileEmitOpError(operation, "got values in other layouts than warp groups' products have");
  const int64_t turn = l->takesTurns ? tileGetIntAttr(operation, "tile_gpu.turn", 0) : 0;
  if (turn == TileTurn_Take)
    takeTurn(l);
  if (inParts(p, operation)) {
    emitParts(l, p);
  } else {
    emitFence(l, p);
    for (int64_t row = 0; row < p->shape.m; row += rowsAtOnce(p))
      for (int64_t column = 0; column < p->shape.n; column += columnsAtOnce(p))
        emitChain(l, p, row, column);
  }
  nvvmWgmmaGroupSyncAlignedOpCreate(l->b, l->loc);
  if (turn == TileTurn_Pass)
    passTurn(l);
  for (int i = 0; i < p->numPieces; ++i)
    tileBind(l, p->pieces[i].result, p->pieces[i].out);
  return tileSuccess();
}

/* The registers of one value as a struct. */
static MlirValue packValue(TileLowering *l, MlirValue value, MlirType *out_type) {
  TileRegisters in = tileRegistersOf(l, value);
  MlirType *fields = tileArenaAlloc(l->arena, (size_t)in.count + 1, sizeof *fields);
  for (intptr_t i = 0; i < in.count; ++i)
    fields[i] = mlirValueGetType(in.values[i]);
  *out_type = mlirLLVMStructTypeLiteralGet(l->context, in.count, fields, false);
  return packAll(l, *out_type, in.count, in.values);
}

static TileRegisters unpackValue(TileLowering *l, MlirValue packed, MlirType type) {
  TileRegisters out = tileNewRegisters(l, mlirLLVMStructTypeGetNumElementTypes(type));
  for (int64_t i = 0; i < out.count; ++i)
    out.values[i] = llvmExtractValueOpGetRes(
        llvmExtractValueOpCreate(l->b, l->loc, mlirLLVMStructTypeGetElementType(type, (intptr_t)i), packed,
                                 mlirDenseI64ArrayGet(l->context, 1, &i)));
  return out;
}

/* One wait for all values: they are made before it and read behind it. */
MlirLogicalResult tileLowerWgmmaWait(TileLowering *l, MlirOperation operation) {
  TileGPUWgmmaWaitOp op = tileGPUWgmmaWaitOpCast(operation);
  const intptr_t n = tileGPUWgmmaWaitOpGetNumValues(op);
  MlirType *types = tileArenaAlloc(l->arena, (size_t)n + 1, sizeof *types);
  MlirValue *packed = tileArenaAlloc(l->arena, (size_t)n + 1, sizeof *packed);
  for (intptr_t i = 0; i < n; ++i)
    packed[i] = packValue(l, tileGPUWgmmaWaitOpGetValues(op, i), &types[i]);
  TileNVWgmmaWaitOp wait = tileNVWgmmaWaitOpCreate(l->b, l->loc, n, types, n, packed,
                                                   tileI32Attr(l->context, tileGPUWgmmaWaitOpGetPending(op)));
  for (intptr_t i = 0; i < n; ++i)
    tileBind(l, tileGPUWgmmaWaitOpGetResults(op, i),
             unpackValue(l, tileNVWgmmaWaitOpGetResults(wait, i), types[i]));
  return tileSuccess();
}

MlirLogicalResult tileLowerFenceAsync(TileLowering *l, MlirOperation op) {
  if (!tileTargetHas(l->target, TileFeature_TMA) && !tileTargetHas(l->target, TileFeature_WGMMA))
    return tileEmitOpError(op, "got chip %s, expected one with an async proxy", l->target->chip);

  nvvmFenceProxyOpCreate(l->b, l->loc, nvvmProxyKindAttrGet(l->context, NVVMProxyKind_async_shared),
                         nvvmSharedSpaceAttrGet(l->context, NVVMSharedSpace_shared_cta));
  return tileSuccess();
}

MlirLogicalResult tileLowerHold(TileLowering *l, MlirOperation op) {
  TileGPUHoldOp hold = tileGPUHoldOpCast(op);
  TileRegisters value = tileRegistersOf(l, tileGPUHoldOpGetValue(hold));
  if (!mlirTypeIsAF32(mlirValueGetType(value.values[0])))
    return tileEmitOpError(op, "got another element type, expected f32");
  tileNVHoldOpCreate(l->b, l->loc, value.values[0],
                     tileRegistersOf(l, tileGPUHoldOpGetNumber(hold)).values[0]);
  return tileSuccess();
}
