/* FakeCuda.c - a stand-in for libcuda.so.1: the calls that libtile_rt makes, on FakeDevice.h's device. */
#define _POSIX_C_SOURCE 200809L
#include "FakeDevice.h"

typedef int CUresult;
typedef uint64_t CUdeviceptr;

enum {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  NoBinary = 209,
  InvalidPtx = 218,
  NotFound = 500,
  IllegalAddress = 700
};

typedef struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void *stream;
  struct {
    int id;
    char pad[4];
    union {
      char pad[64];
      unsigned cluster[3];
    } value;
  } *attributes;
  unsigned numAttributes;
} LaunchConfig;

static int deviceCount(void) { return atoi(fakeSetting("FAKE_DEVICES", "1")); }

CUresult cuInit(unsigned flags) { return deviceCount() ? Success : NoDevice; }

CUresult cuGetErrorName(CUresult error, const char **text) {
  *text = error == OutOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == NoDevice       ? "CUDA_ERROR_NO_DEVICE"
          : error == NoBinary       ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : error == InvalidPtx     ? "CUDA_ERROR_INVALID_PTX"
          : error == NotFound       ? "CUDA_ERROR_NOT_FOUND"
          : error == IllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                    : "CUDA_ERROR_INVALID_VALUE";
  return Success;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  *text = error == IllegalAddress ? "an illegal memory access was encountered" : "a stand-in's text";
  return Success;
}

CUresult cuDeviceGetCount(int *count) { return *count = deviceCount(), Success; }
CUresult cuDeviceGet(int *device, int ordinal) { return *device = ordinal, Success; }
CUresult cuDeviceGetName(char *name, int length, int device) {
  return snprintf(name, (size_t)length, "Fake %s", fakeSetting("FAKE_CHIP", "9.0")), Success;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
  int major = 9, minor = 0;
  sscanf(fakeSetting("FAKE_CHIP", "9.0"), "%d.%d", &major, &minor);
  *value = attribute == 16   ? 132
           : attribute == 75 ? major
           : attribute == 76 ? minor
           : attribute == 97 ? 232448
                             : 0;
  return Success;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = 1 << 30, Success; }
CUresult cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &fakeUsed, Success; }
CUresult cuDevicePrimaryCtxRelease_v2(int device) { return Success; }
CUresult cuCtxSetCurrent(void *context) { return Success; }
CUresult cuCtxSynchronize(void) { return fakeFaulted ? IllegalAddress : Success; }

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  void *memory = fakeAllocate(size);
  *address = (CUdeviceptr)(uintptr_t)memory;
  return memory ? Success : OutOfMemory;
}

CUresult cuMemFree_v2(CUdeviceptr address) { return fakeFree((void *)(uintptr_t)address), Success; }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  return memcpy((void *)(uintptr_t)to, from, size), Success;
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) {
  return memcpy(to, (const void *)(uintptr_t)from, size), cuCtxSynchronize();
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char byte, size_t size, void *stream) {
  return memset((void *)(uintptr_t)address, byte, size), Success;
}

/// A module is a copy of its image. PTX with the word `syntax_error` does not load.
CUresult cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
  if (strstr(image, "syntax_error")) {
    strcpy(values[0], "ptxas application ptx input, line 9; fatal : Parsing error\nmore");
    return InvalidPtx;
  }
  return *module = strdup(image), Success;
}
CUresult cuModuleUnload(void *module) { return free(module), Success; }

CUresult cuModuleGetFunction(void **function, void *module, const char *name) {
  const FakeKernel kernel = fakeFind(module, name);
  *function = (void *)(uintptr_t)kernel;
  return kernel ? Success : NotFound;
}

CUresult cuFuncSetAttribute(void *function, int attribute, int value) {
  if (getenv("FAKE_LOG"))
    fprintf(stderr, "fake: attribute %d is %d\n", attribute, value);
  return Success;
}

CUresult cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned shared, void *stream, void **params,
                        void **extra) {
  const unsigned grid[3] = {gridX, gridY, gridZ}, one[3] = {1, 1, 1};
  if (blockX > 1024)
    return InvalidValue;
  return fakeLaunch((FakeKernel)(uintptr_t)function, grid, blockX, shared, one, params), Success;
}

CUresult cuLaunchKernelEx(const LaunchConfig *config, void *function, void **params, void **extra) {
  if (config->numAttributes != 1 || config->attributes[0].id != 4)
    return InvalidValue;
  return fakeLaunch((FakeKernel)(uintptr_t)function, config->grid, config->block[0], config->shared,
                    config->attributes[0].value.cluster, params),
         Success;
}

CUresult cuEventCreate(void **event, unsigned flags) { return *event = malloc(1), Success; }
CUresult cuEventDestroy_v2(void *event) { return free(event), Success; }
CUresult cuEventRecord(void *event, void *stream) { return Success; }
CUresult cuEventSynchronize(void *event) { return cuCtxSynchronize(); }
CUresult cuEventElapsedTime(float *milliseconds, void *start, void *stop) {
  return *milliseconds = 2, Success;
}
