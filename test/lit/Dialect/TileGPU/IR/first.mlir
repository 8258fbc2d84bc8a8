// An element's type follows from its tensor's.
// RUN: tile-opt %s | FileCheck %s
// CHECK: %[[F:.*]] = tile_gpu.first %{{.*}} : tensor<64xi32>
// CHECK-NEXT: tile.store %{{.*}}, %[[F]] : !tile.ptr<i32>
func.func @first(%c: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %f = tile_gpu.first %r : tensor<64xi32>
  tile.store %c, %f : !tile.ptr<i32>
  return
}
