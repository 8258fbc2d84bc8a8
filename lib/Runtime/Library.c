/* Library.c - opening a driver library and looking up its functions. */
#include "Driver.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

TileErrorCode tileDriverOpenLibrary(const char *vendor, const char *const *names, void **out_library,
                                    TileError *out_error) {
  char reason[256] = "";
  for (size_t i = 0; names[i]; ++i) {
    if ((*out_library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL)))
      return TileError_None;
    if (!i)
      snprintf(reason, sizeof reason, "%s", dlerror());
  }
  return tileErrorSet(out_error, TileError_NoDriver, "no %s driver: %s", vendor, reason);
}

void tileDriverCloseLibrary(void *library) {
  if (library)
    dlclose(library);
}

TileErrorCode tileDriverLoadSymbols(void *library, const TileDriverSymbol *symbols, size_t count, void *api,
                                    TileError *out_error) {
  for (size_t i = 0; i < count; ++i) {
    void *address = dlsym(library, symbols[i].name);
    if (!address && !symbols[i].optional)
      return tileErrorSet(out_error, TileError_NoDriver, "the driver library lacks '%s': it is too old",
                          symbols[i].name);
    memcpy((char *)api + symbols[i].offset, &address, sizeof address);
  }
  return TileError_None;
}
