/* CompileText.h - what the text fuzzers do with one input: compile it, and execute it where it is a kernel.
 */
#ifndef TILE_TEST_FUZZ_COMPILETEXT_H
#define TILE_TEST_FUZZ_COMPILETEXT_H
#include <stdbool.h>
#include <stddef.h>

/// Compiles a text, which decides the kind of output and the chip, then executes each kernel on the cpu
/// device for a bounded number of steps. Returns NULL, or what is wrong: a rejection without an error or an
/// acceptance with one. *out_accepted says whether it compiled.
const char *fuzzCompileText(const char *text, size_t size, bool *out_accepted);

#endif
