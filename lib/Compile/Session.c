/* Session.c - opens a compilation: options, text, context, module, choice of the kernel. */
#include "tile-c/Session.h"
#include "Auto.h"
#include "Options.h"
#include "Report.h"
#include "Source.h"
#include "tile-c/Dialect/SCF.h"
#include "tile-c/Emission.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Support/StringBuilder.h"
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

struct TileSession {
  TileCompileOptions options;
  TileTargetInfo target;
  bool hasTarget;
  TileSource source;
  TileReporter reporter;
  TileArena arena; ///< of the definitions that --auto has chosen
  MlirContext context;
  bool ownsContext;
  MlirDiagnosticHandlerID handler; ///< attached if there is a context
  MlirModule module;
};

MlirModule tileSessionGetModule(const TileSession *session) { return session->module; }
const TileCompileOptions *tileSessionGetOptions(const TileSession *session) { return &session->options; }
const TileTargetInfo *tileSessionGetTarget(const TileSession *session) {
  return session->hasTarget ? &session->target : NULL;
}

const char *tileSessionArgumentName(const TileSession *session, MlirStringRef kernel, size_t i,
                                    size_t *out_length) {
  return tileSourceArgumentName(session->source.text, session->source.size, kernel.data, kernel.length, i,
                                out_length);
}

size_t tileSessionGetChoices(const TileSession *session, TileArena *arena, TileDefine **out_choices) {
  const TileSource *source = &session->source;
  TileDefine *choices = tileArenaAlloc(arena, source->numParams + 1, sizeof *choices);
  for (size_t i = 0; i < source->numParams; ++i) {
    const TileParam *param = &source->params[i];
    size_t length;
    const char *value =
        tileSourceFindValue(source, &session->options, param->name, param->nameLength, &length);
    choices[i] = (TileDefine){tileArenaCopy(arena, param->name, param->nameLength),
                              tileArenaCopy(arena, value, length)};
  }
  *out_choices = choices;
  return source->numParams;
}

const char *tileSessionGetGrid(const TileSession *session, int i, TileArena *arena) {
  return session->source.grid.text ? tileAutoGridPart(&session->source, &session->options, i, arena) : NULL;
}

void tileSessionAppendPosition(const TileSession *session, MlirLocation loc, TileStringBuilder *out) {
  tileReporterAppendPosition(&session->reporter, loc, out);
}

// ---- Kernels ----

static bool hasUnitAttr(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(mlirOperationGetAttributeByName(op, tileStr(name)));
}

static bool isPublic(MlirOperation op) {
  MlirAttribute visibility = mlirOperationGetAttributeByName(op, mlirSymbolTableGetVisibilityAttributeName());
  return mlirAttributeIsNull(visibility) ||
         mlirStringRefEqual(mlirStringAttrGetValue(visibility), tileStr("public"));
}

static bool isKernel(MlirOperation op) {
  switch (tileOpKind(op)) {
  case TileOp_Func_Func:
    return hasUnitAttr(op, "tile.kernel");
  case TileOp_TT_Func:
    return isPublic(op);
  case TileOp_LLVM_LLVMFunc: // a text that is lowered already
    return hasUnitAttr(op, "nvvm.kernel") || hasUnitAttr(op, "rocdl.kernel");
  default:
    return false;
  }
}

bool tileKernelViewGet(MlirOperation op, TileKernelView *out_view) {
  if (!isKernel(op))
    return false;
  MlirAttribute name = mlirOperationGetAttributeByName(op, mlirSymbolTableGetSymbolAttributeName());
  *out_view = (TileKernelView){op, mlirStringAttrGetValue(name),
                               mlirOperationGetAttributeByName(op, tileStr("arg_attrs")),
                               mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))};
  return !mlirBlockIsNull(out_view->entry); // a declaration is no kernel
}

bool tileKernelViewNext(MlirModule module, MlirOperation op, TileKernelView *out_view) {
  op = mlirOperationIsNull(op) ? mlirBlockGetFirstOperation(mlirModuleGetBody(module))
                               : mlirOperationGetNextInBlock(op);
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (tileKernelViewGet(op, out_view))
      return true;
  return false;
}

/// A kernel that is not wanted becomes a private function without callers, which the pipeline drops.
static void demote(MlirOperation kernel) {
  MlirContext context = mlirOperationGetContext(kernel);
  static const char *const marks[] = {"tile.kernel", "nvvm.kernel", "rocdl.kernel"};
  for (size_t i = 0; i < TILE_COUNTOF(marks); ++i)
    mlirOperationRemoveAttributeByName(kernel, tileStr(marks[i]));
  mlirOperationSetAttributeByName(kernel, mlirSymbolTableGetVisibilityAttributeName(),
                                  mlirStringAttrGet(context, tileStr("private")));
}

static void reportMissingKernel(const TileSession *session, unsigned count, const char *names) {
  const TileCompileOptions *options = &session->options;
  if (count == 0)
    tileReport(
        options, TileSeverity_Error,
        "the file has no kernel, expected a func.func with the attribute tile.kernel or a public tt.func");
  else
    tileReport(options, TileSeverity_Error, "the file has no kernel '%s', only %s", options->kernel, names);
}

static TileStatus selectKernel(TileSession *session) {
  TileStringBuilder names = {0};
  TileKernelView kernel = {0};
  unsigned count = 0, chosen = 0;
  while (tileKernelViewNext(session->module, kernel.op, &kernel)) {
    tileStringAppendFormat(&names, "%s%.*s", count++ ? ", " : "", (int)kernel.name.length, kernel.name.data);
    if (!session->options.kernel || mlirStringRefEqual(kernel.name, tileStr(session->options.kernel)))
      ++chosen;
    else
      demote(kernel.op);
  }
  if (!chosen)
    reportMissingKernel(session, count, names.data);
  tileStringRelease(&names);
  return chosen ? TileStatus_Done : count ? TileStatus_Options : TileStatus_Failed;
}

