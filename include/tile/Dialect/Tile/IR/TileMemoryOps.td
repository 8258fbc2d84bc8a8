// Operations of the tile dialect that compute addresses or access memory.
#ifndef TILE_MEMORY_OPS_TD
#define TILE_MEMORY_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tile/Dialect/Tile/IR/TileBase.td"
include "tile/Dialect/Tile/IR/TileEnums.td"
include "tile/Dialect/Tile/IR/TileTypes.td"

class Tile_PointeeOf<string value>
    : TypesMatchWith<value # " matches what ptr points to", "ptr", value, "::tile::pointeeLike($_self)">;
class Tile_MaskOf<string value>
    : OptionalTypesMatchWith<"mask matches the shape of " # value, value, "mask", "::tile::boolLike($_self)">;

def Tile_AddPtrOp : Tile_Op<"addptr", [Pure, AllTypesMatch<["ptr", "result"]>, SameOperandsAndResultShape]> {
  let summary = "moves a pointer by a number of elements";
  let description = [{
    The offset is signed and counts elements of the pointee (an i1 is one byte); address arithmetic wraps at 64 bits.

    ```mlir
    %q = tile.addptr %p, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
    ```
  }];
  let arguments = (ins Tile_PtrValue:$ptr, Tile_OffsetValue:$offset);
  let results = (outs Tile_PtrValue:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_LoadOp : Tile_Op<"load", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, AttrSizedOperandSegments,
    Tile_PointeeOf<"result">, Tile_MaskOf<"ptr">,
    OptionalTypesMatchWith<"other matches what ptr points to", "ptr", "other", "::tile::pointeeLike($_self)">]> {
  let summary = "reads memory at each pointer";
  let description = [{
    Where the mask is false memory is not touched and the element is that of `other`, or undefined without it.
    A volatile load is never removed, merged or moved.

    ```mlir
    %v = tile.load %p : tensor<256x!tile.ptr<f32>>
    %w = tile.load %p mask %m other %zero cache = cg evict = first : tensor<256x!tile.ptr<f32>>
    %s = tile.load %q volatile : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_PtrValue:$ptr, Optional<Tile_BoolValue>:$mask, Optional<Tile_Value>:$other,
                       Tile_Default<Tile_CacheModifier, "None">:$cache,
                       Tile_Default<Tile_EvictionPolicy, "Normal">:$evict, UnitAttr:$is_volatile);
  let results = (outs Tile_Value:$result);
  let assemblyFormat = [{
    $ptr (`mask` $mask^)? (`other` $other^)? (`cache` `=` $cache^)? (`evict` `=` $evict^)?
    (`volatile` $is_volatile^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_StoreOp : Tile_Op<"store", [MemoryEffects<[MemWrite]>, Tile_PointeeOf<"value">, Tile_MaskOf<"ptr">]> {
  let summary = "writes memory at each pointer";
  let description = [{
    Where the mask is false memory is not touched. If two elements have one address, either value may stay.

    ```mlir
    tile.store %p, %v mask %m cache = wt evict = last : tensor<256x!tile.ptr<f32>>
    ```
  }];
  let arguments = (ins Tile_PtrValue:$ptr, Tile_Value:$value, Optional<Tile_BoolValue>:$mask,
                       Tile_Default<Tile_CacheModifier, "None">:$cache,
                       Tile_Default<Tile_EvictionPolicy, "Normal">:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`mask` $mask^)? (`cache` `=` $cache^)? (`evict` `=` $evict^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}

def Tile_AtomicRMWOp : Tile_Op<"atomic_rmw", [
    MemoryEffects<[MemRead, MemWrite]>, Tile_PointeeOf<"value">, Tile_PointeeOf<"result">, Tile_MaskOf<"ptr">]> {
  let summary = "atomically combines a value with memory and returns what was there";
  let description = [{
    `max min umax umin add and or xor inc dec` take integers of 32 or 64 bits, `fadd max min` floats (f16, bf16,
    f32, f64), `exch` both. `inc` counts up to the value and then starts at 0, `dec` counts down to 0 and then starts
    at the value, both unsigned; `max` and `min` of a number and a NaN give the number. Where the mask is false nothing
    happens and the result is undefined. Elements that share an address are all applied, in any order. Without `sem`
    and `scope` the access is relaxed at gpu scope.

    ```mlir
    %old = tile.atomic_rmw fadd %p, %v mask %m : tensor<256x!tile.ptr<f32>>
    %n = tile.atomic_rmw add %q, %one sem = acq_rel scope = sys : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_PtrValue:$ptr, Tile_NumberValue:$value, Optional<Tile_BoolValue>:$mask,
                       Tile_RMWKind:$kind, Tile_Default<Tile_MemSemantic, "Relaxed">:$sem,
                       Tile_Default<Tile_MemScope, "GPU">:$scope);
  let results = (outs Tile_NumberValue:$result);
  let assemblyFormat = [{
    $kind $ptr `,` $value (`mask` $mask^)? (`sem` `=` $sem^)? (`scope` `=` $scope^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}

def Tile_AtomicCASOp : Tile_Op<"atomic_cas", [
    MemoryEffects<[MemRead, MemWrite]>, Tile_PointeeOf<"cmp">, Tile_PointeeOf<"value">, Tile_PointeeOf<"result">]> {
  let summary = "atomically replaces memory that equals a given value and returns what was there";
  let description = [{
    The comparison is of bits. Elements have 16, 32 or 64 bits.

    ```mlir
    %old = tile.atomic_cas %lock, %zero, %one sem = acquire scope = gpu : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_PtrValue:$ptr, Tile_NumberValue:$cmp, Tile_NumberValue:$value,
                       Tile_Default<Tile_MemSemantic, "Relaxed">:$sem, Tile_Default<Tile_MemScope, "GPU">:$scope);
  let results = (outs Tile_NumberValue:$result);
  let assemblyFormat = [{
    $ptr `,` $cmp `,` $value (`sem` `=` $sem^)? (`scope` `=` $scope^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}

def Tile_AtomicPollOp : Tile_Op<"atomic_poll", [MemoryEffects<[MemRead, MemWrite]>, Tile_PointeeOf<"expected">]> {
  let summary = "reads an address until it holds an expected value";
  let description = [{
    The result is true once the value was seen, false if `timeout` nanoseconds passed first; without a timeout it
    waits for ever. `sem` is relaxed or acquire. The program as a whole waits: what comes behind sees what an acquired
    write had before it. `launch` says that it waits for programs of its own launch alone: memory that the kernel writes nothing to
    stays as it is. Time passes in steps of the chip's counter (10 or 40 nanoseconds on AMD) and is rounded up.

    ```mlir
    %seen = tile.atomic_poll %flag, %one timeout %ns sem = acquire scope = gpu : !tile.ptr<i32>
    %turn = tile.atomic_poll %flag, %number sem = acquire launch : !tile.ptr<i32>
    ```
  }];
  let arguments = (ins Tile_AnyPtr:$ptr, AnyTypeOf<[I32, I64]>:$expected, Optional<I64>:$timeout,
                       Tile_Default<Tile_MemSemantic, "Relaxed">:$sem, Tile_Default<Tile_MemScope, "GPU">:$scope,
                       UnitAttr:$launch);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $ptr `,` $expected (`timeout` $timeout^)? (`sem` `=` $sem^)? (`scope` `=` $scope^)? (`launch` $launch^)?
    attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}

// ---- tensor descriptors ----

def Tile_MakeDescOp : Tile_Op<"make_desc", [Pure, AttrSizedOperandSegments,
    TypesMatchWith<"base points to the element of the descriptor", "result", "base", "::tile::descBase($_self)">]> {
  let summary = "describes a strided tensor in global memory";
  let description = [{
    `shape` and `strides` (in elements) have one entry for each dimension of a block. The last stride is 1, the others
    are multiples of 16 bytes, the base is aligned to 16 bytes: the copy engines of chips need that, other code relies
    on none of it. Elements outside read as zero unless `padding = nan`.

    ```mlir
    %d = tile.make_desc %base shape [%m, %k] strides [%ld, %c1] : !tile.desc<128x64xf16>
    %e = tile.make_desc %base shape [%m, %k] strides [%ld, %c1] padding = nan : !tile.desc<128x64xf16>
    ```
  }];
  let arguments = (ins Tile_AnyPtr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       Tile_Default<Tile_Padding, "Zero">:$padding);
  let results = (outs Tile_DescValue:$result);
  let assemblyFormat = [{
    $base `shape` `[` $shape `]` `strides` `[` $strides `]` (`padding` `=` $padding^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_DescLoadOp : Tile_Op<"desc_load", [MemoryEffects<[MemRead]>]> {
  let summary = "reads a block at given coordinates";
  let description = [{
    Coordinates count elements and may lie outside the tensor. The result has the block's shape; leading dimensions of
    size 1 may be dropped.

    A copy engine brings blocks whose last coordinate is known to be a multiple of 16 bytes (`tile.divisibility` of what
    it is computed of, constants, ranges of loops); others are masked loads.

    ```mlir
    %t = tile.desc_load %d[%i, %j] : !tile.desc<128x64xf16> -> tensor<128x64xf16>
    ```
  }];
  let arguments = (ins Tile_DescValue:$desc, Variadic<I32>:$coords, Tile_Default<Tile_CacheModifier, "None">:$cache,
                       Tile_Default<Tile_EvictionPolicy, "Normal">:$evict);
  let results = (outs Tile_NumberTensor:$result);
  let assemblyFormat = [{
    $desc `[` $coords `]` (`cache` `=` $cache^)? (`evict` `=` $evict^)? attr-dict `:` type($desc) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_DescStoreOp : Tile_Op<"desc_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes a block at given coordinates";
  let description = [{
    Elements outside the tensor are not written. Coordinates are not negative: the copy engine, which stores what a
    product has computed where the last coordinate is known to be a multiple of 16 bytes, ends the kernel at such ones.

    ```mlir
    tile.desc_store %d[%i, %j], %t : !tile.desc<128x64xf16>, tensor<128x64xf16>
    ```
  }];
  let arguments = (ins Tile_DescValue:$desc, Variadic<I32>:$coords, Tile_NumberTensor:$value);
  let assemblyFormat = "$desc `[` $coords `]` `,` $value attr-dict `:` type($desc) `,` type($value)";
  let hasVerifier = 1;
}

def Tile_DescReduceOp : Tile_Op<"desc_reduce", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "atomically combines a block with memory at given coordinates";
  let description = [{
    Element by element, relaxed, at gpu scope. Coordinates are as those of `tile.desc_store`.

    ```mlir
    tile.desc_reduce add %d[%i, %j], %t : !tile.desc<128x64xf32>, tensor<128x64xf32>
    ```
  }];
  let arguments = (ins Tile_DescValue:$desc, Variadic<I32>:$coords, Tile_NumberTensor:$value,
                       Tile_DescReduceKind:$kind);
  let assemblyFormat = "$kind $desc `[` $coords `]` `,` $value attr-dict `:` type($desc) `,` type($value)";
  let hasVerifier = 1;
}

def Tile_DescGatherOp : Tile_Op<"desc_gather", [MemoryEffects<[MemRead]>]> {
  let summary = "reads listed rows, starting at one column";
  let description = [{
    The descriptor's block is one row. Row i of the result starts at (`rows[i]`, `column`).

    ```mlir
    %t = tile.desc_gather %d[%rows, %j] : !tile.desc<1x64xf16>, tensor<32xi32> -> tensor<32x64xf16>
    ```
  }];
  let arguments = (ins Tile_DescValue:$desc, Tile_I32Tensor:$rows, I32:$column);
  let results = (outs Tile_NumberTensor:$result);
  let assemblyFormat = "$desc `[` $rows `,` $column `]` attr-dict `:` type($desc) `,` type($rows) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_DescScatterOp : Tile_Op<"desc_scatter", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes listed rows, starting at one column";
  let description = [{
    ```mlir
    tile.desc_scatter %d[%rows, %j], %t : !tile.desc<1x64xf16>, tensor<32xi32>, tensor<32x64xf16>
    ```
  }];
  let arguments = (ins Tile_DescValue:$desc, Tile_I32Tensor:$rows, I32:$column, Tile_NumberTensor:$value);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` `,` $value attr-dict `:` type($desc) `,` type($rows) `,` type($value)
  }];
  let hasVerifier = 1;
}

#endif
