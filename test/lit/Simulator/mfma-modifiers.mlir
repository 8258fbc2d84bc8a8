// MFMA's modifiers: blocks of A for several (cbsz, abid), lanes of B for others (blgp), f64's signs (CDNA3).
// A is the lane's number, B one: with cbsz 3, abid 5, blocks 0 to 7 multiply block 5, 8 to 15 block 13.
// RUN: tile-run %s --device=sim --target=gfx942 --grid=1 --kernel=broadcast --arg=f32[256]=zeros --out=0:%t.npy
// RUN: %python -c "import struct; v=struct.unpack('<256f',open('%t.npy','rb').read()[-1024:]); assert all(v[r*64+l]==20+32*(l//32)+r for l in range(64) for r in range(4)), v"
// A is one, B the lane's number: blgp 3 takes them 16 lanes on.
// RUN: tile-run %s --device=sim --target=gfx90a --grid=1 --kernel=rotate --arg=f32[64]=zeros --out=0:%t.npy
// RUN: %python -c "import struct; v=struct.unpack('<64f',open('%t.npy','rb').read()[-256:]); assert all(v[l]==(l+16)%%64 for l in range(64)), v"
// -(1 * 1) * 4 + -(-3) = -1
// RUN: tile-run %s --device=sim --target=gfx942 --grid=1 --kernel=negate --arg=f64[64]=zeros --out=0:%t.npy
// RUN: %python -c "import struct; v=struct.unpack('<64d',open('%t.npy','rb').read()[-512:]); assert all(x==-1 for x in v), v"
// RUN: not tile-run %s --device=sim --target=gfx90a --grid=1 --kernel=negate --arg=f64[64]=zeros 2>&1 | FileCheck %s --check-prefix=CDNA2
// RUN: not tile-run %s --device=sim --target=gfx90a --grid=1 --kernel=tooMany --arg=f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=CBSZ
// RUN: not tile-run %s --device=sim --target=gfx90a --grid=1 --kernel=noSuchBlock --arg=f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=ABID

llvm.func @broadcast(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.sitofp %id : i32 to f32
  %b = llvm.mlir.constant(1.0 : f32) : f32
  %c = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  %cbsz = llvm.mlir.constant(3 : i32) : i32
  %abid = llvm.mlir.constant(5 : i32) : i32
  %d = rocdl.mfma.f32.4x4x1f32 %a, %b, %c, %cbsz, %abid, %zero : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %e0 = llvm.extractelement %d[%k0 : i32] : vector<4xf32>
  %p0 = llvm.getelementptr %out[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %q0 = llvm.getelementptr %p0[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %e0, %q0 : f32, !llvm.ptr<1>
  %k1 = llvm.mlir.constant(1 : i32) : i32
  %e1 = llvm.extractelement %d[%k1 : i32] : vector<4xf32>
  %p1 = llvm.getelementptr %out[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %q1 = llvm.getelementptr %p1[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %e1, %q1 : f32, !llvm.ptr<1>
  %k2 = llvm.mlir.constant(2 : i32) : i32
  %e2 = llvm.extractelement %d[%k2 : i32] : vector<4xf32>
  %p2 = llvm.getelementptr %out[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %q2 = llvm.getelementptr %p2[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %e2, %q2 : f32, !llvm.ptr<1>
  %k3 = llvm.mlir.constant(3 : i32) : i32
  %e3 = llvm.extractelement %d[%k3 : i32] : vector<4xf32>
  %p3 = llvm.getelementptr %out[192] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %q3 = llvm.getelementptr %p3[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %e3, %q3 : f32, !llvm.ptr<1>
  llvm.return
}

llvm.func @rotate(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.mlir.constant(1.0 : f32) : f32
  %b = llvm.sitofp %id : i32 to f32
  %c = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  %blgp = llvm.mlir.constant(3 : i32) : i32
  %d = rocdl.mfma.f32.4x4x1f32 %a, %b, %c, %zero, %zero, %blgp : (f32, f32, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %e = llvm.extractelement %d[%zero : i32] : vector<4xf32>
  %p = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %e, %p : f32, !llvm.ptr<1>
  llvm.return
}

llvm.func @negate(%out: !llvm.ptr<1> {tile.element = f64})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.mlir.constant(1.0 : f64) : f64
  %c = llvm.mlir.constant(-3.0 : f64) : f64
  %neg = llvm.mlir.constant(5 : i32) : i32
  // CDNA2: mfma-modifiers.mlir:[[#@LINE+1]]:8: error: 'rocdl.mfma.f64.4x4x4f64' op has a modifier blgp that is no constant from 0 to 0
  %d = rocdl.mfma.f64.4x4x4f64 %a, %a, %c, %zero, %zero, %neg : (f64, f64, f64, i32, i32, i32) -> f64
  %p = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f64
  llvm.store %d, %p : f64, !llvm.ptr<1>
  llvm.return
}

llvm.func @tooMany(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.mlir.constant(0.0 : f32) : f32
  %c = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>
  %cbsz = llvm.mlir.constant(3 : i32) : i32
  // CBSZ: mfma-modifiers.mlir:[[#@LINE+1]]:8: error: 'rocdl.mfma.f32.16x16x1f32' op has a modifier cbsz that is no constant from 0 to 2
  %d = rocdl.mfma.f32.16x16x1f32 %a, %a, %c, %cbsz, %zero, %zero : (f32, f32, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
  llvm.return
}

llvm.func @noSuchBlock(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %a = llvm.mlir.constant(0.0 : f32) : f32
  %c = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>
  %two = llvm.mlir.constant(2 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  // ABID: mfma-modifiers.mlir:[[#@LINE+1]]:8: error: 'rocdl.mfma.f32.16x16x1f32' op has a modifier abid that is no constant from 0 to 1
  %d = rocdl.mfma.f32.16x16x1f32 %a, %a, %c, %one, %two, %zero : (f32, f32, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
  llvm.return
}
