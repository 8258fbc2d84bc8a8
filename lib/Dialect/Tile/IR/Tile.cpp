// Registration of the tile dialect and the few hooks that MLIR offers in C++ only; verifiers and folders are
// C.
#include "TileHooks.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "tile-c/IR.h"
#include "tile/Dialect/Tile/IR/BodyText.h"
#include "tile/Dialect/Tile/IR/TileDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

Type tile::elementOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

static Type withElement(Type shape, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(shape);
  return tensor ? tensor.clone(element) : element;
}

Type tile::pointeeLike(Type type) {
  auto ptr = dyn_cast<PtrType>(elementOf(type));
  return ptr ? withElement(type, ptr.getPointee()) : type;
}

Type tile::boolLike(Type type) { return withElement(type, IntegerType::get(type.getContext(), 1)); }

Type tile::descBase(Type type) {
  auto desc = dyn_cast<DescType>(type);
  return desc ? PtrType::get(type.getContext(), desc.getElementType(), 1) : type;
}

// ---- types ----

static bool isPointee(Type type) { return tileTypeIsNumber(wrap(type)); }

LogicalResult tile::PtrType::verify(function_ref<InFlightDiagnostic()> emitError, Type pointee, unsigned) {
  return isPointee(pointee) ? success()
                            : emitError() << "got pointee " << pointee << ", expected a number type";
}

LogicalResult tile::DescType::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> shape,
                                     Type elementType, Attribute) {
  if (!isPointee(elementType))
    return emitError() << "got element " << elementType << ", expected a number type";
  if (shape.empty() || shape.size() > 5)
    return emitError() << "got a block of " << shape.size() << " dimensions, expected 1 to 5";
  if (llvm::any_of(shape, [](int64_t size) { return size <= 0; }))
    return emitError() << "got a block with an unknown or empty dimension, expected positive sizes";
  return success();
}

static ParseResult parseDescBlock(AsmParser &parser, SmallVector<int64_t> &shape, Type &element) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element));
}

static void printDescBlock(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer.printDimensionList(shape);
  printer << 'x' << element;
}

// ---- memory effects that depend on attributes ----

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

static void addReadWrite(Effects &effects, bool write) {
  effects.emplace_back(MemoryEffects::Read::get());
  if (write)
    effects.emplace_back(MemoryEffects::Write::get());
}

void tile::LoadOp::getEffects(Effects &effects) { addReadWrite(effects, getIsVolatile()); }

void tile::ExternElementwiseOp::getEffects(Effects &effects) {
  if (!getIsPure())
    addReadWrite(effects, true);
}

void tile::InlineAsmOp::getEffects(Effects &effects) {
  if (!getIsPure())
    addReadWrite(effects, true);
}

static Speculation::Speculatability speculatableIf(bool pure) {
  return pure ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

Speculation::Speculatability tile::ExternElementwiseOp::getSpeculatability() {
  return speculatableIf(getIsPure());
}
Speculation::Speculatability tile::InlineAsmOp::getSpeculatability() { return speculatableIf(getIsPure()); }

// ---- the dialect ----

namespace {
/// Every tile operation may move into any function: helpers are always inlined.
struct TileInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

Operation *tile::TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                                  Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult tile::TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  return unwrap(tileVerifyOperationAttribute(wrap(op), {wrap(attr.getName()), wrap(attr.getValue())}));
}

LogicalResult tile::TileDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                          NamedAttribute attr) {
  return unwrap(tileVerifyArgAttribute(wrap(op), {wrap(attr.getName()), wrap(attr.getValue())}));
}

void tile::TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
  addInterfaces<TileInlinerInterface>();
}

#include "tile/Dialect/Tile/IR/TileDialect.cpp.inc"
#include "tile/Dialect/Tile/IR/TileEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/Tile/IR/TileTypes.cpp.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/Tile/IR/TileOps.cpp.inc"

#include "tile/Dialect/Tile/IR/Tile.capi.cpp.inc"
