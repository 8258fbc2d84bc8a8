/* TileGPUMatrixOps.td - matrix products bound to an instruction of the chip. */
#ifndef TILE_GPU_MATRIX_OPS
#define TILE_GPU_MATRIX_OPS
include "tile/Dialect/TileGPU/IR/TileGPUOps.td"

// The values are those of TileMatrixFamily (tile-c/Target.h).
def TileGPU_MatrixFamily : I32EnumAttr<"MatrixFamily", "kind of matrix instruction", [
    I32EnumAttrCase<"MmaSync", 0, "mma_sync">, I32EnumAttrCase<"Wgmma", 1, "wgmma">,
    I32EnumAttrCase<"Mfma", 2, "mfma">, I32EnumAttrCase<"Wmma11", 3, "wmma11">,
    I32EnumAttrCase<"Wmma12", 4, "wmma12">]> {
  let cppNamespace = "::tile::gpu";
  let genSpecializedAttr = 0;
}

def TileGPU_InstrAttr : AttrDef<TileGPU_Dialect, "Instr"> {
  let mnemonic = "instr";
  let summary = "a matrix instruction and how a product is spread over warps by it";
  let description = [{
    Family, then m, n and k of one instruction. `k_width` is the number of consecutive elements along K that a thread
    holds of each operand: both operands see the same order of K, so that any width gives the same sum. `warps` are the
    warps along M and N, with the batch in front for three dimensions. `shortened`: f32 operands are read with fewer bits
    (tf32, xf32). `transposed`: the operands are exchanged in the instruction, so that a thread holds neighbours along N.
    `paired` (mma_sync): rows r and r + 8 of the instruction's first operand are neighbours in the tensor, so that a
    thread holds two neighbours along K of each of two neighbouring rows.

    These numbers and the shapes of the tensors decide the three layouts of a `tile_gpu.mma`
    (include/tile-c/LayoutMatrix.h).

    ```mlir
    #tile_gpu.instr<mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]>
    #tile_gpu.instr<mfma, 16, 16, 8, k_width = 4, warps = [4, 1] shortened = true transposed = true>
    ```
  }];
  let parameters = (ins EnumParameter<TileGPU_MatrixFamily>:$family, "int64_t":$m, "int64_t":$n, "int64_t":$k,
                        "int64_t":$kWidth, ArrayRefParameter<"int64_t">:$warps,
                        DefaultValuedParameter<"bool", "false">:$shortened,
                        DefaultValuedParameter<"bool", "false">:$transposed,
                        DefaultValuedParameter<"bool", "false">:$paired);
  let assemblyFormat = [{
    `<` $family `,` $m `,` $n `,` $k `,` `k_width` `=` $kWidth `,` `warps` `=` `[` $warps `]` (`shortened` `=` $shortened^)?
    (`transposed` `=` $transposed^)? (`paired` `=` $paired^)? `>`
  }];
}

def TileGPU_MmaOp : TileGPU_Op<"mma", [Pure, AllTypesMatch<["c", "result"]>]> {
  let summary = "matrix product plus accumulator by one kind of matrix instruction";
  let description = [{
    a [M, K] times b [K, N] plus c [M, N], or batches of them, with operands of the types that the instruction takes.
    Sizes below those of the instruction are filled up: along M and N with copies whose results nobody reads, along K with
    zeros.

    Once layouts are assigned, each operand and the result has the layout that follows from `instr` and its shape. In what
    order and with how many bits an instruction sums is the chip's affair (docs/spec/numerics.md).

    ```mlir
    %d = tile_gpu.mma %a, %b, %c instr = <mma_sync, 16, 8, 16, k_width = 2, warps = [2, 2]>
       : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, AnyRankedTensor:$c, TileGPU_InstrAttr:$instr);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c `instr` `=` $instr attr-dict `:` type($a) `*` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif
