/* FormMade.h - blocks of descriptors that the kernel itself makes of its parameters. */
#ifndef TILE_LIB_TILEGPU_FORMMADE_H
#define TILE_LIB_TILEGPU_FORMMADE_H
#include "FormBlocks.h"
#include "FormConditions.h"

/// Whether it is a tile.desc_load or tile.desc_store of a descriptor that the kernel makes, and no pass has formed yet.
bool tileIsMadeAccess(MlirOperation access);
/// Its box (`made` is set). Null, or why the launcher can make no tensor map of the descriptor.
const char *tileMadeBoxOf(MlirOperation access, TileBox *out);
/// The guard holds only if the launcher can make the tensor map.
void tileMadeRequire(TileBoxGuard *g, const TileBox *box);
/// The guard holds only if all factors of a TileHostNumber are positive, and the kernel's product does not wrap around.
void tileGuardRequireNumber(TileBoxGuard *g, MlirValue v);
/// A TileHostNumber again, at the insertion point.
MlirValue tileHostNumberAgain(TileBuilder b, MlirValue v);
/// The access is one of a descriptor made at the start of `site`.
void tileFormMade(const TileFormSite *site, MlirOperation access, const TileBox *box, bool isChecked);
/// A part of the block at the insertion point: `shape` elements, moved by `by` (may be null) along dimension `d`.
MlirValue tileMadePiece(TileBuilder b, const TileBox *box, MlirOperation load, const int64_t shape[2], int d,
                        MlirValue by);

#endif
