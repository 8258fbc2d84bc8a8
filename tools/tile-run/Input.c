/* Input.c - the kernel's file: text or a compiled binary, told apart by content, and the binary's manifest.
 */
#include "TileRun.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_LIMIT = 1 << 30 }; // a device may have no end

/// All bytes of a file, with a zero after them. NULL with errno on failure.
static char *readAll(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t size = 0, capacity = 1 << 16;
  char *data = malloc(capacity + 1);
  while (data) {
    size += fread(data + size, 1, capacity - size, file);
    if (size < capacity)
      break;
    char *grown = capacity < INPUT_LIMIT ? realloc(data, 2 * capacity + 1) : NULL;
    if (!grown) {
      errno = capacity < INPUT_LIMIT ? ENOMEM : EFBIG;
      free(data);
    }
    data = grown;
    capacity *= 2;
  }
  if (data && ferror(file)) {
    free(data);
    data = NULL;
  }
  const int reason = errno;
  fclose(file);
  errno = reason;
  if (data)
    data[size] = 0;
  *out_size = size;
  return data;
}

RunStatus runInputRead(const char *path, RunInput *out_input) {
  *out_input = (RunInput){.path = path};
  out_input->data = readAll(path, &out_input->size);
  if (!out_input->data)
    return runFailure(RunStatus_Failed, "%s: cannot read: %s", path, strerror(errno));
  if (!out_input->size)
    return runFailure(RunStatus_Failed, "%s: the file is empty", path);
  out_input->kind = tileBinaryKindOf(out_input->data, out_input->size);
  if (out_input->kind == TileBinary_Unknown && memchr(out_input->data, 0, out_input->size))
    return runFailure(RunStatus_Failed, "%s: neither text nor a cubin, PTX or hsaco", path);
  return RunStatus_Ok;
}

void runInputRelease(RunInput *input) {
  free(input->data);
  *input = (RunInput){0};
}

RunStatus runInputReadManifest(const RunInput *input, TileManifest *out_manifest) {
  *out_manifest = (TileManifest){0};
  size_t size;
  char *path = tileManifestPathFor(input->path), *text = path ? readAll(path, &size) : NULL;
  RunStatus status = RunStatus_Ok;
  TileError error;
  if (!path)
    status = runFailure(RunStatus_Failed, "out of memory");
  else if (!text)
    status = runFailure(RunStatus_Failed, "%s: cannot read the binary's manifest: %s", path, strerror(errno));
  else if (tileManifestParse(text, size, out_manifest, &error))
    status = runFailure(RunStatus_Failed, "%s: %s", path, error.text);
  else if (!out_manifest->target)
    status = runFailure(RunStatus_Failed, "%s: manifest: target: got null, expected the binary's chip", path);
  free(text);
  free(path);
  return status;
}
