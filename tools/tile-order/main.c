/* tile-order - which functions a program calls, in the order of their first calls, for the linker to put together.
 *
 * usage: tile-order PROGRAM OUT -- ARGUMENT ... [-- ARGUMENT ...]
 * Runs PROGRAM once with each list of arguments. Every function starts with a breakpoint that is taken away when
 * it is met, so a run takes little longer than without. The pages of a program are mapped when they are first
 * touched: of 50 MB of code a run executes 5 scattered MB, and finding them is a quarter of the time that a small
 * kernel takes. Where a program may not be traced, OUT is empty: its functions stay where they are. Exit status 2:
 * usage. */
#include "Symbols.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BREAKPOINT = 0xCC };

typedef struct Trace {
  Symbols symbols;
  FILE *out;
  int memory; ///< /proc/PID/mem of the traced process
  pid_t process;
} Trace;

static pid_t start(const char *program, char **arguments) {
  pid_t child = fork();
  if (child != 0)
    return child;
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 1);
  dup2(null, 2);
  if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
    execv(program, arguments);
  _exit(127);
}

/// Breakpoints at all functions that have not been called yet: neighbouring bytes are written together.
static bool plant(Trace *trace) {
  for (size_t i = 0; i < trace->symbols.count; ++i) {
    static const unsigned char breakpoint = BREAKPOINT;
    const Function *f = &trace->symbols.functions[i];
    if (!f->called && pwrite(trace->memory, &breakpoint, 1, (off_t)f->address) != 1)
      return false;
  }
  return true;
}

/// The thread has run into a breakpoint: notes the function and lets the thread go on where it was. False if there
/// is none of ours. Several threads may run into the same one before it is taken away.
static bool meet(Trace *trace, pid_t thread) {
  struct user_regs_struct registers;
  if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0)
    return false;
  Function *f = symbolsFind(&trace->symbols, registers.rip - 1);
  if (!f)
    return false;
  if (!f->called)
    fprintf(trace->out, "%s\n", f->name);
  f->called = true;
  registers.rip = f->address;
  return pwrite(trace->memory, &f->first, 1, (off_t)f->address) == 1 &&
         ptrace(PTRACE_SETREGS, thread, NULL, &registers) == 0;
}

/// Follows the process and its threads to their end. False if it did not end well.
static bool follow(Trace *trace) {
  int status = 0;
  pid_t thread;
  while ((thread = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
    if (thread <= 0)
      continue;
    if (!WIFSTOPPED(status)) {
      if (thread == trace->process)
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
      continue;
    }
    int signal = WSTOPSIG(status);
    // Events, and the stop that a new thread starts with, are for us; so are breakpoints.
    if (status >> 16 || signal == SIGSTOP || (signal == SIGTRAP && meet(trace, thread)))
      signal = 0;
    ptrace(PTRACE_CONT, thread, NULL, (void *)(long)signal);
  }
  return false;
}

static bool traceRun(Trace *trace, const char *program, char **arguments) {
  char path[64];
  int status = 0;
  trace->process = start(program, arguments);
  if (trace->process < 0 || waitpid(trace->process, &status, 0) < 0 || !WIFSTOPPED(status))
    return false;
  snprintf(path, sizeof path, "/proc/%d/mem", (int)trace->process);
  trace->memory = open(path, O_RDWR | O_CLOEXEC);
  ptrace(PTRACE_SETOPTIONS, trace->process, NULL, (void *)(long)(PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL));
  bool done = trace->memory >= 0 && plant(trace) && ptrace(PTRACE_CONT, trace->process, NULL, NULL) == 0 &&
              follow(trace);
  if (!done)
    kill(trace->process, SIGKILL);
  if (trace->memory >= 0)
    close(trace->memory);
  return done;
}

/// One run for each "--" and the arguments behind it, whose place the program's name takes.
static bool traceAll(Trace *trace, char *program, char **arguments, int count) {
  for (int first = 0, next; first < count; first = next) {
    for (next = first + 1; next < count && strcmp(arguments[next], "--") != 0;)
      ++next;
    char *separator = arguments[next];
    arguments[first] = program;
    arguments[next] = NULL;
    if (!traceRun(trace, program, arguments + first))
      return false;
    arguments[next] = separator;
  }
  return true;
}

int main(int argc, char **argv) {
  if (argc < 4 || strcmp(argv[3], "--") != 0) {
    fprintf(stderr, "usage: tile-order PROGRAM OUT -- ARGUMENT ... [-- ARGUMENT ...]\n");
    return 2;
  }
  Trace trace = {.out = fopen(argv[2], "w")};
  if (!trace.out) {
    fprintf(stderr, "tile-order: cannot write %s: %s\n", argv[2], strerror(errno));
    return 1;
  }
  if (!symbolsLoad(argv[1], &trace.symbols))
    return 1;
  if (!traceAll(&trace, argv[1], argv + 3, argc - 3)) {
    fprintf(stderr, "tile-order: %s cannot be traced here; its functions stay where they are\n", argv[1]);
    rewind(trace.out);
    if (ftruncate(fileno(trace.out), 0) != 0)
      return 1;
  }
  symbolsRelease(&trace.symbols);
  return fclose(trace.out) != 0;
}
