/* HipApi.h - the part of the HIP run-time API that is used, declared here so that no ROCm is needed to build.
 *
 * Names, values and layouts are those of the HIP API reference (hip_runtime_api.h of ROCm 5.2 to 7). */
#ifndef TILE_RUNTIME_HIPAPI_H
#define TILE_RUNTIME_HIPAPI_H
#include <stddef.h>
#include <stdint.h>

typedef int hipError_t;
typedef void *hipModule_t, *hipFunction_t, *hipStream_t, *hipEvent_t;

enum {
  hipSuccess = 0,
  hipErrorOutOfMemory = 2,
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorNoBinaryForGpu = 209,
  hipErrorNotFound = 500,
  hipErrorIllegalAddress = 700, // the first of the errors of a kernel
  hipErrorLaunchFailure = 719,  // and the last

  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
};

/// Start of hipDeviceProp_tR0600 (ROCm 6 and newer); the chip's name stands further on, found by search.
typedef struct HipDeviceProp6 {
  char name[256], uuid[16], luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int deviceOverlap, multiProcessorCount;
} HipDeviceProp6;

/// Start of hipDeviceProp_t before ROCm 6.
typedef struct HipDeviceProp5 {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int clockRate, memoryClockRate, memoryBusWidth;
  size_t totalConstMem;
  int major, minor, multiProcessorCount;
} HipDeviceProp5;

/// Room for either struct in full (1472 and 792 bytes) and for what later versions add.
typedef union HipDeviceProp {
  HipDeviceProp6 version6;
  HipDeviceProp5 version5;
  char bytes[8192];
} HipDeviceProp;

typedef struct HipApi {
  hipError_t (*init)(unsigned flags);
  const char *(*getErrorName)(hipError_t error);
  const char *(*getErrorString)(hipError_t error);
  hipError_t (*getDeviceCount)(int *count);
  hipError_t (*setDevice)(int device);
  hipError_t (*deviceGetName)(char *name, int length, int device);
  hipError_t (*getDeviceProperties6)(HipDeviceProp *properties, int device);
  hipError_t (*getDeviceProperties5)(HipDeviceProp *properties, int device);
  hipError_t (*malloc)(void **address, size_t bytes);
  hipError_t (*free)(void *address);
  hipError_t (*memcpy)(void *to, const void *from, size_t bytes, int kind);
  hipError_t (*memsetAsync)(void *address, int byte, size_t bytes, hipStream_t stream);
  hipError_t (*deviceSynchronize)(void);
  hipError_t (*moduleLoadData)(hipModule_t *module, const void *image);
  hipError_t (*moduleUnload)(hipModule_t module);
  hipError_t (*moduleGetFunction)(hipFunction_t *function, hipModule_t module, const char *name);
  hipError_t (*moduleLaunchKernel)(hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                   hipStream_t stream, void **params, void **extra);
  hipError_t (*eventCreate)(hipEvent_t *event);
  hipError_t (*eventDestroy)(hipEvent_t event);
  hipError_t (*eventRecord)(hipEvent_t event, hipStream_t stream);
  hipError_t (*eventSynchronize)(hipEvent_t event);
  hipError_t (*eventElapsedTime)(float *milliseconds, hipEvent_t start, hipEvent_t stop);
} HipApi;

#endif
