// Tensor copies that are not what the map says, leave shared memory, or are more than a warp may have open.
// tile.param MAP = %map
// tile.param AT = %zero, %zero
// tile.param TO = 0
// tile.param INTO = %zero, %zero
// tile.param WAIT = nvvm.cp.async.bulk.wait_group 0
// RUN: tile-run %s --device=sim --target=sm_90a --grid=1 --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros --out=3:%t.npy --out=0:%t.in.npy
// RUN: %python -c "a=open('%t.npy','rb').read()[-1024:]; b=open('%t.in.npy','rb').read()[-1024:]; assert a == b"
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D MAP=%middle --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=MAP
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D AT=%zero --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D TO=64 --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=ALIGN
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D TO=1024 --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D WAIT=// --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=GROUPS
// Boxes that begin between multiples of 16 bytes, and stores that begin in front of the tensor, end a kernel.
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D AT=%four,%zero --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=START
// RUN: tile-run %s --device=sim --target=sm_90a --grid=1 -D AT=%back,%less --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D INTO=%four,%zero --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=INTO
// RUN: not tile-run %s --device=sim --target=sm_90a --grid=1 -D INTO=%zero,%less --arg=f16[8,64]=randn:1 --arg=i32=64 --arg=i32=8 --arg=f16[512]=zeros 2>&1 | FileCheck %s --check-prefix=BEFORE
llvm.mlir.global external @shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<1040 x i8>
llvm.func @k(%in: !llvm.ptr<1> {tile.element = f16}, %n: i32, %m: i32, %out: !llvm.ptr<1> {tile.element = f16},
    %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant},
    %to: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>,
      tile_gpu.tensor_maps = [{base = 0 : i32, element = f16, sizes = array<i32: 1, 2>, strides = array<i32: 1>, box = array<i32: 64, 8>, swizzle = 128 : i32},
                              {base = 3 : i32, element = f16, sizes = array<i32: 1, 2>, strides = array<i32: 1>, box = array<i32: 64, 8>, swizzle = 128 : i32}]} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %less = llvm.mlir.constant(-1 : i32) : i32
  %back = llvm.mlir.constant(-8 : i32) : i32
  %rounds = llvm.mlir.constant(65 : i32) : i32
  %bytes = llvm.mlir.constant(1024 : i32) : i32
  %base = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %bar = llvm.getelementptr %base[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %place = llvm.getelementptr %base[${TO}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %middle = llvm.getelementptr %map[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %first = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %first, ^make, ^made
^make:
  tile_nv.mbarrier_init %bar, %one
  nvvm.fence.mbarrier.init
  llvm.br ^made
^made:
  nvvm.barrier0
  tile_nv.mbarrier_expect %bar, %bytes if %first
  // MAP: tensor-copies.mlir:[[#@LINE+5]]:3: error: 'tile_nv.tma_load' op got 0x{{[0-9a-f]+}}, expected the address of a tensor map (program (0, 0, 0), warp 0)
  // RANK: tensor-copies.mlir:[[#@LINE+4]]:3: error: 'tile_nv.tma_load' op got 1 coordinates, expected 2 as the tensor map has (program (0, 0, 0), warp 0)
  // ALIGN: tensor-copies.mlir:[[#@LINE+3]]:3: error: 'tile_nv.tma_load' op got offset 64 of shared memory, expected a multiple of 1024 (program (0, 0, 0), warp 0)
  // START: tensor-copies.mlir:[[#@LINE+2]]:3: error: 'tile_nv.tma_load' op got 4 as its first coordinate, expected a multiple of 8, which are 16 bytes (program (0, 0, 0), warp 0)
  // BOUNDS: tensor-copies.mlir:[[#@LINE+1]]:3: error: 'tile_nv.tma_load' op reaches offset {{[0-9]+}} of shared memory, which has 1040 bytes (program (0, 0, 0), warp 0)
  tile_nv.tma_load %place, ${MAP}[${AT}], %bar if %first
  tile_nv.mbarrier_wait %bar, %zero
  llvm.br ^store(%zero : i32)
^store(%k: i32):
  // INTO: tensor-copies.mlir:[[#@LINE+2]]:3: error: 'tile_nv.tma_store' op got 4 as its first coordinate, expected a multiple of 8, which are 16 bytes (program (0, 0, 0), warp 0)
  // BEFORE: tensor-copies.mlir:[[#@LINE+1]]:3: error: 'tile_nv.tma_store' op got -1 as coordinate 1, expected 0 or more of what it stores to (program (0, 0, 0), warp 0)
  tile_nv.tma_store %to[${INTO}], %base if %first
  // GROUPS: tensor-copies.mlir:[[#@LINE+1]]:3: error: 'nvvm.cp.async.bulk.commit.group' op has more than 64 groups of copies open (program (0, 0, 0), warp 0)
  nvvm.cp.async.bulk.commit.group
  ${WAIT}
  %next = llvm.add %k, %one : i32
  %more = llvm.icmp "slt" %next, %rounds : i32
  llvm.cond_br %more, ^store(%next : i32), ^end
^end:
  llvm.return
}
