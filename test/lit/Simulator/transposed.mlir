// ds_read_b64_tr_b*: 16 lanes read rows of 16 elements between them, and get columns. The kernel writes element k of a lane's
// group of four rows (eight of bytes) as row * 16 + column; lane l then holds l, l + 16, l + 32, ...
// tile.param SHIFT = 0
// RUN: %gfx950 %s --kernel=b16 --arg=i32[128]=zeros --out=0:%t.npy
// RUN: %python -c "import ast,struct; b=open('%t.npy','rb').read(); n=struct.unpack_from('<H',b,8)[0]; w=struct.unpack('<128I',b[10+n:]); h=[x>>s&65535 for x in w for s in (0,16)]; assert all(h[4*l+r]==l//16*64+16*r+l%16 for l in range(64) for r in range(4)), h"
// RUN: %gfx950 %s --kernel=b8 --arg=i32[128]=zeros --out=0:%t.npy
// RUN: %python -c "import ast,struct; b=open('%t.npy','rb').read(); n=struct.unpack_from('<H',b,8)[0]; h=b[10+n:]; assert all(h[8*l+r]==(l//16*128+16*r+l%16)%256 for l in range(64) for r in range(8)), list(h)"
// RUN: not %gfx950 %s --kernel=b16 -D SHIFT=4 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=ALIGNED
llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<260 x i16>
llvm.func @b16(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %four = llvm.mlir.constant(4 : i32) : i32
  %ones = llvm.mlir.constant(dense<[0, 1, 2, 3]> : vector<4xi16>) : vector<4xi16>
  %start = llvm.mul %id, %four : i32
  %small = llvm.trunc %start : i32 to i16
  %z = llvm.mlir.constant(0 : i32) : i32
  %u = llvm.mlir.poison : vector<4xi16>
  %v = llvm.insertelement %small, %u[%z : i32] : vector<4xi16>
  %all = llvm.shufflevector %v, %u [0, 0, 0, 0] : vector<4xi16>
  %value = llvm.add %all, %ones : vector<4xi16>
  %p = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi16>
  llvm.store %value, %p : vector<4xi16>, !llvm.ptr<3>
  %q = llvm.getelementptr %p[${SHIFT}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  // ALIGNED: transposed.mlir:[[#@LINE+1]]:8: error: 'rocdl.ds.read.tr16.b64' op reads at address 0x4, expected a multiple of 8 (program (0, 0, 0), warp 0, lane 0)
  %r = rocdl.ds.read.tr16.b64 %q : !llvm.ptr<3> -> vector<4xi16>
  %to = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi16>
  llvm.store %r, %to : vector<4xi16>, !llvm.ptr<1>
  llvm.return
}

llvm.func @b8(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.flat_work_group_size = "64,64", rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %base = llvm.mlir.addressof @buffer : !llvm.ptr<3>
  %eight = llvm.mlir.constant(8 : i32) : i32
  %ones = llvm.mlir.constant(dense<[0, 1, 2, 3, 4, 5, 6, 7]> : vector<8xi8>) : vector<8xi8>
  %start = llvm.mul %id, %eight : i32
  %small = llvm.trunc %start : i32 to i8
  %z = llvm.mlir.constant(0 : i32) : i32
  %u = llvm.mlir.poison : vector<8xi8>
  %v = llvm.insertelement %small, %u[%z : i32] : vector<8xi8>
  %all = llvm.shufflevector %v, %u [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xi8>
  %value = llvm.add %all, %ones : vector<8xi8>
  %p = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<8xi8>
  llvm.store %value, %p : vector<8xi8>, !llvm.ptr<3>
  %r = rocdl.ds.read.tr8.b64 %p : !llvm.ptr<3> -> vector<2xi32>
  %to = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xi32>
  llvm.store %r, %to : vector<2xi32>, !llvm.ptr<1>
  llvm.return
}
