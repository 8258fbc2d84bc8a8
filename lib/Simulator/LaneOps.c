/* LaneOps.c - decodes shuffles, votes and other cross-lane operations of both vendors. */
#include "Lanes.h"
#include "MapOps.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/Dialect/ROCDL.h"

/// A move of the value `from` to a new result; NULL after a diagnostic.
static SimLaneMove *newMove(SimDecoder *d, MlirOperation op, const SimValue *from, unsigned kind) {
  const SimValue *result = from ? simResult(d, op) : NULL;
  if (!result)
    return NULL;
  for (uint32_t k = 1; k < from->type->count; ++k)
    if (from->type->scalars[k].log2Bytes != from->type->scalars[0].log2Bytes)
      return simRefuse(op, "on this type is not known to the simulator"), NULL;
  SimLaneMove *move = tileArenaAlloc(d->arena, 1, sizeof *move);
  *move = (SimLaneMove){.numParts = from->type->count,
                        .from = from->slots,
                        .old = from->slots,
                        .to = result->slots,
                        .kind = kind,
                        .rowMask = 15,
                        .bankMask = 15};
  if (result->type->count > from->type->count) // { value, whether it is another lane's }
    move->valid = result->slots[from->type->count];
  return move;
}

static bool emitMove(SimDecoder *d, SimEffect effect, const SimLaneMove *move, const SimValue *from,
                     const SimValue *const *operands, unsigned n) {
  if (!move)
    return false;
  SimInsn *i = simEmitEffect(d, effect);
  i->log2Bytes = from->type->scalars[0].log2Bytes;
  i->data = move;
  i->a = n > 0 ? operands[0]->slots[0] : 0;
  i->b = n > 1 ? operands[1]->slots[0] : 0;
  i->c = n > 2 ? operands[2]->slots[0] : 0;
  return true;
}

/// Operands of an op by number; false after a diagnostic.
static bool operandsOf(SimDecoder *d, MlirOperation op, unsigned n, const intptr_t *which,
                       const SimValue **out) {
  for (unsigned k = 0; k < n; ++k)
    if (!(out[k] = simOperand(d, op, which[k])))
      return false;
  return true;
}

// ---- NVIDIA ----

/// nvvm.shfl.sync mask, value, offset, clamp; an intrinsic says its kind in `param` (plus one).
bool simDecodeShfl(SimDecoder *d, MlirOperation op, const SimRow *row) {
  static const SimShfl kinds[] = {[NVVMShflKind_bfly] = SimShfl_Butterfly,
                                  [NVVMShflKind_up] = SimShfl_Up,
                                  [NVVMShflKind_down] = SimShfl_Down,
                                  [NVVMShflKind_idx] = SimShfl_Index};
  static const intptr_t which[] = {0, 2, 3};
  const SimShfl kind = row->param ? (SimShfl)(row->param - 1) : kinds[nvvmShflOpGetKind(nvvmShflOpCast(op))];
  const SimValue *value = simOperand(d, op, 1), *operands[3];
  return value && operandsOf(d, op, 3, which, operands) &&
         emitMove(d, simShfl, newMove(d, op, value, kind), value, operands, 3);
}

/// An effect with a new result of its own.
static bool emitResult(SimDecoder *d, MlirOperation op, SimEffect effect, uint32_t a, uint32_t b,
                       uint64_t param) {
  const SimValue *result = simResult(d, op);
  if (!result)
    return false;
  SimInsn *i = simEmitEffect(d, effect);
  i->result = result->slots[0];
  i->log2Bytes = result->type->scalars[0].log2Bytes;
  i->a = a;
  i->b = b;
  i->param = param;
  return true;
}

bool simDecodeVote(SimDecoder *d, MlirOperation op, const SimRow *row) {
  static const SimVote kinds[] = {[NVVMVoteSyncKind_any] = SimVote_Any,
                                  [NVVMVoteSyncKind_all] = SimVote_All,
                                  [NVVMVoteSyncKind_ballot] = SimVote_Ballot,
                                  [NVVMVoteSyncKind_uni] = SimVote_Uniform};
  const SimValue *mask = simOperand(d, op, 0), *predicate = simOperand(d, op, 1);
  const SimVote kind =
      row->param ? (SimVote)(row->param - 1) : kinds[nvvmVoteSyncOpGetKind(nvvmVoteSyncOpCast(op))];
  return mask && predicate && emitResult(d, op, simVote, mask->slots[0], predicate->slots[0], kind);
}

