/* SinkParts.h - what makes a part of a factor in registers, moved to where the part is multiplied. */
#ifndef TILE_LIB_TILEGPUTONVVM_SINKPARTS_H
#define TILE_LIB_TILEGPUTONVVM_SINKPARTS_H
#include "../TileGPUToLLVM/Lowering.h"

/// `words` of `perPart` values for each part, the first part first; `anchors`: for each part but the first an op in the same block behind
/// what makes the words. Moves, in front of its anchor, arithmetic that makes words of one part alone, and of later parts than the first.
void tileSinkParts(TileLowering *l, const MlirValue *words, int parts, int perPart,
                   const MlirOperation *anchors);

#endif
