/* Descriptors.c - blocks of strided tensors: elements outside of the tensor read as padding and are not
 * written. */
#include "Decode.h"
#include "tile-c/Dialect/Tile.h"

// ---- make_desc ----

/// Operands: base, sizes, strides.
static bool runMakeDesc(Machine *m, const Instruction *i) {
  Slot *result = i->results[0];
  Descriptor *desc = (Descriptor *)result->data;
  desc->base = *(const uint64_t *)i->operands[0]->data;
  desc->padNaN = i->parameter == TilePadding_NaN;
  for (int dim = 0; dim < result->rank; ++dim) {
    desc->shape[dim] = *(const int32_t *)i->operands[1 + dim]->data;
    desc->strides[dim] = *(const int64_t *)i->operands[1 + result->rank + dim]->data;
  }
  return true;
}

bool interpDecodeMakeDesc(Decoder *d, MlirOperation op) {
  Instruction *i = interpEmitOp(d, op, runMakeDesc);
  if (!i)
    return false;
  if (i->numOperands != 1 + 2 * i->results[0]->rank)
    return interpRefuse(op, "got %d sizes and strides, expected %d of each", (i->numOperands - 1) / 2,
                        i->results[0]->rank);
  i->parameter = (int)tileMakeDescOpGetPadding(tileMakeDescOpCast(op));
  interpMergeOrigins(d, i->results[0], i->operands[0]);
  return true;
}

// ---- One element ----

/// What an instruction does with the element of the tensor that corresponds to element `e` of a block.
typedef struct Access {
  Machine *m;
  const Instruction *i;
  const Slot *descSlot; ///< rank and shape are the block's
  const Descriptor *desc;
  const Slot *block;
} Access;

/// The address of the element at `index`, or 0 if it lies outside of the tensor.
static uint64_t addressOf(const Access *a, const int64_t *index) {
  uint64_t offset = 0;
  for (int dim = 0; dim < a->descSlot->rank; ++dim) {
    if (index[dim] < 0 || index[dim] >= a->desc->shape[dim])
      return 0;
    offset += (uint64_t)(index[dim] * a->desc->strides[dim]);
  }
  return a->desc->base + offset * a->descSlot->pointeeSize;
}

static bool readElement(const Access *a, int64_t e, const int64_t *index) {
  Slot *block = a->i->results[0];
  uint64_t address = addressOf(a, index);
  char *to = block->data + e * (int64_t)block->size;
  if (!address) {
    memset(to, 0, block->size);
    if (a->desc->padNaN && tileElementTypeIsFloat(block->type))
      tileFloatStore(block->type, block->data, e, (double)NAN);
    return true;
  }
  if (!interpCheckAccess(a->m, a->i, a->descSlot, e, address, block->size, "reads"))
    return false;
  memcpy(to, (const char *)(uintptr_t)address, block->size);
  if (block->type == TileElementType_I1)
    *to = *to != 0;
  return true;
}

static bool writeElement(const Access *a, int64_t e, const int64_t *index) {
  uint64_t address = addressOf(a, index);
  if (!address)
    return true;
  if (!interpCheckAccess(a->m, a->i, a->descSlot, e, address, a->block->size, "writes"))
    return false;
  memcpy((char *)(uintptr_t)address, a->block->data + e * (int64_t)a->block->size, a->block->size);
  return true;
}

static int64_t reduceInts(TileDescReduceKind kind, TileElementType type, int64_t old, int64_t value) {
  unsigned bits = tileElementTypeBits(type);
  switch (kind) {
  case TileDescReduceKind_Min:
    return old < value ? old : value;
  case TileDescReduceKind_Max:
    return old > value ? old : value;
  case TileDescReduceKind_Inc: // wraps to 0 from value
    return tileUnsigned(old, bits) >= tileUnsigned(value, bits) ? 0 : old + 1;
  case TileDescReduceKind_Dec: // wraps to value from 0
    return old == 0 || tileUnsigned(old, bits) > tileUnsigned(value, bits) ? value : old - 1;
  case TileDescReduceKind_And:
    return old & value;
  case TileDescReduceKind_Or:
    return old | value;
  case TileDescReduceKind_Xor:
    return old ^ value;
  case TileDescReduceKind_Add:
    break;
  }
  return (int64_t)((uint64_t)old + (uint64_t)value);
}

