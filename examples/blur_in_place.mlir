// Averages neighbours - and has a fault: it writes over its input while the next program still reads it.
// docs/simulator.md finds it without a GPU:
//   tile-run examples/blur_in_place.mlir --device=sim --target=sm_90a --grid=4 --arg=f32[1025]=rand:1 --arg=i32=1024
//
// %x: n + 1 numbers; x[i] becomes (x[i] + x[i + 1]) / 2 for i < n. One program does 256 of them.
func.func @blur(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %n: i32) attributes {tile.kernel} {
  %size = arith.constant 256 : i32
  %program = tile.program_id x
  %first = arith.muli %program, %size : i32
  %range = tile.make_range 0 to 256 : tensor<256xi32>
  %firsts = tile.splat %first : tensor<256xi32>
  %index = arith.addi %firsts, %range : tensor<256xi32>
  %ns = tile.splat %n : tensor<256xi32>
  %mask = arith.cmpi slt, %index, %ns : tensor<256xi32>

  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %here = tile.addptr %xs, %index : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %a = tile.load %here mask %mask : tensor<256x!tile.ptr<f32>>
  %one = arith.constant dense<1> : tensor<256xi32>
  %next = tile.addptr %here, %one : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %b = tile.load %next mask %mask : tensor<256x!tile.ptr<f32>>

  %sum = arith.addf %a, %b : tensor<256xf32>
  %half = arith.constant dense<0.5> : tensor<256xf32>
  %mean = arith.mulf %sum, %half : tensor<256xf32>
  tile.store %here, %mean mask %mask : tensor<256x!tile.ptr<f32>>
  return
}
