/* Manifest.h - the launch contract of a compiled binary: what the compiler writes beside it and the run-time
 * library reads.
 *
 * Plain C with no LLVM behind it; part of both libtile and libtile_rt. docs/manifest.md describes the JSON
 * text member by member. A launcher needs nothing else than a manifest and its binary.
 *
 * Parameters are the source's, in order; hidden ones follow, and after them tensor maps. A launch of a grid of `programs` has
 *   blocks  = programs.x * numCtas, programs.y, programs.z   (or what the grid rule says)
 *   threads = threadsPerWarp * (numWarps + extraWarps), 1, 1
 *   dynamic shared bytes = sharedStatic ? 0 : sharedBytes */
#ifndef TILE_C_MANIFEST_H
#define TILE_C_MANIFEST_H
#include "tile-c/ElementType.h"
#include "tile-c/Error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version this library writes, and the newest it reads. Readers ignore members they do not know; a
/// change that an old reader would get wrong raises it.
enum { TILE_MANIFEST_SCHEMA = 2, TILE_MAX_RANK = 5 };

typedef enum TileVendor {
  TileVendor_None, ///< a manifest without target: parameters only, nothing to launch (null)
  TileVendor_NVIDIA,
  TileVendor_AMD
} TileVendor;

typedef enum TileParamKind {
  TileParamKind_Pointer,   ///< an address in global memory
  TileParamKind_Scalar,    ///< a value of the type
  TileParamKind_Descriptor ///< a tensor descriptor, expanded by the launcher
} TileParamKind;

/// How a descriptor reaches the kernel.
typedef enum TileDescriptorForm {
  TileDescriptorForm_Parts,    ///< as 1 + 2 * rank parameters: the base address, the sizes (i32), the strides
                               ///< in elements (i64) ("parts")
  TileDescriptorForm_TensorMap ///< as a tensor map, which the copy engine of the chip reads ("tensor_map")
} TileDescriptorForm;

typedef struct TileManifestParam {
  const char *name; ///< as in the source; "" or NULL if it has none
  TileParamKind kind;
  TileElementType
      type; ///< pointer, descriptor: of one element (i64 for a pointer to pointers); scalar: of the value
  int64_t divisibility; ///< the code assumes that the address in bytes, or the value, is a multiple; 0 and 1:
                        ///< nothing assumed
  unsigned rank;        ///< descriptor: dimensions, at most TILE_MAX_RANK; else 0
  int64_t box[TILE_MAX_RANK]; ///< descriptor: elements of one block, outermost dimension first
  unsigned swizzleBytes;      ///< descriptor: 0, 32, 64 or 128
  TileDescriptorForm form;
} TileManifestParam;

/// Values that the launcher adds after the source's parameters, in the manifest's order.
typedef enum TileHiddenKind {
  TileHiddenKind_Scratch,   ///< pointer to the launch's zeroed scratch memory ("scratch")
  TileHiddenKind_ProgramsX, ///< i32: programs of the grid, where a grid rule launches fewer blocks
                            ///< ("programs_x")
  TileHiddenKind_ProgramsY, ///< ("programs_y")
  TileHiddenKind_ProgramsZ  ///< ("programs_z")
} TileHiddenKind;

enum { TileMapNumber_MostMore = 2 };

/// A number that the launcher computes: `factor` times the values of up to three parameters, or `factor` alone. What does not fit
/// 64 bits counts as -1.
typedef struct TileMapNumber {
  int param; ///< position among the values that the kernel is launched with; -1: none
  int64_t factor;
  int more[TileMapNumber_MostMore]; ///< further positions
  int numMore;
} TileMapNumber;

/// How the launcher makes a tensor map, which the copy engine of sm_90 reads (CUDA driver API,
/// cuTensorMapEncodeTiled): 128 bytes, passed by value after the hidden parameters. Innermost dimension first.
typedef struct TileTensorMap {
  int base; ///< position of the pointer among the values that the kernel is launched with
  TileElementType type;
  unsigned rank;                        ///< 1 to TILE_MAX_RANK
  TileMapNumber sizes[TILE_MAX_RANK];   ///< elements
  TileMapNumber strides[TILE_MAX_RANK]; ///< elements between neighbours; the first, 1, is not in the manifest
  unsigned box[TILE_MAX_RANK];          ///< elements of one copy, at most 256 each
  unsigned swizzleBytes;                ///< 0, 32, 64 or 128
  bool fillsNaN;                        ///< elements outside the tensor are NaN, else 0
  bool isChecked; ///< with a size or stride below 1 the kernel does not use it: the launcher passes zeros
  bool
      isStored; ///< the kernel stores with it: the engine writes whole 16 bytes, so that rows have to be some
  /// Of rows that start anywhere, every `rowsApart`-th from `firstRow` on (tileTensorMapPlace); 0: all rows.
  unsigned rowsApart, firstRow;
} TileTensorMap;

/// Where a map starts that has some rows of a matrix only: `rowsApart` rows are a multiple of 16 bytes, so that those it has all start
/// as far behind one.
typedef struct TileMapPlace {
  uint64_t base;                  ///< a multiple of 16
  int64_t sizes[TILE_MAX_RANK];   ///< elements; the first one with those between `base` and the first row
  int64_t strides[TILE_MAX_RANK]; ///< bytes
} TileMapPlace;

