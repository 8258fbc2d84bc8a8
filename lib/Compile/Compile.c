/* Compile.c - text in, binary and manifest out. */
#include "tile-c/Compile.h"
#include "AccessReport.h"
#include "KernelManifest.h"
#include "Report.h"
#include "ResourceReport.h"
#include "tile-c/Emission.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Passes.h"
#include "tile-c/Pipelines.h"
#include "tile-c/Session.h"
#include "tile-c/Support/StringBuilder.h"
#include <stdlib.h>
#include <string.h>

typedef struct Diagnostic {
  TileSeverity severity;
  const char *text;
  struct Diagnostic *next;
} Diagnostic;

/// One call of tileCompile, or one of its two ways.
typedef struct Compilation {
  const char *text; ///< what was given
  size_t size;
  const TileCompileOptions *given;
  const TileSession *session;
  TileEmit emit;
  TileEmissionOptions how; ///< once there is a target
  TileKernelManifest manifest;
  TileAccessReport accesses;
  bool quiet;      ///< nothing is told but what emission says, and that only if this way is taken
  bool holds;      ///< during emission: diagnostics wait until it is known whether this way is taken
  TileArena arena; ///< of those that wait
  Diagnostic *first, *last;
  bool lowered; ///< the text is in the LLVM dialect already
  int spilled;  ///< bytes a thread, the most of the kernels
} Compilation;

static MlirLogicalResult compileText(Compilation *c, TileCompileResult *out, TileStatus *out_status);

/// What each kind of output asks of the pipeline, the target and the manifest.
typedef struct EmitRule {
  TilePipelineStage stage;
  bool needsTarget, hasManifest;
  TileVendor vendor; ///< None: any
} EmitRule;

static const EmitRule rules[] = {
    [TileEmit_Tile] = {TilePipelineStage_Tile, false, false, TileVendor_None},
    [TileEmit_TileGPU] = {TilePipelineStage_TileGPU, true, false, TileVendor_None},
    [TileEmit_LLVMDialect] = {TilePipelineStage_LLVMDialect, true, false, TileVendor_None},
    [TileEmit_LLVM] = {TilePipelineStage_Final, true, false, TileVendor_None},
    [TileEmit_PTX] = {TilePipelineStage_Final, true, true, TileVendor_NVIDIA},
    [TileEmit_Cubin] = {TilePipelineStage_Final, true, true, TileVendor_NVIDIA},
    [TileEmit_AMDGCN] = {TilePipelineStage_Final, true, false, TileVendor_AMD},
    [TileEmit_HSACO] = {TilePipelineStage_Final, true, true, TileVendor_AMD},
    [TileEmit_Manifest] = {TilePipelineStage_LLVMDialect, false, true, TileVendor_None},
    [TileEmit_Report] = {TilePipelineStage_Final, true, true, TileVendor_None},
};

void tileCompileResultRelease(TileCompileResult *result) {
  free(result->data);
  free(result->manifest);
  *result = (TileCompileResult){0};
}

/// The target must be there if the kind needs one, and be of the kind's vendor.
static bool checkKind(const TileCompileOptions *options, TileEmit emit) {
  if ((unsigned)emit >= TILE_COUNTOF(rules)) {
    tileReport(options, TileSeverity_Error, "unknown kind of output %d", (int)emit);
    return false;
  }
  const EmitRule *rule = &rules[emit];
  const TileTargetInfo *target = options->target ? tileTargetLookup(options->target) : NULL;
  if (rule->needsTarget && !options->target) {
    tileReport(options, TileSeverity_Error, "%s needs a target, one of %s", tileEmitName(emit),
               tileTargetNames());
    return false;
  }
  // An unknown target is reported with the other options.
  if (!target || rule->vendor == TileVendor_None || rule->vendor == target->vendor)
    return true;
  bool amd = target->vendor == TileVendor_AMD;
  tileReport(options, TileSeverity_Error, "%s is not made for %s, expected %s", tileEmitName(emit),
             target->chip, amd ? "amdgcn or hsaco" : "ptx or cubin");
  return false;
}

