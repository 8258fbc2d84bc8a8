/* ExpandHopper.c - barriers in shared memory and the tensor copy engine as inline PTX.
 *
 *   tile_nv.tma_load %dst, %map[%x, %y], %bar if %p
 * becomes
 *   llvm.inline_asm "@$5 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
 *                    [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r,b,~{memory}"
 *
 * Shared addresses are 32 bits wide here: half the registers. */
#include "Expand.h"
#include "tile-c/Dialect/NVVM.h"

enum { MAX_OPERANDS = 12 };

/* An instruction while its operands are collected: each gets the next number. */
typedef struct Asm {
  TileBuilder b;
  MlirLocation loc;
  TileStringBuilder text, constraints;
  MlirValue operands[MAX_OPERANDS];
  int count;
} Asm;

static Asm begin(TileBuilder b, MlirOperation op) {
  return (Asm){.b = b, .loc = mlirOperationGetLocation(op)};
}

static int operand(Asm *a, MlirValue value, char letter) {
  a->operands[a->count] = value;
  tileStringAppendFormat(&a->constraints, "%c,", letter);
  return a->count++;
}

/* "@$n " for a predicate; nothing without one. */
static void predicate(Asm *a, MlirValue value) {
  if (value.ptr)
    tileStringAppendFormat(&a->text, "@$%d ", operand(a, value, 'b'));
}

static int shared(Asm *a, MlirValue pointer) {
  MlirType i32 = mlirIntegerTypeGet(mlirLocationGetContext(a->loc), 32);
  return operand(a, llvmPtrToIntOpGetRes(llvmPtrToIntOpCreate(a->b, a->loc, i32, pointer)), 'r');
}

static void end(Asm *a) {
  tileStringAppendText(&a->constraints, "~{memory}");
  tileExpandToAsm(a->b, a->loc, (MlirType){NULL}, a->count, a->operands, &a->text, &a->constraints);
  tileStringRelease(&a->text);
  tileStringRelease(&a->constraints);
}

// ---- Barriers ----

void tileExpandMBarrierInit(TileBuilder b, MlirOperation op) {
  TileNVMBarrierInitOp init = tileNVMBarrierInitOpCast(op);
  Asm a = begin(b, op);
  shared(&a, tileNVMBarrierInitOpGetBarrier(init));
  operand(&a, tileNVMBarrierInitOpGetCount(init), 'r');
  tileStringAppendText(&a.text, "mbarrier.init.shared::cta.b64 [$0], $1;");
  end(&a);
}

void tileExpandMBarrierInval(TileBuilder b, MlirOperation op) {
  Asm a = begin(b, op);
  shared(&a, tileNVMBarrierInvalOpGetBarrier(tileNVMBarrierInvalOpCast(op)));
  tileStringAppendText(&a.text, "mbarrier.inval.shared::cta.b64 [$0];");
  end(&a);
}

