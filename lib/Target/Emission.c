/* Emission.c - the way from a lowered module to each kind of output. */
#include "tile-c/Emission.h"
#include "Amdgpu.h"
#include "LLVMModule.h"
#include "Ptxas.h"
#include "Usage.h"
#include "tile-c/IR.h"
#include <stdlib.h>

TileKernelUsage *tileUsageAdd(TileEmission *emission, const char *name, size_t length) {
  size_t count = emission->numKernels;
  TileKernelUsage *kernels = realloc(emission->kernels, (count + 1) * sizeof *kernels);
  if (!kernels)
    return NULL;
  emission->kernels = kernels;
  kernels[count] = (TileKernelUsage){strndup(name, length), -1, -1, -1, -1, -1, -1, false};
  emission->numKernels = count + 1;
  return &kernels[count];
}

void tileEmissionRelease(TileEmission *emission) {
  for (size_t i = 0; i < emission->numKernels; ++i)
    free(emission->kernels[i].name);
  free(emission->kernels);
  free(emission->data);
  *emission = (TileEmission){0};
}

static MlirLogicalResult emitCubin(TileLLVMModule *m, TileEmission *out) {
  char *ptx;
  size_t size;
  if (tileFailed(tileLLVMModuleGenerate(m, LLVMAssemblyFile, &ptx, &size)))
    return tileFailure();
  MlirLogicalResult result = tilePtxasRun(ptx, size, m->options, m->loc, out);
  free(ptx);
  return result;
}

static MlirLogicalResult emitCodeObject(TileLLVMModule *m, TileEmission *out) {
  char *object;
  size_t size;
  if (tileFailed(tileLLVMModuleGenerate(m, LLVMObjectFile, &object, &size)))
    return tileFailure();
  MlirLogicalResult result = tileAmdgpuLink(object, size, m->loc, &out->data, &out->size);
  free(object);
  return result;
}

static MlirLogicalResult emitAssembly(TileLLVMModule *m, TileEmission *out) {
  if (tileFailed(tileLLVMModuleGenerate(m, LLVMAssemblyFile, &out->data, &out->size)))
    return tileFailure();
  if (m->options->target->vendor == TileVendor_AMD)
    tileAmdgpuReadUsage(out->data, out);
  return tileSuccess();
}

/// Only the usage is kept. Without ptxas there is none for NVIDIA, and that is no error.
static MlirLogicalResult emitUsage(TileLLVMModule *m, TileEmission *out) {
  MlirLogicalResult result = tileSuccess();
  if (m->options->target->vendor == TileVendor_AMD) {
    result = emitAssembly(m, out);
  } else {
    char *ptxas = tilePtxasFind(m->options->ptxas);
    if (ptxas || m->options->ptxas)
      result = emitCubin(m, out);
    free(ptxas);
  }
  free(out->data);
  out->data = NULL;
  out->size = 0;
  return result;
}

static MlirLogicalResult emitKind(TileLLVMModule *m, TileEmit kind, TileEmission *out) {
  if (tileFailed(tileLLVMModuleOptimize(m)))
    return tileFailure();
  switch (kind) {
  case TileEmit_LLVM:
    return tileLLVMModulePrint(m, &out->data, &out->size);
  case TileEmit_PTX:
  case TileEmit_AMDGCN:
    return emitAssembly(m, out);
  case TileEmit_Cubin:
    return emitCubin(m, out);
  case TileEmit_HSACO:
    return emitCodeObject(m, out);
  case TileEmit_Report:
    return emitUsage(m, out);
  default:
    return tileEmitError(m->loc, "%s is not made from a lowered module", tileEmitName(kind));
  }
}

MlirLogicalResult tileEmitModule(MlirModule module, TileEmit kind, const TileEmissionOptions *options,
                                 TileEmission *out_emission) {
  *out_emission = (TileEmission){0};
  TileLLVMModule m;
  MlirLogicalResult result = tileLLVMModuleInit(&m, module, options);
  if (tileSucceeded(result))
    result = emitKind(&m, kind, out_emission);
  tileLLVMModuleDestroy(&m);
  if (tileFailed(result))
    tileEmissionRelease(out_emission);
  return result;
}

void tileWarnOfSpills(MlirLocation loc, const TileEmission *emission) {
  for (size_t i = 0; i < emission->numKernels; ++i)
    if (emission->kernels[i].spillsBesideGroups)
      tileEmitWarning(loc,
                      "kernel '%s' spills %d bytes a thread beside products of warp groups, expected none: "
                      "more warps or smaller blocks have fewer sums a thread",
                      emission->kernels[i].name, emission->kernels[i].spillBytes);
}
