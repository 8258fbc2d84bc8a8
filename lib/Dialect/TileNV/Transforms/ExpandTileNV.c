/* ExpandTileNV.c - expand-tile-nv: tile_nv ops become inline PTX.
 *
 *   %v = tile_nv.load %p, %pred, %other : !llvm.ptr<1>, vector<4xi32>
 * becomes
 *   %v = llvm.inline_asm has_side_effects "@$9 ld.global.v4.b32 {$0, $1, $2, $3}, [$8];",
 *        "=r,=r,=r,=r,0,1,2,3,l,b" ...
 *
 * Atomic read-modify-writes get their order from fences around them.
 *
 * requires: nothing.  ensures: no tile_nv op is left. */
#include "Expand.h"
#include "tile-c/Passes.h"
#include "tile-c/Target.h"
#include <stdio.h>
#include <stdlib.h>

/* How an access's value splits into registers of inline PTX. */
typedef struct Shape {
  int count;
  unsigned bits; ///< of one word in memory
  MlirType word; ///< integer type of one word
} Shape;

static Shape shapeOf(MlirType type) {
  bool vector = mlirTypeIsAVector(type);
  MlirType word = vector ? mlirShapedTypeGetElementType(type) : type;
  return (Shape){vector ? (int)mlirShapedTypeGetDimSize(type, 0) : 1, mlirIntegerTypeGetWidth(word), word};
}

/* PTX has no 8-bit registers: a byte travels in a 16-bit one. */
static char constraintOf(const Shape *s) { return s->bits == 64 ? 'l' : s->bits == 32 ? 'r' : 'h'; }

/* ".v4.b32 {$0, $1, $2, $3}" with registers from `first` on; one register stands alone. */
static void appendType(TileStringBuilder *s, const Shape *shape) {
  if (shape->count > 1)
    tileStringAppendFormat(s, ".v%d", shape->count);
  tileStringAppendFormat(s, ".b%u ", shape->bits);
}
static void appendRegisters(TileStringBuilder *s, const Shape *shape, int first) {
  tileStringAppendText(s, shape->count > 1 ? "{" : "");
  for (int i = 0; i < shape->count; ++i)
    tileStringAppendFormat(s, "%s$%d", i ? ", " : "", first + i);
  tileStringAppendText(s, shape->count > 1 ? "}" : "");
}

static void appendHints(TileStringBuilder *s, TileNVCacheModifier cache, TileNVEvictionPriority evict) {
  if (cache != TileNVCacheModifier_None)
    tileStringAppendFormat(s, ".%s", tileNVCacheModifierStringify(cache));
  else if (evict != TileNVEvictionPriority_Normal) /* PTX ISA, ld: not beside a cache operator */
    tileStringAppendFormat(s, ".L1::evict_%s", tileNVEvictionPriorityStringify(evict));
}

static MlirType registerType(MlirContext context, const Shape *s) {
  return s->bits == 8 ? mlirIntegerTypeGet(context, 16) : s->word;
}

static MlirValue emitWiden(TileBuilder b, MlirLocation loc, const Shape *s, MlirValue v) {
  MlirType wide = registerType(mlirLocationGetContext(loc), s);
  return s->bits == 8 ? llvmZExtOpGetRes(llvmZExtOpCreate(b, loc, wide, v, (MlirAttribute){NULL})) : v;
}
static MlirValue emitNarrow(TileBuilder b, MlirLocation loc, const Shape *s, MlirValue v) {
  return s->bits == 8 ? llvmTruncOpGetRes(llvmTruncOpCreate(b, loc, s->word, v)) : v;
}

static MlirValue i32Constant(TileBuilder b, MlirLocation loc, int value) {
  MlirContext context = mlirLocationGetContext(loc);
  return llvmConstantOpGetRes(
      llvmConstantOpCreate(b, loc, mlirIntegerTypeGet(context, 32), tileI32Attr(context, value)));
}

/* The words of an access value, in register types. */
static void emitSplit(TileBuilder b, MlirLocation loc, const Shape *s, MlirValue v, MlirValue *out) {
  for (int i = 0; i < s->count; ++i) {
    MlirValue word = s->count == 1 ? v
                                   : llvmExtractElementOpGetRes(llvmExtractElementOpCreate(
                                         b, loc, s->word, v, i32Constant(b, loc, i)));
    out[i] = emitWiden(b, loc, s, word);
  }
}

