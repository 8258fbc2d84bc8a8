// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s
// Early returns become branches of scf.if; loops keep their hints; nothing of cf is left.

// CHECK-NOT: cf.

// CHECK-LABEL: func.func @early_return
tt.func public @early_return(%p: !tt.ptr<f32>, %n: i32, %v: f32) {
  // CHECK: %[[PID:.*]] = tile.program_id x
  // CHECK: %[[DONE:.*]] = arith.cmpi sge, %[[PID]]
  // CHECK: scf.if %[[DONE]] {
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[Q:.*]] = tile.addptr %{{.*}}, %[[PID]] : !tile.ptr<f32>, i32
  // CHECK-NEXT: tile.store %[[Q]], %{{.*}} : !tile.ptr<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  %pid = tt.get_program_id x : i32
  %done = arith.cmpi sge, %pid, %n : i32
  cf.cond_br %done, ^bb1, ^bb2
^bb1:
  tt.return
^bb2:
  %q = tt.addptr %p, %pid : !tt.ptr<f32>, i32
  tt.store %q, %v : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: func.func private @value
tt.func private @value(%c: i1, %a: !tt.ptr<f32>, %b: !tt.ptr<f32>) -> !tt.ptr<f32> {
  // CHECK: scf.if %{{.*}} -> (!tile.ptr<f32>
  // CHECK: return %{{.*}} : !tile.ptr<f32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  tt.return %a : !tt.ptr<f32>
^bb2:
  tt.return %b : !tt.ptr<f32>
}

// CHECK-LABEL: func.func private @loops
tt.func private @loops(%p: tensor<8x!tt.ptr<f32>>, %n: i32, %i: tensor<8xi32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<8x!tile.ptr<f32>>) : i32 {
  %0 = scf.for %k = %c0 to %n step %c1 iter_args(%a = %p) -> (tensor<8x!tt.ptr<f32>>) : i32 {
    // CHECK: tile.addptr %[[A]], %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
    %b = tt.addptr %a, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
    scf.yield %b : tensor<8x!tt.ptr<f32>>
  // CHECK: } {tile.flatten, tile.num_stages = 3 : i32, tile.unroll = 2 : i32, tile.warp_specialize}
  } {tt.num_stages = 3 : i32, tt.loop_unroll_factor = 2 : i32, tt.flatten, tt.warp_specialize, tt.disallow_acc_multi_buffer,
     llvm.loop_annotation = #llvm.loop_annotation<licm = <disable = true>>}
  // CHECK: scf.while
  %1 = scf.while (%k = %n) : (i32) -> i32 {
    %more = arith.cmpi sgt, %k, %c0 : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %less = arith.subi %k, %c1 : i32
    scf.yield %less : i32
  // CHECK: }{{$}}
  } attributes {llvm.loop_annotation = #llvm.loop_annotation<licm = <disable = true>>}
  tt.return
}

// A body with branches becomes one block.
// CHECK-LABEL: func.func private @map
tt.func @map(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: tile.map_elementwise %{{.*}} : tensor<8xf32> -> tensor<8xf32> {
  // CHECK: scf.if %{{.*}} -> (f32)
  // CHECK: tile.yield %{{.*}} : f32
  %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
  ^bb0(%a: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf olt, %a, %zero : f32
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    tt.map_elementwise.return %zero : f32
  ^bb2:
    tt.map_elementwise.return %a : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  tt.return %0 : tensor<8xf32>
}
