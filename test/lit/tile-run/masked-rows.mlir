// A factor masked in a layout that its mask is not compared in, beside sums of a warp group: a thread asks nothing of its own rows then.
// RUN: tile-run %s --device=sim --target=sm_90a --num-warps=4 --num-stages=3 --grid=1 --arg=i32=0 --arg=f16[8192]=fill:1 --arg=i32=64 --arg=i32=8 --arg=i32=64 --arg=f32[4096]=zeros --against=cpu
func.func @masked(%0: i32, %1: !tile.ptr<f16> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %2: i32, %3: i32, %4: i32, %5: !tile.ptr<f32>) attributes {tile.kernel} {
  %6 = tile.program_id x
  %7 = arith.constant dense<0x00000000> : tensor<64x64xf32>
  %8 = arith.constant dense<0x00000000> : tensor<64x64xf32>
  %9 = arith.constant 2 : i32
  %10 = arith.constant 1 : i32
  %11, %12 = scf.for %13 = %0 to %9 step %10 iter_args(%14 = %7, %15 = %8) -> (tensor<64x64xf32>, tensor<64x64xf32>) : i32 {
    %16 = arith.constant dense<0x3C00> : tensor<64x8xf16>
    %17 = arith.constant 536 : i32
    %18 = arith.muli %6, %17 : i32
    %19 = arith.constant 536 : i32
    %20 = arith.muli %13, %19 : i32
    %21 = arith.addi %18, %20 : i32
    %22 = tile.make_range 0 to 8 : tensor<8xi32>
    %23 = tile.expand_dims %22 axis = 1 : tensor<8xi32> -> tensor<8x1xi32>
    %24 = tile.splat %2 : tensor<8x1xi32>
    %25 = arith.muli %23, %24 : tensor<8x1xi32>
    %26 = tile.make_range 0 to 64 : tensor<64xi32>
    %27 = tile.expand_dims %26 axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %28 = tile.addptr %1, %21 : !tile.ptr<f16>, i32
    %29 = tile.broadcast %25 : tensor<8x1xi32> -> tensor<8x64xi32>
    %30 = tile.broadcast %27 : tensor<1x64xi32> -> tensor<8x64xi32>
    %31 = arith.addi %29, %30 : tensor<8x64xi32>
    %32 = tile.splat %28 : tensor<8x64x!tile.ptr<f16>>
    %33 = tile.addptr %32, %31 : tensor<8x64x!tile.ptr<f16>>, tensor<8x64xi32>
    %34 = tile.make_range 0 to 8 : tensor<8xi32>
    %35 = tile.expand_dims %34 axis = 1 : tensor<8xi32> -> tensor<8x1xi32>
    %36 = tile.splat %3 : tensor<8x1xi32>
    %37 = arith.cmpi slt, %35, %36 : tensor<8x1xi32>
    %38 = tile.broadcast %37 : tensor<8x1xi1> -> tensor<8x64xi1>
    %39 = tile.make_range 0 to 64 : tensor<64xi32>
    %40 = tile.expand_dims %39 axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %41 = tile.splat %4 : tensor<1x64xi32>
    %42 = arith.cmpi slt, %40, %41 : tensor<1x64xi32>
    %43 = tile.broadcast %42 : tensor<1x64xi1> -> tensor<8x64xi1>
    %44 = arith.andi %38, %43 : tensor<8x64xi1>
    %45 = arith.constant dense<0x0000> : tensor<8x64xf16>
    %46 = tile.load %33 mask %44 other %45 : tensor<8x64x!tile.ptr<f16>>
    %47 = tile.make_range 0 to 8 : tensor<8xi32>
    %48 = tile.expand_dims %47 axis = 1 : tensor<8xi32> -> tensor<8x1xi32>
    %49 = tile.broadcast %48 : tensor<8x1xi32> -> tensor<8x64xi32>
    %50 = tile.make_range 0 to 64 : tensor<64xi32>
    %51 = tile.expand_dims %50 axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
    %52 = tile.broadcast %51 : tensor<1x64xi32> -> tensor<8x64xi32>
    %53 = arith.cmpi slt, %49, %52 : tensor<8x64xi32>
    %54 = arith.constant dense<0x0000> : tensor<8x64xf16>
    %55 = arith.select %53, %46, %54 : tensor<8x64xi1>, tensor<8x64xf16>
    %56 = tile.dot %16, %55, %14 : tensor<64x8xf16> * tensor<8x64xf16> -> tensor<64x64xf32>
    %57 = arith.constant dense<0x3C00> : tensor<64x64xf16>
    %58 = arith.constant dense<0x3C00> : tensor<64x64xf16>
    %59 = tile.dot %57, %58, %15 : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %56, %59 : tensor<64x64xf32>, tensor<64x64xf32>
  } {tile.num_stages = 2 : i32}
  %60 = arith.constant 4096 : i32
  %61 = arith.muli %6, %60 : i32
  %62 = arith.constant 64 : i32
  %63 = tile.make_range 0 to 64 : tensor<64xi32>
  %64 = tile.expand_dims %63 axis = 1 : tensor<64xi32> -> tensor<64x1xi32>
  %65 = tile.splat %62 : tensor<64x1xi32>
  %66 = arith.muli %64, %65 : tensor<64x1xi32>
  %67 = tile.make_range 0 to 64 : tensor<64xi32>
  %68 = tile.expand_dims %67 axis = 0 : tensor<64xi32> -> tensor<1x64xi32>
  %69 = tile.splat %5 : tensor<64x1x!tile.ptr<f32>>
  %70 = tile.addptr %69, %66 : tensor<64x1x!tile.ptr<f32>>, tensor<64x1xi32>
  %71 = tile.broadcast %70 : tensor<64x1x!tile.ptr<f32>> -> tensor<64x64x!tile.ptr<f32>>
  %72 = tile.broadcast %68 : tensor<1x64xi32> -> tensor<64x64xi32>
  %73 = tile.addptr %71, %72 : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  %74 = tile.splat %61 : tensor<64x64xi32>
  %75 = tile.addptr %73, %74 : tensor<64x64x!tile.ptr<f32>>, tensor<64x64xi32>
  tile.store %75, %11 : tensor<64x64x!tile.ptr<f32>>
  return
}
