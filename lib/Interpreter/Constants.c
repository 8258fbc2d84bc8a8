/* Constants.c - ops whose result needs no operand: constants, poison, program ids; and ops that do nothing
 * here. */
#include "Decode.h"
#include "tile-c/Dialect/Arith.h"
#include "tile-c/Dialect/Tile.h"

static void fill(Slot *slot) { interpCopyElements(slot->data, 1, slot->data, 0, slot->count, slot->size); }

/// The first element, a float by its bits: a signalling NaN stays one.
static void setNumber(Slot *slot, MlirAttribute value) {
  if (mlirAttributeIsAFloat(value)) {
    const uint64_t bits = tileFloatAttrBits(value);
    memcpy(slot->data, &bits, (size_t)slot->size); // little-endian
  } else {
    tileIntStore(slot->type, slot->data, 0, tileIntegerAttrValue(value));
  }
}

/// Bits of i1 elements are not stored one a byte: they are read one by one.
static void setBools(Slot *slot, MlirAttribute value) {
  for (int64_t e = 0; e < slot->count; ++e)
    slot->data[e] = mlirDenseElementsAttrGetBoolValue(value, e);
}

static bool setDense(Slot *slot, MlirOperation op, MlirAttribute value) {
  if (!mlirAttributeIsADenseElements(value))
    return interpRefuse(
        op, "got a constant that is neither a number nor dense, which the cpu device cannot read");
  if (mlirDenseElementsAttrIsSplat(value)) {
    setNumber(slot, mlirDenseElementsAttrGetSplatValue(value));
    fill(slot);
  } else if (slot->type == TileElementType_I1) {
    setBools(slot, value);
  } else {
    memcpy(slot->data, mlirDenseElementsAttrGetRawData(value), (size_t)slot->count * slot->size);
  }
  return true;
}

bool interpDecodeConstant(Decoder *d, MlirOperation op) {
  // Constants live outside of a combiner body, which repeats them in its lanes where it uses them.
  Body *body = d->body;
  d->body = NULL;
  Slot *slot = interpResultSlot(d, op, 0);
  d->body = body;
  if (!slot)
    return false;
  MlirAttribute value = arithConstantOpGetValueAttr(arithConstantOpCast(op));
  if (slot->rank || mlirAttributeIsADenseElements(value))
    return setDense(slot, op, value);
  setNumber(slot, value);
  return true;
}

/// Storage begins as zeros and nothing writes these slots.
bool interpDecodePoison(Decoder *d, MlirOperation op) { return interpResultSlot(d, op, 0) != NULL; }

bool interpDecodeNothing(Decoder *d, MlirOperation op) { return true; }

static bool runProgramId(Machine *m, const Instruction *i) {
  Slot *result = i->results[0];
  for (int64_t e = 0; e < result->count; ++e)
    ((uint32_t *)result->data)[e] = m->program[i->parameter];
  return true;
}

static bool runNumPrograms(Machine *m, const Instruction *i) {
  Slot *result = i->results[0];
  for (int64_t e = 0; e < result->count; ++e)
    ((uint32_t *)result->data)[e] = m->grid[i->parameter];
  return true;
}

bool interpDecodeProgramId(Decoder *d, MlirOperation op) {
  bool isId = tileOpKind(op) == TileOp_Tile_ProgramId;
  Instruction *i = interpEmitOp(d, op, isId ? runProgramId : runNumPrograms);
  if (!i)
    return false;
  i->parameter = isId ? (int)tileProgramIdOpGetAxis(tileProgramIdOpCast(op))
                      : (int)tileNumProgramsOpGetAxis(tileNumProgramsOpCast(op));
  return true;
}
