/* Lowering.h - the state and the helpers that all emitters of the lowering share.
 *
 * One walk over the structured program: every tensor value becomes the list of one thread's registers, a
 * scalar is a list of one. An emitter takes an op, looks up its operands' registers, builds LLVM-dialect ops
 * at the builder's insertion point and binds the results. What NVIDIA and AMD do differently is behind
 * TileLoweringHooks. */
#ifndef TILE_LIB_CONVERSION_LOWERING_H
#define TILE_LIB_CONVERSION_LOWERING_H
#include "tile-c/AxisInfo.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Dialect/TileGPUMatrix.h"
#include "tile-c/IR.h"
#include "tile-c/LayoutShared.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/PointerMap.h"
#include "tile-c/Target.h"

typedef struct TileRegisters {
  intptr_t count;
  MlirValue *values;
} TileRegisters;

typedef struct TileLowering TileLowering;

/// One vector access of a thread to global memory.
typedef struct TileAccess {
  MlirValue pointer;   ///< !llvm.ptr<1>, aligned to `alignment`
  MlirValue predicate; ///< i1, or null: always
  MlirType element;    ///< in memory: i8 for i1, the LLVM type otherwise
  int width;           ///< elements
  int alignment;       ///< bytes
  int cache, evict;    ///< TileCacheModifier, TileEvictionPolicy
  bool isVolatile;
  bool othersMatter;  ///< of a load: `others` are wanted where the predicate is false; else anything, or zero
  MlirValue resource; ///< of a buffer access, in place of the pointer; else null
  MlirValue offset;   ///< i32, bytes from the resource's start
} TileAccess;

/// A matrix instruction and the sizes and types of the product it is used in.
enum { TileMatrix_MaxFragment = 32 };
typedef struct TileMatrixCall {
  const TileMatrixChoice *instr;
  const TileMatrixSizes *sizes;
} TileMatrixCall;

