/* Symbols.c - reads the functions of an ELF program. */
#include "Symbols.h"
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const char *path, const char *why) {
  fprintf(stderr, "tile-order: %s: %s\n", path, why);
  return false;
}

static bool mapFile(const char *path, Symbols *symbols) {
  struct stat status;
  int fd = open(path, O_RDONLY);
  if (fd < 0 || fstat(fd, &status) != 0)
    return fail(path, "cannot be opened");
  symbols->size = (size_t)status.st_size;
  symbols->file = mmap(NULL, symbols->size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  return symbols->file != MAP_FAILED || fail(path, "cannot be mapped");
}

static bool inFile(const Symbols *symbols, uint64_t offset, uint64_t size) {
  return offset <= symbols->size && size <= symbols->size - offset;
}

/// The section headers, if all of them and what they describe lie in the file; else NULL.
static const Elf64_Shdr *sectionsOf(const Symbols *symbols, unsigned *out_count) {
  const Elf64_Ehdr *header = symbols->file;
  if (symbols->size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_X86_64 ||
      header->e_type != ET_EXEC ||
      !inFile(symbols, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
    return NULL;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)((const char *)symbols->file + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_type != SHT_NOBITS && !inFile(symbols, sections[i].sh_offset, sections[i].sh_size))
      return NULL;
  *out_count = header->e_shnum;
  return sections;
}

static int byAddress(const void *a, const void *b) {
  const Function *x = a, *y = b;
  return x->address < y->address ? -1 : x->address > y->address;
}

/// Symbols of one address are one function: the linker moves them together.
static void sortAndUnite(Symbols *symbols) {
  qsort(symbols->functions, symbols->count, sizeof *symbols->functions, byAddress);
  size_t kept = 0;
  for (size_t i = 0; i < symbols->count; ++i)
    if (kept == 0 || symbols->functions[i].address != symbols->functions[kept - 1].address)
      symbols->functions[kept++] = symbols->functions[i];
  symbols->count = kept;
}

/// The functions of one symbol table: those with a size, in a section of code.
static void collect(Symbols *symbols, const Elf64_Shdr *sections, unsigned count, const Elf64_Shdr *table) {
  const char *file = symbols->file;
  const Elf64_Sym *all = (const Elf64_Sym *)(file + table->sh_offset);
  const Elf64_Shdr *names = &sections[table->sh_link];
  for (size_t i = 0; i < table->sh_size / sizeof *all; ++i) {
    const Elf64_Sym *s = &all[i];
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_size == 0 || s->st_shndx >= count ||
        s->st_name >= names->sh_size)
      continue;
    const Elf64_Shdr *section = &sections[s->st_shndx];
    uint64_t offset = s->st_value - section->sh_addr;
    if (!(section->sh_flags & SHF_EXECINSTR) || section->sh_type != SHT_PROGBITS ||
        offset >= section->sh_size)
      continue;
    symbols->functions[symbols->count++] =
        (Function){.address = s->st_value,
                   .name = file + names->sh_offset + s->st_name,
                   .first = (unsigned char)file[section->sh_offset + offset]};
  }
}

bool symbolsLoad(const char *path, Symbols *out_symbols) {
  *out_symbols = (Symbols){0};
  if (!mapFile(path, out_symbols))
    return false;
  unsigned count = 0;
  const Elf64_Shdr *sections = sectionsOf(out_symbols, &count), *table = NULL;
  for (unsigned i = 0; sections && i < count; ++i)
    if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < count)
      table = &sections[i];
  if (!table)
    return fail(path, "is not a program at fixed addresses with a symbol table");
  out_symbols->functions = calloc(table->sh_size / sizeof(Elf64_Sym) + 1, sizeof(Function));
  if (!out_symbols->functions)
    return fail(path, "no memory for its symbols");
  collect(out_symbols, sections, count, table);
  sortAndUnite(out_symbols);
  return true;
}

void symbolsRelease(Symbols *symbols) {
  free(symbols->functions);
  munmap(symbols->file, symbols->size);
}

Function *symbolsFind(const Symbols *symbols, uint64_t address) {
  Function key = {.address = address};
  return bsearch(&key, symbols->functions, symbols->count, sizeof key, byAddress);
}
