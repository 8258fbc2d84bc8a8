/* MutateText.h - random changes to MLIR text that keep much of it well-formed: by tokens, lines and pieces of
 * other texts, seldom by bytes. */
#ifndef TILE_TEST_FUZZ_MUTATETEXT_H
#define TILE_TEST_FUZZ_MUTATETEXT_H
#include <stddef.h>
#include <stdint.h>

/// A small generator (xorshift64*): the same seed gives the same numbers everywhere. The state is never zero.
typedef struct FuzzRandom {
  uint64_t state;
} FuzzRandom;

uint64_t fuzzNext(FuzzRandom *random);
/// A number below n (n > 0).
size_t fuzzBelow(FuzzRandom *random, size_t n);

/// Bytes owned by whoever holds the struct, freed with free(data).
typedef struct FuzzText {
  char *data;
  size_t size;
} FuzzText;

/// A changed copy of `text`, at most `limit` bytes. `other` (of size 0: none) lends tokens and lines.
FuzzText fuzzMutate(FuzzText text, FuzzText other, size_t limit, FuzzRandom *random);

#endif
