/* Driver.h - what a vendor's driver does for the run-time library: one table of functions a vendor. */
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

/// Modules, functions and events are the driver's handles. Every function but `close` makes the device
/// current first.
typedef struct TileDriver {
  const char *vendor;
  TileErrorCode (*open)(TileDevice *device,
                        TileError *out_error); ///< info.ordinal is set; fills the rest and `state`
  void (*close)(TileDevice *device);           ///< harmless after a failed open
  TileErrorCode (*allocate)(TileDevice *device, size_t size, TileDeviceAddress *out_address,
                            TileError *out_error);
  void (*free)(TileDevice *device, TileDeviceAddress address);
  TileErrorCode (*copyIn)(TileDevice *device, TileDeviceAddress to, const void *from, size_t size,
                          TileError *out_error);
  TileErrorCode (*copyOut)(TileDevice *device, void *to, TileDeviceAddress from, size_t size,
                           TileError *out_error);
  TileErrorCode (*fill)(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size,
                        void *stream, TileError *out_error);
  TileErrorCode (*synchronize)(TileDevice *device, TileError *out_error);
  /// `data` is zero-terminated beyond `size`.
  TileErrorCode (*loadModule)(TileDevice *device, const void *data, void **out_module, TileError *out_error);
  void (*unloadModule)(TileDevice *device, void *module);
  TileErrorCode (*getFunction)(TileDevice *device, void *module, const TileManifestKernel *contract,
                               void **out_function, TileError *out_error);
  TileErrorCode (*launch)(TileDevice *device, void *function, const TileLaunchShape *shape, void **params,
                          void *stream, TileError *out_error);
  TileErrorCode (*createEvent)(TileDevice *device, void **out_event, TileError *out_error);
  void (*destroyEvent)(TileDevice *device, void *event);
  TileErrorCode (*recordEvent)(TileDevice *device, void *event, void *stream, TileError *out_error);
  TileErrorCode (*elapsed)(TileDevice *device, void *start, void *stop, double *out_milliseconds,
                           TileError *out_error);
} TileDriver;

struct TileDevice {
  const TileDriver *driver;
  TileDeviceInfo info;
  void *state; ///< the driver's own
};

extern const TileDriver tileCudaDriver, tileHipDriver;

/// Opens the first of `names` (NULL-terminated) that the dynamic linker finds.
TileErrorCode tileDriverOpenLibrary(const char *vendor, const char *const *names, void **out_library,
                                    TileError *out_error);
void tileDriverCloseLibrary(void *library);

/// A function pointer to look up and where to put it in a struct of function pointers.
typedef struct TileDriverSymbol {
  const char *name;
  size_t offset;
  bool optional; ///< left NULL where the library lacks it
} TileDriverSymbol;

TileErrorCode tileDriverLoadSymbols(void *library, const TileDriverSymbol *symbols, size_t count, void *api,
                                    TileError *out_error);

/// The chip an ELF is for: "sm_90" or "gfx942"; false if the ELF does not tell.
bool tileBinaryTargetOf(const void *data, size_t size, char *out_target, size_t targetSize);

/// Checks a module before the driver sees it: its kind against the vendor, its chip against the device and
/// the manifest.
TileErrorCode tileModuleCheck(const TileDeviceInfo *info, const void *data, size_t size, const char *target,
                              TileError *out_error);

#endif
