/* Calls.c - printing and failed assertions (CUDA C++ Programming Guide, "Formatted Output" and "Assertion").
 *
 * vprintf's values lie one after the other, each aligned to its size: integers of 4 bytes, or 8 with `l` or
 * `ll`, pointers of 8, floats as f64. */
#include "Calls.h"
#include "Memory.h"
#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 512, MAX_LINE = 1024, MAX_SPEC = 24 };

/// Copies bytes of one lane; false after a fault.
static bool readBytes(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t address, void *out, unsigned n) {
  uint64_t addresses[SIM_MAX_LANES];
  SimPlaces places;
  addresses[lane] = address;
  if (!simLocate(w, i, SimSpace_Generic, addresses, n, 1, UINT64_C(1) << lane, SimDirection_Read, &places))
    return false;
  memcpy(out, places.at[lane], n);
  return true;
}

/// A string of at most MAX_TEXT - 1 characters.
static bool readText(SimWarp *w, const SimInsn *i, uint64_t lane, uint64_t address, char *out) {
  unsigned n = 0;
  do {
    if (!readBytes(w, i, lane, address + n, &out[n], 1))
      return false;
  } while (out[n] && ++n < MAX_TEXT - 1);
  out[n] = '\0';
  return true;
}

/// What a lane prints.
typedef struct Print {
  SimWarp *warp;
  const SimInsn *insn;
  uint64_t lane, values; ///< values: address of the next one
  char line[MAX_LINE];
  size_t length;
} Print;

static bool nextValue(Print *p, unsigned bytes, void *out) {
  p->values = (p->values + bytes - 1) / bytes * bytes;
  const bool ok = readBytes(p->warp, p->insn, p->lane, p->values, out, bytes);
  p->values += bytes;
  return ok;
}

static void appendChars(Print *p, const char *text, size_t n) {
  const size_t room = MAX_LINE - 1 - p->length;
  n = n < room ? n : room;
  memcpy(p->line + p->length, text, n);
  p->length += n;
}

/// Formats one value by a specification without its length modifier.
static bool appendValue(Print *p, const char *spec, char conversion, bool isLong) {
  char format[MAX_SPEC + 4], text[MAX_TEXT + 64], string[MAX_TEXT];
  int64_t wide = 0;
  double real = 0;
  const bool isReal = strchr("eEfFgGaA", conversion), isText = conversion == 's',
             isPointer = conversion == 'p';
  if (isReal ? !nextValue(p, 8, &real) : !nextValue(p, isLong || isText || isPointer ? 8 : 4, &wide))
    return false;
  if (isText && !readText(p->warp, p->insn, p->lane, (uint64_t)wide, string))
    return false;
  if (!isLong && strchr("di", conversion))
    wide = (int32_t)wide;
  snprintf(format, sizeof format, "%s%s%c", spec,
           isReal || isText || isPointer || conversion == 'c' ? "" : "ll", conversion);
  if (isReal)
    snprintf(text, sizeof text, format, real);
  else if (isText)
    snprintf(text, sizeof text, format, string);
  else if (isPointer)
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)wide);
  else if (conversion == 'c')
    snprintf(text, sizeof text, format, (int)wide);
  else
    snprintf(text, sizeof text, format, (long long)wide);
  appendChars(p, text, strlen(text));
  return true;
}

/// The specification at `at`, which is behind '%'; *out_next is behind it.
static bool appendSpec(Print *p, const char *at, const char **out_next) {
  char spec[MAX_SPEC] = "%";
  size_t n = 1;
  bool isLong = false;
  for (; *at && strchr("-+ #0123456789.lhjzt", *at); ++at)
    if (strchr("lhjzt", *at))
      isLong |= *at != 'h';
    else if (n + 1 < MAX_SPEC)
      spec[n++] = *at;
  *out_next = *at ? at + 1 : at;
  if (*at == '%')
    return appendChars(p, at, 1), true;
  if (!*at || !strchr("diouxXceEfFgGaAsp", *at))
    return simFault(p->warp, p->insn, (int)p->lane, "prints with the unknown conversion '%c'",
                    *at ? *at : '%'),
           false;
  return appendValue(p, spec, *at, isLong);
}

static bool printLane(SimWarp *w, const SimInsn *i, uint64_t lane) {
  Print p = {.warp = w, .insn = i, .lane = lane, .values = SIM_SLOT(uint64_t, w, i->b)[lane]};
  char format[MAX_TEXT];
  if (!readText(w, i, lane, SIM_SLOT(uint64_t, w, i->a)[lane], format))
    return false;
  for (const char *at = format; *at;) {
    const size_t plain = strcspn(at, "%");
    appendChars(&p, at, plain);
    at += plain;
    if (*at && !appendSpec(&p, at + 1, &at))
      return false;
  }
  p.line[p.length] = '\0';
  if (w->machine->run->output)
    w->machine->run->output(p.line, w->machine->run->outputUser);
  SIM_SLOT(uint32_t, w, i->result)[lane] = (uint32_t)p.length;
  return true;
}

SimStatus simPrint(SimWarp *w, const SimInsn *i) {
  SIM_FOR_LANES(lane, w->active) {
    if (!printLane(w, i, lane))
      return SimStatus_Fault;
  }
  return SimStatus_Next;
}

SimStatus simAssertFail(SimWarp *w, const SimInsn *i) {
  const uint64_t lane = (uint64_t)__builtin_ctzll(w->active);
  char message[MAX_TEXT];
  if (!readText(w, i, lane, SIM_SLOT(uint64_t, w, i->a)[lane], message))
    return SimStatus_Fault;
  return simFault(w, i, (int)lane, "fails: %s", message);
}
