// Matrix instructions: all lanes have to be there, rows have to be aligned, RDNA3 wants its operands twice.
// tile.param LIMIT = 32
// tile.param STRIDE = 16
// tile.param LANE = %half
// tile.param VALUE = 1.0
// RUN: %sm %s --kernel=mma --check=race,oob,uninit,nan --arg=f32[32]=zeros
// RUN: not %sm %s --kernel=mma -D LIMIT=31 --arg=f32[32]=zeros 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not %sm %s --kernel=mma -D VALUE=0x7F800000 --check=nan --arg=f32[32]=zeros 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: %sm %s --kernel=mma -D VALUE=0x7F800000 --arg=f32[32]=zeros
llvm.func @mma(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %limit = llvm.mlir.constant(${LIMIT} : i32) : i32
  %a = llvm.mlir.constant(dense<0.0> : vector<2xf16>) : vector<2xf16>
  %one = llvm.mlir.constant(dense<1.0> : vector<2xf16>) : vector<2xf16>
  %x = llvm.mlir.constant(${VALUE} : f32) : f32
  %y = llvm.fneg %x : f32
  %sum = llvm.fadd %x, %y : f32
  %m = llvm.icmp "slt" %id, %limit : i32
  llvm.cond_br %m, ^here, ^end
^here:
  // LANES: matrix.mlir:[[#@LINE+2]]:8: error: 'nvvm.mma.sync' op is executed by a part of the warp's lanes, expected all (program (0, 0, 0), warp 0, lane 31)
  // NAN: matrix.mlir:[[#@LINE+1]]:8: error: 'nvvm.mma.sync' op gives NaN in element 0 of the result (program (0, 0, 0), warp 0, lane 0)
  %d = nvvm.mma.sync A[%a, %a, %a, %a] B[%one, %one] C[%sum, %sum, %sum, %sum]
       {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
       : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %v = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %v, %r : f32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// Rows of 16 bytes each; padded rows of 24 bytes are not aligned.
// RUN: %sm %s --kernel=rows --arg=i32[32]=zeros
// RUN: not %sm %s --kernel=rows -D STRIDE=24 --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=ROWS
llvm.mlir.global external @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x i8>
llvm.func @rows(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %stride = llvm.mlir.constant(${STRIDE} : i32) : i32
  %zero = llvm.mlir.constant(dense<7> : vector<8xi32>) : vector<8xi32>
  %base = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %p = llvm.getelementptr %base[%id] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<8xi32>
  llvm.store %zero, %p : vector<8xi32>, !llvm.ptr<3>
  nvvm.barrier0
  %offset = llvm.mul %id, %stride : i32
  %q = llvm.getelementptr %base[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // ROWS: matrix.mlir:[[#@LINE+1]]:8: error: 'nvvm.ldmatrix' op reads at address 0x18, expected a multiple of 16 (program (0, 0, 0), warp 0, lane 1)
  %v = nvvm.ldmatrix %q {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}

// RDNA3 reads both half-waves' copies.
// RUN: tile-run --device=sim --target=gfx1100 --grid=1 %s --kernel=wmma --arg=f32[32]=zeros
// RUN: not tile-run --device=sim --target=gfx1100 --grid=1 %s --kernel=wmma -D LANE=%id --arg=f32[32]=zeros 2>&1 | FileCheck %s --check-prefix=COPIES
llvm.func @wmma(%out: !llvm.ptr<1> {tile.element = f32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 32, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %fifteen = llvm.mlir.constant(15 : i32) : i32
  %half = llvm.and %id, %fifteen : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %row = llvm.sitofp ${LANE} : i32 to f16
  %ones = llvm.mlir.constant(dense<1.0> : vector<16xf16>) : vector<16xf16>
  %a = llvm.insertelement %row, %ones[%zero : i32] : vector<16xf16>
  %c = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  // COPIES: matrix.mlir:[[#@LINE+1]]:8: error: 'rocdl.wmma.f32.16x16x16.f16' op has another element 0 of operand A than lane 0, expected a copy (program (0, 0, 0), warp 0, lane 16)
  %d = rocdl.wmma.f32.16x16x16.f16 %a, %ones, %c : (vector<16xf16>, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
  %v = llvm.extractelement %d[%zero : i32] : vector<8xf32>
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  llvm.store %v, %r : f32, !llvm.ptr<1>
  llvm.return
}