static MlirValue emitJoin(TileBuilder b, MlirLocation loc, const Shape *s, MlirType type,
                          const MlirValue *words) {
  if (s->count == 1)
    return emitNarrow(b, loc, s, words[0]);
  MlirValue v = llvmPoisonOpGetRes(llvmPoisonOpCreate(b, loc, type));
  for (int i = 0; i < s->count; ++i)
    v = llvmInsertElementOpGetRes(
        llvmInsertElementOpCreate(b, loc, type, v, emitNarrow(b, loc, s, words[i]), i32Constant(b, loc, i)));
  return v;
}

MlirValue tileExpandToAsm(TileBuilder b, MlirLocation loc, MlirType result, intptr_t n,
                          const MlirValue *operands, const TileStringBuilder *text,
                          const TileStringBuilder *constraints) {
  MlirContext context = mlirLocationGetContext(loc);
  LLVMInlineAsmOpAttrs attrs = {.has_side_effects = mlirUnitAttrGet(context)};
  LLVMInlineAsmOp made = llvmInlineAsmOpCreate(
      b, loc, result, n, operands, mlirStringAttrGet(context, mlirStringRefCreate(text->data, text->length)),
      mlirStringAttrGet(context, mlirStringRefCreate(constraints->data, constraints->length)), &attrs);
  return result.ptr ? llvmInlineAsmOpGetRes(made) : (MlirValue){NULL};
}

static void expandLoad(TileBuilder b, MlirOperation op) {
  TileNVLoadOp load = tileNVLoadOpCast(op);
  MlirLocation loc = mlirOperationGetLocation(load.op);
  MlirContext context = mlirLocationGetContext(loc);
  MlirType type = mlirValueGetType(tileNVLoadOpGetResult(load));
  Shape s = shapeOf(type);
  MlirType word = registerType(context, &s), fields[4] = {word, word, word, word};
  MlirType result = s.count == 1 ? word : mlirLLVMStructTypeLiteralGet(context, s.count, fields, false);
  MlirValue operands[6];
  emitSplit(b, loc, &s, tileNVLoadOpGetOther(load), operands);
  operands[s.count] = tileNVLoadOpGetPointer(load);
  operands[s.count + 1] = tileNVLoadOpGetPredicate(load);

  TileStringBuilder text = {0}, constraints = {0};
  tileStringAppendFormat(&text, "@$%d ld%s.global", 2 * s.count + 1,
                         tileNVLoadOpGetIsVolatile(load) ? ".volatile" : "");
  if (!tileNVLoadOpGetIsVolatile(load))
    appendHints(&text, tileNVLoadOpGetCache(load), tileNVLoadOpGetEvict(load));
  appendType(&text, &s);
  appendRegisters(&text, &s, 0);
  tileStringAppendFormat(&text, ", [$%d];", 2 * s.count);
  for (int i = 0; i < s.count; ++i)
    tileStringAppendFormat(&constraints, "=%c,", constraintOf(&s));
  for (int i = 0; i < s.count; ++i)
    tileStringAppendFormat(&constraints, "%d,", i);
  tileStringAppendText(&constraints, "l,b");

  MlirValue loaded = tileExpandToAsm(b, loc, result, s.count + 2, operands, &text, &constraints);
  MlirValue words[4] = {loaded};
  for (int64_t i = 0; s.count > 1 && i < s.count; ++i)
    words[i] = llvmExtractValueOpGetRes(
        llvmExtractValueOpCreate(b, loc, word, loaded, mlirDenseI64ArrayGet(context, 1, &i)));
  mlirValueReplaceAllUsesOfWith(tileNVLoadOpGetResult(load), emitJoin(b, loc, &s, type, words));
  tileStringRelease(&text);
  tileStringRelease(&constraints);
}

static void expandStore(TileBuilder b, MlirOperation op) {
  TileNVStoreOp store = tileNVStoreOpCast(op);
  MlirLocation loc = mlirOperationGetLocation(store.op);
  Shape s = shapeOf(mlirValueGetType(tileNVStoreOpGetValue(store)));
  MlirValue operands[6];
  emitSplit(b, loc, &s, tileNVStoreOpGetValue(store), operands);
  operands[s.count] = tileNVStoreOpGetPointer(store);
  operands[s.count + 1] = tileNVStoreOpGetPredicate(store);

  TileStringBuilder text = {0}, constraints = {0};
  tileStringAppendFormat(&text, "@$%d st.global", s.count + 1);
  appendHints(&text, tileNVStoreOpGetCache(store), tileNVStoreOpGetEvict(store));
  appendType(&text, &s);
  tileStringAppendFormat(&text, "[$%d], ", s.count);
  appendRegisters(&text, &s, 0);
  tileStringAppendText(&text, ";");
  for (int i = 0; i < s.count; ++i)
    tileStringAppendFormat(&constraints, "%c,", constraintOf(&s));
  tileStringAppendText(&constraints, "l,b");
  tileExpandToAsm(b, loc, (MlirType){NULL}, s.count + 2, operands, &text, &constraints);
  tileStringRelease(&text);
  tileStringRelease(&constraints);
}

