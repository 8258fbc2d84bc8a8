/* Special.h - private to lib/Simulator: numbers that are the same for every lane. */
#ifndef TILE_LIB_SIMULATOR_SPECIAL_H
#define TILE_LIB_SIMULATOR_SPECIAL_H

typedef enum SimUniform {
  SimUniform_ThreadsX,
  SimUniform_ThreadsY,
  SimUniform_ThreadsZ,
  SimUniform_GridX,
  SimUniform_GridY,
  SimUniform_GridZ,
  SimUniform_Lanes,
  SimUniform_Warps,
  SimUniform_SharedBytes,
  SimUniform_ImplicitArguments ///< address of AMD's hidden arguments
} SimUniform;
#endif
