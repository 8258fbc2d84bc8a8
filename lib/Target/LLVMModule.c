/* LLVMModule.c - drives LLVM over one module of kernels: translation, target attributes, emission. Which
 * optimisations run is in Optimize.c.
 *
 * MLIR's llvm.inline_asm cannot say `convergent`, and without it LLVM moves barriers and warp-wide matrix
 * instructions into one arm of a branch; so every inline assembly call is marked here, after translation. */
#include "LLVMModule.h"
#include "CodeGen.h"
#include "Lld.h"
#include "mlir-c/Target/LLVMIR.h"
#include "tile-c/IR.h"
#include "tile-c/Support/StringBuilder.h"
#include "llvm-c/Analysis.h"
#include "llvm-c/Core.h"
#include <stdlib.h>

bool tileIsKernel(LLVMValueRef function) {
  unsigned convention = LLVMGetFunctionCallConv(function);
  return convention == LLVMPTXKernelCallConv || convention == LLVMAMDGPUKERNELCallConv;
}

void tileAddFunctionAttr(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAttributeRef attribute =
      LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value, (unsigned)strlen(value));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

// ---- Diagnostics ----

static void onLLVMDiagnostic(LLVMDiagnosticInfoRef info, void *user) {
  TileLLVMModule *m = user;
  LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
  if (severity != LLVMDSError && severity != LLVMDSWarning)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  int length = (int)strcspn(text, "\n"); // the source line of inline assembly may follow
  if (severity == LLVMDSError) {
    m->failed = true;
    tileEmitError(m->loc, "LLVM refused kernel %s: %.*s", m->kernels, length, text);
  } else {
    tileEmitWarning(m->loc, "LLVM on kernel %s: %.*s", m->kernels, length, text);
  }
  LLVMDisposeMessage(text);
}

/// The only kernel's location, else the module's. The LLVM dialect's functions carry the kernels' locations.
static MlirLocation findLocation(MlirModule module, const char *onlyKernel) {
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); onlyKernel && !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = mlirOperationGetAttributeByName(op, mlirSymbolTableGetSymbolAttributeName());
    if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name) &&
        mlirStringRefEqual(mlirStringAttrGetValue(name), tileStr(onlyKernel)))
      return mlirOperationGetLocation(op);
  }
  return mlirOperationGetLocation(mlirModuleGetOperation(module));
}

/// Lists the kernels' names in m->kernels and finds the location; false if there is no kernel.
static bool findKernels(TileLLVMModule *m, MlirModule module) {
  TileStringBuilder names = {0};
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
    if (!tileIsKernel(f) || LLVMIsDeclaration(f))
      continue;
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    tileStringAppendFormat(&names, "%s%.*s", count++ ? ", " : "", (int)length, name);
  }
  m->kernels = tileStringTake(&names, NULL);
  m->loc = findLocation(module, count == 1 ? m->kernels : NULL);
  return count > 0;
}

// ---- Adapting to the target ----

void tileForEachInstruction(LLVMModuleRef module, TileInstructionVisit visit, void *user) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        i = visit(i, user);
}

bool tileCallsNamed(LLVMValueRef instruction, const char *prefix) {
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
  size_t length, expected = strlen(prefix);
  const char *name = callee ? LLVMGetValueName2(callee, &length) : NULL;
  return name && length >= expected && !memcmp(name, prefix, expected);
}

static LLVMValueRef markAsmConvergent(LLVMValueRef i, void *convergent) {
  if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
    LLVMAddCallSiteAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, convergent);
  return i;
}

static void prepare(TileLLVMModule *m) {
  const TileTargetInfo *target = m->options->target;
  unsigned kind = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));
  tileForEachInstruction(m->module, markAsmConvergent, LLVMCreateEnumAttribute(m->context, kind, 0));
  for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    tileAddFunctionAttr(f, "target-cpu", target->cpu);
    if (*target->llvmFeatures)
      tileAddFunctionAttr(f, "target-features", target->llvmFeatures);
  }
  if (target->vendor == TileVendor_AMD)
    tileAmdgpuPrepare(m);
}

static LLVMCodeGenOptLevel generationLevel(const TileLLVMModule *m) {
  static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess,
                                               LLVMCodeGenLevelDefault, LLVMCodeGenLevelAggressive};
  unsigned level = (unsigned)m->options->optLevel & 3;
  // The highest level of NVPTX adds global value numbering alone, which straight code has had.
  if (m->shape == TileCodeShape_Straight && level == LLVMCodeGenLevelAggressive &&
      m->options->target->vendor == TileVendor_NVIDIA)
    level = LLVMCodeGenLevelDefault;
  return levels[level];
}

