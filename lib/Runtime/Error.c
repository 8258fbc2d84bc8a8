/* Error.c - filling an error value. */
#include "tile-c/Error.h"
#include <stdarg.h>
#include <stdio.h>

TileErrorCode tileErrorSet(TileError *out_error, TileErrorCode code, const char *format, ...) {
  if (!out_error)
    return code;
  out_error->code = code;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(out_error->text, sizeof out_error->text, format, arguments);
  va_end(arguments);
  return code;
}
