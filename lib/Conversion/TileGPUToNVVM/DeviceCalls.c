/* DeviceCalls.c - printing and failing on NVIDIA, by the two functions that the driver gives every kernel
 * (CUDA C++ Programming Guide, "Formatted Output" and "Assertion"): vprintf takes the values in a buffer in
 * thread-local memory, each aligned to its size; __assertfail says file, line, block and thread, and ends
 * the kernel with an error that the host sees. */
#include "DeviceCalls.h"
#include "mlir-c/Dialect/LLVM.h"

enum { BUFFER_BYTES = 128, BUFFER_ALIGNMENT = 8 };

/* One buffer for all prints of the kernel. */
static MlirValue buffer(TileLowering *l) {
  static const char key = 0;
  MlirValue known = {tilePointerMapFind(&l->constants, &key)};
  if (known.ptr)
    return known;
  MlirType i8 = mlirIntegerTypeGet(l->context, 8), pointer = mlirLLVMPointerTypeGet(l->context, 0);
  LLVMAllocaOp op = llvmAllocaOpCreate(l->prologue, l->loc, pointer, tileEmitI32(l, BUFFER_BYTES),
                                       tileI64Attr(l->context, BUFFER_ALIGNMENT), mlirTypeAttrGet(i8),
                                       (MlirAttribute){NULL});
  tilePointerMapSet(&l->constants, &key, (void *)llvmAllocaOpGetRes(op).ptr);
  return llvmAllocaOpGetRes(op);
}

static void storeAt(TileLowering *l, MlirValue base, int32_t offset, MlirValue value) {
  MlirType i8 = mlirIntegerTypeGet(l->context, 8);
  MlirValue address =
      llvmGEPOpGetRes(llvmGEPOpCreate(l->b, l->loc, mlirValueGetType(base), base, 0, NULL,
                                      mlirDenseI32ArrayGet(l->context, 1, &offset), mlirTypeAttrGet(i8)));
  LLVMStoreOpAttrs attrs = {.alignment = tileI64Attr(l->context, tileTypeBits(mlirValueGetType(value)) / 8)};
  llvmStoreOpCreate(l->b, l->loc, value, address, &attrs);
}

void tileNvidiaPrint(TileLowering *l, const char *format, size_t size, intptr_t n, const MlirValue *values) {
  MlirValue base = buffer(l);
  int32_t offset = 0;
  for (intptr_t i = 0; i < n; ++i) {
    int32_t bytes = (int32_t)tileTypeBits(mlirValueGetType(values[i])) / 8;
    offset = (offset + bytes - 1) / bytes * bytes;
    storeAt(l, base, offset, values[i]);
    offset += bytes;
  }
  MlirValue arguments[] = {tileEmitText(l, format, size), base};
  tileEmitCall(l, "vprintf", mlirIntegerTypeGet(l->context, 32), 2, arguments);
}

/* With the zero that ends it. */
static MlirValue text(TileLowering *l, MlirStringRef s) {
  return tileEmitText(l, tileArenaCopy(l->arena, s.data, s.length), s.length + 1);
}

void tileNvidiaSayFailed(TileLowering *l, MlirStringRef message) {
  MlirLocation position = tileLocationPosition(l->loc);
  bool known = mlirLocationIsAFileLineColRange(position);
  MlirStringRef file =
      known ? mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(position)) : tileStr("?");
  int line = known ? mlirLocationFileLineColRangeGetStartLine(position) : 0;
  MlirValue charSize = tileEmitInt(l, mlirIntegerTypeGet(l->context, 64), 1);
  MlirValue arguments[] = {text(l, message), text(l, file), tileEmitI32(l, line), text(l, tileKernelName(l)),
                           charSize};
  tileEmitCall(l, "__assertfail", (MlirType){NULL}, 5, arguments);
}
