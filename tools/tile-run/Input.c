/* Input.c - the kernel's file: text or a compiled binary, told apart by content, and the binary's manifest.
 */
#include "TileRun.h"
#include "tile-c/File.h"
#include <stdlib.h>
#include <string.h>

RunStatus runInputRead(const char *path, RunInput *out_input) {
  *out_input = (RunInput){.path = path};
  TileError error;
  if (tileFileRead(path, &out_input->data, &out_input->size, &error))
    return runFailure(RunStatus_Failed, "%s: %s", path, error.text);
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
  char *path = tileManifestPathFor(input->path), *text = NULL;
  RunStatus status = RunStatus_Ok;
  TileError error;
  if (!path)
    status = runFailure(RunStatus_Failed, "out of memory");
  else if (tileFileRead(path, &text, &size, &error))
    status = runFailure(RunStatus_Failed, "%s: the binary's manifest: %s", path, error.text);
  else if (tileManifestParse(text, size, out_manifest, &error))
    status = runFailure(RunStatus_Failed, "%s: %s", path, error.text);
  else if (!out_manifest->target)
    status = runFailure(RunStatus_Failed, "%s: manifest: target: got null, expected the binary's chip", path);
  free(text);
  free(path);
  return status;
}
