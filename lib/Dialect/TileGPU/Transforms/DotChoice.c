/* DotChoice.c - a row of the target's table for a product, warps and the width along K. */
#include "DotChoice.h"
#include "tile-c/Support/Bits.h"

// ---- The instruction ----

static bool isFloat8(TileElementType t) { return t >= TileElementType_F8E4M3FN; }

static bool isEnabled(const TileTargetInfo *target, TileMatrixFamily family) {
  switch (family) {
  case TileMatrixFamily_MmaSync:
    return tileTargetHas(target, TileFeature_MmaSync);
  case TileMatrixFamily_MFMA:
    return tileTargetHas(target, TileFeature_MFMA);
  case TileMatrixFamily_WMMA11:
  case TileMatrixFamily_WMMA12:
    return tileTargetHas(target, TileFeature_WMMA);
  default: // asynchronous ones are another pass's
    return false;
  }
}

/* MFMA on f8 that is 64 or 128 deep does twice the work a cycle of a shorter one (CDNA4 ISA, passes: 8 for
 * 16x16x128, 4 for 16x16x32; 16 for 32x32x64, 8 for 32x32x16), but not where it computes rows that are not there. */
static bool wastesWork(const TileMatrixInstr *row, int64_t m, int64_t n) {
  return row->family == TileMatrixFamily_MFMA && isFloat8(row->a) && row->m > 16 &&
         (m < row->m || n < row->n);
}

/* The first row that is no deeper than the product; if all are, the least deep one. */
static const TileMatrixInstr *findRow(const TileTargetInfo *target, TileElementType a, TileElementType b,
                                      TileElementType acc, bool shortened, const TileMatrixSizes *sizes) {
  const TileMatrixInstr *found = NULL;
  for (size_t i = 0; i < target->numMatrixInstrs; ++i) {
    const TileMatrixInstr *row = &target->matrixInstrs[i];
    if (row->a != a || row->b != b || row->acc != acc || row->shortened != shortened ||
        !isEnabled(target, row->family) || wastesWork(row, sizes->m, sizes->n))
      continue;
    if (row->k <= sizes->k)
      return row;
    if (!found || row->k < found->k)
      found = row;
  }
  return found;
}

/* A way to compute a product of f32. */
typedef struct Route {
  TileElementType type;
  bool shortened;
  DotParts parts;
} Route;

/* By precision, the best first. Exact products are better than any parts. */
enum { MAX_ROUTES = 3 };
static const Route routes[][MAX_ROUTES] = {
    [TileInputPrecision_IEEE] = {{TileElementType_F32, false, DotParts_Plain}},
    [TileInputPrecision_TF32] = {{TileElementType_F32, true, DotParts_Plain},
                                 {TileElementType_F32, false, DotParts_Masked},
                                 {TileElementType_BF16, false, DotParts_Halved}},
    [TileInputPrecision_TF32x3] = {{TileElementType_F32, true, DotParts_TF32x3},
                                   {TileElementType_F32, false, DotParts_Plain},
                                   {TileElementType_BF16, false, DotParts_BF16x6}},
    [TileInputPrecision_BF16x3] = {{TileElementType_BF16, false, DotParts_BF16x3}},
    [TileInputPrecision_BF16x6] = {{TileElementType_BF16, false, DotParts_BF16x6}},
};

static const TileMatrixInstr *findForF32(const TileTargetInfo *target, const DotRequest *r, DotChoice *out) {
  for (int i = 0; i < MAX_ROUTES; ++i) {
    const Route *route = &routes[r->precision][i];
    if (route->type == TileElementType_None)
      continue;
    const TileMatrixInstr *row =
        findRow(target, route->type, route->type, TileElementType_F32, route->shortened, &r->sizes);
    if (row) {
      out->parts = route->parts;
      return row;
    }
  }
  return NULL;
}

enum { UNLIMITED = 1 << 20 };

/* Whether sums of the row's products lose more bits than the program allows. */
static bool isTooImprecise(const TileTargetInfo *target, const TileMatrixInstr *row, const DotRequest *r) {
  bool fewBits = row->family == TileMatrixFamily_MmaSync && isFloat8(row->a) &&
                 target->tensorCoreFloat8GuardBits < 0 && !target->tensorCoreFloat8AsHalf;
  return fewBits && r->imprecise < UNLIMITED && r->imprecise < tileMost(r->sizes.k, row->k);
}

/* As the types are; else with a wider accumulator; else 8-bit floats as f16, which holds all of them. */
static const TileMatrixInstr *findForTypes(const TileTargetInfo *target, const DotRequest *r,
                                           const char **out_reason) {
  const TileMatrixSizes *s = &r->sizes;
  const TileMatrixInstr *row = findRow(target, s->a, s->b, s->acc, false, s);
  if (!row && s->acc == TileElementType_F16)
    row = findRow(target, s->a, s->b, TileElementType_F32, false, s);
  if (row && isTooImprecise(target, row, r)) {
    *out_reason = "the chip's products of 8-bit floats keep fewer bits of a sum than imprecise_acc allows";
    row = NULL;
  }
  if (!row && isFloat8(s->a))
    row = findRow(target, TileElementType_F16, TileElementType_F16, TileElementType_F32, false, s);
  return row;
}

