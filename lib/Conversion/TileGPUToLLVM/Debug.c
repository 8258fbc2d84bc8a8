/* Debug.c - tile.assert and tile.print, on kernels compiled for a target that can report.
 *
 *   tile.assert %ok, "message" : tensor<256xi1, #layout>
 * becomes, per thread,
 *   llvm.cond_br %allOk, ^after, ^fail
 * ^fail:
 *   (hook: says message, file and line if the target can)
 *   llvm.intr.trap {tile_gpu.assert = "message"}
 *
 * tile.print writes the lines that the cpu device writes (lib/Interpreter/Debug.c): one for each element, by
 * the thread that holds it, so their order is not fixed.
 *
 * requires: tile-gpu-drop-debug has removed what is not wanted or not possible. */
#include "Elementwise.h"
#include "tile-c/Dialect/CF.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/Support/StringBuilder.h"
#include <stdlib.h>

/* Opens a block that is entered where `condition` holds (null: always) and continues in it; the block after
 * it. */
static MlirBlock openIf(TileLowering *l, MlirValue condition) {
  MlirBlock inside = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  if (condition.ptr)
    tileEmitCondBranch(l, condition, inside, 0, NULL, after, 0, NULL);
  else
    tileEmitBranch(l, inside, 0, NULL);
  tileEnterBlock(l, inside);
  return after;
}

static void closeIf(TileLowering *l, MlirBlock after) {
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

// ---- assert ----

static MlirStringRef messageOf(MlirOperation op) {
  return tileOpKind(op) == TileOp_CF_Assert ? cfAssertOpGetMsg(cfAssertOpCast(op))
                                            : tileAssertOpGetMessage(tileAssertOpCast(op));
}

/* The trap carries the message for the report, which is all there is on a target that cannot say it. */
static void emitFailure(TileLowering *l, MlirStringRef message) {
  if (l->hooks->sayFailed)
    l->hooks->sayFailed(l, message);
  LLVMTrap trap = llvmTrapCreate(l->b, l->loc);
  mlirOperationSetDiscardableAttributeByName(trap.op, tileStr("tile_gpu.assert"),
                                             mlirStringAttrGet(l->context, message));
  llvmUnreachableOpCreate(l->b, l->loc);
}

MlirLogicalResult tileLowerAssert(TileLowering *l, MlirOperation op) {
  TileRegisters condition = tileRegistersOf(l, mlirOperationGetOperand(op, 0));
  MlirValue all = condition.values[0];
  for (intptr_t i = 1; i < condition.count; ++i)
    if (condition.values[i].ptr != condition.values[i - 1].ptr)
      all = tileEmit2(l, TileOp_LLVM_And, all, condition.values[i]);
  MlirBlock fail = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, all, after, 0, NULL, fail, 0, NULL);
  tileEnterBlock(l, fail);
  emitFailure(l, messageOf(op));
  tileEnterBlock(l, after);
  return tileSuccess();
}

// ---- print ----

enum { MAX_PRINT_VALUES = 4 + TileLayout_MaxRank };

/* One line: printf's format and what it takes. */
typedef struct Line {
  TileStringBuilder format;
  MlirValue values[MAX_PRINT_VALUES];
  intptr_t count;
} Line;

static void addValue(Line *line, const char *format, MlirValue v) {
  tileStringAppendText(&line->format, format);
  line->values[line->count++] = v;
}

/* A text of the source: printf must not read anything in it. */
static void addText(Line *line, MlirStringRef text) {
  for (size_t i = 0; i < text.length; ++i)
    tileStringAppend(&line->format, text.data[i] == '%' ? "%%" : &text.data[i], text.data[i] == '%' ? 2 : 1);
}

static void beginLine(TileLowering *l, Line *line) {
  static const char *const formats[] = {"pid (%u, ", "%u, ", "%u) "};
  for (int axis = 0; axis < 3; ++axis)
    addValue(line, formats[axis], l->hooks->programId(l, axis));
}

static void endLine(TileLowering *l, Line *line) {
  tileStringAppend(&line->format, "\n", 2); /* with the zero that ends it */
  l->hooks->print(l, line->format.data, line->format.length, line->count, line->values);
  tileStringRelease(&line->format);
}

typedef struct Operand {
  TileElementType type; ///< None: a pointer, or index
  MlirType llvm;
  bool hex, isUnsigned;
} Operand;

/* The bits of a value in an integer of its width. */
static MlirValue bitsOf(TileLowering *l, MlirValue v) {
  MlirType type = mlirValueGetType(v), bits = mlirIntegerTypeGet(l->context, tileTypeBits(type));
  if (mlirTypeIsAInteger(type))
    return v;
  return mlirTypeIsAFloat(type) ? tileEmitBitcast(l, v, bits) : tileEmit1(l, TileOp_LLVM_PtrToInt, bits, v);
}

/* printf takes integers of 32 or 64 bits. */
static MlirValue promoteInt(TileLowering *l, MlirValue v, bool isUnsigned) {
  MlirType i32 = mlirIntegerTypeGet(l->context, 32);
  return tileTypeBits(mlirValueGetType(v)) >= 32
             ? v
             : tileEmit1(l, isUnsigned ? TileOp_LLVM_ZExt : TileOp_LLVM_SExt, i32, v);
}

