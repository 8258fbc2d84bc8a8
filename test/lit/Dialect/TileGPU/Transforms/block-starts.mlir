// The copy engine takes blocks that begin at multiples of 16 bytes along their innermost dimension; at others it ends the kernel. Where that
// is not known, blocks of descriptors are masked accesses, whoever makes the descriptor.
// tile.param KNOWN = 4
// tile.param A = %a
// tile.param C = %c
// RUN: tile-translate --target=sm_90a --emit=report %s | FileCheck %s
// CHECK: load not taken: its neighbours are not known to begin at a multiple of 16 bytes
// CHECK: store not taken: its neighbours are not known to begin at a multiple of 16 bytes
// RUN: tile-translate --target=sm_90a --emit=report -D A=%made -D C=%out %s | FileCheck %s --check-prefix=MADE
// MADE-COUNT-2: load not taken: its neighbours are not known to begin at a multiple of 16 bytes
// RUN: tile-translate --target=sm_90a --emit=tile_gpu %s | FileCheck %s --check-prefix=PLAIN --implicit-check-not=tma_
// PLAIN: tile.load
// PLAIN: tile.store
// RUN: tile-translate --target=sm_90a --emit=tile_gpu --disable=tma-pointers %s | FileCheck %s --check-prefix=PLAIN --implicit-check-not=tma_
// RUN: tile-translate --target=sm_90a --emit=tile_gpu -D KNOWN=8 %s | FileCheck %s --check-prefix=ENGINE
// RUN: tile-translate --target=sm_90a --emit=tile_gpu -D KNOWN=8 -D A=%made -D C=%out %s | FileCheck %s --check-prefix=ENGINE
// ENGINE: tile_gpu.tma_copy
// ENGINE: tile_gpu.tma_store
// DEFINE: %{run} = tile-run %s --device=sim --target=sm_90a --check=race,oob,uninit --against=cpu --grid=1 '--arg=desc(f16[100,72],box=64x64)=randn:1' '--arg=desc(f16[100,72],box=64x64)=fill:7' \
// DEFINE:   --arg=f16[7200]=randn:2 --arg=f16[7200]=fill:5 --arg=i32=72
// RUN: %{run} --arg=i32=12
// RUN: %{run} --arg=i32=-4
// RUN: %{run} --arg=i32=12 -D A=%made -D C=%out
// RUN: %{run} --arg=i32=16 -D KNOWN=8
func.func @k(%a: !tile.desc<64x64xf16>, %c: !tile.desc<64x64xf16>, %p: !tile.ptr<f16> {tile.divisibility = 16 : i32},
    %q: !tile.ptr<f16> {tile.divisibility = 16 : i32}, %n: i32 {tile.divisibility = 8 : i32}, %i: i32 {tile.divisibility = ${KNOWN} : i32}) attributes {tile.kernel} {
  %zero = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %hundred = arith.constant 100 : i32
  %one = arith.constant 1 : i64
  %ld = arith.extsi %n : i32 to i64
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %made = tile.make_desc %p shape [%hundred, %n] strides [%ld, %one] : !tile.desc<64x64xf16>
  %out = tile.make_desc %q shape [%hundred, %n] strides [%ld, %one] : !tile.desc<64x64xf16>
  %x = tile.desc_load ${A}[%zero, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %y = tile.desc_load ${A}[%c32, %i] : !tile.desc<64x64xf16> -> tensor<64x64xf16>
  %d = tile.dot %x, %y, %z : tensor<64x64xf16> * tensor<64x64xf16> -> tensor<64x64xf32>
  %h = arith.truncf %d : tensor<64x64xf32> to tensor<64x64xf16>
  tile.desc_store ${C}[%zero, %i], %h : !tile.desc<64x64xf16>, tensor<64x64xf16>
  return
}
