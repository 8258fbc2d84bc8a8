/* Reduce.c - tile.reduce, tile.scan and tile.map_elementwise: any combiner, any number of operands.
 *
 * Operands are seen as [outer, axis, inner] and brought into the order [axis, outer x inner] ("slices"), so
 * that one step along the axis is one run of the body on all lanes of a slice, or of several. A reduction is
 * a balanced tree over neighbours, ((0 1) (2 3)) ((4 5) 6): the order of the elements is kept, and rounding
 * errors grow with the logarithm of their number, as they do on the hardware. A scan goes element by element.
 */
#include "Decode.h"
#include "tile-c/Dialect/Tile.h"

typedef struct Fold {
  Body *body;
  int numOperands;
  int64_t outer, extent, inner; ///< of the operands, around the axis
  bool reverse;
  char **work; ///< one buffer of outer * extent * inner elements for each operand
} Fold;

static int64_t lanesOfSlice(const Fold *f) { return f->outer * f->inner; }

/// Between [outer, axis, inner] and slices, in either direction.
static void toSlices(const Fold *f, char *slices, const char *tensor, size_t size) {
  for (int64_t k = 0; k < f->extent; ++k)
    for (int64_t o = 0; o < f->outer; ++o)
      interpCopyElements(slices + (k * f->outer + o) * f->inner * (int64_t)size, 1,
                         tensor + (o * f->extent + k) * f->inner * (int64_t)size, 1, f->inner, size);
}
static void fromSlices(const Fold *f, char *tensor, const char *slices, size_t size) {
  for (int64_t k = 0; k < f->extent; ++k)
    for (int64_t o = 0; o < f->outer; ++o)
      interpCopyElements(tensor + (o * f->extent + k) * f->inner * (int64_t)size, 1,
                         slices + (k * f->outer + o) * f->inner * (int64_t)size, 1, f->inner, size);
}

/// The last axis (inner = 1) is the common case and a plain transposition.
static void toSlicesFast(const Fold *f, char *slices, const char *tensor, size_t size) {
  if (f->inner != 1) {
    toSlices(f, slices, tensor, size);
    return;
  }
  for (int64_t o = 0; o < f->outer; ++o)
    interpCopyElements(slices + o * (int64_t)size, f->outer, tensor + o * f->extent * (int64_t)size, 1,
                       f->extent, size);
}

// ---- reduce ----

/// Arguments of the body: slices 2p on the left, 2p + 1 on the right, for `pairs` values of p from `first`.
static void loadPairs(const Fold *f, int64_t first, int64_t pairs) {
  int64_t lanes = lanesOfSlice(f);
  for (int k = 0; k < f->numOperands; ++k)
    for (int side = 0; side < 2; ++side) {
      Slot *argument = f->body->arguments[side * f->numOperands + k];
      int64_t bytes = lanes * (int64_t)argument->size;
      const char *from = f->work[k] + (2 * first + side) * bytes;
      if (lanes == 1)
        interpCopyElements(argument->data, 1, from, 2, pairs, argument->size);
      else
        for (int64_t p = 0; p < pairs; ++p)
          memcpy(argument->data + p * bytes, from + 2 * p * bytes, (size_t)bytes);
    }
}

/// Halves the number of slices in the work buffers.
static bool combinePairs(Machine *m, Fold *f, int64_t slices) {
  int64_t lanes = lanesOfSlice(f), pairs = slices / 2;
  int64_t step = f->body->byLane ? 1 : f->body->lanes / lanes; // pairs of slices in a run
  for (int64_t first = 0; first < pairs; first += step) {
    int64_t n = pairs - first < step ? pairs - first : step;
    loadPairs(f, first, n);
    if (!interpRunBody(m, f->body, n * lanes))
      return false;
    for (int k = 0; k < f->numOperands; ++k) {
      Slot *result = f->body->yields[k];
      memcpy(f->work[k] + first * lanes * (int64_t)result->size, result->data,
             (size_t)(n * lanes) * result->size);
    }
  }
  if (slices & 1)
    for (int k = 0; k < f->numOperands; ++k) {
      size_t bytes = (size_t)lanes * f->body->arguments[k]->size;
      memmove(f->work[k] + (size_t)pairs * bytes, f->work[k] + (size_t)(slices - 1) * bytes, bytes);
    }
  return true;
}

