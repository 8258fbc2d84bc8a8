// An f16 below a constant -0: LLVM 22 would write 0 above it.
// RUN: tile-translate --target=gfx942 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=amdgcn %s | FileCheck %s
// CHECK: v_bfrev_b32_e32 v{{[0-9]+}}, 1{{$}}
llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64"} {
  %id = rocdl.workitem.id.x : i32
  %p = llvm.getelementptr %in[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
  %x = llvm.load %p : !llvm.ptr<1> -> f16
  %zero = llvm.mlir.constant(0 : i32) : i32
  %zeros = llvm.mlir.constant(dense<-0.0> : vector<2xf16>) : vector<2xf16>
  %v = llvm.insertelement %x, %zeros[%zero : i32] : vector<2xf16>
  %q = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf16>
  llvm.store %v, %q : vector<2xf16>, !llvm.ptr<1>
  llvm.return
}
