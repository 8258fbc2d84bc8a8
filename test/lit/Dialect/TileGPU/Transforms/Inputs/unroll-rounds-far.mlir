// Loops whose bounds or steps are as far apart as 64 bits are, and one with unsigned bounds: what unroll-rounds.mlir checks.
module attributes {tile_gpu.target = "sm_90", tile_gpu.num_warps = 4 : i32, tile_gpu.threads_per_warp = 32 : i32} {
// CHECK-LABEL: func.func @step
// CHECK-NOT: scf.for
// CHECK-COUNT-1: arith.addi
// CHECK-NOT: arith.addi
func.func @step(%a: tensor<8192xi32>, %b: tensor<8192xi32>) -> tensor<8192xi32> {
  %lo = arith.constant 0 : i64
  %hi = arith.constant 5 : i64
  %st = arith.constant 9223372036854775807 : i64
  %r:2 = scf.for %i = %lo to %hi step %st iter_args(%x = %a, %y = %b) -> (tensor<8192xi32>, tensor<8192xi32>) : i64 {
    %z = arith.addi %x, %y : tensor<8192xi32>
    scf.yield %y, %z : tensor<8192xi32>, tensor<8192xi32>
  }
  return %r#1 : tensor<8192xi32>
}
// CHECK-LABEL: func.func @all
// CHECK-NOT: scf.for
// CHECK-COUNT-4: arith.addi
// CHECK-NOT: arith.addi
func.func @all(%a: tensor<8192xi32>, %b: tensor<8192xi32>) -> tensor<8192xi32> {
  %lo = arith.constant -9223372036854775808 : i64
  %hi = arith.constant 9223372036854775807 : i64
  %st = arith.constant 4611686018427387904 : i64
  %r:2 = scf.for %i = %lo to %hi step %st iter_args(%x = %a, %y = %b) -> (tensor<8192xi32>, tensor<8192xi32>) : i64 {
    %z = arith.addi %x, %y : tensor<8192xi32>
    scf.yield %y, %z : tensor<8192xi32>, tensor<8192xi32>
  }
  return %r#1 : tensor<8192xi32>
}
// CHECK-LABEL: func.func @many
// CHECK: scf.for
func.func @many(%a: tensor<8192xi32>, %b: tensor<8192xi32>) -> tensor<8192xi32> {
  %lo = arith.constant -9223372036854775808 : i64
  %hi = arith.constant 9223372036854775807 : i64
  %st = arith.constant 1 : i64
  %r:2 = scf.for %i = %lo to %hi step %st iter_args(%x = %a, %y = %b) -> (tensor<8192xi32>, tensor<8192xi32>) : i64 {
    %z = arith.addi %x, %y : tensor<8192xi32>
    scf.yield %y, %z : tensor<8192xi32>, tensor<8192xi32>
  }
  return %r#1 : tensor<8192xi32>
}
// CHECK-LABEL: func.func @unsigned
// CHECK: scf.for unsigned
func.func @unsigned(%a: tensor<8192xi32>, %b: tensor<8192xi32>) -> tensor<8192xi32> {
  %lo = arith.constant -1 : i32
  %hi = arith.constant 5 : i32
  %st = arith.constant 1 : i32
  %r:2 = scf.for unsigned %i = %lo to %hi step %st iter_args(%x = %a, %y = %b) -> (tensor<8192xi32>, tensor<8192xi32>) : i32 {
    %z = arith.addi %x, %y : tensor<8192xi32>
    scf.yield %y, %z : tensor<8192xi32>, tensor<8192xi32>
  }
  return %r#1 : tensor<8192xi32>
}
}
