/* InlineAsm.c - tile.inline_asm: LLVM's inline assembly, once for each pack of elements.
 *
 * Elements narrower than 32 bits travel packed: up to 32 bits of them, as many as the pack has, fill one
 * register operand. A register operand has the type of its constraint's letter (PTX: h r l f d b), so that an
 * f16 in an "h" or four i8 in an "r" need no more than a bitcast. AMD's registers (v s a) have 32 bits, or as many
 * as an element that is wider. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/Tile.h"
#include <ctype.h>
#include <string.h>

enum { MAX_SLOTS = 64 };

/* One register operand or result of the assembly. */
typedef struct Slot {
  char letter;      ///< of its constraint
  intptr_t value;   ///< of the op's operand or result
  int first, count; ///< elements of the pack in it
  MlirType element, type;
} Slot;

typedef struct Assembly {
  TileLowering *l;
  MlirOperation op;
  TilePacks packs;
  Slot in[MAX_SLOTS], out[MAX_SLOTS];
  int numIn, numOut;
} Assembly;

static int elementsOfSlot(const Assembly *a, MlirType element) {
  unsigned bits = tileTypeBits(element);
  int fit = bits < 32 ? (int)(32 / bits) : 1;
  return fit < a->packs.pack ? fit : a->packs.pack;
}

/* A vector, scalar or accumulator register of AMD with `bits` bits of elements. */
static MlirType amdRegister(TileLowering *l, const Slot *s) {
  unsigned bits = tileTypeBits(s->element) * (unsigned)s->count;
  return s->count == 1 && bits >= 32 ? s->element : mlirIntegerTypeGet(l->context, bits < 32 ? 32 : bits);
}

/* What an operand with this constraint letter is held in; null: whatever its elements are. */
static MlirType typeOfLetter(TileLowering *l, char letter) {
  switch (letter) {
  case 'b':
    return mlirIntegerTypeGet(l->context, 1);
  case 'h':
    return mlirIntegerTypeGet(l->context, 16);
  case 'r':
    return mlirIntegerTypeGet(l->context, 32);
  case 'l':
    return mlirIntegerTypeGet(l->context, 64);
  case 'f':
    return mlirF32TypeGet(l->context);
  case 'd':
    return mlirF64TypeGet(l->context);
  default:
    return (MlirType){NULL};
  }
}

/* Appends the slots of one operand or result. */
static MlirLogicalResult addSlots(Assembly *a, MlirValue v, intptr_t number, Slot *slots, int *n) {
  MlirType element = tileLowerElementType(a->l, mlirValueGetType(v));
  if (!element.ptr)
    return tileLowerNotSupported(a->l, a->op);
  int each = elementsOfSlot(a, element);
  for (int first = 0; first < a->packs.pack; first += each) {
    if (*n == MAX_SLOTS)
      return tileEmitOpError(a->op, "needs more than %d registers in one execution, expected at most that",
                             MAX_SLOTS);
    slots[(*n)++] = (Slot){.value = number, .first = first, .count = each, .element = element};
  }
  return tileSuccess();
}

static bool holds(TileLowering *l, const Slot *s) {
  unsigned bits = tileTypeBits(s->element) * (unsigned)s->count;
  if (mlirTypeEqual(s->type, s->element) && s->count == 1)
    return true;
  return mlirTypeIsAInteger(s->type) ? bits <= tileTypeBits(s->type) && tileTypeBits(s->type) > 1
                                     : bits == tileTypeBits(s->type) && l;
}

/* One constraint: "=f", "=&r", "r", "0" (the register of output 0), "~{memory}". */
static MlirLogicalResult takeConstraint(Assembly *a, const char *text, size_t length, int *in, int *out) {
  bool isOutput = length && text[0] == '=';
  if (!length || text[0] == '~')
    return tileSuccess();
  char letter = text[length - 1];
  if (!isOutput && letter >= '0' && letter <= '9' && letter - '0' < a->numOut)
    letter = a->out[letter - '0'].letter;
  int *next = isOutput ? out : in;
  if (*next < (isOutput ? a->numOut : a->numIn)) {
    Slot *slot = (isOutput ? a->out : a->in) + *next;
    bool isAmd = a->l->target->vendor == TileVendor_AMD,
         knows = letter == 'v' || letter == 's' || letter == 'a';
    if (isAmd && !knows)
      return tileEmitOpError(a->op, "got constraint '%.*s' on %s, expected a register 'v', 's' or 'a'",
                             (int)length, text, a->l->target->chip);
    MlirType type = isAmd ? amdRegister(a->l, slot) : typeOfLetter(a->l, letter), whole = {NULL};
    if (!type.ptr) {
      unsigned bits = tileTypeBits(slot->element) * (unsigned)slot->count;
      whole = slot->count == 1 ? slot->element : mlirIntegerTypeGet(a->l->context, bits);
    }
    slot->letter = letter;
    slot->type = type.ptr ? type : whole;
    if (!holds(a->l, slot))
      return tileEmitOpError(a->op,
                             "got constraint '%.*s' for %d elements of %u bits, expected a register "
                             "that holds them",
                             (int)length, text, slot->count, tileTypeBits(slot->element));
  }
  ++*next;
  return tileSuccess();
}

