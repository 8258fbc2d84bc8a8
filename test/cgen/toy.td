// toy.td - a dialect that has one of everything tile-cgen must handle; golden/ holds what it makes of it.
#ifndef TOY_TD
#define TOY_TD
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::tile::toy";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

// An enum that is an integer attribute, one that is an attribute of the dialect, and one of bits.
def Toy_Color : I32EnumAttr<"Color", "", [
    I32EnumAttrCase<"Red", 0, "red">, I32EnumAttrCase<"DarkBlue", 4, "dark_blue">]> {
  let cppNamespace = "::tile::toy";
}
def Toy_ShadeKind : I32EnumAttr<"ShadeKind", "", [I32EnumAttrCase<"Matt", 1, "matt">, I32EnumAttrCase<"Gloss", 2, "gloss">]> {
  let cppNamespace = "::tile::toy";
  let genSpecializedAttr = 0;
}
def Toy_ShadeAttr : EnumAttr<Toy_Dialect, Toy_ShadeKind, "shade"> {
  let assemblyFormat = "`<` $value `>`";
}
def Toy_Flags : I32BitEnumAttr<"Flags", "", [I32BitEnumAttrCaseBit<"A", 0, "a">, I32BitEnumAttrCaseBit<"B", 1, "b">]> {
  let cppNamespace = "::tile::toy";
}

def Toy_BoxType : TypeDef<Toy_Dialect, "Box"> {
  let mnemonic = "box";
  let summary = "a box of elements";
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"int64_t">:$shape, "unsigned":$space, "bool":$is_open);
  let assemblyFormat = "`<` $element `,` `[` $shape `]` `,` $space `,` $is_open `>`";
}
def Toy_EmptyType : TypeDef<Toy_Dialect, "Empty"> { let mnemonic = "empty"; }

def Toy_RangeAttr : AttrDef<Toy_Dialect, "Range"> {
  let mnemonic = "range";
  let summary = "low to high, of a type";
  let parameters = (ins "int64_t":$low, "int64_t":$high, "::mlir::Type":$type, StringRefParameter<>:$label);
  let assemblyFormat = "`<` $low `,` $high `,` $type `,` $label `>`";
}

class Toy_Op<string mnemonic, list<Trait> traits = []> : Op<Toy_Dialect, mnemonic, traits> {
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Toy_FixedOp : Toy_Op<"fixed", [Pure]> {
  let summary = "operands named like a keyword of C and like a parameter of the creator";
  let arguments = (ins AnyType:$restrict, AnyType:$loc, I64Attr:$count, OptionalAttr<StrAttr>:$label, UnitAttr:$is_flat);
  let results = (outs AnyType:$first, AnyType:$second_one);
}

// One variable group: its size follows from the number of operands.
def Toy_VariadicOp : Toy_Op<"variadic"> {
  let summary = "a variadic group between fixed operands";
  let arguments = (ins AnyType:$head, Variadic<AnyType>:$middle, AnyType:$tail);
  let results = (outs Variadic<AnyType>:$all);
}
def Toy_OptionalOp : Toy_Op<"optional"> {
  let summary = "an optional last operand";
  let arguments = (ins AnyType:$head, Optional<AnyType>:$mask);
  let results = (outs Optional<AnyType>:$token);
}
def Toy_SameSizeOp : Toy_Op<"same_size", [SameVariadicOperandSize]> {
  let summary = "two groups of one size";
  let arguments = (ins Variadic<AnyType>:$keys, AnyType:$between, Variadic<AnyType>:$values);
}
def Toy_SegmentedOp : Toy_Op<"segmented", [AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "groups whose sizes are stored";
  let arguments = (ins AnyType:$base, Optional<AnyType>:$mask, Variadic<AnyType>:$offsets, Optional<AnyType>:$other);
  let results = (outs Variadic<AnyType>:$values, Optional<AnyType>:$token);
  let assemblyFormat = ?;
}

def Toy_AttributesOp : Toy_Op<"attributes"> {
  let summary = "one attribute of each kind; so many that the optional ones are passed in a struct";
  let arguments = (ins Toy_Color:$color, DefaultValuedAttr<Toy_Color, "::tile::toy::Color::DarkBlue">:$rim,
                       OptionalAttr<Toy_ShadeAttr>:$shade, BoolAttr:$yes, I32Attr:$number,
                       DefaultValuedAttr<I32Attr, "7">:$seven, DenseI32ArrayAttr:$order, OptionalAttr<DenseI64ArrayAttr>:$sizes,
                       TypeAttr:$kind, F32Attr:$scale, Toy_RangeAttr:$range, FlatSymbolRefAttr:$callee,
                       OptionalAttr<ArrayAttr>:$parts, Toy_Flags:$flags);
}
def Toy_PropertyOp : Toy_Op<"property"> {
  let summary = "a native property, which has no accessor";
  let arguments = (ins AnyType:$x, IntProp<"int64_t">:$amount);
  let assemblyFormat = "$x $amount attr-dict `:` type($x)";
}

def Toy_RegionsOp : Toy_Op<"regions"> {
  let summary = "regions, a fixed one and any number of others";
  let regions = (region AnyRegion:$body, VariadicRegion<AnyRegion>:$cases);
  let assemblyFormat = ?;
}
def Toy_BranchOp : Toy_Op<"branch", [Terminator]> {
  let summary = "successors, a fixed one and any number of others";
  let arguments = (ins AnyType:$flag);
  let successors = (successor AnySuccessor:$next, VariadicSuccessor<AnySuccessor>:$targets);
  let assemblyFormat = ?;
}

def Toy_CheckedOp : Toy_Op<"checked"> {
  let summary = "has a verifier and a folder, written in C";
  let arguments = (ins AnyType:$x);
  let results = (outs AnyType:$y);
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif
