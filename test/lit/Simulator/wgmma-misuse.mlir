// Products of a warp group whose operands are not there: outside of shared memory, not the same for the lanes of a warp, in registers
// that another product still writes.
// tile.param MORE = 0
// tile.param OWN = %zero
// tile.param OPEN = 0
// tile.param LAST = 0
// RUN: tile-run %s --device=sim --target=sm_90a --grid=2 --arg=i32[128]=zeros
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=2 -D MORE=64 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=2 -D OWN=%%third --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=2 -D OPEN=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=2 -D LAST=1 --arg=i32[128]=zeros 2>&1 | FileCheck %s --check-prefix=LAST
!acc = !llvm.struct<(i32, i32, i32, i32)>
llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<128 x i32>
llvm.func @k(%out: !llvm.ptr<1> {tile.element = i32}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %mask = llvm.mlir.constant(31 : i32) : i32
  // Rows of 16 bytes, eight of them packed: the other half of K is 128 bytes on.
  %strides = llvm.mlir.constant(${MORE} : i64) : i64
  %leading = llvm.mlir.constant(524288 : i64) : i64
  %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %p = llvm.getelementptr %shared[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %tid, %p : i32, !llvm.ptr<3>
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.barrier0
  %lane = llvm.and %tid, %mask : i32
  %is = llvm.icmp "eq" %lane, %two : i32
  %third = llvm.select %is, %four, %zero : i1, i32
  %start = llvm.ptrtoint %shared : !llvm.ptr<3> to i32
  %mine = llvm.add %start, ${OWN} : i32
  %units = llvm.lshr %mine, %four : i32
  %odd = llvm.xor %units, ${OWN} : i32
  %wide = llvm.zext %odd : i32 to i64
  %far = llvm.add %wide, %strides : i64
  %b = llvm.or %far, %leading : i64
  %empty = llvm.mlir.zero : !acc
  %first = tile_nv.wgmma_fence(%empty) : (!acc) -> !acc
  // BOUNDS: wgmma-misuse.mlir:[[#@LINE+2]]:8: error: 'tile_nv.wgmma' op reaches offset {{[0-9]+}} of shared memory, which has 512 bytes (program (0, 0, 0), warp {{[0-3]}})
  // LANES: wgmma-misuse.mlir:[[#@LINE+1]]:8: error: 'tile_nv.wgmma' op got another descriptor than the warp's first lane (program (0, 0, 0), warp {{[0-3]}}, lane 2)
  %r = tile_nv.wgmma %first, [%tid, %tid, %tid, %tid], %b n = 8 s8, s8 : !acc, i32, i32, i32, i32
  nvvm.wgmma.commit.group.sync.aligned
  %d = tile_nv.wgmma_wait ${OPEN} (%r) : (!acc) -> !acc
  %a0 = llvm.extractvalue %d[0] : !acc
  %a1 = llvm.extractvalue %d[1] : !acc
  %second = tile_nv.wgmma_fence(%empty) : (!acc) -> !acc
  // OPEN: wgmma-misuse.mlir:[[#@LINE+1]]:8: error: 'tile_nv.wgmma' op reads a register that an earlier product still writes (program (0, 0, 0), warp {{[0-3]}})
  %s = tile_nv.wgmma %second, [%a0, %a1, %a0, %a1], %b n = 8 s8, s8 : !acc, i32, i32, i32, i32
  nvvm.wgmma.commit.group.sync.aligned
  %e = tile_nv.wgmma_wait ${LAST} (%s) : (!acc) -> !acc
  %e0 = llvm.extractvalue %e[0] : !acc
  // LAST: wgmma-misuse.mlir:[[#@LINE+1]]:10: error: 'llvm.atomicrmw' op reads a register of a product that has not been waited for (program (0, 0, 0), warp {{[0-3]}})
  %old = llvm.atomicrmw add %out, %e0 monotonic : !llvm.ptr<1>, i32
  llvm.return
}
