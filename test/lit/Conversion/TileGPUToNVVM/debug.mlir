// RUN: tile-opt %s -split-input-file --convert-tile-to-tile-gpu="target=sm_90a num-warps=1" --tile-gpu-assign-layouts --convert-tile-gpu-to-nvvm | FileCheck %s

// A failing thread names message, file, line and kernel, and traps; the trap keeps the message for the report.
// CHECK-DAG: llvm.mlir.global private constant @[[MESSAGE:.*]]("index out of bounds\00")
// CHECK-DAG: llvm.mlir.global private constant @[[FILE:.*]]("a.py\00")
// CHECK-DAG: llvm.mlir.global private constant @[[KERNEL:.*]]("check\00")
// CHECK-DAG: llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)
// CHECK-LABEL: llvm.func @check(
// CHECK-DAG: %[[LINE:.*]] = llvm.mlir.constant(17 : i32)
// CHECK-DAG: %[[SIZE:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: %[[C0:.*]] = llvm.icmp "slt"
// CHECK: %[[C1:.*]] = llvm.icmp "slt"
// CHECK: %[[ALL:.*]] = llvm.and %[[C0]], %[[C1]]
// CHECK: llvm.cond_br %[[ALL]], ^[[AFTER:.*]], ^[[FAIL:.*]]
// CHECK: ^[[FAIL]]:
// CHECK: %[[M:.*]] = llvm.mlir.addressof @[[MESSAGE]]
// CHECK: %[[F:.*]] = llvm.mlir.addressof @[[FILE]]
// CHECK: %[[K:.*]] = llvm.mlir.addressof @[[KERNEL]]
// CHECK: llvm.call @__assertfail(%[[M]], %[[F]], %[[LINE]], %[[K]], %[[SIZE]])
// CHECK: llvm.intr.trap {tile_gpu.assert = "index out of bounds"}
// CHECK: llvm.unreachable
// CHECK: ^[[AFTER]]:
func.func @check(%n: i32) attributes {tile.kernel} {
  %r = tile.make_range 0 to 64 : tensor<64xi32>
  %e = tile.splat %n : tensor<64xi32>
  %ok = arith.cmpi slt, %r, %e : tensor<64xi32>
  tile.assert %ok, "index out of bounds" : tensor<64xi1> loc("a.py":17:3)
  return
}

// -----

// The line of the cpu device: the prefix's percent sign is text, f16 widens to f64, values lie at multiples of their size.
// CHECK: llvm.mlir.global private constant @[[TEXT:.*]]("pid (%u, %u, %u) idx (%d) 100%% x = %.9g\0A\00")
// CHECK: llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
// CHECK-LABEL: llvm.func @tensor(
// CHECK: %[[BUFFER:.*]] = llvm.alloca %{{.*}} x i8 {alignment = 8 : i64}
// CHECK: %[[V:.*]] = llvm.load %{{.*}} : !llvm.ptr<1> -> f16
// CHECK: llvm.cond_br %{{.*}}, ^[[PRINT:.*]], ^[[AFTER:.*]]
// CHECK: ^[[PRINT]]:
// CHECK: %[[Y:.*]] = nvvm.read.ptx.sreg.ctaid.y
// CHECK: %[[WIDE:.*]] = llvm.fpext %{{.*}} : f32 to f64
// CHECK: %[[AT4:.*]] = llvm.getelementptr %[[BUFFER]][4]
// CHECK: llvm.store %[[Y]], %[[AT4]] {alignment = 4 : i64}
// CHECK: %[[AT16:.*]] = llvm.getelementptr %[[BUFFER]][16]
// CHECK: llvm.store %[[WIDE]], %[[AT16]] {alignment = 8 : i64}
// CHECK: %[[FORMAT:.*]] = llvm.mlir.addressof @[[TEXT]]
// CHECK: llvm.call @vprintf(%[[FORMAT]], %[[BUFFER]])
// CHECK-NOT: vprintf
// CHECK: ^[[AFTER]]:
func.func @tensor(%x: !tile.ptr<f16>) attributes {tile.kernel} {
  %r = tile.make_range 0 to 4 : tensor<4xi32>
  %xs = tile.splat %x : tensor<4x!tile.ptr<f16>>
  %p = tile.addptr %xs, %r : tensor<4x!tile.ptr<f16>>, tensor<4xi32>
  %v = tile.load %p : tensor<4x!tile.ptr<f16>>
  tile.print "100% x = " %v : tensor<4xf16>
  return
}

// -----

// Scalars, hexadecimal, unsigned, pointers; no operand at all.
// CHECK: "pid (%u, %u, %u) idx () s (operand 0) %d\0A\00"
// CHECK: "pid (%u, %u, %u) idx () s (operand 1) %llu\0A\00"
// CHECK: "pid (%u, %u, %u) idx () s (operand 2) 0x%016llx\0A\00"
// CHECK: "pid (%u, %u, %u) idx () s (operand 3) %.17g\0A\00"
// CHECK: "pid (%u, %u, %u) idx () h 0x%02x\0A\00"
// CHECK: "pid (%u, %u, %u) here\0A\00"
// CHECK-LABEL: llvm.func @scalars(
// CHECK: llvm.sext %arg0 : i16 to i32
// CHECK: llvm.ptrtoint %arg2
// CHECK: llvm.zext %arg4 : i8 to i32
func.func @scalars(%a: i16, %b: i64, %x: !tile.ptr<f16>, %d: f64, %e: i8) attributes {tile.kernel} {
  tile.print "s " %a, %b, %x, %d unsigned = [false, true, false, false] : i16, i64, !tile.ptr<f16>, f64
  tile.print "h " hex %e : i8
  tile.print "here"
  return
}
