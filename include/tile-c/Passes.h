/* Passes.h - parameters and entry points of every pass; each is defined in the .c file of its name. */
#ifndef TILE_C_PASSES_H
#define TILE_C_PASSES_H
#include "tile-c/IR.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "tile-c/Passes/Conversion.h"
#include "tile-c/Passes/Tile.h"
#include "tile-c/Passes/TileGPU.h"
#include "tile-c/Passes/TileNV.h"
#ifdef __cplusplus
}
#endif
#endif
