/* Conversions.c - tile-conversions: random tensors converted between random layouts on the simulator.
 *
 *   tile-conversions [--seed=N] [--pairs=N] [--only=N] [--verbose] [--mutate]
 *
 * Each pair becomes a kernel that loads a tensor in one layout, converts it, and stores it in the other: both
 * accesses compute coordinates from their layouts alone, so that the output equals the input exactly if the
 * conversion does what the algebra says. The simulator checks races, bounds and uninitialised reads; its
 * counters must not exceed what the plan predicted: no access to shared memory and no lane operation where
 * registers suffice, none of the first where shuffles were planned, and no bank pass more than planned.
 * With --mutate each barrier is left out in turn, and has to be missed. */
#include "Harness.h"
#include "Pairs.h"
#include "tile-c/Scratch.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct Element {
  const char *name;  ///< in memory
  const char *moved; ///< what is converted, if another type
  TileElementType type;
} Element;

static const Element elements[] = {
    {"i8", "i1", TileElementType_I8},     {"i8", NULL, TileElementType_I8},
    {"f8E5M2", NULL, TileElementType_I8}, {"i16", NULL, TileElementType_I16},
    {"f16", NULL, TileElementType_I16},   {"bf16", NULL, TileElementType_I16},
    {"i32", NULL, TileElementType_I32},   {"f32", NULL, TileElementType_I32},
    {"i64", NULL, TileElementType_I64},   {"f64", NULL, TileElementType_I64},
    {"i16", "ptr", TileElementType_I16},
};

static const char *const chips[] = {"sm_90a", "gfx942", "gfx1100", "gfx950"};

typedef struct Case {
  const TileTargetInfo *target;
  const Element *element;
  int warpBits, limit; ///< limit: bytes of scratch, 0: the chip's
  LayoutPair pair;
  TileConvertPlan plan;
} Case;

typedef struct Totals {
  int kinds[5], shuffled, rounds, byWarp, vectors;
  int mutants, survivors;
} Totals;

// ---- The kernel's text ----

/* "tensor<4x8x" of the pair's shape, or "tensor<32x". */
static const char *shapeText(const Case *c, bool flat, char *buffer, size_t size) {
  const TileLayout *l = &c->pair.from;
  int n = snprintf(buffer, size, "tensor<");
  if (flat)
    n += snprintf(buffer + n, size - (size_t)n, "%lldx", (long long)tileLayoutNumElements(l));
  for (int d = 0; !flat && d < l->rank; ++d)
    n += snprintf(buffer + n, size - (size_t)n, "%dx", l->shape[d]);
  return buffer;
}

static void appendHead(TileStringBuilder *out, const Case *c) {
  int64_t flat[] = {tileLayoutNumElements(&c->pair.from)};
  TileLayout from1, to1;
  (void)tileLayoutReshape(&c->pair.from, flat, 1, &from1);
  (void)tileLayoutReshape(&c->pair.to, flat, 1, &to1);
  harnessAppendLayout(out, "A", &c->pair.from);
  harnessAppendLayout(out, "B", &c->pair.to);
  harnessAppendLayout(out, "A1", &from1);
  harnessAppendLayout(out, "B1", &to1);
  harnessAppendModule(out, c->target, 1 << c->warpBits);
  tileStringAppendFormat(
      out, "func.func @convert(%%x: !tile.ptr<%s>, %%y: !tile.ptr<%s>) attributes {tile.kernel} {\n",
      c->element->name, c->element->name);
}

/* %p of tensor<n x ptr, #layout>: addresses of all elements behind %base. */
static void appendAddresses(TileStringBuilder *out, const Case *c, const char *p, const char *base,
                            const char *layout) {
  char flat[64];
  shapeText(c, true, flat, sizeof flat);
  const char *e = c->element->name;
  tileStringAppendFormat(out, "  %%r%s = tile.make_range 0 to %lld : %si32, #%s>\n", p,
                         (long long)tileLayoutNumElements(&c->pair.from), flat, layout);
  tileStringAppendFormat(out, "  %%s%s = tile.splat %%%s : %s!tile.ptr<%s>, #%s>\n", p, base, flat, e,
                         layout);
  tileStringAppendFormat(out, "  %%%s = tile.addptr %%s%s, %%r%s : %s!tile.ptr<%s>, #%s>, %si32, #%s>\n", p,
                         p, p, flat, e, layout, flat, layout);
}

