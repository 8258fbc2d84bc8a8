/* Pipelines.c - which passes run, in which order, and why each stands where it does. */
#include "tile-c/Pipelines.h"
#include "mlir-c/Pass.h"
#include "tile-c/Target.h"
#include <stdlib.h>
#include <threads.h>

/* MLIR's own, without the pattern that crashes on arith.cmpf true and false (LLVM 22). */
#define CANONICALIZE "canonicalize{disable-patterns=CmpFIntToFPConst}"

/* Triton IR becomes tile ops; what is left of its branches becomes structured. Both do nothing on tile text.
 */
static const char *const import[] = {
    "convert-tt-to-tile",
    "tile-check-branches", /* others would be found out half-way */
    "func.func(lift-cf-to-scf)",
    NULL,
};

/* Target-free: fewer ops for everything after. The cpu device executes what these leave, so that roundings
 * (fma!) agree. */
static const char *const simplify[] = {
    "tile-check-calls",          /* recursion is refused before it meets the inliner */
    "symbol-dce",                /* which would also work on functions that nobody calls */
    "inline{default-pipeline=}", /* helpers disappear: later passes see whole kernels */
    "symbol-dce",                /* and their definitions too */
    CANONICALIZE,
    "tile-merge-inductions", /* knows constants; what it leaves behind folds */
    CANONICALIZE,
    "cse",
    "tile-combine", /* pointer chains and element-wise ops in front of broadcasts */
    "%fma",         /* the only place where fused multiply-adds are formed */
    /* Library functions of integers, bits and rounding: after %fma, which would change them. */
    "tile-gpu-expand-math{exact=true}",
    "tile-hoist-invariant", /* before layouts: conversions then follow the values */
    "cse",
    NULL,
};

/* For one chip. */
static const char *const toTileGPU[] = {
    "%target",                   /* fixes chip and warps; refuses what cannot be laid out */
    "%debug",                    /* before anything is laid out for them */
    "tile-gpu-find-in-place",    /* before accesses take another form than the text's */
    "tile-gpu-order-programs",   /* before anything is known of the program's numbers */
    "tile-gpu-widen-sums",       /* before all that looks for products into f32 */
    "tile-gpu-load-once",        /* before factors are looked at: bytes of several numbers each */
    "tile-gpu-form-descriptors", /* before descriptors are looked at: loads through pointers become some */
    "tile-gpu-share-loops",      /* before products and copies are looked at */
    "tile-gpu-stream-loops",     /* for the same reason */
    "tile-gpu-accelerate-wgmma{descriptors=true}", /* before descriptors are gone: the copy engine takes them */
    "tile-gpu-load-apart",                         /* blocks that products cannot take as they come */
    "tile-gpu-load-vectors",                       /* beside the blocks of products */
    "tile-gpu-load-blocks",                        /* for the same reason */
    "tile-gpu-store-blocks",                       /* for the same reason */
    "tile-gpu-expand-descriptors", /* knows the chip; a pass before it may take what the copy engine does */
    "%math", /* tile-gpu-expand-math: functions become primitives: needs the chip's precision, not its layouts
              */
    CANONICALIZE,
    "cse",
    "tile-gpu-unroll-rounds",      /* before anything in them finds its place in front of loops */
    "tile-hoist-invariant",        /* of the addresses of descriptors' blocks only the start changes */
    "tile-gpu-version-remainders", /* before accesses choose layouts: rows and columns modulo a size */
    "%split",                      /* before layouts: loops without masks, with offsets of 32 bits */
    "tile-gpu-defer-reductions",   /* before layouts: the carried elements want the layout of what is added */
    "tile-gpu-coalesce",           /* each memory op says which layout it would like */
    "tile-gpu-accelerate-wgmma",   /* products of warp groups: factors in shared memory */
    "tile-gpu-accelerate-dot",     /* each product takes an instruction, which asks for layouts */
    "tile-gpu-assign-layouts",     /* one layout per value, by cost */
    "tile-gpu-defer-lanes",        /* layouts say which lanes share a row */
    "tile-gpu-order-memory",       /* layouts say which warp accesses what */
    "tile-gpu-pipeline",           /* loads ahead of their use, into buffers that fit their readers */
    "tile-gpu-rotate-products",    /* the second of two products beside the first of the next iteration */
    "tile-gpu-sink-waits",         /* other products of an iteration beside each other */
    "tile-gpu-warp-specialize",    /* where a loop asks for it */
    "tile-gpu-pipeline-tma",       /* the same for the copy engine, which counts bytes */
    "tile-gpu-overlap-wgmma",      /* one product stays open: its wait moves behind the loop */
    "tile-gpu-alternate-buffers",  /* beside the rings of the copy engine, whose bytes are known now */
    "tile-gpu-merge-carried",      /* rings that advance together */
    CANONICALIZE,
    "cse",                      /* what its stages have in common */
    "tile-gpu-defer-epilogues", /* when waits and copies stand where they stay, and what only copies needed is gone */
    "tile-gpu-prefetch",       /* fragments ahead of their products */
    "tile-gpu-buffer-factors", /* what is left of conversions of factors */
    "tile-gpu-early-copies", /* AMD's start behind the barrier that stands between these and their products */
    "tile-gpu-buffer-accesses", /* after the passes that know loads by their pointers */
    "tile-gpu-sink-epilogues",  /* when conversions are those that stay */
    "tile-gpu-skip-products",   /* looks for selections, which the next one hides in branches */
    "tile-gpu-skip-masks",      /* last of those that move ops: they do not look into branches */
    "%maxima", /* tile-gpu-scale-sums, tile-gpu-scale-maxima, tile-gpu-rising-maxima: products behind branches enter sums unrounded */
    "tile-gpu-allocate-shared", /* offsets in shared memory, checked against the chip */
    "tile-gpu-insert-barriers", /* no scratch is overwritten before it is read */
    NULL,
};

