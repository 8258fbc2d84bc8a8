/* Error.h - errors as values for the run-time side: a code to branch on and a text to show.
 *
 * Plain C with no LLVM behind it. A function that can fail returns its code (0 is success) and, where
 * `out_error` is not NULL, fills it; nothing is printed and nothing aborts. Texts are lower case and have no
 * full stop. */
#ifndef TILE_C_ERROR_H
#define TILE_C_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileErrorCode {
  TileError_None = 0,
  TileError_NoDriver,      ///< the vendor's driver library cannot be opened, or lacks a function
  TileError_NoDevice,      ///< the driver is there, but no (such) device
  TileError_WrongTarget,   ///< the binary is for another chip than the device, or not a binary of this vendor
  TileError_MissingKernel, ///< the module or manifest has no kernel of this name
  TileError_OutOfMemory,   ///< of the host or of the device
  TileError_LaunchFailed,  ///< the launch was refused, or the kernel faulted
  TileError_Driver,        ///< any other failure that the driver reports
  TileError_File,          ///< a file cannot be opened, read, written or renamed
  TileError_Format,        ///< a file's content is not what its kind demands (.npy, manifest)
  TileError_Argument,      ///< the caller's values do not fit (type, count, range)
  TileError_Unsupported    ///< understood, but not supported yet
} TileErrorCode;

enum { TILE_ERROR_TEXT_BYTES = 768 };

typedef struct TileError {
  TileErrorCode code;
  char text[TILE_ERROR_TEXT_BYTES]; ///< zero-terminated; cut short if longer
} TileError;

/// Fills `out_error` (may be NULL) as printf would and returns `code`, so that a caller can `return
/// tileErrorSet(...)`.
TileErrorCode tileErrorSet(TileError *out_error, TileErrorCode code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
