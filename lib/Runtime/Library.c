/* Library.c - opening a driver library and looking up its functions. */
#include "Driver.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

TileErrorCode tileDriverLoad(const TileDriver *driver, void *api, TileError *out_error) {
  char reason[256] = "";
  void *library = NULL;
  for (size_t i = 0; driver->libraries[i] && !library; ++i) {
    library = dlopen(driver->libraries[i], RTLD_NOW | RTLD_LOCAL);
    if (!library && !i)
      snprintf(reason, sizeof reason, "%s", dlerror());
  }
  if (!library)
    return tileErrorSet(out_error, TileError_NoDriver, "no %s driver: %s", driver->vendor, reason);
  for (size_t i = 0; i < driver->numSymbols; ++i) {
    const TileDriverSymbol *symbol = &driver->symbols[i];
    void *address = dlsym(library, symbol->name);
    if (!address && !symbol->optional)
      return tileErrorSet(out_error, TileError_NoDriver, "the %s driver lacks '%s': it is too old",
                          driver->vendor, symbol->name);
    memcpy((char *)api + symbol->offset, &address, sizeof address);
  }
  return TileError_None;
}
