/* CheckLowered.c - attributes that MLIR's verifiers, printers and the translation to LLVM IR take for given.
 *
 * mma.sync's own verifier takes the optional types of its operands for present, the printers of calls a
 * dictionary for each argument, the translation that types are those of LLVM IR and that symbols named outside
 * of calls and addresses are there. Scopes of atomics are any string to MLIR, and the back ends refuse theirs without a place or
 * take what they do not know for some other. */
#include "CheckLowered.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/Dialect/LLVM.h"
#include "tile-c/Dialect/NVVM.h"
#include "tile-c/IR.h"
#include "tile-c/Session.h"
#include <string.h>

static bool checkCount(MlirOperation op, const char *what, MlirAttribute list, intptr_t expected) {
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list) ||
      mlirArrayAttrGetNumElements(list) == expected)
    return true;
  tileEmitOpError(op, "got %ld dictionaries in '%s', expected %ld", (long)mlirArrayAttrGetNumElements(list),
                  what, (long)expected);
  return false;
}

static bool isConstantRange(MlirAttribute attribute) {
  MlirAttribute sample =
      mlirAttributeParseGet(mlirAttributeGetContext(attribute), tileStr("#llvm.constant_range<i32, 0, 1>"));
  return mlirTypeIDEqual(mlirAttributeGetTypeID(attribute), mlirAttributeGetTypeID(sample));
}

static bool checkParameter(MlirOperation op, MlirAttribute dictionary) {
  static const char *const ofType[] = {"llvm.byval", "llvm.byref", "llvm.sret", "llvm.inalloca",
                                       "llvm.elementtype"};
  for (size_t i = 0; i < TILE_COUNTOF(ofType); ++i) {
    MlirAttribute type = mlirDictionaryAttrGetElementByName(dictionary, tileStr(ofType[i]));
    if (mlirAttributeIsNull(type) ||
        (mlirAttributeIsAType(type) && tileTypeIsLLVM(mlirTypeAttrGetValue(type))))
      continue;
    tileEmitOpError(op, "got '%s' of another kind, expected a type of LLVM IR", ofType[i]);
    return false;
  }
  MlirAttribute range = mlirDictionaryAttrGetElementByName(dictionary, tileStr("llvm.range"));
  if (mlirAttributeIsNull(range) || isConstantRange(range))
    return true;
  tileEmitOpError(op, "got 'llvm.range' of another kind, expected one like #llvm.constant_range<i32, 0, 1>");
  return false;
}

/// Of arguments or results: dictionaries, or something that the verifier refuses.
static bool checkParameters(MlirOperation op, MlirAttribute list) {
  bool ok = true;
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return true;
  for (intptr_t i = 0; ok && i < mlirArrayAttrGetNumElements(list); ++i) {
    MlirAttribute dictionary = mlirArrayAttrGetElement(list, i);
    ok = !mlirAttributeIsADictionary(dictionary) || checkParameter(op, dictionary);
  }
  return ok;
}

static bool checkCall(MlirOperation op, MlirAttribute ofArguments, intptr_t arguments,
                      MlirAttribute ofResults) {
  return checkParameters(op, ofArguments) && checkParameters(op, ofResults) &&
         checkCount(op, "arg_attrs", ofArguments, arguments) &&
         checkCount(op, "res_attrs", ofResults, mlirOperationGetNumResults(op));
}

static bool checkTypes(MlirOperation op, MlirAttribute a, MlirAttribute b) {
  if (!mlirAttributeIsNull(a) && !mlirAttributeIsNull(b))
    return true;
  tileEmitOpError(op, "got no '%s', expected one, such as #nvvm.mma_type<s8>",
                  mlirAttributeIsNull(a) ? "multiplicandAPtxType" : "multiplicandBPtxType");
  return false;
}

/// The op of this name beside `op`, or null.
static MlirOperation findBeside(MlirOperation op, MlirStringRef name) {
  MlirOperation other = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationIsNull(other); other = mlirOperationGetNextInBlock(other)) {
    MlirAttribute symbol = mlirOperationGetAttributeByName(other, mlirSymbolTableGetSymbolAttributeName());
    if (!mlirAttributeIsNull(symbol) && mlirAttributeIsAString(symbol) &&
        mlirStringRefEqual(mlirStringAttrGetValue(symbol), name))
      return other;
  }
  return other;
}

/// The type of element i of an aggregate; other types as they are.
static MlirType partOf(MlirType type, intptr_t i) {
  MlirType array = mlirLLVMArrayTypeGet(mlirIntegerTypeGet(mlirTypeGetContext(type), 8), 1);
  if (mlirTypeIDEqual(mlirTypeGetTypeID(type), mlirTypeGetTypeID(array)))
    return mlirLLVMArrayTypeGetElementType(type);
  if (mlirTypeIsALLVMStructType(type) && !mlirLLVMStructTypeIsOpaque(type) &&
      i < mlirLLVMStructTypeGetNumElementTypes(type))
    return mlirLLVMStructTypeGetElementType(type, i);
  return type;
}

