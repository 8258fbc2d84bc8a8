/* ExpandWgmma.c - warp-group products as inline PTX.
 *
 *   %r = tile_nv.wgmma %acc, [%a], %b, scale = %s n = 8 f16, f16 : !llvm.struct<(f32, f32, f32, f32)>, i64
 * becomes
 *   %r = llvm.inline_asm "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, ..., $3}, $4, $5, $6, 1, 1, 0, 0;",
 *        "=f,=f,=f,=f,l,l,b,0,1,2,3,~{memory}" %a, %b, %s, (fields of %acc)
 *
 * A constant that is added to a descriptor is added in the text:
 *   "{ .reg .b64 b; add.s64 b, $5, 32; wgmma... $4, b, ...; }"
 * LLVM would move a loop's descriptors in front of it, a hundred registers of them; the addition is a uniform one, beside the products.
 *
 * The accumulator is tied, so that it stays in its registers; the products in flight and the wait name the
 * same registers, which is all that keeps LLVM and ptxas from touching them in between. */
#include "Expand.h"

/* Fields of a struct appended to out; their constraint letters as "=f," or so. */
static void takeApart(TileBuilder b, MlirLocation loc, MlirValue value, MlirValue *out) {
  MlirType type = mlirValueGetType(value);
  for (int64_t i = 0; i < mlirLLVMStructTypeGetNumElementTypes(type); ++i)
    out[i] = llvmExtractValueOpGetRes(
        llvmExtractValueOpCreate(b, loc, mlirLLVMStructTypeGetElementType(type, (intptr_t)i), value,
                                 mlirDenseI64ArrayGet(mlirLocationGetContext(loc), 1, &i)));
}

static char letterOf(MlirType type) { return mlirTypeIsAF32(type) ? 'f' : 'r'; }

static const struct {
  const char *name;
  int bits;
} elements[] = {[TileNVWgmmaType_F16] = {"f16", 16},   [TileNVWgmmaType_BF16] = {"bf16", 16},
                [TileNVWgmmaType_TF32] = {"tf32", 32}, [TileNVWgmmaType_E4M3] = {"e4m3", 8},
                [TileNVWgmmaType_E5M2] = {"e5m2", 8},  [TileNVWgmmaType_S8] = {"s8", 8},
                [TileNVWgmmaType_U8] = {"u8", 8}};

static bool isInteger(TileNVWgmmaType type) {
  return type == TileNVWgmmaType_S8 || type == TileNVWgmmaType_U8;
}

/* "m64n256k16.f32.f16.f16". */
static void appendName(TileStringBuilder *text, TileNVWgmmaOp op, MlirType field) {
  TileNVWgmmaType a = tileNVWgmmaOpGetAType(op), b = tileNVWgmmaOpGetBType(op);
  const char *sum = isInteger(a) ? "s32" : mlirTypeIsAF32(field) ? "f32" : "f16";
  tileStringAppendFormat(text, "wgmma.mma_async.sync.aligned.m64n%dk%d%s.%s.%s.%s ",
                         (int)tileNVWgmmaOpGetN(op), 256 / elements[a].bits,
                         tileNVWgmmaOpGetSaturate(op) ? ".satfinite" : "", sum, elements[a].name,
                         elements[b].name);
}

/* The accumulator that comes in plays no part. */
static bool replaces(TileNVWgmmaOp op) {
  LLVMConstantOp constant = llvmConstantOpCast(tileValueGetDefiningOp(tileNVWgmmaOpGetScale(op)));
  return !llvmConstantOpIsNull(constant) && !tileIntegerAttrValue(llvmConstantOpGetValueAttr(constant));
}

/* What follows the operands: scale-d, then signs and, for 16-bit elements, directions. */
static void appendModifiers(TileStringBuilder *text, TileNVWgmmaOp op, int scale) {
  TileNVWgmmaType a = tileNVWgmmaOpGetAType(op);
  if (scale >= 0)
    tileStringAppendFormat(text, ", $%d", scale);
  else
    tileStringAppendText(text, replaces(op) ? ", 0" : ", 1");
  if (!isInteger(a))
    tileStringAppendFormat(text, ", %s, %s", tileNVWgmmaOpGetNegateA(op) ? "-1" : "1",
                           tileNVWgmmaOpGetNegateB(op) ? "-1" : "1");
  if (elements[a].bits == 16 && tileNVWgmmaOpGetNumA(op) == 1)
    tileStringAppendFormat(text, ", %d", tileNVWgmmaOpGetTransA(op));
  if (elements[a].bits == 16)
    tileStringAppendFormat(text, ", %d", tileNVWgmmaOpGetTransB(op));
  tileStringAppendText(text, ";");
}

