// TT.cpp - the tt dialect's generated classes and the pieces of its syntax that ODS cannot say.
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "tile/Dialect/TT/IR/TTDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile::tt;

Type tile::tt::pointeeTypeOf(Type type) {
  if (auto ptr = dyn_cast<PtrType>(type))
    return ptr.getPointeeType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto ptr = tensor ? dyn_cast<PtrType>(tensor.getElementType()) : PtrType();
  return ptr ? tensor.clone(ptr.getPointeeType()) : type;
}

Type tile::tt::maskTypeOf(Type type) {
  Type i1 = IntegerType::get(type.getContext(), 1);
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(i1)) : i1;
}

Type tile::tt::blockPtrBaseOf(Type type) {
  auto ptr = dyn_cast<PtrType>(type);
  auto block = ptr ? dyn_cast<RankedTensorType>(ptr.getPointeeType()) : RankedTensorType();
  return block ? PtrType::get(type.getContext(), block.getElementType(), ptr.getAddressSpace()) : type;
}

// ---- Types: !tt.tensordesc<64x32xf16> and !tt.tensordesc<tensor<64x32xf16>> ----

Type TensorDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult whole = parser.parseOptionalType(element);
  if (whole.has_value()
          ? failed(*whole)
          : failed(parser.parseDimensionList(shape, /*allowDynamic=*/false)) || parser.parseType(element))
    return {};
  if (parser.parseGreater())
    return {};
  auto tensor = dyn_cast<RankedTensorType>(element);
  if (whole.has_value() != bool(tensor))
    return parser.emitError(loc, "got ") << element << ", expected a block such as 64x32xf16", Type();
  return tensor ? get(parser.getContext(), tensor.getShape(), tensor.getElementType())
                : get(parser.getContext(), shape, element);
}

void TensorDescType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ">";
}

// ---- tt.reshape: keyword, or a boolean in the dictionary ----

static ParseResult parseFlag(OpAsmParser &parser, BoolAttr &flag, StringRef keyword) {
  if (succeeded(parser.parseOptionalKeyword(keyword)))
    flag = parser.getBuilder().getBoolAttr(true);
  return success();
}

static void printFlag(OpAsmPrinter &printer, Operation *, BoolAttr flag, StringRef keyword) {
  if (flag && flag.getValue())
    printer << keyword;
}

// ---- tt.dot_scaled: `%a scale %as, %b scale %bs, %c`, or the list of 3.2 ----

using Operand = OpAsmParser::UnresolvedOperand;

static ParseResult parseDotScaledOperands(OpAsmParser &parser, Operand &a, std::optional<Operand> &aScale,
                                          Operand &b, std::optional<Operand> &bScale, Operand &c) {
  SmallVector<Operand> plain;
  bool named = false;
  auto parseOne = [&]() -> ParseResult {
    if (parser.parseOperand(plain.emplace_back()))
      return failure();
    std::optional<Operand> &scale = plain.size() == 1 ? aScale : bScale;
    if (plain.size() > 2 || failed(parser.parseOptionalKeyword("scale")))
      return success();
    named = true;
    return parser.parseOperand(scale.emplace());
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(parseOne))
    return failure();
  if (plain.size() < 3 || plain.size() > (named ? 3 : 5))
    return parser.emitError(loc, "got ")
           << plain.size() << " operands, expected a, b and c, with or without scales";
  a = plain.front();
  c = plain.back();
  b = plain[plain.size() == 3 ? 1 : 2];
  if (plain.size() > 3)
    aScale = plain[1];
  if (plain.size() == 5)
    bScale = plain[3];
  return success();
}

static void printDotScaledOperands(OpAsmPrinter &printer, Operation *, Value a, Value aScale, Value b,
                                   Value bScale, Value c) {
  auto printOne = [&](Value value, Value scale) {
    printer << value;
    if (scale)
      printer << " scale " << scale;
    printer << ", ";
  };
  printOne(a, aScale);
  printOne(b, bScale);
  printer << c;
}

// ---- Generated code ----

#include "tile/Dialect/TT/IR/TTDialect.cpp.inc"
#include "tile/Dialect/TT/IR/TTEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tile/Dialect/TT/IR/TTAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/TT/IR/TTTypes.cpp.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TT/IR/TTOps.cpp.inc"

void TTDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/Dialect/TT/IR/TTAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/Dialect/TT/IR/TTTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/Dialect/TT/IR/TTOps.cpp.inc"
      >();
}

// ---- tt.func ----

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

#include "tile/Dialect/TT/IR/TT.capi.cpp.inc"
