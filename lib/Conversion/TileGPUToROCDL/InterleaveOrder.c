/* InterleaveOrder.c - in which order tile-interleave-products takes the products of a segment whose fragments do not fit the registers.
 *
 *   reads r0..r7 hold columns 0, 1 for all of K, r8..r15 columns 2, 3; products step by step along K:
 *   r0..r15; (k 0: columns 0, 1, 2, 3); (k 1: columns 0, 1, 2, 3); ...
 * becomes
 *   r0..r7; (k 0: columns 0, 1); (k 1: columns 0, 1); ...; r8..r15; (k 0: columns 2, 3); ...
 *
 * A read may bring parts of many fragments (a factor that lies along the other dimension). Taken step by step along K all of them would
 * have to be there at once. Each sum still adds up its products in their order: the results are the same. */
#include "InterleaveWrite.h"

enum { MOST_READS = 256, BITS = 64 };

typedef struct Reads {
  uint64_t bits[MOST_READS / BITS];
} Reads;

/* Adds the reads of the segment that a value is made of. False if there are too many. */
static bool addReads(const TileInterleave *x, MlirValue v, const int *numbers, int depth, Reads *out) {
  const TileBlockOp *o = tileBlockOpOf(x, v);
  if (!o || o->kind == TileBlockOp_Matrix)
    return true;
  if (o->kind == TileBlockOp_SharedRead) {
    int n = numbers[o - x->ops];
    out->bits[n / BITS] |= UINT64_C(1) << n % BITS;
    return true;
  }
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k)
    if (!depth || !addReads(x, mlirOperationGetOperand(o->op, k), numbers, depth - 1, out))
      return false;
  return true;
}

/* Of each product its reads; NULL if they cannot be told. */
static Reads *readsOfProducts(const TileInterleave *x) {
  int *numbers = tileArenaAlloc(x->arena, (size_t)x->numOps, sizeof *numbers), count = 0;
  Reads *reads = tileArenaAlloc(x->arena, (size_t)x->numProducts, sizeof *reads);
  for (int i = 0; i < x->numOps; ++i)
    numbers[i] = x->ops[i].kind == TileBlockOp_SharedRead ? count++ : 0;
  for (int i = 0; i < x->numProducts && count <= MOST_READS; ++i)
    for (intptr_t k = 0; k < 2; ++k)
      if (!addReads(x, mlirOperationGetOperand(x->ops[x->products[i]].op, k), numbers,
                    TileInterleave_MostMoves, &reads[i]))
        return NULL;
  return count <= MOST_READS ? reads : NULL;
}

static int numNew(const Reads *r, const Reads *have) {
  int n = 0;
  for (int i = 0; i < MOST_READS / BITS; ++i)
    n += __builtin_popcountll(r->bits[i] & ~have->bits[i]);
  return n;
}

/* Whether the product that a sum comes from has its place. */
static bool isSumThere(const TileInterleave *x, const TileBlockOp *product, const bool *placed) {
  const TileBlockOp *sum = tileBlockOpOf(x, mlirOperationGetOperand(product->op, 2));
  return !sum || sum->kind != TileBlockOp_Matrix || placed[sum->firstUse];
}

/* The product of a part that needs the fewest reads, the first of them; -1 if none is left. */
static int nextProduct(const TileInterleave *x, int part, const Reads *reads, const Reads *have,
                       const bool *placed) {
  int best = -1, fewest = 0;
  for (int i = 0; i < x->numProducts; ++i) {
    const TileBlockOp *o = &x->ops[x->products[i]];
    if (o->part != part || placed[i] || !isSumThere(x, o, placed))
      continue;
    int n = numNew(&reads[i], have);
    if (best < 0 || n < fewest)
      best = i, fewest = n;
  }
  return best;
}

void tileInterleaveOrderByReads(TileInterleave *x) {
  const Reads *reads = readsOfProducts(x);
  if (!reads)
    return;
  bool *placed = tileArenaAlloc(x->arena, (size_t)x->numProducts, sizeof *placed);
  int *order = tileArenaAlloc(x->arena, (size_t)x->numProducts, sizeof *order), count = 0;
  Reads have = {{0}};
  for (int part = 0; part < x->numParts; ++part)
    for (int i; (i = nextProduct(x, part, reads, &have, placed)) >= 0; placed[i] = true) {
      order[count++] = x->products[i];
      for (int k = 0; k < MOST_READS / BITS; ++k)
        have.bits[k] |= reads[i].bits[k];
    }
  if (count != x->numProducts)
    return;
  for (int i = 0; i < count; ++i) {
    x->products[i] = order[i];
    x->ops[order[i]].firstUse = i;
  }
  tileInterleaveFindUses(x);
}
