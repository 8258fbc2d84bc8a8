/* FatalError.c - the last words of a program in which LLVM gave up: which kernel, and why.
 *
 * LLVM calls one handler per process and ends the process when it returns, so there is no way back: the
 * handler prints and exits. Nothing has to be removed: emission keeps its intermediate files in memory. */
#include "LLVMModule.h"
#include "llvm-c/ErrorHandling.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The two variables that outlive a call: LLVM gives its handler no user pointer.
static _Thread_local const char *currentKernels;
static const char *program = "tile";

void tileFatalErrorSetKernels(const char *kernels) { currentKernels = kernels; }

static void onFatalError(const char *reason) {
  fflush(stdout);
  int length = (int)strcspn(reason, "\n"); // a dump of the selection graph may follow
  if (currentKernels)
    fprintf(stderr, "%s: error: LLVM cannot compile kernel %s: %.*s\n", program, currentKernels, length,
            reason);
  else
    fprintf(stderr, "%s: error: %.*s\n", program, length, reason);
  fflush(stderr);
  _exit(1);
}

void tileInstallFatalErrorHandler(const char *programName) {
  program = programName;
  LLVMInstallFatalErrorHandler(onFatalError);
}
