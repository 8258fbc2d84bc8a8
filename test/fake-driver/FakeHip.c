/* FakeHip.c - a stand-in for libamdhip64.so: the calls that libtile_rt makes, on FakeDevice.h's device. */
#define _POSIX_C_SOURCE 200809L
#include "FakeDevice.h"

typedef int hipError_t;

enum { Success = 0, OutOfMemory = 2, NoDevice = 100, NotFound = 500, IllegalAddress = 700 };

static int deviceCount(void) { return atoi(fakeSetting("FAKE_DEVICES", "1")); }

hipError_t hipInit(unsigned flags) { return Success; }

const char *hipGetErrorName(hipError_t error) {
  return error == OutOfMemory      ? "hipErrorOutOfMemory"
         : error == NoDevice       ? "hipErrorNoDevice"
         : error == NotFound       ? "hipErrorNotFound"
         : error == IllegalAddress ? "hipErrorIllegalAddress"
                                   : "hipErrorUnknown";
}

const char *hipGetErrorString(hipError_t error) { return "a stand-in's text"; }
hipError_t hipGetDeviceCount(int *count) {
  return *count = deviceCount(), deviceCount() ? Success : NoDevice;
}
hipError_t hipSetDevice(int device) { return Success; }
hipError_t hipDeviceGetName(char *name, int length, int device) {
  return snprintf(name, (size_t)length, "Fake Instinct"), Success;
}

/// ROCm 6's layout: the chip's name at byte 1160, compute units at 388.
hipError_t hipGetDevicePropertiesR0600(void *properties, int device) {
  const int units = 304;
  memset(properties, 0, 1472);
  snprintf((char *)properties + 1160, 256, "%s:sramecc+:xnack-", fakeSetting("FAKE_CHIP", "gfx942"));
  return memcpy((char *)properties + 388, &units, sizeof units), Success;
}

hipError_t hipMalloc(void **address, size_t size) {
  *address = fakeAllocate(size);
  return *address ? Success : OutOfMemory;
}
hipError_t hipFree(void *address) { return fakeFree(address), Success; }
hipError_t hipMemcpy(void *to, const void *from, size_t size, int kind) {
  return memcpy(to, from, size), Success;
}
hipError_t hipMemsetAsync(void *address, int byte, size_t size, void *stream) {
  return memset(address, byte, size), Success;
}
hipError_t hipDeviceSynchronize(void) { return fakeFaulted ? IllegalAddress : Success; }

/// An image is an ELF header of 64 bytes and the kernels' names after it.
hipError_t hipModuleLoadData(void **module, const void *image) {
  return *module = strdup((const char *)image + 64), Success;
}
hipError_t hipModuleUnload(void *module) { return free(module), Success; }

hipError_t hipModuleGetFunction(void **function, void *module, const char *name) {
  const FakeKernel kernel = fakeFind(module, name);
  *function = (void *)(uintptr_t)kernel;
  return kernel ? Success : NotFound;
}

hipError_t hipModuleLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                 unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                                 void *stream, void **params, void **extra) {
  const unsigned grid[3] = {gridX, gridY, gridZ}, one[3] = {1, 1, 1};
  return fakeLaunch((FakeKernel)(uintptr_t)function, grid, blockX, shared, one, params), Success;
}

hipError_t hipEventCreate(void **event) { return *event = malloc(1), Success; }
hipError_t hipEventDestroy(void *event) { return free(event), Success; }
hipError_t hipEventRecord(void *event, void *stream) { return Success; }
hipError_t hipEventSynchronize(void *event) { return hipDeviceSynchronize(); }
hipError_t hipEventElapsedTime(float *milliseconds, void *start, void *stop) {
  return *milliseconds = 2, Success;
}