// ---- Warps ----

static int64_t tilesLeft(int64_t size, int32_t tile, int32_t warps) { return size / ((int64_t)tile * warps); }

/* What an element of a factor costs a warp beside others. On NVIDIA bytes that every warp widens by itself cost three times
 * what fragments of 16 bits do: five instructions and a quarter of a read for four, against a quarter to one. */
static int64_t workOf(const TileMatrixChoice *c, TileElementType type, int bits, bool across,
                      bool isUnpacked) {
  bool isWidened =
      (across || isUnpacked || bits < 8 * (int)tileElementTypeSize(type)) && tileElementTypeSize(type) == 2;
  return c->family == TileMatrixFamily_MmaSync && isWidened ? 3 : 1;
}

/* Products that feed each other element by element keep their rows in their warps; others get the warps
 * where most tiles are. Where sums leave no registers for fragments (mma.sync), a warp takes few rows and all columns, whose fragments
 * are read one after the other. What exceeds the tiles computes copies. */
static void spreadWarps(const DotRequest *r, int numWarps, TileMatrixChoice *c) {
  int first = r->rank - 2;
  int32_t *m = &c->warps[first], *n = &c->warps[first + 1];
  c->rank = r->rank;
  c->warps[0] = c->warps[1] = c->warps[2] = 1;
  for (; r->rank == 3 && numWarps > 1 && c->warps[0] < r->sizes.batch; numWarps /= 2)
    c->warps[0] *= 2;
  bool chained = r->feedsDot || r->takesDot || (r->crowded && c->family == TileMatrixFamily_MmaSync);
  for (; numWarps > 1; numWarps /= 2) {
    int64_t rows = tilesLeft(r->sizes.m, tileMatrixRows(c), *m),
            columns = tilesLeft(r->sizes.n, tileMatrixColumns(c), *n);
    // Tiles of 16 x 8: count what a warp would have to load, not how many instructions there are.
    int64_t costM = rows * tileMatrixRows(c) * workOf(c, r->sizes.a, r->bitsA, r->acrossA, r->unpackedA),
            costN =
                columns * tileMatrixColumns(c) * workOf(c, r->sizes.b, r->bitsB, r->acrossB, r->unpackedB);
    bool alongM = rows > 1 && (chained || costM >= costN || columns <= 1);
    if (!alongM && columns <= 1)
      alongM = true;
    *(alongM ? m : n) *= 2;
  }
}

// ---- Width along K ----

static int32_t lanesAlongK(const TileMatrixChoice *c) {
  return c->family == TileMatrixFamily_MFMA ? 64 / c->m : c->family == TileMatrixFamily_WMMA12 ? 2 : 4;
}

/* NVIDIA: a 32-bit register, or as many elements as were 32 bits when they were loaded. A product whose rows
 * come from an accumulator takes them as they lie there, two neighbours a thread. */
static int32_t nvidiaWidth(const DotRequest *r, const DotChoice *choice, const TileMatrixInstr *row) {
  int32_t bits = 8 * (int32_t)tileElementTypeSize(choice->a), width = bits < 32 ? 32 / bits : 1;
  if (bits == 64)
    return 1;
  if (r->takesDot)
    return 2;
  int32_t narrowest = r->bitsA < r->bitsB ? r->bitsA : r->bitsB;
  int32_t wide = width * (bits / tileMost(1, narrowest < bits ? narrowest : bits));
  while (wide > width && (int64_t)8 * wide > tileMost(r->sizes.k, row->k))
    wide /= 2;
  return wide;
}

/* NVIDIA: a first factor of four neighbours along K comes from shared memory as words of one row, while the instruction
 * wants words of two rows beside each other: each would be moved. A second factor comes as it is wanted, and what is
 * widened in registers goes anywhere: so factors are exchanged where the second one is widened and the first is not. */
static bool isExchanged(const DotRequest *r, const DotChoice *choice, const TileMatrixInstr *row) {
  int32_t bits = 8 * (int32_t)tileElementTypeSize(choice->a);
  return bits == 16 && row->m > row->n && (r->bitsB < bits || r->acrossB) && r->bitsA >= bits &&
         !r->acrossA && !r->takesDot && !r->feedsDot;
}

/* NVIDIA: bytes across K come from ldmatrix.trans as two rows of two neighbours a thread. If the instruction's rows r and
 * r + 8 are neighbours in the tensor, these are two of the registers that it wants of its first operand. */
