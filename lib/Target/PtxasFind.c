/* PtxasFind.c - where ptxas is. */
#include "Ptxas.h"
#include "tile-c/IR.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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
