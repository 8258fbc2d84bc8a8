/* RunDevice.c - the cuda and hip devices: load, copy, launch, copy back. */
#include "TileRun.h"
#include <stdlib.h>

RunStatus runLaunchOpen(const RunOptions *options, RunLaunch *out_launch) {
  TileError error;
  const TileDeviceKind kind = options->device == RunDevice_Cuda ? TileDevice_CUDA : TileDevice_HIP;
  *out_launch = (RunLaunch){0};
  if (tileDeviceOpen(kind, options->ordinal, &out_launch->device, &error))
    return runFailure(RunStatus_Failed, "%s", error.text);
  return RunStatus_Ok;
}

static RunStatus load(RunLaunch *launch, const char *path, const void *data, size_t size,
                      const TileManifest *manifest, const TileManifestKernel *kernel) {
  TileError error;
  if (tileModuleLoad(launch->device, data, size, manifest->target, &launch->module, &error) ||
      tileModuleGetKernel(launch->module, kernel, &launch->kernel, &error))
    return runFailure(RunStatus_Failed, "%s: %s", path, error.text);
  return RunStatus_Ok;
}

static RunStatus compileAndLoad(RunLaunch *launch, const RunCompiler *compiler, const RunOptions *options,
                                const RunInput *input, const char *kernelName) {
  const char *target =
      options->compile.target ? options->compile.target : tileDeviceGetInfo(launch->device)->target;
  TileCompileResult result;
  TileError error;
  if (!target[0])
    return runFailure(RunStatus_Failed, "the driver does not tell the device's chip, expected --target=CHIP");
  RunStatus status = runCompilerBinary(compiler, options, input, target, &result);
  if (status)
    return status;
  const TileManifestKernel *kernel = NULL;
  if (!result.manifest ||
      tileManifestParse(result.manifest, result.manifestSize, &launch->manifest, &error) ||
      tileManifestFindKernel(&launch->manifest, kernelName, &kernel, &error))
    status = runFailure(RunStatus_Failed, "%s: %s", input->path,
                        result.manifest ? error.text : "the compiler gave no manifest");
  else
    status = load(launch, input->path, result.data, result.size, &launch->manifest, kernel);
  compiler->release(&result);
  return status;
}

RunStatus runLaunchLoad(RunLaunch *launch, const RunCompiler *compiler, const RunOptions *options,
                        const RunInput *input, const TileManifest *manifest,
                        const TileManifestKernel *kernel) {
  if (input->kind == TileBinary_Unknown)
    return compileAndLoad(launch, compiler, options, input, kernel->name);
  return load(launch, input->path, input->data, input->size, manifest, kernel);
}

/// Memory on the device for every buffer, and the values that a launch takes.
static TileErrorCode placeArguments(RunLaunch *launch, const RunArgument *arguments, size_t count,
                                    TileError *out_error) {
  launch->arguments = arguments;
  launch->count = count;
  launch->addresses = calloc(count + 1, sizeof *launch->addresses);
  launch->tensors = calloc(count + 1, sizeof *launch->tensors);
  launch->values = calloc(count + 1, sizeof *launch->values);
  if (!launch->addresses || !launch->tensors || !launch->values)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of memory");
  for (size_t i = 0; i < count; ++i) {
    launch->values[i] = &launch->addresses[i]; // 8 bytes, which hold a scalar as well
    if (!arguments[i].isBuffer) {
      tileScalarStore(arguments[i].type, arguments[i].scalar, &launch->addresses[i]);
      continue;
    }
    const size_t size = tileArrayBytes(&arguments[i].array);
    TileErrorCode code = TileError_None;
    if (arguments[i].isShared)
      launch->addresses[i] = launch->addresses[arguments[i].owner];
    else
      code = tileDeviceAllocate(launch->device, size, &launch->addresses[i], out_error);
    if (!code && !arguments[i].isShared)
      code = tileDeviceCopyIn(launch->device, launch->addresses[i], arguments[i].array.data, size, out_error);
    if (code)
      return code;
    if (arguments[i].isDescriptor) {
      launch->tensors[i] = arguments[i].tensor;
      launch->tensors[i].base = launch->addresses[i];
      launch->values[i] = &launch->tensors[i];
    }
  }
  return TileError_None;
}

static TileErrorCode launchOnce(RunLaunch *launch, const RunOptions *options, RunArgument *arguments,
                                TileError *out_error) {
  TileErrorCode code =
      tileKernelLaunch(launch->kernel, options->grid, launch->values, launch->count, NULL, out_error);
  if (!code)
    code = tileDeviceSynchronize(launch->device, out_error);
  for (size_t i = 0; !code && i < launch->count; ++i)
    if (arguments[i].isBuffer && !arguments[i].isShared)
      code = tileDeviceCopyOut(launch->device, arguments[i].array.data, launch->addresses[i],
                               tileArrayBytes(&arguments[i].array), out_error);
  return code;
}

RunStatus runLaunchRun(RunLaunch *launch, const RunOptions *options, RunArgument *arguments, size_t count) {
  TileError error;
  if (placeArguments(launch, arguments, count, &error) || launchOnce(launch, options, arguments, &error))
    return runFailure(RunStatus_Failed, "%s", error.text);
  return RunStatus_Ok;
}

void runLaunchClose(RunLaunch *launch) {
  for (size_t i = 0; launch->addresses && i < launch->count; ++i)
    if (launch->arguments[i].isBuffer && !launch->arguments[i].isShared)
      tileDeviceFree(launch->device, launch->addresses[i]);
  free(launch->addresses);
  free(launch->tensors);
  free(launch->values);
  tileModuleUnload(launch->module);
  tileManifestRelease(&launch->manifest);
  tileDeviceClose(launch->device);
  *launch = (RunLaunch){0};
}
