// Lanes that read other lanes: they have to be there.
// tile.param LIMIT = 32
// tile.param MASK = -1
// tile.param LANE = %id
// RUN: %sm %s --kernel=shuffle --arg=i32[32]=zeros
// RUN: not %sm %s --kernel=shuffle -D LIMIT=20 --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: not %sm %s --kernel=shuffle -D LIMIT=20 -D MASK=1048575 --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=READS
// RUN: not %sm %s --kernel=shuffle -D MASK=65535 --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=SELF
llvm.func @shuffle(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %limit = llvm.mlir.constant(${LIMIT} : i32) : i32
  %mask = llvm.mlir.constant(${MASK} : i32) : i32
  %distance = llvm.mlir.constant(16 : i32) : i32
  %clamp = llvm.mlir.constant(31 : i32) : i32
  %m = llvm.icmp "slt" %id, %limit : i32
  llvm.cond_br %m, ^here, ^end
^here:
  // NAMES: lanes.mlir:[[#@LINE+3]]:8: error: 'nvvm.shfl.sync' op names lanes 0xfff00000, which are not active, in its mask 0xffffffff (program (0, 0, 0), warp 0, lane 0)
  // READS: lanes.mlir:[[#@LINE+2]]:8: error: 'nvvm.shfl.sync' op reads lane 20, which is not active (program (0, 0, 0), warp 0, lane 4)
  // SELF: lanes.mlir:[[#@LINE+1]]:8: error: 'nvvm.shfl.sync' op is executed by a lane that its mask 0xffff leaves out (program (0, 0, 0), warp 0, lane 16)
  %v = nvvm.shfl.sync bfly %mask, %id, %distance, %clamp : i32 -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// RUN: %sm %s --kernel=vote --arg=i32[32]=zeros
// RUN: not %sm %s --kernel=vote -D LIMIT=20 --arg=i32[32]=zeros 2>&1 | FileCheck %s --check-prefix=VOTE
llvm.func @vote(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %id = nvvm.read.ptx.sreg.tid.x : i32
  %limit = llvm.mlir.constant(${LIMIT} : i32) : i32
  %mask = llvm.mlir.constant(${MASK} : i32) : i32
  %m = llvm.icmp "slt" %id, %limit : i32
  llvm.cond_br %m, ^here, ^end
^here:
  // VOTE: lanes.mlir:[[#@LINE+1]]:8: error: 'nvvm.vote.sync' op names lanes 0xfff00000, which are not active, in its mask 0xffffffff (program (0, 0, 0), warp 0, lane 0)
  %v = nvvm.vote.sync ballot %mask, %m -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// RUN: %gfx %s --kernel=permute -D LIMIT=64 --arg=i32[64]=zeros
// RUN: not %gfx %s --kernel=permute -D LIMIT=60 --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=PERMUTE
llvm.func @permute(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %limit = llvm.mlir.constant(${LIMIT} : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  %last = llvm.mlir.constant(63 : i32) : i32
  %other = llvm.sub %last, %id : i32
  %address = llvm.mul %other, %four : i32
  %m = llvm.icmp "slt" %id, %limit : i32
  llvm.cond_br %m, ^here, ^end
^here:
  // PERMUTE: lanes.mlir:[[#@LINE+1]]:8: error: 'rocdl.ds_bpermute' op reads lane 63, which is not active (program (0, 0, 0), warp 0, lane 0)
  %v = rocdl.ds_bpermute %address, %id : (i32, i32) -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// The lane that v_readlane names is one for the whole wave.
// RUN: %gfx %s --kernel=readlane -D LANE=%constant --arg=i32[64]=zeros
// RUN: not %gfx %s --kernel=readlane --arg=i32[64]=zeros 2>&1 | FileCheck %s --check-prefix=READLANE
llvm.func @readlane(%out: !llvm.ptr<1> {tile.element = i32})
    attributes {rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
  %id = rocdl.workitem.id.x : i32
  %constant = llvm.mlir.constant(7 : i32) : i32
  // READLANE: lanes.mlir:[[#@LINE+1]]:8: error: 'rocdl.readlane' op reads lane 1, expected lane 0 as in the warp's first lane (program (0, 0, 0), warp 0, lane 1)
  %v = rocdl.readlane %id, ${LANE} : (i32, i32) -> i32
  %r = llvm.getelementptr %out[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %v, %r : i32, !llvm.ptr<1>
  llvm.return
}
