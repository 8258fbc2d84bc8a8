/* TileTranslate.h - the parts of tile-translate. */
#ifndef TILE_TOOLS_TILETRANSLATE_H
#define TILE_TOOLS_TILETRANSLATE_H
#include "tile-c/Compile.h"

typedef enum TranslateStatus {
  TranslateStatus_Ok = 0,
  TranslateStatus_Failed = 1, ///< a diagnostic, or a file that cannot be read or written
  TranslateStatus_Usage = 2   ///< a command line that cannot be meant
} TranslateStatus;

typedef struct TranslateOptions {
  const char *input;  ///< "-": standard input
  const char *output; ///< NULL: standard output
  bool help, version, hasEmit;
  TileEmit emit;
  TileCompileOptions compile;
  TileDefine *defines; ///< names are owned
  size_t numDefines;
  bool automatic;
  TileKnown *known; ///< of --auto; names are owned
  size_t numKnown;
} TranslateOptions;

/// Prints "tile-translate: error: ..." and returns `status`.
TranslateStatus translateFail(TranslateStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

TranslateStatus translateOptionsParse(int argc, char **argv, TranslateOptions *out_options);
void translateOptionsRelease(TranslateOptions *options);
void translateOptionsPrintHelp(void);

/// Reads a whole file, malloc'ed with a terminating zero not counted.
TranslateStatus translateReadInput(const char *path, char **out_text, size_t *out_size);

/// Before compiling, so that a long compilation is not for nothing: refuses a binary for a terminal and an
/// output path that is a folder.
TranslateStatus translateCheckOutput(const TranslateOptions *options);
/// Writes the result, and the manifest beside a binary, each through a temporary file that is renamed when
/// complete.
TranslateStatus translateWriteOutput(const TranslateOptions *options, const TileCompileResult *result);

#endif
