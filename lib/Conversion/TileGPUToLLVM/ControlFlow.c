/* ControlFlow.c - scf.for, if, while and index_switch become blocks; carried tensors become block arguments,
 * one a register.
 *
 * A loop's carried values are the arguments of its header; the header dominates what follows, so that the
 * value after the loop and the carried value are the same SSA value. */
#include "Lowering.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileNV.h"

/* A flat list of registers of several values. */
typedef struct Flat {
  intptr_t count;
  MlirValue *values;
} Flat;

typedef MlirValue (*ValueAt)(MlirOperation op, intptr_t i);

static MlirValue operandAt(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }

/* Registers of operands [first, first + n) of op. */
static Flat flattenOperands(TileLowering *l, MlirOperation op, intptr_t first, intptr_t n) {
  Flat flat = {0, NULL};
  for (intptr_t i = 0; i < n; ++i)
    flat.count += tileRegistersOf(l, operandAt(op, first + i)).count;
  flat.values = tileArenaAlloc(l->arena, (size_t)flat.count, sizeof *flat.values);
  intptr_t at = 0;
  for (intptr_t i = 0; i < n; ++i) {
    TileRegisters r = tileRegistersOf(l, operandAt(op, first + i));
    for (intptr_t k = 0; k < r.count; ++k)
      flat.values[at++] = r.values[k];
  }
  return flat;
}

typedef struct FlatTypes {
  intptr_t count;
  MlirType *types;
} FlatTypes;

/* LLVM types of the registers of n values (op results or block arguments), given by `at`. */
static MlirLogicalResult flattenTypes(TileLowering *l, MlirOperation op, intptr_t n,
                                      MlirValue (*at)(const void *, intptr_t), const void *owner,
                                      FlatTypes *out) {
  out->count = 0;
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t count;
    if (tileFailed(tileRegisterCount(l, op, mlirValueGetType(at(owner, i)), &count)))
      return tileFailure();
    out->count += count;
  }
  out->types = tileArenaAlloc(l->arena, (size_t)out->count, sizeof *out->types);
  intptr_t next = 0;
  for (intptr_t i = 0; i < n; ++i) {
    MlirType type = mlirValueGetType(at(owner, i)), lowered = tileLowerElementType(l, type);
    intptr_t count = 0;
    if (!lowered.ptr)
      return tileEmitOpError(
          op, "carries a value of a type that has no registers, expected numbers and pointers");
    (void)tileRegisterCount(l, op, type, &count);
    for (intptr_t k = 0; k < count; ++k)
      out->types[next++] = lowered;
  }
  return tileSuccess();
}

static MlirValue resultOf(const void *op, intptr_t i) {
  return mlirOperationGetResult(*(const MlirOperation *)op, i);
}
static MlirValue argumentOf(const void *block, intptr_t i) {
  return mlirBlockGetArgument(*(const MlirBlock *)block, i);
}

/* Binds n values to the arguments of `block` from argument `first` on. */
static void bindArguments(TileLowering *l, MlirOperation op, MlirBlock block, intptr_t first, intptr_t n,
                          MlirValue (*at)(const void *, intptr_t), const void *owner) {
  for (intptr_t i = 0; i < n; ++i) {
    intptr_t count = 1;
    (void)tileRegisterCount(l, op, mlirValueGetType(at(owner, i)), &count);
    TileRegisters r = tileNewRegisters(l, count);
    for (intptr_t k = 0; k < count; ++k)
      r.values[k] = mlirBlockGetArgument(block, first++);
    tileBind(l, at(owner, i), r);
  }
}

static MlirBlock onlyBlock(MlirRegion region) { return mlirRegionGetFirstBlock(region); }

/* How many registers of a carried value go into one argument: bytes travel four to a word, which is what they take; on
 * AMD four words together, as they were loaded, so that they need not be moved. */
static int wordOf(const TileLowering *l, TileRegisters r) {
  MlirType type = mlirValueGetType(r.values[0]);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 8 || r.count % 4)
    return 1;
  return l->target->vendor == TileVendor_AMD && r.count % 16 == 0 ? 16 : 4;
}

static MlirType bytesType(TileLowering *l, int64_t bytes) {
  return mlirVectorTypeGet(1, &bytes, mlirIntegerTypeGet(l->context, 8));
}

static MlirValue packCarried(TileLowering *l, const MlirValue *values, int word) {
  MlirValue packed = tileEmitPack(l, values, word);
  int64_t words = word / 4;
  return word == 16
             ? tileEmitBitcast(l, packed, mlirVectorTypeGet(1, &words, mlirIntegerTypeGet(l->context, 32)))
             : packed;
}

static void unpackCarried(TileLowering *l, MlirValue packed, int word, MlirValue *out) {
  tileEmitUnpack(l, word == 16 ? tileEmitBitcast(l, packed, bytesType(l, word)) : packed, word, out);
}