static void append(TileStringBuilder *out, const char *pass) {
  if (!*pass)
    return;
  tileStringAppendText(out, out->length ? "," : "");
  tileStringAppendText(out, pass);
}

static void appendTarget(TileStringBuilder *out, const TileCompileOptions *o) {
  tileStringAppendFormat(out, "%sconvert-tile-to-tile-gpu{target=%s num-warps=%d num-ctas=%d num-stages=%d",
                         out->length ? "," : "", o->target, o->numWarps ? o->numWarps : 4,
                         o->numCtas ? o->numCtas : 1, o->numStages ? o->numStages : 3);
  if (o->disable && *o->disable)
    tileStringAppendFormat(out, " disable=%s", o->disable);
  tileStringAppendText(out, "}");
}

static bool isAmd(const TileCompileOptions *o) {
  const TileTargetInfo *target = o->target ? tileTargetLookup(o->target) : NULL;
  return target && target->vendor == TileVendor_AMD;
}

static void appendAll(TileStringBuilder *out, const char *const *steps, const TileCompileOptions *o) {
  for (; *steps; ++steps) {
    if (!strcmp(*steps, "%target"))
      appendTarget(out, o);
    else if (!strcmp(*steps, "%debug"))
      append(out, o->debug ? "tile-gpu-drop-debug{asserts=true}" : "tile-gpu-drop-debug");
    else if (!strcmp(*steps, "%split"))
      append(out, isAmd(o) ? "tile-gpu-split-loops,tile-gpu-split-stores," CANONICALIZE ",tile-combine" : "");
    else if (!strcmp(*steps, "%math"))
      append(out, o->precise ? "tile-gpu-expand-math{precise=true}" : "tile-gpu-expand-math");
    else if (strcmp(*steps, "%fma") && strcmp(*steps, "%maxima"))
      append(out, *steps);
    else if (!o->noFpContract)
      append(out, !strcmp(*steps, "%fma")
                      ? "tile-form-fma"
                      : "tile-gpu-scale-sums,tile-gpu-scale-maxima,tile-gpu-rising-maxima");
  }
}