static bool reduceSlices(Machine *m, Fold *f) {
  for (int64_t slices = f->extent; slices > 1; slices = (slices + 1) / 2)
    if (!combinePairs(m, f, slices))
      return false;
  return true;
}

/// A body with control flow sees one lane at a time: each lane is a reduction of its own.
static bool reduceByLane(Machine *m, const Instruction *i, Fold *f) {
  Fold one = *f;
  one.outer = one.inner = 1;
  for (int64_t lane = 0; lane < lanesOfSlice(f); ++lane) {
    int64_t start = lane / f->inner * f->extent * f->inner + lane % f->inner;
    for (int k = 0; k < f->numOperands; ++k)
      interpCopyElements(f->work[k], 1, i->operands[k]->data + start * (int64_t)i->operands[k]->size,
                         f->inner, f->extent, i->operands[k]->size);
    if (!reduceSlices(m, &one))
      return false;
    for (int k = 0; k < f->numOperands; ++k)
      memcpy(i->results[k]->data + lane * (int64_t)i->results[k]->size, f->work[k], i->results[k]->size);
  }
  return true;
}

static bool runReduce(Machine *m, const Instruction *i) {
  Fold *f = (Fold *)i->data;
  if (f->body->byLane)
    return reduceByLane(m, i, f);
  for (int k = 0; k < f->numOperands; ++k)
    toSlicesFast(f, f->work[k], i->operands[k]->data, i->operands[k]->size);
  if (!reduceSlices(m, f))
    return false;
  for (int k = 0; k < f->numOperands; ++k)
    memcpy(i->results[k]->data, f->work[k], (size_t)lanesOfSlice(f) * i->results[k]->size);
  return true;
}

// ---- scan ----

static bool scanSlices(Machine *m, const Fold *f) {
  int64_t lanes = lanesOfSlice(f);
  for (int64_t step = 1; step < f->extent; ++step) {
    int64_t at = f->reverse ? f->extent - 1 - step : step, before = f->reverse ? at + 1 : at - 1;
    for (int k = 0; k < f->numOperands; ++k) {
      Slot *left = f->body->arguments[k], *right = f->body->arguments[f->numOperands + k];
      int64_t bytes = lanes * (int64_t)left->size;
      memcpy(left->data, f->work[k] + before * bytes, (size_t)bytes);
      memcpy(right->data, f->work[k] + at * bytes, (size_t)bytes);
    }
    if (!interpRunBody(m, f->body, lanes))
      return false;
    for (int k = 0; k < f->numOperands; ++k) {
      Slot *result = f->body->yields[k];
      int64_t bytes = lanes * (int64_t)result->size;
      memcpy(f->work[k] + at * bytes, result->data, (size_t)bytes);
    }
  }
  return true;
}

static bool scanByLane(Machine *m, const Instruction *i, const Fold *f) {
  Fold one = *f;
  one.outer = one.inner = 1;
  for (int64_t lane = 0; lane < lanesOfSlice(f); ++lane) {
    int64_t start = lane / f->inner * f->extent * f->inner + lane % f->inner;
    for (int k = 0; k < f->numOperands; ++k)
      interpCopyElements(f->work[k], 1, i->operands[k]->data + start * (int64_t)i->operands[k]->size,
                         f->inner, f->extent, i->operands[k]->size);
    if (!scanSlices(m, &one))
      return false;
    for (int k = 0; k < f->numOperands; ++k)
      interpCopyElements(i->results[k]->data + start * (int64_t)i->results[k]->size, f->inner, f->work[k], 1,
                         f->extent, i->results[k]->size);
  }
  return true;
}

static bool runScan(Machine *m, const Instruction *i) {
  const Fold *f = i->data;
  if (f->body->byLane)
    return scanByLane(m, i, f);
  for (int k = 0; k < f->numOperands; ++k)
    toSlicesFast(f, f->work[k], i->operands[k]->data, i->operands[k]->size);
  if (!scanSlices(m, f))
    return false;
  for (int k = 0; k < f->numOperands; ++k)
    fromSlices(f, i->results[k]->data, f->work[k], i->results[k]->size);
  return true;
}