// ---- Opening and closing ----

MlirContext tileSessionContextCreate(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterAllDialects(registry);
  tileRegisterTranslations(registry);
  // No thread pool: kernels are small, and callers may run sessions in parallel.
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  return context;
}

/// Loops that never end, or whose steps lead away from their ends: MLIR leaves them out, stores and all.
static MlirWalkResult checkStep(MlirOperation op, void *failed) {
  int64_t step;
  SCFForOp loop = scfForOpCast(op);
  if (scfForOpIsNull(loop) || !tileValueConstantInt(scfForOpGetStep(loop), &step) || step > 0 ||
      (step && scfForOpGetUnsignedCmp(loop)))
    return MlirWalkResultAdvance;
  tileEmitOpError(op, "got a step of %lld, expected at least 1", (long long)step);
  *(bool *)failed = true;
  return MlirWalkResultAdvance;
}

static bool parse(TileSession *session, MlirContext context) {
  session->ownsContext = mlirContextIsNull(context);
  session->context = session->ownsContext ? tileSessionContextCreate() : context;
  session->reporter = (TileReporter){.options = &session->options, .source = &session->source};
  session->handler = tileReporterAttach(&session->reporter, session->context);
  MlirStringRef text = mlirStringRefCreate(session->source.text, session->source.size);
  session->module = tileParseModule(session->context, text, tileFileName(&session->options));
  bool failed = false;
  if (!mlirModuleIsNull(session->module))
    mlirOperationWalk(mlirModuleGetOperation(session->module), checkStep, &failed, MlirWalkPreOrder);
  // The parser goes on after some errors of the lexer, as a stray @ in a type.
  return !mlirModuleIsNull(session->module) && !session->reporter.errors;
}

/// One of NUM_WARPS and NUM_STAGES, if the text declares it and no option has said it.
static bool takeCount(const TileSource *declared, const TileCompileOptions *options, const char *name,
                      int *inout_count, TileCountPlace *out_place) {
  size_t length;
  const char *value = tileSourceFindValue(declared, options, name, strlen(name), &length);
  if (!value || *inout_count)
    return true;
  const TileParam *param = tileSourceFindParam(declared, name, strlen(name));
  *out_place = (TileCountPlace){param->line, param->column, value != param->value && !options->automatic};
  char *end = NULL;
  const long count = strtol(value, &end, 10);
  *inout_count = (int)count;
  if (isdigit((unsigned char)*value) && end == value + length && count >= 1 && count <= INT_MAX)
    return true;
  tileReportAt(options, TileSeverity_Error, param->line, param->column,
               "%s: got '%.*s'%s, expected a number from 1", name, (int)length, value,
               out_place->isDefine ? " from -D" : "");
  return false;
}

static bool takeCounts(const char *text, size_t size, TileCompileOptions *options,
                       TileCountPlaces *out_places) {
  TileSource declared = {0};
  const bool ok = tileSourceReadParams(&declared, text, size, options) &&
                  takeCount(&declared, options, "NUM_WARPS", &options->numWarps, &out_places->warps) &&
                  takeCount(&declared, options, "NUM_STAGES", &options->numStages, &out_places->stages);
  tileSourceRelease(&declared);
  return ok;
}

/// What the text's declared parameters make of the options.
static bool takeDeclared(TileSession *session, const char *text, size_t size, TileCompileOptions *options,
                         TileCountPlaces *out_places) {
  TileDefine *defines;
  size_t numDefines;
  if (options->automatic) {
    if (!tileAutoChoose(text, size, options, &session->arena, &defines, &numDefines))
      return false;
    options->defines = defines;
    options->numDefines = numDefines;
  }
  return takeCounts(text, size, options, out_places);
}

static TileStatus fill(TileSession *session, MlirContext context, const char *text, size_t size,
                       const TileCompileOptions *options) {
  TileCompileOptions declared = *options;
  TileCountPlaces places = {0};
  if (!tileSourceCheckText(text, size, options) || !takeDeclared(session, text, size, &declared, &places))
    return TileStatus_Failed;
  if (!tileOptionsResolve(&declared, &places, &session->options, &session->target, &session->hasTarget))
    return TileStatus_Options;
  if (!tileSourceInit(&session->source, text, size, &session->options) || !parse(session, context))
    return TileStatus_Failed;
  return selectKernel(session);
}

TileSession *tileSessionOpenIn(MlirContext context, const char *text, size_t size,
                               const TileCompileOptions *options, TileStatus *out_status) {
  TileSession *session = calloc(1, sizeof *session);
  TileStatus status = session ? fill(session, context, text, size, options) : TileStatus_Failed;
  if (out_status)
    *out_status = status;
  if (status == TileStatus_Done)
    return session;
  tileSessionClose(session);
  return NULL;
}

TileSession *tileSessionOpen(const char *text, size_t size, const TileCompileOptions *options,
                             TileStatus *out_status) {
  return tileSessionOpenIn((MlirContext){NULL}, text, size, options, out_status);
}

void tileSessionClose(TileSession *session) {
  if (!session)
    return;
  bool keeps = session->options.keepsMemory;
  if (!mlirModuleIsNull(session->module) && !keeps)
    mlirModuleDestroy(session->module);
  if (!mlirContextIsNull(session->context))
    mlirContextDetachDiagnosticHandler(session->context, session->handler);
  if (session->ownsContext && !keeps)
    mlirContextDestroy(session->context);
  tileSourceRelease(&session->source);
  tileArenaRelease(&session->arena);
  free(session);
}
