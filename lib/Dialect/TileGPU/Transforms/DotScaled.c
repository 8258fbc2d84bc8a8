/* DotScaled.c - tile.dot_scaled by decoding and scaling its operands in registers.
 *
 *   %d = tile.dot_scaled %a scale %sa, %b, %c a_type = e2m1 b_type = bf16
 *      : tensor<64x32xi8>, tensor<64x2xi8> * tensor<64x64xbf16> -> tensor<64x64xf32>
 * becomes
 *   %v = the f32 values of %a's halves of bytes, times those of %sa, each 32 times along K
 *   %w = tile.fp_to_fp %v : tensor<64x64xf32> -> tensor<64x64xbf16>
 *   %d = tile.dot %w, %b, %c : tensor<64x64xbf16> * tensor<64x64xbf16> -> tensor<64x64xf32>
 *
 * A value of 8 bits or fewer has at most four significant bits, and so has a scale: bf16 holds their product
 * exactly. f16 does so without scales only; what neither holds is multiplied as f32. */
#include "DotScaled.h"
#include "ExpandMath/MathBuilder.h"
#include "tile-c/Collect.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Support/PointerList.h"

/// One operand and what is known of it.
typedef struct Scaled {
  MlirValue value, scale; ///< scale: null if there is none
  TileScaledElementType type;
  bool packedAcross; ///< e2m1: pairs lie along M or N
  bool kFirst;       ///< b: K comes before N
} Scaled;

enum { MAX_RANK = 4 }; ///< a batch of matrices, one dimension added

/* A format of 8 bits or fewer without special values. */
typedef struct SmallFormat {
  int exponentBits, fractionBits, bias;
} SmallFormat;

static const SmallFormat smallFormats[] = {
    [TileScaledElementType_E2M3] = {2, 3, 1},
    [TileScaledElementType_E3M2] = {3, 2, 3},
    [TileScaledElementType_E2M1] = {2, 1, 1},
};

static MathBuilder forTensor(const MathBuilder *m, MlirType tensor) {
  MathBuilder other = *m;
  other.type = tileTypeWithElement(tensor, mlirF32TypeGet(m->context));
  return other;
}

static MlirType withShape(MlirValue v, int rank, const int64_t *shape) {
  return mlirRankedTensorTypeGet(rank, shape, tileTypeGetElement(mlirValueGetType(v)), (MlirAttribute){NULL});
}

static MlirValue reshape(const MathBuilder *m, MlirValue v, int rank, const int64_t *shape) {
  return tileReshapeOpGetResult(
      tileReshapeOpCreate(m->b, m->loc, withShape(v, rank, shape), v, (MlirAttribute){NULL}));
}

/* With the last two dimensions exchanged. */
static MlirValue transpose(const MathBuilder *m, MlirValue v) {
  int64_t from[MAX_RANK], to[MAX_RANK];
  int32_t order[MAX_RANK];
  int rank = tileTypeGetShape(mlirValueGetType(v), from, MAX_RANK);
  for (int i = 0; i < rank; ++i) {
    order[i] = i < rank - 2 ? i : 2 * rank - 3 - i;
    to[i] = from[order[i]];
  }
  return tileTransOpGetResult(tileTransOpCreate(m->b, m->loc, withShape(v, rank, to), v,
                                                mlirDenseI32ArrayGet(m->context, rank, order)));
}

// ---- Values ----

/* Bytes whose lower four bits are the elements, of bytes that hold two each. */
static MlirValue unpack(const MathBuilder *m, const Scaled *s) {
  int64_t shape[MAX_RANK];
  MlirType type = mlirValueGetType(s->value), i8 = mlirIntegerTypeGet(m->context, 8);
  int rank = tileTypeGetShape(type, shape, MAX_RANK);
  MlirValue four = arithConstantOpGetResult(arithConstantOpCreate(
      m->b, m->loc, type, mlirDenseElementsAttrSplatGet(type, mlirIntegerAttrGet(i8, 4))));
  MlirValue high =
      arithShRUIOpGetResult(arithShRUIOpCreate(m->b, m->loc, type, s->value, four, (MlirAttribute){NULL}));
  shape[rank] = 2;
  MlirValue both = tileJoinOpGetResult(
      tileJoinOpCreate(m->b, m->loc, withShape(s->value, rank + 1, shape), s->value, high));
  if (s->kFirst == s->packedAcross) { // pairs lie along rows of memory
    shape[rank - 1] *= 2;
    return reshape(m, both, rank, shape);
  }
  shape[rank - 2] *= 2;
  return reshape(m, transpose(m, both), rank, shape);
}

