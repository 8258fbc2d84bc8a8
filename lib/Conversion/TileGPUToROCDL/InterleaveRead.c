/* InterleaveRead.c - what the ops of a block are to tile-interleave-products, and which products each part gets. */
#include "InterleaveProducts.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"

static bool isMatrix(TileOpKind kind) {
  return (kind >= TileOp_ROCDL_mfma_f32_16x16x16bf16_1k && kind <= TileOp_ROCDL_mfma_i32_4x4x4i8) ||
         (kind >= TileOp_ROCDL_wmma_bf16_16x16x16_bf16 && kind <= TileOp_ROCDL_wmma_i32_16x16x64_iu8);
}

/* No effect, and the same result wherever it stands behind its operands. */
static bool isPure(TileOpKind kind) {
  switch (kind) {
  case TileOp_LLVM_AShr:
  case TileOp_LLVM_Abs:
  case TileOp_LLVM_Add:
  case TileOp_LLVM_AddrSpaceCast:
  case TileOp_LLVM_AddressOf:
  case TileOp_LLVM_And:
  case TileOp_LLVM_Bitcast:
  case TileOp_LLVM_ByteSwap:
  case TileOp_LLVM_Constant:
  case TileOp_LLVM_CopySign:
  case TileOp_LLVM_ExtractElement:
  case TileOp_LLVM_ExtractValue:
  case TileOp_LLVM_FAbs:
  case TileOp_LLVM_FAdd:
  case TileOp_LLVM_FCmp:
  case TileOp_LLVM_FDiv:
  case TileOp_LLVM_FMA:
  case TileOp_LLVM_FMul:
  case TileOp_LLVM_FMulAdd:
  case TileOp_LLVM_FNeg:
  case TileOp_LLVM_FPExt:
  case TileOp_LLVM_FPToSI:
  case TileOp_LLVM_FPToUI:
  case TileOp_LLVM_FPTrunc:
  case TileOp_LLVM_FSub:
  case TileOp_LLVM_Fshl:
  case TileOp_LLVM_Fshr:
  case TileOp_LLVM_GEP:
  case TileOp_LLVM_ICmp:
  case TileOp_LLVM_InsertElement:
  case TileOp_LLVM_InsertValue:
  case TileOp_LLVM_LShr:
  case TileOp_LLVM_MaxNum:
  case TileOp_LLVM_Maximum:
  case TileOp_LLVM_MinNum:
  case TileOp_LLVM_Minimum:
  case TileOp_LLVM_Mul:
  case TileOp_LLVM_Or:
  case TileOp_LLVM_Poison:
  case TileOp_LLVM_SExt:
  case TileOp_LLVM_SIToFP:
  case TileOp_LLVM_SMax:
  case TileOp_LLVM_SMin:
  case TileOp_LLVM_Select:
  case TileOp_LLVM_Shl:
  case TileOp_LLVM_ShuffleVector:
  case TileOp_LLVM_Sub:
  case TileOp_LLVM_Trunc:
  case TileOp_LLVM_UIToFP:
  case TileOp_LLVM_UMax:
  case TileOp_LLVM_UMin:
  case TileOp_LLVM_Undef:
  case TileOp_LLVM_XOr:
  case TileOp_LLVM_ZExt:
  case TileOp_LLVM_Zero:
  case TileOp_ROCDL_CvtPkF32Bf8:
  case TileOp_ROCDL_CvtPkF32Fp8:
  case TileOp_ROCDL_CvtPkRtz:
  case TileOp_ROCDL_MakeBufferRsrc:
    return true;
  default:
    return isMatrix(kind);
  }
}

static bool isPermute(MlirOperation op) {
  LLVMCallIntrinsicOp call = llvmCallIntrinsicOpCast(op);
  return !llvmCallIntrinsicOpIsNull(call) &&
         mlirStringRefEqual(llvmCallIntrinsicOpGetIntrin(call), tileStr("llvm.amdgcn.perm"));
}

enum { GLOBAL = 1, SHARED = 3 }; /* address spaces (AMDGPUUsage) */

static unsigned spaceOf(MlirOperation op, intptr_t pointer) {
  return mlirLLVMPointerTypeGetAddressSpace(mlirValueGetType(mlirOperationGetOperand(op, pointer)));
}

