/* DeviceCalls.h - the hooks of TileLoweringHooks that call functions of NVIDIA's driver. */
#ifndef TILE_LIB_CONVERSION_DEVICECALLS_H
#define TILE_LIB_CONVERSION_DEVICECALLS_H
#include "../TileGPUToLLVM/Lowering.h"

void tileNvidiaPrint(TileLowering *l, const char *format, size_t size, intptr_t n, const MlirValue *values);
void tileNvidiaSayFailed(TileLowering *l, MlirStringRef message);

#endif
