llvm.func @add(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>, %n: i32)
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "128,128", rocdl.reqd_work_group_size = array<i32: 128, 1, 1>} {
  %tid = rocdl.workitem.id.x : i32
  %pid = rocdl.workgroup.id.x : i32
  %c128 = llvm.mlir.constant(128 : i32) : i32
  %base = llvm.mul %pid, %c128 : i32
  %i = llvm.add %base, %tid : i32
  %in = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %in, ^body, ^end
^body:
  %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %py = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %pz = llvm.getelementptr %z[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %a = llvm.load %px : !llvm.ptr<1> -> f32
  %b = llvm.load %py : !llvm.ptr<1> -> f32
  %ab = llvm.fmul %a, %b : f32
  %c = llvm.fadd %ab, %b : f32
  llvm.store %c, %pz : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}