/* %v in layout A1 to %w in layout B1. */
static void appendConversion(TileStringBuilder *out, const Case *c, const char *type) {
  char flat[64], full[96], attribute[64] = "";
  shapeText(c, true, flat, sizeof flat);
  shapeText(c, false, full, sizeof full);
  if (c->limit)
    snprintf(attribute, sizeof attribute, " {tile_gpu.scratch_limit = %d : i32}", c->limit);
  tileStringAppendFormat(out, "  %%a = tile.reshape %%v : %s%s, #A1> -> %s%s, #A>\n", flat, type, full, type);
  tileStringAppendFormat(out, "  %%b = tile_gpu.convert_layout %%a%s : %s%s, #A> -> %s%s, #B>\n", attribute,
                         full, type, full, type);
  tileStringAppendFormat(out, "  %%w = tile.reshape %%b : %s%s, #B> -> %s%s, #B1>\n", full, type, flat, type);
}

static void appendBody(TileStringBuilder *out, const Case *c) {
  char flat[64];
  const char *e = c->element->name, *moved = c->element->moved;
  shapeText(c, true, flat, sizeof flat);
  appendAddresses(out, c, "p", "x", "A1");
  appendAddresses(out, c, "q", "y", "B1");
  if (moved && !strcmp(moved, "ptr")) {
    char pointer[32];
    snprintf(pointer, sizeof pointer, "!tile.ptr<%s>", e);
    tileStringAppendFormat(out, "  %%z = arith.constant dense<0> : %si32, #A1>\n", flat);
    tileStringAppendFormat(out, "  %%v = tile.addptr %%p, %%z : %s%s, #A1>, %si32, #A1>\n", flat, pointer,
                           flat);
    appendConversion(out, c, pointer);
    tileStringAppendFormat(out, "  %%o = tile.load %%w : %s%s, #B1>\n", flat, pointer);
  } else if (moved) {
    tileStringAppendFormat(out, "  %%l = tile.load %%p : %s!tile.ptr<%s>, #A1>\n", flat, e);
    tileStringAppendFormat(out, "  %%v = arith.trunci %%l : %s%s, #A1> to %s%s, #A1>\n", flat, e, flat,
                           moved);
    appendConversion(out, c, moved);
    tileStringAppendFormat(out, "  %%o = arith.extui %%w : %s%s, #B1> to %s%s, #B1>\n", flat, moved, flat, e);
  } else {
    tileStringAppendFormat(out, "  %%v = tile.load %%p : %s!tile.ptr<%s>, #A1>\n", flat, e);
    appendConversion(out, c, e);
  }
  tileStringAppendFormat(out, "  tile.store %%q, %%%s : %s!tile.ptr<%s>, #B1>\n  return\n}\n}\n",
                         moved ? "o" : "w", flat, e);
}

// ---- Running ----

/* The number after "name": in the object that starts at `object`; 0 if there is none. */
static long long counter(const char *json, const char *object, const char *name) {
  const char *at = strstr(json, object);
  const char *end = at ? strchr(at, '}') : NULL;
  at = at ? strstr(at, name) : NULL;
  return at && at < end ? atoll(at + strlen(name)) : 0;
}