/* Elements of 16 bits go two in a word. */
static void expandAdd(TileBuilder b, MlirOperation op) {
  TileNVAddOp add = tileNVAddOpCast(op);
  MlirLocation loc = mlirOperationGetLocation(op);
  MlirValue v = tileNVAddOpGetValue(add);
  MlirType type = mlirValueGetType(v), element = mlirShapedTypeGetElementType(type);
  const bool isHalf = !mlirTypeIsAF32(element);
  Shape s = {.count = (int)mlirShapedTypeGetDimSize(type, 0) / (isHalf ? 2 : 1), .bits = 32, .word = element};
  if (isHalf) {
    const int64_t count = s.count;
    s.word = mlirIntegerTypeGet(mlirOperationGetContext(op), 32);
    v = llvmBitcastOpGetRes(
        llvmBitcastOpCreate(b, loc, count == 1 ? s.word : mlirVectorTypeGet(1, &count, s.word), v));
  }
  MlirValue operands[5];
  TileStringBuilder text = {0}, constraints = {0};
  emitSplit(b, loc, &s, v, operands);
  operands[s.count] = tileNVAddOpGetPointer(add);
  tileStringAppendText(&text, isHalf ? "red.relaxed.gpu.global.add.noftz" : "red.relaxed.gpu.global.add");
  if (s.count > 1)
    tileStringAppendFormat(&text, ".v%d", s.count);
  tileStringAppendFormat(&text, ".%s [$%d], ",
                         !isHalf                   ? "f32"
                         : mlirTypeIsAF16(element) ? "f16x2"
                                                   : "bf16x2",
                         s.count);
  appendRegisters(&text, &s, 0);
  tileStringAppendText(&text, ";");
  for (int i = 0; i < s.count; ++i)
    tileStringAppendText(&constraints, isHalf ? "r," : "f,");
  tileStringAppendText(&constraints, "l");
  tileExpandToAsm(b, loc, (MlirType){NULL}, s.count + 1, operands, &text, &constraints);
  tileStringRelease(&text);
  tileStringRelease(&constraints);
}

static const TileExpand expansions[TileOp_Count] = {
    [TileOp_TileNV_Load] = expandLoad,
    [TileOp_TileNV_Store] = expandStore,
    [TileOp_TileNV_Add] = expandAdd,
    [TileOp_TileNV_Wgmma] = tileExpandWgmma,
    [TileOp_TileNV_WgmmaWait] = tileExpandWgmmaWait,
    [TileOp_TileNV_WgmmaFence] = tileExpandWgmmaFence,
    [TileOp_TileNV_MBarrierInit] = tileExpandMBarrierInit,
    [TileOp_TileNV_MBarrierInval] = tileExpandMBarrierInval,
    [TileOp_TileNV_MBarrierExpect] = tileExpandMBarrierExpect,
    [TileOp_TileNV_MBarrierArrive] = tileExpandMBarrierArrive,
    [TileOp_TileNV_MBarrierWait] = tileExpandMBarrierWait,
    [TileOp_TileNV_TmaLoad] = tileExpandTmaLoad,
    [TileOp_TileNV_TmaStore] = tileExpandTmaStore,
    [TileOp_TileNV_Hold] = tileExpandHold,
    [TileOp_TileNV_Anew] = tileExpandAnew,
    [TileOp_TileNV_PrefetchTensorMap] = tileExpandPrefetchTensorMap,
    [TileOp_NVVM_BarrierArrive] = tileExpandBarrierArrive,
};

// ---- Atomics ----

static void emitFence(TileBuilder b, LLVMAtomicRMWOp op, LLVMAtomicOrdering ordering) {
  MlirContext context = mlirOperationGetContext(op.op);
  MlirAttribute scope = llvmAtomicRMWOpGetSyncscopeAttr(op);
  llvmFenceOpCreate(b, mlirOperationGetLocation(op.op), tileI64Attr(context, ordering), scope);
}

