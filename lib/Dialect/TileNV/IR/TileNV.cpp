// TileNV.cpp - the tile_nv dialect's generated classes.
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile/Dialect/TileNV/IR/TileNVDialect.h.inc"
#include "tile/Dialect/TileNV/IR/TileNVEnums.h.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TileNV/IR/TileNVOps.h.inc"

#include "tile/Dialect/TileNV/IR/TileNVDialect.cpp.inc"
#include "tile/Dialect/TileNV/IR/TileNVEnums.cpp.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TileNV/IR/TileNVOps.cpp.inc"

void tile::nv::TileNVDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tile/Dialect/TileNV/IR/TileNVOps.cpp.inc"
      >();
}

#include "tile/Dialect/TileNV/IR/TileNV.capi.cpp.inc"
