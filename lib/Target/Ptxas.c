/* Ptxas.c - finds and runs ptxas, the one process that the compiler starts.
 *
 * PTX, cubin and messages live in memory files (memfd_create) that ptxas opens through /proc, so no temporary
 * file can be left behind, however the run ends. */
#include "Ptxas.h"
#include "tile-c/IR.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---- Where it is ----

static bool isProgram(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/// dir/name, malloc'ed, if that is a program.
static char *programIn(const char *dir, size_t length, const char *name) {
  char *path = NULL;
  if (length == 0 || asprintf(&path, "%.*s/%s", (int)length, dir, name) < 0)
    return NULL;
  if (isProgram(path))
    return path;
  free(path);
  return NULL;
}

static char *searchPath(const char *name) {
  const char *dirs = getenv("PATH");
  while (dirs && *dirs) {
    size_t length = strcspn(dirs, ":");
    char *found = programIn(dirs, length, name);
    if (found)
      return found;
    dirs += length + (dirs[length] == ':');
  }
  return NULL;
}

/// The scripts unpack the wheel nvidia-cuda-nvcc into <build>/ptxas; this library lies in <build>/lib, a
/// program that it is linked into in <build>/bin.
static char *searchBuildFolder(void) {
  static const char *const places[] = {"../ptxas/nvidia/cu13/bin/ptxas",
                                       "../ptxas/nvidia/cuda_nvcc/bin/ptxas", "../ptxas/bin/ptxas"};
  Dl_info info;
  char library[PATH_MAX];
  if (!dladdr(__extension__(void *) tilePtxasFind, &info))
    return NULL;
  /* Linked into a program, the name is what the program was called by, which may have been found in PATH. */
  if (!realpath(strchr(info.dli_fname, '/') ? info.dli_fname : "/proc/self/exe", library))
    return NULL;
  const char *slash = strrchr(library, '/');
  for (size_t i = 0; i < TILE_COUNTOF(places); ++i) {
    char *found = programIn(library, (size_t)(slash - library), places[i]);
    if (found)
      return found;
  }
  return NULL;
}

char *tilePtxasFind(const char *given) {
  if (given && strchr(given, '/'))
    return isProgram(given) ? strdup(given) : NULL;
  if (given)
    return searchPath(given);
  char *found = searchPath("ptxas");
  const char *home = getenv("CUDA_HOME");
  if (!found && home)
    found = programIn(home, strlen(home), "bin/ptxas");
  if (!found)
    found = programIn("/usr/local/cuda/bin", strlen("/usr/local/cuda/bin"), "ptxas");
  return found ? found : searchBuildFolder();
}

// ---- Running it ----

typedef struct Files {
  int ptx, cubin, log;
  char ptxPath[40], cubinPath[40];
} Files;

static void closeFiles(const Files *files) {
  close(files->ptx);
  close(files->cubin);
  close(files->log);
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

static bool openFiles(Files *files, const char *ptx, size_t size) {
  files->ptx = memfd_create("tile.ptx", MFD_CLOEXEC);
  files->cubin = memfd_create("tile.cubin", MFD_CLOEXEC);
  files->log = memfd_create("tile.log", MFD_CLOEXEC);
  // By process number, not /proc/self: a wrapper script around ptxas need not hand our descriptors down.
  snprintf(files->ptxPath, sizeof files->ptxPath, "/proc/%d/fd/%d", (int)getpid(), files->ptx);
  snprintf(files->cubinPath, sizeof files->cubinPath, "/proc/%d/fd/%d", (int)getpid(), files->cubin);
  if (files->ptx >= 0 && files->cubin >= 0 && files->log >= 0 && writeAll(files->ptx, ptx, size))
    return true;
  closeFiles(files);
  return false;
}

/// Starts the program and waits. 0 and the wait status, or the error number of a failed start.
static int spawnAndWait(const char *program, char *const *argv, int log, int *out_status) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, log, 1);
  posix_spawn_file_actions_adddup2(&actions, log, 2);
  pid_t child;
  int error = posix_spawn(&child, program, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  while (!error && waitpid(child, out_status, 0) < 0)
    if (errno != EINTR)
      return errno;
  return error;
}

static int runProgram(const char *program, const Files *files, const TileEmissionOptions *options,
                      int *out_status) {
  char arch[32], level[8];
  snprintf(arch, sizeof arch, "-arch=%s", options->target->chip);
  snprintf(level, sizeof level, "-O%d", options->optLevel & 3);
  // Multiplications and additions stay apart: contraction is decided in our IR.
  const char *argv[12] = {program,        arch,           level, "--verbose",
                          "--fmad=false", files->ptxPath, "-o",  files->cubinPath};
  if (options->lineTables)
    argv[8] = "--generate-line-info";
  return spawnAndWait(program, (char *const *)argv, files->log, out_status);
}

static MlirLogicalResult finish(const char *program, const Files *files, int error, int status,
                                MlirLocation loc, TileEmission *emission) {
  if (error)
    return tileEmitError(loc, "cannot run %s: %s", program, strerror(error));
  size_t logSize;
  char *log = readAll(files->log, &logSize);
  unsigned errors = log ? tilePtxasReadLog(log, loc, emission) : 0;
  free(log);
  if (WIFSIGNALED(status))
    return tileEmitError(loc, "%s was ended by signal %d", program, WTERMSIG(status));
  if (WEXITSTATUS(status) != 0 && errors == 0)
    return tileEmitError(loc, "%s failed with exit status %d and no message", program, WEXITSTATUS(status));
  if (errors || WEXITSTATUS(status) != 0)
    return tileFailure();
  emission->data = readAll(files->cubin, &emission->size);
  if (!emission->data || emission->size == 0)
    return tileEmitError(loc, "%s wrote no cubin", program);
  return tileSuccess();
}

MlirLogicalResult tilePtxasRun(const char *ptx, size_t size, const TileEmissionOptions *options,
                               MlirLocation loc, TileEmission *out_emission) {
  char *program = tilePtxasFind(options->ptxas);
  if (!program && options->ptxas)
    return tileEmitError(loc, "there is no program '%s': --ptxas needs the path of ptxas", options->ptxas);
  if (!program)
    return tileEmitError(loc, "a cubin needs ptxas, which is neither in PATH nor in $CUDA_HOME/bin, "
                              "/usr/local/cuda/bin or the build folder; give --ptxas=PATH, or emit ptx");
  Files files;
  MlirLogicalResult result;
  if (openFiles(&files, ptx, size)) {
    int status = 0;
    int error = runProgram(program, &files, options, &status);
    result = finish(program, &files, error, status, loc, out_emission);
    closeFiles(&files);
  } else {
    result = tileEmitError(loc, "no memory for the files of ptxas: %s", strerror(errno));
  }
  free(program);
  return result;
}