static void appendText(MlirStringRef text, void *builder) {
  tileStringAppend(builder, text.data, text.length);
}

static void printModule(const TileSession *session, TileCompileResult *out) {
  TileStringBuilder text = {0};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (tileSessionGetOptions(session)->lineTables)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(tileSessionGetModule(session)), flags, appendText,
                              &text);
  mlirOpPrintingFlagsDestroy(flags);
  out->data = tileStringTake(&text, &out->size);
}

static TileEmissionOptions emissionOptions(const TileSession *session) {
  const TileCompileOptions *options = tileSessionGetOptions(session);
  return (TileEmissionOptions){.target = tileSessionGetTarget(session),
                               .optLevel = options->optLevel,
                               .codeObjectVersion = (unsigned)options->codeObjectVersion,
                               .lineTables = options->lineTables,
                               .ptxas = options->ptxas,
                               .keepsMemory = options->keepsMemory};
}

static MlirLogicalResult writeManifest(const Compilation *c, TileCompileResult *out) {
  out->manifest = tileManifestWrite(&c->manifest.manifest, &out->manifestSize);
  if (out->manifest)
    return tileSuccess();
  tileReport(tileSessionGetOptions(c->session), TileSeverity_Error, "the manifest cannot be written");
  return tileFailure();
}

// ---- Diagnostics ----

static void takeDiagnostic(TileSeverity severity, const char *text, void *user) {
  Compilation *c = user;
  if (!c->holds) {
    if (!c->quiet && c->given->diagnostic)
      c->given->diagnostic(severity, text, c->given->diagnosticUser);
    return;
  }
  Diagnostic *d = tileArenaAlloc(&c->arena, 1, sizeof *d);
  *d = (Diagnostic){severity, tileArenaCopy(&c->arena, text, strlen(text)), NULL};
  *(c->last ? &c->last->next : &c->first) = d;
  c->last = d;
}

static void tellDiagnostics(Compilation *c) {
  c->holds = false;
  for (const Diagnostic *d = c->first; d; d = d->next)
    if (c->given->diagnostic)
      c->given->diagnostic(d->severity, d->text, c->given->diagnosticUser);
  c->first = c->last = NULL;
}

// ---- More warps ----

/// A kernel alone in its text, for few warps, whose threads keep many numbers in memory: with twice the warps each has half of them.
static bool wantsMoreWarps(const Compilation *c, const TileEmission *emission) {
  enum { MANY_BYTES = 128, MOST_WARPS = 4 /* more of them share the registers of a multiprocessor */ };
  return c->spilled > MANY_BYTES && emission->numKernels == 1 && !c->lowered &&
         tileTargetHas(tileSessionGetTarget(c->session), TileFeature_MoreWarps) &&
         tileSessionGetOptions(c->session)->numWarps <= MOST_WARPS;
}

/// Compiles for twice the warps; takes what comes out where hardly anything is left in memory.
static bool takeMoreWarps(const Compilation *c, TileCompileResult *out) {
  TileCompileOptions options = *c->given;
  options.numWarps = 2 * tileSessionGetOptions(c->session)->numWarps;
  Compilation more = {.text = c->text, .size = c->size, .given = &options, .emit = c->emit, .quiet = true};
  TileCompileResult result = {0};
  TileStatus status;
  enum { GAIN = 4 };
  bool better = tileSucceeded(compileText(&more, &result, &status)) && more.spilled <= c->spilled / GAIN;
  if (better) {
    tileReport(c->given, TileSeverity_Remark,
               "compiled for %d warps: with %d, %d bytes a thread do not fit its registers", options.numWarps,
               options.numWarps / 2, c->spilled);
    tellDiagnostics(&more);
    tileCompileResultRelease(out);
    *out = result;
  } else {
    tileCompileResultRelease(&result);
  }
  tileArenaRelease(&more.arena);
  return better;
}

