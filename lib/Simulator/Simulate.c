/* Simulate.c - finds the kernel, decodes it, runs the grid, reports the fault. */
#include "Simulate.h"
#include "Cluster.h"
#include "Module.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/ProgramLoop.h"
#include "tile-c/Session.h"

static const uint64_t defaultSteps = 1000000000;
static const uint64_t maxPrograms = 100000000;
static const uint32_t processors = 132;                          ///< of an H200
static const uint64_t maxInstructions = UINT64_C(1000000000000); // of warps, if each ran once

static MlirOperation findKernel(MlirModule module, const char *name) {
  MlirOperation found = {NULL};
  TileKernelView view = {0};
  unsigned count = 0;
  while (tileKernelViewNext(module, view.op, &view)) {
    if (tileOpKind(view.op) != TileOp_LLVM_LLVMFunc)
      continue;
    if (name && mlirStringRefEqual(view.name, tileStr(name)))
      return view.op;
    found = view.op;
    ++count;
  }
  if (!name && count == 1)
    return found;
  if (name)
    simRefuse(mlirModuleGetOperation(module), "has no lowered kernel '%s'", name);
  else
    simRefuse(mlirModuleGetOperation(module), "has %u lowered kernels, expected one or a kernel's name",
              count);
  return (MlirOperation){NULL};
}

/// Threads of a program, as the kernel requires them.
static bool readShape(SimDecoder *d) {
  SimProgram *p = d->program;
  MlirAttribute shape = mlirOperationGetAttributeByName(d->function, tileStr("nvvm.reqntid"));
  if (!shape.ptr)
    shape = mlirOperationGetAttributeByName(d->function, tileStr("rocdl.reqd_work_group_size"));
  if (!shape.ptr)
    return simRefuse(d->function,
                     "says nothing of its threads, expected nvvm.reqntid or rocdl.reqd_work_group_size");
  uint64_t threads = 1;
  for (intptr_t k = 0; k < 3; ++k) {
    const int32_t n = k < mlirDenseArrayGetNumElements(shape) ? mlirDenseI32ArrayGetElement(shape, k) : 1;
    p->threads[k] = n > 0 ? (unsigned)n : 1;
    threads *= p->threads[k];
  }
  p->lanes = d->target->warpSize;
  p->numWarps = (unsigned)((threads + p->lanes - 1) / p->lanes);
  if (threads > d->target->maxThreadsPerBlock || p->numWarps > SIM_MAX_WARPS)
    return simRefuse(d->function, "has %llu threads, %s has at most %u", (unsigned long long)threads,
                     d->target->chip, d->target->maxThreadsPerBlock);
  return true;
}

/// Blocks of a program: nvvm.cluster_dim, along x only.
static bool readCluster(SimDecoder *d) {
  MlirAttribute shape = mlirOperationGetAttributeByName(d->function, tileStr("nvvm.cluster_dim"));
  const intptr_t n = shape.ptr ? mlirDenseArrayGetNumElements(shape) : 0;
  d->program->cluster = 1;
  for (intptr_t k = 0; k < n; ++k) {
    const int32_t extent = mlirDenseI32ArrayGetElement(shape, k);
    if (extent < 1 || extent > SIM_MAX_CLUSTER || (k && extent != 1))
      return simRefuse(d->function, "has a cluster of %d blocks along %c, expected up to %d along x", extent,
                       (char)('x' + k), SIM_MAX_CLUSTER);
    d->program->cluster *= (unsigned)extent;
  }
  return true;
}

static void describeTarget(SimProgram *p, const TileTargetInfo *target) {
  p->isAmd = target->vendor == TileVendor_AMD;
  p->storesCount = p->isAmd && target->warpSize == 64;
  p->sectorBytes = target->sectorBytes;
  p->banks = target->sharedBanks;
  p->globalGranule = p->sharedGranule = 8;
}

/// AMD's hidden arguments begin with the grid's extents and a group's (AMDGPUUsage, code object version 5).
static void fillImplicitArguments(SimDecoder *d, const uint32_t grid[3]) {
  d->constantBytes = SIM_IMPLICIT_ARGUMENT_BYTES;
  d->constantData = tileArenaAlloc(d->arena, d->constantBytes, 1);
  memcpy(d->constantData, grid, 12);
  for (unsigned k = 0; k < 3; ++k) {
    const uint16_t extent = (uint16_t)d->program->threads[k];
    memcpy(d->constantData + 12 + 2 * k, &extent, 2);
  }
}

static bool checkGrid(const SimDecoder *d, const SimRun *run) {
  const double instructions = (double)run->numPrograms * d->program->numInsns * d->program->numWarps;
  if (run->numPrograms <= maxPrograms && instructions <= (double)maxInstructions)
    return true;
  return simRefuse(
      d->function,
      "has a grid of %llu programs, about %.1e warp instructions if each is executed once: some %.0f "
      "hours on a core; the simulator takes grids of up to %llu programs and %.0g instructions",
      (unsigned long long)run->numPrograms, instructions, instructions * 5e-8 / 3600,
      (unsigned long long)maxPrograms, (double)maxInstructions);
}

