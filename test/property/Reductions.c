/* Reductions.c - tile-reductions: random tensors reduced in random layouts on the simulator.
 *
 *   tile-reductions [--seed=N] [--count=N] [--only=N] [--verbose]
 *
 * Each kernel loads a tensor, reduces it along one dimension, and stores the results broadcast back to the tensor's
 * shape, in its layout: so every thread that holds a result shows its own copy. What is expected is computed here,
 * element by element; all values are small whole numbers, so that no order of additions can be told from another. */
#include "Harness.h"
#include "Pairs.h"
#include <stdio.h>
#include <stdlib.h>

typedef enum Rule { Rule_Add, Rule_Xor, Rule_Max, Rule_Min, Rule_ArgMax } Rule;

typedef struct Reducer {
  const char *op;   ///< of two elements
  const char *type; ///< of the elements
  TileElementType element;
  Rule rule;
} Reducer;

static const Reducer reducers[] = {
    {"arith.addi", "i32", TileElementType_I32, Rule_Add},
    {"arith.addi", "i16", TileElementType_I16, Rule_Add},
    {"arith.addf", "f32", TileElementType_F32, Rule_Add},
    {"arith.addf", "f64", TileElementType_F64, Rule_Add},
    {"arith.xori", "i32", TileElementType_I32, Rule_Xor},
    {"arith.xori", "i64", TileElementType_I64, Rule_Xor},
    {"arith.maxsi", "i8", TileElementType_I8, Rule_Max},
    {"arith.maxsi", "i32", TileElementType_I32, Rule_Max},
    {"arith.minsi", "i16", TileElementType_I16, Rule_Min},
    {"arith.maxnumf", "f32", TileElementType_F32, Rule_Max},
    {"arith.minimumf", "f32", TileElementType_F32, Rule_Min},
    {"", "f32", TileElementType_F32, Rule_ArgMax},
};

static const char *const chips[] = {"sm_90a", "gfx942", "gfx1100"};

typedef struct Case {
  const TileTargetInfo *target;
  const Reducer *by;
  int warpBits, axis;
  TileLayout layout, reduced;
} Case;

// ---- The kernel's text ----

/* "tensor<4x8x"; `skip`: a dimension that is left out; flat: one dimension. */
static const char *shapeText(const TileLayout *l, bool flat, char *buffer, size_t size) {
  int n = snprintf(buffer, size, "tensor<");
  if (flat)
    n += snprintf(buffer + n, size - (size_t)n, "%lldx", (long long)tileLayoutNumElements(l));
  for (int d = 0; !flat && d < l->rank; ++d)
    n += snprintf(buffer + n, size - (size_t)n, "%dx", l->shape[d]);
  return buffer;
}

static void appendHead(TileStringBuilder *out, const Case *c) {
  int64_t flat[] = {tileLayoutNumElements(&c->layout)};
  TileLayout flattened, expanded;
  (void)tileLayoutReshape(&c->layout, flat, 1, &flattened);
  harnessAppendLayout(out, "A", &c->layout);
  harnessAppendLayout(out, "A1", &flattened);
  if (c->reduced.rank) {
    (void)tileLayoutExpandDims(&c->reduced, c->axis, &expanded);
    harnessAppendLayout(out, "R", &c->reduced);
    harnessAppendLayout(out, "E", &expanded);
  }
  harnessAppendModule(out, c->target, 1 << c->warpBits);
  tileStringAppendFormat(
      out, "func.func @reduce(%%x: !tile.ptr<%s>, %%y: !tile.ptr<%s>) attributes {tile.kernel} {\n",
      c->by->type, c->by->rule == Rule_ArgMax ? "i32" : c->by->type);
}

/* %p: addresses of all elements behind %base, flat. */
static void appendAddresses(TileStringBuilder *out, const Case *c, const char *p, const char *base,
                            const char *type) {
  char flat[64];
  shapeText(&c->layout, true, flat, sizeof flat);
  tileStringAppendFormat(out, "  %%s%s = tile.splat %%%s : %s!tile.ptr<%s>, #A1>\n", p, base, flat, type);
  tileStringAppendFormat(out, "  %%%s = tile.addptr %%s%s, %%r : %s!tile.ptr<%s>, #A1>, %si32, #A1>\n", p, p,
                         flat, type, flat);
}

