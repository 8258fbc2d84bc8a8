/* Sim.h - private to lib/Simulator: the decoded program and the machine that executes it. Knows no MLIR. */
#ifndef TILE_LIB_SIMULATOR_SIM_H
#define TILE_LIB_SIMULATOR_SIM_H
#include "Shadow.h"
#include "tile-c/Simulator.h"
#include "tile-c/Support/Arena.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
  SIM_MAX_LANES = 64,
  SIM_MAX_WARPS = 64,
  SIM_MAX_CLOCKS = 6 * SIM_MAX_WARPS, ///< see Hopper.h
  SIM_NUM_BARRIERS = 16,
  SIM_MAX_EDGES = 256,                ///< of a switch
  SIM_MAX_FRAMES = 4 * SIM_MAX_LANES, ///< see Control.c
};
static const uint32_t SIM_NO_BLOCK = UINT32_MAX;

typedef struct SimInsn SimInsn;
typedef struct SimWarp SimWarp;
typedef struct SimMachine SimMachine;
typedef struct SimCluster SimCluster;
typedef unsigned __int128 SimU128;
typedef __int128 SimS128;

// ---- The program ----

/* A value is a list of slots, one for each number in it. A slot is an array of one number for each lane, at a
 * byte offset in the warp's register file. Numbers are unsigned integers of 1, 2, 4, 8 or 16 bytes with zeros
 * above their width, or the bits of floats. */

/// Computes `result` for every lane of the insn, active or not: touches nothing else and never traps.
typedef void (*SimPure)(const SimInsn *i, const char *regs, char *result);
typedef enum SimStatus {
  SimStatus_Next,  ///< go on
  SimStatus_Yield, ///< the warp has to wait, or has used its turn; `pc` says where it goes on
  SimStatus_Ended, ///< all lanes have returned
  SimStatus_Fault  ///< the machine's fault is set
} SimStatus;
/// Anything else; obeys the warp's mask by itself. `pc` is already at the next instruction.
typedef SimStatus (*SimEffect)(SimWarp *w, const SimInsn *i);

struct SimInsn {
  SimPure pure; ///< or NULL, then `effect`
  SimEffect effect;
  uint32_t result;   ///< slot
  uint32_t count;    ///< numbers computed: lanes times components
  uint32_t a, b, c;  ///< operand slots
  uint8_t log2Bytes; ///< of a result's number
  uint8_t mix;       ///< SimMix
  uint16_t bits;     ///< width of the operation's integers
  uint32_t op;       ///< the operation, for messages
  const void *data;  ///< what the kind of instruction needs
  uint64_t param;
};

/// Instruction classes of the statistics.
typedef enum SimMix {
  SimMix_Other,
  SimMix_Integer,
  SimMix_Float,
  SimMix_Convert,
  SimMix_Special, ///< transcendental functions, division, square root
  SimMix_Select,  ///< comparisons and selections
  SimMix_Control,
  SimMix_Global,
  SimMix_Shared,
  SimMix_Atomic,
  SimMix_CrossLane,
  SimMix_Matrix,
  SimMix_Barrier,
  SimMix_Async,
  SimMix_Count
} SimMix;

/// Copies a slot on a branch.
typedef struct SimMove {
  uint32_t from, to;
  uint8_t log2Bytes;
} SimMove;

typedef struct SimEdge {
  uint32_t block;
  uint32_t numMoves;
  const SimMove *moves;
  bool overlapping; ///< a destination is also a source
} SimEdge;

typedef struct SimBlock {
  uint32_t first, count; ///< instructions
  uint32_t meet;         ///< where lanes that part here meet again: the immediate post-dominator, or none
} SimBlock;

typedef struct SimConstant {
  uint32_t slot;
  uint8_t log2Bytes;
  uint64_t low, high;
} SimConstant;

/// A range of addresses: a buffer argument (or several that overlap), or constant data.
typedef struct SimBuffer {
  uint64_t address; ///< a multiple of 2^40
  uint64_t bytes;
  char *data;
  int argument; ///< index of the first argument, -1: constant data
  bool readOnly;
  SimGlobalShadow shadow;
} SimBuffer;

