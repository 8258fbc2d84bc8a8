// What a text says of itself, and the compiler finds out, does not reach the manifest: this kernel takes no shared memory.
// RUN: tile-translate --target=sm_90a --emit=manifest %s | FileCheck %s
// CHECK: "shared_bytes": 0
module attributes {tile_gpu.shared = -5 : i32} {
  func.func @one(%x: !tile.ptr<f32>) attributes {tile.kernel} {
    %c = arith.constant 1.0 : f32
    tile.store %x, %c : !tile.ptr<f32>
    return
  }
}
