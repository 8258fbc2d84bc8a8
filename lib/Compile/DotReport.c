/* DotReport.c - the report's part on matrix products: the instruction, its warps, how each factor comes to its
 * threads, and why nothing faster was taken. */
#include "AccessReport.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile-c/OpKind.h"
#include "tile-c/Scratch.h"

typedef struct Dots {
  const TileSession *session;
  TileStringBuilder *text;
  bool any;
} Dots;

static void appendTitle(Dots *d, MlirOperation op) {
  TileMatrixSizes s = tileMatrixSizesOf(op);
  if (!d->any)
    tileStringAppendText(d->text, "  products:\n");
  d->any = true;
  tileStringAppendText(d->text, "    ");
  tileSessionAppendPosition(d->session, mlirOperationGetLocation(op), d->text);
  tileStringAppendText(d->text, ": ");
  if (s.batch > 1)
    tileStringAppendFormat(d->text, "%lld of ", (long long)s.batch);
  tileStringAppendFormat(d->text, "%lldx%lldx%lld, %s times %s into %s\n", (long long)s.m, (long long)s.n,
                         (long long)s.k, tileElementTypeName(s.a), tileElementTypeName(s.b),
                         tileElementTypeName(s.acc));
}

static void appendRefusal(Dots *d, MlirOperation op, const char *what) {
  MlirAttribute reason = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.refused"));
  if (!reason.ptr || !mlirAttributeIsAString(reason))
    return;
  MlirStringRef text = mlirStringAttrGetValue(reason);
  tileStringAppendFormat(d->text, "      %s: %.*s\n", what, (int)text.length, text.data);
}

/* Instructions of one warp. */
static int64_t instructions(const TileMatrixChoice *c, const TileMatrixSizes *s) {
  TileMatrixOperand a, acc;
  int32_t bits = 0;
  if (!tileMatrixOperandOf(c, s, TileMatrixRole_A, &a) ||
      !tileMatrixOperandOf(c, s, TileMatrixRole_Accumulator, &acc))
    return 0;
  for (int axis = 0; axis < TileMatrixAxis_Count; ++axis)
    bits += acc.numRepeats[axis];
  return INT64_C(1) << (bits + a.numRepeats[TileMatrixAxis_K]);
}

static void appendInstruction(Dots *d, MlirOperation op, const TileMatrixChoice *c) {
  TileMatrixSizes sizes = tileMatrixSizesOf(op);
  tileStringAppendFormat(d->text, "      instruction: %s %dx%dx%d%s, %lld a warp, warps ",
                         tileGPUMatrixFamilyStringify((TileGPUMatrixFamily)c->family), c->m, c->n, c->k,
                         c->shortened ? " on f32 of fewer bits" : "", (long long)instructions(c, &sizes));
  for (int i = 0; i < c->rank; ++i)
    tileStringAppendFormat(d->text, "%s%d", i ? "x" : "", c->warps[i]);
  tileStringAppendText(d->text, "\n");
}

static void appendConflicts(Dots *d, int32_t ways) {
  if (ways > 1)
    tileStringAppendFormat(d->text, ", %d-way bank conflicts", ways);
  else
    tileStringAppendText(d->text, ", no bank conflicts");
}

static void appendScratch(Dots *d, const TileConvertPlan *plan) {
  const TileScratchPlan *s = &plan->scratch;
  tileStringAppendFormat(d->text, "through %lld bytes of shared memory, read ", (long long)s->bytes);
  if (s->load == TileScratchAccess_Vector)
    tileStringAppendFormat(d->text, "by %d bits", s->loadVectorBits);
  else
    tileStringAppendFormat(d->text, "by ldmatrix%s",
                           s->load == TileScratchAccess_MatrixTransposed ? ".trans" : "");
  appendConflicts(d, s->storeConflicts.ways > s->loadConflicts.ways ? s->storeConflicts.ways
                                                                    : s->loadConflicts.ways);
}

/* How many buffers there are behind a view. */
static int64_t buffersBehind(MlirValue view) {
  int64_t most = 1;
  TileMemDesc desc;
  for (int depth = 0; depth < 8 && tileMemDescOf(mlirValueGetType(view), &desc); ++depth) {
    most = desc.numBuffers > most ? desc.numBuffers : most;
    MlirOperation def = tileValueGetDefiningOp(view);
    if (!def.ptr || !mlirOperationGetNumOperands(def))
      break;
    view = mlirOperationGetOperand(def, 0);
  }
  return most;
}

