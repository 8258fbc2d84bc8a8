/* Symbols.h - the functions of an ELF program, sorted by address. */
#ifndef TILE_ORDER_SYMBOLS_H
#define TILE_ORDER_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Function {
  uint64_t address;
  const char *name;
  unsigned char first; ///< the byte at `address`
  bool called;
} Function;

typedef struct Symbols {
  void *file; ///< the program, mapped; names point into it
  size_t size;
  Function *functions; ///< one for each address
  size_t count;
} Symbols;

/// Reads the symbol table of a 64-bit x86 program that is linked to fixed addresses. False with a message on
/// stderr.
bool symbolsLoad(const char *path, Symbols *out_symbols);
void symbolsRelease(Symbols *symbols);

/// The function that starts at `address`, or NULL.
Function *symbolsFind(const Symbols *symbols, uint64_t address);

#endif