bool simDecodeElect(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *mask = mlirOperationGetNumOperands(op) ? simOperand(d, op, 0) : NULL;
  if (mlirOperationGetNumOperands(op) && !mask)
    return false;
  return emitResult(d, op, simElect, mask ? mask->slots[0] : simConstantSlot(d, 2, UINT32_MAX, 0), 0, 0);
}

bool simDecodeMatch(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *mask = simOperand(d, op, 0), *value = simOperand(d, op, 1);
  if (!mask || !value)
    return false;
  if (nvvmMatchSyncOpGetKind(nvvmMatchSyncOpCast(op)) != NVVMMatchSyncKind_any)
    return simRefuse(op, "of kind all is not known to the simulator");
  if (!emitResult(d, op, simMatchAny, mask->slots[0], value->slots[0], 0))
    return false;
  d->program->insns[d->program->numInsns - 1].log2Bytes = value->type->scalars[0].log2Bytes;
  return true;
}

bool simDecodeRedux(SimDecoder *d, MlirOperation op, const SimRow *row) {
  static const SimRedux kinds[] = {
      [NVVMReduxKind_ADD] = SimRedux_Add,   [NVVMReduxKind_AND] = SimRedux_And,
      [NVVMReduxKind_OR] = SimRedux_Or,     [NVVMReduxKind_XOR] = SimRedux_Xor,
      [NVVMReduxKind_MAX] = SimRedux_Max,   [NVVMReduxKind_MIN] = SimRedux_Min,
      [NVVMReduxKind_UMAX] = SimRedux_UMax, [NVVMReduxKind_UMIN] = SimRedux_UMin,
      [NVVMReduxKind_FMAX] = SimRedux_FMax, [NVVMReduxKind_FMIN] = SimRedux_FMin};
  (void)row;
  NVVMReduxOp redux = nvvmReduxOpCast(op);
  const SimValue *value = simOperand(d, op, 0), *mask = simOperand(d, op, 1);
  if (nvvmReduxOpGetAbs(redux) || nvvmReduxOpGetNan(redux))
    return simRefuse(op, "with abs or nan is not known to the simulator");
  return value && mask &&
         emitResult(d, op, simRedux, value->slots[0], mask->slots[0], kinds[nvvmReduxOpGetKind(redux)]);
}

bool simDecodePermute(SimDecoder *d, MlirOperation op, const SimRow *row) {
  if (!row->param && nvvmPermuteOpGetMode(nvvmPermuteOpCast(op)) != NVVMPermuteMode_DEFAULT)
    return simRefuse(op, "in this mode is not known to the simulator");
  const SimValue *operands[3], *result;
  static const intptr_t which[] = {0, 1, 2};
  if (!operandsOf(d, op, 3, which, operands) || !(result = simResult(d, op)))
    return false;
  simEmitMap(d, simPrmt, 3, operands, result, 32, 0);
  return true;
}

// ---- AMD ----

/// v_perm_b32 with a constant choice of bytes of the two operands: prmt with these exchanged, and a digit for a byte.
bool simDecodeAmdPermute(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  int64_t selector;
  uint64_t digits = 0;
  if (!simConstantOperand(op, 2, &selector))
    return simRefuse(op, "with a selector that is no constant is not known to the simulator");
  for (int k = 0; k < 4; ++k) {
    const uint64_t byte = (uint64_t)selector >> 8 * k & 0xFF;
    if (byte > 7)
      return simRefuse(op, "with this selector is not known to the simulator");
    digits |= byte << 4 * k;
  }
  static const intptr_t which[] = {1, 0, 2};
  const SimValue *operands[3], *result;
  if (!operandsOf(d, op, 3, which, operands) || !(result = simResult(d, op)))
    return false;
  uint32_t *slot = tileArenaAlloc(d->arena, 1, sizeof *slot);
  *slot = simConstantSlot(d, 2, digits, 0);
  const SimValue choice = {operands[2]->type, slot};
  operands[2] = &choice;
  simEmitMap(d, simPrmt, 3, operands, result, 32, 0);
  return true;
}

bool simDecodeBpermute(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *index = simOperand(d, op, 0), *value = simOperand(d, op, 1);
  return index && value && emitMove(d, simBpermute, newMove(d, op, value, 0), value, &index, 1);
}

bool simDecodeReadLane(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *value = simOperand(d, op, 0), *lane = simOperand(d, op, 1);
  return value && lane && emitMove(d, simReadLane, newMove(d, op, value, 0), value, &lane, 1);
}

bool simDecodeReadFirstLane(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *value = simOperand(d, op, 0);
  return value && emitMove(d, simReadFirstLane, newMove(d, op, value, 0), value, NULL, 0);
}

