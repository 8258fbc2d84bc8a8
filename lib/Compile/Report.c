/* Report.c - turns located MLIR diagnostics into "file:line:column: message" for the caller's callback. */
#include "Report.h"
#include "tile-c/IR.h"
#include "tile-c/Support/StringBuilder.h"
#include <stdio.h>
#include <stdlib.h>

const char *tileFileName(const TileCompileOptions *options) {
  return options->fileName ? options->fileName : "<input>";
}

static void deliver(const TileCompileOptions *options, TileSeverity severity, const char *position,
                    const char *message) {
  if (!options->diagnostic)
    return;
  TileStringBuilder text = {0};
  tileStringAppendFormat(&text, "%s%s: %s", tileFileName(options), position, message);
  options->diagnostic(severity, text.data, options->diagnosticUser);
  tileStringRelease(&text);
}

static void deliverFormatted(const TileCompileOptions *options, TileSeverity severity, const char *position,
                             const char *format, va_list values) {
  char *message = NULL;
  if (vasprintf(&message, format, values) < 0)
    return;
  deliver(options, severity, position, message);
  free(message);
}

void tileReport(const TileCompileOptions *options, TileSeverity severity, const char *format, ...) {
  va_list values;
  va_start(values, format);
  deliverFormatted(options, severity, "", format, values);
  va_end(values);
}

void tileReportAt(const TileCompileOptions *options, TileSeverity severity, unsigned line, unsigned column,
                  const char *format, ...) {
  char position[32];
  snprintf(position, sizeof position, ":%u:%u", line, column);
  va_list values;
  va_start(values, format);
  deliverFormatted(options, severity, position, format, values);
  va_end(values);
}

// ---- MLIR's diagnostics ----

void tileReporterAppendPosition(const TileReporter *reporter, MlirLocation loc, TileStringBuilder *out) {
  const char *input = tileFileName(reporter->options);
  loc = tileLocationPosition(loc);
  if (!mlirLocationIsAFileLineColRange(loc)) {
    tileStringAppendFormat(out, "%s", input);
    return;
  }
  MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(loc));
  unsigned line = (unsigned)mlirLocationFileLineColRangeGetStartLine(loc);
  unsigned column = (unsigned)mlirLocationFileLineColRangeGetStartColumn(loc);
  if (reporter->source && mlirStringRefEqual(file, tileStr(input)))
    column = tileSourceColumn(reporter->source, line, column);
  tileStringAppendFormat(out, "%.*s:%u:%u", (int)file.length, file.data, line, column);
}

static void appendText(MlirStringRef text, void *builder) {
  tileStringAppend(builder, text.data, text.length);
}

/// What -D has to do with an error, if its line has a value from there.
static void explain(const TileReporter *reporter, MlirLocation loc) {
  loc = tileLocationPosition(loc);
  if (!reporter->source || !mlirLocationIsAFileLineColRange(loc) ||
      !mlirStringRefEqual(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(loc)),
                          tileStr(tileFileName(reporter->options))))
    return;
  tileSourceExplainError(reporter->source, reporter->options,
                         (unsigned)mlirLocationFileLineColRangeGetStartLine(loc),
                         (unsigned)mlirLocationFileLineColRangeGetStartColumn(loc));
}

static void deliverDiagnostic(TileReporter *reporter, MlirDiagnostic diagnostic) {
  static const TileSeverity severities[] = {[MlirDiagnosticError] = TileSeverity_Error,
                                            [MlirDiagnosticWarning] = TileSeverity_Warning,
                                            [MlirDiagnosticNote] = TileSeverity_Note,
                                            [MlirDiagnosticRemark] = TileSeverity_Remark};
  TileSeverity severity = severities[mlirDiagnosticGetSeverity(diagnostic)];
  reporter->errors += severity == TileSeverity_Error;
  TileStringBuilder text = {0};
  tileReporterAppendPosition(reporter, mlirDiagnosticGetLocation(diagnostic), &text);
  tileStringAppendText(&text, ": ");
  mlirDiagnosticPrint(diagnostic, appendText, &text);
  if (reporter->options->diagnostic)
    reporter->options->diagnostic(severity, text.data, reporter->options->diagnosticUser);
  tileStringRelease(&text);
  if (severity == TileSeverity_Error)
    explain(reporter, mlirDiagnosticGetLocation(diagnostic));
  for (intptr_t i = 0, n = mlirDiagnosticGetNumNotes(diagnostic); i < n; ++i)
    deliverDiagnostic(reporter, mlirDiagnosticGetNote(diagnostic, i));
}

static MlirLogicalResult onDiagnostic(MlirDiagnostic diagnostic, void *reporter) {
  deliverDiagnostic(reporter, diagnostic);
  return mlirLogicalResultSuccess();
}

MlirDiagnosticHandlerID tileReporterAttach(TileReporter *reporter, MlirContext context) {
  return mlirContextAttachDiagnosticHandler(context, onDiagnostic, reporter, NULL);
}