/* The arguments of a loop's header: the induction variable, and operands [first, first + n) of op. */
static Flat headerArguments(TileLowering *l, MlirOperation op, intptr_t first, intptr_t n, MlirValue iv) {
  Flat flat = flattenOperands(l, op, first, n);
  Flat out = {1, tileArenaAlloc(l->arena, (size_t)flat.count + 1, sizeof *out.values)};
  out.values[0] = iv;
  for (intptr_t i = 0, at = 0; i < n; ++i) {
    TileRegisters r = tileRegistersOf(l, operandAt(op, first + i));
    for (int word = r.count ? wordOf(l, r) : 1; at < flat.count && r.count > 0; r.count -= word, at += word)
      out.values[out.count++] = packCarried(l, flat.values + at, word);
  }
  return out;
}

/* Binds the loop's carried values to the arguments of its header, where they are used: in its body or behind it. */
static void bindCarried(TileLowering *l, SCFForOp loop, MlirBlock source, MlirBlock header, bool behind) {
  for (intptr_t i = 0, at = 1; i < scfForOpGetNumInitArgs(loop); ++i) {
    TileRegisters init = tileRegistersOf(l, scfForOpGetInitArgs(loop, i));
    TileRegisters r = tileNewRegisters(l, init.count);
    int word = init.count ? wordOf(l, init) : 1;
    for (intptr_t k = 0; k < r.count; k += word)
      unpackCarried(l, mlirBlockGetArgument(header, at++), word, r.values + k);
    tileBind(l, behind ? scfForOpGetResults(loop, i) : mlirBlockGetArgument(source, i + 1), r);
  }
}

/* Whether a loop copies what it multiplies (by products of warps) from its pointers. Scores of attention, of which rows are reduced, leave ptxas no
 * register for another order of its additions: three blocks no longer fit. */
static bool copiesFactors(MlirBlock body) {
  bool copies = false, multiplies = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    copies |= tileOpKind(op) == TileOp_TileGPU_AsyncCopy;
    multiplies |= tileOpKind(op) == TileOp_TileGPU_Mma;
    if (tileOpKind(op) == TileOp_Tile_Reduce)
      return false;
  }
  return copies && multiplies;
}

/* Pointers that a loop moves by a constant. */
static bool movesByConstant(SCFForOp loop, MlirBlock body, intptr_t i) {
  MlirOperation next = tileValueGetDefiningOp(mlirOperationGetOperand(mlirBlockGetTerminator(body), i));
  int64_t step;
  return next.ptr && tileOpKind(next) == TileOp_Tile_AddPtr &&
         mlirValueEqual(mlirOperationGetOperand(next, 0), mlirBlockGetArgument(body, i + 1)) &&
         tileValueConstantInt(mlirOperationGetOperand(next, 1), &step) &&
         tileTypeIsTensor(mlirValueGetType(scfForOpGetInitArgs(loop, i)));
}

static bool allMoveByConstants(SCFForOp loop, MlirBlock body) {
  for (intptr_t i = 0; i < scfForOpGetNumInitArgs(loop); ++i)
    if (tilePtrTypeIsA(tileTypeGetElement(mlirValueGetType(scfForOpGetInitArgs(loop, i)))) &&
        !movesByConstant(loop, body, i))
      return false;
  return true;
}

/* LLVM takes sums that such pointers have in common, as their columns, into the loop: 16 additions of 64 bits an iteration beside
 * products. It knows nothing of these. */
static void hideSums(TileLowering *l, SCFForOp loop, MlirBlock body, Flat *init) {
  if (l->target->vendor != TileVendor_NVIDIA || !copiesFactors(body) ||
      !allMoveByConstants(loop, body)) // with others they share additions
    return;
  for (intptr_t i = 0, at = 1; i < scfForOpGetNumInitArgs(loop); ++i) {
    TileRegisters r = tileRegistersOf(l, scfForOpGetInitArgs(loop, i));
    for (intptr_t k = 0; k < r.count; k += wordOf(l, r), ++at) {
      MlirType type = mlirValueGetType(init->values[at]);
      if (mlirTypeIsALLVMPointerType(type) && mlirLLVMPointerTypeGetAddressSpace(type) == 1)
        init->values[at] = tileNVAnewOpGetResult(tileNVAnewOpCreate(l->b, l->loc, type, init->values[at]));
    }
  }
}