/// What differs between the vendors.
typedef struct TileLoweringHooks {
  TileVendor vendor; ///< whose chips they are for
  MlirValue (*threadId)(TileLowering *l);
  MlirValue (*programId)(TileLowering *l, int axis);
  MlirValue (*numPrograms)(TileLowering *l, int axis);
  /// Loads access->width elements into out; where the predicate is false they are others[i].
  void (*load)(TileLowering *l, const TileAccess *access, const MlirValue *others, MlirValue *out);
  /// Single elements of 16 bits are better taken out of a loaded word than loaded into half a register.
  bool loadsHalfWords;
  bool loadsBranch; ///< a load under a predicate is a branch: better one for several loads
  void (*store)(TileLowering *l, const TileAccess *access, const MlirValue *values);
  /// Adds access->width f32 (2 or 4) or elements of 16 bits (2, 4 or 8) to global memory, relaxed, in the scope of the chip. Null where no chip can
  /// (TileFeature_AtomicAddF32Vec).
  void (*addVector)(TileLowering *l, const TileAccess *access, const MlirValue *values);
  /// A buffer resource of 2^31 bytes from a pointer that is the same in all lanes; `computed`: by ops after which it may be in vector registers. Null
  /// where no chip has them.
  MlirValue (*makeResource)(TileLowering *l, MlirValue base, bool computed);
  /// All threads of the program have arrived, and see what was stored to shared memory before.
  void (*barrier)(TileLowering *l);
  /// The same for global memory too.
  void (*fullBarrier)(TileLowering *l);
  /// Copies `bytes` (4, 8 or 16: the target's asyncCopyBytes) from global to shared memory without waiting; of
  /// these, `size` bytes (i32; null: all) are read, the rest becomes 0. Commit ends a group of them; wait
  /// leaves the newest `pending` groups under way. All null if the target has none.
  void (*asyncCopy)(TileLowering *l, MlirValue to, MlirValue from, int bytes, MlirValue size);
  void (*asyncCommit)(TileLowering *l);
  void (*asyncWait)(TileLowering *l, int64_t pending);
  /// Copies 16 bytes for each lane from a buffer access, without waiting, to `to` (the same in all lanes) and what
  /// follows, one lane behind the other; zeros where the predicate is false. A wait leaves the newest `open` of them under
  /// way. Null if no chip has them, as firstLane: the i32 of the warp's first lane, in all of them.
  void (*copyDirect)(TileLowering *l, MlirValue to, const TileAccess *from);
  void (*waitForCopies)(TileLowering *l, int64_t open);
  MlirValue (*firstLane)(TileLowering *l, MlirValue word);
  /// Loads `count` (1, 2, 4) 8x8 matrices of 16-byte rows: lane l's address is row l % 8 of matrix l / 8.
  /// Words of the fragment into out. Null if the target has none.
  void (*loadMatrix)(TileLowering *l, MlirValue address, int count, bool transposed, MlirValue *out);
  /// The 8 bytes of a transposing read (LayoutShared.h), as a vector of elements of so many bits. Null if no chip has it.
  MlirValue (*loadTransposed)(TileLowering *l, MlirValue address, int bits);
  /// The other way.
  void (*storeMatrix)(TileLowering *l, MlirValue address, int count, bool transposed, const MlirValue *words);
  /// The lanes of a warp have arrived, and see what they stored to shared memory before.
  void (*warpBarrier)(TileLowering *l);
  /// Whether any lane's i1 is true, as a value that is the same in all lanes. Null where a branch on the lane's own
  /// condition costs no more.
  MlirValue (*anyLane)(TileLowering *l, MlirValue condition);
  /// Whether any lane's i1 is true, asked where all lanes of a warp are: branches on it part none. Null: they have no need to.
  MlirValue (*voteAny)(TileLowering *l, MlirValue condition);
  /// The i32 of lane (own ^ laneMask).
  MlirValue (*shuffleXor)(TileLowering *l, MlirValue word, int laneMask);
  /// Waits for the launch before this one, or lets the one after it begin. Null where no chip can.
  void (*gridDependency)(TileLowering *l, bool wait);
  /// The i32 that all lanes of the warp together have under a commutative integer op, in one instruction; null if
  /// the target has none for it (the hook may be null too).
  MlirValue (*reduceWarp)(TileLowering *l, TileOpKind op, MlirValue word);
  /// LLVM's name of a TileMemScope.
  const char *(*syncScope)(int64_t scope);
  /// The i32 of the lane with this number (i32).
  MlirValue (*shuffleIndex)(TileLowering *l, MlirValue word, MlirValue lane);
  /// A barrier of shared memory in each of `groups` groups: four warps (a warp group), or one. Null where there are none.
  void (*groupBarrier)(TileLowering *l, int64_t groups);
  /// All threads of the cluster's blocks meet; null where there are no clusters.
  void (*clusterBarrier)(TileLowering *l);
  /// Marks the function as a kernel launched with `threads` threads.
  void (*markKernel)(TileLowering *l, MlirOperation function, int threads);
  /// f32 primitives that one instruction (or the back end's short sequence) computes.
  MlirValue (*exp2)(TileLowering *l, MlirValue x);
  MlirValue (*exp2Normal)(TileLowering *l, MlirValue x); ///< a subnormal result may become 0
  MlirValue (*log2)(TileLowering *l, MlirValue x);
  MlirValue (*rsqrt)(TileLowering *l, MlirValue x);
  MlirValue (*sqrt)(TileLowering *l, MlirValue x);
  MlirValue (*tanh)(TileLowering *l, MlirValue x); ///< an approximation; null where no chip has one
  MlirValue (*divide)(TileLowering *l, MlirValue x, MlirValue y);
  /// The upper half of a product of i32 or i64; null where the back end finds it in a product of twice the width.
  MlirValue (*mulHigh)(TileLowering *l, bool isSigned, MlirValue x, MlirValue y);
  MlirValue (*divideNormal)(TileLowering *l, MlirValue x, MlirValue y); ///< 2^-126 <= |y| <= 2^126
  /// 8-bit floats by an instruction of the chip, two at a time; false if it has none for the format.
  /// f32ToFloat8 rounds to nearest even, saturates, keeps NaN. May be null altogether.
  bool (*float8ToF32)(TileLowering *l, TileElementType from, const MlirValue bits[2], MlirValue out[2]);
  bool (*f32ToFloat8)(TileLowering *l, TileElementType to, const MlirValue x[2], MlirValue out[2]);
  /// Four integers of 8 bits as floats, exactly, by few instructions; false if there is no such way. May be null.
  bool (*widenBytes)(TileLowering *l, bool isSigned, TileElementType to, const MlirValue bytes[4],
                     MlirValue out[4]);
  /// Four 8-bit floats as f16, bf16 or f32, exactly; false if there is no such way. May be null.
  bool (*widenFloat8)(TileLowering *l, TileElementType from, TileElementType to, const MlirValue bytes[4],
                      MlirValue out[4]);
  /// Products of bf16, rounded to nearest even, two at a time. Null: LLVM's.
  void (*multiplyBrains)(TileLowering *l, const MlirValue x[2], const MlirValue y[2], MlirValue out[2]);
  /// Four bytes as an i32 by few instructions; false if there is no such way. May be null.
  bool (*packBytes)(TileLowering *l, const MlirValue bytes[4], MlirValue *out_word);
  /// printf of `format` (`size` bytes, the ending zero among them) with values of i32, i64 or f64. Null: the
  /// target cannot print.
  void (*print)(TileLowering *l, const char *format, size_t size, intptr_t n, const MlirValue *values);
  /// Whether the instruction can be emitted.
  bool (*hasMatrix)(TileLowering *l, const TileMatrixCall *call);
  /// The values that the instruction takes for a fragment of n elements, in its order; how many.
  int (*packFragment)(TileLowering *l, const TileMatrixCall *call, TileMatrixRole role,
                      const MlirValue *elements, int n, MlirValue *out);
  /// The elements of an accumulator.
  void (*unpackFragment)(TileLowering *l, const TileMatrixCall *call, const MlirValue *packed, int count,
                         MlirValue *elements, int n);
  /// One instruction; acc is what is added and becomes the sum. If instr->transposed, `a` is the second
  /// operand's fragment and `b` the first's.
  void (*multiply)(TileLowering *l, const TileMatrixCall *call, const MlirValue *a, int na,
                   const MlirValue *b, int nb, MlirValue *acc, int nacc);
  /// Says that an assertion failed: its message and l->loc. Null: the target cannot. A trap follows.
  void (*sayFailed)(TileLowering *l, MlirStringRef message);
} TileLoweringHooks;

