/* Device.c - the run-time library's calls that need no launch contract: devices, memory, timers. */
#include "Driver.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

TileErrorCode tileDriverCheck(TileDevice *device, int result, TileError *out_error, const char *format, ...) {
  if (!result)
    return TileError_None;
  char what[TILE_ERROR_TEXT_BYTES], number[32];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(number, sizeof number, "error %d", result);
  const char *name = NULL, *text = NULL;
  const TileErrorCode code = device->driver->describe(device, result, &name, &text);
  return tileErrorSet(out_error, code, "%s: %s: %s", what, name ? name : number,
                      text ? text : "no description");
}

TileErrorCode tileDriverMakeCurrent(TileDevice *device, TileError *out_error) {
  return tileDriverCheck(device, device->driver->makeCurrent(device), out_error,
                         "cannot make the device current");
}

static TileErrorCode openDevice(TileDevice *device, TileError *out_error) {
  const TileDriver *driver = device->driver;
  int count = 0;
  TileErrorCode code = tileDriverLoad(driver, device->state, out_error);
  if (!code)
    code = tileDriverCheck(device, driver->init(device, &count), out_error, "no %s device", driver->vendor);
  if (code)
    return code;
  if (device->info.ordinal < 0 || device->info.ordinal >= count)
    return tileErrorSet(out_error, TileError_NoDevice, "no %s device number %d: the driver has %d",
                        driver->vendor, device->info.ordinal, count);
  if ((code = tileDriverCheck(device, driver->open(device), out_error, "cannot open the device")))
    return code;
  driver->readInfo(device);
  return tileDriverMakeCurrent(device, out_error);
}

TileErrorCode tileDeviceOpen(TileDeviceKind kind, int ordinal, TileDevice **out_device,
                             TileError *out_error) {
  const TileDriver *driver = kind == TileDevice_CUDA ? &tileCudaDriver : &tileHipDriver;
  TileDevice *device = calloc(1, sizeof *device);
  void *state = calloc(1, driver->stateBytes);
  *out_device = NULL;
  if (!device || !state) {
    free(device);
    free(state);
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of host memory");
  }
  *device = (TileDevice){.driver = driver, .info.kind = kind, .info.ordinal = ordinal, .state = state};
  TileErrorCode code = openDevice(device, out_error);
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
  free(device->state);
  free(device);
}

const TileDeviceInfo *tileDeviceGetInfo(const TileDevice *device) { return &device->info; }

TileErrorCode tileDeviceAllocate(TileDevice *device, size_t size, TileDeviceAddress *out_address,
                                 TileError *out_error) {
  *out_address = 0;
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (code || !size)
    return code;
  return tileDriverCheck(device, device->driver->allocate(device, size, out_address), out_error,
                         "cannot allocate %zu bytes on the device", size);
}

void tileDeviceFree(TileDevice *device, TileDeviceAddress address) {
  if (address && !tileDriverMakeCurrent(device, NULL))
    device->driver->free(device, address);
}

TileErrorCode tileDeviceCopyIn(TileDevice *device, TileDeviceAddress to, const void *from, size_t size,
                               TileError *out_error) {
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (code || !size)
    return code;
  return tileDriverCheck(device, device->driver->copyIn(device, to, from, size), out_error,
                         "cannot copy to the device");
}

TileErrorCode tileDeviceCopyOut(TileDevice *device, void *to, TileDeviceAddress from, size_t size,
                                TileError *out_error) {
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (code || !size)
    return code;
  return tileDriverCheck(device, device->driver->copyOut(device, to, from, size), out_error,
                         "cannot copy from the device");
}

TileErrorCode tileDeviceFill(TileDevice *device, TileDeviceAddress address, uint8_t byte, size_t size,
                             void *stream, TileError *out_error) {
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (code || !size)
    return code;
  return tileDriverCheck(device, device->driver->fill(device, address, byte, size, stream), out_error,
                         "cannot fill memory of the device");
}

TileErrorCode tileDeviceSynchronize(TileDevice *device, TileError *out_error) {
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  return code ? code
              : tileDriverCheck(device, device->driver->synchronize(device), out_error, "the kernel failed");
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
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (!code)
    code = tileDriverCheck(device, device->driver->createEvent(device, &timer->start), out_error,
                           "cannot make an event");
  if (!code)
    code = tileDriverCheck(device, device->driver->createEvent(device, &timer->stop), out_error,
                           "cannot make an event");
  if (code)
    tileTimerDestroy(timer);
  else
    *out_timer = timer;
  return code;
}

void tileTimerDestroy(TileTimer *timer) {
  if (!timer)
    return;
  if (!tileDriverMakeCurrent(timer->device, NULL)) {
    if (timer->start)
      timer->device->driver->destroyEvent(timer->device, timer->start);
    if (timer->stop)
      timer->device->driver->destroyEvent(timer->device, timer->stop);
  }
  free(timer);
}

static TileErrorCode record(TileTimer *timer, void *event, void *stream, TileError *out_error) {
  TileErrorCode code = tileDriverMakeCurrent(timer->device, out_error);
  return code ? code
              : tileDriverCheck(timer->device,
                                timer->device->driver->recordEvent(timer->device, event, stream), out_error,
                                "cannot record an event");
}

TileErrorCode tileTimerStart(TileTimer *timer, void *stream, TileError *out_error) {
  return record(timer, timer->start, stream, out_error);
}

TileErrorCode tileTimerStop(TileTimer *timer, void *stream, TileError *out_error) {
  return record(timer, timer->stop, stream, out_error);
}

TileErrorCode tileTimerElapsed(TileTimer *timer, double *out_milliseconds, TileError *out_error) {
  TileDevice *device = timer->device;
  float milliseconds = 0;
  TileErrorCode code = tileDriverMakeCurrent(device, out_error);
  if (!code)
    code = tileDriverCheck(device, device->driver->waitForEvent(device, timer->stop), out_error,
                           "the kernel failed");
  if (!code)
    code = tileDriverCheck(device, device->driver->elapsed(device, timer->start, timer->stop, &milliseconds),
                           out_error, "cannot read the time");
  *out_milliseconds = milliseconds;
  return code;
}
