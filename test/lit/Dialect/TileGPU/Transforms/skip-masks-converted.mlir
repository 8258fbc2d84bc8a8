// Each warp asks its own numbers only where they are those of its own mask: not before the mask is brought into another layout.
// RUN: for t in sm_80 gfx90a gfx942 gfx1100 gfx1201; do tile-run %s --device=sim --target=$t --num-warps=4 --num-stages=2 --grid=1 --arg=f16[2100]=randn:1 --arg=f32[2048]=zeros --arg=i32=32 --arg=i32=32 --against=cpu --rtol=1e-4 --atol=1e-4 || exit 1; done
func.func @converted(%0: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %1: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %2: i32, %3: i32) attributes {tile.kernel} {
  %4 = tile.program_id x
  %5 = arith.constant 1 : i32
  %6 = tile.program_id y
  %7 = arith.muli %6, %5 : i32
  %8 = arith.addi %4, %7 : i32
  %9 = arith.constant dense<0x00000000> : tensor<32x32xf32>
  %10 = arith.constant 1 : i32
  %11 = arith.constant 9 : i32
  %12 = arith.constant 2 : i32
  %13 = scf.for %14 = %10 to %11 step %12 iter_args(%15 = %9) -> (tensor<32x32xf32>) : i32 {
    %16 = arith.constant dense<0x3F800000> : tensor<32x32xf32>
    %17 = arith.constant 1 : i32
    %18 = arith.muli %14, %17 : i32
    %19 = arith.constant 32 : i32
    %20 = tile.make_range 0 to 64 : tensor<64xi32>
    %21 = tile.expand_dims %20 axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %22 = tile.splat %19 : tensor<64x1xi32>
    %23 = arith.muli %21, %22 : tensor<64x1xi32>
    %24 = tile.make_range 0 to 32 : tensor<32xi32>
    %25 = tile.expand_dims %24 axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
    %26 = tile.addptr %0, %18 : !tile.ptr<f16>, i32
    %27 = tile.broadcast %23 : tensor<64x1xi32> -> tensor<64x32xi32>
    %28 = tile.broadcast %25 : tensor<1x32xi32> -> tensor<64x32xi32>
    %29 = arith.addi %27, %28 : tensor<64x32xi32>
    %30 = tile.splat %26 : tensor<64x32x!tile.ptr<f16>>
    %31 = tile.addptr %30, %29 : tensor<64x32x!tile.ptr<f16>>, tensor<64x32xi32>
    %32 = tile.load %31 : tensor<64x32x!tile.ptr<f16>>
    %33 = tile.make_range 0 to 64 : tensor<64xi32>
    %34 = tile.expand_dims %33 axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
    %35 = tile.broadcast %34 : tensor<64x1xi32> -> tensor<64x32xi32>
    %36 = tile.make_range 0 to 32 : tensor<32xi32>
    %37 = tile.expand_dims %36 axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
    %38 = tile.broadcast %37 : tensor<1x32xi32> -> tensor<64x32xi32>
    %39 = arith.cmpi ne, %35, %38 : tensor<64x32xi32>
    %40 = arith.constant dense<0x0000> : tensor<64x32xf16>
    %41 = arith.select %39, %32, %40 : tensor<64x32xi1>, tensor<64x32xf16>
    %42 = tile.trans %41 order = [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
    %43 = arith.constant dense<0x3C00> : tensor<64x32xf16>
    %44 = tile.dot %42, %43, %16 : tensor<32x64xf16> * tensor<64x32xf16> -> tensor<32x32xf32>
    scf.yield %44 : tensor<32x32xf32>
  }
  %45 = arith.constant 1024 : i32
  %46 = arith.muli %8, %45 : i32
  %47 = arith.constant 32 : i32
  %48 = tile.make_range 0 to 32 : tensor<32xi32>
  %49 = tile.expand_dims %48 axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %50 = tile.splat %47 : tensor<32x1xi32>
  %51 = arith.muli %49, %50 : tensor<32x1xi32>
  %52 = tile.make_range 0 to 32 : tensor<32xi32>
  %53 = tile.expand_dims %52 axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %54 = tile.addptr %1, %46 : !tile.ptr<f32>, i32
  %55 = tile.broadcast %51 : tensor<32x1xi32> -> tensor<32x32xi32>
  %56 = tile.broadcast %53 : tensor<1x32xi32> -> tensor<32x32xi32>
  %57 = arith.addi %55, %56 : tensor<32x32xi32>
  %58 = tile.splat %54 : tensor<32x32x!tile.ptr<f32>>
  %59 = tile.addptr %58, %57 : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
  %60 = tile.make_range 0 to 32 : tensor<32xi32>
  %61 = tile.expand_dims %60 axis = 1 : tensor<32xi32> -> tensor<32x1xi32>
  %62 = tile.splat %2 : tensor<32x1xi32>
  %63 = arith.cmpi slt, %61, %62 : tensor<32x1xi32>
  %64 = tile.broadcast %63 : tensor<32x1xi1> -> tensor<32x32xi1>
  %65 = tile.make_range 0 to 32 : tensor<32xi32>
  %66 = tile.expand_dims %65 axis = 0 : tensor<32xi32> -> tensor<1x32xi32>
  %67 = tile.splat %3 : tensor<1x32xi32>
  %68 = arith.cmpi slt, %66, %67 : tensor<1x32xi32>
  %69 = tile.broadcast %68 : tensor<1x32xi1> -> tensor<32x32xi1>
  %70 = arith.andi %64, %69 : tensor<32x32xi1>
  tile.store %59, %13 mask %70 : tensor<32x32x!tile.ptr<f32>>
  return
}
