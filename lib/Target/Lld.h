/* Lld.h - lld's ELF linker, in process. */
#ifndef TILE_LIB_TARGET_LLD_H
#define TILE_LIB_TARGET_LLD_H
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Runs `ld.lld args...`; args[0] must be "ld.lld". Thread-safe: links wait for each other. *out_text is what
/// lld said, malloc'ed (NULL without memory). False if it failed.
bool tileLldLink(const char *const *args, size_t numArgs, char **out_text);

/// A link puts the switches of LLVM's command line, which the whole process has, back to what they are without one, and then
/// sets those of its arguments (-mllvm). Between these two no link begins: what is generated there sees one state. Nothing in
/// between may link.
void tileLldHold(void);
void tileLldRelease(void);

#ifdef __cplusplus
}
#endif
#endif
