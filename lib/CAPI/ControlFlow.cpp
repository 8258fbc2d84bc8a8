// ControlFlow.cpp - upstream's lifting of branches to scf, for regions of any op (its pass takes func.func
// only).
#include "tile-c/ControlFlow.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace {
struct Lifting : ControlFlowToSCFTransformation {
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &, Region &) override {
    return emitError(loc, "got a loop without an exit, expected one that ends");
  }
};
} // namespace

extern "C" MlirLogicalResult tileLiftControlFlowToSCF(MlirOperation op) {
  IRRewriter rewriter(unwrap(op)->getContext());
  (void)eraseUnreachableBlocks(rewriter, unwrap(op)->getRegions());
  Lifting transformation;
  WalkResult result = unwrap(op)->walk([&](Operation *inner) {
    for (Region &region : inner->getRegions()) {
      DominanceInfo dominance(inner);
      if (!region.empty() && !region.hasOneBlock() &&
          failed(transformCFGToSCF(region, transformation, dominance)))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return wrap(success(!result.wasInterrupted()));
}
