/* Driver.h - what a vendor's driver does for the run-time library: one table of functions a vendor.
 *
 * The functions return the driver's own result code, 0 for success; Device.c turns it into an error with a
 * text. */
#ifndef TILE_RUNTIME_DRIVER_H
#define TILE_RUNTIME_DRIVER_H
#include "tile-c/Runtime.h"

/// One launch as the driver sees it. Threads and clusters are what the manifest says, blocks what its rules
/// give.
typedef struct TileLaunchShape {
  uint32_t blocks[3];
  uint32_t threads; ///< a block, in x
  uint32_t dynamicShared;
  uint32_t cluster[3];
} TileLaunchShape;

/// A function of the driver library and where its address goes in the vendor's struct of function pointers.
typedef struct TileDriverSymbol {
  const char *name;
  size_t offset;
  bool optional; ///< left NULL where the library lacks it
} TileDriverSymbol;

/// Modules, functions and events are the driver's handles. makeCurrent has been called before every function
/// from `allocate` on.
typedef struct TileDriver {
  const char *vendor;
  const char *const *libraries; ///< names to open, the first that there is; NULL-terminated
  const TileDriverSymbol *symbols;
  size_t numSymbols;
  size_t stateBytes; ///< size of the vendor's state, which starts with its struct of function pointers

  int (*init)(TileDevice *device, int *out_count);
  int (*open)(TileDevice *device); ///< opens number info.ordinal
  void (*readInfo)(TileDevice *device);
  void (*close)(TileDevice *device);
  int (*makeCurrent)(TileDevice *device);
  /// The code's name and description, and what it means here. `result` is not 0.
  TileErrorCode (*describe)(TileDevice *device, int result, const char **out_name, const char **out_text);

  int (*allocate)(TileDevice *device, size_t size, TileDeviceAddress *out_address);
  int (*free)(TileDevice *device, TileDeviceAddress address);
  int (*copyIn)(TileDevice *device, TileDeviceAddress to, const void *from, size_t size);
  int (*copyOut)(TileDevice *device, void *to, TileDeviceAddress from, size_t size);
  int (*fill)(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size, void *stream);
  int (*synchronize)(TileDevice *device);
  /// `data` is zero-terminated beyond its size. `out_log`: what an assembler in the driver says, or an empty
  /// text.
  int (*loadModule)(TileDevice *device, const void *data, void **out_module, char *out_log, size_t logSize);
  int (*unloadModule)(TileDevice *device, void *module);
  int (*getFunction)(TileDevice *device, void *module, const char *name, void **out_function);
  int (*prepareFunction)(TileDevice *device, void *function, const TileManifestKernel *contract);
  int (*launch)(TileDevice *device, void *function, const TileLaunchShape *shape, void **params,
                void *stream);
  /// Sizes in elements; strides in bytes, without the innermost dimension's. Null: there are no tensor maps.
  int (*encodeTensorMap)(TileDevice *device, const TileTensorMap *map, TileDeviceAddress base,
                         const uint64_t *sizes, const uint64_t *strides, void *out_map);
  int (*createEvent)(TileDevice *device, void **out_event);
  int (*destroyEvent)(TileDevice *device, void *event);
  int (*recordEvent)(TileDevice *device, void *event, void *stream);
  int (*waitForEvent)(TileDevice *device, void *event);
  int (*elapsed)(TileDevice *device, void *start, void *stop, float *out_milliseconds);
} TileDriver;

struct TileDevice {
  const TileDriver *driver;
  TileDeviceInfo info;
  void *state; ///< the vendor's, stateBytes
};

extern const TileDriver tileCudaDriver, tileHipDriver;

/// Success, or an error of what was tried (as printf) and the driver's name and description of `result`.
TileErrorCode tileDriverCheck(TileDevice *device, int result, TileError *out_error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
TileErrorCode tileDriverMakeCurrent(TileDevice *device, TileError *out_error);

/// Opens the driver library and fills `api`, the vendor's struct of function pointers. The library is never
/// closed: it has threads and exit handlers of its own.
TileErrorCode tileDriverLoad(const TileDriver *driver, void *api, TileError *out_error);

/// The chip an ELF is for: "sm_90" or "gfx942"; false if the ELF does not tell.
bool tileBinaryTargetOf(const void *data, size_t size, char *out_target, size_t targetSize);

/// Checks a module before the driver sees it: its kind against the vendor, its chip against the device and
/// the manifest.
TileErrorCode tileModuleCheck(const TileDeviceInfo *info, const void *data, size_t size, const char *target,
                              TileError *out_error);

// ---- TensorMap.c ----

enum { TILE_TENSOR_MAP_BYTES = 128 };

/// Makes all tensor maps of a kernel; params[i] points to launch value i.
TileErrorCode tileTensorMapsEncode(TileDevice *device, const TileManifestKernel *contract,
                                   void *const *params, char *out_maps, TileError *out_error);

#endif
