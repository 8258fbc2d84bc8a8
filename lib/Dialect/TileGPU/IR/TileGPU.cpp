// TileGPU.cpp - the tile_gpu dialect's generated classes and the text form of its layout attribute.
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tile-c/Dialect/TileGPUMemory.h"
#include "tile/Dialect/Tile/IR/BodyText.h"
#include "tile/Dialect/TileGPU/IR/TileGPUDialect.h.inc"
#include "tile/Dialect/TileGPU/IR/TileGPUEnums.h.inc"
#include "llvm/ADT/TypeSwitch.h"
#define GET_ATTRDEF_CLASSES
#include "tile/Dialect/TileGPU/IR/TileGPUAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/TileGPU/IR/TileGPUTypes.h.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TileGPU/IR/TileGPUOps.h.inc"

#include "tile/Dialect/TileGPU/IR/TileGPUDialect.cpp.inc"
#include "tile/Dialect/TileGPU/IR/TileGPUEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tile/Dialect/TileGPU/IR/TileGPUAttrs.cpp.inc"

using namespace mlir;

static ParseResult parseMemDescShape(AsmParser &parser, SmallVector<int64_t> &shape, Type &element) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(element));
}

static void printMemDescShape(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer.printDimensionList(shape);
  printer << 'x' << element;
}

#define GET_TYPEDEF_CLASSES
#include "tile/Dialect/TileGPU/IR/TileGPUTypes.cpp.inc"
#define GET_OP_CLASSES
#include "tile/Dialect/TileGPU/IR/TileGPUOps.cpp.inc"

namespace {
// Layouts are long: print each once, on top of the module.
struct LayoutAlias : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!llvm::isa<tile::gpu::LayoutAttr, tile::gpu::SharedAttr>(attr))
      return AliasResult::NoAlias;
    os << (llvm::isa<tile::gpu::LayoutAttr>(attr) ? "layout" : "shared");
    return AliasResult::FinalAlias;
  }
};
} // namespace

void tile::gpu::TileGPUDialect::initialize() {
  addInterfaces<LayoutAlias>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tile/Dialect/TileGPU/IR/TileGPUAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "tile/Dialect/TileGPU/IR/TileGPUTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tile/Dialect/TileGPU/IR/TileGPUOps.cpp.inc"
      >();
}

// `name = [[a, b], [c, d]]`, each inner list of `rank` numbers, appended to `bases`.
static ParseResult parseBases(AsmParser &parser, StringRef name, int64_t rank,
                              SmallVectorImpl<int64_t> &bases) {
  if (parser.parseKeyword(name) || parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    size_t before = bases.size();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
          return parser.parseInteger(bases.emplace_back());
        }))
      return failure();
    if ((int64_t)(bases.size() - before) != rank)
      return parser.emitError(loc) << "got a basis of " << bases.size() - before << " coordinates, expected "
                                   << rank;
    return success();
  });
}

static void printBases(AsmPrinter &printer, StringRef name, int64_t rank, ArrayRef<int64_t> bases) {
  printer << name << " = [";
  for (size_t i = 0; i < bases.size(); i += rank) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(bases.slice(i, rank), printer);
    printer << "]";
  }
  printer << "]";
}

Attribute tile::gpu::LayoutAttr::parse(AsmParser &parser, Type) {
  int64_t rank = 0;
  SmallVector<int64_t> bases[4];
  static constexpr const char *names[] = {"register", "lane", "warp", "block"};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseInteger(rank))
    return {};
  if (rank < 1)
    return parser.emitError(loc) << "got rank " << rank << ", expected at least 1", Attribute();
  for (int i = 0; i < 4; ++i)
    if (parser.parseComma() || parseBases(parser, names[i], rank, bases[i]))
      return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<LayoutAttr>(loc, parser.getContext(), rank, bases[0], bases[1], bases[2],
                                       bases[3]);
}

void tile::gpu::LayoutAttr::print(AsmPrinter &printer) const {
  printer << "<" << getRank() << ", ";
  printBases(printer, "register", getRank(), getRegisters());
  printBases(printer << ", ", "lane", getRank(), getLanes());
  printBases(printer << ", ", "warp", getRank(), getWarps());
  printBases(printer << ", ", "block", getRank(), getBlocks());
  printer << ">";
}

LogicalResult tile::gpu::LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                                            ArrayRef<int64_t> registers, ArrayRef<int64_t> lanes,
                                            ArrayRef<int64_t> warps, ArrayRef<int64_t> blocks) {
  for (ArrayRef<int64_t> bases : {registers, lanes, warps, blocks})
    for (int64_t c : bases)
      if (c < 0 || c > INT32_MAX)
        return emitError() << "got coordinate " << c << " in a basis, expected 0 to " << INT32_MAX;
  return success();
}

// `, name = [a, b]` or `, name = a`: n numbers; absent: they stay as they are.
static ParseResult parseOptionalNumbers(AsmParser &parser, ArrayRef<int64_t *> numbers) {
  auto next = [&, i = size_t(0)]() mutable -> ParseResult {
    if (i == numbers.size())
      return parser.emitError(parser.getCurrentLocation())
             << "got more than " << numbers.size() << " numbers";
    return parser.parseInteger(*numbers[i++]);
  };
  if (parser.parseEqual())
    return failure();
  return numbers.size() == 1 ? next() : parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, next);
}

Attribute tile::gpu::SharedAttr::parse(AsmParser &parser, Type) {
  int64_t rank = 0, interval = 0, amount = 0, alignment = TileShared_DefaultAlignment;
  SmallVector<int64_t> offsets, blocks;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseInteger(rank))
    return {};
  if (rank < 1)
    return parser.emitError(loc) << "got rank " << rank << ", expected at least 1", Attribute();
  if (parser.parseComma() || parseBases(parser, "offset", rank, offsets) || parser.parseComma() ||
      parseBases(parser, "block", rank, blocks))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    bool pad = succeeded(parser.parseOptionalKeyword("pad"));
    if (!pad && parser.parseKeyword("align"))
      return {};
    if (pad ? parseOptionalNumbers(parser, {&interval, &amount}) : parseOptionalNumbers(parser, {&alignment}))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SharedAttr>(loc, parser.getContext(), rank, offsets, blocks, interval, amount,
                                       alignment);
}

void tile::gpu::SharedAttr::print(AsmPrinter &printer) const {
  printer << "<" << getRank() << ", ";
  printBases(printer, "offset", getRank(), getOffsets());
  printBases(printer << ", ", "block", getRank(), getBlocks());
  if (getPadInterval())
    printer << ", pad = [" << getPadInterval() << ", " << getPadAmount() << "]";
  if (getAlignment() != TileShared_DefaultAlignment)
    printer << ", align = " << getAlignment();
  printer << ">";
}

LogicalResult tile::gpu::SharedAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                                            ArrayRef<int64_t> offsets, ArrayRef<int64_t> blocks,
                                            int64_t padInterval, int64_t padAmount, int64_t alignment) {
  const char *problem = tileSharedAttrProblem(rank, offsets.size(), offsets.data(), blocks.size(),
                                              blocks.data(), padInterval, padAmount, alignment);
  return problem ? emitError() << problem : success();
}

LogicalResult tile::gpu::MemDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                             ArrayRef<int64_t> shape, Type elementType, Attribute layout) {
  const char *problem = tileMemDescProblem(shape.size(), shape.data(), wrap(elementType), wrap(layout));
  return problem ? emitError() << problem : success();
}

#include "tile/Dialect/TileGPU/IR/TileGPU.capi.cpp.inc"