static MlirLogicalResult takeConstraints(Assembly *a, MlirStringRef text) {
  int in = 0, out = 0;
  for (size_t at = 0; at <= text.length;) {
    size_t end = at;
    while (end < text.length && text.data[end] != ',')
      ++end;
    if (tileFailed(takeConstraint(a, text.data + at, end - at, &in, &out)))
      return tileFailure();
    at = end + 1;
  }
  if (in == a->numIn && out == a->numOut)
    return tileSuccess();
  return tileEmitOpError(a->op, "got constraints for %d results and %d operands, expected %d and %d", out, in,
                         a->numOut, a->numIn);
}

// ---- Values ----

static MlirType integerLike(TileLowering *l, MlirType type) {
  return mlirIntegerTypeGet(l->context, tileTypeBits(type));
}

static MlirValue toBits(TileLowering *l, MlirValue v) {
  MlirType type = mlirValueGetType(v);
  if (mlirTypeIsAInteger(type))
    return v;
  return mlirTypeIsAFloat(type) ? tileEmitBitcast(l, v, integerLike(l, type))
                                : tileEmit1(l, TileOp_LLVM_PtrToInt, integerLike(l, type), v);
}

static MlirValue fromBits(TileLowering *l, MlirValue v, MlirType type) {
  if (mlirTypeIsAInteger(type))
    return v;
  return mlirTypeIsAFloat(type) ? tileEmitBitcast(l, v, type) : tileEmit1(l, TileOp_LLVM_IntToPtr, type, v);
}

static MlirValue packSlot(Assembly *a, const Slot *s, intptr_t reg) {
  TileLowering *l = a->l;
  TileRegisters r = tileRegistersOf(l, mlirOperationGetOperand(a->op, s->value));
  MlirValue elements[32];
  for (int e = 0; e < s->count; ++e)
    elements[e] = r.count == 1 ? r.values[0] : r.values[(uint32_t)reg | a->packs.element[s->first + e]];
  if (s->count == 1 && mlirTypeEqual(s->type, s->element))
    return elements[0];
  if (s->count > 1)
    for (int e = 0; e < s->count; ++e)
      elements[e] = toBits(l, elements[e]);
  MlirType whole = mlirIntegerTypeGet(l->context, tileTypeBits(s->element) * (unsigned)s->count);
  MlirValue bits =
      s->count > 1 ? tileEmitBitcast(l, tileEmitPack(l, elements, s->count), whole) : toBits(l, elements[0]);
  MlirType held = integerLike(l, s->type);
  if (tileTypeBits(whole) < tileTypeBits(held))
    bits = tileEmit1(l, TileOp_LLVM_ZExt, held, bits);
  return fromBits(l, bits, s->type);
}

static void unpackSlot(Assembly *a, const Slot *s, MlirValue v, intptr_t reg, TileRegisters *out) {
  TileLowering *l = a->l;
  MlirValue elements[32] = {v};
  if (s->count > 1 || !mlirTypeEqual(s->type, s->element)) {
    MlirType whole = mlirIntegerTypeGet(l->context, tileTypeBits(s->element) * (unsigned)s->count);
    MlirValue bits = toBits(l, v);
    if (tileTypeBits(whole) < tileTypeBits(s->type))
      bits = tileEmit1(l, TileOp_LLVM_Trunc, whole, bits);
    int64_t shape[] = {s->count};
    if (s->count > 1)
      tileEmitUnpack(l, tileEmitBitcast(l, bits, mlirVectorTypeGet(1, shape, integerLike(l, s->element))),
                     s->count, elements);
    else
      elements[0] = bits;
    for (int e = 0; e < s->count; ++e)
      elements[e] = fromBits(l, elements[e], s->element);
  }
  for (int e = 0; e < s->count; ++e)
    out[s->value].values[(uint32_t)reg | a->packs.element[s->first + e]] = elements[e];
}