/// Moves the place of all rows (sizes in elements, strides in bytes) to that of the map's. Nothing changes if it has all of them.
void tileTensorMapPlace(const TileTensorMap *map, TileMapPlace *place);

/// Two of the values that the kernel is launched with, by position; both are pointers.
typedef struct TileValuePair {
  int first, second;
  bool maySame;   ///< they may also be equal, if as many values as this behind each are:
  unsigned alike; ///< the sizes and strides of descriptors
} TileValuePair;

typedef enum TileGridRuleKind {
  TileGridRule_None,      ///< one block (or cluster) a program
  TileGridRule_Persistent ///< min(programs, processors * blocksPerProcessor) blocks in x, which loop over the
                          ///< programs
} TileGridRuleKind;

/// A declared parameter of the source and the value that this binary was made with.
typedef struct TileManifestChoice {
  const char *name, *value;
} TileManifestChoice;

typedef struct TileManifestKernel {
  const char *name;
  const TileManifestParam *params;
  size_t numParams;
  const TileHiddenKind *hidden;
  size_t numHidden;
  const TileTensorMap *tensorMaps;
  size_t numTensorMaps;
  const TileValuePair *separate; ///< memory that the code takes to be different: one is written, and loads of
                                 ///< the other run ahead of that
  size_t numSeparate;
  unsigned numWarps;       ///< warps of the program; at least 1
  unsigned threadsPerWarp; ///< 32 or 64
  unsigned extraWarps;     ///< warps beside those (producers of a specialised kernel)
  unsigned numCtas;        ///< blocks a program; 0 counts as 1
  unsigned sharedBytes;    ///< shared memory (LDS) a block
  bool sharedStatic;       ///< true: it is part of the binary (AMD); false: dynamic, asked for at the launch
                           ///< (NVIDIA)
  TileGridRuleKind gridRule;
  const char
      *programs[3]; ///< programs in x, y and z as expressions (Expression.h) of the scalar parameters and
                    ///< `processors`, where the source says them; NULL: the caller knows
  const TileManifestChoice *choices; ///< values of the source's declared parameters (`tile.param`)
  size_t numChoices;
  unsigned blocksPerProcessor;   ///< of the persistent rule
  unsigned cluster[3];           ///< blocks of a cluster; zeros count as ones
  uint64_t scratchBytes;         ///< zeroed global memory a launch
  uint64_t scratchBytesPerBlock; ///< and for each launched block beside that
  bool
      scratchKept; ///< the kernel leaves it as it wants to find it: zeroed where it is new, else the launch before's
} TileManifestKernel;

/// Strings and arrays are borrowed where the caller fills the struct (`storage` NULL), and owned by `storage`
/// where tileManifestParse made it. Zero-initialise before filling.
typedef struct TileManifest {
  const char *target; ///< chip: "sm_90a", "gfx942"; NULL: parameters only
  TileVendor vendor;
  const char *file; ///< name of the binary, relative to the manifest's folder; may be NULL
  const TileManifestKernel *kernels;
  size_t numKernels;
  void *storage;
} TileManifest;

/// JSON text of the manifest, malloc'ed (the caller frees it), zero-terminated; `out_size` (may be NULL) does
/// not count the zero. The same manifest gives the same bytes. NULL: a string is not UTF-8, or no memory.
char *tileManifestWrite(const TileManifest *manifest, size_t *out_size);

/// Reads JSON text. On failure `out_manifest` is zeroed and the error names the member at fault.
TileErrorCode tileManifestParse(const char *text, size_t size, TileManifest *out_manifest,
                                TileError *out_error);

/// Frees what tileManifestParse allocated; harmless on a zeroed or borrowed manifest.
void tileManifestRelease(TileManifest *manifest);

/// The kernel called `name`; with `name` NULL the only one. An error lists the kernels there are.
TileErrorCode tileManifestFindKernel(const TileManifest *manifest, const char *name,
                                     const TileManifestKernel **out_kernel, TileError *out_error);

/// The grid of programs that the manifest says for these values of the parameters (floats, pointers and
/// descriptors: any), on a device with so many multiprocessors. An error if it says none.
TileErrorCode tileManifestGrid(const TileManifestKernel *kernel, const int64_t *values, unsigned processors,
                               uint32_t out_programs[3], TileError *out_error);

/// Path of the manifest beside a binary: its path and ".json"; malloc'ed, NULL without memory.
char *tileManifestPathFor(const char *binaryPath);

const char *tileVendorName(TileVendor vendor);               ///< "nvidia", "amd"; "none"
const char *tileParamKindName(TileParamKind kind);           ///< "pointer", "scalar", "descriptor"
const char *tileDescriptorFormName(TileDescriptorForm form); ///< "parts", "tensor_map"
const char *tileHiddenKindName(TileHiddenKind kind);         ///< "scratch", "programs_x" ...

#ifdef __cplusplus
}
#endif
#endif
