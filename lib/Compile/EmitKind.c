/* EmitKind.c - the names of the kinds of output. */
#include "tile-c/Compile.h"
#include <string.h>

static const char *const names[] = {
    [TileEmit_Tile] = "tile",     [TileEmit_TileGPU] = "tile_gpu", [TileEmit_LLVMDialect] = "llvm-dialect",
    [TileEmit_LLVM] = "llvm",     [TileEmit_PTX] = "ptx",          [TileEmit_Cubin] = "cubin",
    [TileEmit_AMDGCN] = "amdgcn", [TileEmit_HSACO] = "hsaco",      [TileEmit_Manifest] = "manifest",
    [TileEmit_Report] = "report",
};
enum { numNames = sizeof names / sizeof names[0] };

bool tileEmitParse(const char *name, TileEmit *out_emit) {
  for (int i = 0; i < numNames; ++i) {
    if (strcmp(names[i], name) == 0) {
      *out_emit = (TileEmit)i;
      return true;
    }
  }
  return false;
}

const char *tileEmitName(TileEmit emit) { return (unsigned)emit < numNames ? names[emit] : "unknown"; }
