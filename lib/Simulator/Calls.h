/* Calls.h - private to lib/Simulator: the functions that a driver gives to kernels. */
#ifndef TILE_LIB_SIMULATOR_CALLS_H
#define TILE_LIB_SIMULATOR_CALLS_H
#include "Sim.h"

/// vprintf: operands a, b are the generic addresses of the format and of the values; `result` is a slot of 32
/// bits. Lanes print in ascending order.
SimStatus simPrint(SimWarp *w, const SimInsn *i);
/// __assertfail: operand a is the message's address. Always a fault.
SimStatus simAssertFail(SimWarp *w, const SimInsn *i);
#endif
