// The report's part on memory: the width of accesses, what a warp moves by one, and why it is not wider.
// RUN: tile-translate --target=sm_90a --num-warps=1 --emit=report %s | FileCheck %s
// RUN: tile-translate --target=gfx942 --num-warps=1 --kernel=wide --emit=report %s | FileCheck %s --check-prefix=AMD

// CHECK-LABEL: kernel wide
// CHECK: threads:    32 (1 warps of 32)
// CHECK: memory: a request is one access of a warp's 32 lanes, sectors have 32 bytes
// CHECK-NEXT: {{.*}}report.mlir:[[#@LINE+16]]:8: load of 256xf32 in layout 0, masked
// CHECK-NEXT: a thread: 2 accesses of 16 bytes, 16 sectors a request, 100 % of their bytes used
// CHECK-NEXT: two forms: this one where a thread's whole mask is true, else 8 accesses of 4 bytes, 16 sectors a request, 25 % of their bytes used
// CHECK-NEXT: not wider: sm_90a takes no more
// CHECK-NEXT: {{.*}}report.mlir:[[#@LINE+15]]:3: store of 256xf32 in layout 0
// CHECK-NEXT: a thread: 2 accesses of 16 bytes, 16 sectors a request, 100 % of their bytes used
// CHECK-NEXT: not wider: sm_90a takes no more
// AMD: sectors have 64 bytes
// AMD: a thread: 1 access of 16 bytes, 16 sectors a request, 100 % of their bytes used
func.func @wide(%x: !tile.ptr<f32> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                %n: i32) attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %ns = tile.splat %n : tensor<256xi32>
  %mask = arith.cmpi slt, %i, %ns : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %v = tile.load %px mask %mask : tensor<256x!tile.ptr<f32>>
  %zs = tile.splat %z : tensor<256x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %pz, %v : tensor<256x!tile.ptr<f32>>
  return
}

// An address, a mask and a layout that stand in the way.
// CHECK-LABEL: kernel narrow
// CHECK: load of 256xf32 in layout 0{{$}}
// CHECK-NEXT: a thread: 8 accesses of 4 bytes, 16 sectors a request, 25 % of their bytes used
// CHECK-NEXT: not wider: addresses are known to be multiples of 4 bytes only
// CHECK-NEXT: {{.*}}: load of 256xi1 in layout 0{{$}}
// CHECK-NEXT: a thread: 2 accesses of 4 bytes, 4 sectors a request, 100 % of their bytes used
// CHECK-NEXT: not wider: the layout gives a thread 4 neighbours at a time
// CHECK-NEXT: {{.*}}: load of 256xf32 in layout 0, masked
// CHECK-NEXT: a thread: 8 accesses of 4 bytes, 16 sectors a request, 25 % of their bytes used
// CHECK-NEXT: not wider: the mask may change at every element
// CHECK-NEXT: {{.*}}: store of 256xf32 in layout 0
// CHECK-NEXT: a thread: 2 accesses of 16 bytes
func.func @narrow(%x: !tile.ptr<f32>, %y: !tile.ptr<f32> {tile.divisibility = 16 : i32},
                  %m: !tile.ptr<i1> {tile.divisibility = 16 : i32}, %z: !tile.ptr<f32> {tile.divisibility = 16 : i32})
    attributes {tile.kernel} {
  %i = tile.make_range 0 to 256 : tensor<256xi32>
  %xs = tile.splat %x : tensor<256x!tile.ptr<f32>>
  %px = tile.addptr %xs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %a = tile.load %px : tensor<256x!tile.ptr<f32>>
  %ms = tile.splat %m : tensor<256x!tile.ptr<i1>>
  %pm = tile.addptr %ms, %i : tensor<256x!tile.ptr<i1>>, tensor<256xi32>
  %mask = tile.load %pm : tensor<256x!tile.ptr<i1>>
  %ys = tile.splat %y : tensor<256x!tile.ptr<f32>>
  %py = tile.addptr %ys, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %b = tile.load %py mask %mask other %zero : tensor<256x!tile.ptr<f32>>
  %sum = arith.addf %a, %b : tensor<256xf32>
  %zs = tile.splat %z : tensor<256x!tile.ptr<f32>>
  %pz = tile.addptr %zs, %i : tensor<256x!tile.ptr<f32>>, tensor<256xi32>
  tile.store %pz, %sum : tensor<256x!tile.ptr<f32>>
  return
}

