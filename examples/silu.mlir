// z[i] = silu(a * x[i] + b) for i < n, where silu(v) = v / (1 + exp(-v)): one program of the grid takes 256 elements.
//
// Run it on the cpu device:
//   tile-run examples/silu.mlir --device=cpu --grid=391 --arg=f32[100003]=randn:1 --arg=f32[100003]=zeros --arg=f32=0.5 \
//     --arg=f32=1.25 --arg=i32=100003 --out=1:silu.npy
//
// docs/walkthrough.md follows it through every pass.
func.func private @silu(%v: tensor<256xf32>) -> tensor<256xf32> {
  %one = arith.constant dense<1.0> : tensor<256xf32>
  %negated = arith.negf %v : tensor<256xf32>
  %exp = math.exp %negated : tensor<256xf32>
  %denominator = arith.addf %exp, %one : tensor<256xf32>
  %result = arith.divf %v, %denominator : tensor<256xf32>
  return %result : tensor<256xf32>
}

func.func @silu_kernel(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                       %a: f32, %b: f32, %n: i32) attributes {tile.kernel} {
  // The indices of this program's elements: program * 256 + (0 .. 255).
  %program = tile.program_id x
  %size = arith.constant 256 : i32
  %first = arith.muli %program, %size : i32
  %firsts = tile.splat %first : tensor<256xi32>
  %range = tile.make_range 0 to 256 : tensor<256xi32>
  %index = arith.addi %firsts, %range : tensor<256xi32>

  // Those below n take part.
  %ns = tile.splat %n : tensor<256xi32>
  %mask = arith.cmpi slt, %index, %ns : tensor<256xi32>

  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %index : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %px mask %mask : tensor<256x!tile.ptr<f32>>

  %as = tile.splat %a : tensor<256xf32>
  %bs = tile.splat %b : tensor<256xf32>
  %scaled = arith.mulf %as, %v : tensor<256xf32>
  %shifted = arith.addf %scaled, %bs : tensor<256xf32>
  %result = func.call @silu(%shifted) : (tensor<256xf32>) -> tensor<256xf32>

  %zs = tile.splat %z : tensor<256x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %index : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %pz, %result mask %mask : tensor<256x!tile.ptr<f32>>
  return
}