static bool isPaired(const DotRequest *r, const DotChoice *choice, const TileMatrixInstr *row) {
  bool first = choice->instr.transposed ? r->acrossB : r->acrossA;
  int64_t outer = choice->instr.transposed ? r->sizes.n : r->sizes.m;
  return row->family == TileMatrixFamily_MmaSync && first && tileElementTypeSize(choice->a) == 2 &&
         row->m == 16 && outer >= row->m && choice->instr.kWidth == 2 && !r->takesDot && !r->feedsDot;
}

/* AMD: 16 bytes of LDS in one access if K is long enough, at least what an instruction takes. */
static int32_t amdWidth(const DotRequest *r, const DotChoice *choice, const TileMatrixInstr *row) {
  int32_t bytes = (int32_t)tileElementTypeSize(choice->a), lanes = lanesAlongK(&choice->instr);
  if (row->family == TileMatrixFamily_WMMA11)
    return row->k;
  if (row->family == TileMatrixFamily_WMMA12)
    return row->k / 2;
  int32_t least = row->k / lanes, width = tileMost(least, 16 / bytes);
  if (bytes == 8)
    return least;
  if (least * bytes > 16) // two runs of 16 bytes
    least = width = 16 / bytes;
  if (r->takesDot) // accumulators lie in groups of four
    return 4;
  while (width > least && (int64_t)width * lanes > r->sizes.k)
    width /= 2;
  return width;
}

// ---- Larger instructions ----

/* Registers of a thread that an accumulator takes. */
static int64_t accumulatorRegisters(const DotRequest *r, const TileMatrixChoice *c) {
  int64_t elements = r->sizes.m * r->sizes.n;
  for (int i = 0; i < c->rank; ++i)
    elements /= c->warps[i];
  return elements * (int64_t)tileElementTypeSize(r->sizes.acc) / 4 / 64;
}

/* MFMA of 32x32 does the work of four of 16x16 with half their fragments: it is taken where accumulators leave little room
 * for fragments read ahead. */
static const TileMatrixInstr *largerRow(const TileTargetInfo *target, const TileMatrixInstr *row,
                                        const DotRequest *r, const TileMatrixChoice *c) {
  enum { LARGE = 32, MUCH = 128 };
  int first = r->rank - 2;
  bool fits = r->sizes.m / c->warps[first] % LARGE == 0 && r->sizes.n / c->warps[first + 1] % LARGE == 0;
  if (row->family != TileMatrixFamily_MFMA || row->m >= LARGE || !fits || r->feedsDot || r->takesDot ||
      accumulatorRegisters(r, c) < MUCH)
    return NULL;
  for (size_t i = 0; i < target->numMatrixInstrs; ++i) {
    const TileMatrixInstr *other = &target->matrixInstrs[i];
    if (other->m == LARGE && other->a == row->a && other->b == row->b && other->acc == row->acc &&
        other->shortened == row->shortened && 2 * other->k == row->k && other->k <= r->sizes.k)
      return other;
  }
  return NULL;
}

bool tileDotChoose(const TileTargetInfo *target, int numWarps, const DotRequest *r, DotChoice *out,
                   const char **out_reason) {
  DotChoice choice = {.parts = DotParts_Plain};
  const TileMatrixSizes *s = &r->sizes;
  *out_reason = NULL;
  const TileMatrixInstr *row =
      s->a == TileElementType_F32 ? findForF32(target, r, &choice) : findForTypes(target, r, out_reason);
  if (!row) {
    *out_reason = s->a == TileElementType_F32 && r->precision == TileInputPrecision_IEEE
                      ? "the chip's matrix instructions read f32 with fewer bits than precision = ieee asks"
                      : "the chip has no matrix instruction for these types";
    return false;
  }
  choice.a = row->a;
  choice.b = row->b;
  choice.acc = row->acc;
  choice.apart = isFloat8(row->a) && target->tensorCoreFloat8GuardBits < 0 &&
                 !target->tensorCoreFloat8AsHalf && r->imprecise < UNLIMITED;
  choice.instr = (TileMatrixChoice){.family = row->family,
                                    .m = row->m,
                                    .n = row->n,
                                    .k = row->k,
                                    .shortened = row->shortened,
                                    .transposed = row->family != TileMatrixFamily_MmaSync ||
                                                  isExchanged(r, &choice, row)};
  choice.instr.kWidth =
      row->family == TileMatrixFamily_MmaSync ? nvidiaWidth(r, &choice, row) : amdWidth(r, &choice, row);
  choice.instr.paired = isPaired(r, &choice, row);
  spreadWarps(r, numWarps, &choice.instr);
  const TileMatrixInstr *larger = largerRow(target, row, r, &choice.instr);
  if (larger) {
    choice.instr.m = larger->m;
    choice.instr.n = larger->n;
    choice.instr.k = larger->k;
    choice.instr.kWidth = amdWidth(r, &choice, larger);
    spreadWarps(r, numWarps, &choice.instr);
  }
  if (tileTargetHas(target, TileFeature_WGMMA) || tileTargetHas(target, TileFeature_TcGen05))
    *out_reason = "asynchronous matrix instructions are not chosen here";
  *out = choice;
  return true;
}
