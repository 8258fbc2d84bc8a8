/* Runtime.h - libtile_rt: load, launch and time compiled kernels on NVIDIA and AMD devices.
 *
 * Plain C with no LLVM behind it and no link-time dependence on a driver: libcuda.so.1 or libamdhip64.so is
 * opened with dlopen by tileDeviceOpen. No global state: any number of devices may be open, and each may be
 * used by one thread at a time. A call makes the device's primary context (CUDA) or the device (HIP) current
 * in the calling thread.
 *
 *   tileDeviceOpen -> tileModuleLoad -> tileModuleGetKernel -> tileKernelLaunch -> tileDeviceSynchronize
 *
 * Manifest.h has the launch contract, HostArray.h the arrays on the host, Error.h the errors. */
#ifndef TILE_C_RUNTIME_H
#define TILE_C_RUNTIME_H
#include "tile-c/Error.h"
#include "tile-c/HostArray.h"
#include "tile-c/Manifest.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Binaries ----

typedef enum TileBinaryKind {
  TileBinary_Unknown,
  TileBinary_Cubin, ///< ELF for NVIDIA
  TileBinary_PTX,   ///< text whose first directive is .version
  TileBinary_HSACO  ///< ELF for AMD
} TileBinaryKind;

/// Tells by content what `size` bytes are.
TileBinaryKind tileBinaryKindOf(const void *data, size_t size);
const char *tileBinaryKindName(TileBinaryKind kind); ///< "cubin", "PTX", "hsaco"; "unknown"

// ---- Devices ----

typedef enum TileDeviceKind { TileDevice_CUDA, TileDevice_HIP } TileDeviceKind;

typedef struct TileDeviceInfo {
  TileDeviceKind kind;
  int ordinal;
  char name[128];  ///< as the driver tells it
  char target[32]; ///< the chip to compile for: "sm_80", "sm_90a", "gfx942"; "" if the driver does not tell
  unsigned major, minor; ///< CUDA: compute capability
  unsigned processors;   ///< multiprocessors or compute units; 0 if the driver does not tell
  uint64_t memoryBytes;  ///< 0 if the driver does not tell
  uint32_t sharedBytes;  ///< CUDA: shared memory that a block can ask for
} TileDeviceInfo;

typedef struct TileDevice TileDevice;

/// Opens device number `ordinal` (from 0). The caller closes it, after everything made from it.
TileErrorCode tileDeviceOpen(TileDeviceKind kind, int ordinal, TileDevice **out_device, TileError *out_error);
void tileDeviceClose(TileDevice *device);
const TileDeviceInfo *tileDeviceGetInfo(const TileDevice *device);

/// Whether code for chip `target` runs on the device. Machine code runs on its major compute capability from
/// its minor on, PTX on its capability and every newer one, code for an 'a' chip and AMD code on that chip
/// alone (CUDA C++ Programming Guide, "Compute capabilities"; the AMDGPU part of LLVM's user guide).
TileErrorCode tileDeviceCheckTarget(const TileDeviceInfo *info, const char *target, TileBinaryKind kind,
                                    TileError *out_error);

// ---- Memory: addresses are the device's, sizes are bytes ----

typedef uint64_t TileDeviceAddress;

/// Zero bytes give address 0, as a null pointer argument.
TileErrorCode tileDeviceAllocate(TileDevice *device, size_t size, TileDeviceAddress *out_address,
                                 TileError *out_error);
void tileDeviceFree(TileDevice *device, TileDeviceAddress address);
TileErrorCode tileDeviceCopyIn(TileDevice *device, TileDeviceAddress to, const void *from, size_t size,
                               TileError *out_error);
TileErrorCode tileDeviceCopyOut(TileDevice *device, void *to, TileDeviceAddress from, size_t size,
                                TileError *out_error);
/// Sets every byte; ordered in `stream` (NULL: the default stream) without waiting.
TileErrorCode tileDeviceFill(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size,
                             void *stream, TileError *out_error);
/// Waits for all work; a kernel that faulted is reported here (TileError_LaunchFailed), and the device is
/// unusable after.
TileErrorCode tileDeviceSynchronize(TileDevice *device, TileError *out_error);

// ---- Modules and kernels ----

typedef struct TileModule TileModule;
typedef struct TileKernel TileKernel;

/// Loads a cubin, PTX or hsaco of `size` bytes; the bytes are not needed afterwards. `target` (may be NULL)
/// is the manifest's chip, checked against the device and, for an ELF, against the binary itself.
TileErrorCode tileModuleLoad(TileDevice *device, const void *data, size_t size, const char *target,
                             TileModule **out_module, TileError *out_error);
void tileModuleUnload(TileModule *module);

/// Finds the kernel and prepares it for its shared memory. `contract` must outlive the result, which the
/// module owns.
TileErrorCode tileModuleGetKernel(TileModule *module, const TileManifestKernel *contract,
                                  TileKernel **out_kernel, TileError *out_error);

/// The value of a descriptor parameter: a tensor in memory. Sizes (below 2^31) and strides count elements, the
/// outermost dimension comes first. The base and all strides but the last are multiples of 16 bytes, the last
/// stride is 1.
typedef struct TileTensor {
  TileDeviceAddress base;
  unsigned rank;
  int64_t shape[TILE_MAX_RANK], strides[TILE_MAX_RANK];
} TileTensor;

/// Strides of a tensor without gaps, from its shape.
void tileTensorPack(TileTensor *tensor);
/// Whether the parameter takes the tensor; the error says what is wrong with it.
TileErrorCode tileTensorCheck(const TileTensor *tensor, const TileManifestParam *param, TileError *out_error);

/// Launches a grid of `programs`, each at least 1, by the contract. arguments[i] points to the value of
/// parameter i: a TileDeviceAddress, a scalar of the parameter's type, or a TileTensor. Does not wait. `stream`: a CUstream
/// or hipStream_t, NULL for the default stream. Launches of a kernel with scratch memory share it, so keep
/// them in one stream.
TileErrorCode tileKernelLaunch(TileKernel *kernel, const uint32_t programs[3], void *const *arguments,
                               size_t numArguments, void *stream, TileError *out_error);

// ---- Timing ----

typedef struct TileTimer TileTimer; ///< a pair of events in a stream

TileErrorCode tileTimerCreate(TileDevice *device, TileTimer **out_timer, TileError *out_error);
void tileTimerDestroy(TileTimer *timer);
TileErrorCode tileTimerStart(TileTimer *timer, void *stream, TileError *out_error);
TileErrorCode tileTimerStop(TileTimer *timer, void *stream, TileError *out_error);
/// Waits for the stop event; milliseconds between the two.
TileErrorCode tileTimerElapsed(TileTimer *timer, double *out_milliseconds, TileError *out_error);

#ifdef __cplusplus
}
#endif
#endif
