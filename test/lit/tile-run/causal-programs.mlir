// Programs that do the more the further along x they are (attention with a causal mask), in a loop: in pairs of the first and the last, or
// in the order of their work. With all checks, compared with the cpu device; the simulator has a block for two programs.
// RUN: tile-translate %examples/attention.mlir --target=sm_90a --num-warps=8 -D D=128 -D BM=128 -D BN=128 -D CAUSAL=1 --emit=tile_gpu | FileCheck %s
// CHECK: func.func @attention({{.*}}, %[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32, %[[Z:[a-z0-9]+]]: i32)
// CHECK-SAME: tile_gpu.program_loop
// CHECK-SAME: tile_gpu.work = 1 : i32
// CHECK-DAG: %[[HALF:.*]] = arith.divui %[[X]], %c2_i32 : i32
// CHECK-DAG: %[[OTHERS:.*]] = arith.muli %[[Y]], %[[Z]] : i32
// CHECK: %[[PAIRS:.*]] = arith.muli %[[HALF]], %[[OTHERS]] : i32
// CHECK: tile_gpu.producer
// RUN: tile-translate %examples/attention.mlir --target=sm_90a --num-warps=8 -D D=128 -D BM=128 -D BN=128 -D CAUSAL=1 --emit=tile_gpu \
// RUN:   --disable=program-loops | FileCheck %s --check-prefix=OFF
// Columns beside a size that may be large: from one that nothing before knows.
// RUN: tile-translate %examples/attention.mlir --target=sm_90a --num-warps=8 -D D=128 -D BM=128 -D BN=128 -D CAUSAL=1 --emit=llvm | FileCheck %s --check-prefix=ANEW
// ANEW: asm sideeffect "mov.b32 $0, $1;", "=r,r"
// A window's programs at its start do less than the others alone: no loop.
// RUN: tile-translate %examples/attention.mlir --target=sm_90a --num-warps=8 -D D=128 -D BM=128 -D BN=128 -D CAUSAL=1 -D WINDOW=200 --emit=tile_gpu \
// RUN:   | FileCheck %s --check-prefix=OFF
// OFF-NOT: tile_gpu.program_loop
// Four blocks of rows: pairs.
// RUN: tile-run %examples/attention.mlir --device=sim --target=sm_90a --num-warps=8 -D D=128 -D BM=128 -D BN=128 -D CAUSAL=1 --grid=4,2 \
// RUN:   --check=race,oob,uninit,nan --against=cpu --atol=2e-3 --arg=f16[128000]=randn:1 --arg=f16[128000]=randn:2 --arg=f16[128000]=randn:3 \
// RUN:   --arg=f16[128000]=zeros --arg=f32[1000]=zeros --arg=i32=500 --arg=i32=500 --arg=i32=1 --arg=f32=0.125 --arg=f32=20
// Three: one after the other, back and forth.
// RUN: tile-run %examples/attention.mlir --device=sim --target=sm_90a --num-warps=8 -D D=128 -D BM=128 -D BN=128 -D CAUSAL=1 --grid=3,3 \
// RUN:   --check=race,oob,uninit,nan --against=cpu --atol=2e-3 --arg=f16[115200]=randn:1 --arg=f16[115200]=randn:2 --arg=f16[115200]=randn:3 \
// RUN:   --arg=f16[115200]=zeros --arg=f32[900]=zeros --arg=i32=300 --arg=i32=300 --arg=i32=1 --arg=f32=0.125 --arg=f32=20
// A negative scale: maxima of scaled scores, in front of two masks.
// RUN: tile-run %examples/attention.mlir --device=sim --target=sm_90a --num-warps=8 -D D=128 -D BM=128 -D BN=128 -D CAUSAL=1 --grid=3,2 \
// RUN:   --against=cpu --atol=2e-3 --arg=f16[76800]=randn:1 --arg=f16[76800]=randn:2 --arg=f16[76800]=randn:3 \
// RUN:   --arg=f16[76800]=zeros --arg=f32[600]=zeros --arg=i32=300 --arg=i32=300 --arg=i32=1 --arg=f32=-0.125 --arg=f32=20