static void appendArgMax(TileStringBuilder *out, const char *full, const char *result) {
  tileStringAppendFormat(out, "f32%s, %si32%s {\n", *result == 't' ? ", #R>" : "", result,
                         *result == 't' ? ", #R>" : "");
  (void)full;
  tileStringAppendText(
      out, "  ^bb0(%a: f32, %ai: i32, %b: f32, %bi: i32):\n    %gt = arith.cmpf ogt, %a, %b : f32\n    %eq = "
           "arith.cmpf oeq, %a, %b : f32\n    %lt = arith.cmpi slt, %ai, %bi : i32\n    %t = arith.andi %eq, "
           "%lt : "
           "i1\n    %w = arith.ori %gt, %t : i1\n    %m = arith.select %w, %a, %b : f32\n    %mi = "
           "arith.select %w, "
           "%ai, %bi : i32\n    tile.yield %m, %mi : f32, i32\n  }\n");
}

/* %s: the results. */
static void appendReduction(TileStringBuilder *out, const Case *c, const char *full) {
  const Reducer *by = c->by;
  char result[64] = "";
  const char *end = c->reduced.rank ? ", #R>" : "";
  if (c->reduced.rank)
    shapeText(&c->reduced, false, result, sizeof result);
  if (by->rule == Rule_ArgMax) {
    tileStringAppendFormat(out, "  %%i = tile.reshape %%r : tensor<%lldxi32, #A1> -> %si32, #A>\n",
                           (long long)tileLayoutNumElements(&c->layout), full);
    tileStringAppendFormat(out,
                           "  %%best, %%s = tile.reduce %%v, %%i axis = %d : %sf32, #A>, %si32, #A> -> %s",
                           c->axis, full, full, result);
    appendArgMax(out, full, result);
    return;
  }
  tileStringAppendFormat(
      out,
      "  %%s = tile.reduce %%v axis = %d : %s%s, #A> -> %s%s%s {\n  ^bb0(%%a: %s, %%b: %s):\n    "
      "%%t = %s %%a, %%b : %s\n    tile.yield %%t : %s\n  }\n",
      c->axis, full, by->type, result, by->type, end, by->type, by->type, by->op, by->type, by->type);
}

static void appendBody(TileStringBuilder *out, const Case *c) {
  char flat[64], full[96], result[96], expanded[96];
  const char *e = c->by->type, *o = c->by->rule == Rule_ArgMax ? "i32" : e;
  TileLayout one = c->layout;
  one.shape[c->axis] = 1;
  shapeText(&c->layout, true, flat, sizeof flat);
  shapeText(&c->layout, false, full, sizeof full);
  shapeText(&c->reduced, false, result, sizeof result);
  shapeText(&one, false, expanded, sizeof expanded);
  tileStringAppendFormat(out, "  %%r = tile.make_range 0 to %lld : %si32, #A1>\n",
                         (long long)tileLayoutNumElements(&c->layout), flat);
  appendAddresses(out, c, "p", "x", e);
  appendAddresses(out, c, "q", "y", o);
  tileStringAppendFormat(out, "  %%l = tile.load %%p : %s!tile.ptr<%s>, #A1>\n", flat, e);
  tileStringAppendFormat(out, "  %%v = tile.reshape %%l : %s%s, #A1> -> %s%s, #A>\n", flat, e, full, e);
  appendReduction(out, c, full);
  if (c->reduced.rank) {
    tileStringAppendFormat(out, "  %%e = tile.expand_dims %%s axis = %d : %s%s, #R> -> %s%s, #E>\n", c->axis,
                           result, o, expanded, o);
    tileStringAppendFormat(out, "  %%b = tile.broadcast %%e : %s%s, #E> -> %s%s, #A>\n", expanded, o, full,
                           o);
  } else {
    tileStringAppendFormat(out, "  %%b = tile.splat %%s : %s%s, #A>\n", full, o);
  }
  tileStringAppendFormat(out, "  %%w = tile.reshape %%b : %s%s, #A> -> %s%s, #A1>\n", full, o, flat, o);
  tileStringAppendFormat(out, "  tile.store %%q, %%w : %s!tile.ptr<%s>, #A1>\n  return\n}\n}\n", flat, o);
}

// ---- What is expected ----

static void put(TileElementType type, void *buffer, size_t i, int value) {
  switch (type) {
  case TileElementType_I8:
    ((int8_t *)buffer)[i] = (int8_t)value;
    break;
  case TileElementType_I16:
    ((int16_t *)buffer)[i] = (int16_t)value;
    break;
  case TileElementType_I32:
    ((int32_t *)buffer)[i] = value;
    break;
  case TileElementType_I64:
    ((int64_t *)buffer)[i] = value;
    break;
  case TileElementType_F32:
    ((float *)buffer)[i] = (float)value;
    break;
  default:
    ((double *)buffer)[i] = value;
  }
}

