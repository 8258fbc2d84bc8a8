// IR.cpp - the part of tile-c/IR.h that mlir-c has no entry for: warnings, remarks, notes, native
// properties, bits of floats and fast-math flags.
#include "tile-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include <cstdio>

static void emitFormatted(MlirLocation loc, mlir::DiagnosticSeverity severity, const char *format,
                          va_list ap) {
  char text[2048];
  vsnprintf(text, sizeof text, format, ap);
  unwrap(loc).getContext()->getDiagEngine().emit(unwrap(loc), severity) << text;
}

extern "C" void tileEmitWarning(MlirLocation loc, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  emitFormatted(loc, mlir::DiagnosticSeverity::Warning, format, ap);
  va_end(ap);
}

extern "C" void tileEmitRemark(MlirLocation loc, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  emitFormatted(loc, mlir::DiagnosticSeverity::Remark, format, ap);
  va_end(ap);
}

extern "C" MlirLogicalResult tileEmitOpErrorWithNote(MlirOperation op, MlirLocation noteLoc, const char *note,
                                                     const char *format, ...) {
  char text[2048];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  mlir::Operation *o = unwrap(op);
  // Not Operation::emitOpError, which adds a note with the whole operation in its generic form.
  mlir::InFlightDiagnostic diagnostic = mlir::emitError(o->getLoc())
                                        << "'" << o->getName() << "' op " << text;
  diagnostic.attachNote(unwrap(noteLoc)) << note;
  return mlirLogicalResultFailure();
}

extern "C" uint64_t tileFloatAttrBits(MlirAttribute attr) {
  return llvm::cast<mlir::FloatAttr>(unwrap(attr)).getValue().bitcastToAPInt().getZExtValue();
}

extern "C" MlirAttribute tileOperationGetProperties(MlirOperation op) {
  return wrap(unwrap(op)->getPropertiesAsAttribute());
}

extern "C" MlirLogicalResult tileOperationSetProperties(MlirOperation op, MlirAttribute properties) {
  mlir::Operation *o = unwrap(op);
  return wrap(o->setPropertiesFromAttribute(unwrap(properties), [&] { return o->emitOpError(); }));
}

extern "C" bool tileAttrAllowsApproximation(MlirAttribute attr) {
  auto flags = llvm::dyn_cast_or_null<mlir::arith::FastMathFlagsAttr>(unwrap(attr));
  return flags && mlir::arith::bitEnumContainsAll(flags.getValue(), mlir::arith::FastMathFlags::afn);
}
