/* CompileText.h - what the text fuzzers do with one input: parse it, run passes on it, compile it, and execute
 * it where it is a kernel. */
#ifndef TILE_TEST_FUZZ_COMPILETEXT_H
#define TILE_TEST_FUZZ_COMPILETEXT_H
#include "WarmPasses.h"
#include <stdbool.h>
#include <stddef.h>

/// What became of one text.
typedef struct FuzzOutcome {
  bool parsed, accepted;
  const char *wrong; ///< NULL, or what is wrong: a rejection without an error, an acceptance with one
} FuzzOutcome;

/// Tries a text. Its hash decides how: a few are compiled to the end or simulated as the tools do it, each in
/// its own context; most go through passes in the context of `warm`, which takes a hundredth of the time,
/// and are executed on the cpu device for a bounded number of steps.
FuzzOutcome fuzzCompileText(FuzzWarm *warm, const char *text, size_t size);

#endif
