/* Decode.h - from MLIR to instructions; private to lib/Interpreter.
 *
 * Each op family has a file with its decoders and its executors. A decoder gets an op, makes the slots of its
 * results and emits instructions; it returns false after a diagnostic. */
#ifndef TILE_LIB_INTERPRETER_DECODE_H
#define TILE_LIB_INTERPRETER_DECODE_H
#include "Program.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerMap.h"

typedef struct Storage {
  struct Storage *previous;
  size_t bytes;
} Storage;

/// A function being inlined, innermost first: recursion is found by walking it.
typedef struct Frame {
  MlirOperation function;
  const struct Frame *caller;
} Frame;

typedef struct Decoder {
  MlirModule module;
  TileArena arena;       ///< slots and instructions
  TilePointerMap values; ///< MlirValue.ptr to Slot
  Storage *storage;      ///< tensors' bytes, each allocated by itself
  size_t storageBytes, maxStorageBytes;
  Instruction **code;
  int numCode, codeCapacity;
  size_t scratchBytes; ///< what the largest parallel move needs
  Body *body;          ///< the combiner body being decoded, or NULL
  const Frame *frame;
  int numCalls; ///< calls inlined so far
} Decoder;

typedef bool (*Decode)(Decoder *d, MlirOperation op);

/// Decodes one op that is not a terminator.
bool interpDecodeOp(Decoder *d, MlirOperation op);
/// Decodes a region whose block arguments already have slots. The operands of its terminator (of a single
/// block: the very slots, of several: copies) come out in `out_results`, which has room for `numResults`.
bool interpDecodeRegion(Decoder *d, MlirRegion region, Slot **out_results, intptr_t numResults);
/// Decodes the ops of a block up to its terminator, which is returned; null after a diagnostic.
MlirOperation interpDecodeBlock(Decoder *d, MlirBlock block);
/// Decodes a combiner region for `lanes` lanes.
Body *interpDecodeBody(Decoder *d, MlirOperation op, MlirRegion region, int64_t lanes);

/// The slot of an operand; in a combiner body, repeated in lanes if it comes from outside. NULL after a
/// diagnostic. A null value gives a null slot without one: see `interpUse`.
Slot *interpUse(Decoder *d, MlirOperation user, MlirValue value);
/// A new slot of this type with storage; NULL after a diagnostic at `op`.
Slot *interpNewSlot(Decoder *d, MlirOperation op, MlirType type);
/// As interpNewSlot for result `index` of `op`, bound to it.
Slot *interpResultSlot(Decoder *d, MlirOperation op, intptr_t index);
/// A slot of this type that shares the storage of `source` (same number of bytes).
Slot *interpAliasSlot(Decoder *d, MlirOperation op, MlirType type, const Slot *source);
void interpBind(Decoder *d, MlirValue value, Slot *slot);
/// Bytes that live as long as the decoded kernel; NULL after a diagnostic.
char *interpNewStorage(Decoder *d, MlirOperation op, int64_t count, size_t size);

/// What a block of storage holds.
char *interpStorageBytes(Storage *block);

/// Emits an instruction with room for the slots, which the caller fills.
Instruction *interpEmit(Decoder *d, MlirOperation op, Execute execute, int numOperands, int numResults);
/// Emits an instruction with the op's operands and results in order, making the results' slots.
Instruction *interpEmitOp(Decoder *d, MlirOperation op, Execute execute);
/// Emits copies, as if all at once, of `sources` to `destinations`.
bool interpEmitMove(Decoder *d, MlirOperation op, int count, Slot *const *sources, Slot *const *destinations);
/// Emits a jump; with a condition slot it is taken if the condition is false. The target is set by the
/// caller.
Instruction *interpEmitJump(Decoder *d, MlirOperation op, Slot *condition);

/// Whether a loop may go round until another program has done something: it has atomics, volatile loads or calls.
bool interpMayWait(Decoder *d, MlirOperation loop);
/// Emits what counts a round of such a loop, and puts the program aside after many.
void interpEmitRound(Decoder *d, MlirOperation op);
/// Executes every program of the machine's grid.
bool interpRunGrid(Decoder *d, Machine *m);

/// Pointers of the two slots may be the same: they share an origin.
void interpMergeOrigins(Decoder *d, Slot *a, Slot *b);
/// The pointer may point anywhere.
void interpSetOriginAny(Decoder *d, Slot *slot);
int interpOriginOf(const Slot *slot);

/// False and a diagnostic: the op cannot be executed here.
bool interpRefuse(MlirOperation op, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Families. Each sees an op of its own kinds only.
bool interpDecodeFloat(Decoder *d, MlirOperation op); ///< false without a diagnostic: no op of this family
bool interpIsFloatOp(TileOpKind kind);
bool interpDecodeInteger(Decoder *d, MlirOperation op);
bool interpIsIntegerOp(TileOpKind kind);
bool interpDecodeCompareFloat(Decoder *d, MlirOperation op);
bool interpDecodeCompareInteger(Decoder *d, MlirOperation op);
bool interpDecodeSelect(Decoder *d, MlirOperation op);
bool interpDecodeClassify(Decoder *d, MlirOperation op);
bool interpDecodeSincos(Decoder *d, MlirOperation op);
bool interpDecodePowerInteger(Decoder *d, MlirOperation op);
bool interpDecodeExtendedInteger(Decoder *d, MlirOperation op);
bool interpDecodeClamp(Decoder *d, MlirOperation op);
bool interpDecodeCast(Decoder *d, MlirOperation op);
bool interpDecodeBitcast(Decoder *d, MlirOperation op);
bool interpDecodeConstant(Decoder *d, MlirOperation op);
bool interpDecodePoison(Decoder *d, MlirOperation op);
bool interpDecodeProgramId(Decoder *d, MlirOperation op);
bool interpDecodeNothing(Decoder *d, MlirOperation op);

bool interpDecodeMakeRange(Decoder *d, MlirOperation op);
bool interpDecodeSplat(Decoder *d, MlirOperation op);
bool interpDecodeSameOrder(Decoder *d, MlirOperation op);
bool interpDecodeBroadcast(Decoder *d, MlirOperation op);
bool interpDecodeTrans(Decoder *d, MlirOperation op);
bool interpDecodeJoin(Decoder *d, MlirOperation op);
bool interpDecodeSplit(Decoder *d, MlirOperation op);
bool interpDecodeCat(Decoder *d, MlirOperation op);
bool interpDecodeGather(Decoder *d, MlirOperation op);
bool interpDecodeHistogram(Decoder *d, MlirOperation op);

bool interpDecodeAddPtr(Decoder *d, MlirOperation op);
bool interpDecodeLoad(Decoder *d, MlirOperation op);
bool interpDecodeStore(Decoder *d, MlirOperation op);
bool interpDecodeAtomicRMW(Decoder *d, MlirOperation op);
bool interpDecodeAtomicCAS(Decoder *d, MlirOperation op);
bool interpDecodeAtomicPoll(Decoder *d, MlirOperation op);
bool interpDecodeMakeDesc(Decoder *d, MlirOperation op);
bool interpDecodeDescLoad(Decoder *d, MlirOperation op);
bool interpDecodeDescStore(Decoder *d, MlirOperation op);
bool interpDecodeDescReduce(Decoder *d, MlirOperation op);
bool interpDecodeDescGather(Decoder *d, MlirOperation op);
bool interpDecodeDescScatter(Decoder *d, MlirOperation op);

bool interpDecodeDot(Decoder *d, MlirOperation op);
bool interpDecodeDotScaled(Decoder *d, MlirOperation op);
bool interpDecodeReduce(Decoder *d, MlirOperation op);
bool interpDecodeScan(Decoder *d, MlirOperation op);
bool interpDecodeMapElementwise(Decoder *d, MlirOperation op);
bool interpDecodeExtern(Decoder *d, MlirOperation op);
bool interpDecodeInlineAsm(Decoder *d, MlirOperation op);

bool interpDecodePrint(Decoder *d, MlirOperation op);
bool interpDecodeAssert(Decoder *d, MlirOperation op);

bool interpDecodeFor(Decoder *d, MlirOperation op);
bool interpDecodeWhile(Decoder *d, MlirOperation op);
bool interpDecodeIf(Decoder *d, MlirOperation op);
bool interpDecodeIndexSwitch(Decoder *d, MlirOperation op);
bool interpDecodeExecuteRegion(Decoder *d, MlirOperation op);
bool interpDecodeCall(Decoder *d, MlirOperation op);

#endif
