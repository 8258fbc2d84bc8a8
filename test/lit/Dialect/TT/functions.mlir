// RUN: tile-opt %s | tile-opt | FileCheck %s
// Functions, calls, the grid, types of arguments.

// CHECK: tt.func public @kernel(%{{.*}}: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %{{.*}}: !tt.ptr<i8, 0>, %{{.*}}: i32) attributes {noinline = false} {
tt.func public @kernel(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("p"), %raw: !tt.ptr<i8, 0>, %n: i32) attributes {noinline = false} {
  // CHECK: tt.get_program_id x : i32
  %x = tt.get_program_id x : i32
  // CHECK: tt.get_program_id z : i32
  %z = tt.get_program_id z : i32
  // CHECK: tt.get_num_programs y : i32
  %y = tt.get_num_programs y : i32
  // CHECK: tt.call @helper(%{{.*}}, %{{.*}}) : (i32, i32) -> (i32, i32)
  %r:2 = tt.call @helper(%x, %y) : (i32, i32) -> (i32, i32)
  // CHECK: tt.call @"zeros____0cconstexpr_(constexpr_64_,)__1cconstexpr_fp32_"() : () -> tensor<64xf32>
  %t = tt.call @"zeros____0cconstexpr_(constexpr_64_,)__1cconstexpr_fp32_"() : () -> tensor<64xf32>
  // CHECK: tt.call @nothing() : () -> ()
  tt.call @nothing() : () -> ()
  // CHECK: tt.return{{$}}
  tt.return
}

// CHECK: tt.func private @helper(%{{.*}}: i32, %{{.*}}: i32) -> (i32, i32) attributes {noinline = true}
tt.func private @helper(%a: i32, %b: i32) -> (i32, i32) attributes {noinline = true} {
  // CHECK: tt.return %{{.*}}, %{{.*}} : i32, i32
  tt.return %a, %b : i32, i32
}

// CHECK: tt.func private @"zeros____0cconstexpr_(constexpr_64_,)__1cconstexpr_fp32_"() -> tensor<64xf32>
tt.func private @"zeros____0cconstexpr_(constexpr_64_,)__1cconstexpr_fp32_"() -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  tt.return %zero : tensor<64xf32>
}

// CHECK: tt.func @nothing()
tt.func @nothing() {
  cf.br ^bb1
^bb1:
  tt.return
}

// CHECK: tt.func @types(%{{.*}}: !tt.ptr<tensor<64x32xf16>>, %{{.*}}: tensor<4x!tt.ptr<i1>>, %{{.*}}: !tt.tensordesc<64x32xf16>, %{{.*}}: !tt.tensordesc<64x32xf16>, %{{.*}}: !tt.tensordesc<8xsi32>)
tt.func @types(%a: !tt.ptr<tensor<64x32xf16>>, %b: tensor<4x!tt.ptr<i1>>, %c: !tt.tensordesc<tensor<64x32xf16>>,
               %d: !tt.tensordesc<64x32xf16>, %e: !tt.tensordesc<tensor<8xsi32>>) {
  tt.return
}
