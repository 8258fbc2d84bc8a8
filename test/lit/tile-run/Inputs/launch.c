/* launch.c - the shortest program that launches a compiled kernel: launch FILE, with FILE.json beside it. */
#include "tile-c/Runtime.h"
#include <stdio.h>
#include <stdlib.h>

static size_t readFile(const char *path, char *data, size_t capacity) {
  FILE *file = fopen(path, "rb");
  const size_t size = file ? fread(data, 1, capacity, file) : 0;
  if (file)
    fclose(file);
  return size;
}

int main(int argc, char **argv) {
  static char binary[1 << 20], json[1 << 16];
  const float x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
  float sum[3];
  int32_t n = 3;
  const uint32_t grid[3] = {1, 1, 1};
  TileDevice *device;
  TileManifest manifest;
  const TileManifestKernel *contract;
  TileModule *module;
  TileKernel *kernel;
  TileDeviceAddress addresses[3];
  void *arguments[4] = {&addresses[0], &addresses[1], &addresses[2], &n};
  TileError error;
  char *path = tileManifestPathFor(argc > 1 ? argv[1] : "");
  const size_t size = readFile(argc > 1 ? argv[1] : "", binary, sizeof binary);
  if (tileManifestParse(json, readFile(path, json, sizeof json), &manifest, &error) ||
      tileManifestFindKernel(&manifest, "add_kernel", &contract, &error) ||
      tileDeviceOpen(TileDevice_CUDA, 0, &device, &error) ||
      tileModuleLoad(device, binary, size, manifest.target, &module, &error) ||
      tileModuleGetKernel(module, contract, &kernel, &error) ||
      tileDeviceAllocate(device, sizeof x, &addresses[0], &error) ||
      tileDeviceAllocate(device, sizeof y, &addresses[1], &error) ||
      tileDeviceAllocate(device, sizeof sum, &addresses[2], &error) ||
      tileDeviceCopyIn(device, addresses[0], x, sizeof x, &error) ||
      tileDeviceCopyIn(device, addresses[1], y, sizeof y, &error) ||
      tileKernelLaunch(kernel, grid, arguments, 4, NULL, &error) ||
      tileDeviceCopyOut(device, sum, addresses[2], sizeof sum, &error)) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  printf("%g %g %g\n", sum[0], sum[1], sum[2]);
  for (int i = 0; i < 3; ++i)
    tileDeviceFree(device, addresses[i]);
  tileModuleUnload(module);
  tileDeviceClose(device);
  tileManifestRelease(&manifest);
  free(path);
  return 0;
}
