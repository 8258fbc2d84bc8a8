/* LibFuzzer.c - the text fuzz target for libFuzzer: the same inputs and checks as fuzz-text, guided by
 * coverage. */
#include "CompileText.h"
#include "MutateText.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t limit);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t aSize, const uint8_t *b, size_t bSize, uint8_t *out,
                                 size_t limit, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static FuzzWarm warm;
  FuzzOutcome outcome = fuzzCompileText(&warm, (const char *)data, size);
  if (outcome.wrong) {
    fprintf(stderr, "%s\n", outcome.wrong);
    abort();
  }
  return 0;
}

/* The mutated text in `out`. */
static size_t mutate(FuzzText text, FuzzText other, uint8_t *out, size_t limit, unsigned seed) {
  FuzzRandom random = {(uint64_t)seed * UINT64_C(0x9E3779B97F4A7C15) | 1};
  fuzzNext(&random);
  FuzzText changed = fuzzMutate(text, other, limit, &random);
  size_t size = changed.data ? changed.size : 0;
  if (size)
    memcpy(out, changed.data, size);
  free(changed.data);
  return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t limit, unsigned seed) {
  if (seed % 16 == 0)
    return LLVMFuzzerMutate(data, size, limit);
  return mutate((FuzzText){(char *)data, size}, (FuzzText){NULL, 0}, data, limit, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t aSize, const uint8_t *b, size_t bSize, uint8_t *out,
                                 size_t limit, unsigned seed) {
  return mutate((FuzzText){(char *)a, aSize}, (FuzzText){(char *)b, bSize}, out, limit, seed);
}