/* LLVM 22 drops the order of an atomicrmw: its PTX is relaxed. Fences of the same scope around a relaxed one are as strong (PTX ISA,
 * "Release and Acquire Patterns"). */
static void orderAtomic(TileBuilder b, LLVMAtomicRMWOp op) {
  const LLVMAtomicOrdering ordering = llvmAtomicRMWOpGetOrdering(op);
  const bool releases = ordering == LLVMAtomicOrdering_release || ordering >= LLVMAtomicOrdering_acq_rel;
  const bool acquires = ordering == LLVMAtomicOrdering_acquire || ordering >= LLVMAtomicOrdering_acq_rel;
  if (releases) {
    mlirRewriterBaseSetInsertionPointBefore(b, op.op);
    emitFence(b, op, LLVMAtomicOrdering_release);
  }
  if (acquires) {
    mlirRewriterBaseSetInsertionPointAfter(b, op.op);
    emitFence(b, op, LLVMAtomicOrdering_acquire);
  }
  if (releases || acquires)
    llvmAtomicRMWOpSetOrderingAttr(op,
                                   tileI64Attr(mlirOperationGetContext(op.op), LLVMAtomicOrdering_monotonic));
}

/* What PTX calls an operation on floats, and integers, of these bits; NULL: LLVM writes it as a loop of comparisons, which keep
 * their scope. `hasBF16`: whether the chip adds bf16, for which others take such a loop. */
static const char *nameOfAtomic(LLVMAtomicRMWOp op, MlirType type, unsigned bits, bool hasBF16) {
  static const char *const names[] = {
      [LLVMAtomicBinOp_xchg] = "exch.b",     [LLVMAtomicBinOp_add] = "add.u",
      [LLVMAtomicBinOp__and] = "and.b",      [LLVMAtomicBinOp__or] = "or.b",
      [LLVMAtomicBinOp__xor] = "xor.b",      [LLVMAtomicBinOp_max] = "max.s",
      [LLVMAtomicBinOp_min] = "min.s",       [LLVMAtomicBinOp_umax] = "max.u",
      [LLVMAtomicBinOp_umin] = "min.u",      [LLVMAtomicBinOp_fadd] = "add.f",
      [LLVMAtomicBinOp_uinc_wrap] = "inc.u", [LLVMAtomicBinOp_udec_wrap] = "dec.u"};
  const size_t kind = (size_t)llvmAtomicRMWOpGetBinOp(op);
  const bool wraps = kind == LLVMAtomicBinOp_uinc_wrap || kind == LLVMAtomicBinOp_udec_wrap;
  if (kind == LLVMAtomicBinOp_fadd && bits == 16)
    return mlirTypeIsAF16(type) ? "add.noftz.f" : mlirTypeIsABF16(type) && hasBF16 ? "add.noftz.bf" : NULL;
  return kind < TILE_COUNTOF(names) && (bits == 32 || (bits == 64 && !wraps)) ? names[kind] : NULL;
}

/* A number's bits; 0 of other types. */
static unsigned bitsOf(MlirType type) {
  return mlirTypeIsAFloat(type)     ? mlirFloatTypeGetWidth(type)
         : mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
                                    : 0;
}

static bool addsBF16(MlirOperation op) {
  while (mlirOperationGetParentOperation(op).ptr)
    op = mlirOperationGetParentOperation(op);
  MlirAttribute chip = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.target"));
  char name[32];
  if (!chip.ptr || !mlirAttributeIsAString(chip))
    return false;
  MlirStringRef text = mlirStringAttrGetValue(chip);
  snprintf(name, sizeof name, "%.*s", (int)text.length, text.data);
  const TileTargetInfo *target = tileTargetLookup(name);
  return target && tileTargetHas(target, TileFeature_AtomicAddBF16x2);
}