/* The results in order: none, one, or the fields of a struct. */
static void execute(Assembly *a, intptr_t reg, TileRegisters *out) {
  TileLowering *l = a->l;
  TileInlineAsmOp op = tileInlineAsmOpCast(a->op);
  MlirValue in[MAX_SLOTS];
  MlirType types[MAX_SLOTS], result = {NULL};
  for (int i = 0; i < a->numIn; ++i)
    in[i] = packSlot(a, &a->in[i], reg);
  for (int i = 0; i < a->numOut; ++i)
    types[i] = a->out[i].type;
  if (a->numOut)
    result = a->numOut == 1 ? types[0] : mlirLLVMStructTypeLiteralGet(l->context, a->numOut, types, false);
  LLVMInlineAsmOpAttrs attrs = {0};
  if (!tileInlineAsmOpGetIsPure(op))
    attrs.has_side_effects = mlirUnitAttrGet(l->context);
  LLVMInlineAsmOp assembly =
      llvmInlineAsmOpCreate(l->b, l->loc, result, a->numIn, in, tileInlineAsmOpGetTextAttr(op),
                            tileInlineAsmOpGetConstraintsAttr(op), &attrs);
  for (int64_t i = 0; i < a->numOut; ++i) {
    MlirValue v = mlirOperationGetResult(assembly.op, 0);
    if (a->numOut > 1)
      v = llvmExtractValueOpGetRes(
          llvmExtractValueOpCreate(l->b, l->loc, types[i], v, mlirDenseI64ArrayGet(l->context, 1, &i)));
    unpackSlot(a, &a->out[i], v, reg, out);
  }
}

static MlirLogicalResult findSlots(Assembly *a) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(a->op); ++i)
    if (tileFailed(addSlots(a, mlirOperationGetResult(a->op, i), i, a->out, &a->numOut)))
      return tileFailure();
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(a->op); ++i)
    if (tileFailed(addSlots(a, mlirOperationGetOperand(a->op, i), i, a->in, &a->numIn)))
      return tileFailure();
  return takeConstraints(
      a, mlirStringAttrGetValue(tileInlineAsmOpGetConstraintsAttr(tileInlineAsmOpCast(a->op))));
}

static bool isWord(char c) { return isalnum((unsigned char)c) || c == '_'; }
/* Of a directive's name: LLVM puts it together of alternatives, too (.$(include$)). */
static bool isName(char c) { return isWord(c) || c == '$'; }

/* LLVM assembles what AMD's chips are given, directives too: those read files, go to other sections or repeat without end. Numbers put in as
 * they are (.long) are instructions. */
static MlirLogicalResult refuseDirectives(MlirOperation op, MlirStringRef text) {
  for (size_t i = 0; i + 1 < text.length; ++i) {
    size_t n = 1;
    if (text.data[i] != '.' || isdigit((unsigned char)text.data[i + 1]) || !isName(text.data[i + 1]) ||
        (i && isWord(text.data[i - 1])))
      continue;
    while (i + n < text.length && isName(text.data[i + n]))
      ++n;
    if (n == 5 && !memcmp(text.data + i, ".long", n))
      continue;
    return tileEmitOpError(op, "got the directive '%.*s', expected instructions", (int)n, text.data + i);
  }
  return tileSuccess();
}

MlirLogicalResult tileLowerInlineAsm(TileLowering *l, MlirOperation op) {
  Assembly a = {.l = l, .op = op};
  if (l->target->vendor == TileVendor_AMD &&
      tileFailed(refuseDirectives(op, tileInlineAsmOpGetText(tileInlineAsmOpCast(op)))))
    return tileFailure();
  if (tileFailed(tilePacksOf(l, op, tileInlineAsmOpGetPack(tileInlineAsmOpCast(op)), &a.packs)) ||
      tileFailed(findSlots(&a)))
    return tileFailure();
  intptr_t results = mlirOperationGetNumResults(op);
  TileRegisters *out = tileArenaAlloc(l->arena, (size_t)results + 1, sizeof *out);
  for (intptr_t i = 0; i < results; ++i)
    out[i] = tileNewRegisters(l, a.packs.registers);
  for (intptr_t reg = 0; reg < a.packs.registers; ++reg)
    if (tileIsFirstOfPack(&a.packs, reg))
      execute(&a, reg, out);
  for (intptr_t i = 0; i < results; ++i)
    tileBindPacked(l, &a.packs, mlirOperationGetResult(op, i), out[i]);
  return tileSuccess();
}
