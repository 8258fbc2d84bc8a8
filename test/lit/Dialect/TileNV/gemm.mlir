// A matrix product with specialised warps as the tensor copy engine and warp groups want it: C[M,N] = A[M,K] * B[N,K]^T of f16,
// persistent, a producer warp and two groups of consumers, a ring of three stages, stored by the copy engine. Kept in its
// registers to the end: no spills, no serialised products.
// REQUIRES: ptxas
// RUN: tile-translate --target=sm_90a --emit=report %s 2>&1 | FileCheck %s
// CHECK-NOT: (C7
// CHECK: spilled: 0 bytes a thread, stack 0 bytes
!acc = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
llvm.mlir.global external @shared_memory() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
llvm.func @gemm(%A: !llvm.ptr<1> {tile.element = f16}, %B: !llvm.ptr<1> {tile.element = f16}, %C: !llvm.ptr<1> {tile.element = f16}, %M: i32, %N: i32, %K: i32,
    %mapA: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant},
    %mapB: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant},
    %mapC: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 384, 1, 1>, nvvm.minctasm = 1 : i32,
      tile_gpu.tensor_maps = [{base = 0 : i32, element = f16, sizes = array<i32: 5, 3>, strides = array<i32: 5>, box = array<i32: 64, 128>, swizzle = 128 : i32},
                               {base = 1 : i32, element = f16, sizes = array<i32: 5, 4>, strides = array<i32: 5>, box = array<i32: 64, 64>, swizzle = 128 : i32},
                               {base = 2 : i32, element = f16, sizes = array<i32: 4, 3>, strides = array<i32: 4>, box = array<i32: 64, 64>, swizzle = 128 : i32}],
      tile_gpu.shared = 90160 : i32, tile_gpu.num_warps = 4 : i32, tile_gpu.extra_warps = 8 : i32} {
  %ci32_5 = llvm.mlir.constant(5 : i32) : i32
  %ci32_m1 = llvm.mlir.constant(-1 : i32) : i32
  %ci32_0 = llvm.mlir.constant(0 : i32) : i32
  %ci32_31 = llvm.mlir.constant(31 : i32) : i32
  %ci32_127 = llvm.mlir.constant(127 : i32) : i32
  %ci32_128 = llvm.mlir.constant(128 : i32) : i32
  %ci32_63 = llvm.mlir.constant(63 : i32) : i32
  %ci32_64 = llvm.mlir.constant(64 : i32) : i32
  %ci32_90112 = llvm.mlir.constant(90112 : i32) : i32
  %ci32_1 = llvm.mlir.constant(1 : i32) : i32
  %ci32_90136 = llvm.mlir.constant(90136 : i32) : i32
  %ci32_8 = llvm.mlir.constant(8 : i32) : i32
  %ci32_90120 = llvm.mlir.constant(90120 : i32) : i32
  %ci32_90144 = llvm.mlir.constant(90144 : i32) : i32
  %ci32_90128 = llvm.mlir.constant(90128 : i32) : i32
  %ci32_90152 = llvm.mlir.constant(90152 : i32) : i32
  %ci32_2 = llvm.mlir.constant(2 : i32) : i32
  %ci32_24576 = llvm.mlir.constant(24576 : i32) : i32
  %ci32_16384 = llvm.mlir.constant(16384 : i32) : i32
  %ci32_3 = llvm.mlir.constant(3 : i32) : i32
  %ci32_8192 = llvm.mlir.constant(8192 : i32) : i32
  %ci32_4 = llvm.mlir.constant(4 : i32) : i32
  %ci32_16383 = llvm.mlir.constant(16383 : i32) : i32
  %ci64_4611686293305360384 = llvm.mlir.constant(4611686293305360384 : i64) : i64
  %ci32_16 = llvm.mlir.constant(16 : i32) : i32
  %ci32_7 = llvm.mlir.constant(7 : i32) : i32
  %ci32_73728 = llvm.mlir.constant(73728 : i32) : i32
  %ci32_1536 = llvm.mlir.constant(1536 : i32) : i32
  %ci64_2 = llvm.mlir.constant(2 : i64) : i64
  %ci64_4 = llvm.mlir.constant(4 : i64) : i64
  %ci64_6 = llvm.mlir.constant(6 : i64) : i64
  %ci32_32 = llvm.mlir.constant(32 : i32) : i32
  %ci32_96 = llvm.mlir.constant(96 : i32) : i32
  %poison = llvm.mlir.poison : !acc
  %vp = llvm.mlir.poison : vector<2xf32>
  llvm.br ^start
^start:
  %base = llvm.mlir.addressof @shared_memory : !llvm.ptr<3>
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %cta = nvvm.read.ptx.sreg.ctaid.x : i32
  %ncta = nvvm.read.ptx.sreg.nctaid.x : i32
  %v1x = llvm.lshr %tid, %ci32_5 : i32
  %warp = nvvm.shfl.sync idx %ci32_m1, %v1x, %ci32_0, %ci32_31 : i32 -> i32
  %first = llvm.icmp "eq" %tid, %ci32_0 : i32
  %v2x = llvm.add %M, %ci32_127 : i32
  %v3x = llvm.udiv %v2x, %ci32_128 : i32
  %tm = llvm.add %v3x, %ci32_0 : i32
  %v4x = llvm.add %N, %ci32_63 : i32
  %v5x = llvm.udiv %v4x, %ci32_64 : i32
  %tn = llvm.add %v5x, %ci32_0 : i32
  %tiles = llvm.mul %tm, %tn : i32
  %v6x = llvm.add %K, %ci32_63 : i32
  %v7x = llvm.udiv %v6x, %ci32_64 : i32
  %nk = llvm.add %v7x, %ci32_0 : i32
  llvm.cond_br %first, ^init, ^ready
^init:
  %v8x = llvm.getelementptr %base[%ci32_90112] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_init %v8x, %ci32_1
  %v9x = llvm.getelementptr %base[%ci32_90136] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_init %v9x, %ci32_8
  %v10x = llvm.getelementptr %base[%ci32_90120] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_init %v10x, %ci32_1
  %v11x = llvm.getelementptr %base[%ci32_90144] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_init %v11x, %ci32_8
  %v12x = llvm.getelementptr %base[%ci32_90128] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_init %v12x, %ci32_1
  %v13x = llvm.getelementptr %base[%ci32_90152] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_init %v13x, %ci32_8
  nvvm.fence.mbarrier.init
  tile_nv.prefetch_tensormap %mapA
  tile_nv.prefetch_tensormap %mapB
  tile_nv.prefetch_tensormap %mapC
  llvm.br ^ready
^ready:
  nvvm.barrier0
  %v14x = llvm.lshr %warp, %ci32_2 : i32
  %v15x = llvm.icmp "eq" %v14x, %ci32_0 : i32
  llvm.cond_br %v15x, ^producer, ^consumer
^producer:
  nvvm.setmaxregister decrease 40
  %v16x = llvm.icmp "eq" %warp, %ci32_0 : i32
  llvm.cond_br %v16x, ^pwarp, ^done
^pwarp:
  %el = nvvm.elect.sync -> i1
  llvm.cond_br %el, ^pstart, ^done
^pstart:
  llvm.br ^ptile(%cta, %ci32_0, %ci32_1 : i32, i32, i32)
^ptile(%pt: i32, %pst: i32, %pph: i32):
  %v17x = llvm.icmp "ult" %pt, %tiles : i32
  llvm.cond_br %v17x, ^pbody, ^done
^pbody:
  %v18x = llvm.mul %tn, %ci32_8 : i32
  %v19x = llvm.udiv %pt, %v18x : i32
  %v20x = llvm.mul %v19x, %ci32_8 : i32
  %v21x = llvm.sub %tm, %v20x : i32
  %v22x = llvm.icmp "ult" %v21x, %ci32_8 : i32
  %v23x = llvm.select %v22x, %v21x, %ci32_8 : i1, i32
  %v24x = llvm.mul %v19x, %v18x : i32
  %v25x = llvm.sub %pt, %v24x : i32
  %v26x = llvm.udiv %v25x, %v23x : i32
  %v27x = llvm.mul %v26x, %v23x : i32
  %v28x = llvm.sub %v25x, %v27x : i32
  %v29x = llvm.add %v20x, %v28x : i32
  %v30x = llvm.mul %v29x, %ci32_128 : i32
  %v31x = llvm.mul %v26x, %ci32_64 : i32
  llvm.br ^pk(%ci32_0, %pst, %pph : i32, i32, i32)
^pk(%pki: i32, %pks: i32, %pkp: i32):
  %v32x = llvm.mul %pks, %ci32_8 : i32
  %v33x = llvm.add %v32x, %ci32_90136 : i32
  %v34x = llvm.getelementptr %base[%v33x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_wait %v34x, %pkp
  %v35x = llvm.mul %pks, %ci32_8 : i32
  %v36x = llvm.add %v35x, %ci32_90112 : i32
  %v37x = llvm.getelementptr %base[%v36x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_expect %v37x, %ci32_24576
  %v38x = llvm.mul %pks, %ci32_24576 : i32
  %v39x = llvm.getelementptr %base[%v38x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v40x = llvm.mul %pks, %ci32_24576 : i32
  %v41x = llvm.add %v40x, %ci32_16384 : i32
  %v42x = llvm.getelementptr %base[%v41x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v43x = llvm.mul %pki, %ci32_64 : i32
  tile_nv.tma_load %v39x, %mapA[%v43x, %v30x], %v37x
  tile_nv.tma_load %v42x, %mapB[%v43x, %v31x], %v37x
  %v44x = llvm.add %pks, %ci32_1 : i32
  %v45x = llvm.icmp "eq" %v44x, %ci32_3 : i32
  %v46x = llvm.select %v45x, %ci32_0, %v44x : i1, i32
  %v47x = llvm.xor %pkp, %ci32_1 : i32
  %v48x = llvm.select %v45x, %v47x, %pkp : i1, i32
  %v49x = llvm.add %pki, %ci32_1 : i32
  %v50x = llvm.icmp "ult" %v49x, %nk : i32
  llvm.cond_br %v50x, ^pk(%v49x, %v46x, %v48x : i32, i32, i32), ^pnext
^pnext:
  %v51x = llvm.add %pt, %ncta : i32
  llvm.br ^ptile(%v51x, %v46x, %v48x : i32, i32, i32)
^consumer:
  nvvm.setmaxregister increase 232
  %v52x = llvm.sub %v14x, %ci32_1 : i32
  %v53x = llvm.and %tid, %ci32_31 : i32
  %v54x = llvm.icmp "eq" %v53x, %ci32_0 : i32
  %v55x = llvm.and %tid, %ci32_127 : i32
  %v56x = llvm.icmp "eq" %v55x, %ci32_0 : i32
  %v57x = llvm.add %v52x, %ci32_1 : i32
  %v58x = llvm.ptrtoint %base : !llvm.ptr<3> to i32
  %v59x = llvm.mul %v52x, %ci32_8192 : i32
  %v60x = llvm.add %v58x, %v59x : i32
  %v61x = llvm.lshr %v60x, %ci32_4 : i32
  %v62x = llvm.and %v61x, %ci32_16383 : i32
  %v63x = llvm.zext %v62x : i32 to i64
  %v64x = llvm.or %v63x, %ci64_4611686293305360384 : i64
  %v65x = llvm.add %v58x, %ci32_16384 : i32
  %v66x = llvm.lshr %v65x, %ci32_4 : i32
  %v67x = llvm.and %v66x, %ci32_16383 : i32
  %v68x = llvm.zext %v67x : i32 to i64
  %v69x = llvm.or %v68x, %ci64_4611686293305360384 : i64
  %v70x = llvm.and %warp, %ci32_3 : i32
  %v71x = llvm.mul %v70x, %ci32_16 : i32
  %v72x = llvm.and %v53x, %ci32_7 : i32
  %v73x = llvm.and %v53x, %ci32_8 : i32
  %v74x = llvm.add %v72x, %v73x : i32
  %v75x = llvm.add %v71x, %v74x : i32
  %v76x = llvm.lshr %v53x, %ci32_4 : i32
  %v77x = llvm.and %v53x, %ci32_7 : i32
  %v78x = llvm.xor %v76x, %v77x : i32
  %v79x = llvm.shl %v78x, %ci32_4 : i32
  %v80x = llvm.mul %v52x, %ci32_8192 : i32
  %v81x = llvm.add %ci32_73728, %v80x : i32
  %v82x = llvm.mul %v75x, %ci32_128 : i32
  %v83x = llvm.add %v82x, %v79x : i32
  %v84x = llvm.add %v81x, %v83x : i32
  %v85x = llvm.mul %v52x, %ci32_8192 : i32
  %v86x = llvm.add %ci32_73728, %v85x : i32
  llvm.br ^ctile(%cta, %ci32_0, %ci32_0 : i32, i32, i32)
^ctile(%ct: i32, %cst: i32, %cph: i32):
  %v87x = llvm.icmp "ult" %ct, %tiles : i32
  llvm.cond_br %v87x, ^cbody, ^cend
^cbody:
  %v88x = llvm.mul %tn, %ci32_8 : i32
  %v89x = llvm.udiv %ct, %v88x : i32
  %v90x = llvm.mul %v89x, %ci32_8 : i32
  %v91x = llvm.sub %tm, %v90x : i32
  %v92x = llvm.icmp "ult" %v91x, %ci32_8 : i32
  %v93x = llvm.select %v92x, %v91x, %ci32_8 : i1, i32
  %v94x = llvm.mul %v89x, %v88x : i32
  %v95x = llvm.sub %ct, %v94x : i32
  %v96x = llvm.udiv %v95x, %v93x : i32
  %v97x = llvm.mul %v96x, %v93x : i32
  %v98x = llvm.sub %v95x, %v97x : i32
  %v99x = llvm.add %v90x, %v98x : i32
  %v100x = llvm.mul %v99x, %ci32_128 : i32
  %v101x = llvm.mul %v96x, %ci32_64 : i32
  llvm.br ^ck(%ci32_0, %cst, %cph, %ci32_0, %poison : i32, i32, i32, i32, !acc)
^ck(%cki: i32, %cks: i32, %ckp: i32, %prev: i32, %acc0: !acc):
  %v102x = llvm.mul %cks, %ci32_8 : i32
  %v103x = llvm.add %v102x, %ci32_90112 : i32
  %v104x = llvm.getelementptr %base[%v103x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_wait %v104x, %ckp
  %v105x = llvm.mul %cks, %ci32_1536 : i32
  %v106x = llvm.zext %v105x : i32 to i64
  %v107x = llvm.add %v64x, %v106x : i64
  %v108x = llvm.add %v69x, %v106x : i64
  %v109x = llvm.icmp "ne" %cki, %ci32_0 : i32
  nvvm.wgmma.fence.aligned
  %v110x = tile_nv.wgmma %acc0, [%v107x], %v108x, scale = %v109x n = 64 f16, f16 : !acc, i64
  %v111x = llvm.add %v107x, %ci64_2 : i64
  %v112x = llvm.add %v108x, %ci64_2 : i64
  %v113x = tile_nv.wgmma %v110x, [%v111x], %v112x n = 64 f16, f16 : !acc, i64
  %v114x = llvm.add %v107x, %ci64_4 : i64
  %v115x = llvm.add %v108x, %ci64_4 : i64
  %v116x = tile_nv.wgmma %v113x, [%v114x], %v115x n = 64 f16, f16 : !acc, i64
  %v117x = llvm.add %v107x, %ci64_6 : i64
  %v118x = llvm.add %v108x, %ci64_6 : i64
  %v119x = tile_nv.wgmma %v116x, [%v117x], %v118x n = 64 f16, f16 : !acc, i64
  nvvm.wgmma.commit.group.sync.aligned
  tile_nv.wgmma_wait 1 () : () -> ()
  %v121x = llvm.and %v54x, %v109x : i1
  %v122x = llvm.mul %prev, %ci32_8 : i32
  %v123x = llvm.add %v122x, %ci32_90136 : i32
  %v124x = llvm.getelementptr %base[%v123x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_arrive %v124x if %v121x
  %v125x = llvm.add %cks, %ci32_1 : i32
  %v126x = llvm.icmp "eq" %v125x, %ci32_3 : i32
  %v127x = llvm.select %v126x, %ci32_0, %v125x : i1, i32
  %v128x = llvm.xor %ckp, %ci32_1 : i32
  %v129x = llvm.select %v126x, %v128x, %ckp : i1, i32
  %v130x = llvm.add %cki, %ci32_1 : i32
  %v131x = llvm.icmp "ult" %v130x, %nk : i32
  llvm.cond_br %v131x, ^ck(%v130x, %v127x, %v129x, %cks, %v119x : i32, i32, i32, i32, !acc), ^cepi
^cepi:
  %accd = tile_nv.wgmma_wait 0 (%v119x) : (!acc) -> !acc
  %v132x = llvm.mul %cks, %ci32_8 : i32
  %v133x = llvm.add %v132x, %ci32_90136 : i32
  %v134x = llvm.getelementptr %base[%v133x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  tile_nv.mbarrier_arrive %v134x if %v54x
  %v135x = llvm.mul %v52x, %ci32_64 : i32
  %v136x = llvm.add %v100x, %v135x : i32
  llvm.cond_br %v56x, ^w0, ^j0
^w0:
  nvvm.cp.async.bulk.wait_group 0 {read}
  llvm.br ^j0
^j0:
  nvvm.barrier id = %v57x number_of_threads = %ci32_128
  %v137x = llvm.add %v84x, %ci32_0 : i32
  %v138x = llvm.extractvalue %accd[0] : !acc
  %v139x = llvm.extractvalue %accd[1] : !acc
  %v140x = llvm.insertelement %v138x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v141x = llvm.insertelement %v139x, %v140x[%ci32_1 : i32] : vector<2xf32>
  %v142x = llvm.fptrunc %v141x : vector<2xf32> to vector<2xf16>
  %v143x = llvm.bitcast %v142x : vector<2xf16> to i32
  %v144x = llvm.extractvalue %accd[2] : !acc
  %v145x = llvm.extractvalue %accd[3] : !acc
  %v146x = llvm.insertelement %v144x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v147x = llvm.insertelement %v145x, %v146x[%ci32_1 : i32] : vector<2xf32>
  %v148x = llvm.fptrunc %v147x : vector<2xf32> to vector<2xf16>
  %v149x = llvm.bitcast %v148x : vector<2xf16> to i32
  %v150x = llvm.extractvalue %accd[4] : !acc
  %v151x = llvm.extractvalue %accd[5] : !acc
  %v152x = llvm.insertelement %v150x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v153x = llvm.insertelement %v151x, %v152x[%ci32_1 : i32] : vector<2xf32>
  %v154x = llvm.fptrunc %v153x : vector<2xf32> to vector<2xf16>
  %v155x = llvm.bitcast %v154x : vector<2xf16> to i32
  %v156x = llvm.extractvalue %accd[6] : !acc
  %v157x = llvm.extractvalue %accd[7] : !acc
  %v158x = llvm.insertelement %v156x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v159x = llvm.insertelement %v157x, %v158x[%ci32_1 : i32] : vector<2xf32>
  %v160x = llvm.fptrunc %v159x : vector<2xf32> to vector<2xf16>
  %v161x = llvm.bitcast %v160x : vector<2xf16> to i32
  %v162x = llvm.xor %v137x, %ci32_0 : i32
  %v163x = llvm.getelementptr %base[%v162x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.stmatrix %v163x, %v143x, %v149x, %v155x, %v161x {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  %v164x = llvm.extractvalue %accd[8] : !acc
  %v165x = llvm.extractvalue %accd[9] : !acc
  %v166x = llvm.insertelement %v164x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v167x = llvm.insertelement %v165x, %v166x[%ci32_1 : i32] : vector<2xf32>
  %v168x = llvm.fptrunc %v167x : vector<2xf32> to vector<2xf16>
  %v169x = llvm.bitcast %v168x : vector<2xf16> to i32
  %v170x = llvm.extractvalue %accd[10] : !acc
  %v171x = llvm.extractvalue %accd[11] : !acc
  %v172x = llvm.insertelement %v170x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v173x = llvm.insertelement %v171x, %v172x[%ci32_1 : i32] : vector<2xf32>
  %v174x = llvm.fptrunc %v173x : vector<2xf32> to vector<2xf16>
  %v175x = llvm.bitcast %v174x : vector<2xf16> to i32
  %v176x = llvm.extractvalue %accd[12] : !acc
  %v177x = llvm.extractvalue %accd[13] : !acc
  %v178x = llvm.insertelement %v176x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v179x = llvm.insertelement %v177x, %v178x[%ci32_1 : i32] : vector<2xf32>
  %v180x = llvm.fptrunc %v179x : vector<2xf32> to vector<2xf16>
  %v181x = llvm.bitcast %v180x : vector<2xf16> to i32
  %v182x = llvm.extractvalue %accd[14] : !acc
  %v183x = llvm.extractvalue %accd[15] : !acc
  %v184x = llvm.insertelement %v182x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v185x = llvm.insertelement %v183x, %v184x[%ci32_1 : i32] : vector<2xf32>
  %v186x = llvm.fptrunc %v185x : vector<2xf32> to vector<2xf16>
  %v187x = llvm.bitcast %v186x : vector<2xf16> to i32
  %v188x = llvm.xor %v137x, %ci32_32 : i32
  %v189x = llvm.getelementptr %base[%v188x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.stmatrix %v189x, %v169x, %v175x, %v181x, %v187x {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  %v190x = llvm.extractvalue %accd[16] : !acc
  %v191x = llvm.extractvalue %accd[17] : !acc
  %v192x = llvm.insertelement %v190x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v193x = llvm.insertelement %v191x, %v192x[%ci32_1 : i32] : vector<2xf32>
  %v194x = llvm.fptrunc %v193x : vector<2xf32> to vector<2xf16>
  %v195x = llvm.bitcast %v194x : vector<2xf16> to i32
  %v196x = llvm.extractvalue %accd[18] : !acc
  %v197x = llvm.extractvalue %accd[19] : !acc
  %v198x = llvm.insertelement %v196x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v199x = llvm.insertelement %v197x, %v198x[%ci32_1 : i32] : vector<2xf32>
  %v200x = llvm.fptrunc %v199x : vector<2xf32> to vector<2xf16>
  %v201x = llvm.bitcast %v200x : vector<2xf16> to i32
  %v202x = llvm.extractvalue %accd[20] : !acc
  %v203x = llvm.extractvalue %accd[21] : !acc
  %v204x = llvm.insertelement %v202x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v205x = llvm.insertelement %v203x, %v204x[%ci32_1 : i32] : vector<2xf32>
  %v206x = llvm.fptrunc %v205x : vector<2xf32> to vector<2xf16>
  %v207x = llvm.bitcast %v206x : vector<2xf16> to i32
  %v208x = llvm.extractvalue %accd[22] : !acc
  %v209x = llvm.extractvalue %accd[23] : !acc
  %v210x = llvm.insertelement %v208x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v211x = llvm.insertelement %v209x, %v210x[%ci32_1 : i32] : vector<2xf32>
  %v212x = llvm.fptrunc %v211x : vector<2xf32> to vector<2xf16>
  %v213x = llvm.bitcast %v212x : vector<2xf16> to i32
  %v214x = llvm.xor %v137x, %ci32_64 : i32
  %v215x = llvm.getelementptr %base[%v214x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.stmatrix %v215x, %v195x, %v201x, %v207x, %v213x {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  %v216x = llvm.extractvalue %accd[24] : !acc
  %v217x = llvm.extractvalue %accd[25] : !acc
  %v218x = llvm.insertelement %v216x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v219x = llvm.insertelement %v217x, %v218x[%ci32_1 : i32] : vector<2xf32>
  %v220x = llvm.fptrunc %v219x : vector<2xf32> to vector<2xf16>
  %v221x = llvm.bitcast %v220x : vector<2xf16> to i32
  %v222x = llvm.extractvalue %accd[26] : !acc
  %v223x = llvm.extractvalue %accd[27] : !acc
  %v224x = llvm.insertelement %v222x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v225x = llvm.insertelement %v223x, %v224x[%ci32_1 : i32] : vector<2xf32>
  %v226x = llvm.fptrunc %v225x : vector<2xf32> to vector<2xf16>
  %v227x = llvm.bitcast %v226x : vector<2xf16> to i32
  %v228x = llvm.extractvalue %accd[28] : !acc
  %v229x = llvm.extractvalue %accd[29] : !acc
  %v230x = llvm.insertelement %v228x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v231x = llvm.insertelement %v229x, %v230x[%ci32_1 : i32] : vector<2xf32>
  %v232x = llvm.fptrunc %v231x : vector<2xf32> to vector<2xf16>
  %v233x = llvm.bitcast %v232x : vector<2xf16> to i32
  %v234x = llvm.extractvalue %accd[30] : !acc
  %v235x = llvm.extractvalue %accd[31] : !acc
  %v236x = llvm.insertelement %v234x, %vp[%ci32_0 : i32] : vector<2xf32>
  %v237x = llvm.insertelement %v235x, %v236x[%ci32_1 : i32] : vector<2xf32>
  %v238x = llvm.fptrunc %v237x : vector<2xf32> to vector<2xf16>
  %v239x = llvm.bitcast %v238x : vector<2xf16> to i32
  %v240x = llvm.xor %v137x, %ci32_96 : i32
  %v241x = llvm.getelementptr %base[%v240x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  nvvm.stmatrix %v241x, %v221x, %v227x, %v233x, %v239x {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.barrier id = %v57x number_of_threads = %ci32_128
  llvm.cond_br %v56x, ^s0, ^n0
^s0:
  %v242x = llvm.add %v86x, %ci32_0 : i32
  %v243x = llvm.getelementptr %base[%v242x] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  %v244x = llvm.add %v101x, %ci32_0 : i32
  tile_nv.tma_store %mapC[%v244x, %v136x], %v243x
  nvvm.cp.async.bulk.commit.group
  llvm.br ^n0
^n0:
  %v245x = llvm.add %ct, %ncta : i32
  llvm.br ^ctile(%v245x, %v127x, %v129x : i32, i32, i32)
^cend:
  llvm.cond_br %v56x, ^cdrain, ^done
^cdrain:
  nvvm.cp.async.bulk.wait_group 0
  llvm.br ^done
^done:
  llvm.return
}