struct TileLowering {
  MlirContext context;
  TileBuilder b;        ///< appends to the current block
  TileBuilder prologue; ///< inserts into the function's first block: values that every block may use
  MlirLocation loc;     ///< of the op being lowered
  TileArena *arena;
  TilePointerMap values; ///< MlirValue -> TileRegisters
  TilePointerMap
      coordinates; ///< layout attribute -> MlirValue[TileLayout_MaxRank], thread part of the coordinates
  TilePointerMap constants; ///< attribute -> MlirValue in the prologue
  const TileLoweringHooks *hooks;
  const TileTargetInfo *target;
  TileAxisInfo *axis;
  MlirRegion body;   ///< of the function being built
  intptr_t firstMap; ///< its parameter that is the first tensor map
  intptr_t numMaps;
  bool prefetched; ///< the tensor maps
  int cluster;     ///< blocks of a program
  int extraWarps;  ///< beside the program's: 1 once there is a producer
  int leader;      ///< the thread that starts copies
  MlirValue tid;   ///< i32, 0 .. warps * lanes - 1
  bool takesTurns; ///< warp groups start products with `tile_gpu.turn` one group after the other
  MlirValue warp;  ///< its number, the same in all lanes; null until something needs it
  int numWarps;
  int launchedWarps;   ///< of them, see TileModuleTarget
  int numGlobals;      ///< constant arrays made for this function
  bool copiesDirectly; ///< the function has copies that hooks->copyDirect starts
  bool usesMatrix;     ///< the function has matrix instructions
  bool precise;        ///< correctly rounded division and square root
  bool hasProducts;    ///< the kernel multiplies matrices
  int numSums;         ///< results of products that begin no other product's sum
  int64_t sums;        ///< registers of a thread for them
  int64_t words;       ///< of a thread's tensors, see tileThreadWords
  int parts, part;     ///< of the registers of tensors only a part is being lowered; parts 0: all
};

typedef MlirLogicalResult (*TileOpLowering)(TileLowering *l, MlirOperation op);

/// Lowers every kernel of the module in place. `precise`: --math=precise.
MlirLogicalResult tileLowerModule(MlirOperation module, const TileLoweringHooks *hooks, bool precise);

// ---- LaunchedWarps.c ----

/// Fails, with a diagnostic, if warps that are not launched would hold what others need.
MlirLogicalResult tileCheckLaunchedWarps(TileLowering *l, MlirOperation function);

