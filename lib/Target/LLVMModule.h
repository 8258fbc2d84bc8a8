/* LLVMModule.h - one kernel module on its way through LLVM: translated, adapted to the target, optimised,
 * emitted. */
#ifndef TILE_LIB_TARGET_LLVMMODULE_H
#define TILE_LIB_TARGET_LLVMMODULE_H
#include "tile-c/Emission.h"
#include "llvm-c/TargetMachine.h"

/// What the passes for NVIDIA's chips are chosen by.
typedef enum TileCodeShape {
  TileCodeShape_Straight,   ///< kernels alone, and no branch goes back
  TileCodeShape_Loops,      ///< kernels alone, without products of warp groups
  TileCodeShape_WarpGroups, ///< kernels alone
  TileCodeShape_Other
} TileCodeShape;

typedef struct TileLLVMModule {
  const TileEmissionOptions *options;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  MlirLocation loc; ///< where diagnostics of LLVM and the tools after it go: the kernel if there is only one
  char *kernels;    ///< names of the kernels, separated by ", "
  bool failed;      ///< LLVM reported an error
  bool shortened;   ///< a function's blocks were cut for a plain register allocator
  TileCodeShape shape;
} TileLLVMModule;

/// Translates `module` and adapts it to the target. On failure a diagnostic was given; destroy it in either
/// case.
MlirLogicalResult tileLLVMModuleInit(TileLLVMModule *m, MlirModule module,
                                     const TileEmissionOptions *options);
void tileLLVMModuleDestroy(TileLLVMModule *m);

/// Refuses operations outside of functions, and in initialisers of globals, that LLVM's translation has no place for.
/// ModuleLevel.c.
MlirLogicalResult tileCheckModuleLevel(MlirModule module);

/// Runs LLVM's passes as the option's level says. Optimize.c.
MlirLogicalResult tileLLVMModuleOptimize(TileLLVMModule *m);
/// True if that is a short pipeline with a short way through the back end: NVIDIA's code without products of warp groups.
bool tileTakesShortPipeline(const TileLLVMModule *m);
TileCodeShape tileCodeShapeOf(LLVMModuleRef module);
/// True if a function has more than `limit` instructions.
bool tileIsLongerThan(LLVMModuleRef module, unsigned limit);
bool tileIsFunctionLongerThan(LLVMValueRef function, unsigned limit);
/// Cuts the blocks of functions that LLVM's register allocator cannot cope with into short ones, between which values wait
/// in memory: long functions, and those with many times a thread's registers in use at a time. True if there was one.
/// FarValues.c.
bool tileShortenFunctions(LLVMModuleRef module, const TileTargetInfo *target);
/// Moves loads down to their uses in blocks with more of them than a thread has registers. SinkLoads.c.
void tileSinkLoads(LLVMModuleRef module);
/// LLVM IR as text, malloc'ed.
MlirLogicalResult tileLLVMModulePrint(TileLLVMModule *m, char **out_data, size_t *out_size);
/// Assembly text or an object file, malloc'ed, with a terminating zero not counted.
MlirLogicalResult tileLLVMModuleGenerate(TileLLVMModule *m, LLVMCodeGenFileType type, char **out_data,
                                         size_t *out_size);

/// Called with each instruction; returns the one to go on behind: the same, or what took its place.
typedef LLVMValueRef (*TileInstructionVisit)(LLVMValueRef instruction, void *user);
/// All instructions of the module's functions, in their order.
void tileForEachInstruction(LLVMModuleRef module, TileInstructionVisit visit, void *user);
/// Whether an instruction calls a function whose name starts so: an intrinsic.
bool tileCallsNamed(LLVMValueRef instruction, const char *prefix);

/// Target parts: registers the vendor's back end with LLVM (once) ...
void tileNvptxInitialize(void);
/// Limits the amounts of 64-bit shifts that a select chooses, after optimisation, which would take the limit away. LLVM
/// 22's NVPTX back end makes `amount < 64 ? x << amount : 0` one PTX shift, which clamps, but reads 32 bits of the amount
/// (llvm-project pull request 201165 repairs it).
void tileNvptxGuardShifts(LLVMModuleRef module);
/// Pairs of fields of a few bits that become f16 stay where they lie in a word. PackedBits.c.
void tileNvptxPackBits(LLVMModuleRef module);
/// Divisions and remainders of fewer than 32 bits, to which LLVM narrows those of small ranges, are done in 32 bits: no AMD
/// chip has narrower ones, and the steps that the back end makes of them would each be extended.
void tileAmdWidenDivisions(LLVMModuleRef module);
void tileAmdgpuInitialize(void);
/// ... and sets what it expects of a module beyond what the translation gives.
void tileAmdgpuPrepare(TileLLVMModule *m);
/// After all passes over the IR: writes what LLVM 22's back end gets wrong in a way that it gets right.
void tileAmdgpuGuard(LLVMModuleRef module);
/// Behind loops of matrix products, what threads compute from their number in front of them is computed again. AmdRecompute.c.
void tileAmdRecompute(LLVMModuleRef module, const TileTargetInfo *target);
/// Addresses and conditions of many stores in kernels with matrix products are put together where they are used. AmdSinkAddresses.c.
void tileAmdSinkAddresses(LLVMModuleRef module);
/// Before all passes over the IR: elements of loaded vectors that a loop carries are carried as vectors. AmdWholePhis.c.
void tileAmdWholePhis(LLVMModuleRef module);
/// Before all passes over the IR: sums and products of f32 between matrix products in pairs. AmdPackFloats.c.
void tileAmdPackFloats(LLVMModuleRef module);
bool tileIsKernel(LLVMValueRef function);
void tileAddFunctionAttr(LLVMValueRef function, const char *name, const char *value);

/// Gives every op of a lowered module one line and every function a debug scope.
MlirLogicalResult tilePrepareLineTables(MlirModule module, bool directivesOnly);

/// Names the kernels that this thread is compiling, for the fatal-error handler; NULL: none.
void tileFatalErrorSetKernels(const char *kernels);

#endif
