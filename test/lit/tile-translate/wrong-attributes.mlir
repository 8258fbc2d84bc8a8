// Attributes that LLVM's verifiers, printers or translation would crash on are refused where they stand.
// RUN: split-file %s %t
// RUN: not tile-opt %t/string.mlir 2>&1 | FileCheck %s --check-prefix=SPACE
// RUN: not tile-opt < %t/string.mlir 2>&1 | FileCheck %s --check-prefix=SPACE
// RUN: not tile-translate --target=sm_90 --emit=ptx %t/string.mlir 2>&1 | FileCheck %s --check-prefix=SPACE
// RUN: not tile-opt %t/unit.mlir 2>&1 | FileCheck %s --check-prefix=SPACE
// RUN: not tile-translate --target=sm_90 --emit=ptx %t/unit.mlir 2>&1 | FileCheck %s --check-prefix=SPACE
// SPACE: :2:1: error: 'llvm.mlir.global' op got an attribute 'addr_space' of another kind, expected one like 0 : i32
// SPACE-NOT: error
// RUN: not tile-opt --split-input-file %t/many.mlir 2>&1 | FileCheck %t/many.mlir
// RUN: not tile-translate --target=sm_90 --emit=llvm %t/value.mlir 2>&1 | FileCheck %t/value.mlir
// RUN: not tile-translate --target=sm_90 --emit=llvm %t/asm.mlir 2>&1 | FileCheck %t/asm.mlir
// RUN: not tile-translate --target=sm_90 --emit=llvm %t/triple.mlir 2>&1 | FileCheck %t/triple.mlir
// RUN: not tile-opt %t/assert.mlir 2>&1 | FileCheck %t/assert.mlir
// RUN: not tile-opt %t/empty.mlir 2>&1 | FileCheck %t/empty.mlir
// RUN: not tile-translate --target=sm_90 --emit=llvm %t/empty.mlir 2>&1 | FileCheck %t/empty.mlir
// RUN: not tile-opt %t/bare.mlir 2>&1 | FileCheck %t/bare.mlir
// RUN: not tile-opt %t/far.mlir 2>&1 | FileCheck %t/far.mlir
// RUN: not tile-translate --target=sm_90 --emit=llvm %t/far.mlir 2>&1 | FileCheck %t/far.mlir
// RUN: not tile-opt %t/types.mlir 2>&1 | FileCheck %t/types.mlir
// RUN: not tile-translate --target=sm_90 --emit=llvm %t/types.mlir 2>&1 | FileCheck %t/types.mlir
// RUN: not tile-opt %t/late.mlir 2>&1 | FileCheck %t/late.mlir
// RUN: not tile-opt --split-input-file %t/late.mlir 2>&1 | FileCheck %t/late.mlir
// RUN: not tile-translate --target=sm_90 --emit=tile %t/late.mlir 2>&1 | FileCheck %t/late.mlir
// RUN: not tile-opt %t/sibling.mlir 2>&1 | FileCheck %t/sibling.mlir
// RUN: tile-opt --allow-unregistered-dialect %t/names.mlir | FileCheck %t/names.mlir
// RUN: tile-opt %t/good.mlir | tile-opt | FileCheck %t/good.mlir

//--- string.mlir

llvm.mlir.global internal @exchange() {addr_space = "128,128" : i32} : !llvm.array<128 x i32>
llvm.func @kernel() attributes {nvvm.kernel} {
  %e = llvm.mlir.addressof @exchange : !llvm.ptr<3>
  llvm.return
}

//--- unit.mlir

llvm.mlir.global private constant @name("lane\00") {addr_space}
llvm.func @kernel() attributes {nvvm.kernel} {
  %name = llvm.mlir.addressof @name : !llvm.ptr
  llvm.return
}

//--- many.mlir
// CHECK: 'llvm.call' op got 0 dictionaries in 'arg_attrs', expected 1
llvm.func @callee(i32)
llvm.func @kernel(%a: i32) {
  llvm.call @callee(%a) {arg_attrs = []} : (i32) -> ()
  llvm.return
}

// -----
// CHECK: 'llvm.call_intrinsic' op got 2 dictionaries in 'res_attrs', expected 1
llvm.func @kernel(%a: i32) {
  %i = "llvm.call_intrinsic"(%a) <{intrin = "llvm.abs", op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>, res_attrs = [{}, {}]}> : (i32) -> i32
  llvm.return
}

