/* TileGPUOps.td - layouts, shared memory and asynchrony: the tile program once it is mapped to threads. */
#ifndef TILE_GPU_OPS
#define TILE_GPU_OPS
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileGPU_Dialect : Dialect {
  let name = "tile_gpu";
  let cppNamespace = "::tile::gpu";
  let summary = "Tiles mapped to the threads of a GPU program";
  let description = [{
    Ops of `tile`, `arith`, `math` and `scf` stay as they are; their tensors get an encoding that says which thread holds
    which element. What is added here are the conversions between such layouts, shared memory and asynchronous copies.

    The module carries what was decided for the whole program: `tile_gpu.target`, `tile_gpu.num_warps`,
    `tile_gpu.threads_per_warp`, `tile_gpu.num_ctas` and, once allocated, `tile_gpu.shared` in bytes.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

def TileGPU_LayoutAttr : AttrDef<TileGPU_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "which thread and register holds which element of a tensor";
  let description = [{
    A linear map over GF(2) from the bits of (register, lane, warp, block) to tensor coordinates, written as one basis
    vector per bit. The element at (r, l, w, b) has the coordinates that are the bitwise XOR of the bases of the set bits.
    A zero basis means that the bit's two values hold the same element. Registers are those of one thread.

    Example: 256 elements on 4 warps of 32 lanes, two consecutive ones per thread:

    ```mlir
    tensor<256xf32, #tile_gpu.layout<1, register = [[1]], lane = [[2], [4], [8], [16], [32]], warp = [[64], [128]], block = []>>
    ```
    The leading number is the rank.
  }];
  let parameters = (ins "int64_t":$rank, ArrayRefParameter<"int64_t">:$registers, ArrayRefParameter<"int64_t">:$lanes,
                        ArrayRefParameter<"int64_t">:$warps, ArrayRefParameter<"int64_t">:$blocks);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

class TileGPU_Op<string mnemonic, list<Trait> traits = []> : Op<TileGPU_Dialect, mnemonic, traits>;

def TileGPU_AnyOp : TileGPU_Op<"any", [Pure]> {
  let summary = "whether a thread holds an element that is true";
  let description = [{
    Each thread's own answer, so that it may differ between threads. As condition of an `scf.if` it lets a thread skip work
    that changes only such elements. The region must be element-wise: no barrier, no conversion of layouts, no reduction,
    since not all threads enter it.

    ```mlir
    %rare = tile_gpu.any %mask : tensor<256xi1>
    %1 = scf.if %rare -> tensor<256xf32> { ... }
    ```
  }];
  let arguments = (ins RankedTensorOf<[I1]>:$mask);
  let results = (outs I1:$result);
  let assemblyFormat = "$mask attr-dict `:` type($mask)";
}

def TileGPU_FirstOp : TileGPU_Op<"first", [Pure,
    TypesMatchWith<"result is an element of the source", "source", "result", "::mlir::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "the first element that a thread holds";
  let description = [{
    Each thread's own: what its first register holds.

    ```mlir
    %0 = tile_gpu.first %t : tensor<64x64xi32>
    ```
  }];
  let arguments = (ins RankedTensorOf<[AnyType]>:$source);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def TileGPU_ConvertLayoutOp : TileGPU_Op<"convert_layout", [Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "the same tensor held by other threads";
  let description = [{
    Changes the layout and nothing else. Free when the two layouts differ only in the numbering of registers; otherwise
    values move between lanes (shuffles) or warps (shared memory).

    ```mlir
    %1 = tile_gpu.convert_layout %0 : tensor<256xf32, #a> -> tensor<256xf32, #b>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

include "tile/Dialect/TileGPU/IR/TileGPUMemoryOps.td"
include "tile/Dialect/TileGPU/IR/TileGPUMatrixOps.td"
include "tile/Dialect/TileGPU/IR/TileGPUHopperOps.td"

#endif