/* From a buffer, by matrices or vectors, as the lowering decides: by the passes over the banks. */
static void appendBuffer(Dots *d, TileGPULocalLoadOp load) {
  const TileTargetInfo *target = tileSessionGetTarget(d->session);
  MlirValue view = tileGPULocalLoadOpGetSource(load);
  TileMemDesc desc;
  TileLayout layout, unique, whole;
  TileSharedConflicts vectors, matrices;
  TileMatrixAccess access;
  int64_t buffers = buffersBehind(view);
  tileStringAppendFormat(d->text, "from %s%lld buffer%s in shared memory", buffers > 1 ? "one of " : "",
                         (long long)buffers, buffers > 1 ? "s" : "");
  if (!tileMemDescOf(mlirValueGetType(view), &desc) ||
      !tileLayoutOfType(mlirValueGetType(tileGPULocalLoadOpGetResult(load)), &layout))
    return;
  int32_t bits = 8 * desc.elementBytes;
  tileLayoutDropRedundantRegisters(&layout, &unique, NULL);
  if (!tileMemDescEmbed(&desc, &unique, &whole) ||
      !tileSharedConflicts(&whole, &desc.layout, bits, 128, (int32_t)target->sharedBanks, &vectors))
    return;
  bool transposed = false, found = false;
  if (tileTargetHas(target, TileFeature_LdMatrix) && bits <= 32)
    for (int t = 0; t < 2 && !found; ++t) {
      found = tileSharedMatrixAccess(&whole, &desc.layout, bits, t, 4, &access) &&
              tileSharedMatrixConflicts(&access, &desc.layout, bits, &matrices);
      transposed = t;
    }
  found = found && (matrices.wavefronts < vectors.wavefronts ||
                    (matrices.wavefronts == vectors.wavefronts && matrices.accesses < vectors.accesses));
  if (found)
    tileStringAppendFormat(d->text, ", read by ldmatrix%s", transposed ? ".trans" : "");
  else
    tileStringAppendFormat(d->text, ", %d reads of a thread", vectors.accesses);
  appendConflicts(d, found ? matrices.ways : vectors.ways);
}

/* What a loop carries into its next iteration in place of an argument. */
static MlirValue carried(MlirValue v) {
  if (!mlirValueIsABlockArgument(v))
    return v;
  MlirBlock block = mlirBlockArgumentGetOwner(v);
  MlirOperation loop = mlirBlockGetParentOperation(block), end = mlirBlockGetTerminator(block);
  intptr_t i = mlirBlockArgumentGetArgNumber(v);
  return tileOpKind(loop) == TileOp_SCF_For && i > 0 ? mlirOperationGetOperand(end, i - 1) : v;
}

/* An operation on one tensor that moves nothing between threads. */
static bool isUnary(MlirOperation op) {
  return op.ptr && mlirOperationGetNumOperands(op) == 1 && tileOpKind(op) != TileOp_TileGPU_ConvertLayout &&
         tileOpKind(op) != TileOp_TileGPU_LocalLoad;
}

/* A factor comes from where it was converted or loaded, perhaps through operations one element at a time. */
static void appendFactor(Dots *d, MlirOperation op, int i, const char *name) {
  MlirValue v = mlirOperationGetOperand(op, i), source = carried(v);
  MlirOperation def = tileValueGetDefiningOp(source);
  TileLayout from, to;
  TileConvertPlan plan;
  for (int depth = 0; depth < 8 && isUnary(def); ++depth)
    def = tileValueGetDefiningOp(mlirOperationGetOperand(def, 0));
  tileStringAppendFormat(d->text, "      %s: %s", name, source.ptr != v.ptr ? "an iteration ahead " : "");
  TileOpKind kind = def.ptr ? tileOpKind(def) : TileOp_None;
  if (kind == TileOp_TileGPU_LocalLoad)
    appendBuffer(d, tileGPULocalLoadOpCast(def));
  else if (kind == TileOp_TileGPU_ConvertLayout &&
           tileLayoutOfType(mlirValueGetType(mlirOperationGetOperand(def, 0)), &from) &&
           tileLayoutOfType(mlirValueGetType(mlirOperationGetResult(def, 0)), &to) &&
           tileConvertPlanOf(def, &from, &to, tileSessionGetTarget(d->session), &plan) &&
           plan.conversion.kind > TileConversion_Register && !plan.byShuffles)
    appendScratch(d, &plan);
  else
    tileStringAppendText(d->text, kind == TileOp_TileGPU_ConvertLayout ? "between lanes or registers"
                                                                       : "in its registers");
  tileStringAppendText(d->text, "\n");
}

static MlirWalkResult appendDot(MlirOperation op, void *user) {
  Dots *d = user;
  TileOpKind kind = tileOpKind(op);
  TileMatrixChoice choice;
  if (kind == TileOp_Tile_Dot) {
    appendTitle(d, op);
    tileStringAppendText(d->text, "      multiply-adds, both factors in shared memory\n");
    appendRefusal(d, op, "no matrix instruction");
  } else if (kind == TileOp_TileGPU_Mma &&
             tileMatrixChoiceFromAttr(tileGPUMmaOpGetInstrAttr(tileGPUMmaOpCast(op)), &choice)) {
    appendTitle(d, op);
    appendInstruction(d, op, &choice);
    appendFactor(d, op, 0, "first factor");
    appendFactor(d, op, 1, "second factor");
    appendRefusal(d, op, "nothing faster");
  }
  return MlirWalkResultAdvance;
}

void tileReportDots(const TileSession *session, MlirOperation kernel, TileStringBuilder *text) {
  Dots dots = {session, text, false};
  mlirOperationWalk(kernel, appendDot, &dots, MlirWalkPreOrder);
}