/// A symbol stands for an address, at any depth of an array.
static bool checkGlobalValue(MlirOperation op, MlirAttribute value, MlirType type) {
  if (mlirAttributeIsNull(value) || mlirTypeIsNull(type))
    return true;
  if (mlirAttributeIsAArray(value)) {
    bool ok = true;
    for (intptr_t i = 0; ok && i < mlirArrayAttrGetNumElements(value); ++i)
      ok = checkGlobalValue(op, mlirArrayAttrGetElement(value, i), partOf(type, i));
    return ok;
  }
  if (!mlirAttributeIsASymbolRef(value))
    return true;
  MlirStringRef name = mlirSymbolRefAttrGetRootReference(value);
  TileOpKind kind = TileOp_None;
  MlirOperation other = findBeside(op, name);
  if (!mlirOperationIsNull(other))
    kind = tileOpKind(other);
  if (mlirSymbolRefAttrGetNumNestedReferences(value) == 0 && mlirTypeIsALLVMPointerType(type) &&
      (kind == TileOp_LLVM_Global || kind == TileOp_LLVM_LLVMFunc))
    return true;
  tileEmitOpError(op, "got the value @%.*s, expected a pointer to a global or function of the module",
                  (int)name.length, name.data);
  return false;
}

static bool checkFunction(MlirOperation op) {
  LLVMLLVMFuncOp function = {op};
  if (!checkParameters(op, llvmLLVMFuncOpGetArgAttrsAttr(function)) ||
      !checkParameters(op, llvmLLVMFuncOpGetResAttrsAttr(function)))
    return false;
  MlirAttribute personality = llvmLLVMFuncOpGetPersonalityAttr(function);
  MlirAttribute results = llvmLLVMFuncOpGetResAttrsAttr(function);
  if (!mlirAttributeIsNull(results) && mlirAttributeIsAArray(results) &&
      mlirArrayAttrGetNumElements(results) == 0) {
    tileEmitOpError(op, "got 0 dictionaries in 'res_attrs', expected 1 or no 'res_attrs'");
    return false;
  }
  if (mlirAttributeIsNull(personality) || !mlirAttributeIsAFlatSymbolRef(personality))
    return true;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(personality);
  MlirOperation other = findBeside(op, name);
  if (!mlirOperationIsNull(other) && tileOpKind(other) == TileOp_LLVM_LLVMFunc)
    return true;
  tileEmitOpError(op, "got the personality @%.*s, expected a function of the module", (int)name.length,
                  name.data);
  return false;
}

static bool checkResolver(MlirOperation op) {
  MlirAttribute resolver = llvmIFuncOpGetResolverAttr((LLVMIFuncOp){op});
  if (mlirAttributeIsNull(resolver) || !mlirAttributeIsAFlatSymbolRef(resolver))
    return true;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(resolver);
  MlirOperation other = findBeside(op, name);
  if (!mlirOperationIsNull(other) && tileOpKind(other) == TileOp_LLVM_LLVMFunc)
    return true;
  tileEmitOpError(op, "got the resolver @%.*s, expected a function of the module", (int)name.length,
                  name.data);
  return false;
}

/// Of an element in memory.
static bool checkElement(MlirOperation op, MlirAttribute type) {
  if (mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) || tileTypeIsLLVM(mlirTypeAttrGetValue(type)))
    return true;
  tileEmitOpError(op, "got an 'elem_type' of another dialect, expected a type of LLVM IR");
  return false;
}

/// A dictionary of inline assembly's operand is empty or has the type that the operand points to.
static bool isOperandAttrs(MlirAttribute attribute) {
  if (!mlirAttributeIsADictionary(attribute))
    return false;
  MlirAttribute type = mlirDictionaryAttrGetElementByName(attribute, tileStr("elementtype"));
  if (mlirAttributeIsNull(type))
    return mlirDictionaryAttrGetNumElements(attribute) == 0;
  return mlirAttributeIsAType(type) && tileTypeIsLLVM(mlirTypeAttrGetValue(type));
}

static bool checkAsm(MlirOperation op) {
  MlirAttribute list = llvmInlineAsmOpGetOperandAttrsAttr((LLVMInlineAsmOp){op});
  if (mlirAttributeIsNull(list) || !mlirAttributeIsAArray(list))
    return true;
  bool ok = mlirArrayAttrGetNumElements(list) <= mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; ok && i < mlirArrayAttrGetNumElements(list); ++i)
    ok = isOperandAttrs(mlirArrayAttrGetElement(list, i));
  if (!ok)
    tileEmitOpError(op,
                    "got 'operand_attrs' of another kind, expected for each operand {} or its elementtype");
  return ok;
}

static bool checkModule(MlirOperation op) {
  MlirAttribute triple = mlirOperationGetAttributeByName(op, tileStr("llvm.target_triple"));
  MlirAttribute libraries = mlirOperationGetAttributeByName(op, tileStr("llvm.dependent_libraries"));
  if (!mlirAttributeIsNull(triple) && !mlirAttributeIsAString(triple)) {
    tileEmitOpError(op, "got 'llvm.target_triple' of another kind, expected a string");
    return false;
  }
  bool ok = mlirAttributeIsNull(libraries) || mlirAttributeIsAArray(libraries);
  for (intptr_t i = 0; ok && libraries.ptr && i < mlirArrayAttrGetNumElements(libraries); ++i)
    ok = mlirAttributeIsAString(mlirArrayAttrGetElement(libraries, i));
  if (!ok)
    tileEmitOpError(op, "got 'llvm.dependent_libraries' of another kind, expected an array of strings");
  return ok;
}