// ---- Driver.c ----

/// Lowers all ops of a block but its terminator, which is returned.
MlirLogicalResult tileLowerBlock(TileLowering *l, MlirBlock block, MlirOperation *out_terminator);
MlirLogicalResult tileLowerNotSupported(TileLowering *l, MlirOperation op);

// ---- Shape.c ----

/// i1: whether one of the thread's registers of a mask is true.
MlirValue tileEmitAny(TileLowering *l, MlirValue mask);

// ---- Values.c ----

/// The registers of a value that was lowered before.
TileRegisters tileRegistersOf(TileLowering *l, MlirValue v);
void tileBind(TileLowering *l, MlirValue v, TileRegisters registers);
TileRegisters tileNewRegisters(TileLowering *l, intptr_t count);
/// Moves products and sums that one of these elements alone needs in front of it, behind the elements before (ByElement.c).
void tileOrderByElement(TileRegisters elements);
static inline void tileBindOne(TileLowering *l, MlirValue v, MlirValue x) {
  TileRegisters r = tileNewRegisters(l, 1);
  r.values[0] = x;
  tileBind(l, v, r);
}
/// Number of registers of a value of this type: 1 for a scalar. Fails at `op` if a tensor has no layout.
MlirLogicalResult tileRegisterCount(TileLowering *l, MlirOperation op, MlirType type, intptr_t *out_count);
/// Layout of a tensor value; an error at `op` if it has none.
MlirLogicalResult tileRequireLayout(MlirOperation op, MlirValue tensor, TileLayout *out);
/// LLVM type of one element: pointers, f8 as i8, index as i64. Null for what cannot be held.
MlirType tileLowerElementType(TileLowering *l, MlirType type);
/// The type an element has in memory: i8 for i1.
MlirType tileMemoryType(TileLowering *l, MlirType element);
unsigned tileTypeBits(MlirType llvmType);

// ---- Emit.c ----

/// Any op with one result and no attributes that matter, by kind.
MlirValue tileEmit(TileLowering *l, TileOpKind kind, MlirType result, intptr_t n, const MlirValue *operands);
MlirValue tileEmit1(TileLowering *l, TileOpKind kind, MlirType result, MlirValue a);
MlirValue tileEmit2(TileLowering *l, TileOpKind kind, MlirValue a, MlirValue b); ///< result type of a
MlirValue tileEmit3(TileLowering *l, TileOpKind kind, MlirType result, MlirValue a, MlirValue b, MlirValue c);
MlirValue tileEmitConstant(TileLowering *l, MlirAttribute value); ///< integer or float attribute
MlirValue tileEmitInt(TileLowering *l, MlirType type, int64_t value);
MlirValue tileEmitI32(TileLowering *l, int64_t value);
MlirValue tileEmitFloat(TileLowering *l, MlirType type, double value);
MlirValue tileEmitZero(TileLowering *l, MlirType type); ///< of any LLVM type, pointers and vectors included
MlirValue tileEmitICmp(TileLowering *l, LLVMICmpPredicate p, MlirValue a, MlirValue b);
MlirValue tileEmitFCmp(TileLowering *l, LLVMFCmpPredicate p, MlirValue a, MlirValue b);
MlirValue tileEmitSelect(TileLowering *l, MlirValue c, MlirValue t, MlirValue f);
MlirValue tileEmitBitcast(TileLowering *l, MlirValue v, MlirType type);
/// llvm.call_intrinsic; result may be null.
MlirValue tileEmitIntrinsic(TileLowering *l, const char *name, MlirType result, intptr_t n,
                            const MlirValue *operands);
MlirValue tileEmitExtract(TileLowering *l, MlirValue vector, int i);
MlirValue tileEmitInsert(TileLowering *l, MlirValue vector, MlirValue element, int i);
/// `width` elements packed into one value: the element itself for width 1, a vector otherwise.
MlirValue tileEmitPack(TileLowering *l, const MlirValue *elements, int width);
void tileEmitUnpack(TileLowering *l, MlirValue packed, int width, MlirValue *out);
/// Plain llvm.load / llvm.store of an access without predicate.
void tileEmitPlainLoad(TileLowering *l, const TileAccess *a, MlirValue *out);
void tileEmitPlainStore(TileLowering *l, const TileAccess *a, const MlirValue *values);

