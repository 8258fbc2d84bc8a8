/* Warp.c - the loop that executes a warp until it waits, ends, or has used its turn; and faults. */
#include "Control.h"
#include "Hopper.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BLEND(T)                                                                                             \
  for (uint32_t base = 0; base < count; base += lanes)                                                       \
    SIM_FOR_LANES(lane, mask)                                                                                \
  ((T *)(void *)to)[base + lane] = ((const T *)(const void *)from)[base + lane]

void simBlend(char *to, const char *from, uint32_t count, unsigned log2Bytes, unsigned lanes, uint64_t mask) {
  switch (log2Bytes) {
  case 0:
    BLEND(uint8_t);
    break;
  case 1:
    BLEND(uint16_t);
    break;
  case 2:
    BLEND(uint32_t);
    break;
  case 3:
    BLEND(uint64_t);
    break;
  default:
    BLEND(SimU128);
  }
}

SimStatus simRunWarp(SimWarp *w) {
  const unsigned lanes = w->machine->program->lanes;
  char *scratch = w->machine->scratch;
  for (;;) {
    const SimInsn *i = w->pc++;
    if (w->inFlight && !simWgmmaAllows(w, i))
      return SimStatus_Fault;
    if (!i->pure) {
      const SimStatus status = i->effect(w, i);
      if (status)
        return status;
    } else if (w->active == w->full) {
      i->pure(i, w->regs, w->regs + i->result);
    } else {
      i->pure(i, w->regs, scratch);
      simBlend(w->regs + i->result, scratch, i->count, i->log2Bytes, lanes, w->active);
    }
  }
}

/// " (program (1, 0, 0), warp 3, lane 5)".
static void appendPlace(const SimWarp *w, int lane, char *text, size_t size) {
  const size_t used = strlen(text);
  const uint32_t *id = w->machine->id;
  const int n =
      snprintf(text + used, size - used, " (program (%u, %u, %u), warp %u", id[0], id[1], id[2], w->index);
  if (n < 0 || (size_t)n >= size - used)
    return;
  if (lane >= 0)
    snprintf(text + used + n, size - used - (size_t)n, ", lane %d)", lane);
  else
    snprintf(text + used + n, size - used - (size_t)n, ")");
}

SimStatus simFault(SimWarp *w, const SimInsn *i, int lane, const char *format, ...) {
  SimFault *fault = &w->machine->fault;
  if (fault->set)
    return SimStatus_Fault;
  va_list values;
  va_start(values, format);
  vsnprintf(fault->text, sizeof fault->text - 96, format, values);
  va_end(values);
  appendPlace(w, lane, fault->text, sizeof fault->text);
  fault->set = true;
  fault->op = i ? i->op : SIM_NO_BLOCK;
  fault->otherOp = SIM_NO_BLOCK;
  return SimStatus_Fault;
}

void simFaultNote(SimMachine *m, uint32_t otherOp, const char *format, ...) {
  if (m->fault.otherOp != SIM_NO_BLOCK)
    return;
  va_list values;
  va_start(values, format);
  vsnprintf(m->fault.note, sizeof m->fault.note, format, values);
  va_end(values);
  m->fault.otherOp = otherOp;
}
