/* LdMatrix.c - ldmatrix and stmatrix: rows of 16 bytes at the addresses of groups of eight lanes. */
#include "Counters.h"
#include "Matrix.h"
#include "Memory.h"
#include <string.h>

enum { RowBytes = 16 };

static uint64_t addressMask(const SimLdMatrix *m) {
  return m->count == 4 ? UINT32_MAX : (UINT64_C(1) << 8 * m->count) - 1;
}

static bool locate(SimWarp *w, const SimInsn *i, SimDirection direction, SimPlaces *places) {
  const SimLdMatrix *m = i->data;
  if (w->active != w->full)
    return simFault(w, i, __builtin_ctzll(w->full & ~w->active),
                    "is executed by a part of the warp's lanes, expected all"),
           false;
  return simLocate(w, i, SimSpace_Shared, SIM_SLOT(uint64_t, w, i->a), RowBytes, RowBytes, addressMask(m),
                   direction, places);
}

static void count(SimWarp *w, const SimInsn *i, const SimPlaces *places) {
  if (w->machine->counters)
    simCountShared(w, i, SimBankRule_Rows, places->shared, places->offset, RowBytes);
}

SimStatus simLoadMatrix(SimWarp *w, const SimInsn *i) {
  const SimLdMatrix *m = i->data;
  SimPlaces places;
  if (!locate(w, i, SimDirection_Read, &places) ||
      !simRecordReads(w, i, &places, addressMask(m), 0, RowBytes, false))
    return SimStatus_Fault;
  for (unsigned matrix = 0; matrix < m->count; ++matrix)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned h = 0; h < 2; ++h) {
        const SimElement e = simLdMatrixElement(m->transposed, lane, h);
        char *to = w->regs + m->slots[matrix] + 4 * lane + 2 * h;
        memcpy(to, places.at[8 * matrix + e.row] + 2 * e.column, 2);
      }
  count(w, i, &places);
  return SimStatus_Next;
}

SimStatus simStoreMatrix(SimWarp *w, const SimInsn *i) {
  const SimLdMatrix *m = i->data;
  SimPlaces places;
  if (!locate(w, i, SimDirection_Write, &places) ||
      !simRecordWrites(w, i, &places, addressMask(m), 0, 0, RowBytes, false))
    return SimStatus_Fault;
  for (unsigned matrix = 0; matrix < m->count; ++matrix)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned h = 0; h < 2; ++h) {
        const SimElement e = simLdMatrixElement(m->transposed, lane, h);
        memcpy(places.at[8 * matrix + e.row] + 2 * e.column, w->regs + m->slots[matrix] + 4 * lane + 2 * h,
               2);
      }
  count(w, i, &places);
  return SimStatus_Next;
}
