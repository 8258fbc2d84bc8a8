// Kernels that never end, ops that must not be reached, what the simulator does not know, runs that are too
// large.
// tile.param STEP = 1
// tile.param DIVISOR = 3
// tile.param DO = llvm.intr.assume %yes : i1
// tile.param LIMIT = 5
// RUN: %sm %s --kernel=loop --max-steps=1000 --arg=i32[1]=zeros
// RUN: not %sm %s --kernel=loop -D STEP=0 --max-steps=1000 --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not %sm %s --kernel=loop -D DIVISOR=0 --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not %sm %s --kernel=loop -D DO='"llvm.intr.trap"() : () -> ()' --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: not %sm %s --kernel=loop -D DO='llvm.inline_asm has_side_effects "nop;", "" : () -> ()' --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: not %sm %s --kernel=loop -D DO='nvvm.fence.sc.cluster' --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %sm %s --kernel=loop -D DO='llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"(%zero) : (i32) -> ()' --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=INTRINSIC
llvm.func @loop(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %yes = llvm.mlir.constant(true) : i1
  %zero = llvm.mlir.constant(0 : i32) : i32
  %step = llvm.mlir.constant(${STEP} : i32) : i32
  %divisor = llvm.mlir.constant(${DIVISOR} : i32) : i32
  %rounds = llvm.mlir.constant(5 : i32) : i32
  llvm.br ^header(%zero : i32)
^header(%k: i32):
  // STEPS: control.mlir:{{.*}}: error: 'llvm.{{icmp|sdiv}}' op is not executed: the limit of 1000 steps of a warp is reached (program (0, 0, 0), warp 0)
  %more = llvm.icmp "slt" %k, %rounds : i32
  llvm.cond_br %more, ^body, ^exit
^body:
  // TRAP: control.mlir:[[#@LINE+4]]:3: error: 'llvm.intr.trap' op is executed (program (0, 0, 0), warp 0, lane 0)
  // ASM: control.mlir:[[#@LINE+3]]:3: error: 'llvm.inline_asm' op is assembly text, which the simulator cannot execute
  // UNKNOWN: control.mlir:[[#@LINE+2]]:3: error: 'nvvm.fence.sc.cluster' op is not known to the simulator
  // INTRINSIC: control.mlir:[[#@LINE+1]]:3: error: 'llvm.call_intrinsic' op calls 'llvm.nvvm.bar.warp.sync', which is not known to the simulator
  ${DO}
  // DIVIDE: control.mlir:[[#@LINE+1]]:8: error: 'llvm.sdiv' op divides by zero (program (0, 0, 0), warp 0, lane 0)
  %q = llvm.sdiv %k, %divisor : i32
  llvm.store %rounds, %out : i32, !llvm.ptr<1>
  %next = llvm.add %k, %step : i32
  llvm.br ^header(%next : i32)
^exit:
  llvm.return
}

// A warp that waits for a flag: another warp of the program sets it, or nobody does.
// RUN: %sm %s --kernel=flag --max-steps=100000 --arg=i32[64]=zeros
// RUN: not %sm %s --kernel=flag -D LIMIT=0 --max-steps=100000 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=FLAG
llvm.mlir.global external @cell() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1 x i32>
llvm.func @flag(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %value = llvm.mlir.constant(${LIMIT} : i32) : i32
  %half = llvm.mlir.constant(32 : i32) : i32
  %base = llvm.mlir.addressof @cell : !llvm.ptr<3>
  llvm.store %zero, %base : i32, !llvm.ptr<3>
  nvvm.barrier0
  %m = llvm.icmp "slt" %tid, %half : i32
  llvm.cond_br %m, ^wait, ^set
^wait:
  // FLAG: control.mlir:[[#@LINE+1]]:{{.*}}: error: 'llvm.load' op is not executed: the limit of 100000 steps of a warp is reached (program (0, 0, 0), warp 0)
  %v = llvm.load %base atomic acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  %unset = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %unset, ^wait, ^end
^set:
  llvm.store %value, %base atomic release {alignment = 4 : i64} : i32, !llvm.ptr<3>
  llvm.br ^end
^end:
  llvm.return
}

// RUN: not tile-run --device=sim --target=sm_90 --grid=65536,65535,65535 %s --kernel=loop --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: control.mlir:{{.*}}: error: 'llvm.func' op has a grid of 281466386841600 programs, about {{.*}} warp instructions if each is executed once: some {{.*}} hours on a core; the simulator takes grids of up to 100000000 programs and 1e+12 instructions
// RUN: not %sm %s --kernel=threads --arg=i32[1]=zeros 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: 'llvm.func' op has 2048 threads, sm_90 has at most 1024
// RUN: not %gfx %s --kernel=threads --arg=f32[1]=zeros 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: argument 0{{.*}}: got a buffer of f32, expected a buffer of i32
llvm.func @threads(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 2048, 1, 1>} {
  llvm.return
}