/// The scopes that a back end knows, with those of AMD that order one address space alone.
static bool isScope(MlirStringRef name) {
  static const char *const names[] = {"",       "singlethread", "block",     "cluster",
                                      "device", "agent",        "workgroup", "wavefront"};
  static const char suffix[] = "one-as";
  const size_t behind = sizeof suffix - 1;
  if (name.length >= behind && !memcmp(name.data + name.length - behind, suffix, behind)) {
    name.length -= behind;
    if (!name.length)
      return true;
    if (name.data[--name.length] != '-')
      return false;
  }
  for (size_t i = 0; i < TILE_COUNTOF(names); ++i)
    if (mlirStringRefEqual(name, tileStr(names[i])))
      return true;
  return false;
}

static bool checkScope(MlirOperation op, MlirAttribute scope) {
  if (mlirAttributeIsNull(scope) || !mlirAttributeIsAString(scope) || isScope(mlirStringAttrGetValue(scope)))
    return true;
  MlirStringRef name = mlirStringAttrGetValue(scope);
  tileEmitOpError(op,
                  "got syncscope \"%.*s\", expected none, block, cluster or device (NVIDIA), agent, cluster, "
                  "workgroup or wavefront (AMD), or singlethread",
                  (int)name.length, name.data);
  return false;
}

bool tileCheckLowered(MlirOperation op) {
  LLVMCallOp call = {op};
  LLVMInvokeOp invoke = {op};
  LLVMCallIntrinsicOp intrinsic = {op};
  LLVMGlobalOp global = {op};
  NVVMMmaOp mma = {op};
  NVVMMmaSpOp sparse = {op};
  switch (tileOpKind(op)) {
  case TileOp_None: // builtin
    return checkModule(op);
  case TileOp_LLVM_Call: // without a name the callee is the first operand
    return checkCall(op, llvmCallOpGetArgAttrsAttr(call),
                     llvmCallOpGetNumCalleeOperands(call) - !llvmCallOpGetCalleeAttr(call).ptr,
                     llvmCallOpGetResAttrsAttr(call));
  case TileOp_LLVM_Invoke:
    return checkCall(op, llvmInvokeOpGetArgAttrsAttr(invoke),
                     llvmInvokeOpGetNumCalleeOperands(invoke) - !llvmInvokeOpGetCalleeAttr(invoke).ptr,
                     llvmInvokeOpGetResAttrsAttr(invoke));
  case TileOp_LLVM_CallIntrinsic:
    return checkCall(op, llvmCallIntrinsicOpGetArgAttrsAttr(intrinsic),
                     llvmCallIntrinsicOpGetNumArgs(intrinsic), llvmCallIntrinsicOpGetResAttrsAttr(intrinsic));
  case TileOp_LLVM_Global:
    return checkGlobalValue(op, llvmGlobalOpGetValueAttr(global), llvmGlobalOpGetGlobalType(global));
  case TileOp_LLVM_LLVMFunc:
    return checkFunction(op);
  case TileOp_LLVM_IFunc:
    return checkResolver(op);
  case TileOp_LLVM_Alloca:
    return checkElement(op, llvmAllocaOpGetElemTypeAttr((LLVMAllocaOp){op}));
  case TileOp_LLVM_GEP:
    return checkElement(op, llvmGEPOpGetElemTypeAttr((LLVMGEPOp){op}));
  case TileOp_LLVM_InlineAsm:
    return checkAsm(op);
  case TileOp_LLVM_AtomicCmpXchg:
    return checkScope(op, llvmAtomicCmpXchgOpGetSyncscopeAttr((LLVMAtomicCmpXchgOp){op}));
  case TileOp_LLVM_AtomicRMW:
    return checkScope(op, llvmAtomicRMWOpGetSyncscopeAttr((LLVMAtomicRMWOp){op}));
  case TileOp_LLVM_Fence:
    return checkScope(op, llvmFenceOpGetSyncscopeAttr((LLVMFenceOp){op}));
  case TileOp_LLVM_Load:
    return checkScope(op, llvmLoadOpGetSyncscopeAttr((LLVMLoadOp){op}));
  case TileOp_LLVM_Store:
    return checkScope(op, llvmStoreOpGetSyncscopeAttr((LLVMStoreOp){op}));
  case TileOp_NVVM_Mma:
    return checkTypes(op, nvvmMmaOpGetMultiplicandAPtxTypeAttr(mma),
                      nvvmMmaOpGetMultiplicandBPtxTypeAttr(mma));
  case TileOp_NVVM_MmaSp:
    return checkTypes(op, nvvmMmaSpOpGetMultiplicandAPtxTypeAttr(sparse),
                      nvvmMmaSpOpGetMultiplicandBPtxTypeAttr(sparse));
  default:
    return true;
  }
}
