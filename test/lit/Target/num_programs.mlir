// The number of programs is a hidden argument on AMD: the kernel has hidden arguments if it asks for it, else none.
// RUN: tile-translate --target=gfx942 --emit=amdgcn %s | FileCheck %s
// RUN: tile-translate --target=gfx1100 --emit=llvm %s | FileCheck %s --check-prefix=LLVM

// CHECK: .amdhsa_kernel asks
// CHECK: .amdhsa_kernarg_size 264
// CHECK: .amdhsa_kernel does_not_ask
// CHECK: .amdhsa_kernarg_size 8
// CHECK: hidden_block_count_x
// CHECK-NOT: hidden_block_count_x

// LLVM: define amdgpu_kernel void @asks({{.*}} #[[ASKS:[0-9]+]]
// LLVM: define amdgpu_kernel void @does_not_ask({{.*}} #[[NOT:[0-9]+]]
// LLVM: attributes #[[ASKS]] = {
// LLVM-NOT: amdgpu-no-implicitarg-ptr
// LLVM: attributes #[[NOT]] = { {{.*}}"amdgpu-no-implicitarg-ptr"
func.func @asks(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %n = tile.num_programs x
  tile.store %p, %n : !tile.ptr<i32>
  return
}
func.func @does_not_ask(%p: !tile.ptr<i32>) attributes {tile.kernel} {
  %n = tile.program_id x
  tile.store %p, %n : !tile.ptr<i32>
  return
}
