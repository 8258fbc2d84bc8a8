/* SinkParts.c - bytes are widened between the products that read them.
 *
 *   %b0, %b1 = loads;  %w0 = widened %b0;  %w1 = widened %b1;  fence;  wgmma %w0;  fence;  wgmma %w1
 * becomes
 *   %b0, %b1 = loads;  %w0 = widened %b0;  fence;  wgmma %w0;  %w1 = widened %b1;  fence;  wgmma %w1
 *
 * Products run by themselves: the second part is made beside the first one's. */
#include "SinkParts.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Support/PointerList.h"
#include "tile-c/Support/PointerMap.h"

/* The part that an op is for, plus 1; 0 if for none, or for several. */
typedef struct Parts {
  TilePointerMap of;
} Parts;

static uintptr_t partOf(const Parts *p, MlirOperation op) {
  return (uintptr_t)tilePointerMapFind(&p->of, op.ptr);
}

static bool isArithmetic(MlirOperation op) {
  LLVMCallIntrinsicOp call = llvmCallIntrinsicOpCast(op);
  if (mlirOperationGetNumResults(op) != 1)
    return false;
  if (!llvmCallIntrinsicOpIsNull(call)) {
    static const char *const names[] = {"llvm.nvvm.prmt", "llvm.nvvm.e4m3x2.to.f16x2.rn",
                                        "llvm.nvvm.e5m2x2.to.f16x2.rn"};
    MlirStringRef name = llvmCallIntrinsicOpGetIntrin(call);
    bool known = false;
    for (size_t i = 0; i < TILE_COUNTOF(names); ++i)
      known |= mlirStringRefEqual(name, tileStr(names[i]));
    return known;
  }
  switch (tileOpKind(op)) {
  case TileOp_LLVM_Add:
  case TileOp_LLVM_And:
  case TileOp_LLVM_Bitcast:
  case TileOp_LLVM_ExtractElement:
  case TileOp_LLVM_FAdd:
  case TileOp_LLVM_FMul:
  case TileOp_LLVM_FPExt:
  case TileOp_LLVM_FPTrunc:
  case TileOp_LLVM_FSub:
  case TileOp_LLVM_InsertElement:
  case TileOp_LLVM_LShr:
  case TileOp_LLVM_Or:
  case TileOp_LLVM_SIToFP:
  case TileOp_LLVM_Select:
  case TileOp_LLVM_Shl:
  case TileOp_LLVM_UIToFP:
  case TileOp_LLVM_XOr:
  case TileOp_LLVM_ZExt:
    return true;
  default:
    return false;
  }
}

/* The earliest part among users, which all follow: 0 if one is for none. */
static uintptr_t earliestUser(const Parts *p, MlirOperation op) {
  uintptr_t least = 0;
  MlirValue v = mlirOperationGetResult(op, 0);
  for (MlirOpOperand use = mlirValueGetFirstUse(v); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    const uintptr_t part = partOf(p, mlirOpOperandGetOwner(use));
    if (!part)
      return 0;
    least = !least || part < least ? part : least;
  }
  return least;
}

/* The ops that put a word together: insertions and casts. */
static void markPack(Parts *p, MlirValue word, uintptr_t part) {
  for (MlirOperation op = tileValueGetDefiningOp(word); op.ptr;
       op = tileValueGetDefiningOp(mlirOperationGetOperand(op, 0))) {
    const TileOpKind kind = tileOpKind(op);
    if (kind != TileOp_LLVM_Bitcast && kind != TileOp_LLVM_InsertElement)
      return;
    tilePointerMapSet(&p->of, op.ptr, (void *)part);
  }
}

void tileSinkParts(TileLowering *l, const MlirValue *words, int parts, int perPart,
                   const MlirOperation *anchors) {
  Parts p = {.of = {.arena = l->arena}};
  TilePointerList moved = {.arena = l->arena};
  for (int i = 0; i < parts * perPart; ++i)
    markPack(&p, words[i], (uintptr_t)(i / perPart + 1));
  TilePointerList before = {.arena = l->arena};
  MlirBlock block = mlirOperationGetBlock(anchors[0]);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr && op.ptr != anchors[0].ptr;
       op = mlirOperationGetNextInBlock(op))
    tilePointerListAppend(&before, op.ptr);
  for (size_t i = before.count; i-- > 0;) {
    MlirOperation op = {(void *)before.items[i]};
    const uintptr_t known = partOf(&p, op), part = known              ? known
                                                   : isArithmetic(op) ? earliestUser(&p, op)
                                                                      : 0;
    if (!known && part)
      tilePointerMapSet(&p.of, op.ptr, (void *)part);
    if (part > 1 && !known)
      tilePointerListAppend(&moved, op.ptr);
  }
  for (size_t i = moved.count; i-- > 0;) {
    MlirOperation op = {(void *)moved.items[i]};
    mlirOperationMoveBefore(op, anchors[partOf(&p, op) - 2]);
  }
}
