/* RingState.c - where each ring stands, carried through loops and branches as the last of their values. */
#include "Rings.h"

TileRingState tileRingStateStart(TileRings *r, int64_t parity) {
  TileRingState state;
  for (int i = 0; i < r->count; ++i) {
    state.at[i][0] = tileTmaIndex(&r->c, 0);
    state.at[i][1] = tileTmaIndex(&r->c, parity);
  }
  return state;
}

intptr_t tileRingStateAppend(const TileRingState *state, const int *rings, int n, MlirValue *out) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      out[2 * i + k] = state->at[rings[i]][k];
  return 2 * n;
}

void tileRingStateFromResults(TileRingState *state, const int *rings, int n, MlirOperation op) {
  const intptr_t first = mlirOperationGetNumResults(op) - 2 * n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      state->at[rings[i]][k] = mlirOperationGetResult(op, first + 2 * i + k);
}

void tileRingStateFromArguments(TileRingState *state, const int *rings, int n, MlirBlock body) {
  const intptr_t first = mlirBlockGetNumArguments(body) - 2 * n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      state->at[rings[i]][k] = mlirBlockGetArgument(body, first + 2 * i + k);
}

void tileRingAdvance(TileRings *r, const TileRing *ring, MlirValue at[2]) {
  MlirValue next[2];
  r->c.numBuffers = ring->numBuffers;
  tileTmaAdvance(&r->c, at[0], at[1], next);
  at[0] = next[0];
  at[1] = next[1];
}
