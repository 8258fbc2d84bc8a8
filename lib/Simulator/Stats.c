/* Stats.c - gathers the counters: sums by kind of traffic, by operation, by source line. */
#include "Stats.h"
#include "Atomics.h"
#include <stdlib.h>

const char *const simTrafficNames[SimTraffic_Count] = {"global load", "global store", "shared load",
                                                       "shared store"};
const char *const simMixNames[SimMix_Count] = {
    [SimMix_Other] = "other",     [SimMix_Integer] = "integer", [SimMix_Float] = "float",
    [SimMix_Convert] = "convert", [SimMix_Special] = "special", [SimMix_Select] = "select",
    [SimMix_Control] = "control", [SimMix_Global] = "global",   [SimMix_Shared] = "shared",
    [SimMix_Atomic] = "atomic",   [SimMix_CrossLane] = "lanes", [SimMix_Matrix] = "matrix",
    [SimMix_Barrier] = "barrier", [SimMix_Async] = "async"};

/// The first file position in a location.
static MlirLocation position(MlirLocation loc, unsigned depth) {
  if (mlirLocationIsAFileLineColRange(loc) || depth == 0)
    return loc;
  if (mlirLocationIsAName(loc))
    return position(mlirLocationNameGetChildLoc(loc), depth - 1);
  if (mlirLocationIsACallSite(loc))
    return position(mlirLocationCallSiteGetCallee(loc), depth - 1);
  MlirLocation parts[16];
  if (!mlirLocationIsAFused(loc) || mlirLocationFusedGetNumLocations(loc) > TILE_COUNTOF(parts) ||
      !mlirLocationFusedGetNumLocations(loc))
    return loc;
  mlirLocationFusedGetLocations(loc, parts);
  return position(parts[0], depth - 1);
}

SimSourceLine simSourceLineOf(MlirOperation op) {
  MlirLocation loc = position(mlirOperationGetLocation(op), 32);
  if (!mlirLocationIsAFileLineColRange(loc))
    return (SimSourceLine){{"", 0}, 0, 0};
  return (SimSourceLine){mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(loc)),
                         (unsigned)mlirLocationFileLineColRangeGetStartLine(loc),
                         (unsigned)mlirLocationFileLineColRangeGetStartColumn(loc)};
}

static void add(SimAccessCounters *sum, const SimAccessCounters *c) {
  sum->requests += c->requests;
  sum->lanes += c->lanes;
  sum->bytes += c->bytes;
  sum->sectors += c->sectors;
  sum->conflicts += c->conflicts;
}

static SimTraffic trafficOf(const SimInsn *i) {
  return (SimTraffic)((i->mix == SimMix_Shared ? SimTraffic_SharedLoad : SimTraffic_GlobalLoad) +
                      (i->bits ? 1 : 0));
}

static int compareLines(const void *a, const void *b) {
  const SimSourceLine *x = &((const SimLineRow *)a)->at, *y = &((const SimLineRow *)b)->at;
  const size_t n = x->file.length < y->file.length ? x->file.length : y->file.length;
  const int names = n ? memcmp(x->file.data, y->file.data, n) : 0;
  if (names || x->file.length != y->file.length)
    return names ? names : x->file.length < y->file.length ? -1 : 1;
  return (x->line > y->line) - (x->line < y->line);
}

/// One row for each instruction, sorted; then equal lines added up.
static void mergeLines(SimSummary *s) {
  size_t n = 0;
  qsort(s->lines, s->numLines, sizeof *s->lines, compareLines);
  for (size_t k = 0; k < s->numLines; ++k) {
    if (n && !compareLines(&s->lines[n - 1], &s->lines[k])) {
      s->lines[n - 1].warps += s->lines[k].warps;
      for (unsigned t = 0; t < SimTraffic_Count; ++t)
        add(&s->lines[n - 1].traffic[t], &s->lines[k].traffic[t]);
    } else {
      s->lines[n++] = s->lines[k];
    }
  }
  s->numLines = n;
}

static bool isSameAccess(const SimAccessRow *a, const SimAccessRow *b) {
  return a->traffic == b->traffic && a->at.line == b->at.line && a->at.column == b->at.column &&
         mlirStringRefEqual(a->at.file, b->at.file) && mlirStringRefEqual(a->op, b->op) &&
         a->counters.bytes * b->counters.lanes == b->counters.bytes * a->counters.lanes;
}

/// A row for each place, kind and width; a tile operation's pieces are one row.
static void addAccess(SimSummary *s, const SimAccessRow *row) {
  for (size_t k = s->numAccesses; k-- > 0;)
    if (isSameAccess(&s->accesses[k], row)) {
      add(&s->accesses[k].counters, &row->counters);
      return;
    }
  s->accesses[s->numAccesses++] = *row;
}

static void addInsn(SimSummary *s, const SimRun *run, const SimDecoder *d, uint32_t number, uint64_t warps,
                    uint64_t lanes) {
  const SimInsn *i = &run->program->insns[number];
  const SimAccessCounters *c = &run->total->accesses[number];
  SimLineRow *line = &s->lines[s->numLines++];
  *line = (SimLineRow){.at = simSourceLineOf(d->ops[i->op]), .warps = warps};
  s->instructions += warps;
  s->lanes += lanes;
  s->mix[i->mix] += warps;
  if (!c->requests)
    return;
  const SimTraffic t = trafficOf(i);
  line->traffic[t] = *c;
  add(&s->traffic[t], c);
  addAccess(s, &(SimAccessRow){line->at, mlirIdentifierStr(mlirOperationGetName(d->ops[i->op])), t, *c});
}

void simSummarize(const SimRun *run, const SimDecoder *d, SimSummary *s) {
  const SimProgram *p = run->program;
  *s = (SimSummary){.chip = d->target->chip,
                    .programs = run->total->programs,
                    .warps = p->numWarps,
                    .lanesPerWarp = p->lanes,
                    .accesses = tileArenaAlloc(d->arena, p->numInsns + 1u, sizeof *s->accesses),
                    .lines = tileArenaAlloc(d->arena, p->numInsns + 1u, sizeof *s->lines)};
  for (uint32_t b = 0; b < p->numBlocks; ++b)
    for (uint32_t k = 0; k < p->blocks[b].count; ++k)
      addInsn(s, run, d, p->blocks[b].first + k, run->total->blockWarps[b], run->total->blockLanes[b]);
  mergeLines(s);
}

void simPrintStats(const SimRun *run, const SimDecoder *d, const SimSource *source, TileSimStats format) {
  SimSummary summary;
  TileStringBuilder text = {0};
  if (!run->output)
    return;
  simSummarize(run, d, &summary);
  if (format == TileSimStats_Json)
    simStatsJson(&summary, &text);
  else
    simStatsText(&summary, source, &text);
  run->output(text.data, run->outputUser);
  tileStringRelease(&text);
}
