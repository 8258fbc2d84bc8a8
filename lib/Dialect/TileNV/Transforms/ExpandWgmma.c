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
 * Products that follow each other in a sum are one piece of assembly, with the operands of all of them: LLVM goes through the
 * accumulator once instead of once for each.
 *   "wgmma... {$0, ..., $3}, $4, $5, $6, 1, 1, 0, 0; { .reg .b64 b; add.s64 b, $5, 32; wgmma... {$0, ..., $3}, $4, b, 1, 1, 1, 0, 0; }"
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

static const char product[] = "wgmma.mma_async.sync.aligned.";

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
  tileStringAppendFormat(text, "%sm64n%dk%d%s.%s.%s.%s ", product, (int)tileNVWgmmaOpGetN(op),
                         256 / elements[a].bits, tileNVWgmmaOpGetSaturate(op) ? ".satfinite" : "", sum,
                         elements[a].name, elements[b].name);
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

// ---- Products that follow each other ----

/* The assembly of the products so far: what it reads beside the accumulator, and the accumulator's fields. */
typedef struct Chain {
  MlirOperation before; ///< the assembly that this one takes the place of, or null
  MlirValue *operands, *fields;
  int numOperands, numFields;
  bool replaces; ///< the accumulator that comes in plays no part
  TileStringBuilder text;
} Chain;

static int operandNumber(Chain *c, MlirValue v) {
  for (int i = 0; i < c->numOperands; ++i)
    if (mlirValueEqual(c->operands[i], v))
      return c->numFields + i;
  c->operands[c->numOperands] = v;
  return c->numFields + c->numOperands++;
}

/* A descriptor: what it starts from, and what the text adds. */
typedef struct Descriptor {
  int operand; ///< the number of what it starts from
  int64_t offset;
  const char *name;
} Descriptor;

static Descriptor descriptorOf(Chain *c, MlirValue v, const char *name) {
  MlirOperation add = tileValueGetDefiningOp(v);
  LLVMConstantOp constant = {{NULL}};
  if (add.ptr && tileOpKind(add) == TileOp_LLVM_Add)
    constant = llvmConstantOpCast(tileValueGetDefiningOp(mlirOperationGetOperand(add, 1)));
  if (llvmConstantOpIsNull(constant))
    return (Descriptor){operandNumber(c, v), 0, name};
  return (Descriptor){operandNumber(c, mlirOperationGetOperand(add, 0)),
                      tileIntegerAttrValue(llvmConstantOpGetValueAttr(constant)), name};
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

/* Whether an op may stand behind the products of a chain as well as before them. */
static bool mayWait(MlirOperation op) {
  const TileOpKind kind = tileOpKind(op);
  return kind == TileOp_LLVM_Constant || kind == TileOp_LLVM_Add || kind == TileOp_LLVM_ExtractValue;
}

static bool contains(MlirStringRef text, const char *part) {
  const size_t length = strlen(part);
  for (size_t at = 0; at + length <= text.length; ++at)
    if (memcmp(text.data + at, part, length) == 0)
      return true;
  return false;
}

/* The assembly of a product whose sum nothing but `op` takes up, with only what may wait in between; else null. */
static MlirOperation chainBefore(TileNVWgmmaOp op) {
  MlirValue sum = tileNVWgmmaOpGetAccumulator(op);
  MlirOperation made = tileValueGetDefiningOp(sum), none = {NULL};
  if (!made.ptr || tileOpKind(made) != TileOp_LLVM_InlineAsm || !tileValueHasOneUse(sum) || replaces(op))
    return none;
  MlirStringRef text = mlirStringAttrGetValue(llvmInlineAsmOpGetAsmStringAttr(llvmInlineAsmOpCast(made)));
  if (!contains(text, product))
    return none;
  for (MlirOperation next = mlirOperationGetNextInBlock(made); next.ptr;
       next = mlirOperationGetNextInBlock(next))
    if (mlirOperationEqual(next, op.op))
      return made;
    else if (!mayWait(next))
      return none;
  return none;
}

/* Takes over a chain's text and operands, or starts one. */
static Chain startChain(TileBuilder b, TileNVWgmmaOp op, TileArena *arena) {
  MlirValue sum = tileNVWgmmaOpGetAccumulator(op);
  MlirType type = mlirValueGetType(sum);
  Chain c = {.before = chainBefore(op), .numFields = (int)mlirLLVMStructTypeGetNumElementTypes(type)};
  const intptr_t inputs = c.before.ptr ? mlirOperationGetNumOperands(c.before) : 0;
  c.fields = tileArenaAlloc(arena, (size_t)c.numFields, sizeof *c.fields);
  c.operands = tileArenaAlloc(arena, (size_t)inputs + 8, sizeof *c.operands);
  if (!c.before.ptr) {
    takeApart(b, mlirOperationGetLocation(op.op), sum, c.fields);
    c.replaces = replaces(op);
    return c;
  }
  LLVMInlineAsmOp made = llvmInlineAsmOpCast(c.before);
  MlirStringRef text = mlirStringAttrGetValue(llvmInlineAsmOpGetAsmStringAttr(made)),
                constraints = mlirStringAttrGetValue(llvmInlineAsmOpGetConstraintsAttr(made));
  tileStringAppend(&c.text, text.data, text.length);
  tileStringAppendText(&c.text, "\n\t");
  c.replaces = !contains(constraints, ",0,");
  c.numOperands = (int)inputs - (c.replaces ? 0 : c.numFields);
  for (int i = 0; i < c.numOperands; ++i)
    c.operands[i] = mlirOperationGetOperand(c.before, i);
  for (int i = 0; i < c.numFields && !c.replaces; ++i)
    c.fields[i] = mlirOperationGetOperand(c.before, c.numOperands + i);
  return c;
}

static char operandLetter(MlirValue v) {
  const unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(v));
  return bits == 64 ? 'l' : bits == 32 ? 'r' : 'b';
}

