/* PtxasLog.c - reads what ptxas prints: errors, warnings, lost performance, and the registers of each kernel.
 *
 * The lines it knows (ptxas 12 and 13):
 *   ptxas FILE, line 4; error   : Unknown modifier '.bogus'
 *   ptxas fatal   : Ptx assembly aborted due to errors
 *   ptxas warning : ...
 *   ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized ...
 *   ptxas info    : Compiling entry function 'add' for 'sm_80'
 *       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *   ptxas info    : Used 8 registers, used 0 barriers, 16 bytes smem, 360 bytes cmem[0] */
#include "Ptxas.h"
#include "Usage.h"
#include "tile-c/IR.h"
#include <stdlib.h>

/// The message after "<word>   : " in a line, or NULL.
static const char *afterWord(const char *line, const char *word) {
  const char *at = strstr(line, word);
  if (!at)
    return NULL;
  at += strlen(word);
  at += strspn(at, " ");
  return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

/// The number before `unit` in a line, or -1.
static int numberBefore(const char *line, const char *unit) {
  const char *at = strstr(line, unit);
  if (!at)
    return -1;
  const char *begin = at;
  while (begin > line && begin[-1] >= '0' && begin[-1] <= '9')
    --begin;
  return begin == at ? -1 : (int)strtol(begin, NULL, 10);
}

/// The kernel's name in "Compiling entry function 'add' for 'sm_80'", or NULL.
static const char *entryName(const char *line, size_t *out_length) {
  static const char mark[] = "Compiling entry function '";
  const char *name = strstr(line, mark);
  if (!name)
    return NULL;
  name += sizeof mark - 1;
  *out_length = strcspn(name, "'");
  return name;
}

static void readUsage(const char *line, TileEmission *emission) {
  size_t length;
  const char *name = entryName(line, &length);
  if (name) {
    tileUsageAdd(emission, name, length);
    return;
  }
  if (emission->numKernels == 0)
    return;
  TileKernelUsage *kernel = &emission->kernels[emission->numKernels - 1];
  if (strstr(line, "bytes stack frame")) {
    kernel->stackBytes = numberBefore(line, " bytes stack frame");
    kernel->spillBytes = numberBefore(line, " bytes spill stores");
  } else if (strstr(line, ": Used ")) {
    kernel->registers = numberBefore(line, " registers");
    int shared = numberBefore(line, " bytes smem");
    kernel->sharedBytes = shared < 0 ? 0 : shared;
  }
}

static void reportError(const char *line, const char *message, MlirLocation loc) {
  static const char mark[] = ", line ";
  const char *number = strstr(line, mark);
  if (number)
    tileEmitError(loc, "ptxas refused line %ld of the PTX: %s", strtol(number + sizeof mark - 1, NULL, 10),
                  message);
  else
    tileEmitError(loc, "ptxas: %s", message);
}

/// Reports the line if it is a complaint; true if it is an error.
static bool readComplaint(const char *line, MlirLocation loc, unsigned errorsBefore) {
  const char *error = afterWord(line, "error"), *fatal = afterWord(line, "fatal");
  const char *warning = afterWord(line, "warning"), *info = afterWord(line, "info");
  bool lostPerformance = info && strncmp(info, "(C", 2) == 0;
  if (error)
    reportError(line, error, loc);
  else if (fatal && errorsBefore == 0) // "aborted due to errors" adds nothing to the errors
    reportError(line, fatal, loc);
  else if (warning || lostPerformance)
    tileEmitWarning(loc, "ptxas: %s", warning ? warning : info);
  return error || fatal;
}

unsigned tilePtxasReadLog(const char *log, MlirLocation loc, TileEmission *emission) {
  unsigned errors = 0;
  while (*log) {
    size_t length = strcspn(log, "\n");
    char *line = strndup(log, length);
    if (!line)
      break;
    if (strncmp(line, "ptxas", 5) == 0)
      errors += readComplaint(line, loc, errors);
    readUsage(line, emission);
    free(line);
    log += length + (log[length] == '\n');
  }
  return errors;
}

/// Whether the text of a kernel, up to the next one, has products of warp groups.
static bool hasWarpGroupProducts(const char *ptx, const char *kernel) {
  static const char mark[] = ".entry ";
  const size_t length = strlen(kernel);
  for (const char *entry = strstr(ptx, mark), *next; entry; entry = next) {
    const char *name = entry + sizeof mark - 1, *product = strstr(name, "wgmma.mma_async");
    next = strstr(name, mark);
    if (!strncmp(name, kernel, length) && name[length] == '(')
      return product && (!next || product < next);
  }
  return false;
}

void tilePtxasNoteSpills(const char *ptx, TileEmission *emission) {
  for (size_t i = 0; i < emission->numKernels; ++i) {
    TileKernelUsage *kernel = &emission->kernels[i];
    kernel->spillsBesideGroups = kernel->spillBytes > 0 && hasWarpGroupProducts(ptx, kernel->name);
  }
}
