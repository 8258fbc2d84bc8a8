/* Decode.h - private to lib/Simulator: from LLVM-dialect operations to the program of Sim.h.
 *
 * A value becomes a list of slots, one for each number in it (component of a vector, field of a struct), so
 * that taking values apart and putting them together costs nothing: the lists are rearranged here. */
#ifndef TILE_LIB_SIMULATOR_DECODE_H
#define TILE_LIB_SIMULATOR_DECODE_H
#include "Kernels.h"
#include "mlir-c/IR.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/PointerMap.h"
#include "tile-c/Target.h"

/// One number.
typedef struct SimScalar {
  uint8_t log2Bytes;
  bool isPointer;
  uint16_t bits;
  SimFloat format; ///< SimFloat_None: an integer or pointer
} SimScalar;

/// A type as the list of its numbers, and where they lie in memory.
typedef struct SimType {
  uint32_t count;
  const SimScalar *scalars;
  const uint32_t *offsets; ///< bytes
  uint32_t size, alignment;
  uint32_t numFields;         ///< of a struct
  const uint32_t *fieldStart; ///< first number of each field, and `count` at the end
} SimType;

typedef struct SimValue {
  const SimType *type;
  const uint32_t *slots;
} SimValue;

typedef struct SimDecoder {
  TileArena *arena;
  TilePointerMap values, types, blocks, globals;
  SimProgram *program;
  uint32_t capacity, opCapacity;
  MlirOperation *ops; ///< by number, for messages
  MlirModule module;
  MlirOperation function;
  const TileTargetInfo *target;
  SimConstant *constants;
  uint32_t constantCapacity;
  TilePointerMap constantSlots[5]; ///< by container; key: the bits + 1, if they fit
  uint32_t op;                     ///< number of the operation that is being decoded
  uint32_t block;                  ///< number of the block
  SimMix mix;
  MlirBlock *order;   ///< blocks by number
  char *constantData; ///< of module-level constants; a buffer of its own
  uint64_t constantBytes;
  uint32_t grid[3];
  uint32_t
      programs[3]; ///< asked for; fewer blocks go over them if the kernel has a loop for that (ProgramLoop.h)
  double *wgmmaTables[8]; ///< values by bits, by TileNVWgmmaType
} SimDecoder;

typedef struct SimRow SimRow;
typedef bool (*SimDecode)(SimDecoder *d, MlirOperation op, const SimRow *row);
struct SimRow {
  SimDecode decode;
  SimMix mix;
  const SimKernels *kernels;
  uint64_t param;
};

/// Reports at the op; returns false.
bool simRefuse(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Types.c
/// NULL after a diagnostic at `op`.
const SimType *simTypeOf(SimDecoder *d, MlirOperation op, MlirType type);
/// Bytes that an element of the type takes in an array; -1 after a diagnostic.
int64_t simAllocSize(SimDecoder *d, MlirOperation op, MlirType type);
/// Elements of an !llvm.array; -1 if the type is none.
int64_t simArrayLength(MlirType type);

// Values.c
const SimValue *simUse(SimDecoder *d, MlirOperation op, MlirValue v);
void simDefine(SimDecoder *d, MlirValue v, const SimType *type, const uint32_t *slots);
/// Slots for every number of a type, one after the other.
uint32_t *simNewSlots(SimDecoder *d, const SimType *type);
uint32_t simNewSlot(SimDecoder *d, unsigned log2Bytes);
uint32_t simConstantSlot(SimDecoder *d, unsigned log2Bytes, uint64_t low, uint64_t high);
/// New slots for the op's only result; NULL after a diagnostic.
const SimValue *simResult(SimDecoder *d, MlirOperation op);
/// Operand k of the op.
const SimValue *simOperand(SimDecoder *d, MlirOperation op, intptr_t k);
bool simDecodeConstant(SimDecoder *d, MlirOperation op, const SimRow *row);

// Emission: the returned instruction is valid until the next one.
SimInsn *simEmitPure(SimDecoder *d, SimPure pure, uint32_t result, unsigned log2Bytes, uint32_t count);
SimInsn *simEmitEffect(SimDecoder *d, SimEffect effect);

/// The constant value of an integer operand; false if it is not constant.
bool simConstantOperand(MlirOperation op, intptr_t k, int64_t *out_value);

// Rows.c
/// How to decode an operation; NULL: unknown.
const SimRow *simRowOf(TileOpKind kind);
/// How to decode an intrinsic by its LLVM name; NULL: unknown.
const SimRow *simIntrinsicRow(MlirStringRef name);

// Elementwise.c and its like
bool simDecodeMap(SimDecoder *d, MlirOperation op, const SimRow *row);

// Function.c
/// Decodes the function's body into d->program. Entry arguments are defined already.
bool simDecodeFunction(SimDecoder *d);

#endif