/* The passes that lead from the stage before to `stage`. */
static void appendStage(TileStringBuilder *out, TilePipelineStage stage, const TileCompileOptions *o,
                        bool nvidia) {
  switch (stage) {
  case TilePipelineStage_Tile:
    appendAll(out, import, o);
    appendAll(out, simplify, o);
    break;
  case TilePipelineStage_TileGPU:
    appendAll(out, toTileGPU, o);
    break;
  case TilePipelineStage_LLVMDialect:
    append(out, nvidia ? "convert-tile-gpu-to-nvvm" : "convert-tile-gpu-to-rocdl");
    if (o->precise)
      tileStringAppendText(out, "{precise=true}");
    if (!nvidia)
      append(out, "tile-interleave-products"); /* the order of issue, which LLVM would not find */
    break;
  case TilePipelineStage_Final:
    append(out, "tile-check-legality"); /* LLVM must not be the one to find out */
    if (nvidia)
      append(out, "expand-tile-nv"); /* last: inline PTX is opaque */
    break;
  }
}

static bool appendStages(TileStringBuilder *out, TilePipelineStage first, TilePipelineStage last,
                         const TileCompileOptions *o) {
  const TileTargetInfo *target = o->target ? tileTargetLookup(o->target) : NULL;
  if (!target && last != TilePipelineStage_Tile)
    return false;
  for (TilePipelineStage stage = first; stage <= last; ++stage)
    appendStage(out, stage, o, target && target->vendor == TileVendor_NVIDIA);
  return true;
}

bool tilePipelineText(TilePipelineStage upTo, const TileCompileOptions *o, TileStringBuilder *out) {
  return appendStages(out, TilePipelineStage_Tile, upTo, o);
}

static once_flag registered = ONCE_FLAG_INIT;

static void appendError(MlirStringRef text, void *user) { tileStringAppend(user, text.data, text.length); }

static MlirLogicalResult runText(MlirOperation op, MlirStringRef text) {
  TileStringBuilder error = {0};
  MlirPassManager manager = mlirPassManagerCreate(mlirOperationGetContext(op));
  // After each pass it would take a fifth of the time that passes take; tile-opt does that.
  mlirPassManagerEnableVerifier(manager, false);
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(passes, text, appendError, &error);
  if (tileFailed(result))
    (void)tileEmitError(mlirOperationGetLocation(op), "internal error: cannot build the pass pipeline: %s",
                        error.data ? error.data : "");
  else
    result = mlirPassManagerRunOnOp(manager, op);
  if (tileSucceeded(result) && !mlirOperationVerify(op))
    result = tileFailure();
  mlirPassManagerDestroy(manager);
  tileStringRelease(&error);
  return result;
}

static MlirLogicalResult runStages(MlirModule module, TilePipelineStage first, TilePipelineStage last,
                                   const TileCompileOptions *options) {
  MlirOperation op = mlirModuleGetOperation(module);
  TileStringBuilder text = {0};
  call_once(&registered, tileRegisterAllPasses);
  MlirLogicalResult result =
      appendStages(&text, first, last, options)
          ? runText(op, mlirStringRefCreate(text.data ? text.data : "", text.length))
          : tileEmitError(mlirOperationGetLocation(op), "got target '%s', expected one of %s",
                          options->target ? options->target : "", tileTargetNames());
  tileStringRelease(&text);
  return result;
}

MlirLogicalResult tileRunPipeline(MlirModule module, TilePipelineStage upTo,
                                  const TileCompileOptions *options) {
  return runStages(module, TilePipelineStage_Tile, upTo, options);
}

MlirLogicalResult tileContinuePipeline(MlirModule module, TilePipelineStage after, TilePipelineStage upTo,
                                       const TileCompileOptions *options) {
  return after < upTo ? runStages(module, after + 1, upTo, options) : tileSuccess();
}