void tileExpandMBarrierExpect(TileBuilder b, MlirOperation op) {
  TileNVMBarrierExpectOp expect = tileNVMBarrierExpectOpCast(op);
  Asm a = begin(b, op);
  shared(&a, tileNVMBarrierExpectOpGetBarrier(expect));
  operand(&a, tileNVMBarrierExpectOpGetBytes(expect), 'r');
  predicate(&a, tileNVMBarrierExpectOpGetPredicate(expect));
  tileStringAppendText(&a.text, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;");
  end(&a);
}

/* To another block without `.release.cluster`: that costs a quarter of the speed and orders nothing that the
 * reader of freed memory needs. */
void tileExpandMBarrierArrive(TileBuilder b, MlirOperation op) {
  TileNVMBarrierArriveOp arrive = tileNVMBarrierArriveOpCast(op);
  MlirValue cta = tileNVMBarrierArriveOpGetCta(arrive), when = tileNVMBarrierArriveOpGetPredicate(arrive);
  Asm a = begin(b, op);
  shared(&a, tileNVMBarrierArriveOpGetBarrier(arrive));
  if (!cta.ptr) {
    predicate(&a, when);
    tileStringAppendText(&a.text, "mbarrier.arrive.shared::cta.b64 _, [$0];");
  } else {
    operand(&a, cta, 'r');
    tileStringAppendText(&a.text, "{\n.reg .b32 remote;\nmapa.shared::cluster.u32 remote, $0, $1;\n");
    predicate(&a, when);
    tileStringAppendText(&a.text, "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}");
  }
  end(&a);
}

void tileExpandMBarrierWait(TileBuilder b, MlirOperation op) {
  TileNVMBarrierWaitOp wait = tileNVMBarrierWaitOpCast(op);
  Asm a = begin(b, op);
  shared(&a, tileNVMBarrierWaitOpGetBarrier(wait));
  operand(&a, tileNVMBarrierWaitOpGetParity(wait), 'r');
  tileStringAppendText(&a.text, "{\n.reg .pred done;\nWAIT:\n"
                                "mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\n"
                                "@done bra DONE;\nbra WAIT;\nDONE:\n}");
  end(&a);
}

// ---- Copies ----

static void appendCoordinates(Asm *a, int map, intptr_t n, const int *coordinates) {
  tileStringAppendFormat(&a->text, "[$%d, {", map);
  for (intptr_t i = 0; i < n; ++i)
    tileStringAppendFormat(&a->text, "%s$%d", i ? ", " : "", coordinates[i]);
  tileStringAppendText(&a->text, "}]");
}

void tileExpandTmaLoad(TileBuilder b, MlirOperation op) {
  TileNVTmaLoadOp load = tileNVTmaLoadOpCast(op);
  MlirValue mask = tileNVTmaLoadOpGetMulticast(load);
  const intptr_t rank = tileNVTmaLoadOpGetNumCoordinates(load);
  int coordinates[5];
  Asm a = begin(b, op);
  const int to = shared(&a, tileNVTmaLoadOpGetDestination(load));
  const int map = operand(&a, tileNVTmaLoadOpGetMap(load), 'l');
  for (intptr_t i = 0; i < rank; ++i)
    coordinates[i] = operand(&a, tileNVTmaLoadOpGetCoordinates(load, i), 'r');
  const int barrier = shared(&a, tileNVTmaLoadOpGetBarrier(load));
  predicate(&a, tileNVTmaLoadOpGetPredicate(load));
  tileStringAppendFormat(
      &a.text, "cp.async.bulk.tensor.%dd.shared::cluster.global.mbarrier::complete_tx::bytes%s [$%d], ",
      (int)rank, mask.ptr ? ".multicast::cluster" : "", to);
  appendCoordinates(&a, map, rank, coordinates);
  tileStringAppendFormat(&a.text, ", [$%d]", barrier);
  if (mask.ptr)
    tileStringAppendFormat(&a.text, ", $%d", operand(&a, mask, 'h'));
  tileStringAppendText(&a.text, ";");
  end(&a);
}

void tileExpandTmaStore(TileBuilder b, MlirOperation op) {
  TileNVTmaStoreOp store = tileNVTmaStoreOpCast(op);
  const TileNVTmaReduction reduction = tileNVTmaStoreOpGetReduction(store);
  const intptr_t rank = tileNVTmaStoreOpGetNumCoordinates(store);
  int coordinates[5];
  Asm a = begin(b, op);
  const int map = operand(&a, tileNVTmaStoreOpGetMap(store), 'l');
  for (intptr_t i = 0; i < rank; ++i)
    coordinates[i] = operand(&a, tileNVTmaStoreOpGetCoordinates(store, i), 'r');
  const int from = shared(&a, tileNVTmaStoreOpGetSource(store));
  predicate(&a, tileNVTmaStoreOpGetPredicate(store));
  if (reduction == TileNVTmaReduction_None)
    tileStringAppendFormat(&a.text, "cp.async.bulk.tensor.%dd.global.shared::cta.bulk_group ", (int)rank);
  else
    tileStringAppendFormat(&a.text, "cp.reduce.async.bulk.tensor.%dd.global.shared::cta.%s.bulk_group ",
                           (int)rank, tileNVTmaReductionStringify(reduction));
  appendCoordinates(&a, map, rank, coordinates);
  tileStringAppendFormat(&a.text, ", [$%d];", from);
  end(&a);
}

void tileExpandPrefetchTensorMap(TileBuilder b, MlirOperation op) {
  Asm a = begin(b, op);
  operand(&a, tileNVPrefetchTensorMapOpGetMap(tileNVPrefetchTensorMapOpCast(op)), 'l');
  tileStringAppendText(&a.text, "prefetch.tensormap [$0];");
  end(&a);
}

void tileExpandHold(TileBuilder b, MlirOperation op) {
  TileNVHoldOp hold = tileNVHoldOpCast(op);
  MlirValue value = tileNVHoldOpGetValue(hold);
  Asm a = begin(b, op);
  operand(&a, value, mlirTypeIsAF32(mlirValueGetType(value)) ? 'f' : 'r');
  operand(&a, tileNVHoldOpGetNumber(hold), 'r');
  tileStringAppendText(&a.text,
                       "{ .reg .pred p; setp.eq.b32 p, $1, -1; @p st.volatile.shared.b32 [$1], $0; }");
  end(&a);
}

void tileExpandAnew(TileBuilder b, MlirOperation op) {
  TileNVAnewOp anew = tileNVAnewOpCast(op);
  MlirValue value = tileNVAnewOpGetValue(anew);
  TileStringBuilder text = {0}, constraints = {0};
  const bool isNumber = mlirTypeIsAInteger(mlirValueGetType(value));
  tileStringAppendText(&text, isNumber ? "mov.b32 $0, $1;" : "mov.b64 $0, $1;");
  tileStringAppendText(&constraints, isNumber ? "=r,r" : "=l,l");
  mlirValueReplaceAllUsesOfWith(tileNVAnewOpGetResult(anew),
                                tileExpandToAsm(b, mlirOperationGetLocation(op), mlirValueGetType(value), 1,
                                                &value, &text, &constraints));
  tileStringRelease(&text);
  tileStringRelease(&constraints);
}

// ---- Named barriers ----

/* nvvm.barrier.arrive has no translation of its own. */
void tileExpandBarrierArrive(TileBuilder b, MlirOperation op) {
  NVVMBarrierArriveOp arrive = nvvmBarrierArriveOpCast(op);
  MlirValue id = nvvmBarrierArriveOpGetBarrierId(arrive);
  Asm a = begin(b, op);
  const int threads = operand(&a, nvvmBarrierArriveOpGetNumberOfThreads(arrive), 'r');
  if (id.ptr)
    tileStringAppendFormat(&a.text, "bar.arrive $%d, $%d;", operand(&a, id, 'r'), threads);
  else
    tileStringAppendFormat(&a.text, "bar.arrive 0, $%d;", threads);
  end(&a);
}
