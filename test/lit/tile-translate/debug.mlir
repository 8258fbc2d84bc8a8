// --debug keeps assertions; prints are there on NVIDIA in any case.
// RUN: tile-translate --debug --target=sm_80 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-translate --target=sm_80 --emit=ptx %s | FileCheck %s --check-prefix=RELEASE
// RUN: tile-translate --debug --target=gfx942 --emit=report %s 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: tile-translate --debug --target=gfx1201 --emit=amdgcn %s 2>/dev/null | FileCheck %s --check-prefix=AMD
// RUN: tile-translate --target=gfx1201 --emit=amdgcn %s 2>/dev/null | FileCheck %s --check-prefix=QUIET

// PTX: .extern .func __assertfail
// PTX-DAG: call{{.*}}__assertfail
// PTX-DAG: call{{.*}}vprintf
// RELEASE-NOT: __assertfail
// RELEASE: call{{.*}}vprintf
// REPORT: debug.mlir:[[# @LINE + 13]]:3: warning: 'tile.print' op is dropped: kernels cannot print on gfx942
// REPORT: kernel guarded
// REPORT: assert: {{.*}}debug.mlir:[[# @LINE + 9]]:3: too large
// AMD: s_trap 2
// QUIET-NOT: s_trap 2
func.func @guarded(%p: !tile.ptr<i32>, %n: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %ns = tile.splat %n : tensor<128xi32>
  %ps = tile.splat %p : tensor<128x!tile.ptr<i32>>
  %at = tile.addptr %ps, %r : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %ok = arith.cmpi slt, %r, %ns : tensor<128xi32>
  tile.assert %ok, "too large" : tensor<128xi1>
  %v = tile.load %at : tensor<128x!tile.ptr<i32>>
  tile.print "v " %v : tensor<128xi32>
  tile.store %at, %v : tensor<128x!tile.ptr<i32>>
  return
}
