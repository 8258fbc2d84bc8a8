// RUN: tile-translate %s --target=sm_90a --emit=tile | FileCheck %s

// The names of a quoted symbol's parameters are no operands: a later body may define them again.
// CHECK: func.func @kernel
// CHECK: math.absi
tt.func public @kernel(%p: !tt.ptr<i32>) {
  %x = tt.load %p : !tt.ptr<i32>
  %y = tt.call @"abs__i32__(1,)cconstexpr_0_"(%x, %x) : (i32, i32) -> i32
  %z = tt.call @"twice__i32__(1,)cconstexpr_0_"(%y) : (i32) -> i32
  tt.store %p, %z : !tt.ptr<i32>
  tt.return
}
tt.func private @"abs__i32__(1,)cconstexpr_0_"(%x: i32, %flip: i32) -> i32 {
  %a = math.absi %x : i32
  tt.return %a : i32
}
tt.func private @"twice__i32__(1,)cconstexpr_0_"(%x: i32) -> i32 {
  %flip = arith.addi %x, %x : i32
  tt.return %flip : i32
}