/// The first kernel's, for it is alone in most texts.
static MlirLocation placeOf(const Compilation *c) {
  MlirModule module = tileSessionGetModule(c->session);
  TileKernelView kernel;
  return mlirOperationGetLocation(tileKernelViewNext(module, (MlirOperation){NULL}, &kernel)
                                      ? kernel.op
                                      : mlirModuleGetOperation(module));
}

static int mostSpilled(const TileEmission *emission) {
  int most = 0;
  for (size_t i = 0; i < emission->numKernels; ++i)
    if (emission->kernels[i].spillBytes > most)
      most = emission->kernels[i].spillBytes;
  return most;
}

static MlirLogicalResult writeOutput(Compilation *c, TileCompileResult *out) {
  if (c->emit == TileEmit_Tile || c->emit == TileEmit_TileGPU || c->emit == TileEmit_LLVMDialect) {
    printModule(c->session, out);
    return tileSuccess();
  }
  if (rules[c->emit].hasManifest && tileFailed(writeManifest(c, out)))
    return tileFailure();
  if (c->emit == TileEmit_Manifest) {
    TileStringBuilder text = {0};
    tileStringAppendFormat(&text, "%s\n", out->manifest);
    out->data = tileStringTake(&text, &out->size);
    return tileSuccess();
  }
  TileEmission emission;
  c->holds = true;
  if (tileFailed(tileEmitModule(tileSessionGetModule(c->session), c->emit, &c->how, &emission)))
    return tileFailure();
  c->spilled = mostSpilled(&emission);
  if (wantsMoreWarps(c, &emission) && takeMoreWarps(c, out)) {
    tileEmissionRelease(&emission);
    c->first = c->last = NULL;
    return tileSuccess();
  }
  tileWarnOfSpills(placeOf(c), &emission);
  if (c->emit == TileEmit_Report) {
    out->data = tileResourceReport(c->session, &c->manifest.manifest, &emission, &c->accesses, &out->size);
  } else {
    out->data = emission.data;
    out->size = emission.size;
    emission.data = NULL;
  }
  tileEmissionRelease(&emission);
  return tileSuccess();
}

/// True if the kernels are functions of the LLVM dialect already, as --emit=llvm-dialect writes them.
static bool isLowered(MlirModule module) {
  TileKernelView kernel;
  return tileKernelViewNext(module, (MlirOperation){NULL}, &kernel) &&
         tileOpKind(kernel.op) == TileOp_LLVM_LLVMFunc;
}

/// Lowered kernels are for the vendor whose mark they have.
static MlirLogicalResult checkLoweredFor(MlirModule module, const TileTargetInfo *target) {
  TileKernelView kernel = {0};
  while (tileKernelViewNext(module, kernel.op, &kernel)) {
    bool amd = mlirOperationGetAttributeByName(kernel.op, tileStr("rocdl.kernel")).ptr != NULL;
    if (amd != (target->vendor == TileVendor_AMD))
      return tileEmitError(mlirOperationGetLocation(kernel.op),
                           "kernel '%.*s' is lowered for %s already, got target %s", (int)kernel.name.length,
                           kernel.name.data, amd ? "AMD" : "NVIDIA", target->chip);
  }
  return tileSuccess();
}

/// Explains the accesses as soon as their layouts are known: nothing of them is left in lowered code.
static MlirLogicalResult runPassesWithReport(const TileSession *session, TilePipelineStage stage,
                                             TileAccessReport *report) {
  MlirModule module = tileSessionGetModule(session);
  const TileCompileOptions *options = tileSessionGetOptions(session);
  if (tileFailed(tileRunPipeline(module, TilePipelineStage_TileGPU, options)))
    return tileFailure();
  tileAccessReportCollect(report, session);
  return tileContinuePipeline(module, TilePipelineStage_TileGPU, stage, options);
}

