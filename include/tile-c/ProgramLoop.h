/* ProgramLoop.h - kernels whose blocks go over the programs in a loop: the function has the unit attribute
 * tile_gpu.program_loop, and its last three parameters in front of tensor maps, i32, are the programs in x, y and z. The grid is
 * one block a multiprocessor, at most one a program (TileGridRule_Persistent). */
#ifndef TILE_C_PROGRAMLOOP_H
#define TILE_C_PROGRAMLOOP_H
#include "tile-c/IR.h"

enum { TileProgramLoop_Parameters = 3 };

static const char tileProgramLoopName[] = "tile_gpu.program_loop";

static inline bool tileLoopsPrograms(MlirOperation function) {
  return mlirOperationGetDiscardableAttributeByName(function, tileStr(tileProgramLoopName)).ptr;
}

#endif
