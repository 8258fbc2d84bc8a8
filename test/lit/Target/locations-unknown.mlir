// -g: calls of and from unknown places, and ranges, become positions that debug scopes can be made of.
// RUN: tile-translate -g --target=sm_90 --emit=ptx %s | FileCheck %s
// RUN: tile-translate -g --target=gfx942 --emit=amdgcn %s | FileCheck %s

// CHECK: .loc {{.*}}11 3
// CHECK: .loc {{.*}}21 5
// CHECK: .loc {{.*}}31 7
func.func @k(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>) attributes {tile.kernel} {
  %x = tile.load %p volatile : !tile.ptr<f32> loc(callsite(unknown at "a.py":11:3))
  %y = tile.load %q volatile : !tile.ptr<f32> loc(callsite("b.py":21:5 at unknown))
  %z = arith.addf %x, %y : f32 loc(callsite(unknown at unknown))
  tile.store %p, %z : !tile.ptr<f32> loc("c.py":31:7 to 32:9)
  return
}
