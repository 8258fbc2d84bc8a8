/* CodeObject.c - links an AMD object file into a code object (hsaco) with lld, in process and without files.
 *
 * lld reads the object from a memory file. It writes regular files by way of a temporary neighbour that it
 * renames, which a memory file cannot have, but a pipe it writes directly; a thread empties it. */
#include "Amdgpu.h"
#include "Lld.h"
#include "tile-c/IR.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct Reader {
  int fd;
  char *data;
  size_t size, capacity;
  bool failed;
} Reader;

/// Reads to the end of file; after a failure it goes on emptying the pipe, lest lld waits forever.
static void *readToEnd(void *argument) {
  Reader *reader = argument;
  char chunk[65536];
  ssize_t got;
  while ((got = read(reader->fd, chunk, sizeof chunk)) > 0 || (got < 0 && errno == EINTR)) {
    if (got <= 0 || reader->failed)
      continue;
    if (reader->size + (size_t)got + 1 > reader->capacity) {
      size_t capacity = 2 * (reader->capacity + (size_t)got);
      char *data = realloc(reader->data, capacity);
      reader->failed = !data;
      if (!data)
        continue;
      reader->data = data;
      reader->capacity = capacity;
    }
    memcpy(reader->data + reader->size, chunk, (size_t)got);
    reader->size += (size_t)got;
  }
  return NULL;
}

/// Reports the first error that lld printed: "ld.lld: error: undefined symbol: f".
static MlirLogicalResult reportLinkError(const char *text, MlirLocation loc) {
  static const char mark[] = "error: ";
  const char *error = text ? strstr(text, mark) : NULL;
  if (!error)
    return tileEmitError(loc, "lld failed: %s", text && *text ? text : "no message");
  error += sizeof mark - 1;
  return tileEmitError(loc, "lld cannot link the code object: %.*s", (int)strcspn(error, "\n"), error);
}

static MlirLogicalResult linkWithReader(int object, const int pipeEnds[2], MlirLocation loc, Reader *reader) {
  char input[32], output[32];
  snprintf(input, sizeof input, "/proc/self/fd/%d", object);
  snprintf(output, sizeof output, "/proc/self/fd/%d", pipeEnds[1]);
  reader->fd = pipeEnds[0];
  pthread_t thread;
  int error = pthread_create(&thread, NULL, readToEnd, reader);
  if (error) {
    close(pipeEnds[1]);
    return tileEmitError(loc, "cannot start a thread: %s", strerror(error));
  }
  const char *args[] = {"ld.lld",      "-m",     "elf64_amdgpu",     "-shared", "--no-undefined",
                        "--threads=1", "-mllvm", TILE_AMDGPU_SWITCH, input,     "-o",
                        output};
  char *text = NULL;
  bool linked = tileLldLink(args, TILE_COUNTOF(args), &text);
  close(pipeEnds[1]);
  pthread_join(thread, NULL);
  MlirLogicalResult result = tileSuccess();
  if (!linked)
    result = reportLinkError(text, loc);
  else if (reader->failed || reader->size == 0)
    result = tileEmitError(loc, "no memory for the code object");
  free(text);
  return result;
}

MlirLogicalResult tileAmdgpuLink(const char *object, size_t size, MlirLocation loc, char **out_data,
                                 size_t *out_size) {
  int pipeEnds[2];
  int file = memfd_create("tile.o", MFD_CLOEXEC);
  if (file < 0 || write(file, object, size) != (ssize_t)size || pipe2(pipeEnds, O_CLOEXEC) != 0) {
    int error = errno;
    if (file >= 0)
      close(file);
    return tileEmitError(loc, "no memory for the files of lld: %s", strerror(error));
  }
  Reader reader = {0};
  MlirLogicalResult result = linkWithReader(file, pipeEnds, loc, &reader);
  close(pipeEnds[0]);
  close(file);
  if (tileFailed(result)) {
    free(reader.data);
    return result;
  }
  reader.data[reader.size] = 0;
  *out_data = reader.data;
  *out_size = reader.size;
  return tileSuccess();
}