static MlirValue endChain(TileBuilder b, TileNVWgmmaOp op, Chain *c, TileArena *arena) {
  MlirType type = mlirValueGetType(tileNVWgmmaOpGetAccumulator(op));
  const int inputs = c->numOperands + (c->replaces ? 0 : c->numFields);
  MlirValue *all = tileArenaAlloc(arena, (size_t)inputs + 1, sizeof *all);
  TileStringBuilder constraints = {0};
  /* Of several products the later ones read what is no accumulator when the first has written it. */
  for (int i = 0; i < c->numFields; ++i)
    tileStringAppendFormat(&constraints, "=%s%c,", c->before.ptr ? "&" : "",
                           letterOf(mlirLLVMStructTypeGetElementType(type, i)));
  for (int i = 0; i < c->numOperands; ++i) {
    all[i] = c->operands[i];
    tileStringAppendFormat(&constraints, "%c,", operandLetter(all[i]));
  }
  for (int i = 0; i < inputs - c->numOperands; ++i)
    all[c->numOperands + i] = c->fields[i];
  appendTies(&constraints, inputs - c->numOperands);
  MlirValue sum =
      tileExpandToAsm(b, mlirOperationGetLocation(op.op), type, inputs, all, &c->text, &constraints);
  tileStringRelease(&constraints);
  return sum;
}

void tileExpandWgmma(TileBuilder b, MlirOperation operation) {
  TileNVWgmmaOp op = tileNVWgmmaOpCast(operation);
  MlirType type = mlirValueGetType(tileNVWgmmaOpGetAccumulator(op));
  const int numA = (int)tileNVWgmmaOpGetNumA(op);
  TileArena arena = {0};
  Chain c = startChain(b, op, &arena);
  Descriptor da = {0}, db;
  int a[4] = {0};
  if (numA == 1)
    da = descriptorOf(&c, tileNVWgmmaOpGetA(op, 0), "a");
  for (int i = 0; i < numA && numA > 1; ++i)
    a[i] = operandNumber(&c, tileNVWgmmaOpGetA(op, i));
  db = descriptorOf(&c, tileNVWgmmaOpGetB(op), "b");
  MlirValue given = tileNVWgmmaOpGetScale(op);
  const int scale = replaces(op) || !given.ptr ? -1 : operandNumber(&c, given);
  const bool adds = da.offset || db.offset;
  TileStringBuilder *text = &c.text;
  tileStringAppendText(text, adds ? "{ " : "");
  appendAddition(text, &da);
  appendAddition(text, &db);
  appendName(text, op, mlirLLVMStructTypeGetElementType(type, 0));
  appendList(text, 0, c.numFields);
  tileStringAppendText(text, ", ");
  if (numA == 1)
    appendDescriptor(text, &da);
  else
    tileStringAppendFormat(text, "{$%d, $%d, $%d, $%d}", a[0], a[1], a[2], a[3]);
  tileStringAppendText(text, ", ");
  appendDescriptor(text, &db);
  appendModifiers(text, op, scale);
  tileStringAppendText(text, adds ? " }" : "");
  MlirValue sum = endChain(b, op, &c, &arena);
  mlirValueReplaceAllUsesOfWith(tileNVWgmmaOpGetResult(op), sum);
  if (c.before.ptr) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(c.before, 0), sum); // of the product, which goes
    mlirRewriterBaseEraseOp(b, c.before);
  }
  tileStringRelease(text);
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

/* The results: of one field itself, of several a struct. */
static MlirValue emitTied(TileBuilder b, MlirLocation loc, intptr_t total, MlirValue *fields,
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
  tileStringRelease(&constraints);
  return result;
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
  MlirValue result = {NULL};
  if (total) {
    result = emitTied(b, loc, total, fields, text, &arena);
    if (total == 1)
      fields[0] = result;
    else if (n > 1)
      takeApart(b, loc, result, fields);
  } else {
    tileStringAppendText(&constraints, "~{memory}");
    tileExpandToAsm(b, loc, (MlirType){NULL}, 0, NULL, text, &constraints);
  }
  at = 0;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue old = mlirOperationGetResult(op, i);
    MlirType type = mlirValueGetType(old);
    const bool isWhole = n == 1 && total > 1;
    mlirValueReplaceAllUsesOfWith(old, isWhole ? result : putTogether(b, loc, type, fields + at));
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