/* What the counters say against the plan; empty if nothing. */
static const char *judge(const Case *c, const char *json) {
  long long stored = counter(json, "\"shared_store\"", "\"passes\": "),
            loaded = counter(json, "\"shared_load\"", "\"passes\": "), warps = 1ll << c->warpBits,
            lanes = counter(json, "\"mix\"", "\"lanes\": "),
            barriers = counter(json, "\"mix\"", "\"barrier\": ");
  bool scratch = c->plan.conversion.kind > TileConversion_Register && !c->plan.byShuffles;
  if (!scratch && (stored || loaded || barriers))
    return "uses shared memory or barriers where none is needed";
  if (c->plan.conversion.kind <= TileConversion_Register && lanes)
    return "moves data between lanes though registers suffice";
  if (scratch && stored > warps * c->plan.scratch.storeConflicts.wavefronts)
    return "stores in more bank passes than predicted";
  if (scratch && loaded > warps * c->plan.scratch.loadConflicts.wavefronts)
    return "loads in more bank passes than predicted";
  return "";
}

static const char *run(const Case *c, Random *random, const TileStringBuilder *lowered) {
  static char problem[160];
  const size_t n = (size_t)tileLayoutNumElements(&c->pair.from), size = tileElementTypeSize(c->element->type);
  unsigned char *in = malloc(n * size), *out = calloc(n, size);
  for (size_t i = 0; i < n * size; ++i)
    in[i] = (unsigned char)below(random, c->element->moved && *c->element->moved == 'i' ? 2 : 256);
  TileStringBuilder json = {0};
  *problem = 0;
  if (!harnessSimulate(lowered, c->target, 1 << c->warpBits, in, n * size, out, n * size, &json))
    snprintf(problem, sizeof problem, "the simulator found a fault");
  for (size_t i = 0; !*problem && i < n; ++i)
    if (memcmp(in + i * size, out + i * size, size))
      snprintf(problem, sizeof problem, "element %zu is wrong", i);
  if (!*problem)
    snprintf(problem, sizeof problem, "%s", judge(c, json.data ? json.data : ""));
  tileStringRelease(&json);
  free(in);
  free(out);
  return problem;
}

// ---- Mutants ----

/* The n-th line with a barrier; NULL if there is none. */
static const char *barrierLine(const char *text, int n) {
  static const char *const names[] = {"nvvm.barrier0", "nvvm.bar.warp.sync", "rocdl.barrier",
                                      "rocdl.s.barrier"};
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    size_t length = strcspn(line, "\n");
    for (size_t k = 0; k < TILE_COUNTOF(names); ++k) {
      const char *at = strstr(line, names[k]);
      if (at && at < line + length && !n--)
        return line;
    }
  }
  return NULL;
}

/* Leaves out one barrier after the other: the simulator has to notice. The lanes of AMD's waves go in lockstep:
 * a single wave needs none, nor does a round in which a wave reads what it wrote itself. */
static void runMutants(const Case *c, Random *random, const TileStringBuilder *lowered, Totals *t) {
  if (c->target->vendor == TileVendor_AMD && (!c->warpBits || c->plan.scratch.roundBits))
    return;
  const char *line;
  for (int n = 0; (line = barrierLine(lowered->data, n)); ++n) {
    TileStringBuilder mutant = {0};
    const char *rest = line + strcspn(line, "\n");
    tileStringAppend(&mutant, lowered->data, (size_t)(line - lowered->data));
    tileStringAppendText(&mutant, rest);
    ++t->mutants;
    t->survivors += !*run(c, random, &mutant);
    tileStringRelease(&mutant);
  }
}

// ---- Cases ----

static MlirType elementOf(MlirContext context, const Case *c) {
  const char *name = c->element->moved ? c->element->moved : c->element->name;
  return mlirTypeParseGet(context, tileStr(strcmp(name, "ptr") ? name : "!tile.ptr<i16>"));
}