static bool reduceElement(const Access *a, int64_t e, const int64_t *index) {
  const Slot *block = a->block;
  TileDescReduceKind kind = (TileDescReduceKind)a->i->parameter;
  uint64_t address = addressOf(a, index);
  if (!address)
    return true;
  if (!interpCheckAccess(a->m, a->i, a->descSlot, e, address, block->size, "writes"))
    return false;
  char *memory = (char *)(uintptr_t)address;
  if (tileElementTypeIsFloat(block->type)) {
    double old = tileFloatLoad(block->type, memory, 0), value = tileFloatLoad(block->type, block->data, e);
    tileFloatStore(block->type, memory, 0,
                   kind == TileDescReduceKind_Min   ? tileMinNum(old, value)
                   : kind == TileDescReduceKind_Max ? tileMaxNum(old, value)
                                                    : old + value);
  } else {
    tileIntStore(block->type, memory, 0,
                 reduceInts(kind, block->type, tileIntLoad(block->type, memory, 0),
                            tileIntLoad(block->type, block->data, e)));
  }
  return true;
}

// ---- Blocks and rows ----

typedef bool (*ElementFn)(const Access *, int64_t, const int64_t *);

/// Operands: descriptor, `rank` coordinates, then the block if the op takes one.
static bool eachOfBlock(Machine *m, const Instruction *i, const Slot *block, ElementFn fn) {
  const Slot *descSlot = i->operands[0];
  Access a = {m, i, descSlot, (const Descriptor *)descSlot->data, block};
  for (int64_t e = 0; e < block->count; ++e) {
    int64_t index[MAX_DESC_RANK], rest = e;
    for (int dim = descSlot->rank; dim-- > 0; rest /= descSlot->shape[dim])
      index[dim] = rest % descSlot->shape[dim] + *(const int32_t *)i->operands[1 + dim]->data;
    if (!fn(&a, e, index))
      return false;
  }
  return true;
}

/// Operands: descriptor, rows, column, then the block if the op takes one.
static bool eachOfRows(Machine *m, const Instruction *i, const Slot *block, ElementFn fn) {
  const Slot *descSlot = i->operands[0];
  int64_t columns = descSlot->shape[descSlot->rank - 1];
  Access a = {m, i, descSlot, (const Descriptor *)descSlot->data, block};
  for (int64_t e = 0; e < block->count; ++e) {
    int64_t index[2] = {((const int32_t *)i->operands[1]->data)[e / columns],
                        *(const int32_t *)i->operands[2]->data + e % columns};
    if (!fn(&a, e, index))
      return false;
  }
  return true;
}

static bool runDescLoad(Machine *m, const Instruction *i) {
  return eachOfBlock(m, i, i->results[0], readElement);
}
static bool runDescGather(Machine *m, const Instruction *i) {
  return eachOfRows(m, i, i->results[0], readElement);
}
static bool runDescStore(Machine *m, const Instruction *i) {
  return eachOfBlock(m, i, i->operands[i->numOperands - 1], writeElement);
}
static bool runDescReduce(Machine *m, const Instruction *i) {
  return eachOfBlock(m, i, i->operands[i->numOperands - 1], reduceElement);
}
static bool runDescScatter(Machine *m, const Instruction *i) {
  return eachOfRows(m, i, i->operands[i->numOperands - 1], writeElement);
}

static bool blockSizeFits(MlirOperation op, const Slot *desc, const Slot *block) {
  int64_t elements = 1;
  for (int dim = 0; dim < desc->rank; ++dim)
    elements *= desc->shape[dim];
  return elements == block->count || interpRefuse(op, "got a block of %lld elements, expected %lld",
                                                  (long long)block->count, (long long)elements);
}

static bool decodeBlockOp(Decoder *d, MlirOperation op, Execute execute) {
  Instruction *i = interpEmitOp(d, op, execute);
  return i &&
         blockSizeFits(op, i->operands[0], i->numResults ? i->results[0] : i->operands[i->numOperands - 1]);
}

static bool decodeRowsOp(Decoder *d, MlirOperation op, Execute execute) {
  Instruction *i = interpEmitOp(d, op, execute);
  return i && (i->operands[0]->rank == 2 ||
               interpRefuse(op, "got a descriptor of %d dimensions, expected 2", i->operands[0]->rank));
}

bool interpDecodeDescLoad(Decoder *d, MlirOperation op) { return decodeBlockOp(d, op, runDescLoad); }
bool interpDecodeDescStore(Decoder *d, MlirOperation op) { return decodeBlockOp(d, op, runDescStore); }
bool interpDecodeDescGather(Decoder *d, MlirOperation op) { return decodeRowsOp(d, op, runDescGather); }
bool interpDecodeDescScatter(Decoder *d, MlirOperation op) { return decodeRowsOp(d, op, runDescScatter); }

bool interpDecodeDescReduce(Decoder *d, MlirOperation op) {
  if (!decodeBlockOp(d, op, runDescReduce))
    return false;
  d->code[d->numCode - 1]->parameter = (int)tileDescReduceOpGetKind(tileDescReduceOpCast(op));
  return true;
}
