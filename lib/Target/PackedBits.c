/* PackedBits.c - NVIDIA, after all passes over the IR: two fields of a few bits that become f16 in the last bits of 1024 stay
 * where they lie in a word, in bits of other numbers.
 *
 *     %a = and i32 %w, 15                                   %x = and i32 %w, 0x00F0000F
 *     %s = lshr i32 %w, 4                          to       %y = or i32 %x, 0x54006400
 *     %b = and i32 %s, 0x000F0000                           %h = bitcast i32 %y to <2 x half>
 *     %y = or (or %a, %b), 0x64006400                       %r = fadd %h, <-1032.0, -72.0>
 *     %h = bitcast i32 %y to <2 x half>
 *     %r = fadd %h, <-1032.0, -1032.0>
 *
 * A field n that lies q bits further up makes 2^(10-q) + n of 2^(10-q), as it makes 1024 + n of 1024: both sums are exact. Where no one
 * shift puts both fields into their halves, a permute takes the bytes that they lie in, out of one word or of two. */
#include "LLVMModule.h"
#include "llvm-c/Core.h"
#include <stdint.h>
#include <string.h>

enum {
  MAGIC = 0x64006400,
  NUMBER = 1024,
  MANTISSA = 10,
  HALF = 16,
  WORD = 32,
  MOST_LEAVES = 3,
  LARGEST = 2048
};

/* `bits` bits of a word, from bit `from` on, at bit `to` of the result. */
typedef struct Field {
  LLVMValueRef word;
  int from, to, bits;
} Field;

static bool isOpcode(LLVMValueRef v, LLVMOpcode opcode) {
  return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == opcode;
}

static bool constantOf(LLVMValueRef v, uint64_t *out) {
  if (!LLVMIsAConstantInt(v))
    return false;
  *out = LLVMConstIntGetZExtValue(v);
  return true;
}

/* A word and by how many bits it is moved to the right to become `v`. */
static LLVMValueRef movedOf(LLVMValueRef v, int *right) {
  uint64_t amount;
  bool isRight = isOpcode(v, LLVMLShr) || isOpcode(v, LLVMAShr);
  *right = 0;
  if ((!isRight && !isOpcode(v, LLVMShl)) || !constantOf(LLVMGetOperand(v, 1), &amount) || amount >= WORD)
    return v;
  *right = isRight ? (int)amount : -(int)amount;
  return LLVMGetOperand(v, 0);
}

static bool fieldOf(LLVMValueRef v, Field *out) {
  uint64_t mask;
  if (isOpcode(v, LLVMLShr)) { // what is left at the top needs no mask
    out->word = movedOf(v, &out->from);
    out->to = 0;
    out->bits = WORD - out->from;
    return out->word != v;
  }
  if (!isOpcode(v, LLVMAnd) || !constantOf(LLVMGetOperand(v, 1), &mask) || !mask)
    return false;
  int right;
  out->to = __builtin_ctzll(mask);
  mask >>= out->to;
  if (mask & (mask + 1))
    return false;
  out->bits = __builtin_popcountll(mask);
  out->word = movedOf(LLVMGetOperand(v, 0), &right);
  out->from = out->to + right;
  return out->from >= 0 && out->from + out->bits <= WORD;
}

/* What `v` is the disjunction of, constants aside, which are put together; how many, or more than MOST_LEAVES. */
static int leavesOf(LLVMValueRef v, LLVMValueRef leaves[MOST_LEAVES], int n, uint64_t *constant) {
  uint64_t more;
  if (constantOf(v, &more)) {
    *constant |= more;
    return n;
  }
  if (!isOpcode(v, LLVMOr)) {
    if (n < MOST_LEAVES)
      leaves[n] = v;
    return n + 1;
  }
  n = leavesOf(LLVMGetOperand(v, 0), leaves, n, constant);
  return n > MOST_LEAVES ? n : leavesOf(LLVMGetOperand(v, 1), leaves, n, constant);
}

/* The two fields of a word of two halves; the lower half's first. */
static bool halvesOf(LLVMValueRef word, Field halves[2]) {
  LLVMValueRef leaves[MOST_LEAVES];
  uint64_t constant = 0;
  if (leavesOf(word, leaves, 0, &constant) != 2 || constant != MAGIC)
    return false;
  for (int i = 0; i < 2; ++i)
    if (!fieldOf(leaves[i], &halves[i]))
      return false;
  if (halves[0].to > halves[1].to) {
    Field first = halves[0];
    halves[0] = halves[1];
    halves[1] = first;
  }
  return halves[0].to == 0 && halves[1].to == HALF && halves[0].bits <= MANTISSA &&
         halves[1].bits <= MANTISSA;
}

typedef struct Packed {
  LLVMModuleRef module;
  LLVMBuilderRef b;
  LLVMTypeRef i32, pair;
} Packed;

static LLVMValueRef number(const Packed *p, uint64_t n) { return LLVMConstInt(p->i32, n, false); }

/* How both fields get into their halves, and at which bits of these they lie then. */
typedef struct Place {
  bool isPermuted;
  int by; ///< bits that the word is shifted to the right
  int at[2];
} Place;

static bool fit(const Field halves[2], const int at[2], int most) {
  return at[0] >= 0 && at[1] >= 0 && at[0] + halves[0].bits <= most && at[1] + halves[1].bits <= most;
}

