/* Memory.h - private to lib/Simulator: accesses of lanes to every kind of memory. */
#ifndef TILE_LIB_SIMULATOR_MEMORY_H
#define TILE_LIB_SIMULATOR_MEMORY_H
#include "Sim.h"

enum { SIM_MAX_ACCESS = 256 /* bytes of one lane */ };

/// LLVM address spaces of both vendors.
typedef enum SimSpace {
  SimSpace_Generic = 0,
  SimSpace_Global = 1,
  SimSpace_Shared = 3,
  SimSpace_Constant = 4,
  SimSpace_Local = 5,
} SimSpace;

/// A number of an access's value.
typedef struct SimPart {
  uint32_t slot, other; ///< other: for lanes that are masked off
  uint16_t offset;      ///< bytes from the address
  uint8_t log2Bytes;
} SimPart;

/// `data` of an access. Instruction operand a is the address (8 bytes), b the predicate if there is one.
typedef struct SimAccess {
  SimSpace space;
  uint16_t bytes, alignment;
  bool isPredicated, isAtomic;
  bool asks;     ///< a load that sees what other programs do meanwhile: atomic or volatile
  uint16_t bits; ///< width of integers of odd sizes, to clear the bits above; 0: none
  uint32_t numParts;
  const SimPart *parts;
} SimAccess;

/// What the message says of an access.
typedef enum SimDirection { SimDirection_Read, SimDirection_Write, SimDirection_Both } SimDirection;

/// Where the lanes of an access find their bytes.
typedef struct SimPlaces {
  char *at[SIM_MAX_LANES];
  uint64_t offset[SIM_MAX_LANES];   ///< in the buffer, or in shared memory
  SimBuffer *buffer[SIM_MAX_LANES]; ///< global memory; NULL elsewhere
  uint64_t global, shared;          ///< lanes that address the kind
} SimPlaces;

/// Finds and checks the places; false after a fault. Lanes outside memory get a place that does not matter if
/// that is not checked.
bool simLocate(SimWarp *w, const SimInsn *i, SimSpace space, const uint64_t *addresses, unsigned bytes,
               unsigned alignment, uint64_t mask, SimDirection direction, SimPlaces *out);
/// Records accesses of `bytes` at `delta` from the places for the race checks. same: see Shadow.h; bit by
/// lane.
bool simRecordReads(SimWarp *w, const SimInsn *i, const SimPlaces *places, uint64_t mask, unsigned delta,
                    unsigned bytes, bool isAtomic);
bool simRecordWrites(SimWarp *w, const SimInsn *i, const SimPlaces *places, uint64_t mask, uint64_t same,
                     unsigned delta, unsigned bytes, bool isAtomic);
/// The message about a conflict in shared memory; false.
bool simReportShared(SimWarp *w, const SimInsn *i, uint64_t lane, const SimConflict *c);
/// Copies a number from (to) the places.
void simGather(char *slot, const SimPlaces *places, uint64_t mask, unsigned delta, unsigned log2Bytes);
void simScatter(const char *slot, const SimPlaces *places, uint64_t mask, unsigned delta, unsigned log2Bytes);

SimStatus simLoad(SimWarp *w, const SimInsn *i);
SimStatus simStore(SimWarp *w, const SimInsn *i);

/// "argument 2", "shared memory" ... in `text`.
const char *simDescribePlace(const SimWarp *w, const SimBuffer *buffer, char *text, size_t size);
#endif
