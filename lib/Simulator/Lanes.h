/* Lanes.h - private to lib/Simulator: instructions by which lanes of a warp see each other's values. */
#ifndef TILE_LIB_SIMULATOR_LANES_H
#define TILE_LIB_SIMULATOR_LANES_H
#include "LaneMaps.h"
#include "Sim.h"

/// `data` of an instruction that moves numbers between lanes.
typedef struct SimLaneMove {
  uint32_t numParts;               ///< numbers of the value
  const uint32_t *from, *old, *to; ///< slots; old: of lanes that get nothing (DPP)
  uint32_t valid;                  ///< slot of shfl's predicate, or 0
  unsigned kind;                   ///< SimShfl, or DPP's control, or ds_swizzle's offset
  unsigned rowMask, bankMask;
  bool boundControl;
} SimLaneMove;

/// Faults unless every active lane names itself and active lanes only in the mask of 32 bits at `slot`.
bool simCheckMembers(SimWarp *w, const SimInsn *i, uint32_t slot);
SimStatus simShfl(SimWarp *w, const SimInsn *i);     ///< a: lanes that take part; b, c as above
SimStatus simBpermute(SimWarp *w, const SimInsn *i); ///< a: byte address of the lane, 4 times its number
SimStatus simDpp(SimWarp *w, const SimInsn *i);
SimStatus simSwizzle(SimWarp *w, const SimInsn *i);
SimStatus simReadLane(SimWarp *w, const SimInsn *i); ///< a: lane
SimStatus simReadFirstLane(SimWarp *w, const SimInsn *i);
SimStatus simPermlaneSwap(SimWarp *w,
                          const SimInsn *i); ///< kind: 16 or 32; from: both operands, to: both results
SimStatus simPermlaneX16(SimWarp *w, const SimInsn *i); ///< b, c: selectors of the lower and upper lanes

typedef enum SimVote { SimVote_Any, SimVote_All, SimVote_Ballot, SimVote_Uniform } SimVote;
SimStatus simVote(SimWarp *w, const SimInsn *i);     ///< a: lanes, b: predicate; param: SimVote
SimStatus simBallot(SimWarp *w, const SimInsn *i);   ///< a: predicate; result of log2Bytes
SimStatus simElect(SimWarp *w, const SimInsn *i);    ///< a: lanes
SimStatus simMatchAny(SimWarp *w, const SimInsn *i); ///< a: lanes, b: value of log2Bytes

/// param of a reduction across lanes.
typedef enum SimRedux {
  SimRedux_Add,
  SimRedux_And,
  SimRedux_Or,
  SimRedux_Xor,
  SimRedux_Max,
  SimRedux_Min,
  SimRedux_UMax,
  SimRedux_UMin,
  SimRedux_FMax,
  SimRedux_FMin
} SimRedux;
SimStatus simRedux(SimWarp *w, const SimInsn *i); ///< a: value, b: lanes

/// result = c + set bits of a below the lane, of its lower or upper half (param 32).
void simMbcnt(const SimInsn *i, const char *regs, char *result);
/// PTX prmt in its default mode: bytes of {b, a} by the nibbles of c.
void simPrmt(const SimInsn *i, const char *regs, char *result);
#endif