/// A lowered text only goes through the passes that come after that stage.
static MlirLogicalResult runPasses(Compilation *c) {
  MlirModule module = tileSessionGetModule(c->session);
  TilePipelineStage stage = rules[c->emit].stage;
  c->lowered = isLowered(module);
  if (!c->lowered)
    return c->emit == TileEmit_Report ? runPassesWithReport(c->session, stage, &c->accesses)
                                      : tileRunPipeline(module, stage, tileSessionGetOptions(c->session));
  const TileTargetInfo *target = tileSessionGetTarget(c->session);
  if (target && tileFailed(checkLoweredFor(module, target)))
    return tileFailure();
  if (stage != TilePipelineStage_Final)
    return tileSuccess();
  const TileCheckLegalityParams check = {.chip = tileStr(target->chip)};
  static const TileExpandTileNVParams expand;
  MlirLogicalResult result = tileCheckLegalityRun(mlirModuleGetOperation(module), &check);
  if (tileSucceeded(result) && target->vendor == TileVendor_NVIDIA)
    result = tileExpandTileNVRun(mlirModuleGetOperation(module), &expand);
  return result;
}

/// Ptxas gets ready while the text is read and compiled: small kernels would wait for it. NULL if it is not wanted.
static TilePtxas *startPtxas(const TileCompileOptions *options, TileEmit emit) {
  bool wanted = emit == TileEmit_Cubin || emit == TileEmit_Report;
  const TileTargetInfo *target = wanted && options->target ? tileTargetLookup(options->target) : NULL;
  if (!target || target->vendor != TileVendor_NVIDIA)
    return NULL;
  const TileEmissionOptions how = {.target = target,
                                   .optLevel = options->optLevel < 0 ? 3 : options->optLevel,
                                   .lineTables = options->lineTables,
                                   .ptxas = options->ptxas};
  return tilePtxasStart(&how);
}

static MlirLogicalResult compile(Compilation *c, TileCompileResult *out) {
  const EmitRule *rule = &rules[c->emit];
  TilePtxas *started = c->how.started;
  c->how = emissionOptions(c->session);
  c->how.started = started;
  if (rule->hasManifest && tileFailed(tileKernelManifestCollect(&c->manifest, c->session)))
    return tileFailure();
  // A manifest without target has the parameters alone: no pass has to run.
  bool parametersOnly = c->emit == TileEmit_Manifest && !tileSessionGetTarget(c->session);
  if (!parametersOnly && tileFailed(runPasses(c)))
    return tileFailure();
  if (rule->hasManifest)
    tileKernelManifestComplete(&c->manifest, c->session);
  return writeOutput(c, out);
}

static MlirLogicalResult compileText(Compilation *c, TileCompileResult *out, TileStatus *out_status) {
  TileCompileOptions options = *c->given;
  options.diagnostic = takeDiagnostic;
  options.diagnosticUser = c;
  TilePtxas *started = startPtxas(&options, c->emit);
  TileSession *session = tileSessionOpen(c->text, c->size, &options, out_status);
  MlirLogicalResult result = tileFailure();
  if (session) {
    c->session = session;
    c->how.started = started;
    *out_status = TileStatus_Failed;
    result = compile(c, out);
  }
  tilePtxasEnd(started);
  tileAccessReportRelease(&c->accesses);
  tileKernelManifestRelease(&c->manifest);
  if (!c->quiet)
    tellDiagnostics(c);
  if (session)
    tileSessionClose(session);
  if (tileFailed(result))
    tileCompileResultRelease(out);
  return result;
}

int tileCompile(const char *text, size_t size, TileEmit emit, const TileCompileOptions *options,
                TileCompileResult *out_result) {
  *out_result = (TileCompileResult){0};
  TileStatus status = TileStatus_Options;
  if (!checkKind(options, emit))
    return status;
  Compilation c = {.text = text, .size = size, .given = options, .emit = emit};
  MlirLogicalResult result = compileText(&c, out_result, &status);
  tileArenaRelease(&c.arena);
  return tileSucceeded(result) ? TileStatus_Done : status;
}
