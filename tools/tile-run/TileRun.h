/* TileRun.h - the parts of tile-run: what the command line says, the kernel's file, its arguments, the places
 * it runs in.
 *
 * Functions that can fail return the process's exit status: RunStatus_Ok, or another after one message on
 * stderr. */
#ifndef TILE_RUN_H
#define TILE_RUN_H
#include "tile-c/Compile.h"
#include "tile-c/Runtime.h"
#include "tile-c/Simulator.h"

typedef enum RunStatus {
  RunStatus_Ok = 0,
  RunStatus_Failed = 1, ///< a wrong result, a diagnostic, or a file or device that does not do
  RunStatus_Usage = 2   ///< the command line is malformed or does not fit the kernel
} RunStatus;

/// Prints "tile-run: error: ..." and returns the status.
RunStatus runFailure(RunStatus status, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- Options.c ----

typedef enum RunDevice { RunDevice_Cpu, RunDevice_Sim, RunDevice_Cuda, RunDevice_Hip } RunDevice;

/// An argument's index and a file: --out and --expect.
typedef struct RunFile {
  size_t argument;
  const char *path;
} RunFile;

/// Lists grow with the command line; strings are the command line's own.
typedef struct RunOptions {
  bool help, version;
  const char *file;
  RunDevice device;
  int ordinal;
  const char *kernel; ///< NULL: the only one
  uint32_t grid[3];   ///< zeros: not given
  const char **args;
  size_t numArgs;
  RunFile *outs, *expects;
  size_t numOuts, numExpects;
  bool againstCpu;
  double atol, rtol; ///< negative: the type's own
  bool bench;
  double bytes, flops;       ///< 0: not given
  const char *simulatorOnly; ///< name of the last option that only the simulator has; NULL
  const char *compilerOnly;  ///< name of the last option that says how a text is compiled; NULL
  TileSimOptions simulate;
  bool automatic;
  TileKnown *known; ///< scalar arguments for --auto; names are the manifest's
  size_t numKnown;
  TileManifest chosen; ///< what --auto chose: owns the values of definitions
  TileDefine *defines;
  size_t numDefines;
  TileCompileOptions compile;
} RunOptions;

RunStatus runOptionsParse(int argc, char **argv, RunOptions *out_options);
void runOptionsRelease(RunOptions *options);
void runOptionsPrintHelp(void);

// ---- Input.c ----

/// The kernel's file. Text has `kind` TileBinary_Unknown.
typedef struct RunInput {
  const char *path;
  char *data; ///< zero-terminated beyond `size`
  size_t size;
  TileBinaryKind kind;
} RunInput;

RunStatus runInputRead(const char *path, RunInput *out_input);
void runInputRelease(RunInput *input);
/// The manifest beside a binary.
RunStatus runInputReadManifest(const RunInput *input, TileManifest *out_manifest);

// ---- Compiler.c ----

/// libtile, opened when it is needed.
typedef struct RunCompiler {
  void *library;
  void (*optionsInit)(TileCompileOptions *);
  int (*compile)(const char *, size_t, TileEmit, const TileCompileOptions *, TileCompileResult *);
  void (*release)(TileCompileResult *);
  int (*executeCpu)(const char *, size_t, const TileCompileOptions *, const uint32_t[3], TileArgument *,
                    size_t);
  int (*executeSim)(const char *, size_t, const TileCompileOptions *, const uint32_t[3], TileArgument *,
                    size_t, const TileSimOptions *);
} RunCompiler;

RunStatus runCompilerOpen(RunCompiler *compiler);
void runCompilerClose(RunCompiler *compiler);
/// What the command line says of compiling `input`, with diagnostics printed.
TileCompileOptions runCompilerOptions(const RunCompiler *compiler, const RunOptions *options,
                                      const RunInput *input);
/// What a TileStatus means to the command line. The diagnostics have been printed.
RunStatus runCompilerStatus(int status);
/// The kernels of a text and their parameters, with no target.
RunStatus runCompilerManifest(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                              TileManifest *out_manifest);
/// The same after the cost rule of --auto has chosen for the chip and the scalar arguments in `options`.
RunStatus runCompilerChoose(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                            const char *kernel, const char *target, unsigned processors,
                            TileManifest *out_manifest);
/// A binary for the target, of the first kind that can be made: cubin, else PTX for the driver to assemble;
/// or hsaco.
RunStatus runCompilerBinary(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                            const char *target, TileCompileResult *out_result);

// ---- Arguments.c ----

typedef struct RunArgument {
  const char *text; ///< the command line's
  bool isBuffer;
  TileElementType type;
  const char *init; ///< buffer: how it is filled; scalar: its value
  bool hasShape;    ///< false: as the file says
  unsigned rank;
  int64_t shape[TILE_ARRAY_MAX_RANK];
  TileArray array; ///< buffer: its elements
  bool isShared;   ///< they are the elements of argument number `owner`, which comes before
  size_t owner;
  TileScalar scalar;
  bool isDescriptor; ///< of the buffer, which `isBuffer` says as well
  unsigned boxRank;  ///< 0: no box given
  bool hasStrides;   ///< the array then has padding between rows
  TileTensor tensor; ///< shape and strides, once they are known
  int64_t box[TILE_MAX_RANK];
} RunArgument;

/// Reads every --arg and checks it against the kernel's parameters; makes no array yet.
RunStatus runArgumentsParse(const RunOptions *options, const TileManifestKernel *kernel,
                            RunArgument *out_arguments);
RunStatus runArgumentsFill(const TileManifestKernel *kernel, RunArgument *arguments, size_t count);
RunStatus runArgumentsCopy(const RunArgument *arguments, size_t count, RunArgument *out_copies);
void runArgumentsRelease(RunArgument *arguments, size_t count);
/// Refuses --out and --expect of arguments that are not there or no buffers.
RunStatus runFilesCheck(const RunOptions *options, const RunArgument *arguments);

// ---- Descriptor.c ----

/// Reads "[4,8]" at `*at`, which it moves behind; false on malformed text. "[]" leaves the shape to a file.
bool runShapeParse(const char **at, RunArgument *argument);
/// Reads what follows "desc(".
RunStatus runDescriptorParse(size_t index, const char *text, RunArgument *out_argument);
/// Checks a descriptor against its parameter, called `name` in messages; the shape may still be unknown.
RunStatus runDescriptorCheck(const char *name, const TileManifestParam *param, RunArgument *argument);
/// The shape of the array to make for it, where that is not the tensor's.
void runDescriptorShape(const RunArgument *argument, unsigned *inout_rank, int64_t *inout_shape);
/// Shape and strides from the array that was made, if a file gave them.
RunStatus runDescriptorFinish(size_t index, const TileManifestParam *param, RunArgument *argument);

// ---- RunCpu.c, RunDevice.c, Bench.c: the places ----

RunStatus runOnCpu(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                   const char *kernel, RunArgument *arguments, size_t count);

/// The simulator: the kernel lowered for the target, every lane of it.
RunStatus runOnSim(const RunCompiler *compiler, const RunOptions *options, const RunInput *input,
                   const char *kernel, RunArgument *arguments, size_t count);

/// An open device and the loaded kernel on it, ready to launch.
typedef struct RunLaunch {
  TileDevice *device;
  TileManifest manifest; ///< of a text compiled here
  TileModule *module;
  TileKernel *kernel;
  TileDeviceAddress *addresses;
  TileTensor *tensors;          ///< of descriptors
  void **values;                ///< what tileKernelLaunch takes
  const RunArgument *arguments; ///< what `addresses` is for; NULL before
  size_t count;
} RunLaunch;

RunStatus runLaunchOpen(const RunOptions *options, RunLaunch *out_launch);
/// Compiles a text, or takes the binary with its contract; loads it.
RunStatus runLaunchLoad(RunLaunch *launch, const RunCompiler *compiler, const RunOptions *options,
                        const RunInput *input, const TileManifest *manifest,
                        const TileManifestKernel *kernel);
/// Copies the buffers over, launches once, copies them back.
RunStatus runLaunchRun(RunLaunch *launch, const RunOptions *options, RunArgument *arguments, size_t count);
void runLaunchClose(RunLaunch *launch);
/// Times further launches on the buffers of runLaunchRun and prints the figures.
RunStatus runLaunchBench(RunLaunch *launch, const RunOptions *options);

// ---- Auto.c ----

/// --auto: adds definitions for what the text declares. The launch may be closed (cpu, sim).
RunStatus runChoose(RunOptions *options, const RunCompiler *compiler, const RunInput *input,
                    const TileManifestKernel *kernel, const RunArgument *arguments, const RunLaunch *launch);
/// The grid that the kernel's manifest says, unless the command line gives one.
RunStatus runTakeGrid(RunOptions *options, const TileManifestKernel *kernel, const RunArgument *arguments,
                      const RunLaunch *launch);

// ---- Check.c ----

/// Prints how `got` and `expected` compare, a line for each buffer that either run has written (`before`).
RunStatus runCheckAgainst(const RunOptions *options, const TileManifestKernel *kernel, const RunArgument *got,
                          const RunArgument *expected, const RunArgument *before, size_t count);
RunStatus runCheckExpected(const RunOptions *options, const TileManifestKernel *kernel,
                           const RunArgument *got);
RunStatus runWriteOuts(const RunOptions *options, const RunArgument *arguments);

#endif