TileBlockOpKind tileBlockOpKind(MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  if (isMatrix(kind))
    return TileBlockOp_Matrix;
  switch (kind) {
  case TileOp_LLVM_Load:
    if (llvmLoadOpGetVolatile(llvmLoadOpCast(op)))
      return TileBlockOp_Other;
    return spaceOf(op, 0) == SHARED   ? TileBlockOp_SharedRead
           : spaceOf(op, 0) == GLOBAL ? TileBlockOp_Global
                                      : TileBlockOp_Other;
  case TileOp_LLVM_Store:
    return spaceOf(op, 1) == SHARED ? TileBlockOp_SharedWrite : TileBlockOp_Other;
  case TileOp_ROCDL_RawPtrBufferLoad:
  case TileOp_ROCDL_RawPtrBufferLoadLds:
    return TileBlockOp_Global;
  case TileOp_ROCDL_ds_read_tr16_b64:
  case TileOp_ROCDL_ds_read_tr8_b64:
    return TileBlockOp_SharedRead;
  case TileOp_LLVM_Fence:
  case TileOp_ROCDL_SBarrier:
  case TileOp_ROCDL_SWaitcnt:
    return TileBlockOp_Barrier;
  default:
    return isPure(kind) || isPermute(op) ? TileBlockOp_Pure : TileBlockOp_Other;
  }
}

// ---- Reading ----

TileBlockOp *tileBlockOpOf(const TileInterleave *x, MlirValue v) {
  MlirOperation op = tileValueGetDefiningOp(v);
  size_t number = op.ptr ? (size_t)tilePointerMapFind(&x->index, op.ptr) : 0;
  return number ? &x->ops[number - 1] : NULL;
}

static void findNeeds(TileInterleave *x, TileBlockOp *o) {
  bool isRead = o->kind == TileBlockOp_SharedRead || o->kind == TileBlockOp_Global;
  o->needs = isRead ? o->part : -1;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(o->op); ++k) {
    const TileBlockOp *def = tileBlockOpOf(x, mlirOperationGetOperand(o->op, k));
    if (def && def->needs > o->needs)
      o->needs = def->needs;
  }
}

/* Number of the first product that a value leads to, through what only moves elements, and around the loop. */
static int firstUseOf(TileInterleave *x, MlirValue v, int depth) {
  int first = x->numProducts;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); depth && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    size_t number = (size_t)tilePointerMapFind(&x->index, user.ptr);
    int found = first;
    if (tileOpKind(user) == TileOp_LLVM_Br && mlirOperationGetBlock(user).ptr == x->block.ptr) {
      MlirBlock to = mlirOperationGetSuccessor(user, 0);
      found = firstUseOf(x, mlirBlockGetArgument(to, mlirOpOperandGetOperandNumber(use)), depth - 1);
    } else if (number && x->ops[number - 1].kind == TileBlockOp_Matrix) {
      found = x->ops[number - 1].firstUse;
    } else if (number && x->ops[number - 1].kind == TileBlockOp_Pure) {
      found = firstUseOf(x, mlirOperationGetResult(user, 0), depth - 1);
    }
    first = found < first ? found : first;
  }
  return first;
}

/* `elsewhere`: what counts for a use outside of the block. */
static int lastUseOf(const TileInterleave *x, MlirValue v, int elsewhere, int depth) {
  int last = -1;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); depth && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    size_t number = (size_t)tilePointerMapFind(&x->index, user.ptr);
    int found = elsewhere;
    if (number && x->ops[number - 1].kind == TileBlockOp_Matrix)
      found = x->ops[number - 1].firstUse;
    else if (number && x->ops[number - 1].kind == TileBlockOp_Pure)
      found = lastUseOf(x, mlirOperationGetResult(user, 0), elsewhere, depth - 1);
    last = found > last ? found : last;
  }
  return last;
}

int tileInterleaveLastUse(const TileInterleave *x, MlirValue v) {
  return lastUseOf(x, v, x->numProducts - 1, TileInterleave_MostMoves);
}

/* The number of the last product that takes this iteration's value of what a read brings for the next one; -1 if there is none. */
static int freedBy(const TileInterleave *x, MlirValue v, int depth) {
  int freed = -1;
  for (MlirOpOperand use = mlirValueGetFirstUse(v); depth && !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    size_t number = (size_t)tilePointerMapFind(&x->index, user.ptr);
    int last = -1;
    if (tileOpKind(user) == TileOp_LLVM_Br && mlirOperationGetBlock(user).ptr == x->block.ptr) {
      MlirBlock to = mlirOperationGetSuccessor(user, 0);
      last = lastUseOf(x, mlirBlockGetArgument(to, mlirOpOperandGetOperandNumber(use)), -1,
                       TileInterleave_MostMoves);
    } else if (number && x->ops[number - 1].kind == TileBlockOp_Pure) {
      last = freedBy(x, mlirOperationGetResult(user, 0), depth - 1);
    }
    freed = last > freed ? last : freed;
  }
  return freed;
}

