/* Harness.c - texts, pass pipelines and the simulator, as the property tests use them. */
#include "Harness.h"
#include "mlir-c/Pass.h"
#include "tile-c/Passes.h"
#include <stdio.h>

MlirContext harnessContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tileRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  tileRegisterAllPasses();
  return context;
}

void harnessAppendLayout(TileStringBuilder *out, const char *name, const TileLayout *layout) {
  static const char *const dims[] = {"register", "lane", "warp", "block"};
  tileStringAppendFormat(out, "#%s = #tile_gpu.layout<%d", name, layout->rank);
  for (int dim = 0; dim < TileLayoutDim_Count; ++dim) {
    tileStringAppendFormat(out, ", %s = [", dims[dim]);
    for (int bit = 0; bit < layout->bits[dim]; ++bit) {
      tileStringAppendText(out, bit ? ", [" : "[");
      for (int d = 0; d < layout->rank; ++d)
        tileStringAppendFormat(out, d ? ", %d" : "%d", layout->bases[dim][bit][d]);
      tileStringAppendText(out, "]");
    }
    tileStringAppendText(out, "]");
  }
  tileStringAppendText(out, ">\n");
}

void harnessAppendModule(TileStringBuilder *out, const TileTargetInfo *target, int warps) {
  tileStringAppendFormat(out,
                         "module attributes {tile_gpu.target = \"%s\", tile_gpu.num_warps = %d : i32, "
                         "tile_gpu.threads_per_warp = %u : i32} {\n",
                         target->chip, warps, target->warpSize);
}

static void append(MlirStringRef text, void *user) { tileStringAppend(user, text.data, text.length); }

bool harnessLower(MlirContext context, const TileTargetInfo *target, const TileStringBuilder *text,
                  TileStringBuilder *out) {
  const char *last =
      target->vendor == TileVendor_NVIDIA ? "convert-tile-gpu-to-nvvm" : "convert-tile-gpu-to-rocdl";
  char passes[128];
  snprintf(passes, sizeof passes, "tile-gpu-allocate-shared,tile-gpu-insert-barriers,%s", last);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreate(text->data, text->length));
  if (!module.ptr)
    return false;
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirOperation op = mlirModuleGetOperation(module);
  bool good = tileSucceeded(mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                         tileStr(passes), append, out)) &&
              tileSucceeded(mlirPassManagerRunOnOp(manager, op));
  if (good)
    mlirOperationPrint(op, append, out);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return good;
}

static void showDiagnostic(TileSeverity severity, const char *message, void *user) {
  (void)severity, (void)user;
  fprintf(stderr, "%s\n", message);
}

static void collect(const char *text, void *user) { tileStringAppendText(user, text); }

bool harnessSimulate(const TileStringBuilder *lowered, const TileTargetInfo *target, int warps, void *in,
                     size_t inBytes, void *out, size_t outBytes, TileStringBuilder *json) {
  /* The lowered kernel's pointers have no element type: buffers of bytes. */
  TileArgument arguments[2] = {
      {.type = TileElementType_I8, .isBuffer = true, .data = in, .numElements = (int64_t)inBytes},
      {.type = TileElementType_I8, .isBuffer = true, .data = out, .numElements = (int64_t)outBytes}};
  TileSimOptions sim = {.checks = TileSimCheck_Default,
                        .numThreads = 1,
                        .stats = TileSimStats_Json,
                        .output = collect,
                        .outputUser = json};
  TileCompileOptions options = {.target = target->chip, .numWarps = warps, .diagnostic = showDiagnostic};
  const uint32_t grid[] = {1, 1, 1};
  return !tileExecuteSim(lowered->data, lowered->length, &options, grid, arguments, 2, &sim);
}
