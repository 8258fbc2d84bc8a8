// The format of tile.print: see docs/interpreter.md.
// RUN: tile-run %s --grid=2 --arg=i32=7 --arg=f64=0.1 | FileCheck %s

// CHECK: pid (0, 0, 0) idx () n = 7
// CHECK-NEXT: pid (0, 0, 0) idx () d = 0.10000000000000001
// CHECK-NEXT: pid (0, 0, 0) idx () bits (operand 0) 0x00000007
// CHECK-NEXT: pid (0, 0, 0) idx (0, 0) bits (operand 1) 0xff
// CHECK-NEXT: pid (0, 0, 0) idx (0, 1) bits (operand 1) 0x02
// CHECK-NEXT: pid (0, 0, 0) idx (0, 0) u 255
// CHECK-NEXT: pid (0, 0, 0) idx (0, 1) u 2
// CHECK-NEXT: pid (0, 0, 0) here
// CHECK-NEXT: pid (1, 0, 0) idx () n = 7
func.func @prints(%n: i32, %d: f64) attributes {tile.kernel} {
  %b = arith.constant dense<[[-1, 2]]> : tensor<1x2xi8>
  tile.print "n = " %n : i32
  tile.print "d = " %d : f64
  tile.print "bits " hex %n, %b : i32, tensor<1x2xi8>
  tile.print "u " %b unsigned = [true] : tensor<1x2xi8>
  tile.print "here"
  return
}