/* LLVM 22 also drops the scope: PTX's default is the GPU, which is less than the system. */
static void expandSystemAtomic(TileBuilder b, LLVMAtomicRMWOp op) {
  MlirAttribute scope = llvmAtomicRMWOpGetSyncscopeAttr(op);
  MlirValue pointer = llvmAtomicRMWOpGetPtr(op), value = llvmAtomicRMWOpGetVal(op);
  MlirType type = mlirValueGetType(value);
  const unsigned bits = bitsOf(type), space = mlirLLVMPointerTypeGetAddressSpace(mlirValueGetType(pointer));
  const char *name = nameOfAtomic(op, type, bits, addsBF16(op.op));
  if ((scope.ptr && mlirStringAttrGetValue(scope).length) || !name || space > 1)
    return; // shared memory is the block's
  const MlirValue operands[] = {pointer, value};
  TileStringBuilder text = {0}, constraints = {0};
  const char letter = bits == 16               ? 'h'
                      : mlirTypeIsAFloat(type) ? (bits == 64 ? 'd' : 'f')
                      : bits == 64             ? 'l'
                                               : 'r';
  tileStringAppendFormat(&text, "atom.relaxed.sys%s.%s%u $0, [$1], $2;", space ? ".global" : "", name, bits);
  tileStringAppendFormat(&constraints, "=%c,l,%c,~{memory}", letter, letter);
  mlirRewriterBaseSetInsertionPointBefore(b, op.op);
  mlirValueReplaceAllUsesOfWith(
      llvmAtomicRMWOpGetRes(op),
      tileExpandToAsm(b, mlirOperationGetLocation(op.op), type, 2, operands, &text, &constraints));
  tileStringRelease(&text);
  tileStringRelease(&constraints);
  mlirRewriterBaseEraseOp(b, op.op);
}

// ---- Attributes that LLVM does not know ----

static bool isOurs(MlirNamedAttribute attr) {
  MlirStringRef name = mlirIdentifierStr(attr.name);
  return (name.length > 5 && !memcmp(name.data, "tile.", 5)) ||
         (name.length > 9 && !memcmp(name.data, "tile_gpu.", 9));
}

static MlirAttribute withoutOurs(MlirAttribute dictionary, TileArena *arena) {
  intptr_t n = mlirDictionaryAttrGetNumElements(dictionary), kept = 0;
  MlirNamedAttribute *all = tileArenaAlloc(arena, (size_t)n + 1, sizeof *all);
  for (intptr_t i = 0; i < n; ++i) {
    all[kept] = mlirDictionaryAttrGetElement(dictionary, i);
    kept += !isOurs(all[kept]);
  }
  return mlirDictionaryAttrGet(mlirAttributeGetContext(dictionary), kept, all);
}

/* Attributes of parameters have been read by whom they concern; translation would warn of them. */
static void dropArgumentAttributes(LLVMLLVMFuncOp function) {
  MlirAttribute old = llvmLLVMFuncOpGetArgAttrsAttr(function);
  TileArena arena = {0};
  if (!old.ptr)
    return;
  intptr_t n = mlirArrayAttrGetNumElements(old);
  MlirAttribute *kept = tileArenaAlloc(&arena, (size_t)n + 1, sizeof *kept);
  for (intptr_t i = 0; i < n; ++i)
    kept[i] = withoutOurs(mlirArrayAttrGetElement(old, i), &arena);
  llvmLLVMFuncOpSetArgAttrsAttr(function, mlirArrayAttrGet(mlirAttributeGetContext(old), n, kept));
  tileArenaRelease(&arena);
}

static MlirWalkResult expand(MlirOperation op, void *user) {
  TileExpand expansion = expansions[tileOpKind(op)];
  LLVMLLVMFuncOp function = llvmLLVMFuncOpCast(op);
  if (!llvmLLVMFuncOpIsNull(function))
    dropArgumentAttributes(function);
  TileBuilder b = *(TileBuilder *)user;
  if (tileOpKind(op) == TileOp_LLVM_AtomicRMW) {
    orderAtomic(b, llvmAtomicRMWOpCast(op));
    expandSystemAtomic(b, llvmAtomicRMWOpCast(op));
    return MlirWalkResultAdvance;
  }
  if (!expansion)
    return MlirWalkResultAdvance;
  mlirRewriterBaseSetInsertionPointBefore(b, op);
  expansion(b, op);
  mlirRewriterBaseEraseOp(b, op);
  return MlirWalkResultAdvance;
}

MlirLogicalResult tileExpandTileNVRun(MlirOperation op, const TileExpandTileNVParams *params) {
  (void)params;
  TileBuilder b = mlirIRRewriterCreate(mlirOperationGetContext(op));
  mlirOperationWalk(op, expand, &b, MlirWalkPostOrder);
  mlirIRRewriterDestroy(b);
  return tileSuccess();
}
