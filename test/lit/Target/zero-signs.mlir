// A product that is rounded to f16 keeps the sign of a zero: what v_fma_mix adds is -0.
// RUN: tile-translate --target=gfx90a --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx942 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx950 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1201 --emit=amdgcn %s | FileCheck %s
// CHECK-COUNT-3: v_fma_mix{{lo|hi}}_f16 {{.*}}, {{[sv][0-9]+}}{{$}}
// CHECK-NOT: v_fma_mix{{.*}}, 0{{$}}
llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %f: f32) attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64"} {
  %id = rocdl.workitem.id.x : i32
  %p = llvm.getelementptr %in[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %q = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf16>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %none = llvm.mlir.constant(dense<0.0> : vector<4xf16>) : vector<4xf16>
  %a = llvm.fmul %x, %f : f32
  %a1 = llvm.fptrunc %a : f32 to f16
  %b = llvm.fmul %x, %x : f32
  %n = llvm.fneg %b : f32
  %b1 = llvm.fptrunc %n : f32 to f16
  %c = llvm.fmul %f, %a : f32
  %c1 = llvm.fptrunc %c : f32 to f16
  %v = llvm.insertelement %a1, %none[%zero : i32] : vector<4xf16>
  %v1 = llvm.insertelement %b1, %v[%one : i32] : vector<4xf16>
  %v2 = llvm.insertelement %c1, %v1[%two : i32] : vector<4xf16>
  llvm.store %v2, %q : vector<4xf16>, !llvm.ptr<1>
  llvm.return
}
