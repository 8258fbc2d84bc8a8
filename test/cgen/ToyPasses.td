// ToyPasses.td - passes with an option of each type, with statistics, and with neither.
#ifndef TOY_PASSES
#define TOY_PASSES
include "mlir/Pass/PassBase.td"

def ToyPaint : Pass<"toy-paint", "::mlir::ModuleOp"> {
  let summary = "paints";
  let options = [
    Option<"coats", "coats", "int64_t", "2", "how often">,
    Option<"brushes", "brushes", "unsigned", "1", "how many brushes">,
    Option<"isDry", "dry", "bool", "false", "paints without paint">,
    Option<"color", "color", "std::string", "\"red\"", "name of the colour">,
  ];
  let statistics = [Statistic<"numPainted", "num-painted", "ops painted">, Statistic<"numSkipped", "num-skipped", "ops left">];
}
def ConvertToyToDust : Pass<"convert-toy-to-dust"> {
  let summary = "breaks everything";
}

#endif
