/* consumer.c - compiles a kernel with the installed library and names its manifest's chip. */
#include "tile-c/Compile.h"
#include "tile-c/Runtime.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  static const char text[] = "func.func @nothing() attributes {tile.kernel} {\n  return\n}\n";
  TileCompileOptions options;
  TileCompileResult result;
  TileManifest manifest;
  TileError error;
  tileCompileOptionsInit(&options);
  options.target = "gfx942";
  if (tileCompile(text, strlen(text), TileEmit_HSACO, &options, &result) ||
      tileManifestParse(result.manifest, result.manifestSize, &manifest, &error))
    return 1;
  printf("%s for %s\n", manifest.kernels[0].name, manifest.target);
  tileManifestRelease(&manifest);
  tileCompileResultRelease(&result);
  return 0;
}