/* Draws the case; false if no plan fits the limit. */
static bool draw(MlirContext context, Random *random, Case *c) {
  const int laneBits[] = {5, 6};
  c->target = tileTargetLookup(chips[below(random, 4)]);
  c->element = &elements[below(random, (int)TILE_COUNTOF(elements))];
  c->warpBits = below(random, 4);
  c->pair = randomPair(random, laneBits[c->target->warpSize == 64], c->warpBits);
  c->limit = 0;
  MlirType element = elementOf(context, c);
  if (!tileConvertPlan(&c->pair.from, &c->pair.to, element, c->target, 0, &c->plan))
    return false;
  if (below(random, 3) || !c->plan.scratch.bytes)
    return true;
  c->limit = (int)(c->plan.scratch.bytes >> (1 + below(random, 3))) + 1; /* short: rounds */
  return tileConvertPlan(&c->pair.from, &c->pair.to, element, c->target, c->limit, &c->plan);
}

static void tally(Totals *t, const Case *c) {
  ++t->kinds[c->plan.conversion.kind];
  bool scratch = c->plan.conversion.kind > TileConversion_Register && !c->plan.byShuffles;
  t->shuffled += c->plan.byShuffles;
  t->rounds += scratch && c->plan.scratch.roundBits > 0;
  t->byWarp += scratch && (c->plan.scratch.storeByWarp || c->plan.scratch.loadByWarp);
  t->vectors += scratch && c->plan.scratch.storeConflicts.accesses < tileLayoutNumRegisters(&c->plan.from);
}

static bool runCase(MlirContext context, unsigned long long seed, bool verbose, bool mutate, Totals *totals) {
  Random random = {seed};
  Case c;
  while (!draw(context, &random, &c))
    ;
  TileStringBuilder text = {0}, lowered = {0};
  appendHead(&text, &c);
  appendBody(&text, &c);
  tally(totals, &c);
  const char *problem =
      harnessLower(context, c.target, &text, &lowered) ? run(&c, &random, &lowered) : "is not lowered";
  if (!*problem && mutate) {
    runMutants(&c, &random, &lowered, totals);
    problem = "";
  }
  if (*problem || verbose)
    printf("--only=%llu: %s%s\n%s\n", seed, tileConversionKindName(c.plan.conversion.kind),
           *problem ? ": " : "", *problem ? problem : "");
  if (*problem || verbose)
    printf("%s\n%s\n", text.data, lowered.data ? lowered.data : "");
  tileStringRelease(&text);
  tileStringRelease(&lowered);
  return !*problem;
}

int main(int argc, char **argv) {
  unsigned long long seed = 1, only = 0;
  int pairs = 2000, failures = 0;
  bool verbose = false, mutate = false;
  for (int i = 1; i < argc; ++i) {
    if (sscanf(argv[i], "--seed=%llu", &seed) == 1 || sscanf(argv[i], "--pairs=%d", &pairs) == 1 ||
        sscanf(argv[i], "--only=%llu", &only) == 1)
      continue;
    verbose |= !strcmp(argv[i], "--verbose");
    mutate |= !strcmp(argv[i], "--mutate");
    if (strcmp(argv[i], "--verbose") && strcmp(argv[i], "--mutate"))
      return fprintf(stderr, "usage: %s [--seed=N] [--pairs=N] [--only=N] [--verbose] [--mutate]\n", argv[0]),
             2;
  }
  MlirContext context = harnessContext();
  Totals t = {.kinds = {0}};
  if (only)
    failures = !runCase(context, only, verbose, mutate, &t);
  for (int i = 0; !only && i < pairs && failures < 5; ++i)
    failures += !runCase(context, seed * 1000003 + (unsigned long long)i, verbose, mutate, &t);
  printf("%d pairs (seed %llu): %d no-ops, %d of registers, %d in warps (%d by shuffles), %d between warps; "
         "%d in "
         "rounds, %d of them by warps, %d with vectors; %d wrong\n",
         only ? 1 : pairs, seed, t.kinds[0], t.kinds[1], t.kinds[2], t.shuffled, t.kinds[3], t.rounds,
         t.byWarp, t.vectors, failures);
  if (mutate)
    printf("%d barriers left out one by one: %d not noticed\n", t.mutants, t.survivors);
  mlirContextDestroy(context);
  return failures > 0 || t.survivors > 0;
}