/// Blocks that go over the programs: about two each, so that there is a second one to go on to.
static void applyGridRule(SimDecoder *d, SimRun *run) {
  const double all = (double)d->programs[0] * d->programs[1] * d->programs[2];
  if (!tileLoopsPrograms(d->function))
    return;
  const uint32_t half = all < UINT32_MAX ? (uint32_t)(all / 2 + 0.5) : UINT32_MAX;
  d->grid[0] = run->grid[0] = half < processors ? half : processors;
  for (unsigned k = 1; k < 3; ++k)
    d->grid[k] = run->grid[k] = 1;
}

static bool decode(SimDecoder *d, SimRun *run, const uint32_t grid[3], const TileArgument *arguments,
                   size_t numArguments) {
  for (unsigned k = 0; k < 3; ++k)
    d->programs[k] = d->grid[k] = run->grid[k] = grid[k] ? grid[k] : 1;
  applyGridRule(d, run);
  if (!readShape(d) || !readCluster(d))
    return false;
  const uint32_t programsX = run->grid[0], cluster = d->program->cluster;
  if (programsX > UINT32_MAX / cluster)
    return simRefuse(d->function, "has too many blocks");
  d->grid[0] = run->grid[0] = programsX * cluster;
  fillImplicitArguments(d, d->grid);
  if (!simPlaceGlobals(d) || !simBindArguments(d, run, arguments, numArguments) || !simDecodeFunction(d))
    return false;
  const bool hopper = d->program->usesHopper;
  d->program->numActors = hopper ? 3 * d->program->numWarps : d->program->numWarps;
  d->program->numClocks = hopper ? 2 * d->program->numActors : d->program->numWarps;
  run->buffers[SIM_CONSTANT_BUFFER] =
      (SimBuffer){.address = (uint64_t)SIM_CONSTANT_BUFFER << SIM_BUFFER_SHIFT,
                  .bytes = d->constantBytes,
                  .data = d->constantData,
                  .argument = -1,
                  .readOnly = true};
  // No product of three 31-bit numbers fits: count in floating point first.
  const double programs = (double)programsX * run->grid[1] * run->grid[2];
  run->numPrograms = programs < 1e18 ? (uint64_t)programsX * run->grid[1] * run->grid[2] : UINT64_MAX;
  return checkGrid(d, run);
}

static void reportFault(const SimDecoder *d, const SimFault *fault) {
  MlirOperation op = fault->op == SIM_NO_BLOCK ? d->function : d->ops[fault->op];
  if (fault->otherOp == SIM_NO_BLOCK || fault->otherOp >= d->program->numOps)
    (void)tileEmitOpError(op, "%s", fault->text);
  else
    (void)tileEmitOpErrorWithNote(op, mlirOperationGetLocation(d->ops[fault->otherOp]), fault->note, "%s",
                                  fault->text);
}

static bool run(SimDecoder *d, SimRun *run, const TileSimOptions *options, const SimSource *source) {
  SimCounters total;
  SimFault fault = {.set = false};
  if (options->stats) {
    if (!simCountersInit(&total, d->program))
      return simRefuse(d->function, "leaves no memory for counters");
    run->total = &total;
  }
  const bool ok = simRunGrid(run, options->numThreads, &fault);
  if (!ok)
    reportFault(d, &fault);
  if (options->stats) {
    if (ok)
      simPrintStats(run, d, source, options->stats);
    simCountersRelease(&total);
  }
  return ok;
}

MlirLogicalResult tileSimulateKernel(MlirModule module, const TileTargetInfo *target, const char *kernel,
                                     const uint32_t grid[3], TileArgument *arguments, size_t numArguments,
                                     const TileSimOptions *options, const SimSource *source) {
  TileArena arena = {0};
  SimProgram program = {0};
  SimDecoder d = {.arena = &arena, .program = &program, .module = module, .target = target};
  d.values.arena = d.types.arena = d.blocks.arena = d.globals.arena = &arena;
  for (unsigned k = 0; k < TILE_COUNTOF(d.constantSlots); ++k)
    d.constantSlots[k].arena = &arena;
  SimRun state = {.program = &program,
                  .checks = options->checks,
                  .maxSteps = options->maxSteps ? options->maxSteps : defaultSteps,
                  .shuffle = options->shuffle,
                  .seed = options->seed,
                  .output = options->output,
                  .outputUser = options->outputUser};
  describeTarget(&program, target);
  d.function = findKernel(module, kernel);
  const bool ok =
      d.function.ptr && decode(&d, &state, grid, arguments, numArguments) && run(&d, &state, options, source);
  tileArenaRelease(&arena);
  return ok ? tileSuccess() : tileFailure();
}