// -----
// CHECK: 'nvvm.mma.sync' op got no 'multiplicandAPtxType', expected one, such as #nvvm.mma_type<s8>
llvm.func @kernel(%i: i32) {
  %r = nvvm.mma.sync A[%i, %i] B[%i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// -----
// CHECK: 'llvm.func' op got the personality @nobody, expected a function of the module
llvm.func @kernel() attributes {personality = @nobody} {
  llvm.return
}

// -----
// CHECK: 'llvm.mlir.ifunc' op got the resolver @nobody, expected a function of the module
llvm.mlir.ifunc external @foo : !llvm.func<void (ptr)>, !llvm.ptr @nobody

// -----
// CHECK: 'llvm.func' op got 0 dictionaries in 'res_attrs', expected 1 or no 'res_attrs'
llvm.func @kernel() attributes {res_attrs = []} {
  llvm.return
}

// -----
// CHECK: 'llvm.getelementptr' op got an 'elem_type' of another dialect, expected a type of LLVM IR
llvm.func @kernel(%p: !llvm.ptr, %i: i32) {
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, tensor<4xi32>
  llvm.return
}

// -----
// CHECK: 'llvm.func' op got 'llvm.byval' of another kind, expected a type of LLVM IR
llvm.func @kernel(%p: !llvm.ptr {llvm.byval = index}) {
  llvm.return
}

// -----
// CHECK: 'llvm.func' op got 'llvm.range' of another kind, expected one like #llvm.constant_range<i32, 0, 1>
llvm.func @kernel(%p: i32 {llvm.range = 3 : i32}) {
  llvm.return
}

//--- value.mlir
// CHECK: 'llvm.mlir.global' op got the value @nothing, expected a pointer to a global or function of the module
llvm.mlir.global internal @g([@nothing, 1]) : !llvm.array<2 x ptr>
llvm.func @kernel() attributes {nvvm.kernel} {
  llvm.return
}

//--- asm.mlir
// CHECK: 'llvm.inline_asm' op got 'operand_attrs' of another kind, expected for each operand {} or its elementtype
llvm.func @kernel(%v: i32) attributes {nvvm.kernel} {
  %r = llvm.inline_asm has_side_effects operand_attrs = [1] "nop", "=r,r" %v : (i32) -> i32
  llvm.return
}

//--- triple.mlir
// CHECK: 'builtin.module' op got 'llvm.target_triple' of another kind, expected a string
module attributes {llvm.target_triple = 1} {
  llvm.func @kernel() attributes {nvvm.kernel} {
    llvm.return
  }
}

//--- assert.mlir
// CHECK: 'tt.assert' op failed to verify that file, function and line are given together or not at all
tt.func public @kernel(%c: i1) {
  tt.assert %c, "message" {file = "s"} : i1
  tt.return
}

//--- empty.mlir
// CHECK: :4:38: {{.*}}got no registers in B[], expected some
// CHECK-NOT: error
llvm.func @kernel(%i: i32) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i, %i]       B[ // none
   ] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

//--- bare.mlir
// CHECK: :4:8: {{.*}}got no registers behind A, expected some in brackets
// CHECK-NOT: error
llvm.func @kernel(%i: i32) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A B[%i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

//--- far.mlir
// CHECK: :4:8: {{.*}}got a position of more than nine digits, expected one inside the type
// CHECK-NOT: error
llvm.func @kernel(%s: !llvm.struct<(i32, i32)>) attributes {nvvm.kernel} {
  %r = llvm.extractvalue %s[4294967296] : !llvm.struct<(i32, i32)>
  llvm.return
}

//--- types.mlir
// CHECK: :4:8: {{.*}}got 4 types of factors and sums, expected 3
// CHECK-NOT: error
llvm.func @kernel(%i: i32) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i, %i] B[%i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, note = ": (\"", // :
    shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, !llvm.struct<(i32, i32)>, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

//--- late.mlir
// CHECK: :10:5: {{.*}}got a definition of %b within a region behind its use outside in line 6, expected it in front of the use
// CHECK-NOT: error
func.func private @other(i32) -> i32
func.func @kernel(%p: !tile.ptr<i32>, %n: index) attributes {tile.kernel} {
  // %b: none
  %a = func.call @other(%b) : (i32) -> i32
  %c = "arith.addi"(%b, %b) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
  %0 = scf.index_switch %n -> i32
  case 2 {
    %b = arith.constant 1 : i32
    scf.yield %b : i32
  }
  default {
    scf.yield %oops
  }
  return
}

//--- sibling.mlir
// CHECK: :10:5: {{.*}}got a definition of %x within a region behind its use outside in line 6, expected it in front of the use
// CHECK-NOT: error
func.func @kernel(%p: !tile.ptr<i32>, %n: index) attributes {tile.kernel} {
  %c = arith.constant 1 : i32
  %0 = scf.index_switch %n -> i32
  case 0 { scf.yield %x : i32
  }
  case 1 { // %x = none
    %y = arith.addi %c, %c : i32
    %x = arith.constant 1 : i32
    scf.yield %oops
  }
  default { scf.yield %c : i32 }
  return
}

//--- names.mlir
// Names that may be used again, and uses in front of a definition that dominates them.
// CHECK-LABEL: func.func @names
func.func @names(%x: i32, %n: index, %c: i1) -> i32 {
  %0 = scf.index_switch %n -> i32
  case 0 {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  default {
    %y, %z = arith.addui_extended %x, %x : i32, i1
    %i, %j:2 = scf.if %z -> (i32, i32, i32) {
      scf.yield %y, %y, %x : i32, i32, i32
    } else {
      scf.yield %x, %x, %y : i32, i32, i32
    }
    scf.yield %j#1 : i32
  }
  %s = scf.for %i = %n to %n step %n iter_args(%acc = %0) -> (i32) {
    %y = arith.addi %acc, %acc : i32
    %z = scf.while (%j = %y) : (i32) -> i32 {
      scf.condition(%c) %j : i32
    } do {
    ^bb0(%k: i32):
      scf.yield %k : i32
    }
    scf.yield %z : i32
  }
  // CHECK: scf.forall
  scf.forall (%i, %j) in (4, 4) {
    %y = arith.addi %i, %j : index
    %acc = arith.addi %y, %j : index
  }
  cf.br ^first
^last:
  // CHECK: test.use
  "test.region"() ({
    "test.use"(%late) : (i32) -> ()
  }) : () -> ()
  return %late : i32
^first:
  %late = arith.addi %s, %x : i32
  cf.br ^last
}
// CHECK-LABEL: func.func private @undeclared
func.func private @undeclared(%late: i32) {
  scf.execute_region {
    %x = arith.constant 1 : i32
    %s = arith.addi %x, %late : i32
    scf.yield
  }
  return
}

//--- good.mlir
// CHECK: llvm.mlir.global internal @g() {addr_space = 3 : i32}
llvm.mlir.global internal @g() {addr_space = 3 : i32} : !llvm.array<128 x i32>
llvm.func @callee(i32, !llvm.ptr {llvm.byval = i32}) -> (i32 {llvm.range = #llvm.constant_range<i32, 0, 4>})
// CHECK: llvm.mlir.global internal @table
llvm.mlir.global internal @table([@callee, @g2]) : !llvm.array<2 x ptr>
llvm.mlir.global internal @g2(1 : i32) : i32
// CHECK: llvm.func @f
llvm.func @f(%a: i32, %p: !llvm.ptr) attributes {personality = @callee} {
  // CHECK: llvm.call @callee(%{{.*}}, %{{.*}}) : (i32 {llvm.noundef}, !llvm.ptr {llvm.byval = i32}) -> (i32 {llvm.noundef})
  %r = llvm.call @callee(%a, %p) : (i32 {llvm.noundef}, !llvm.ptr {llvm.byval = i32}) -> (i32 {llvm.noundef})
  // CHECK: llvm.call %{{.*}}(%{{.*}}) : !llvm.ptr, (i32 {llvm.noundef}) -> ()
  llvm.call %p(%a) : !llvm.ptr, (i32 {llvm.noundef}) -> ()
  // CHECK: llvm.inline_asm has_side_effects operand_attrs = [{elementtype = i32}]
  llvm.inline_asm has_side_effects operand_attrs = [{elementtype = i32}] "nop", "r" %p : (!llvm.ptr) -> ()
  llvm.return
}
// CHECK: func.func @again
func.func @again(%a: i32, %c: i1) {
  cf.br ^last
^first:
  %x = arith.addi %y, %y : i32
  return
^last:
  %y = arith.addi %a, %a : i32
  %i:2 = scf.if %c -> (i32, i32) {
    %z = arith.constant 1 : i32
    scf.yield %z, %z : i32, i32
  } else {
    %z = arith.constant 2 : i32
    scf.yield %y, %z : i32, i32
  }
  %z = arith.addi %i#0, %i#1 : i32
  cf.br ^first
}