static MlirLogicalResult createMachine(TileLLVMModule *m, LLVMCodeGenOptLevel level) {
  const TileTargetInfo *target = m->options->target;
  target->vendor == TileVendor_AMD ? tileAmdgpuInitialize() : tileNvptxInitialize();
  LLVMTargetRef backEnd;
  char *error = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &backEnd, &error)) {
    tileEmitError(m->loc, "this LLVM has no back end for %s: %s", target->triple, error);
    LLVMDisposeMessage(error);
    return tileFailure();
  }
  // Code objects are shared objects; PTX knows no relocation.
  LLVMRelocMode reloc = target->vendor == TileVendor_AMD ? LLVMRelocPIC : LLVMRelocDefault;
  m->machine = LLVMCreateTargetMachine(backEnd, target->triple, target->cpu, target->llvmFeatures, level,
                                       reloc, LLVMCodeModelDefault);
  if (!m->machine)
    return tileEmitError(m->loc, "LLVM cannot generate code for %s", target->chip);
  LLVMSetTarget(m->module, target->triple);
  LLVMSetDataLayout(m->module, target->dataLayout);
  return tileSuccess();
}

MlirLogicalResult tileLLVMModuleInit(TileLLVMModule *m, MlirModule module,
                                     const TileEmissionOptions *options) {
  *m = (TileLLVMModule){.options = options, .loc = mlirOperationGetLocation(mlirModuleGetOperation(module))};
  bool nvidia = options->target->vendor == TileVendor_NVIDIA;
  if (tileFailed(tileCheckModuleLevel(module)))
    return tileFailure();
  if (options->lineTables && tileFailed(tilePrepareLineTables(module, nvidia)))
    return tileFailure();
  m->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(m->context, onLLVMDiagnostic, m);
  m->module = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), m->context);
  if (!m->module)
    return tileEmitError(m->loc, "the module has no translation to LLVM IR");
  if (!findKernels(m, module))
    return tileEmitError(m->loc, "the module has no kernel, expected a public function with a body and "
                                 "without results whose arguments "
                                 "are numbers, pointers or descriptors");
  tileFatalErrorSetKernels(m->kernels);
  m->shape = tileCodeShapeOf(m->module);
  if (tileFailed(createMachine(m, generationLevel(m))))
    return tileFailure();
  prepare(m);
  return tileSuccess();
}

void tileLLVMModuleDestroy(TileLLVMModule *m) {
  tileFatalErrorSetKernels(NULL);
  bool keeps = m->options->keepsMemory;
  if (m->machine && !keeps)
    LLVMDisposeTargetMachine(m->machine);
  if (m->module && !keeps)
    LLVMDisposeModule(m->module);
  if (m->context && !keeps)
    LLVMContextDispose(m->context);
  free(m->kernels);
  *m = (TileLLVMModule){0};
}

// ---- Emission ----

/// malloc'ed copy with a terminating zero.
static MlirLogicalResult copyOut(TileLLVMModule *m, const char *data, size_t size, char **out_data,
                                 size_t *out_size) {
  char *copy = malloc(size + 1);
  if (!copy)
    return tileEmitError(m->loc, "out of memory");
  memcpy(copy, data, size);
  copy[size] = 0;
  *out_data = copy;
  *out_size = size;
  return tileSuccess();
}

MlirLogicalResult tileLLVMModulePrint(TileLLVMModule *m, char **out_data, size_t *out_size) {
  char *text = LLVMPrintModuleToString(m->module);
  MlirLogicalResult result = copyOut(m, text, strlen(text), out_data, out_size);
  LLVMDisposeMessage(text);
  return result;
}

/// The vendor's own way through the back end, which goes over the IR again.
static bool generateInFull(TileLLVMModule *m, LLVMCodeGenFileType type, LLVMMemoryBufferRef *out,
                           char **error) {
  tileReuseGuardEnter(true);
  tileLldHold();
  bool failed = LLVMTargetMachineEmitToMemoryBuffer(m->machine, m->module, type, error, out);
  tileLldRelease();
  tileReuseGuardLeave();
  return !failed;
}

static LLVMMemoryBufferRef generate(TileLLVMModule *m, LLVMCodeGenFileType type) {
  char *error = NULL;
  LLVMMemoryBufferRef buffer = NULL;
  if (m->shortened) {
    LLVMDisposeTargetMachine(m->machine);
    m->machine = NULL;
    if (tileFailed(createMachine(m, LLVMCodeGenLevelNone))) // a block at a time, with a plain allocator
      return NULL;
  }
  if (tileTakesShortPipeline(m)) {
    buffer = tileGeneratePtx(m->machine, m->module, m->shape == TileCodeShape_Loops);
    if (!buffer)
      tileEmitError(m->loc, "LLVM cannot generate code for kernel %s", m->kernels);
  } else if (!generateInFull(m, type, &buffer, &error)) {
    tileEmitError(m->loc, "LLVM cannot generate code for kernel %s: %s", m->kernels, error);
    LLVMDisposeMessage(error);
    buffer = NULL;
  }
  return buffer;
}

MlirLogicalResult tileLLVMModuleGenerate(TileLLVMModule *m, LLVMCodeGenFileType type, char **out_data,
                                         size_t *out_size) {
  LLVMMemoryBufferRef buffer = generate(m, type);
  if (!buffer)
    return tileFailure();
  MlirLogicalResult result =
      m->failed ? tileFailure()
                : copyOut(m, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), out_data, out_size);
  LLVMDisposeMemoryBuffer(buffer);
  return result;
}