static void addElement(TileLowering *l, Line *line, const Operand *o, MlirValue v) {
  unsigned bits = tileTypeBits(o->llvm);
  bool isPointer = !mlirTypeIsAInteger(o->llvm) && !mlirTypeIsAFloat(o->llvm);
  if (o->hex || isPointer) {
    tileStringAppendFormat(&line->format, "0x%%0%u", bits < 8 ? 2 : bits / 4);
    addValue(line, bits == 64 ? "llx" : "x", promoteInt(l, bitsOf(l, v), true));
  } else if (tileElementTypeIsFloat(o->type)) {
    MlirValue wide =
        tileEmitFloatConvert(l, o->type, TileElementType_F64, v, mlirF64TypeGet(l->context), false);
    addValue(line, bits == 64 ? "%.17g" : "%.9g", wide);
  } else {
    bool isUnsigned = o->isUnsigned || bits == 1;
    addValue(line, bits == 64 ? (isUnsigned ? "%llu" : "%lld") : (isUnsigned ? "%u" : "%d"),
             promoteInt(l, v, isUnsigned));
  }
}

static void printElement(TileLowering *l, TilePrintOp print, intptr_t k, const Operand *o, MlirValue v,
                         const MlirValue *index, int rank) {
  Line line = {0};
  beginLine(l, &line);
  tileStringAppendText(&line.format, "idx (");
  for (int d = 0; d < rank; ++d)
    addValue(&line, d ? ", %d" : "%d", index[d]);
  tileStringAppendText(&line.format, ") ");
  addText(&line, tilePrintOpGetPrefix(print));
  if (mlirOperationGetNumOperands(print.op) > 1)
    tileStringAppendFormat(&line.format, "(operand %ld) ", (long)k);
  addElement(l, &line, o, v);
  endLine(l, &line);
}

/* Whether an element is one that the source has: padding adds others, and says so. Null if all are. */
static MlirValue isInside(TileLowering *l, MlirOperation print, intptr_t k, const TileLayout *layout,
                          const MlirValue *index) {
  MlirAttribute all = mlirOperationGetDiscardableAttributeByName(print, tileStr("tile_gpu.sizes"));
  MlirAttribute sizes = all.ptr ? mlirArrayAttrGetElement(all, k) : all;
  MlirValue in = {NULL};
  for (int d = 0; sizes.ptr && d < layout->rank; ++d) {
    int64_t size = mlirDenseI64ArrayGetElement(sizes, d);
    if (size == layout->shape[d])
      continue;
    MlirValue less = tileEmitICmp(l, LLVMICmpPredicate_slt, index[d], tileEmitI32(l, size));
    in = in.ptr ? tileEmit2(l, TileOp_LLVM_And, in, less) : less;
  }
  return in;
}

/* Every element once: copies in other registers and threads stay silent. */
static MlirLogicalResult printTensor(TileLowering *l, TilePrintOp print, intptr_t k, const Operand *o) {
  MlirValue operand = mlirOperationGetOperand(print.op, k), index[TileLayout_MaxRank];
  MlirAttribute encoding = tileTypeGetEncoding(mlirValueGetType(operand));
  TileRegisters r = tileRegistersOf(l, operand);
  TileLayout layout;
  if (tileFailed(tileRequireLayout(print.op, operand, &layout)))
    return tileFailure();
  uint32_t copies = tileLayoutFreeMask(&layout, TileLayoutDim_Register);
  MlirBlock after = openIf(l, tileEmitOwnerPredicate(l, &layout));
  for (intptr_t i = 0; i < r.count; ++i) {
    if ((uint32_t)i & copies)
      continue;
    for (int d = 0; d < layout.rank; ++d)
      index[d] = tileEmitCoordinate(l, encoding, &layout, (int)i, d);
    MlirValue inside = isInside(l, print.op, k, &layout, index);
    MlirBlock next = inside.ptr ? openIf(l, inside) : (MlirBlock){NULL};
    printElement(l, print, k, o, r.values[i], index, layout.rank);
    if (inside.ptr)
      closeIf(l, next);
  }
  closeIf(l, after);
  return tileSuccess();
}

static void printScalar(TileLowering *l, TilePrintOp print, intptr_t k, const Operand *o) {
  MlirBlock after = openIf(l, tileEmitFirstThread(l));
  printElement(l, print, k, o, tileRegistersOf(l, mlirOperationGetOperand(print.op, k)).values[0], NULL, 0);
  closeIf(l, after);
}

static void printText(TileLowering *l, TilePrintOp print) {
  Line line = {0};
  MlirBlock after = openIf(l, tileEmitFirstThread(l));
  beginLine(l, &line);
  addText(&line, tilePrintOpGetPrefix(print));
  endLine(l, &line);
  closeIf(l, after);
}

MlirLogicalResult tileLowerPrint(TileLowering *l, MlirOperation op) {
  TilePrintOp print = tilePrintOpCast(op);
  MlirAttribute isUnsigned = tilePrintOpGetIsUnsignedAttr(print);
  intptr_t n = mlirOperationGetNumOperands(op);
  if (!l->hooks->print)
    return tileLowerNotSupported(l, op);
  if (n == 0)
    printText(l, print);
  for (intptr_t k = 0; k < n; ++k) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, k));
    Operand o = {tileElementTypeOf(type), tileLowerElementType(l, type), tilePrintOpGetHex(print),
                 isUnsigned.ptr && mlirDenseBoolArrayGetElement(isUnsigned, k)};
    if (!o.llvm.ptr)
      return tileLowerNotSupported(l, op);
    if (!tileTypeIsTensor(type))
      printScalar(l, print, k, &o);
    else if (tileFailed(printTensor(l, print, k, &o)))
      return tileFailure();
  }
  return tileSuccess();
}
