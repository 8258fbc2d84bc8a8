/* ResourceReport.c - one paragraph a kernel: parameters, threads, registers, spills, shared memory. */
#include "ResourceReport.h"
#include <string.h>

static const TileKernelUsage *findUsage(const TileEmission *emission, const char *kernel) {
  for (size_t i = 0; i < emission->numKernels; ++i)
    if (strcmp(emission->kernels[i].name, kernel) == 0)
      return &emission->kernels[i];
  return NULL;
}

static void appendParams(TileStringBuilder *text, const TileManifestKernel *kernel) {
  tileStringAppendText(text, "  parameters:");
  for (size_t i = 0; i < kernel->numParams; ++i) {
    const TileManifestParam *param = &kernel->params[i];
    tileStringAppendFormat(text, "%s %s%s%s %s", i ? "," : "", param->name ? param->name : "",
                           param->name && *param->name ? ": " : "", tileParamKindName(param->kind),
                           tileElementTypeName(param->type));
    if (param->divisibility > 1)
      tileStringAppendFormat(text, " (multiple of %lld)", (long long)param->divisibility);
  }
  tileStringAppendText(text, kernel->numParams ? "\n" : " none\n");
}

static void appendUsage(TileStringBuilder *text, const TileKernelUsage *usage, const TileTargetInfo *target) {
  if (!usage) {
    tileStringAppendText(text, "  registers:  not known (no ptxas was found)\n");
    return;
  }
  tileStringAppendFormat(text, "  registers:  %d of %u a thread", usage->registers,
                         target->maxRegistersPerThread);
  if (usage->accumRegisters > 0)
    tileStringAppendFormat(text, ", %d of them for accumulation", usage->accumRegisters);
  if (usage->scalarRegisters >= 0)
    tileStringAppendFormat(text, "; %d scalar ones a wave", usage->scalarRegisters);
  tileStringAppendFormat(text, "\n  spilled:    %d bytes a thread, stack %d bytes\n", usage->spillBytes,
                         usage->stackBytes);
}

static void appendKernel(TileStringBuilder *text, const TileManifestKernel *kernel,
                         const TileTargetInfo *target, const TileKernelUsage *usage) {
  unsigned warps = kernel->numWarps + kernel->extraWarps;
  tileStringAppendFormat(text, "\nkernel %s\n", kernel->name);
  appendParams(text, kernel);
  tileStringAppendFormat(text, "  threads:    %u (%u warps of %u)\n", warps * kernel->threadsPerWarp, warps,
                         kernel->threadsPerWarp);
  appendUsage(text, usage, target);
  tileStringAppendFormat(text, "  shared:     %u of %u bytes a block\n", kernel->sharedBytes,
                         target->sharedPerBlock);
}

char *tileResourceReport(const TileSession *session, const TileManifest *manifest, const TileEmission *usage,
                         const TileAccessReport *accesses, size_t *out_size) {
  TileStringBuilder text = {0};
  const TileTargetInfo *target = tileSessionGetTarget(session);
  tileStringAppendFormat(&text, "target %s (%s)\n", target->chip, target->architecture);
  for (size_t i = 0; i < manifest->numKernels; ++i) {
    const TileManifestKernel *kernel = &manifest->kernels[i];
    appendKernel(&text, kernel, target, findUsage(usage, kernel->name));
    tileReportAsserts(tileSessionGetModule(session), kernel->name, &text);
    tileStringAppendText(&text, tileAccessReportOf(accesses, kernel->name));
  }
  return tileStringTake(&text, out_size);
}
