/* Device.c - the run-time library's calls that need no launch contract: devices, memory, timers. */
#include "Driver.h"
#include <stdlib.h>

TileErrorCode tileDeviceOpen(TileDeviceKind kind, int ordinal, TileDevice **out_device,
                             TileError *out_error) {
  *out_device = NULL;
  TileDevice *device = calloc(1, sizeof *device);
  if (!device)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  device->driver = kind == TileDevice_CUDA ? &tileCudaDriver : &tileHipDriver;
  device->info.kind = kind;
  device->info.ordinal = ordinal;
  TileErrorCode code = device->driver->open(device, out_error);
  if (code)
    tileDeviceClose(device);
  else
    *out_device = device;
  return code;
}

void tileDeviceClose(TileDevice *device) {
  if (!device)
    return;
  device->driver->close(device);
  free(device);
}

const TileDeviceInfo *tileDeviceGetInfo(const TileDevice *device) { return &device->info; }

TileErrorCode tileDeviceAllocate(TileDevice *device, size_t size, TileDeviceAddress *out_address,
                                 TileError *out_error) {
  *out_address = 0;
  return size ? device->driver->allocate(device, size, out_address, out_error) : TileError_None;
}

void tileDeviceFree(TileDevice *device, TileDeviceAddress address) {
  if (address)
    device->driver->free(device, address);
}

TileErrorCode tileDeviceCopyIn(TileDevice *device, TileDeviceAddress to, const void *from, size_t size,
                               TileError *out_error) {
  return size ? device->driver->copyIn(device, to, from, size, out_error) : TileError_None;
}

TileErrorCode tileDeviceCopyOut(TileDevice *device, void *to, TileDeviceAddress from, size_t size,
                                TileError *out_error) {
  return size ? device->driver->copyOut(device, to, from, size, out_error) : TileError_None;
}

TileErrorCode tileDeviceFill(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size,
                             void *stream, TileError *out_error) {
  return size ? device->driver->fill(device, address, byte, size, stream, out_error) : TileError_None;
}

TileErrorCode tileDeviceSynchronize(TileDevice *device, TileError *out_error) {
  return device->driver->synchronize(device, out_error);
}

struct TileTimer {
  TileDevice *device;
  void *start, *stop;
};

TileErrorCode tileTimerCreate(TileDevice *device, TileTimer **out_timer, TileError *out_error) {
  *out_timer = NULL;
  TileTimer *timer = calloc(1, sizeof *timer);
  if (!timer)
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  timer->device = device;
  TileErrorCode code = device->driver->createEvent(device, &timer->start, out_error);
  if (!code)
    code = device->driver->createEvent(device, &timer->stop, out_error);
  if (code)
    tileTimerDestroy(timer);
  else
    *out_timer = timer;
  return code;
}

void tileTimerDestroy(TileTimer *timer) {
  if (!timer)
    return;
  if (timer->start)
    timer->device->driver->destroyEvent(timer->device, timer->start);
  if (timer->stop)
    timer->device->driver->destroyEvent(timer->device, timer->stop);
  free(timer);
}

TileErrorCode tileTimerStart(TileTimer *timer, void *stream, TileError *out_error) {
  return timer->device->driver->recordEvent(timer->device, timer->start, stream, out_error);
}

TileErrorCode tileTimerStop(TileTimer *timer, void *stream, TileError *out_error) {
  return timer->device->driver->recordEvent(timer->device, timer->stop, stream, out_error);
}

TileErrorCode tileTimerElapsed(TileTimer *timer, double *out_milliseconds, TileError *out_error) {
  return timer->device->driver->elapsed(timer->device, timer->start, timer->stop, out_milliseconds,
                                        out_error);
}