// Few elements; addresses that come from memory; one address for all; scalars; a small tensor is drawn whole.
// CHECK-LABEL: kernel scattered
// CHECK: load of 32xi32 in layout 0
// CHECK-NEXT: a thread: 1 access of 4 bytes, 4 sectors a request, 100 % of their bytes used
// CHECK-NEXT: not wider: 32 elements are spread over 32 threads
// CHECK-NEXT: {{.*}}: load of 32xf32 in layout 0
// CHECK-NEXT: a thread: 1 access of 4 bytes, 32 sectors a request, 12 % of their bytes used
// CHECK-NEXT: not wider: neighbours are not known to be adjacent in memory
// CHECK-NEXT: {{.*}}: load of 32xf32 in layout 0
// CHECK-NEXT: a thread: 1 access of 4 bytes, 1 sector a request, 12 % of their bytes used
// CHECK-NEXT: not wider: 32 neighbours have one address
// CHECK-NEXT: {{.*}}: load of f32
// CHECK-NEXT: one access of 4 bytes by every thread
// CHECK-NEXT: {{.*}}: atomic update of 32xf32 in layout 0
// CHECK-NEXT: a thread: 1 access of 4 bytes, 32 sectors a request
// CHECK-NEXT: not wider: an atomic access takes one element
// CHECK-NEXT: layouts: elements by row and column, as thread:register
// CHECK-NEXT: layout 0: lane={{\[\[}}1],[2],[4],[8],[16]], shape=[32]
// CHECK-NEXT: |    0    1    2
// CHECK-NEXT: |  0:0  1:0  2:0
func.func @scattered(%i: !tile.ptr<i32> {tile.divisibility = 16 : i32}, %x: !tile.ptr<f32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %is = tile.splat %i : tensor<32x!tile.ptr<i32>>
  %pi = tile.addptr %is, %r : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %index = tile.load %pi : tensor<32x!tile.ptr<i32>>
  %xs = tile.splat %x : tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %index : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %a = tile.load %px : tensor<32x!tile.ptr<f32>>
  %b = tile.load %xs : tensor<32x!tile.ptr<f32>>
  %c = tile.load %x : !tile.ptr<f32>
  %cs = tile.splat %c : tensor<32xf32>
  %ab = arith.addf %a, %b : tensor<32xf32>
  %abc = arith.addf %ab, %cs : tensor<32xf32>
  %old = tile.atomic_rmw fadd %px, %abc : tensor<32x!tile.ptr<f32>>
  return
}

// Ops that move data between threads, and the layouts on both sides.
// CHECK-LABEL: kernel moves
// CHECK: between threads:
// CHECK-NEXT: {{.*}}report.mlir:[[#@LINE+10]]:8: tile.gather: 128 bytes of shared memory
// CHECK-NEXT: layouts:
func.func @moves(%x: !tile.ptr<f32>, %i: !tile.ptr<i32>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 32 : tensor<32xi32>
  %xs = tile.splat %x : tensor<32x!tile.ptr<f32>>
  %px = tile.addptr %xs, %r : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
  %v = tile.load %px : tensor<32x!tile.ptr<f32>>
  %is = tile.splat %i : tensor<32x!tile.ptr<i32>>
  %pi = tile.addptr %is, %r : tensor<32x!tile.ptr<i32>>, tensor<32xi32>
  %index = tile.load %pi : tensor<32x!tile.ptr<i32>>
  %g = tile.gather %v, %index axis = 0 : tensor<32xf32>, tensor<32xi32> -> tensor<32xf32>
  tile.store %px, %g : tensor<32x!tile.ptr<f32>>
  return
}