static void appendList(TileStringBuilder *text, int first, int n) {
  tileStringAppendText(text, "{");
  for (int i = 0; i < n; ++i)
    tileStringAppendFormat(text, "%s$%d", i ? ", " : "", first + i);
  tileStringAppendText(text, "}");
}

static void appendOutputs(TileStringBuilder *constraints, intptr_t n, const MlirValue *values) {
  for (intptr_t i = 0; i < n; ++i)
    tileStringAppendFormat(constraints, "=%c,", letterOf(mlirValueGetType(values[i])));
}
static void appendTies(TileStringBuilder *constraints, intptr_t n) {
  for (intptr_t i = 0; i < n; ++i)
    tileStringAppendFormat(constraints, "%d,", (int)i);
  tileStringAppendText(constraints, "~{memory}");
}

/* A descriptor: what it starts from, and what the text adds. */
typedef struct Descriptor {
  MlirValue start;
  int64_t offset;
  int operand; ///< number of `start`
  const char *name;
} Descriptor;

static Descriptor descriptorOf(MlirValue v, int operand, const char *name) {
  MlirOperation add = tileValueGetDefiningOp(v);
  LLVMConstantOp constant = {{NULL}};
  if (add.ptr && tileOpKind(add) == TileOp_LLVM_Add)
    constant = llvmConstantOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(add, 1)));
  if (llvmConstantOpIsNull(constant))
    return (Descriptor){v, 0, operand, name};
  return (Descriptor){mlirOperationGetOperand(add, 0),
                      tileIntegerAttrValue(llvmConstantOpGetValueAttr(constant)), operand, name};
}

static void appendDescriptor(TileStringBuilder *text, const Descriptor *d) {
  if (d->offset)
    tileStringAppendText(text, d->name);
  else
    tileStringAppendFormat(text, "$%d", d->operand);
}

static void appendAddition(TileStringBuilder *text, const Descriptor *d) {
  if (d->offset)
    tileStringAppendFormat(text, ".reg .b64 %s; add.s64 %s, $%d, %lld; ", d->name, d->name, d->operand,
                           (long long)d->offset);
}

void tileExpandWgmma(TileBuilder b, MlirOperation operation) {
  TileNVWgmmaOp op = tileNVWgmmaOpCast(operation);
  MlirLocation loc = mlirOperationGetLocation(operation);
  MlirType type = mlirValueGetType(tileNVWgmmaOpGetAccumulator(op));
  const int n = (int)mlirLLVMStructTypeGetNumElementTypes(type), numA = (int)tileNVWgmmaOpGetNumA(op);
  TileArena arena = {0};
  MlirValue *fields = tileArenaAlloc(&arena, (size_t)n, sizeof *fields);
  MlirValue *operands = tileArenaAlloc(&arena, (size_t)n + 8, sizeof *operands);
  const bool isFirst = replaces(op);
  MlirValue scale = isFirst ? (MlirValue){NULL} : tileNVWgmmaOpGetScale(op);
  TileStringBuilder text = {0}, constraints = {0};
  int used = 0;
  const Descriptor da = numA == 1 ? descriptorOf(tileNVWgmmaOpGetA(op, 0), n, "a") : (Descriptor){0},
                   db = descriptorOf(tileNVWgmmaOpGetB(op), n + numA, "b");
  const bool adds = da.offset || db.offset;
  takeApart(b, loc, tileNVWgmmaOpGetAccumulator(op), fields);
  tileStringAppendText(&text, adds ? "{ " : "");
  appendAddition(&text, &da);
  appendAddition(&text, &db);
  appendName(&text, op, mlirValueGetType(fields[0]));
  appendList(&text, 0, n);
  tileStringAppendText(&text, ", ");
  if (numA == 1)
    appendDescriptor(&text, &da);
  else
    appendList(&text, n, numA);
  tileStringAppendText(&text, ", ");
  appendDescriptor(&text, &db);
  appendModifiers(&text, op, scale.ptr ? n + numA + 1 : -1);
  tileStringAppendText(&text, adds ? " }" : "");
  appendOutputs(&constraints, n, fields);
  for (int i = 0; i < numA; ++i)
    operands[used++] = numA == 1 ? da.start : tileNVWgmmaOpGetA(op, i);
  tileStringAppendText(&constraints, numA == 1 ? "l," : "r,r,r,r,");
  operands[used++] = db.start;
  tileStringAppendText(&constraints, "l,");
  if (scale.ptr) {
    operands[used++] = scale;
    tileStringAppendText(&constraints, "b,");
  }
  for (int i = 0; i < n && !isFirst; ++i)
    operands[used++] = fields[i];
  appendTies(&constraints, isFirst ? 0 : n);
  mlirValueReplaceAllUsesOfWith(tileNVWgmmaOpGetResult(op),
                                tileExpandToAsm(b, loc, type, used, operands, &text, &constraints));
  tileStringRelease(&text);
  tileStringRelease(&constraints);
  tileArenaRelease(&arena);
}

