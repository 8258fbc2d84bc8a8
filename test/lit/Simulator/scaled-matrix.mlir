// CDNA4's products of 4- and 8-bit floats, with a power of two for each 32 factors of a row (column). Ones times ones: the sums of
// 32 have A's scales 1, 2, 4, 8 along k (32: 1, 2), and B's 1 or 2 by column.
// RUN: %gfx950 %s --kernel=wide --arg=f32[64]=zeros --out=0:%t.npy
// RUN: %python -c "import struct; b=open('%t.npy','rb').read(); v=struct.unpack('<64f',b[-256:]); assert all(v[l]==480*(1+l%%2) for l in range(64)), v"
// RUN: %gfx950 %s --kernel=square --arg=f32[64]=zeros --out=0:%t.npy
// RUN: %python -c "import struct; b=open('%t.npy','rb').read(); v=struct.unpack('<64f',b[-256:]); assert all(v[l]==96*(1+l%%2) for l in range(64)), v"
// RUN: not %gfx950 %s --kernel=unknown --arg=f32[64]=zeros 2>&1 | FileCheck %s --check-prefix=UNKNOWN
llvm.func @wide(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %a = llvm.mlir.constant(dense<0x22222222> : vector<4xi32>) : vector<4xi32>
  %b = llvm.mlir.constant(dense<0x38383838> : vector<8xi32>) : vector<8xi32>
  %c = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  %z = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %eight = llvm.mlir.constant(8 : i32) : i32
  %bias = llvm.mlir.constant(127 : i32) : i32
  %group = llvm.lshr %id, %four : i32
  %exponent = llvm.add %group, %bias : i32
  %sa = llvm.shl %exponent, %eight : i32
  %odd = llvm.and %id, %one : i32
  %sb = llvm.add %odd, %bias : i32
  // fp4 times fp8; A's scales are byte 1.
  %d = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %a, %b, %c, %four, %z, %one, %sa, %z, %sb : (vector<4xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
  %r = llvm.extractelement %d[%z : i32] : vector<4xf32>
  %p = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %r, %p : f32, !llvm.ptr<1>
  llvm.return
}

llvm.func @square(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  // 1.0 in e2m3 is 0b001000, in 192 bits; in e5m2 0x3C.
  %a = llvm.mlir.constant(dense<[0x08208208, 0x82082082, 0x20820820, 0x08208208, 0x82082082, 0x20820820]> : vector<6xi32>) : vector<6xi32>
  %b = llvm.mlir.constant(dense<0x3C3C3C3C> : vector<8xi32>) : vector<8xi32>
  %c = llvm.mlir.constant(dense<0.0> : vector<16xf32>) : vector<16xf32>
  %z = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %bias = llvm.mlir.constant(127 : i32) : i32
  %group = llvm.lshr %id, %five : i32
  %sa = llvm.add %group, %bias : i32
  %odd = llvm.and %id, %one : i32
  %sb = llvm.add %odd, %bias : i32
  %d = rocdl.mfma.scale.f32.32x32x64.f8f6f4 %a, %b, %c, %two, %one, %z, %sa, %z, %sb : (vector<6xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>
  %r = llvm.extractelement %d[%z : i32] : vector<16xf32>
  %p = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %r, %p : f32, !llvm.ptr<1>
  llvm.return
}

llvm.func @unknown(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %b = llvm.mlir.constant(dense<0> : vector<8xi32>) : vector<8xi32>
  %c = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  %z = llvm.mlir.constant(0 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  // UNKNOWN: scaled-matrix.mlir:[[#@LINE+1]]:8: error: 'rocdl.mfma.scale.f32.16x16x128.f8f6f4' op has a format that is no constant between 0 and 4
  %d = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %b, %b, %c, %five, %z, %z, %z, %z, %z : (vector<8xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
  llvm.return
}