bool simDecodeBallot(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *predicate = simOperand(d, op, 0);
  return predicate && emitResult(d, op, simBallot, predicate->slots[0], 0, 0);
}

/// rocdl.update.dpp has its controls as attributes, the intrinsic as constants behind two operands.
static bool dppControls(MlirOperation op, SimLaneMove *move) {
  int64_t control = 0, row = 0, bank = 0, bound = 0;
  ROCDLDPPUpdateOp dpp = rocdlDPPUpdateOpCast(op);
  if (!rocdlDPPUpdateOpIsNull(dpp)) {
    control = rocdlDPPUpdateOpGetDppCtrl(dpp);
    row = rocdlDPPUpdateOpGetRowMask(dpp);
    bank = rocdlDPPUpdateOpGetBankMask(dpp);
    bound = rocdlDPPUpdateOpGetBoundCtrl(dpp);
  } else if (!simConstantOperand(op, 2, &control) || !simConstantOperand(op, 3, &row) ||
             !simConstantOperand(op, 4, &bank) || !simConstantOperand(op, 5, &bound)) {
    return simRefuse(op, "has controls that are not constant");
  }
  move->kind = (unsigned)control;
  move->rowMask = (unsigned)row;
  move->bankMask = (unsigned)bank;
  move->boundControl = bound != 0;
  return true;
}

bool simDecodeDpp(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  const SimValue *old = simOperand(d, op, 0), *value = simOperand(d, op, 1);
  SimLaneMove *move = old && value ? newMove(d, op, value, 0) : NULL;
  if (!move || !dppControls(op, move))
    return false;
  move->old = old->slots;
  const bool wholeWave =
      move->kind >= 0x130 && move->kind <= 0x143 && move->kind != 0x140 && move->kind != 0x141;
  if (simDppLane(move->kind, 0, d->program->lanes) == -2 || (wholeWave && d->program->lanes != 64))
    return simRefuse(op, "has control 0x%x, which %s does not have", move->kind, d->target->chip);
  return emitMove(d, simDpp, move, value, NULL, 0);
}

bool simDecodeSwizzle(SimDecoder *d, MlirOperation op, const SimRow *row) {
  (void)row;
  int64_t offset;
  const SimValue *value = simOperand(d, op, 0);
  if (!value)
    return false;
  if (!simConstantOperand(op, 1, &offset) || simSwizzleLane((unsigned)offset, 0) < 0)
    return simRefuse(op, "has an offset that is not known to the simulator");
  return emitMove(d, simSwizzle, newMove(d, op, value, (unsigned)offset), value, NULL, 0);
}

/// `param`: 16 or 32.
bool simDecodePermlaneSwap(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *one = simOperand(d, op, 0), *two = simOperand(d, op, 1), *result;
  if (!one || !two || !(result = simResult(d, op)))
    return false;
  uint32_t *from = tileArenaAlloc(d->arena, 2, sizeof *from);
  SimLaneMove *move = tileArenaAlloc(d->arena, 1, sizeof *move);
  from[0] = one->slots[0];
  from[1] = two->slots[0];
  *move = (SimLaneMove){.numParts = 2, .from = from, .to = result->slots, .kind = (unsigned)row->param};
  return emitMove(d, simPermlaneSwap, move, one, NULL, 0);
}

bool simDecodePermlaneX16(SimDecoder *d, MlirOperation op, const SimRow *row) {
  static const intptr_t which[] = {0, 2, 3};
  (void)row;
  const SimValue *value = simOperand(d, op, 1), *operands[3];
  SimLaneMove *move = value ? newMove(d, op, value, 0) : NULL;
  if (!move || !operandsOf(d, op, 3, which, operands))
    return false;
  move->old = operands[0]->slots;
  move->boundControl = rocdlPermlaneX16OpGetBoundControl(rocdlPermlaneX16OpCast(op));
  return emitMove(d, simPermlaneX16, move, value, operands, 3);
}

/// `param`: first lane of the half that is counted.
bool simDecodeMbcnt(SimDecoder *d, MlirOperation op, const SimRow *row) {
  const SimValue *mask = simOperand(d, op, 0), *start = simOperand(d, op, 1), *result;
  if (!mask || !start || !(result = simResult(d, op)))
    return false;
  SimInsn *i = simEmitPure(d, simMbcnt, result->slots[0], 2, d->program->lanes);
  i->a = mask->slots[0];
  i->c = start->slots[0];
  i->param = row->param;
  return true;
}
