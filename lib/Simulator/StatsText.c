/* StatsText.c - the counters for people: sums, one line an access, and the source with counts beside it. */
#include "Stats.h"
#include <stdio.h>

/// "1,234,567".
static void appendCount(TileStringBuilder *out, uint64_t n, int width) {
  char digits[32], text[48];
  int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), used = 0;
  for (int k = 0; k < length; ++k) {
    if (k && (length - k) % 3 == 0)
      text[used++] = ',';
    text[used++] = digits[k];
  }
  tileStringAppendFormat(out, "%*.*s", width, used, text);
}

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static bool isShared(SimTraffic t) { return t >= SimTraffic_SharedLoad; }

static void appendHead(const SimSummary *s, TileStringBuilder *out) {
  tileStringAppendFormat(out, "sim %s: ", s->chip);
  appendCount(out, s->programs, 0);
  tileStringAppendFormat(out, " programs of %llu warps of %u lanes\n", (unsigned long long)s->warps,
                         s->lanesPerWarp);
  tileStringAppendText(out, "instructions: ");
  appendCount(out, s->instructions, 0);
  tileStringAppendText(out, " by warps (");
  appendCount(out, s->programs ? s->instructions / s->programs : 0, 0);
  tileStringAppendText(out, " a program), ");
  appendCount(out, s->lanes, 0);
  tileStringAppendFormat(out, " by lanes, %.1f lanes active\n", ratio(s->lanes, s->instructions));
  tileStringAppendText(out, "mix:");
  for (unsigned m = 0; m < SimMix_Count; ++m)
    if (s->mix[m]) {
      tileStringAppendFormat(out, " %s ", simMixNames[m]);
      appendCount(out, s->mix[m], 0);
    }
  tileStringAppendText(out, "\n");
}

static void appendTraffic(const SimSummary *s, SimTraffic t, TileStringBuilder *out) {
  const SimAccessCounters *c = &s->traffic[t];
  if (!c->requests)
    return;
  tileStringAppendFormat(out, "%-13s", simTrafficNames[t]);
  appendCount(out, c->requests, 12);
  tileStringAppendText(out, " requests");
  appendCount(out, c->sectors, 12);
  tileStringAppendFormat(out, isShared(t) ? " passes (%.2f a request)" : " sectors (%.2f a request)",
                         ratio(c->sectors, c->requests));
  appendCount(out, c->bytes, 14);
  tileStringAppendText(out, " bytes");
  if (isShared(t)) {
    appendCount(out, c->conflicts, 12);
    tileStringAppendText(out, " bank conflicts");
  }
  tileStringAppendText(out, "\n");
}

static void appendAccess(const SimAccessRow *a, TileStringBuilder *out) {
  const SimAccessCounters *c = &a->counters;
  tileStringAppendFormat(out, "  %.*s:%u:%u %.*s, %s: ", (int)a->at.file.length, a->at.file.data, a->at.line,
                         a->at.column, (int)a->op.length, a->op.data, simTrafficNames[a->traffic]);
  appendCount(out, c->requests, 0);
  tileStringAppendFormat(out, " requests, %.2f %s a request, %.1f lanes of %llu bytes",
                         ratio(c->sectors, c->requests), isShared(a->traffic) ? "passes" : "sectors",
                         ratio(c->lanes, c->requests),
                         (unsigned long long)(c->lanes ? c->bytes / c->lanes : 0));
  if (isShared(a->traffic)) {
    tileStringAppendText(out, ", ");
    appendCount(out, c->conflicts, 0);
    tileStringAppendText(out, " bank conflicts");
  }
  tileStringAppendText(out, "\n");
}

/// Line `number` (from 1) of the source, without what follows 100 characters; empty if there is none.
static MlirStringRef lineOf(const SimSource *source, const SimSourceLine *at) {
  if (!source || !source->text || !mlirStringRefEqual(at->file, tileStr(source->name)))
    return (MlirStringRef){"", 0};
  const char *start = source->text, *end = source->text + source->size;
  for (unsigned k = 1; k < at->line && start < end; ++k) {
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    start = newline ? newline + 1 : end;
  }
  const char *stop = memchr(start, '\n', (size_t)(end - start));
  size_t length = (size_t)((stop ? stop : end) - start);
  return (MlirStringRef){start, length < 100 ? length : 100};
}

static void appendLine(const SimLineRow *line, const SimSource *source, TileStringBuilder *out) {
  MlirStringRef text = lineOf(source, &line->at);
  appendCount(out, line->warps, 14);
  uint64_t requests = 0, sectors = 0, passes = 0, conflicts = 0;
  for (unsigned t = 0; t < SimTraffic_Count; ++t) {
    requests += line->traffic[t].requests;
    *(isShared((SimTraffic)t) ? &passes : &sectors) += line->traffic[t].sectors;
    conflicts += line->traffic[t].conflicts;
  }
  const uint64_t columns[] = {requests, sectors, passes, conflicts};
  for (unsigned k = 0; k < TILE_COUNTOF(columns); ++k)
    if (columns[k])
      appendCount(out, columns[k], 12);
    else
      tileStringAppendFormat(out, "%12s", "");
  tileStringAppendFormat(out, "  %.*s:%u  %.*s\n", (int)line->at.file.length, line->at.file.data,
                         line->at.line, (int)text.length, text.data);
}

void simStatsText(const SimSummary *s, const SimSource *source, TileStringBuilder *out) {
  appendHead(s, out);
  for (unsigned t = 0; t < SimTraffic_Count; ++t)
    appendTraffic(s, (SimTraffic)t, out);
  if (s->numAccesses)
    tileStringAppendText(out, "accesses:\n");
  for (size_t k = 0; k < s->numAccesses; ++k)
    appendAccess(&s->accesses[k], out);
  tileStringAppendFormat(out, "source:\n%14s%12s%12s%12s%12s\n", "instructions", "requests", "sectors",
                         "passes", "conflicts");
  for (size_t k = 0; k < s->numLines; ++k)
    if (s->lines[k].warps)
      appendLine(&s->lines[k], source, out);
}
