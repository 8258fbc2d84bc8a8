// Operations of the tile dialect that compute: what arith and math lack, matrix products, reductions, gathers.
#ifndef TILE_COMPUTE_OPS_TD
#define TILE_COMPUTE_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/Dialect/Tile/IR/TileBase.td"
include "tile/Dialect/Tile/IR/TileEnums.td"
include "tile/Dialect/Tile/IR/TileTypes.td"

// ---- element-wise ----

def Tile_ClampFOp : Tile_Op<"clampf", [Pure, SameOperandsAndResultType]> {
  let summary = "limits a value to an interval";
  let description = [{
    min(max(x, lower), upper). With `propagate_nan = all` a NaN operand gives NaN; otherwise a NaN x gives a bound.

    ```mlir
    %y = tile.clampf %x, %lo, %hi propagate_nan = all : tensor<256xf32>
    ```
  }];
  let arguments = (ins Tile_FloatValue:$x, Tile_FloatValue:$lower, Tile_FloatValue:$upper,
                       Tile_Default<Tile_PropagateNan, "None">:$propagate_nan);
  let results = (outs Tile_FloatValue:$result);
  let assemblyFormat = [{
    $x `,` $lower `,` $upper (`propagate_nan` `=` $propagate_nan^)? attr-dict `:` type($result)
  }];
}