typedef struct SimProgram {
  SimInsn *insns;
  uint32_t numInsns;
  SimBlock *blocks;
  uint32_t numBlocks;
  const SimConstant *constants;
  uint32_t numConstants;
  uint64_t regBytes;     ///< of one warp
  uint64_t scratchBytes; ///< for the widest value of a warp, and the values of a branch
  uint32_t sharedBytes;  ///< static and dynamic
  uint32_t localBytes;   ///< of one lane
  unsigned lanes;        ///< of a warp
  unsigned numWarps;
  unsigned numActors, numClocks; ///< both numWarps without sm_90's operations; else see Hopper.h
  bool usesHopper;
  const struct SimTensorMap *tensorMaps;
  unsigned numTensorMaps;
  unsigned threads[3]; ///< of a program
  unsigned cluster;    ///< blocks of a program: 1, or more that run side by side (Cluster.h)
  bool isAmd;
  bool storesCount;            ///< AMD: stores and loads share a counter (GFX9)
  bool ordered;                ///< programs talk to each other (atomics): they run in order, on one thread
  unsigned sectorBytes, banks; ///< of the counters: pieces of global requests, banks of shared memory
  unsigned globalGranule, sharedGranule; ///< bytes of the smallest access
  uint32_t numOps;
} SimProgram;

/// Addresses: buffer i (from 1) lies at i << 40; windows of other memories in the generic space lie above.
enum { SIM_BUFFER_SHIFT = 40, SIM_SHARED_WINDOW = 0x4000, SIM_LOCAL_WINDOW = 0x4001 };

// ---- The machine ----

typedef struct SimFault {
  bool set;
  uint32_t op;      ///< SIM_NO_BLOCK: none
  uint32_t otherOp; ///< for a note; SIM_NO_BLOCK: none
  char text[640], note[256];
} SimFault;

/// Lanes that run together, and where they meet those that wait.
typedef struct SimFrame {
  uint64_t mask;
  uint32_t block; ///< to go on at
  uint32_t meet;  ///< the frame ends there; SIM_NO_BLOCK: at the return
} SimFrame;

typedef enum SimWarpState { SimWarp_Ready, SimWarp_Waiting, SimWarp_Ended } SimWarpState;

struct SimWarp {
  SimMachine *machine;
  char *regs;
  const SimInsn *pc;
  uint64_t active;  ///< lanes that execute
  uint64_t live;    ///< lanes that have not returned
  uint64_t full;    ///< all lanes of a warp, in the program or not
  SimFrame *frames; ///< the last is the one that runs
  unsigned numFrames;
  unsigned index;
  SimWarpState state;
  const SimInsn *waitsAt; ///< the barrier that it waits at
  unsigned barrier;
  uint64_t steps, turn; ///< instructions executed; in this turn
  uint32_t *clock;      ///< per warp: what has happened before, see Shadow.h
  uint32_t laneClock;   ///< own clock when the lanes last synchronised
  uint32_t released;    ///< own clock of what it has published (AMD: by fences)
  uint32_t *pending;    ///< per warp: learned at barriers, not yet taken over by a fence (AMD)
  uint32_t generation;  ///< of the barrier that it has arrived at
  bool acquires;        ///< the barrier that it waits at is a fence too
  struct SimAsync *async;
  struct SimHopperWarp *inFlight; ///< NULL: no product is open
};

typedef struct SimBarrier {
  uint32_t arrived;  ///< threads
  uint32_t expected; ///< threads; 0: nobody has come yet
  uint64_t waiting;  ///< warps that wait
  uint64_t came;     ///< warps that have arrived
  const SimInsn *at; ///< where the first came
  uint32_t clock[SIM_MAX_CLOCKS],
      done[SIM_MAX_CLOCKS]; ///< published by those who came; by those of the last time
  uint32_t generation;      ///< times that it was complete
} SimBarrier;

typedef struct SimCounters SimCounters;

/// What all machines of a run share.
typedef struct SimRun {
  const SimProgram *program;
  SimBuffer *buffers; ///< index 1 to numBuffers
  unsigned numBuffers;
  uint32_t grid[3];
  uint64_t numPrograms;
  unsigned checks;
  uint64_t maxSteps;
  bool shuffle;
  bool inOrder; ///< programs wait for programs that started before: they start in ascending order
  uint64_t seed;
  SimCounters *total;   ///< NULL: no statistics wanted
  struct SimSync *sync; ///< orders that atomics make between programs; NULL if programs are not ordered
  atomic_bool stop;
  atomic_uint_least64_t next; ///< program to start
  void (*output)(const char *text, void *user);
  void *outputUser;
} SimRun;

/// One host thread's: executes one program after the other.
struct SimMachine {
  SimRun *run;
  const SimProgram *program;
  SimWarp *warps;
  char *shared;
  char *local; ///< warps times lanes times localBytes
  SimSharedShadow shadow;
  SimBarrier barriers[SIM_NUM_BARRIERS];
  uint64_t linear;    ///< index of the program in the grid
  uint32_t id[3];     ///< its coordinates
  uint32_t clockBase; ///< clocks of this program start above
  uint64_t random;    ///< state, for --shuffle
  char *scratch;      ///< a value of a warp
  SimFault fault;
  SimCounters *counters;      ///< NULL: not wanted
  struct SimCluster *cluster; ///< NULL: a program is one block
  struct SimHopper *hopper;   ///< NULL: the program has none of its operations
  unsigned turn;              ///< the warp that runs next
  bool others;                ///< other programs wait or are to come: this one may be put aside
  bool aside;                 ///< it was
  uint64_t asked;             ///< accesses that see what other programs do: atomics, acquiring loads
  uint64_t waited;            ///< instructions of turns with such accesses, since the program was put aside
  uint64_t *before;           ///< what is before the program, while it is put aside
  TileArena arena;
};

#define SIM_SLOT(T, w, slot) ((T *)(void *)((w)->regs + (slot)))
#define SIM_FOR_LANES(lane, mask)                                                                            \
  for (uint64_t rest_ = (mask), lane = 0; rest_ && (lane = (uint64_t)__builtin_ctzll(rest_), true);          \
       rest_ &= rest_ - 1)

/// Sets the machine's fault unless it has one: `format` without place; program, warp and lane are added.
/// lane < 0: none. `other`: an instruction that a note points to, or NULL.
SimStatus simFault(SimWarp *w, const SimInsn *i, int lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/// Gives the fault a note at another operation.
void simFaultNote(SimMachine *m, uint32_t otherOp, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Copies `count` numbers from `from` to `to` for the lanes of the mask; count is a multiple of the lanes.
void simBlend(char *to, const char *from, uint32_t count, unsigned log2Bytes, unsigned lanes, uint64_t mask);

// Warp.c
SimStatus simRunWarp(SimWarp *w);
// Barriers.c
/// A fault at the barrier that the first waiting warp waits at.
void simBarrierDeadlock(SimMachine *m);
// Machine.c
bool simMachineCreate(SimMachine *m, SimRun *run);
void simMachineRelease(SimMachine *m);
/// Executes programs until there is none left or a fault.
void simMachineRun(SimMachine *m);
/// Puts the program with this number, of the order in which they start, into the machine.
void simProgramStart(SimMachine *m, uint64_t number);
/// Runs the machine's program until it ends or, if `others`, is put `aside`. False: a fault.
bool simProgramContinue(SimMachine *m);
// Turns.c
/// As simMachineRun for programs that may wait for each other; `first` is the machine of the first one.
void simTurnsRun(SimMachine *first);
// Grid.c
/// Runs all programs on the host's cores. False: *out_fault says what happened.
bool simRunGrid(SimRun *run, unsigned numThreads, SimFault *out_fault);

uint64_t simRandom(uint64_t *state);

#endif