/// The integer of an llvm.mlir.constant; false for any other value.
bool tileLLVMConstant(MlirValue v, int64_t *out);
/// Whether all of the i1 are true; null if there are none.
MlirValue tileEmitAllOf(TileLowering *l, TileRegisters conditions);

MlirBlock tileAppendBlock(TileLowering *l, intptr_t n, const MlirType *argumentTypes);
void tileEnterBlock(TileLowering *l, MlirBlock block); ///< continue at its end
void tileEmitBranch(TileLowering *l, MlirBlock to, intptr_t n, const MlirValue *arguments);
void tileEmitCondBranch(TileLowering *l, MlirValue c, MlirBlock t, intptr_t nt, const MlirValue *ta,
                        MlirBlock f, intptr_t nf, const MlirValue *fa);
/// A branch that is nearly always taken to `t`; the other way is laid out of the way.
void tileEmitLikelyBranch(TileLowering *l, MlirValue c, MlirBlock t, MlirBlock f);

// ---- Symbols.c ----

MlirStringRef tileKernelName(TileLowering *l);
/// Address (generic) of a constant text of `size` bytes in the kernel's module; equal texts share one.
MlirValue tileEmitText(TileLowering *l, const char *text, size_t size);
/// A call of an external function with at most 8 arguments, declared beside the kernel; result may be null.
MlirValue tileEmitCall(TileLowering *l, const char *name, MlirType result, intptr_t n,
                       const MlirValue *arguments);

// ---- Coordinates.c ----

/// i32 coordinate along `dim` of register `reg` of this thread, for a tensor with this encoding.
MlirValue tileEmitCoordinate(TileLowering *l, MlirAttribute encoding, const TileLayout *layout, int reg,
                             int dim);
/// The part of a coordinate that the thread contributes, computed here; the part of a register; their sum.
MlirValue tileEmitThreadPart(TileLowering *l, const TileLayout *layout, int dim);
uint32_t tileRegisterPart(const TileLayout *layout, int reg, int dim);
uint32_t tileThreadMask(const TileLayout *layout, int dim);
MlirValue tileEmitRegisterCoordinate(TileLowering *l, const TileLayout *layout, MlirValue thread, int reg,
                                     int dim);
/// Row-major index of the element that register `reg` of this thread holds; 0 for a scalar (rank 0).
MlirValue tileEmitFlatIndex(TileLowering *l, const TileLayout *layout, int reg);
/// i1 that is true in exactly one of the threads that hold the same elements; null if every thread is such a
/// one.
MlirValue tileEmitOwnerPredicate(TileLowering *l, const TileLayout *layout);
/// i1 true in thread 0 of the program.
MlirValue tileEmitFirstThread(TileLowering *l);
/// i32 number of the thread in its warp.
MlirValue tileEmitLane(TileLowering *l);
/// Bits of `value` at the given positions, gathered into the low bits of the result.
MlirValue tileEmitGatherBits(TileLowering *l, MlirValue value, const int *positions, int n);

// ---- Shared.c, Shuffle.c, ConvertLayout.c ----

/// Declares the program's shared memory if the module has any.
void tileDeclareShared(TileLowering *l, MlirOperation module, TileBuilder at);
MlirValue tileEmitSharedPointer(TileLowering *l, int64_t byteOffset);
MlirValue tileEmitSharedElement(TileLowering *l, MlirValue base, MlirType element, MlirValue index);
/// `base` moved by so many bytes.
MlirValue tileEmitSharedOffset(TileLowering *l, MlirValue base, int64_t bytes);
/// Byte offset of an op's scratch; the barrier before it, where tile-gpu-insert-barriers asks for one.
int64_t tileScratchOffset(MlirOperation op);
void tileEmitScratchBarrier(TileLowering *l, MlirOperation op);
/// Between registers and memory: an i1 is a byte.
MlirValue tileToMemory(TileLowering *l, MlirValue v);
MlirValue tileFromMemory(TileLowering *l, MlirValue v, MlirType type);
MlirValue tileEmitShuffleXor(TileLowering *l, MlirValue v, int laneMask);
/// Stores registers `in` by `access`, made from a layout whose register bit i is bit kept[i] of theirs.
void tileEmitSharedStores(TileLowering *l, const TileSharedAccess *access, const int32_t *kept,
                          MlirValue base, TileRegisters in);
