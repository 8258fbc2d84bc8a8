/* Machine.c - the loop that executes instructions, its error reports, and copying by element size. */
#include "Program.h"
#include "tile-c/IR.h"
#include <stdio.h>

bool interpRun(Machine *m, int begin, int end) {
  int previous = m->next;
  for (int pc = begin; pc < end; pc = m->next) {
    const Instruction *i = m->code[pc];
    m->next = pc + 1;
    if (m->maxSteps && ++m->steps > m->maxSteps)
      return interpError(m, i, "the limit of %lld steps is reached", (long long)m->maxSteps);
    if (!i->execute(m, i))
      return false;
  }
  m->next = previous;
  return true;
}

bool interpError(const Machine *m, const Instruction *i, const char *format, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  tileEmitOpError(i->op, "program (%u, %u, %u): %s", m->program[0], m->program[1], m->program[2], text);
  return false;
}

const char *interpElementText(const Slot *slot, int64_t element, char *text, size_t size) {
  int64_t index[MAX_RANK];
  for (int d = slot->rank; d-- > 0; element /= slot->shape[d])
    index[d] = element % slot->shape[d];
  size_t used = 0;
  text[0] = 0;
  for (int d = 0; d < slot->rank && used < size; ++d)
    used += (size_t)snprintf(text + used, size - used, "%s%lld%s", d ? ", " : "element [",
                             (long long)index[d], d + 1 == slot->rank ? "]" : "");
  return text;
}

static void copy1(uint8_t *to, int64_t toStride, const uint8_t *from, int64_t fromStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i * toStride] = from[i * fromStride];
}
static void copy2(uint16_t *to, int64_t toStride, const uint16_t *from, int64_t fromStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i * toStride] = from[i * fromStride];
}
static void copy4(uint32_t *to, int64_t toStride, const uint32_t *from, int64_t fromStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i * toStride] = from[i * fromStride];
}
static void copy8(uint64_t *to, int64_t toStride, const uint64_t *from, int64_t fromStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i * toStride] = from[i * fromStride];
}

void interpCopyElements(char *to, int64_t toStride, const char *from, int64_t fromStride, int64_t count,
                        size_t size) {
  if (toStride == 1 && fromStride == 1) {
    memcpy(to, from, (size_t)count * size);
    return;
  }
  switch (size) {
  case 1:
    copy1((uint8_t *)to, toStride, (const uint8_t *)from, fromStride, count);
    return;
  case 2:
    copy2((uint16_t *)to, toStride, (const uint16_t *)from, fromStride, count);
    return;
  case 4:
    copy4((uint32_t *)to, toStride, (const uint32_t *)from, fromStride, count);
    return;
  case 8:
    copy8((uint64_t *)to, toStride, (const uint64_t *)from, fromStride, count);
    return;
  default:
    for (int64_t i = 0; i < count; ++i)
      memcpy(to + i * toStride * (int64_t)size, from + i * fromStride * (int64_t)size, size);
  }
}
