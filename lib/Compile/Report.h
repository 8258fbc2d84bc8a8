/* Report.h - diagnostics on their way to the caller's callback. */
#ifndef TILE_LIB_COMPILE_REPORT_H
#define TILE_LIB_COMPILE_REPORT_H
#include "Source.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "tile-c/Compile.h"
#include "tile-c/Support/StringBuilder.h"

/// Reports "file: message".
void tileReport(const TileCompileOptions *options, TileSeverity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Reports "file:line:column: message"; line and column count from 1.
void tileReportAt(const TileCompileOptions *options, TileSeverity severity, unsigned line, unsigned column,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/// The name of the input in messages.
const char *tileFileName(const TileCompileOptions *options);

/// What the handler of MLIR's diagnostics needs; outlives the attachment.
typedef struct TileReporter {
  const TileCompileOptions *options;
  const TileSource *source; ///< maps columns back to the text as it was written; may be NULL
  unsigned errors;          ///< reported so far
} TileReporter;

/// Appends "file:line:column" of a location, of the input as it was written; the input's name alone if there
/// is no position.
void tileReporterAppendPosition(const TileReporter *reporter, MlirLocation loc, TileStringBuilder *out);

/// Sends every diagnostic of the context, notes included, to the callback; nothing reaches stderr.
MlirDiagnosticHandlerID tileReporterAttach(TileReporter *reporter, MlirContext context);

#endif
