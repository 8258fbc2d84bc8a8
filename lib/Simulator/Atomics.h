/* Atomics.h - private to lib/Simulator: read-modify-write of memory, lane after lane. */
#ifndef TILE_LIB_SIMULATOR_ATOMICS_H
#define TILE_LIB_SIMULATOR_ATOMICS_H
#include "Kernels.h"
#include "Memory.h"

typedef enum SimAtomicKind {
  SimAtomic_Xchg,
  SimAtomic_Add,
  SimAtomic_Sub,
  SimAtomic_And,
  SimAtomic_Nand,
  SimAtomic_Or,
  SimAtomic_Xor,
  SimAtomic_Max,
  SimAtomic_Min,
  SimAtomic_UMax,
  SimAtomic_UMin,
  SimAtomic_FAdd,
  SimAtomic_FSub,
  SimAtomic_FMax,
  SimAtomic_FMin,
  SimAtomic_FMaximum,
  SimAtomic_FMinimum,
  SimAtomic_UIncWrap,
  SimAtomic_UDecWrap,
  SimAtomic_USubCond,
  SimAtomic_USubSat,
  SimAtomic_CmpXchg
} SimAtomicKind;

/// `data` of an atomic. Operand a is the address; the old value's numbers go to `old`.
typedef struct SimAtomicOp {
  SimAtomicKind kind;
  SimSpace space;
  SimFloat type; ///< of the float kinds
  unsigned log2Bytes, bits, alignment;
  uint32_t numParts;            ///< more than one: each is its own atomic (packed f16, vectors of f32)
  const uint32_t *values, *old; ///< `old` may be null
  uint32_t expected, success;   ///< of CmpXchg; success is a byte slot
  bool acquires, publishes;
} SimAtomicOp;

SimStatus simAtomic(SimWarp *w, const SimInsn *i);
/// Loads and stores with an order: the data, then what they tell of the order.
SimStatus simAcquireLoad(SimWarp *w, const SimInsn *i);
SimStatus simReleaseStore(SimWarp *w, const SimInsn *i);
#endif
