/* FuzzArguments.h - kernel arguments as the fuzz programs are told them, one line each, with their buffers in files. */
#ifndef TILE_TEST_FUZZ_FUZZARGUMENTS_H
#define TILE_TEST_FUZZ_FUZZARGUMENTS_H
#include "tile-c/ElementType.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_MAX_ARGUMENTS = 256 };

typedef struct FuzzArgument {
  TileElementType type;
  bool isBuffer;
  void *data;   ///< buffer: `count` elements; written by the kernel
  size_t count; ///< buffer: elements
  char *text;   ///< scalar: as it was given
  size_t shift; ///< buffer: elements in front of it, where memory is not the caller's
  char *output; ///< buffer: file that it is written to after a run, or NULL
} FuzzArgument;

/// Zero-initialise; fuzzForget frees what the lines brought.
typedef struct FuzzArguments {
  FuzzArgument at[FUZZ_MAX_ARGUMENTS];
  size_t count;
} FuzzArguments;

/// The words of a line: "arg buf TYPE COUNT IN OUT [SHIFT]", "arg int TYPE VALUE" or "arg float TYPE VALUE". False if it is
/// malformed, or IN does not have COUNT elements.
bool fuzzAddArgument(FuzzArguments *arguments, char **word, int words);
/// Writes the buffers that have an output.
bool fuzzWriteOutputs(const FuzzArguments *arguments);
void fuzzForget(FuzzArguments *arguments);

/// The bytes of a file and a zero behind them, freed by the caller; NULL if it cannot be read.
char *fuzzReadFile(const char *path, size_t *out_size);
bool fuzzWriteFile(const char *path, const void *data, size_t size);
/// Splits a line at spaces into at most `most` words; returns how many.
int fuzzSplit(char *line, char **word, int most);

#endif