/* A part begins with a barrier, or with an access behind a product. */
static bool startsPart(const TileInterleave *x, TileBlockOpKind before, TileBlockOpKind kind) {
  if (kind == TileBlockOp_Barrier)
    return before != TileBlockOp_Barrier && x->numOps > 1;
  return kind != TileBlockOp_Pure && kind != TileBlockOp_Matrix && before == TileBlockOp_Matrix;
}

static bool readOps(TileInterleave *x) {
  TileBlockOpKind before = TileBlockOp_Pure;
  for (MlirOperation op = x->from; op.ptr != x->to.ptr; op = mlirOperationGetNextInBlock(op)) {
    TileBlockOp *o = &x->ops[x->numOps];
    *o = (TileBlockOp){.op = op, .kind = tileBlockOpKind(op), .freed = -1};
    tilePointerMapSet(&x->index, op.ptr, (void *)(size_t)++x->numOps);
    x->numParts += startsPart(x, before, o->kind);
    if (o->kind == TileBlockOp_Other || x->numParts >= TileInterleave_MaxParts)
      return false;
    before = o->kind == TileBlockOp_Pure ? before : o->kind;
    o->part = x->numParts;
    findNeeds(x, o);
    x->hasBarrier |= o->kind == TileBlockOp_Barrier;
    if (o->kind == TileBlockOp_Matrix) {
      o->firstUse = x->numProducts;
      x->products[x->numProducts++] = x->numOps - 1;
    }
  }
  ++x->numParts;
  return true;
}

void tileInterleaveFindUses(TileInterleave *x) {
  for (int i = 0; i < x->numOps; ++i)
    if (x->ops[i].kind == TileBlockOp_SharedRead) {
      MlirValue result = mlirOperationGetResult(x->ops[i].op, 0);
      x->ops[i].firstUse = firstUseOf(x, result, TileInterleave_MostMoves);
      x->ops[i].freed = freedBy(x, result, TileInterleave_MostMoves);
    }
}

enum { FEWEST_PRODUCTS = 8 };

static bool readRange(TileInterleave *x) {
  size_t count = 0;
  x->index.arena = x->arena;
  for (MlirOperation op = x->from; op.ptr != x->to.ptr; op = mlirOperationGetNextInBlock(op))
    ++count;
  x->ops = tileArenaAlloc(x->arena, count + 1, sizeof *x->ops);
  x->products = tileArenaAlloc(x->arena, count + 1, sizeof *x->products);
  if (!readOps(x) || x->numProducts < FEWEST_PRODUCTS)
    return false;
  tileInterleaveFindUses(x);
  return true;
}

bool tileInterleaveRead(TileInterleave *x, MlirBlock block) {
  x->block = block;
  x->from = mlirBlockGetFirstOperation(block);
  x->to = mlirBlockGetTerminator(block);
  return readRange(x) && x->hasBarrier;
}

bool tileInterleaveReadSegment(TileInterleave *x, MlirOperation from) {
  x->block = mlirOperationGetBlock(from);
  x->from = x->to = from;
  x->isSegment = true;
  MlirOperation end = mlirBlockGetTerminator(x->block);
  while (x->to.ptr != end.ptr && tileBlockOpKind(x->to) != TileBlockOp_Other)
    x->to = mlirOperationGetNextInBlock(x->to);
  return readRange(x);
}

// ---- Planning ----

int tileInterleaveProductsIn(const TileInterleave *x, int part) {
  int n = 0;
  for (int i = 0; i < x->numProducts; ++i)
    n += x->ops[x->products[i]].part == part;
  return n;
}

/* A part's products, if those before it have none, are spread over these too. */
static void spread(TileInterleave *x, int first, int last, int products) {
  int done = first ? x->end[first - 1] : 0;
  for (int part = first; part <= last; ++part)
    x->end[part] = done + products * (part - first + 1) / (last - first + 1);
}

bool tileInterleavePlan(TileInterleave *x) {
  int first = 0;
  for (int part = 0; part < x->numParts; ++part) {
    int products = tileInterleaveProductsIn(x, part);
    if (!products && part < x->numParts - 1)
      continue;
    spread(x, first, part, products);
    first = part + 1;
  }
  for (int part = 0; part < x->numParts; ++part)
    for (int i = part ? x->end[part - 1] : 0; i < x->end[part]; ++i)
      if (x->ops[x->products[i]].needs >= part)
        return false;
  return true;
}
