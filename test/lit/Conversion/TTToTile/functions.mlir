// RUN: tile-opt %s --convert-tt-to-tile | FileCheck %s
// RUN: tile-opt %s --convert-tt-to-tile --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// CHECK: func.func @kernel(%{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32}, %{{.*}}: !tile.desc<64x32xf16>, %{{.*}}: !tile.desc<8xi32>, %{{.*}}: i32) attributes {tile.kernel} {
// LOC: func.func @kernel(%{{.*}}: !tile.ptr<f32> {tile.divisibility = 16 : i32, tile.pointer_range = 32 : i32} loc("p"("kernel.py":3:11))
tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32, tt.pointer_range = 32 : i32, tt.contiguity = 4 : i32} loc("p"("kernel.py":3:11)),
                       %d: !tt.tensordesc<64x32xf16>, %e: !tt.tensordesc<tensor<8xsi32>>, %n: i32) attributes {noinline = false} {
  // CHECK: tile.program_id x
  // LOC: tile.program_id x loc("pid"("kernel.py":4:8))
  %x = tt.get_program_id x : i32 loc("pid"("kernel.py":4:8))
  // CHECK: tile.program_id z
  %z = tt.get_program_id z : i32
  // CHECK: tile.num_programs y
  %y = tt.get_num_programs y : i32
  // CHECK: call @helper(%{{.*}}, %{{.*}}) : (i32, !tile.ptr<f32>) -> (i32, !tile.ptr<f32>)
  %r:2 = tt.call @helper(%x, %p) : (i32, !tt.ptr<f32>) -> (i32, !tt.ptr<f32>)
  // CHECK: return{{$}}
  tt.return
}

// CHECK: func.func private @helper(%{{.*}}: i32, %{{.*}}: !tile.ptr<f32>) -> (i32, !tile.ptr<f32>) {
tt.func private @helper(%a: i32, %b: !tt.ptr<f32>) -> (i32, !tt.ptr<f32>) attributes {noinline = true} {
  // CHECK: return %{{.*}}, %{{.*}} : i32, !tile.ptr<f32>
  tt.return %a, %b : i32, !tt.ptr<f32>
}

// What cannot be launched is a helper, whatever its visibility.
// CHECK: func.func private @no_kernel(%{{.*}}: tensor<4x!tile.ptr<i1>>) -> i32 {
tt.func @no_kernel(%t: tensor<4x!tt.ptr<i1>>) -> i32 {
  %0 = llvm.mlir.undef : i32
  // CHECK: ub.poison : i32
  tt.return %0 : i32
}

// Code that no longer is reached goes.
// CHECK: func.func private @after_return(%{{.*}}: f32) -> f32 {
// CHECK-NEXT: return
// CHECK-NEXT: }
tt.func private @after_return(%x: f32) -> f32 {
  tt.return %x : f32
^bb1:
  %0 = ub.poison : f32
  tt.return %0 : f32
}

// Other dialects' code is left alone.
// CHECK: func.func @other
// CHECK: cf.cond_br
func.func @other(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return
^bb2:
  return
}
