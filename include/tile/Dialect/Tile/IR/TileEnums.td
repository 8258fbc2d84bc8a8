// Keywords of the tile dialect's assembly. Each is stored as an i32 attribute; the default is always case 0.
#ifndef TILE_ENUMS_TD
#define TILE_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "tile/Dialect/Tile/IR/TileBase.td"

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tile";
}
// An enum attribute that may be left out, meaning its case `symbol`, which has value 0.
class Tile_Default<Tile_Enum enum, string symbol>
    : DefaultValuedAttr<enum, enum.cppType # "::" # symbol>;

def Tile_ProgramAxis : Tile_Enum<"ProgramAxis", "axis of the grid of programs", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;

def Tile_CacheModifier : Tile_Enum<"CacheModifier", "cache levels an access goes through", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"CA", 1, "ca">, I32EnumAttrCase<"CG", 2, "cg">,
  I32EnumAttrCase<"WB", 3, "wb">, I32EnumAttrCase<"CS", 4, "cs">, I32EnumAttrCase<"WT", 5, "wt">,
  I32EnumAttrCase<"CV", 6, "cv">]>;

def Tile_EvictionPolicy : Tile_Enum<"EvictionPolicy", "when a cached line should leave", [
  I32EnumAttrCase<"Normal", 0, "normal">, I32EnumAttrCase<"First", 1, "first">, I32EnumAttrCase<"Last", 2, "last">]>;

def Tile_MemSemantic : Tile_Enum<"MemSemantic", "ordering of an atomic access", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]>;

def Tile_MemScope : Tile_Enum<"MemScope", "who observes an atomic access in order", [
  I32EnumAttrCase<"GPU", 0, "gpu">, I32EnumAttrCase<"CTA", 1, "cta">, I32EnumAttrCase<"Sys", 2, "sys">]>;

def Tile_RMWKind : Tile_Enum<"RMWKind", "what an atomic read-modify-write computes", [
  I32EnumAttrCase<"And", 0, "and">, I32EnumAttrCase<"Or", 1, "or">, I32EnumAttrCase<"Xor", 2, "xor">,
  I32EnumAttrCase<"Add", 3, "add">, I32EnumAttrCase<"FAdd", 4, "fadd">, I32EnumAttrCase<"Max", 5, "max">,
  I32EnumAttrCase<"Min", 6, "min">, I32EnumAttrCase<"UMax", 7, "umax">, I32EnumAttrCase<"UMin", 8, "umin">,
  I32EnumAttrCase<"Exch", 9, "exch">, I32EnumAttrCase<"Inc", 10, "inc">, I32EnumAttrCase<"Dec", 11, "dec">]>;

def Tile_DescReduceKind : Tile_Enum<"DescReduceKind", "what a descriptor reduction computes", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Min", 1, "min">, I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Inc", 3, "inc">, I32EnumAttrCase<"Dec", 4, "dec">, I32EnumAttrCase<"And", 5, "and">,
  I32EnumAttrCase<"Or", 6, "or">, I32EnumAttrCase<"Xor", 7, "xor">]>;

def Tile_Padding : Tile_Enum<"Padding", "what elements outside a descriptor's tensor read as", [
  I32EnumAttrCase<"Zero", 0, "zero">, I32EnumAttrCase<"NaN", 1, "nan">]>;

def Tile_Rounding : Tile_Enum<"Rounding", "rounding of a conversion to a narrower format", [
  I32EnumAttrCase<"RTNE", 0, "rtne">, I32EnumAttrCase<"RTZ", 1, "rtz">]>;

def Tile_PropagateNan : Tile_Enum<"PropagateNan", "whether a NaN operand gives NaN", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"All", 1, "all">]>;

def Tile_InputPrecision : Tile_Enum<"InputPrecision", "how f32 operands of a matrix product are multiplied", [
  I32EnumAttrCase<"IEEE", 0, "ieee">, I32EnumAttrCase<"TF32", 1, "tf32">, I32EnumAttrCase<"TF32x3", 2, "tf32x3">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">, I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;

def Tile_ScaledElementType : Tile_Enum<"ScaledElementType", "element format of a scaled matrix operand", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">, I32EnumAttrCase<"E2M3", 2, "e2m3">,
  I32EnumAttrCase<"E3M2", 3, "e3m2">, I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
  I32EnumAttrCase<"FP16", 6, "fp16">]>;

#endif
