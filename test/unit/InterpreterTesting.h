// InterpreterTesting.h - runs a kernel text on the cpu device and gives back what it wrote, printed and
// complained of.
#ifndef TILE_TEST_UNIT_INTERPRETERTESTING_H
#define TILE_TEST_UNIT_INTERPRETERTESTING_H
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "tile-c/IR.h"
#include "tile-c/Interpreter.h"
#include "tile-c/Numerics.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

/// One MLIR context for all tests of a program.
inline MlirContext testContext() {
  static MlirContext context = [] {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    tileRegisterAllDialects(registry);
    MlirContext c = mlirContextCreateWithRegistry(registry, false);
    mlirDialectRegistryDestroy(registry);
    mlirContextLoadAllAvailableDialects(c);
    return c;
  }();
  return context;
}

/// Text of a diagnostic: "line: message".
inline MlirLogicalResult appendDiagnostic(MlirDiagnostic diagnostic, void *user) {
  std::string text;
  auto append = [](MlirStringRef part, void *to) { ((std::string *)to)->append(part.data, part.length); };
  MlirLocation where = mlirDiagnosticGetLocation(diagnostic);
  if (mlirLocationIsAFileLineColRange(where))
    text = std::to_string(mlirLocationFileLineColRangeGetStartLine(where)) + ": ";
  mlirDiagnosticPrint(diagnostic, append, &text);
  *(std::string *)user += text + "\n";
  return mlirLogicalResultSuccess();
}

class KernelRun {
public:
  explicit KernelRun(std::string body) : text(std::move(body)) {}

  template <typename T> KernelRun &buffer(TileElementType type, std::vector<T> &data) {
    TileArgument a = {};
    a.type = type, a.isBuffer = true, a.data = data.data();
    a.numElements = (int64_t)(data.size() * sizeof(T) / tileElementTypeSize(type));
    arguments.push_back(a);
    return *this;
  }
  KernelRun &f32(std::vector<float> &data) { return buffer(TileElementType_F32, data); }
  KernelRun &i32(std::vector<int32_t> &data) { return buffer(TileElementType_I32, data); }
  KernelRun &i64(std::vector<int64_t> &data) { return buffer(TileElementType_I64, data); }
  KernelRun &integer(TileElementType type, int64_t value) {
    TileArgument a = {};
    a.type = type, a.scalar.i = value;
    arguments.push_back(a);
    return *this;
  }
  KernelRun &number(TileElementType type, double value) {
    TileArgument a = {};
    a.type = type, a.scalar.f = value;
    arguments.push_back(a);
    return *this;
  }

  /// Executes; true if it succeeded. Diagnostics and printed lines are left in `log` and `printed`.
  bool run(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1) {
    MlirContext context = testContext();
    MlirDiagnosticHandlerID handler =
        mlirContextAttachDiagnosticHandler(context, appendDiagnostic, &log, nullptr);
    MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreate(text.data(), text.size()));
    bool ok = false;
    if (!mlirModuleIsNull(module)) {
      options.print = [](const char *line, void *to) { ((std::vector<std::string> *)to)->push_back(line); };
      options.printUser = &printed;
      uint32_t grid[3] = {x, y, z};
      ok = tileSucceeded(
          tileInterpretKernel(module, nullptr, grid, arguments.data(), arguments.size(), &options));
      mlirModuleDestroy(module);
    }
    mlirContextDetachDiagnosticHandler(context, handler);
    return ok;
  }

  std::string text, log;
  std::vector<std::string> printed;
  std::vector<TileArgument> arguments;
  TileInterpretOptions options = {};
};

#endif