/* The f32 whose exponent and fraction are the format's, times what the biases differ by: subnormals too. */
static MlirValue decodeSmall(const MathBuilder *outer, MlirValue bytes, const SmallFormat *f) {
  MathBuilder own = forTensor(outer, mlirValueGetType(bytes)), *m = &own;
  int bits = f->exponentBits + f->fractionBits;
  MlirValue wide = mathEmit(m, TileOp_Arith_ExtUI, MathType_Int, 1, &bytes);
  MlirValue magnitude =
      mathIntOpK(m, TileOp_Arith_ShLI, mathIntOpK(m, TileOp_Arith_AndI, wide, (INT64_C(1) << bits) - 1),
                 23 - f->fractionBits);
  MlirValue sign =
      mathIntOpK(m, TileOp_Arith_ShLI, mathIntOpK(m, TileOp_Arith_AndI, wide, INT64_C(1) << bits), 31 - bits);
  MlirValue value = mathMulK(m, mathFromBits(m, magnitude), ldexp(1, 127 - f->bias));
  return mathFromBits(m, mathIntOp(m, TileOp_Arith_OrI, mathBits(m, value), sign));
}

static MlirValue toFloat(const MathBuilder *m, MlirValue v, TileElementType element) {
  MlirType type = mlirValueGetType(v);
  if (tileElementTypeOf(type) == element)
    return v;
  MlirType to = tileTypeWithElement(type, tileElementTypeToMlir(m->context, element));
  return tileFpToFpOpGetResult(tileFpToFpOpCreate(m->b, m->loc, to, v, tileI32Attr(m->context, 0)));
}

static bool isFloat8(TileScaledElementType t) {
  return t == TileScaledElementType_E4M3 || t == TileScaledElementType_E5M2;
}

/* As its float type: bytes are only seen as what they are. */
static MlirValue asFloat8(const MathBuilder *m, const Scaled *s) {
  TileElementType element =
      s->type == TileScaledElementType_E4M3 ? TileElementType_F8E4M3FN : TileElementType_F8E5M2;
  MlirType type = mlirValueGetType(s->value);
  if (tileElementTypeOf(type) == element)
    return s->value;
  MlirType to = tileTypeWithElement(type, tileElementTypeToMlir(m->context, element));
  return tileBitcastOpGetResult(tileBitcastOpCreate(m->b, m->loc, to, s->value));
}

static MlirValue decode(const MathBuilder *m, const Scaled *s) {
  if (isFloat8(s->type))
    return asFloat8(m, s);
  if (s->type == TileScaledElementType_BF16 || s->type == TileScaledElementType_FP16)
    return s->value;
  return decodeSmall(m, s->type == TileScaledElementType_E2M1 ? unpack(m, s) : s->value,
                     &smallFormats[s->type]);
}

// ---- Scales ----

/* 2^(x - 127); 255 is NaN. */
static MlirValue decodeExponent(const MathBuilder *outer, MlirValue bytes) {
  MathBuilder own = forTensor(outer, mlirValueGetType(bytes)), *m = &own;
  MlirValue x = mathEmit(m, TileOp_Arith_ExtUI, MathType_Int, 1, &bytes);
  MlirValue bits = mathIntOpK(m, TileOp_Arith_ShLI, x, 23);
  bits = mathSelectInt(m, mathCompareInt(m, MathIntOrder_EQ, x, mathInt(m, 0)), mathInt(m, 0x00400000), bits);
  bits =
      mathSelectInt(m, mathCompareInt(m, MathIntOrder_EQ, x, mathInt(m, 255)), mathInt(m, 0x7FC00000), bits);
  return mathFromBits(m, bits);
}

