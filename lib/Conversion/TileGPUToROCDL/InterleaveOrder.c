/* InterleaveOrder.c - in which order tile-interleave-products takes products that need reads of their own block.
 *
 * Where fragments do not fit the registers:
 *
 *   reads r0..r7 hold columns 0, 1 for all of K, r8..r15 columns 2, 3; products step by step along K:
 *   r0..r15; (k 0: columns 0, 1, 2, 3); (k 1: columns 0, 1, 2, 3); ...
 * becomes
 *   r0..r7; (k 0: columns 0, 1); (k 1: columns 0, 1); ...; r8..r15; (k 0: columns 2, 3); ...
 *
 * A read may bring parts of many fragments (a factor that lies along the other dimension). Taken step by step along K all of them would
 * have to be there at once.
 *
 * Where they do and are read first, row by row the first products need a read each, which come slower than they are multiplied:
 *   a0 b0; (0, 0); b1; (0, 1); b2; (0, 2); b3; (0, 3); a1; (1, 0), (1, 1), (1, 2), (1, 3); ...
 * becomes
 *   a0 b0; (0, 0); b1; (0, 1); a1; (1, 0), (1, 1); b2; (0, 2), (1, 2); ...
 *
 * Each sum still adds up its products in their order: the results are the same. */
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

/* The place of the product that a sum comes from, counted from 1; 0: none in the block, -1: it has none yet. */
static int placeOfSum(const TileInterleave *x, const TileBlockOp *product, const int *places) {
  const TileBlockOp *sum = tileBlockOpOf(x, mlirOperationGetOperand(product->op, 2));
  if (!sum || sum->kind != TileBlockOp_Matrix)
    return 0;
  return places[sum->firstUse] ? places[sum->firstUse] : -1;
}

/* Products of a part, not placed, that need no more reads than there are and those of one of them. */
static int numEnabled(const TileInterleave *x, int part, const Reads *reads, const Reads *have,
                      const int *places, int with) {
  int n = 0;
  Reads all = *have;
  for (int k = 0; k < MOST_READS / BITS; ++k)
    all.bits[k] |= reads[with].bits[k];
  for (int i = 0; i < x->numProducts; ++i)
    n += !places[i] && x->ops[x->products[i]].part == part && !numNew(&reads[i], &all);
  return n;
}

/* The product of a part that needs the fewest reads, the first of them; -1 if none is left. `soon`: among those that need any, the one
 * whose reads let the most products follow, for each read; among the others the one whose sum has waited longest. */
static int nextProduct(const TileInterleave *x, int part, const Reads *reads, const Reads *have,
                       const int *places, bool soon) {
  int best = -1, fewest = 0, most = 0;
  for (int i = 0; i < x->numProducts; ++i) {
    const TileBlockOp *o = &x->ops[x->products[i]];
    int sum = placeOfSum(x, o, places);
    if (o->part != part || places[i] || sum < 0)
      continue;
    int n = numNew(&reads[i], have), gain = !soon ? 0
                                            : n   ? numEnabled(x, part, reads, have, places, i)
                                                  : -sum;
    if (best < 0 ||
        (soon && n && fewest ? gain * fewest > most * n : n < fewest || (n == fewest && gain > most)))
      best = i, fewest = n, most = gain;
  }
  return best;
}

void tileInterleaveOrderByReads(TileInterleave *x, bool soon) {
  const Reads *reads = readsOfProducts(x);
  if (!reads)
    return;
  int *places = tileArenaAlloc(x->arena, (size_t)x->numProducts, sizeof *places);
  int *order = tileArenaAlloc(x->arena, (size_t)x->numProducts, sizeof *order), count = 0;
  Reads have = {{0}};
  for (int part = 0; part < x->numParts; ++part)
    for (int i; (i = nextProduct(x, part, reads, &have, places, soon)) >= 0; places[i] = count) {
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
