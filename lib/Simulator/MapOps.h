/* MapOps.h - private to lib/Simulator: decoders of operations that act on each number alone. */
#ifndef TILE_LIB_SIMULATOR_MAPOPS_H
#define TILE_LIB_SIMULATOR_MAPOPS_H
#include "Decode.h"

/// An instruction for all numbers of the values if they lie together, else one for each.
void simEmitMap(SimDecoder *d, SimPure pure, unsigned n, const SimValue *const *operands,
                const SimValue *result, unsigned bits, uint64_t param);
SimPure simKernelFor(const SimKernels *kernels, const SimScalar *s);
/// The bits of one value as numbers of other widths.
bool simEmitRepack(SimDecoder *d, MlirOperation op, const SimValue *from, const SimValue *to);

bool simDecodeMap(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeDivide(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeFma(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeICmp(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeFCmp(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeSelect(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeCast(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAlias(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodePointerCast(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBitcast(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeOverflow(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeNothing(SimDecoder *d, MlirOperation op, const SimRow *row);

// Aggregates.c
bool simDecodeExtractElement(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeInsertElement(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeShuffleVector(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeExtractValue(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeInsertValue(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeVectorReduce(SimDecoder *d, MlirOperation op, const SimRow *row);

// Function.c
bool simDecodeBr(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeCondBr(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeSwitch(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeReturn(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeUnreachable(SimDecoder *d, MlirOperation op, const SimRow *row);

// MemoryOps.c
bool simDecodeLoad(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeStore(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeTileNVLoad(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeTileNVStore(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeTileNVAdd(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeGEP(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAlloca(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAddressOf(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAddrSpaceCast(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAtomicRMW(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeCmpXchg(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeFence(SimDecoder *d, MlirOperation op, const SimRow *row);
int simPointerSpace(MlirValue pointer);

// LaneOps.c
bool simDecodeShfl(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeVote(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeElect(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeMatch(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeRedux(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAmdPermute(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodePermute(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBpermute(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeReadLane(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeReadFirstLane(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBallot(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeDpp(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeSwizzle(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodePermlaneSwap(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodePermlaneX16(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeMbcnt(SimDecoder *d, MlirOperation op, const SimRow *row);

// CallOps.c
bool simDecodeCall(SimDecoder *d, MlirOperation op, const SimRow *row);

// AsyncOps.c
bool simDecodeCpAsync(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAsyncCommit(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAsyncWait(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeLoadToLds(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBufferLoadLds(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeSWaitcnt(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeWaitCounter(SimDecoder *d, MlirOperation op, const SimRow *row);

// BufferOps.c
bool simDecodeMakeResource(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBufferLoad(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBufferStore(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBufferAtomic(SimDecoder *d, MlirOperation op, const SimRow *row);

// ConvertOps.c
bool simDecodeToTF32(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAmdFromFloat8(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAmdPairFromFloat8(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeAmdPairToFloat8(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodePackRtz(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeMedian(SimDecoder *d, MlirOperation op, const SimRow *row);

// SpecialOps.c: `param` says which register or constant
bool simDecodeThreadId(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeProgramId(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeUniform(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeLaneId(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeSteps(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeWarpId(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeBarrier(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeNamedBarrier(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeSplitBarrier(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeWarpBarrier(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeCallIntrinsic(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeInlineAsm(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeFlushed(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeToFloat8(SimDecoder *d, MlirOperation op, const SimRow *row);
bool simDecodeFromFloat8(SimDecoder *d, MlirOperation op, const SimRow *row);
#endif
