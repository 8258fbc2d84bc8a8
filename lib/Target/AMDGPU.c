/* AMDGPU.c - LLVM's AMDGPU back end: registration, what it expects of a module, and the usage its assembly
 * states. What it gets wrong is in AmdGuards.c. */
#include "Amdgpu.h"
#include "LLVMModule.h"
#include "Usage.h"
#include "llvm-c/Core.h"
#include "llvm-c/Support.h"
#include "llvm-c/Target.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void switchOffBrokenPasses(void) {
  static const char *const arguments[] = {"tile", TILE_AMDGPU_SWITCH};
  LLVMParseCommandLineOptions(2, arguments, NULL);
}

static void initialize(void) {
  switchOffBrokenPasses();
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  LLVMInitializeAMDGPUAsmParser(); // for inline assembly in objects
}

void tileAmdgpuInitialize(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize);
}

/// LLVM 22 would make version 6 by default.
static void setCodeObjectVersion(TileLLVMModule *m) {
  static const char flag[] = "amdhsa_code_object_version";
  unsigned version = m->options->codeObjectVersion * 100;
  if (version == 0)
    version = m->options->target->codeObjectVersion;
  LLVMValueRef value = LLVMConstInt(LLVMInt32TypeInContext(m->context), version, false);
  LLVMAddModuleFlag(m->module, LLVMModuleFlagBehaviorError, flag, sizeof flag - 1,
                    LLVMValueAsMetadata(value));
}

/// Whether a kernel reads the values that the run-time library appends to its parameters.
static bool readsImplicitArguments(LLVMModuleRef module, LLVMValueRef kernel) {
  LLVMValueRef pointer = LLVMGetNamedFunction(module, "llvm.amdgcn.implicitarg.ptr");
  for (LLVMUseRef u = pointer ? LLVMGetFirstUse(pointer) : NULL; u; u = LLVMGetNextUse(u)) {
    LLVMValueRef call = LLVMGetUser(u);
    if (LLVMIsAInstruction(call) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == kernel)
      return true;
  }
  return false;
}

void tileAmdgpuPrepare(TileLLVMModule *m) {
  setCodeObjectVersion(m);
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
    if (!tileIsKernel(f) || LLVMIsDeclaration(f))
      continue;
    // Without this 256 bytes of hidden arguments are added. Only tile.num_programs reads them.
    if (!readsImplicitArguments(m->module, f))
      tileAddFunctionAttr(f, "amdgpu-no-implicitarg-ptr", "");
    tileAddFunctionAttr(f, "uniform-work-group-size", "true");
    // Not what it seems: this chooses MFMA with results in vector registers, and accumulation registers for
    // overflow. Otherwise the registers are halved between the two and accumulators are moved in every turn
    // of a loop.
    if (tileTargetHas(m->options->target, TileFeature_AGPR))
      tileAddFunctionAttr(f, "amdgpu-agpr-alloc", "0");
  }
}

// ---- Usage ----

static void readMetadataLine(const char *line, size_t length, TileEmission *emission) {
  TileKernelUsage *kernel = &emission->kernels[emission->numKernels - 1];
  const struct {
    const char *key;
    int *value, factor;
  } rows[] = {{".agpr_count:", &kernel->accumRegisters, 1},
              {".vgpr_count:", &kernel->registers, 1},
              {".sgpr_count:", &kernel->scalarRegisters, 1},
              {".vgpr_spill_count:", &kernel->spillBytes, 4},
              {".private_segment_fixed_size:", &kernel->stackBytes, 1},
              {".group_segment_fixed_size:", &kernel->sharedBytes, 1}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
    if (strncmp(line, rows[i].key, strlen(rows[i].key)) == 0)
      *rows[i].value = rows[i].factor * (int)strtol(line + strlen(rows[i].key), NULL, 10);
  static const char name[] = ".name:";
  if (strncmp(line, name, sizeof name - 1) == 0) {
    size_t skip = sizeof name - 1 + strspn(line + sizeof name - 1, " '");
    free(kernel->name);
    kernel->name = strndup(line + skip, length - skip - (line[length - 1] == '\''));
  }
}

void tileAmdgpuReadUsage(const char *assembly, TileEmission *emission) {
  const char *line = strstr(assembly, "amdhsa.kernels:");
  line = line ? strchr(line, '\n') : NULL;
  // A kernel's members are indented by four; its first stands behind "  - ". Arguments are indented deeper.
  while (line && strncmp(line, "\n  ", 3) == 0) {
    const char *member = line + 5;
    bool isFirst = line[3] == '-';
    if (isFirst && !tileUsageAdd(emission, "", 0))
      return;
    if (emission->numKernels && (isFirst || strncmp(line, "\n    .", 6) == 0))
      readMetadataLine(member, strcspn(member, "\n"), emission);
    line = strchr(line + 1, '\n');
  }
}