// ---- Decoding ----

static bool decodeFold(Decoder *d, MlirOperation op, int64_t axis, bool isScan, bool reverse) {
  Instruction *i = interpEmitOp(d, op, isScan ? runScan : runReduce);
  if (!i)
    return false;
  const Slot *first = i->operands[0];
  Fold *f = tileArenaAlloc(&d->arena, 1, sizeof *f);
  f->numOperands = i->numOperands;
  f->outer = f->inner = 1;
  f->extent = first->shape[axis];
  f->reverse = reverse;
  for (int dim = 0; dim < first->rank; ++dim)
    if (dim != axis)
      *(dim < axis ? &f->outer : &f->inner) *= first->shape[dim];
  int64_t half = isScan || f->extent < 2 ? 1 : f->extent / 2;
  f->body = interpDecodeBody(d, op, mlirOperationGetRegion(op, 0), half * lanesOfSlice(f));
  if (!f->body)
    return false;
  if (f->body->numArguments != 2 * f->numOperands || f->body->numYields != f->numOperands)
    return interpRefuse(op, "got a body of %d arguments and %d results, expected %d and %d",
                        f->body->numArguments, f->body->numYields, 2 * f->numOperands, f->numOperands);
  f->work = tileArenaAlloc(&d->arena, (size_t)f->numOperands, sizeof(char *));
  for (int k = 0; k < f->numOperands; ++k)
    if (!(f->work[k] = interpNewStorage(d, op, i->operands[k]->count, i->operands[k]->size)))
      return false;
  i->data = f;
  return true;
}

bool interpDecodeReduce(Decoder *d, MlirOperation op) {
  return decodeFold(d, op, tileReduceOpGetAxis(tileReduceOpCast(op)), false, false);
}

bool interpDecodeScan(Decoder *d, MlirOperation op) {
  TileScanOp scan = tileScanOpCast(op);
  return decodeFold(d, op, tileScanOpGetAxis(scan), true, tileScanOpGetReverse(scan));
}

// ---- map_elementwise ----

/// Argument k * pack + j of the body is element j of each pack of operand k; results likewise.
static bool runMap(Machine *m, const Instruction *i) {
  Body *body = (Body *)i->data;
  int64_t pack = i->parameter, packs = i->results[0]->count / pack;
  for (int64_t start = 0; start < packs; start += body->lanes) {
    int64_t n = packs - start < body->lanes ? packs - start : body->lanes;
    for (int a = 0; a < body->numArguments; ++a) {
      const Slot *source = i->operands[a / pack];
      interpCopyElements(body->arguments[a]->data, 1,
                         source->data + (start * pack + a % pack) * (int64_t)source->size, pack, n,
                         source->size);
    }
    if (!interpRunBody(m, body, n))
      return false;
    for (int y = 0; y < body->numYields; ++y) {
      Slot *result = i->results[y / pack];
      interpCopyElements(result->data + (start * pack + y % pack) * (int64_t)result->size, pack,
                         body->yields[y]->data, 1, n, result->size);
    }
  }
  return true;
}

bool interpDecodeMapElementwise(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runMap);
  if (!i)
    return false;
  int64_t pack = tileMapElementwiseOpGetPack(tileMapElementwiseOpCast(op)), count = i->operands[0]->count;
  if (pack < 1 || count % pack)
    return interpRefuse(op, "got pack = %lld, expected a divisor of the %lld elements", (long long)pack,
                        (long long)count);
  i->parameter = (int)pack;
  Body *body = interpDecodeBody(d, op, mlirOperationGetRegion(op, 0), count / pack);
  i->data = body;
  return body && ((body->numArguments == pack * i->numOperands && body->numYields == pack * i->numResults) ||
                  interpRefuse(op, "got a body of %d arguments and %d results, expected %lld and %lld",
                               body->numArguments, body->numYields, (long long)(pack * i->numOperands),
                               (long long)(pack * i->numResults)));
}