MlirLogicalResult tileLowerFor(TileLowering *l, MlirOperation op) {
  SCFForOp loop = scfForOpCast(op);
  MlirBlock source = onlyBlock(scfForOpGetRegion(loop));
  intptr_t n = scfForOpGetNumInitArgs(loop);
  FlatTypes carried;
  if (tileFailed(flattenTypes(l, op, n, resultOf, &op, &carried)))
    return tileFailure();
  MlirValue lower = tileRegistersOf(l, scfForOpGetLowerBound(loop)).values[0];
  MlirValue upper = tileRegistersOf(l, scfForOpGetUpperBound(loop)).values[0];
  MlirValue step = tileRegistersOf(l, scfForOpGetStep(loop)).values[0];

  Flat init = headerArguments(l, op, 3, n, lower);
  hideSums(l, loop, source, &init);
  MlirType *types = tileArenaAlloc(l->arena, (size_t)init.count, sizeof *types);
  for (intptr_t i = 0; i < init.count; ++i)
    types[i] = mlirValueGetType(init.values[i]);
  MlirBlock header = tileAppendBlock(l, init.count, types), body = tileAppendBlock(l, 0, NULL);
  tileEmitBranch(l, header, init.count, init.values);

  tileEnterBlock(l, header);
  MlirValue iv = mlirBlockGetArgument(header, 0);
  tileBindOne(l, mlirBlockGetArgument(source, 0), iv);
  tileEnterBlock(l, body);
  bindCarried(l, loop, source, header, false);
  MlirOperation yield;
  if (tileFailed(tileLowerBlock(l, source, &yield)))
    return tileFailure();
  l->loc = mlirOperationGetLocation(op);
  Flat next = headerArguments(l, yield, 0, n, tileEmit2(l, TileOp_LLVM_Add, iv, step));
  tileEmitBranch(l, header, next.count, next.values);

  MlirBlock after = tileAppendBlock(l, 0, NULL);
  tileEnterBlock(l, header);
  LLVMICmpPredicate less = scfForOpGetUnsignedCmp(loop) ? LLVMICmpPredicate_ult : LLVMICmpPredicate_slt;
  tileEmitCondBranch(l, tileEmitICmp(l, less, iv, upper), body, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, after);
  bindCarried(l, loop, source, header, true);
  return tileSuccess();
}

/* Lowers a region's block into a new block that ends with a branch to `merge`; returns the new block. */
static MlirLogicalResult lowerArm(TileLowering *l, MlirRegion region, intptr_t n, MlirBlock merge,
                                  MlirBlock *out_arm) {
  MlirBlock source = onlyBlock(region);
  *out_arm = merge;
  if (!source.ptr)
    return tileSuccess();
  *out_arm = tileAppendBlock(l, 0, NULL);
  tileEnterBlock(l, *out_arm);
  MlirOperation yield;
  if (tileFailed(tileLowerBlock(l, source, &yield)))
    return tileFailure();
  Flat values = flattenOperands(l, yield, 0, n);
  tileEmitBranch(l, merge, values.count, values.values);
  return tileSuccess();
}

static MlirLogicalResult lowerBranch(TileLowering *l, MlirOperation op, MlirValue condition) {
  SCFIfOp branch = scfIfOpCast(op);
  intptr_t n = mlirOperationGetNumResults(op);
  FlatTypes results;
  if (tileFailed(flattenTypes(l, op, n, resultOf, &op, &results)))
    return tileFailure();
  MlirBlock here = mlirRewriterBaseGetInsertionBlock(l->b);
  MlirBlock merge = tileAppendBlock(l, results.count, results.types), then, otherwise;
  if (tileFailed(lowerArm(l, scfIfOpGetThenRegion(branch), n, merge, &then)) ||
      tileFailed(lowerArm(l, scfIfOpGetElseRegion(branch), n, merge, &otherwise)))
    return tileFailure();
  l->loc = mlirOperationGetLocation(op);
  tileEnterBlock(l, here);
  tileEmitCondBranch(l, condition, then, 0, NULL, otherwise, 0, NULL);
  tileEnterBlock(l, merge);
  bindArguments(l, op, merge, 0, n, resultOf, &op);
  return tileSuccess();
}

/* A branch for each part of the registers of its one result, by what that part holds: the arms are element-wise. So no more
 * than a part of what they compute on the way is alive at once. */
static MlirLogicalResult lowerByParts(TileLowering *l, MlirOperation op, MlirOperation any, int parts) {
  MlirValue result = mlirOperationGetResult(op, 0);
  intptr_t count;
  TILE_TRY(tileRegisterCount(l, op, mlirValueGetType(result), &count));
  TileRegisters all = tileNewRegisters(l, count);
  l->parts = parts;
  for (l->part = 0; l->part < parts; ++l->part) {
    MlirValue condition = tileEmitAny(l, mlirOperationGetOperand(any, 0));
    if (tileFailed(lowerBranch(l, op, condition)))
      return tileFailure();
    TileRegisters part = tileRegistersOf(l, result);
    for (intptr_t i = 0; i < part.count; ++i)
      all.values[l->part * part.count + i] = part.values[i];
  }
  l->parts = 0;
  tileBind(l, result, all);
  return tileSuccess();
}

