// The dialect, enums, attributes and types of Triton IR text (versions 3.0 and later).

#ifndef TILE_DIALECT_TT_IR_TTBASE
#define TILE_DIALECT_TT_IR_TTBASE

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let cppNamespace = "::tile::tt";
  let summary = "Triton IR, for import only";
  let description = [{
    This dialect exists to read `.ttir` files: it parses and prints the text that Triton 3.0 and later write,
    older spellings included, and `convert-tt-to-tile` turns it into the `tile` dialect. Its ops check types
    and little else; what the ops mean is said once, at the `tile` ops they become.

    Where versions spell one thing in two ways both are read, and the newer is printed unless the two differ
    in their attributes (`cacheModifier` and `cachePolicy`, `inputPrecision` and `allowTF32`).
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

// ---- Enums. The integers matter: generic forms and attribute dictionaries print them ----

class TT_Enum<string name, string what, list<I32EnumAttrCase> values> : I32EnumAttr<name, what, values> {
  let cppNamespace = "::tile::tt";
}

def TT_ProgramDim : TT_Enum<"ProgramDim", "axis of the launch grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;

def TT_CacheModifier : TT_Enum<"CacheModifier", "cache modifier of a global access", [
  I32EnumAttrCase<"NONE", 1, "none">, I32EnumAttrCase<"CA", 2, "ca">, I32EnumAttrCase<"CG", 3, "cg">,
  I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"CS", 5, "cs">, I32EnumAttrCase<"WT", 6, "wt">,
  I32EnumAttrCase<"CV", 7, "cv">]>;

def TT_EvictionPolicy : TT_Enum<"EvictionPolicy", "eviction policy of a global access", [
  I32EnumAttrCase<"NORMAL", 1, "evict_normal">, I32EnumAttrCase<"EVICT_FIRST", 2, "evict_first">,
  I32EnumAttrCase<"EVICT_LAST", 3, "evict_last">]>;

def TT_PaddingOption : TT_Enum<"PaddingOption", "what is read outside of a block pointer's or descriptor's shape", [
  I32EnumAttrCase<"PAD_ZERO", 1, "zero">, I32EnumAttrCase<"PAD_NAN", 2, "nan">]>;

def TT_RMWOp : TT_Enum<"RMWOp", "atomic read-modify-write operation", [
  I32EnumAttrCase<"AND", 1, "and">, I32EnumAttrCase<"OR", 2, "or">, I32EnumAttrCase<"XOR", 3, "xor">,
  I32EnumAttrCase<"ADD", 4, "add">, I32EnumAttrCase<"FADD", 5, "fadd">, I32EnumAttrCase<"MAX", 6, "max">,
  I32EnumAttrCase<"MIN", 7, "min">, I32EnumAttrCase<"UMAX", 8, "umax">, I32EnumAttrCase<"UMIN", 9, "umin">,
  I32EnumAttrCase<"XCHG", 10, "exch">]>;

def TT_DescriptorReduceKind : TT_Enum<"DescriptorReduceKind", "combination of a descriptor reduction", [
  I32EnumAttrCase<"ADD", 1, "add">, I32EnumAttrCase<"MIN", 2, "min">, I32EnumAttrCase<"MAX", 3, "max">,
  I32EnumAttrCase<"INC", 4, "inc">, I32EnumAttrCase<"DEC", 5, "dec">, I32EnumAttrCase<"AND", 6, "and">,
  I32EnumAttrCase<"OR", 7, "or">, I32EnumAttrCase<"XOR", 8, "xor">]>;

def TT_MemSemantic : TT_Enum<"MemSemantic", "memory order of an atomic", [
  I32EnumAttrCase<"RELAXED", 1, "relaxed">, I32EnumAttrCase<"ACQUIRE", 2, "acquire">,
  I32EnumAttrCase<"RELEASE", 3, "release">, I32EnumAttrCase<"ACQUIRE_RELEASE", 4, "acq_rel">]>;

def TT_MemSyncScope : TT_Enum<"MemSyncScope", "scope of an atomic", [
  I32EnumAttrCase<"GPU", 1, "gpu">, I32EnumAttrCase<"CTA", 2, "cta">, I32EnumAttrCase<"SYSTEM", 3, "sys">]>;

def TT_RoundingMode : TT_Enum<"RoundingMode", "rounding of a narrowing conversion", [
  I32EnumAttrCase<"RTZ", 0, "rtz">, I32EnumAttrCase<"RTNE", 1, "rtne">]>;

def TT_PropagateNan : TT_Enum<"PropagateNan", "whether an operand that is NaN makes the result NaN", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"ALL", 65535, "all">]>;

def TT_InputPrecision : TT_Enum<"InputPrecision", "how f32 operands of a matrix product are split or rounded", [
  I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"TF32x3", 1, "tf32x3">, I32EnumAttrCase<"IEEE", 2, "ieee">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">, I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;

def TT_ScaleDotElemType : TT_Enum<"ScaleDotElemType", "element type of an operand of a scaled product", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">, I32EnumAttrCase<"E2M3", 2, "e2m3">,
  I32EnumAttrCase<"E3M2", 3, "e3m2">, I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
  I32EnumAttrCase<"FP16", 6, "fp16">]>;

// ---- Attributes ----

def TT_CachePolicyAttr : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "cache modifier and eviction policy as one attribute (newer versions)";
  let parameters = (ins EnumParameter<TT_CacheModifier>:$cache_modifier,
                        EnumParameter<TT_EvictionPolicy>:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

// ---- Types ----

class TT_TypeDef<string name, string typeMnemonic> : TypeDef<TT_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TT_PtrType : TT_TypeDef<"Ptr", "ptr"> {
  let summary = "pointer to a scalar, or (older versions) a block pointer";
  let description = [{
    `!tt.ptr<f16>` points into global memory; `!tt.ptr<i8, 0>` names another address space.
    `!tt.ptr<tensor<64x32xf16>>` is a block pointer: base, shape, strides and offsets in one value.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, DefaultValuedParameter<"int32_t", "1">:$addressSpace);
  let assemblyFormat = "`<` $pointeeType (`,` $addressSpace^)? `>`";
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "descriptor of a tensor in global memory, accessed a block at a time";
  let description = [{
    `!tt.tensordesc<64x32xf16>`, and the older `!tt.tensordesc<tensor<64x32xf16>>`. The shape is the block's.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
}

def TT_IsBlockPtr : CPred<"::llvm::isa<::tile::tt::PtrType>($_self) && "
                          "::llvm::isa<::mlir::RankedTensorType>(::llvm::cast<::tile::tt::PtrType>($_self).getPointeeType())">;
def TT_BlockPtr : Type<TT_IsBlockPtr, "block pointer", "::tile::tt::PtrType">;
def TT_ScalarPtr : Type<And<[CPred<"::llvm::isa<::tile::tt::PtrType>($_self)">, Neg<TT_IsBlockPtr>]>,
                        "pointer to a scalar", "::tile::tt::PtrType">;

def TT_Scalar : AnyTypeOf<[AnyInteger, AnyFloat, TT_ScalarPtr]>;
def TT_Tensor : RankedTensorOf<[TT_Scalar]>;
def TT_IntTensor : RankedTensorOf<[AnyInteger]>;
def TT_FloatTensor : RankedTensorOf<[AnyFloat]>;
def TT_I32Tensor : RankedTensorOf<[I32]>;
def TT_I8Tensor : RankedTensorOf<[I8]>;
def TT_Any : AnyTypeOf<[TT_Scalar, TT_Tensor]>;
def TT_IntLike : AnyTypeOf<[AnyInteger, TT_IntTensor]>;
def TT_FloatLike : AnyTypeOf<[AnyFloat, TT_FloatTensor]>;
def TT_BoolLike : AnyTypeOf<[I1, RankedTensorOf<[I1]>]>;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>]>;
def TT_PtrLike : AnyTypeOf<[TT_ScalarPtr, RankedTensorOf<[TT_ScalarPtr]>]>;

#endif // TILE_DIALECT_TT_IR_TTBASE
