/* Main.c - tile-translate: one file of kernels in, one output of the chosen kind out. */
#include "TileTranslate.h"
#include "tile-c/Emission.h"
#include "tile-c/Version.h"
#include "llvm/Config/llvm-config.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TranslateStatus translateFail(TranslateStatus status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("tile-translate: error: ", stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  return status;
}

/// Where the message starts after "file:line:col: "; the start if there is no such position.
static const char *messageOf(const char *text) {
  for (const char *at = text; (at = strstr(at, ": ")); ++at) {
    const char *digit = at;
    while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
      --digit;
    if (digit < at && digit > text && digit[-1] == ':')
      return at + 2;
  }
  return text;
}

static void printDiagnostic(TileSeverity severity, const char *text, void *user) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  const char *message = messageOf(text);
  fprintf(stderr, "%.*s%s: %s\n", (int)(message - text), text, names[severity], message);
}

static TranslateStatus translate(const TranslateOptions *options) {
  char *text;
  size_t size;
  TranslateStatus status = translateCheckOutput(options);
  if (!status)
    status = translateReadInput(options->input, &text, &size);
  if (status)
    return status;
  TileCompileResult result;
  int failed = tileCompile(text, size, options->emit, &options->compile, &result);
  if (failed) { // the diagnostics have been printed
    status = failed == TileStatus_Options ? TranslateStatus_Usage : TranslateStatus_Failed;
  } else {
    status = translateWriteOutput(options, &result);
    tileCompileResultRelease(&result);
  }
  free(text);
  return status;
}

int main(int argc, char **argv) {
  TranslateOptions options;
  tileInstallFatalErrorHandler("tile-translate");
  signal(SIGXFSZ, SIG_IGN); // a file that may not become that large is an error of writing
  TranslateStatus status = translateOptionsParse(argc, argv, &options);
  options.compile.diagnostic = printDiagnostic;
  options.compile.keepsMemory = true;
  if (options.help)
    translateOptionsPrintHelp();
  else if (options.version)
    puts("tile-translate " TILE_VERSION ", LLVM " LLVM_VERSION_STRING);
  else if (!status)
    status = translate(&options);
  translateOptionsRelease(&options);
  if (fflush(stdout) && !status)
    status = translateFail(TranslateStatus_Failed, "cannot write standard output: %s", strerror(errno));
  _exit(status); // nothing is left to do, and destructors of LLVM's globals take time
}