/* Reduces the row through element i; `stride`: between neighbours along the axis. */
static int reduceRow(const Case *c, const int *values, size_t i, size_t stride) {
  size_t length = (size_t)c->layout.shape[c->axis], first = i - i / stride % length * stride;
  int result = values[first], where = (int)first;
  for (size_t k = 1; k < length; ++k) {
    int x = values[first + k * stride];
    if (c->by->rule == Rule_ArgMax && x > result)
      where = (int)(first + k * stride);
    result = c->by->rule == Rule_Add   ? result + x
             : c->by->rule == Rule_Xor ? result ^ x
             : c->by->rule == Rule_Min ? (x < result ? x : result)
                                       : (x > result ? x : result);
  }
  return c->by->rule == Rule_ArgMax ? where : result;
}

static const char *run(const Case *c, Random *random, const TileStringBuilder *lowered) {
  TileElementType to = c->by->rule == Rule_ArgMax ? TileElementType_I32 : c->by->element;
  size_t n = (size_t)tileLayoutNumElements(&c->layout), size = tileElementTypeSize(c->by->element),
         outSize = tileElementTypeSize(to), stride = 1;
  int *values = malloc(n * sizeof *values);
  unsigned char *in = malloc(n * size), *out = calloc(n, outSize), *expected = malloc(n * outSize);
  for (int d = c->axis + 1; d < c->layout.rank; ++d)
    stride *= (size_t)c->layout.shape[d];
  for (size_t i = 0; i < n; ++i)
    put(c->by->element, in, i, values[i] = below(random, 41) - 20);
  for (size_t i = 0; i < n; ++i)
    put(to, expected, i, reduceRow(c, values, i, stride));
  TileStringBuilder json = {0};
  const char *problem = "";
  if (!harnessSimulate(lowered, c->target, 1 << c->warpBits, in, n * size, out, n * outSize, &json))
    problem = "the simulator found a fault";
  else if (memcmp(out, expected, n * outSize))
    problem = "results are wrong";
  tileStringRelease(&json);
  free(values);
  free(in);
  free(out);
  free(expected);
  return problem;
}

static bool runCase(MlirContext context, unsigned long long seed, bool verbose) {
  Random random = {seed};
  Case c = {.target = tileTargetLookup(chips[below(&random, 3)]),
            .by = &reducers[below(&random, (int)TILE_COUNTOF(reducers))],
            .warpBits = below(&random, 4)};
  c.layout = randomPlainLayout(&random, c.target->warpSize == 64 ? 6 : 5, c.warpBits);
  c.axis = below(&random, c.layout.rank);
  (void)tileLayoutSlice(&c.layout, c.axis, &c.reduced);
  TileStringBuilder text = {0}, lowered = {0};
  appendHead(&text, &c);
  appendBody(&text, &c);
  const char *problem =
      harnessLower(context, c.target, &text, &lowered) ? run(&c, &random, &lowered) : "is not lowered";
  if (*problem || verbose)
    printf("--only=%llu: %s\n%s\n%s\n", seed, problem, text.data, lowered.data ? lowered.data : "");
  tileStringRelease(&text);
  tileStringRelease(&lowered);
  return !*problem;
}

int main(int argc, char **argv) {
  unsigned long long seed = 1, only = 0;
  int count = 600, failures = 0;
  bool verbose = false;
  for (int i = 1; i < argc; ++i) {
    if (sscanf(argv[i], "--seed=%llu", &seed) == 1 || sscanf(argv[i], "--count=%d", &count) == 1 ||
        sscanf(argv[i], "--only=%llu", &only) == 1)
      continue;
    if (strcmp(argv[i], "--verbose"))
      return fprintf(stderr, "usage: %s [--seed=N] [--count=N] [--only=N] [--verbose]\n", argv[0]), 2;
    verbose = true;
  }
  MlirContext context = harnessContext();
  if (only)
    failures = !runCase(context, only, verbose);
  for (int i = 0; !only && i < count && failures < 5; ++i)
    failures += !runCase(context, seed * 1000003 + (unsigned long long)i, verbose);
  printf("%d reductions (seed %llu): %d wrong\n", only ? 1 : count, seed, failures);
  mlirContextDestroy(context);
  return failures > 0;
}
