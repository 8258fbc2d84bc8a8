// What lies in front of where scalars moved a pointer is no place beyond a buffer: a row read from its end, and the neighbour
// before each element.
// RUN: for chip in gfx90a gfx942 gfx950 gfx1100 gfx1201; do tile-run %s --kernel=back --grid=3 --device=sim --target=$chip --against=cpu --arg=i32[384]=rand:1 --arg=i32[384]=zeros --arg=i32[384]=zeros --arg=i32=3 && echo agrees; done | FileCheck %s
// RUN: for chip in gfx942 gfx1100 gfx1201; do tile-run %s --kernel=divided --grid=2 --device=sim --target=$chip --against=cpu --arg=i32[384]=rand:1 --arg=i32[256]=zeros && echo agrees; \
// RUN:   tile-run %s --kernel=shifted --grid=2 --device=sim --target=$chip --against=cpu --arg=i32[384]=rand:1 --arg=i32[256]=zeros --arg=i32=-100 && echo agrees; done | FileCheck %s --check-prefix=DIVIDED
// CHECK-COUNT-5: agrees
// DIVIDED-COUNT-6: agrees
// RUN: tile-translate %s --kernel=back --target=gfx942 --emit=tile_gpu -o - | FileCheck %s --check-prefix=IR

// IR: tile.load {{.*}} {tile_gpu.not_buffer = "offsets may lead back from where scalars moved the pointer"}
// IR: tile.load {{.*}} {tile_gpu.not_buffer = "offsets may lead back from where scalars moved the pointer"}
// IR: tile.store {{.*}} {tile_gpu.buffer}
func.func @back(%x: !tile.ptr<i32> {tile.pointer_range = 32 : i32}, %reversed: !tile.ptr<i32> {tile.pointer_range = 32 : i32},
                %before: !tile.ptr<i32> {tile.pointer_range = 32 : i32}, %n: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %size = arith.constant 128 : i32
  %start = arith.muli %pid, %size : i32
  %r = tile.make_range 0 to 128 : tensor<128xi32>

  %last = arith.constant 127 : i32
  %end = arith.addi %start, %last : i32
  %pend = tile.addptr %x, %end : !tile.ptr<i32>, i32
  %back = arith.constant dense<-1> : tensor<128xi32>
  %minus = arith.muli %r, %back : tensor<128xi32>
  %send = tile.splat %pend : tensor<128x!tile.ptr<i32>>
  %qend = tile.addptr %send, %minus : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %a = tile.load %qend : tensor<128x!tile.ptr<i32>>

  %one = arith.constant dense<1> : tensor<128xi32>
  %left = arith.subi %r, %one : tensor<128xi32>
  %starts = tile.splat %start : tensor<128xi32>
  %index = arith.addi %starts, %left : tensor<128xi32>
  %zero = arith.constant dense<0> : tensor<128xi32>
  %mask = arith.cmpi sge, %index, %zero : tensor<128xi32>
  %pstart = tile.addptr %x, %start : !tile.ptr<i32>, i32
  %sstart = tile.splat %pstart : tensor<128x!tile.ptr<i32>>
  %qleft = tile.addptr %sstart, %left : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %b = tile.load %qleft mask %mask other %zero : tensor<128x!tile.ptr<i32>>

  %pr = tile.addptr %reversed, %start : !tile.ptr<i32>, i32
  %sr = tile.splat %pr : tensor<128x!tile.ptr<i32>>
  %qr = tile.addptr %sr, %r : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %qr, %a : tensor<128x!tile.ptr<i32>>
  %pb = tile.addptr %before, %start : !tile.ptr<i32>, i32
  %sb = tile.splat %pb : tensor<128x!tile.ptr<i32>>
  %qb = tile.addptr %sb, %r : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %qb, %b : tensor<128x!tile.ptr<i32>>
  return
}

// By a negative number.
func.func @divided(%x: !tile.ptr<i32> {tile.pointer_range = 32 : i32}, %y: !tile.ptr<i32> {tile.pointer_range = 32 : i32}) attributes {tile.kernel} {
  %pid = tile.program_id x
  %size = arith.constant 128 : i32
  %start = arith.muli %pid, %size : i32
  %behind = arith.addi %start, %size : i32
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %half = arith.constant dense<-2> : tensor<128xi32>
  %back = arith.divsi %r, %half : tensor<128xi32>
  %px = tile.addptr %x, %behind : !tile.ptr<i32>, i32
  %sx = tile.splat %px : tensor<128x!tile.ptr<i32>>
  %qx = tile.addptr %sx, %back : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %v = tile.load %qx : tensor<128x!tile.ptr<i32>>
  %py = tile.addptr %y, %start : !tile.ptr<i32>, i32
  %sy = tile.splat %py : tensor<128x!tile.ptr<i32>>
  %qy = tile.addptr %sy, %r : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %qy, %v : tensor<128x!tile.ptr<i32>>
  return
}

// By a parameter.
func.func @shifted(%x: !tile.ptr<i32> {tile.pointer_range = 32 : i32}, %y: !tile.ptr<i32> {tile.pointer_range = 32 : i32}, %by: i32) attributes {tile.kernel} {
  %pid = tile.program_id x
  %size = arith.constant 128 : i32
  %start = arith.muli %pid, %size : i32
  %behind = arith.addi %start, %size : i32
  %r = tile.make_range 0 to 128 : tensor<128xi32>
  %bys = tile.splat %by : tensor<128xi32>
  %back = arith.addi %r, %bys : tensor<128xi32>
  %px = tile.addptr %x, %behind : !tile.ptr<i32>, i32
  %sx = tile.splat %px : tensor<128x!tile.ptr<i32>>
  %qx = tile.addptr %sx, %back : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  %v = tile.load %qx : tensor<128x!tile.ptr<i32>>
  %py = tile.addptr %y, %start : !tile.ptr<i32>, i32
  %sy = tile.splat %py : tensor<128x!tile.ptr<i32>>
  %qy = tile.addptr %sy, %r : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
  tile.store %qy, %v : tensor<128x!tile.ptr<i32>>
  return
}
