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
#include <stdio.h>
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
  return begin == at ? -1 : atoi(begin);
}

static void readUsage(const char *line, TileEmission *emission) {
  char name[256];
  const char *entry = strstr(line, "Compiling entry function '");
  if (entry && sscanf(entry, "Compiling entry function '%255[^']'", name) == 1) {
    tileUsageAdd(emission, name, strlen(name));
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

/// Reports the line if it is a complaint; true if it is an error.
static bool readComplaint(const char *line, MlirLocation loc, unsigned errorsBefore) {
  int ptxLine = 0;
  const char *at = strstr(line, ", line ");
  if (at)
    sscanf(at, ", line %d", &ptxLine);
  const char *message;
  if ((message = afterWord(line, "error"))) {
    if (ptxLine)
      tileEmitError(loc, "ptxas refused line %d of the PTX: %s", ptxLine, message);
    else
      tileEmitError(loc, "ptxas: %s", message);
    return true;
  }
  if ((message = afterWord(line, "fatal"))) {
    // "aborted due to errors" adds nothing to the errors.
    if (!errorsBefore)
      tileEmitError(loc, "ptxas: %s", message);
    return true;
  }
  if ((message = afterWord(line, "warning")))
    tileEmitWarning(loc, "ptxas: %s", message);
  else if ((message = afterWord(line, "info")) && strncmp(message, "(C", 2) == 0)
    tileEmitWarning(loc, "ptxas: %s", message);
  return false;
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
