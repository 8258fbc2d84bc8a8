// Pointer and descriptor types of the tile dialect, and the constraints that name its values.
#ifndef TILE_TYPES_TD
#define TILE_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonTypeConstraints.td"
include "tile/Dialect/Tile/IR/TileBase.td"

class Tile_TypeDef<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_TypeDef<"Ptr", "ptr"> {
  let summary = "pointer to a scalar in memory";
  let description = [{
    An address of one element of type `pointee`. Address spaces are numbered as in LLVM for both vendors: 1 is
    global memory (the default, not printed), 0 generic, 3 shared, 4 constant. An `i1` takes one byte in memory.

    ```mlir
    !tile.ptr<f16>
    !tile.ptr<f32, 3>
    tensor<256x!tile.ptr<i64>>
    ```
  }];
  let parameters = (ins "::mlir::Type":$pointee, DefaultValuedParameter<"unsigned", "1">:$addressSpace);
  let assemblyFormat = "`<` $pointee (`,` $addressSpace^)? `>`";
  let genVerifyDecl = 1;
}

def Tile_DescType : Tile_TypeDef<"Desc", "desc"> {
  let summary = "descriptor of a strided tensor in global memory, accessed in blocks";
  let description = [{
    Stands for a tensor in global memory with run-time shape and strides, read and written one block of `shape` at a
    time; elements outside the tensor read as padding and are not written. An encoding, if there is one, is the
    layout of a block in shared memory.

    ```mlir
    !tile.desc<128x64xf16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        OptionalParameter<"::mlir::Attribute">:$encoding);
  let assemblyFormat = "`<` custom<DescBlock>($shape, $elementType) (`,` $encoding^)? `>`";
  let genVerifyDecl = 1;
}

// ---- elements ----

def Tile_AnyInt : AnyTypeOf<[I1, I8, I16, I32, I64], "integer of 1, 8, 16, 32 or 64 bits">;
def Tile_AnyFloat : AnyTypeOf<[F16, BF16, F32, F64, F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ], "floating-point number">;
def Tile_AnyNumber : AnyTypeOf<[Tile_AnyInt, Tile_AnyFloat], "number">;
def Tile_AnyPtr : Type<Tile_PtrType.predicate, "pointer">;
def Tile_AnyElement : AnyTypeOf<[Tile_AnyNumber, Tile_AnyPtr], "number or pointer">;
def Tile_OffsetInt : AnyTypeOf<[I8, I16, I32, I64], "integer of 8, 16, 32 or 64 bits">;

// ---- tensors: ranked, static, at least one dimension ----

def Tile_HasDims : CPred<"::llvm::cast<::mlir::ShapedType>($_self).getRank() > 0">;
class Tile_TensorOf<Type element> : RankedTensorOf<[element], [HasStaticShapePred, Tile_HasDims], "static tensor">;
class Tile_ValueOf<Type element, string what>
    : Type<Or<[element.predicate, Tile_TensorOf<element>.predicate]>, what # " or tensor of it">;

def Tile_Tensor : Tile_TensorOf<Tile_AnyElement>;
def Tile_IntTensor : Tile_TensorOf<Tile_AnyInt>;
def Tile_NumberTensor : Tile_TensorOf<Tile_AnyNumber>;
def Tile_I1Tensor : Tile_TensorOf<I1>;
def Tile_I32Tensor : Tile_TensorOf<I32>;

def Tile_Value : Tile_ValueOf<Tile_AnyElement, "number or pointer">;
def Tile_PtrValue : Tile_ValueOf<Tile_AnyPtr, "pointer">;
def Tile_IntValue : Tile_ValueOf<Tile_AnyInt, "integer">;
def Tile_OffsetValue : Tile_ValueOf<Tile_OffsetInt, "integer of 8, 16, 32 or 64 bits">;
def Tile_FloatValue : Tile_ValueOf<Tile_AnyFloat, "floating-point number">;
def Tile_NumberValue : Tile_ValueOf<Tile_AnyNumber, "number">;
def Tile_BoolValue : Tile_ValueOf<I1, "i1">;
def Tile_I64Value : Tile_ValueOf<I64, "i64">;
def Tile_MulValue : Tile_ValueOf<AnyTypeOf<[I32, I64], "i32 or i64">, "i32 or i64">;
def Tile_WideFloatValue : Tile_ValueOf<AnyTypeOf<[F32, F64], "f32 or f64">, "f32 or f64">;
def Tile_DescValue : Type<Tile_DescType.predicate, "tensor descriptor">;

#endif