MlirValue tileEmitShuffleIndex(TileLowering *l, MlirValue v, MlirValue lane);
/// Moves registers within each warp; `type` is that of an element.
struct TileShufflePlan;
void tileEmitShuffles(TileLowering *l, const struct TileShufflePlan *plan, MlirType type, TileRegisters in,
                      TileRegisters out);
struct TileConvertPlan;
/// Moves registers `in` to the layout `to` by the op's plan.
MlirLogicalResult tileEmitConversion(TileLowering *l, MlirOperation op, TileRegisters in,
                                     const struct TileConvertPlan *plan, const TileLayout *to,
                                     TileRegisters out);

// ---- MapElementwise.c ----

/// Packs of consecutive elements in the registers of a thread, for ops that work on several at once.
typedef struct TilePacks {
  int pack;           ///< elements of one
  intptr_t registers; ///< of a thread
  uint32_t *element;  ///< [pack] which bits of the register number choose element e
  uint32_t copies;    ///< register bits that repeat other registers
} TilePacks;
/// From the layout of the op's tensors; fails if a pack is spread over threads.
MlirLogicalResult tilePacksOf(TileLowering *l, MlirOperation op, int64_t pack, TilePacks *out);
/// Whether the register is element 0 of a pack, and no copy.
bool tileIsFirstOfPack(const TilePacks *packs, intptr_t reg);
/// Binds registers of which the copies are still missing.
void tileBindPacked(TileLowering *l, const TilePacks *packs, MlirValue v, TileRegisters r);

// ---- LocalMemory.c ----

/// Stores a tensor into a buffer (MlirValue of the program) for `op`.
MlirLogicalResult tileEmitLocalStore(TileLowering *l, MlirOperation op, MlirValue tensor, MlirValue buffer);

// ---- Op families: one function per row of the table in Driver.c ----

MlirLogicalResult tileLowerElementwise(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerExtended(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMapElementwise(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerInlineAsm(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerConstant(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerPoison(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerProgramId(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerNumPrograms(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMakeRange(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerSplat(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAny(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerUnsplat(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerExpandDims(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerBroadcast(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerReshape(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerTrans(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerJoin(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerSplit(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerCat(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerConvertLayout(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAlloc(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerIndex(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAdvance(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerPart(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerView(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerLocalLoad(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerLocalStore(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAsyncCopy(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAsyncCommit(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAsyncWait(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAtomicRMW(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAtomicCAS(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerDot(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMma(TileLowering *l, MlirOperation op);
/// In TileGPUToNVVM: a diagnostic for other chips.
MlirLogicalResult tileLowerWgmma(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerWgmmaWait(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerFenceAsync(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerHold(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerBlockRank(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerBlockSum(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerHandOn(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerTmaCopy(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerShiftedLoad(TileLowering *l, MlirOperation op);
/// The warp's number (32 lanes a warp), made once in front of everything: the same in all lanes, which ptxas cannot know; it
/// would keep what follows from it in each thread.
MlirValue tileEmitWarp(TileLowering *l);
MlirLogicalResult tileLowerTmaStore(TileLowering *l, MlirOperation op);
/// The last warp group gives group 0 the first turn (`tile_gpu.turn` of products).
void tileBeginTurns(TileLowering *l);
MlirLogicalResult tileLowerTmaStoreWait(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMBarrierInit(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMBarrierInval(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMBarrierExpect(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMBarrierWait(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerMBarrierArrive(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerProducer(TileLowering *l, MlirOperation op);
/// Attributes of tensor maps among the parameters of the lowered function.
void tileMarkTensorMaps(TileLowering *l, MlirOperation source, MlirOperation function);
MlirLogicalResult tileLowerGather(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerReduce(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerScan(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerHistogram(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAtomicPoll(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerGridDependency(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerBarrier(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerLoad(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerStore(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerFor(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerIf(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerWhile(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerIndexSwitch(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerAssert(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerPrint(TileLowering *l, MlirOperation op);
MlirLogicalResult tileLowerNothing(TileLowering *l, MlirOperation op); ///< the op has no effect at this stage

/// Warns, at the largest, of tensors that a thread's registers cannot hold by far. Large.c.
void tileWarnOfLargeTensors(const TileLowering *l, MlirOperation function);

#endif