static bool placeOf(const Field halves[2], Place *out) {
  int from[] = {halves[0].from, halves[1].from - HALF};
  *out = (Place){.at = {from[0], from[1]}};
  if (halves[0].word == halves[1].word) {
    if (fit(halves, out->at, MANTISSA))
      return true;
    out->by = from[0] < from[1] ? from[0] : from[1];
    out->at[0] = from[0] - out->by;
    out->at[1] = from[1] - out->by;
    if (out->by > 0 && fit(halves, out->at, MANTISSA))
      return true;
  }
  *out = (Place){.isPermuted = true, .at = {halves[0].from % 8, halves[1].from % 8}};
  return fit(halves, out->at, 8);
}

static LLVMValueRef together(const Packed *p, const Field halves[2], const Place *place) {
  LLVMValueRef low = halves[0].word, high = halves[1].word;
  if (!place->isPermuted)
    return place->by ? LLVMBuildLShr(p->b, low, number(p, (uint64_t)place->by), "") : low;
  uint64_t first = (uint64_t)halves[0].from / 8,
           second = (uint64_t)halves[1].from / 8 + (low == high ? 0 : 4);
  LLVMValueRef args[] = {low, high, number(p, first * 0x11 | second * 0x1100)};
  const char *name = "llvm.nvvm.prmt";
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(p->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  return LLVMBuildCall2(p->b, LLVMGlobalGetValueType(f), f, args, 3, "");
}

/* What is to be added where the fields lie at other bits; null if it is no f16. */
static LLVMValueRef summandsOf(const Packed *p, LLVMValueRef numbers, const int at[2]) {
  LLVMValueRef summands[2];
  for (unsigned i = 0; i < 2; ++i) {
    LLVMValueRef element = LLVMIsAConstant(numbers) ? LLVMGetAggregateElement(numbers, i) : NULL;
    if (!element || !LLVMIsAConstantFP(element))
      return NULL;
    LLVMBool lossy;
    double c = LLVMConstRealGetDouble(element, &lossy);
    double moved = c + NUMBER - (double)(NUMBER >> at[i]);
    if (!(c >= -LARGEST && c <= LARGEST && moved >= -LARGEST && moved <= LARGEST) || c != (double)(int)c)
      return NULL;
    summands[i] = LLVMConstReal(LLVMGetElementType(p->pair), moved);
  }
  return LLVMConstVector(summands, 2);
}

/* 2^(10-q) in each half, whose last bit is 2^-q. */
static uint64_t magicOf(const int at[2]) {
  return MAGIC - ((uint64_t)at[0] << MANTISSA) - ((uint64_t)at[1] << (MANTISSA + HALF));
}

static uint64_t maskOf(const Field halves[2], const int at[2]) {
  return (((UINT64_C(1) << halves[0].bits) - 1) << at[0]) |
         (((UINT64_C(1) << halves[1].bits) - 1) << (at[1] + HALF));
}

/* Erases what nothing uses any longer: the word that was put together, and what it was made of. */
static void eraseUnused(LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) || LLVMGetFirstUse(v))
    return;
  switch (LLVMGetInstructionOpcode(v)) {
  case LLVMBitCast:
  case LLVMOr:
  case LLVMAnd:
  case LLVMLShr:
  case LLVMAShr:
  case LLVMShl:
    break;
  default:
    return;
  }
  LLVMValueRef operands[2] = {NULL, NULL};
  int n = LLVMGetNumOperands(v);
  for (int i = 0; i < n && i < 2; ++i)
    operands[i] = LLVMGetOperand(v, (unsigned)i);
  LLVMInstructionEraseFromParent(v);
  for (int i = 0; i < n && i < 2; ++i)
    if (operands[i] && (i == 0 || operands[1] != operands[0]))
      eraseUnused(operands[i]);
}

static LLVMValueRef visit(LLVMValueRef sum, void *user) {
  Packed *p = user;
  Field halves[2];
  if (!isOpcode(sum, LLVMFAdd) || LLVMTypeOf(sum) != p->pair)
    return sum;
  LLVMValueRef bits = LLVMGetOperand(sum, 0), numbers = LLVMGetOperand(sum, 1);
  if (!isOpcode(bits, LLVMBitCast) || LLVMTypeOf(LLVMGetOperand(bits, 0)) != p->i32 ||
      !halvesOf(LLVMGetOperand(bits, 0), halves))
    return sum;
  Place place;
  LLVMValueRef summands = placeOf(halves, &place) ? summandsOf(p, numbers, place.at) : NULL;
  if (!summands)
    return sum;
  LLVMPositionBuilderBefore(p->b, sum);
  LLVMValueRef word =
      LLVMBuildAnd(p->b, together(p, halves, &place), number(p, maskOf(halves, place.at)), "");
  word = LLVMBuildOr(p->b, word, number(p, magicOf(place.at)), "");
  LLVMValueRef result = LLVMBuildFAdd(p->b, LLVMBuildBitCast(p->b, word, p->pair, ""), summands, "");
  LLVMReplaceAllUsesWith(sum, result);
  LLVMInstructionEraseFromParent(sum);
  eraseUnused(bits);
  return result;
}

void tileNvptxPackBits(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  Packed p = {.module = module,
              .b = LLVMCreateBuilderInContext(context),
              .i32 = LLVMInt32TypeInContext(context),
              .pair = LLVMVectorType(LLVMHalfTypeInContext(context), 2)};
  tileForEachInstruction(module, visit, &p);
  LLVMDisposeBuilder(p.b);
}
