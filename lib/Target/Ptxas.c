/* Ptxas.c - runs ptxas, the one process that the compiler starts.
 *
 * PTX, cubin and messages live in memory files (memfd_create) that ptxas opens through /proc, so no temporary
 * file can be left behind, however the run ends.
 *
 * ptxas fills tables for half of the time that a small kernel takes, before it opens its input, and nothing of
 * that depends on the input. So it may be started before there is PTX. What it opens is then the end of a pipe,
 * on which it waits. It reads its input a second time at the end, and a pipe can be read once only: when the PTX
 * is there and has been written to the pipe, the descriptor that ptxas's path names becomes a memory file. */
#include "Ptxas.h"
#include "tile-c/IR.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct TilePtxas {
  char *program;
  int error;     ///< why it could not be started, or 0
  pid_t process; ///< 0: none, or it has been waited for
  int input;     ///< what the path of its input names
  int gate;      ///< it waits until this end of the pipe is closed; -1: it does not wait
  int cubin, log;
};

// ---- Files ----

static void closeFile(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static bool writeAll(int fd, const char *data, size_t size) {
  while (size) {
    ssize_t written = write(fd, data, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    data += written;
    size -= (size_t)written;
  }
  return true;
}

/// Everything in a file, malloc'ed, with a terminating zero; NULL on failure.
static char *readAll(int fd, size_t *out_size) {
  off_t end = lseek(fd, 0, SEEK_END);
  char *data = end < 0 ? NULL : malloc((size_t)end + 1);
  size_t size = 0;
  while (data && size < (size_t)end) {
    ssize_t got = pread(fd, data + size, (size_t)end - size, (off_t)size);
    if (got <= 0)
      break;
    size += (size_t)got;
  }
  if (data)
    data[size] = 0;
  *out_size = size;
  return data;
}

/// A memory file with this text, or -1.
static int fileWith(const char *text, size_t size) {
  int fd = memfd_create("tile.ptx", MFD_CLOEXEC);
  if (fd >= 0 && !writeAll(fd, text, size))
    closeFile(&fd);
  return fd;
}

/// `ptx` may be NULL: it comes later, through the gate.
static bool openFiles(TilePtxas *p, const char *ptx, size_t size) {
  int ends[2] = {-1, -1};
  if (ptx)
    p->input = fileWith(ptx, size);
  else if (pipe2(ends, O_CLOEXEC) == 0)
    p->input = ends[0];
  p->gate = ends[1];
  p->cubin = memfd_create("tile.cubin", MFD_CLOEXEC);
  p->log = memfd_create("tile.log", MFD_CLOEXEC);
  return p->input >= 0 && p->cubin >= 0 && p->log >= 0;
}

// ---- Starting ----

/// The environment, and for glibc's allocator: memory in large pieces with huge pages, which saves a quarter of the
/// processor time for a small kernel. malloc'ed; what the user says goes first.
static char **environmentFor(void) {
  static char tunables[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216:"
                           "glibc.malloc.mmap_threshold=33554432";
  size_t count = 0;
  while (environ[count])
    ++count;
  char **all = malloc((count + 2) * sizeof *all);
  if (!all)
    return NULL;
  memcpy(all, environ, count * sizeof *all);
  if (!getenv("GLIBC_TUNABLES"))
    all[count++] = tunables;
  all[count] = NULL;
  return all;
}

static int spawn(TilePtxas *p, char *const *argv) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, p->log, 1);
  posix_spawn_file_actions_adddup2(&actions, p->log, 2);
  char **environment = environmentFor();
  int error = posix_spawn(&p->process, p->program, &actions, NULL, argv, environment ? environment : environ);
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  if (error)
    p->process = 0;
  return error;
}

static int startProgram(TilePtxas *p, const TileEmissionOptions *options) {
  char arch[32], level[8], input[40], cubin[40];
  snprintf(arch, sizeof arch, "-arch=%s", options->target->chip);
  // Level 3 gives the same code as 2 but for long loops that are short of registers, where it takes half as long again
  // for more instructions and more spilling (719 texts for sm_80 and sm_90a, CUDA 13.0: 34 differ, all loops of products).
  int highest = options->optLevel & 3;
  snprintf(level, sizeof level, "-O%d", highest < 2 ? highest : 2);
  // By process number, not /proc/self: a wrapper script around ptxas need not hand our descriptors down.
  snprintf(input, sizeof input, "/proc/%d/fd/%d", (int)getpid(), p->input);
  snprintf(cubin, sizeof cubin, "/proc/%d/fd/%d", (int)getpid(), p->cubin);
  // Multiplications and additions stay apart: contraction is decided in our IR.
  const char *argv[12] = {p->program, arch, level, "--verbose", "--fmad=false", input, "-o", cubin};
  if (options->lineTables)
    argv[8] = "--generate-line-info";
  return spawn(p, (char *const *)argv);
}

/// Takes `program`. NULL if there is no memory for its files.
static TilePtxas *start(char *program, const TileEmissionOptions *options, const char *ptx, size_t size) {
  TilePtxas *p = malloc(sizeof *p);
  if (!p) {
    free(program);
    return NULL;
  }
  *p = (TilePtxas){.program = program, .input = -1, .gate = -1, .cubin = -1, .log = -1};
  if (openFiles(p, ptx, size)) {
    p->error = startProgram(p, options);
    return p;
  }
  tilePtxasEnd(p);
  return NULL;
}

TilePtxas *tilePtxasStart(const TileEmissionOptions *options) {
  char *program = tilePtxasFind(options->ptxas);
  return program ? start(program, options, NULL, 0) : NULL;
}

void tilePtxasEnd(TilePtxas *p) {
  if (!p)
    return;
  if (p->process) {
    kill(p->process, SIGKILL);
    while (waitpid(p->process, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  closeFile(&p->gate);
  closeFile(&p->input);
  closeFile(&p->cubin);
  closeFile(&p->log);
  free(p->program);
  free(p);
}

// ---- Giving it the text, and taking what it made ----

/// Lets a program go on that has been started without its text. False if the text is too long for a pipe.
static bool feed(TilePtxas *p, const char *ptx, size_t size) {
  if (size > INT_MAX || p->error)
    return false;
  fcntl(p->gate, F_SETPIPE_SZ, (int)size); // what is there already may do
  fcntl(p->gate, F_SETFL, O_NONBLOCK);
  int text = fileWith(ptx, size);
  // The file takes the place of the pipe before ptxas can see the pipe's end.
  bool done = text >= 0 && write(p->gate, ptx, size) == (ssize_t)size && dup3(text, p->input, O_CLOEXEC) >= 0;
  closeFile(&text);
  closeFile(&p->gate);
  return done;
}

static MlirLogicalResult finish(TilePtxas *p, MlirLocation loc, TileEmission *emission) {
  int status = 0;
  while (!p->error && waitpid(p->process, &status, 0) < 0)
    if (errno != EINTR)
      p->error = errno;
  p->process = 0;
  if (p->error)
    return tileEmitError(loc, "cannot run %s: %s", p->program, strerror(p->error));
  size_t logSize;
  char *log = readAll(p->log, &logSize);
  unsigned errors = log ? tilePtxasReadLog(log, loc, emission) : 0;
  free(log);
  if (WIFSIGNALED(status))
    return tileEmitError(loc, "%s was ended by signal %d", p->program, WTERMSIG(status));
  if (WEXITSTATUS(status) != 0 && errors == 0)
    return tileEmitError(loc, "%s failed with exit status %d and no message", p->program,
                         WEXITSTATUS(status));
  if (errors || WEXITSTATUS(status) != 0)
    return tileFailure();
  emission->data = readAll(p->cubin, &emission->size);
  if (!emission->data || emission->size == 0)
    return tileEmitError(loc, "%s wrote no cubin", p->program);
  return tileSuccess();
}

static MlirLogicalResult assemble(const char *ptx, size_t size, TilePtxas *started,
                                  const TileEmissionOptions *options, MlirLocation loc,
                                  TileEmission *out_emission) {
  if (started && feed(started, ptx, size))
    return finish(started, loc, out_emission);
  char *program = tilePtxasFind(options->ptxas);
  if (!program && options->ptxas)
    return tileEmitError(loc, "there is no program '%s': --ptxas needs the path of ptxas", options->ptxas);
  if (!program)
    return tileEmitError(loc, "a cubin needs ptxas, which is neither in PATH nor in $CUDA_HOME/bin, "
                              "/usr/local/cuda/bin or the build folder; give --ptxas=PATH, or emit ptx");
  TilePtxas *p = start(program, options, ptx, size);
  if (!p)
    return tileEmitError(loc, "no memory for the files of ptxas: %s", strerror(errno));
  MlirLogicalResult result = finish(p, loc, out_emission);
  tilePtxasEnd(p);
  return result;
}

// ---- More blocks, if nothing is spilled for them ----

static const char asked[] = ".minnctapersm ";

/// The text with one block asked for where several were, malloc'ed; NULL if there were nowhere several.
static char *withOneBlock(const char *ptx) {
  char *text = strdup(ptx);
  bool found = false;
  for (char *at = text ? strstr(text, asked) : NULL; at; at = strstr(at, asked)) {
    at += sizeof asked - 1;
    found |= strtol(at, NULL, 10) > 1;
    for (bool first = true; *at >= '0' && *at <= '9'; ++at, first = false)
      *at = first ? '1' : ' ';
  }
  if (found)
    return text;
  free(text);
  return NULL;
}

static bool spills(const TileEmission *emission) {
  enum { FEW_BYTES = 32 };
  for (size_t i = 0; i < emission->numKernels; ++i)
    if (emission->kernels[i].spillBytes > FEW_BYTES)
      return true;
  return false;
}

MlirLogicalResult tilePtxasRun(const char *ptx, size_t size, const TileEmissionOptions *options,
                               MlirLocation loc, TileEmission *out_emission) {
  TILE_TRY(assemble(ptx, size, options->started, options, loc, out_emission));
  char *text = spills(out_emission) ? withOneBlock(ptx) : NULL;
  if (text) {
    tileEmissionRelease(out_emission);
    *out_emission = (TileEmission){0};
    MlirLogicalResult result = assemble(text, size, NULL, options, loc, out_emission);
    free(text);
    TILE_TRY(result);
  }
  tilePtxasNoteSpills(ptx, out_emission);
  return tileSuccess();
}
