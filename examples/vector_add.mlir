// z = x + y, 1024 elements a program; the last program's tail is masked.
//
//   tile-run examples/vector_add.mlir --device=cpu --kernel=vector_add --grid=98 \
//     --arg=f32[100003]=rand:1 --arg=f32[100003]=rand:2 --arg=f32[100003]=zeros --arg=i32=100003 --out=2:z.npy
//   tile-translate examples/vector_add.mlir --target=sm_90a --emit=cubin -o vector_add.cubin
//
// divisibility = 16: x, y and z start at a multiple of 16 bytes, so that 16 bytes move at a time wherever a thread's
// elements all take part.
func.func @vector_add(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                      %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                      %z: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                      %n: i32) attributes {tile.kernel} {
  // The indices of this program's elements: program * 1024 + (0 .. 1023).
  %program = tile.program_id x
  %size = arith.constant 1024 : i32
  %first = arith.muli %program, %size : i32
  %firsts = tile.splat %first : tensor<1024xi32>
  %range = tile.make_range 0 to 1024 : tensor<1024xi32>
  %index = arith.addi %firsts, %range : tensor<1024xi32>

  // Those below n take part.
  %ns = tile.splat %n : tensor<1024xi32>
  %mask = arith.cmpi slt, %index, %ns : tensor<1024xi32>

  %xs = tile.splat %x : tensor<1024x!tile.ptr<f32>>
  %px = tile.addptr %xs, %index : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %a = tile.load %px mask %mask : tensor<1024x!tile.ptr<f32>>

  %ys = tile.splat %y : tensor<1024x!tile.ptr<f32>>
  %py = tile.addptr %ys, %index : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  %b = tile.load %py mask %mask : tensor<1024x!tile.ptr<f32>>

  %sum = arith.addf %a, %b : tensor<1024xf32>

  %zs = tile.splat %z : tensor<1024x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %index : tensor<1024x!tile.ptr<f32>>, tensor<1024xi32>
  tile.store %pz, %sum mask %mask : tensor<1024x!tile.ptr<f32>>
  return
}
