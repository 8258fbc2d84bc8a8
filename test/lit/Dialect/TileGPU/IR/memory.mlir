// Ops on shared memory, as text.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

#layout = #tile_gpu.layout<2, register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []>
// CHECK: [[S:#shared[0-9]*]] = #tile_gpu.shared<2, offset = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 1], [2, 2], [4, 4]], block = [], align = 1024>
#shared = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [1, 1], [2, 2], [4, 4]], block = [], align = 1024>
#trans = #tile_gpu.shared<2, offset = [[1, 0], [2, 0], [4, 0], [1, 1], [2, 2], [4, 4]], block = [], align = 1024>
#rows = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], block = []>
#more = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0], [8, 0]], block = []>
// CHECK: [[P:#shared[0-9]*]] = #tile_gpu.shared<2, offset = {{.*}}, block = [], pad = [8, 2]>
#padded = #tile_gpu.shared<2, offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], block = [], pad = [8, 2]>

// CHECK-LABEL: @all
// CHECK: [[B:%.*]] = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x8x8xf16, [[S]]>
// CHECK: tile_gpu.alloc %{{.*}} : (tensor<8x8xf16, #layout>) -> !tile_gpu.memdesc<8x8xf16, [[P]]>
// CHECK: tile_gpu.index [[B]][%{{.*}}] : !tile_gpu.memdesc<3x8x8xf16, [[S]]> -> !tile_gpu.memdesc<8x8xf16, [[S]]>
// CHECK: tile_gpu.index [[B]][%{{.*}}] rotate = 2 :
// CHECK: tile_gpu.slice %{{.*}}[0, 4] : !tile_gpu.memdesc<8x8xf16, [[S]]> -> !tile_gpu.memdesc<8x4xf16, [[S]]>
// CHECK: tile_gpu.trans %{{.*}} [1, 0] :
// CHECK: tile_gpu.async_copy %{{.*}}, %{{.*}} mask %{{.*}} other %{{.*}} : tensor<8x8x!tile.ptr<f16>, #layout>, !tile_gpu.memdesc<8x8xf16, [[S]]>, tensor<8x8xi1, #layout> other tensor<8x8xf16, #layout>
// CHECK: tile_gpu.async_commit
// CHECK: tile_gpu.async_wait 1
// CHECK: tile_gpu.local_load
// CHECK: tile_gpu.local_store
// CHECK: tile_gpu.advance %{{.*}} of 3
// CHECK: tile_gpu.part %{{.*}} from 1 : !tile_gpu.memdesc<3x8x8xf16, #shared{{[0-9]*}}> -> !tile_gpu.memdesc<16x8xf16, #shared{{[0-9]*}}>
func.func @all(%t: tensor<8x8xf16, #layout>, %p: tensor<8x8x!tile.ptr<f16>, #layout>, %m: tensor<8x8xi1, #layout>, %i: i32) {
  %b = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x8x8xf16, #shared>
  %c = tile_gpu.alloc %t : (tensor<8x8xf16, #layout>) -> !tile_gpu.memdesc<8x8xf16, #padded>
  %v = tile_gpu.index %b[%i] : !tile_gpu.memdesc<3x8x8xf16, #shared> -> !tile_gpu.memdesc<8x8xf16, #shared>
  %w = tile_gpu.index %b[%i] rotate = 2 : !tile_gpu.memdesc<3x8x8xf16, #shared> -> !tile_gpu.memdesc<8x8xf16, #shared>
  %s = tile_gpu.slice %v[0, 4] : !tile_gpu.memdesc<8x8xf16, #shared> -> !tile_gpu.memdesc<8x4xf16, #shared>
  %x = tile_gpu.trans %v [1, 0] : !tile_gpu.memdesc<8x8xf16, #shared> -> !tile_gpu.memdesc<8x8xf16, #trans>
  tile_gpu.async_copy %p, %w mask %m other %t : tensor<8x8x!tile.ptr<f16>, #layout>, !tile_gpu.memdesc<8x8xf16, #shared>, tensor<8x8xi1, #layout> other tensor<8x8xf16, #layout>
  tile_gpu.async_copy %p, %w : tensor<8x8x!tile.ptr<f16>, #layout>, !tile_gpu.memdesc<8x8xf16, #shared>
  tile_gpu.async_commit
  tile_gpu.async_wait 1
  %l = tile_gpu.local_load %x : !tile_gpu.memdesc<8x8xf16, #trans> -> tensor<8x8xf16, #layout>
  tile_gpu.local_store %l, %v : tensor<8x8xf16, #layout>, !tile_gpu.memdesc<8x8xf16, #shared>
  %j = tile_gpu.advance %i of 3
  %r = tile_gpu.alloc : () -> !tile_gpu.memdesc<3x8x8xf16, #rows>
  %part = tile_gpu.part %r from 1 : !tile_gpu.memdesc<3x8x8xf16, #rows> -> !tile_gpu.memdesc<16x8xf16, #more>
  return
}