// ---- Waiting ----

/* Fields [first, first + n) of `all` as a struct of this type. */
static MlirValue putTogether(TileBuilder b, MlirLocation loc, MlirType type, const MlirValue *fields) {
  MlirValue v = llvmPoisonOpGetRes(llvmPoisonOpCreate(b, loc, type));
  for (int64_t i = 0; i < mlirLLVMStructTypeGetNumElementTypes(type); ++i)
    v = llvmInsertValueOpGetRes(llvmInsertValueOpCreate(
        b, loc, type, v, fields[i], mlirDenseI64ArrayGet(mlirLocationGetContext(loc), 1, &i)));
  return v;
}

static intptr_t countFields(MlirOperation op) {
  intptr_t total = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    total += mlirLLVMStructTypeGetNumElementTypes(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return total;
}

/* Result fields take the place of `fields`. */
static void emitTied(TileBuilder b, MlirLocation loc, intptr_t total, MlirValue *fields,
                     const TileStringBuilder *text, TileArena *arena) {
  MlirContext context = mlirLocationGetContext(loc);
  MlirType *types = tileArenaAlloc(arena, (size_t)total + 1, sizeof *types);
  TileStringBuilder constraints = {0};
  for (intptr_t i = 0; i < total; ++i)
    types[i] = mlirValueGetType(fields[i]);
  appendOutputs(&constraints, total, fields);
  appendTies(&constraints, total);
  MlirType all = total > 1 ? mlirLLVMStructTypeLiteralGet(context, total, types, false) : types[0];
  MlirValue result = tileExpandToAsm(b, loc, all, total, fields, text, &constraints);
  if (total == 1)
    fields[0] = result;
  else
    takeApart(b, loc, result, fields);
  tileStringRelease(&constraints);
}

/* The instruction with all fields of all operands tied to those of the results. */
static void expandTied(TileBuilder b, MlirOperation op, TileStringBuilder *text) {
  MlirLocation loc = mlirOperationGetLocation(op);
  const intptr_t total = countFields(op), n = mlirOperationGetNumOperands(op);
  TileArena arena = {0};
  MlirValue *fields = tileArenaAlloc(&arena, (size_t)total + 1, sizeof *fields);
  TileStringBuilder constraints = {0};
  intptr_t at = 0;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    takeApart(b, loc, value, fields + at);
    at += mlirLLVMStructTypeGetNumElementTypes(mlirValueGetType(value));
  }
  if (total) {
    emitTied(b, loc, total, fields, text, &arena);
  } else {
    tileStringAppendText(&constraints, "~{memory}");
    tileExpandToAsm(b, loc, (MlirType){NULL}, 0, NULL, text, &constraints);
  }
  at = 0;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue old = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(old);
    mlirValueReplaceAllUsesOfWith(old, putTogether(b, loc, type, fields + at));
    at += mlirLLVMStructTypeGetNumElementTypes(type);
  }
  tileStringRelease(text);
  tileStringRelease(&constraints);
  tileArenaRelease(&arena);
}

void tileExpandWgmmaWait(TileBuilder b, MlirOperation op) {
  TileStringBuilder text = {0};
  tileStringAppendFormat(&text, "wgmma.wait_group.sync.aligned %d;",
                         (int)tileNVWgmmaWaitOpGetPending(tileNVWgmmaWaitOpCast(op)));
  expandTied(b, op, &text);
}

void tileExpandWgmmaFence(TileBuilder b, MlirOperation op) {
  TileStringBuilder text = {0};
  tileStringAppendText(&text, "wgmma.fence.sync.aligned;");
  expandTied(b, op, &text);
}