MlirLogicalResult tileLowerIf(TileLowering *l, MlirOperation op) {
  MlirValue condition = scfIfOpGetCondition(scfIfOpCast(op));
  MlirOperation any = tileValueGetDefiningOp(condition);
  const int parts = (int)tileGetIntAttr(op, "tile_gpu.parts", 1);
  if (parts > 1 && !l->parts && any.ptr && tileOpKind(any) == TileOp_TileGPU_Any)
    return lowerByParts(l, op, any, parts);
  return lowerBranch(l, op, tileRegistersOf(l, condition).values[0]);
}

MlirLogicalResult tileLowerWhile(TileLowering *l, MlirOperation op) {
  SCFWhileOp loop = scfWhileOpCast(op);
  MlirBlock before = onlyBlock(scfWhileOpGetBefore(loop)), after = onlyBlock(scfWhileOpGetAfter(loop));
  intptr_t numBefore = mlirBlockGetNumArguments(before), numAfter = mlirBlockGetNumArguments(after);
  FlatTypes beforeTypes, afterTypes;
  if (tileFailed(flattenTypes(l, op, numBefore, argumentOf, &before, &beforeTypes)) ||
      tileFailed(flattenTypes(l, op, numAfter, argumentOf, &after, &afterTypes)))
    return tileFailure();
  MlirBlock header = tileAppendBlock(l, beforeTypes.count, beforeTypes.types);
  Flat init = flattenOperands(l, op, 0, scfWhileOpGetNumInits(loop));
  tileEmitBranch(l, header, init.count, init.values);

  tileEnterBlock(l, header);
  bindArguments(l, op, header, 0, numBefore, argumentOf, &before);
  MlirOperation condition, yield;
  if (tileFailed(tileLowerBlock(l, before, &condition)))
    return tileFailure();
  l->loc = mlirOperationGetLocation(op);
  MlirBlock body = tileAppendBlock(l, afterTypes.count, afterTypes.types);
  MlirBlock exit = tileAppendBlock(l, afterTypes.count, afterTypes.types);
  Flat passed = flattenOperands(l, condition, 1, numAfter);
  MlirValue stay = tileRegistersOf(l, mlirOperationGetOperand(condition, 0)).values[0];
  tileEmitCondBranch(l, stay, body, passed.count, passed.values, exit, passed.count, passed.values);

  tileEnterBlock(l, body);
  bindArguments(l, op, body, 0, numAfter, argumentOf, &after);
  if (tileFailed(tileLowerBlock(l, after, &yield)))
    return tileFailure();
  Flat next = flattenOperands(l, yield, 0, numBefore);
  tileEmitBranch(l, header, next.count, next.values);
  tileEnterBlock(l, exit);
  bindArguments(l, op, exit, 0, mlirOperationGetNumResults(op), resultOf, &op);
  return tileSuccess();
}

MlirLogicalResult tileLowerIndexSwitch(TileLowering *l, MlirOperation op) {
  SCFIndexSwitchOp choice = scfIndexSwitchOpCast(op);
  intptr_t n = mlirOperationGetNumResults(op);
  FlatTypes results;
  if (tileFailed(flattenTypes(l, op, n, resultOf, &op, &results)))
    return tileFailure();
  MlirValue selector = tileRegistersOf(l, scfIndexSwitchOpGetArg(choice)).values[0];
  MlirBlock merge = tileAppendBlock(l, results.count, results.types);
  for (intptr_t i = 0; i < scfIndexSwitchOpGetNumCases(choice); ++i) {
    MlirBlock here = mlirRewriterBaseGetInsertionBlock(l->b), arm;
    if (tileFailed(lowerArm(l, scfIndexSwitchOpGetCaseRegions(choice, i), n, merge, &arm)))
      return tileFailure();
    MlirBlock next = tileAppendBlock(l, 0, NULL);
    tileEnterBlock(l, here);
    MlirValue value = tileEmitInt(l, mlirValueGetType(selector), scfIndexSwitchOpGetCases(choice, i));
    tileEmitCondBranch(l, tileEmitICmp(l, LLVMICmpPredicate_eq, selector, value), arm, 0, NULL, next, 0,
                       NULL);
    tileEnterBlock(l, next);
  }
  MlirBlock here = mlirRewriterBaseGetInsertionBlock(l->b), arm;
  if (tileFailed(lowerArm(l, scfIndexSwitchOpGetDefaultRegion(choice), n, merge, &arm)))
    return tileFailure();
  tileEnterBlock(l, here);
  tileEmitBranch(l, arm, 0, NULL);
  tileEnterBlock(l, merge);
  bindArguments(l, op, merge, 0, n, resultOf, &op);
  return tileSuccess();
}
