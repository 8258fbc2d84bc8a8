/* Passes on the target-free tile dialect. Keep alphabetical. */
#ifndef TILE_TRANSFORMS_PASSES
#define TILE_TRANSFORMS_PASSES
include "tile/TilePass.td"

def TileCheckBranches : TilePass<"tile-check-branches"> {
  let summary = "refuses branches that lift-cf-to-scf cannot lift";
  let description = [{
    In `func.func` only `cf.br`, `cf.cond_br` and `cf.switch` may branch; branches of other dialects are errors where they stand.
  }];
}

def TileCheckCalls : TilePass<"tile-check-calls"> {
  let summary = "refuses calls that cannot be inlined";
  let description = [{
    Helpers are inlined into the kernels. A function that reaches itself, a call of a function without body, and a nest of
    calls that would be inlined more than 65536 times are errors at the call.
  }];
}

def TileCombine : TilePass<"tile-combine", ""> {
  let summary = "fewer and smaller operations";
  let description = [{
    - chains of `tile.addptr` become one, where the sum of the offsets cannot wrap around;
    - masks that are true or false everywhere go; `select` between a masked load and a value becomes the load's `other`;
    - `expand_dims`, `broadcast`, `reshape` and `trans` of a splat become a splat; `split` of `join` and the like vanish;
    - element-wise operations compute before `splat` and `broadcast`, on fewer elements;
    - `add (dot a, b, 0), c` becomes `dot a, b, c`.
  }];
  let dialects = ["arith"];
  let statistics = [Statistic<"numRewrites", "num-rewrites", "rewrites">];
}

def TileFormFma : TilePass<"tile-form-fma", ""> {
  let summary = "forms fused multiply-adds";
  let description = [{
    `a * b + c`, `a * b - c` and `c - a * b` on f16, f32 and f64 become `math.fma` if the product has no other use and is
    computed in the same block; of two such products the left one. A `tile.reduce` that is the only user of a product and
    sums it up gets `contract`. No other part of the compiler fuses anything else, so that the `cpu` device, the simulator and
    every chip round at the same places. Leave the pass out for `--fp-contract=off`.
  }];
  let dialects = ["arith", "math"];
  let statistics = [
    Statistic<"numFused", "num-fused", "multiply-adds formed">,
    Statistic<"numContracted", "num-contracted", "sums that products may enter">
  ];
}

def TileMergeInductions : TilePass<"tile-merge-inductions", ""> {
  let summary = "numbers that a loop moves as it moves its own variable are that variable";
  let description = [{
    A carried integer that starts at a constant distance from the lower bound of `scf.for` and is moved by its step is the induction
    variable plus that distance. Persistent kernels number the blocks that they store apart from those that they load.
  }];
  let dialects = ["arith"];
  let statistics = [Statistic<"numMerged", "num-merged", "carried numbers that are the loop's own">];
}

def TileHoistInvariant : TilePass<"tile-hoist-invariant", ""> {
  let summary = "moves what does not change in a loop in front of it";
  let description = [{
    Operations without effects leave `scf.for` and `scf.while`. Loads leave `scf.for` if nothing in the loop writes memory
    or synchronises; unless the loop is known to be entered, they are masked by `lower < upper`.
  }];
  let dialects = ["arith"];
  let statistics = [
    Statistic<"numLoads", "num-loads", "loads moved">, Statistic<"numOthers", "num-others", "other operations moved">
  ];
}

#endif
