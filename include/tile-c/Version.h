/* Version.h - Tile's version; CMakeLists.txt reads it from here. */
#ifndef TILE_C_VERSION_H
#define TILE_C_VERSION_H

#define TILE_VERSION "0.1.0"

#endif
