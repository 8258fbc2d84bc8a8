/* WarmPasses.c - pipelines and single passes in a context that is used again. */
#include "WarmPasses.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"
#include "tile-c/Support/StringBuilder.h"

typedef struct Pipeline {
  TilePipelineStage stage;
  const char *target;
  int warps;
  bool precise, debug, noFma;
} Pipeline;

static const Pipeline pipelines[] = {
    {TilePipelineStage_Tile, NULL, 4, false, false, false},
    {TilePipelineStage_Tile, NULL, 4, false, true, true},
    {TilePipelineStage_Tile, NULL, 4, true, true, false},
    {TilePipelineStage_TileGPU, "sm_100a", 4, false, false, false},
    {TilePipelineStage_TileGPU, "sm_90a", 8, false, true, false},
    {TilePipelineStage_TileGPU, "gfx950", 2, true, false, false},
    {TilePipelineStage_LLVMDialect, "sm_80", 1, false, true, false},
    {TilePipelineStage_LLVMDialect, "sm_86", 2, true, false, true},
    {TilePipelineStage_LLVMDialect, "sm_89", 4, false, false, false},
    {TilePipelineStage_LLVMDialect, "gfx90a", 1, false, true, false},
    {TilePipelineStage_LLVMDialect, "gfx942", 4, false, false, false},
    {TilePipelineStage_LLVMDialect, "gfx1201", 8, true, false, false},
    {TilePipelineStage_Final, "sm_90a", 4, false, false, false},
    {TilePipelineStage_Final, "sm_90a", 8, true, true, false},
    {TilePipelineStage_Final, "sm_120", 2, false, false, false},
    {TilePipelineStage_Final, "gfx1100", 4, false, true, false},
    {TilePipelineStage_Final, "gfx942", 1, true, false, true},
};

/* Each pass of Tile on whatever a text has, and passes in the order in which tests run them. */
static const char *const passes[] = {
    "tile-gpu-accelerate-dot",
    "tile-gpu-accelerate-wgmma",
    "tile-gpu-allocate-shared",
    "tile-gpu-assign-layouts",
    "tile-gpu-coalesce",
    "tile-gpu-defer-reductions",
    "tile-gpu-drop-debug{asserts=true}",
    "tile-gpu-expand-descriptors",
    "tile-gpu-expand-math",
    "tile-gpu-insert-barriers",
    "tile-gpu-order-memory",
    "tile-gpu-overlap-wgmma",
    "tile-gpu-pipeline",
    "tile-gpu-pipeline-tma",
    "tile-gpu-prefetch",
    "tile-gpu-store-blocks",
    "tile-gpu-test-axis-info",
    "tile-gpu-warp-specialize",
    "tile-gpu-buffer-accesses",
    "tile-gpu-defer-lanes",
    "tile-gpu-rotate-products",
    "tile-gpu-sink-waits",
    "tile-gpu-order-programs",
    "tile-gpu-scale-sums",
    "tile-gpu-scale-maxima",
    "tile-gpu-skip-masks",
    "tile-gpu-split-loops",
    "tile-gpu-version-remainders",
    "tile-interleave-products",
    "expand-tile-nv",
    "tile-check-branches",
    "tile-check-calls",
    "tile-combine",
    "tile-form-fma",
    "tile-hoist-invariant",
    "tile-check-legality{chip=sm_80}",
    "convert-tt-to-tile",
    "convert-tile-gpu-to-nvvm",
    "convert-tile-gpu-to-rocdl",
    "convert-tile-to-tile-gpu{target=sm_90a}",
    "canonicalize{disable-patterns=CmpFIntToFPConst},cse", /* see Pipelines.c */
    "convert-tile-to-tile-gpu{target=sm_80 num-warps=2},tile-gpu-assign-layouts,convert-tile-gpu-to-nvvm",
    "convert-tile-to-tile-gpu{target=gfx942 num-warps=1},tile-gpu-assign-layouts,convert-tile-gpu-to-rocdl",
    "tile-gpu-allocate-shared,tile-gpu-insert-barriers,convert-tile-gpu-to-nvvm",
    "tile-gpu-allocate-shared,tile-gpu-insert-barriers,convert-tile-gpu-to-rocdl",
    "tile-gpu-pipeline,tile-gpu-prefetch,tile-gpu-allocate-shared,tile-gpu-insert-barriers",
    "tile-gpu-accelerate-wgmma{descriptors=true},tile-gpu-store-blocks,tile-gpu-expand-descriptors",
};

_Static_assert(TILE_COUNTOF(pipelines) + TILE_COUNTOF(passes) <=
                   sizeof((FuzzWarm *)0)->managers / sizeof(MlirPassManager),
               "each has a manager");

size_t fuzzNumPipelines(void) { return TILE_COUNTOF(pipelines); }
size_t fuzzNumPasses(void) { return TILE_COUNTOF(passes); }
bool fuzzPipelineEndsInTile(size_t i) { return pipelines[i].stage == TilePipelineStage_Tile; }

void fuzzPipelineOptions(size_t i, TileCompileOptions *options) {
  const Pipeline *p = &pipelines[i];
  options->target = p->target;
  options->numWarps = p->warps;
  options->precise = p->precise;
  options->debug = p->debug;
  options->noFpContract = p->noFma;
}

void fuzzWarmRelease(FuzzWarm *warm) {
  for (size_t i = 0; i < TILE_COUNTOF(warm->managers); ++i)
    if (warm->managers[i].ptr)
      mlirPassManagerDestroy(warm->managers[i]);
  if (warm->context.ptr)
    mlirContextDestroy(warm->context);
  *warm = (FuzzWarm){0};
}

MlirContext fuzzWarmContext(FuzzWarm *warm) {
  enum { maxUses = 4000 };
  if (warm->uses++ >= maxUses)
    fuzzWarmRelease(warm);
  if (!warm->context.ptr) {
    tileRegisterAllPasses(); // of no effect after the first time
    warm->context = tileSessionContextCreate();
  }
  return warm->context;
}

static void ignore(MlirStringRef text, void *user) { (void)text, (void)user; }

static MlirLogicalResult run(FuzzWarm *warm, size_t at, MlirStringRef text, bool verify,
                             MlirOperation module) {
  MlirPassManager *manager = &warm->managers[at];
  if (!manager->ptr) {
    *manager = mlirPassManagerCreate(warm->context);
    mlirPassManagerEnableVerifier(*manager, verify);
    MlirOpPassManager list = mlirPassManagerGetAsOpPassManager(*manager);
    if (tileFailed(mlirOpPassManagerAddPipeline(list, text, ignore, NULL)))
      return tileEmitError(mlirOperationGetLocation(module), "no such passes: %.*s", (int)text.length,
                           text.data);
  }
  return mlirPassManagerRunOnOp(*manager, module);
}

MlirLogicalResult fuzzRunPipeline(FuzzWarm *warm, size_t i, MlirOperation module) {
  TileCompileOptions options;
  TileStringBuilder text = {0};
  tileCompileOptionsInit(&options);
  fuzzPipelineOptions(i, &options);
  tilePipelineText(pipelines[i].stage, &options, &text);
  MlirLogicalResult result = run(warm, i, mlirStringRefCreate(text.data, text.length), false, module);
  tileStringRelease(&text);
  // As tileRunPipeline does it: once, at the end.
  return tileSucceeded(result) && mlirOperationVerify(module) ? result : tileFailure();
}

MlirLogicalResult fuzzRunPass(FuzzWarm *warm, size_t i, MlirOperation module) {
  return run(warm, TILE_COUNTOF(pipelines) + i, tileStr(passes[i]), true, module);
}