/* One f32 for each element of the operand: [rows, K / group] spread along K, the other way round for b. */
static MlirValue spreadScale(const MathBuilder *m, const Scaled *s, int64_t k) {
  int64_t shape[MAX_RANK];
  int rank = tileTypeGetShape(mlirValueGetType(s->scale), shape, MAX_RANK);
  MlirValue scale = tileElementTypeIsFloat(tileElementTypeOf(mlirValueGetType(s->scale)))
                        ? toFloat(m, s->scale, TileElementType_F32)
                        : decodeExponent(m, s->scale);
  shape[rank] = 1;
  scale = tileExpandDimsOpGetResult(tileExpandDimsOpCreate(m->b, m->loc, withShape(scale, rank + 1, shape),
                                                           scale, tileI32Attr(m->context, rank)));
  shape[rank] = k / shape[rank - 1];
  scale =
      tileBroadcastOpGetResult(tileBroadcastOpCreate(m->b, m->loc, withShape(scale, rank + 1, shape), scale));
  shape[rank - 1] = k;
  scale = reshape(m, scale, rank, shape);
  return s->kFirst ? transpose(m, scale) : scale;
}

static MlirValue prepare(const MathBuilder *m, const Scaled *s, TileElementType element, int64_t k) {
  MlirValue value = decode(m, s);
  if (s->scale.ptr) {
    MathBuilder own = forTensor(m, mlirValueGetType(value));
    value = mathMul(&own, toFloat(m, value, TileElementType_F32), spreadScale(m, s, k));
  }
  return toFloat(m, value, element);
}

// ---- The product ----

static bool hasFloatScale(const Scaled *s) {
  return s->scale.ptr && tileElementTypeIsFloat(tileElementTypeOf(mlirValueGetType(s->scale)));
}

/* The type that holds both operands exactly. */
static TileElementType commonType(const Scaled *a, const Scaled *b) {
  bool scaled = a->scale.ptr || b->scale.ptr;
  bool half = a->type == TileScaledElementType_FP16 || b->type == TileScaledElementType_FP16;
  bool wide = a->type == TileScaledElementType_BF16 || b->type == TileScaledElementType_BF16;
  if (half)
    return scaled || wide ? TileElementType_F32 : TileElementType_F16;
  return (a->type == TileScaledElementType_BF16 && hasFloatScale(a)) ||
                 (b->type == TileScaledElementType_BF16 && hasFloatScale(b))
             ? TileElementType_F32
             : TileElementType_BF16;
}

static MlirLogicalResult expand(TileBuilder builder, MlirOperation op) {
  TileDotScaledOp dot = tileDotScaledOpCast(op);
  Scaled a = {tileDotScaledOpGetA(dot), tileDotScaledOpGetAScale(dot), tileDotScaledOpGetAType(dot),
              tileDotScaledOpGetAPackM(dot), false},
         b = {tileDotScaledOpGetB(dot), tileDotScaledOpGetBScale(dot), tileDotScaledOpGetBType(dot),
              tileDotScaledOpGetBPackN(dot), true};
  MlirValue c = tileDotScaledOpGetC(dot);
  int64_t shape[MAX_RANK];
  int rank = tileTypeGetShape(mlirValueGetType(a.value), shape, MAX_RANK);
  int64_t k = shape[rank - 1] * (a.type == TileScaledElementType_E2M1 && !a.packedAcross ? 2 : 1);
  mlirRewriterBaseSetInsertionPointBefore(builder, op);
  MathBuilder m = {.b = builder,
                   .loc = mlirOperationGetLocation(op),
                   .context = mlirOperationGetContext(op),
                   .type = mlirValueGetType(c)};
  bool plain = !a.scale.ptr && !b.scale.ptr && isFloat8(a.type) && isFloat8(b.type);
  TileElementType element = commonType(&a, &b);
  MlirValue left = plain ? asFloat8(&m, &a) : prepare(&m, &a, element, k),
            right = plain ? asFloat8(&m, &b) : prepare(&m, &b, element, k);
  MlirAttribute none = {NULL};
  MlirValue result =
      tileDotOpGetResult(tileDotOpCreate(builder, m.loc, mlirValueGetType(c), left, right, c, none, none));
  mlirValueReplaceAllUsesOfWith(tileDotScaledOpGetResult(dot), result);
  mlirRewriterBaseEraseOp(builder, op);
  return tileSuccess();
}

MlirLogicalResult tileExpandScaledDots(TileBuilder b, MlirOperation module) {
  TileArena arena = {0};
  TilePointerList list = {.arena = &arena};
  MlirLogicalResult result = tileSuccess();
  tileCollectOps(module, TileOp_Tile_DotScaled, MlirWalkPreOrder, &list);
  const MlirOperation *ops = (const MlirOperation *)list.items;
  for (size_t i = 0; i < list.count && tileSucceeded(result); ++i)
    result = expand(b, ops[i]);
  tileArenaRelease(&arena);
  return result;
}
