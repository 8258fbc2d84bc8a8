// Matrix products: what `precision` does to 1 + 2^-11 squared, and a descriptor's padding as operand.
// RUN: tile-run %s --grid=1 --arg=f32[4,4]=fill:0x1.002p0 | FileCheck %s

// tf32 drops the last bit of each operand: 4 * 1 * 1.
// CHECK: idx (0, 0) ieee 4.00390
// CHECK: idx (0, 0) tf32 4
// CHECK: idx (0, 0) tf32x3 4.00390
// CHECK: idx (0, 0) bf16x6 4.00390
// Rows from 3 on are outside of the tensor: zero.
// CHECK: idx (0, 0) padded 4.00390
// CHECK: idx (1, 0) padded 0
func.func @dots(%p: !tile.ptr<f32>) attributes {tile.kernel} {
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  %zero = arith.constant 0 : i32
  %ld = arith.constant 4 : i64
  %one = arith.constant 1 : i64
  %d = tile.make_desc %p shape [%four, %four] strides [%ld, %one] : !tile.desc<4x4xf32>
  %x = tile.desc_load %d[%zero, %zero] : !tile.desc<4x4xf32> -> tensor<4x4xf32>
  %tail = tile.desc_load %d[%three, %zero] : !tile.desc<4x4xf32> -> tensor<4x4xf32>
  %c = arith.constant dense<0.0> : tensor<4x4xf32>
  %r0 = tile.dot %x, %x, %c : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tile.print "ieee " %r0 : tensor<4x4xf32>
  %r1 = tile.dot %x, %x, %c precision = tf32 : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tile.print "tf32 " %r1 : tensor<4x4xf32>
  %r2 = tile.dot %x, %x, %c precision = tf32x3 : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tile.print "tf32x3 " %r2 : tensor<4x4xf32>
  %r3 = tile.dot %x, %x, %c precision = bf16x6 : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tile.print "bf16x6 " %r3 : tensor<4x4xf32>
  %r4 = tile.dot %tail, %x, %c : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tile.print "padded " %r4 : tensor<4x4xf32>
  return
}