def Tile_PreciseSqrtOp : Tile_Op<"precise_sqrt", [Pure, SameOperandsAndResultType]> {
  let summary = "correctly rounded square root";
  let description = [{
    ```mlir
    %y = tile.precise_sqrt %x : tensor<256xf32>
    ```
  }];
  let arguments = (ins Tile_WideFloatValue:$x);
  let results = (outs Tile_WideFloatValue:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

def Tile_PreciseDivFOp : Tile_Op<"precise_divf", [Pure, SameOperandsAndResultType]> {
  let summary = "correctly rounded division";
  let description = [{
    ```mlir
    %z = tile.precise_divf %x, %y : tensor<256xf32>
    ```
  }];
  let arguments = (ins Tile_WideFloatValue:$lhs, Tile_WideFloatValue:$rhs);
  let results = (outs Tile_WideFloatValue:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_MulhiUIOp : Tile_Op<"mulhiui", [Pure, SameOperandsAndResultType]> {
  let summary = "upper half of the unsigned product";
  let description = [{
    ```mlir
    %h = tile.mulhiui %a, %b : tensor<256xi32>
    ```
  }];
  let arguments = (ins Tile_MulValue:$lhs, Tile_MulValue:$rhs);
  let results = (outs Tile_MulValue:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Tile_ExternElementwiseOp : Tile_Op<"extern_elementwise", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "calls an external scalar function for each element";
  let description = [{
    `lib` names the bitcode library and `path` where it is found; known symbols (libdevice's `__nv_*`, `__ocml_*`)
    are compiled without one. `pure`: no side effects, the same result for the same operands.

    ```mlir
    %y = tile.extern_elementwise "__nv_rsqrtf"(%x) pure : (tensor<256xf32>) -> tensor<256xf32>
    %z = tile.extern_elementwise "f"(%x, %y) lib "mine" path "/opt/mine.bc" : (f32, f32) -> f32
    ```
  }];
  let arguments = (ins Variadic<Tile_Value>:$args, StrAttr:$symbol, OptionalAttr<StrAttr>:$lib,
                       OptionalAttr<StrAttr>:$path, UnitAttr:$is_pure);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $symbol `(` $args `)` (`lib` $lib^)? (`path` $path^)? (`pure` $is_pure^)? attr-dict
    `:` functional-type($args, $result)
  }];
  let hasVerifier = 1;
}

def Tile_InlineAsmOp : Tile_Op<"inline_asm", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "executes target assembly for each element, or for packs of elements";
  let description = [{
    The text and the constraints are LLVM's. With `pack = n` one execution handles n consecutive elements: elements
    narrower than 32 bits travel packed in 32-bit registers.

    ```mlir
    %z = tile.inline_asm "add.f32 $0, $1, $2;" constraints "=f,f,f" (%x, %y) pure
       : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    ```
  }];
  let arguments = (ins Variadic<Tile_Value>:$args, StrAttr:$text, StrAttr:$constraints,
                       DefaultValuedAttr<I32Attr, "1">:$pack, UnitAttr:$is_pure);
  let results = (outs Variadic<Tile_Value>:$results);
  let assemblyFormat = [{
    $text `constraints` $constraints `(` $args `)` (`pack` `=` $pack^)? (`pure` $is_pure^)? attr-dict
    `:` functional-type($args, $results)
  }];
  let hasVerifier = 1;
}

def Tile_MapElementwiseOp : Tile_Op<"map_elementwise", [
    RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, SameOperandsAndResultShape]> {
  let summary = "applies scalar code to each element, or to packs of elements";
  let description = [{
    The body's arguments are `pack` consecutive elements of the first operand, then of the second, and so on; it
    yields `pack` elements of each result in the same order. It may contain control flow; it computes on scalars, which
    may come from outside, and touches no memory.

    ```mlir
    %z = tile.map_elementwise %x, %y : tensor<256xf32>, tensor<256xf32> -> tensor<256xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.divf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$srcs, DefaultValuedAttr<I32Attr, "1">:$pack);
  let results = (outs Variadic<Tile_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $srcs (`pack` `=` $pack^)? attr-dict `:` type($srcs) `->` type($results) custom<Body>($body)
  }];
  let hasVerifier = 1;
}

// ---- matrix products ----

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "matrix product plus accumulator";
  let description = [{
    a [M, K] times b [K, N] plus c [M, N], of two dimensions or of three with a leading batch. `a` and `b` hold i8,
    f16, bf16, f32, f64 or f8; the products of i8 are summed in i32, of f64 in f64, all else in f32 (f16 on request).
    `precision` says how f32 operands are multiplied: exactly as f32 (`ieee`, the default), with operands rounded to
    tf32, or in parts that recover most of the lost bits (`tf32x3`, `bf16x3`, `bf16x6`).
    `imprecise_acc = n` allows f8 products to be summed in reduced precision for up to n elements of K.

    ```mlir
    %d = tile.dot %a, %b, %c : tensor<128x32xf16> * tensor<32x64xf16> -> tensor<128x64xf32>
    %e = tile.dot %x, %y, %c precision = tf32 : tensor<128x32xf32> * tensor<32x64xf32> -> tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_NumberTensor:$a, Tile_NumberTensor:$b, Tile_NumberTensor:$c,
                       Tile_Default<Tile_InputPrecision, "IEEE">:$precision,
                       DefaultValuedAttr<I32Attr, "0">:$imprecise_acc);
  let results = (outs Tile_NumberTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`precision` `=` $precision^)? (`imprecise_acc` `=` $imprecise_acc^)? attr-dict
    `:` type($a) `*` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_DotScaledOp : Tile_Op<"dot_scaled", [Pure, AttrSizedOperandSegments, AllTypesMatch<["c", "result"]>]> {
  let summary = "matrix product of operands with a scale for each group along K";
  let description = [{
    Element formats are named by `a_type` and `b_type`. Formats of 8 bits or fewer arrive as i8 (e4m3 and e5m2 also as
    their f8 types); e2m1 packs two elements in an i8, the lower four bits first, along K, or along the other
    dimension with `a_pack_m`/`b_pack_n`. `a_scale` is [M, K / g] and `b_scale` [N, K / g] of exponents (i8: e8m0,
    g = 32) or f8E4M3FN (g = 16); without a scale the operand is taken as it is. The result is f32. `fast_math` lets
    NaN scales be ignored.

    ```mlir
    %d = tile.dot_scaled %a scale %sa, %b scale %sb, %c a_type = e4m3 b_type = e2m1
       : tensor<128x64xi8>, tensor<128x2xi8> * tensor<32x128xi8>, tensor<128x2xi8> -> tensor<128x128xf32>
    ```
  }];
  let arguments = (ins Tile_NumberTensor:$a, Tile_NumberTensor:$b, Tile_NumberTensor:$c,
                       Optional<Tile_NumberTensor>:$a_scale, Optional<Tile_NumberTensor>:$b_scale,
                       Tile_ScaledElementType:$a_type, Tile_ScaledElementType:$b_type,
                       UnitAttr:$a_pack_m, UnitAttr:$b_pack_n, UnitAttr:$fast_math);
  let results = (outs Tile_NumberTensor:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `a_type` `=` $a_type `b_type` `=` $b_type
    (`a_pack_m` $a_pack_m^)? (`b_pack_n` $b_pack_n^)? (`fast_math` $fast_math^)? attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

// ---- along an axis ----

def Tile_ReduceOp : Tile_Op<"reduce", [
    RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, SameOperandsShape]> {
  let summary = "combines the elements along an axis";
  let description = [{
    The body combines two partial results (first those of every operand on the left, then on the right); it is
    associative up to rounding and applied in any order, but lower elements stay on the left unless it is known to be
    commutative (docs/spec/numerics.md). It computes on scalars, its arguments and
    values from outside, and touches no memory. The axis disappears; a 1-D operand gives a scalar. `contract`
    (`tile-form-fma` sets it) lets products that only this sum needs enter it without a rounding of their own.

    ```mlir
    %s = tile.reduce %x axis = 1 : tensor<128x64xf32> -> tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    %max, %where = tile.reduce %v, %i axis = 0 : tensor<512xf32>, tensor<512xi32> -> f32, i32 {
    ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):
      %left = arith.cmpf oge, %a, %b : f32
      %m = arith.select %left, %a, %b : f32
      %n = arith.select %left, %ai, %bi : i32
      tile.yield %m, %n : f32, i32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$srcs, I32Attr:$axis, UnitAttr:$contract);
  let results = (outs Variadic<Tile_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$srcs `axis` `=` $axis (`contract` $contract^)? attr-dict `:` type($srcs) `->` type($results) custom<Body>($body)";
  let hasVerifier = 1;
}

def Tile_ScanOp : Tile_Op<"scan", [
    RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock, SameOperandsAndResultShape,
    RangedTypesMatchWith<"results have the types of the operands", "srcs", "results", "$_self">]> {
  let summary = "running combination along an axis";
  let description = [{
    Element i is the combination of elements 0 to i, or of the last down to i if `reverse`. The body is associative,
    need not be commutative: its first arguments are what was combined before. Otherwise as in `tile.reduce`.

    ```mlir
    %y = tile.scan %x axis = 0 reverse : tensor<128x64xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_Tensor>:$srcs, I32Attr:$axis, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$srcs `axis` `=` $axis (`reverse` $reverse^)? attr-dict `:` type($srcs) custom<Body>($body)";
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, Terminator, ParentOneOf<["ReduceOp", "ScanOp", "MapElementwiseOp"]>]> {
  let summary = "ends the scalar code of a reduce, scan or map_elementwise";
  let description = [{
    ```mlir
    tile.yield %value, %index : f32, i32
    ```
  }];
  let arguments = (ins Variadic<Tile_AnyElement>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

// ---- data-dependent ----

def Tile_HistogramOp : Tile_Op<"histogram", [Pure,
    OptionalTypesMatchWith<"mask matches the shape of src", "src", "mask", "::tile::boolLike($_self)">]> {
  let summary = "counts how often each value occurs";
  let description = [{
    Bin i counts the elements equal to i (as unsigned); values beyond the last bin, and masked elements, count nowhere.

    ```mlir
    %h = tile.histogram %x mask %m : tensor<1024xi32> -> tensor<64xi32>
    ```
  }];
  let arguments = (ins Tile_IntTensor:$src, Optional<Tile_I1Tensor>:$mask);
  let results = (outs Tile_IntTensor:$result);
  let assemblyFormat = "$src (`mask` $mask^)? attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_Op<"gather", [Pure]> {
  let summary = "picks elements along an axis by index";
  let description = [{
    For axis 0 of two dimensions, `result[i, j]` is `src[indices[i, j], j]`. Other dimensions agree in size. An index
    outside the axis gives an undefined element.

    ```mlir
    %y = tile.gather %x, %i axis = 0 : tensor<64x32xf32>, tensor<16x32xi32> -> tensor<16x32xf32>
    ```
  }];
  let arguments = (ins Tile_Tensor:$src, Tile_IntTensor:$indices, I32Attr:$axis);
  let results = (outs Tile_Tensor:$result);
  let assemblyFormat = [{
    $src `,` $indices `axis` `=` $axis attr-dict `:` type($src) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
