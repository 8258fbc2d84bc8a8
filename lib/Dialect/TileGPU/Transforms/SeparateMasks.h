/* SeparateMasks.h - before layouts are chosen: no computation shares the mask of an access. */
#ifndef TILE_LIB_TILEGPU_SEPARATEMASKS_H
#define TILE_LIB_TILEGPU_SEPARATEMASKS_H
#include "tile-c/IR.h"

void tileSeparateMasks(MlirOperation module);

#endif
