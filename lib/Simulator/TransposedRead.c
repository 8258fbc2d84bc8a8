/* TransposedRead.c - CDNA4's ds_read_b64_tr_b*: each 16 lanes read 8 bytes each and get columns of what they read.
 *
 * With e elements of 64 / e bits in 8 bytes, the 16 lanes' bytes in order are e rows of 16 elements; lane l of
 * the 16 gets column l, row by row. */
#include "Counters.h"
#include "Matrix.h"
#include "Memory.h"
#include <string.h>

enum { GROUP = 16, BYTES = 8 };

/// Column `column` of the rows that a group's lanes have read.
static uint64_t columnOf(const uint64_t *group, unsigned column, unsigned bits) {
  const unsigned elements = 64 / bits, mask = (1u << bits) - 1;
  uint64_t result = 0;
  for (unsigned row = 0; row < elements; ++row) {
    const unsigned at = row * GROUP + column;
    const uint64_t element = group[at / elements] >> at % elements * bits & mask;
    result |= element << row * bits;
  }
  return result;
}

SimStatus simTransposedRead(SimWarp *w, const SimInsn *i) {
  const SimTransposedRead *read = i->data;
  const unsigned lanes = w->machine->program->lanes;
  SimPlaces places;
  uint64_t words[SIM_MAX_LANES];
  if (w->active != w->full)
    return simFault(w, i, __builtin_ctzll(w->full & ~w->active),
                    "is executed by a part of the warp's lanes, expected all");
  if (!simLocate(w, i, SimSpace_Shared, SIM_SLOT(uint64_t, w, i->a), BYTES, BYTES, w->full, SimDirection_Read,
                 &places) ||
      !simRecordReads(w, i, &places, w->full, 0, BYTES, false))
    return SimStatus_Fault;
  for (unsigned lane = 0; lane < lanes; ++lane)
    memcpy(&words[lane], places.at[lane], BYTES);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const uint64_t column = columnOf(words + lane / GROUP * GROUP, lane % GROUP, read->bits);
    const size_t size = BYTES / read->count;
    for (unsigned k = 0; k < read->count; ++k)
      memcpy(w->regs + read->slots[k] + lane * size, (const char *)&column + k * size, size);
  }
  if (w->machine->counters)
    simCountShared(w, i, SimBankRule_Amd, places.shared, places.offset, BYTES);
  return SimStatus_Next;
}
