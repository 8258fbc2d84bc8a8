// The tile dialect itself and the element and tensor constraints that its operations share.
#ifndef TILE_BASE_TD
#define TILE_BASE_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tile";
  let summary = "kernels written on blocks of data, free of any target";
  let description = [{
    What a person writes. A kernel is a `func.func` with the unit attribute `tile.kernel`; many *programs* execute
    it, each with its own `tile.program_id`. Inside a program, values are scalars or statically shaped `tensor`s of

    - `i1 i8 i16 i32 i64`, `f16 bf16 f32 f64`, `f8E4M3FN f8E5M2 f8E4M3FNUZ f8E5M2FNUZ`,
    - pointers `!tile.ptr<f16>`,

    of any size. Element-wise arithmetic is `arith` and `math` on tensors, constants are `arith.constant dense<..>`,
    control flow is `scf`; helpers are private functions reached by `func.call`, which are always inlined.

    ```mlir
    func.func @scale(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
      %pid = tile.program_id x
      %c256 = arith.constant 256 : i32
      %two = arith.constant dense<2.0> : tensor<256xf32>
      %start = arith.muli %pid, %c256 : i32
      %base = tile.splat %start : tensor<256xi32>
      %lane = tile.make_range 0 to 256 : tensor<256xi32>
      %i = arith.addi %base, %lane : tensor<256xi32>
      %end = tile.splat %n : tensor<256xi32>
      %in = arith.cmpi slt, %i, %end : tensor<256xi32>
      %ptrs = tile.splat %x : tensor<256x!tile.ptr<f32>>
      %p = tile.addptr %ptrs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
      %v = tile.load %p mask %in : tensor<256x!tile.ptr<f32>>
      %w = arith.mulf %v, %two : tensor<256xf32>
      tile.store %p, %w mask %in : tensor<256x!tile.ptr<f32>>
      return
    }
    ```

    Attributes that may stand on other dialects' operations:

    | attribute | on | meaning |
    |---|---|---|
    | `tile.kernel` (unit) | `func.func` | entry point: public, no results, arguments are scalars, pointers or descriptors |
    | `tile.divisibility = N : i32` | argument | the pointer's address or the integer is a multiple of N |
    | `tile.pointer_range = N : i32` | argument | all that is reached through the pointer lies less than 2^(N-1) bytes behind it; parameters that indices are multiplied with or divided by (strides, sizes) are not negative |
    | `tile.contiguity`, `tile.constancy`, `tile.divisibility` (array of i32, one per dimension) | operation | what the author knows about its result |
    | `tile.num_stages = N : i32` | `scf.for` | depth of the software pipeline of this loop |
    | `tile.unroll = N : i32` | `scf.for` | unroll factor |
    | `tile.split = n` | `scf.for` | n blocks of a cluster share a loop that adds up, where the chip has clusters |
    | `tile.blocks = n` | `scf.for` | n blocks of a cluster share out the rows of the products in the loop, where the chip has clusters |
    | `tile.column_blocks = n` | `scf.for` | n times as many blocks of a cluster share out the columns of the products in the loop |
    | `tile.stream = n` | `scf.for` | of blocks that the loop deals out to the programs, each of those that are left over in the end is shared by up to n of them, where warp groups multiply |
    | `tile.warp_specialize`, `tile.flatten` (unit) | `scf.for` | split into producer and consumer warps; fuse with the loop around it |
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif
