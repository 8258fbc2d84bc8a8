/* StatsJson.c - the counters for programs. docs/simulator.md describes the fields. */
#include "Stats.h"

static void appendString(TileStringBuilder *out, MlirStringRef s) {
  tileStringAppendText(out, "\"");
  for (size_t k = 0; k < s.length; ++k) {
    const unsigned char c = (unsigned char)s.data[k];
    if (c == '"' || c == '\\')
      tileStringAppendFormat(out, "\\%c", c);
    else if (c < 0x20)
      tileStringAppendFormat(out, "\\u%04x", c);
    else
      tileStringAppend(out, &s.data[k], 1);
  }
  tileStringAppendText(out, "\"");
}

static void appendNumber(TileStringBuilder *out, const char *name, uint64_t n) {
  tileStringAppendFormat(out, "\"%s\": %llu", name, (unsigned long long)n);
}

static void appendCounters(TileStringBuilder *out, const SimAccessCounters *c, bool shared) {
  appendNumber(out, "requests", c->requests);
  tileStringAppendText(out, ", ");
  appendNumber(out, shared ? "passes" : "sectors", c->sectors);
  tileStringAppendText(out, ", ");
  appendNumber(out, "lanes", c->lanes);
  tileStringAppendText(out, ", ");
  appendNumber(out, "bytes", c->bytes);
  if (shared) {
    tileStringAppendText(out, ", ");
    appendNumber(out, "conflicts", c->conflicts);
  }
}

static void appendPlace(TileStringBuilder *out, const SimSourceLine *at) {
  tileStringAppendText(out, "\"file\": ");
  appendString(out, at->file);
  tileStringAppendFormat(out, ", \"line\": %u, ", at->line);
}

static void appendTotals(const SimSummary *s, TileStringBuilder *out) {
  static const char *const names[] = {"global_load", "global_store", "shared_load", "shared_store"};
  tileStringAppendFormat(out, "{\n  \"target\": \"%s\",\n  ", s->chip);
  appendNumber(out, "programs", s->programs);
  tileStringAppendText(out, ",\n  ");
  appendNumber(out, "warps", s->warps);
  tileStringAppendText(out, ",\n  ");
  appendNumber(out, "lanes_per_warp", s->lanesPerWarp);
  tileStringAppendText(out, ",\n  ");
  appendNumber(out, "warp_instructions", s->instructions);
  tileStringAppendText(out, ",\n  ");
  appendNumber(out, "lane_instructions", s->lanes);
  tileStringAppendText(out, ",\n  \"mix\": {");
  for (unsigned m = 0; m < SimMix_Count; ++m) {
    tileStringAppendText(out, m ? ", " : "");
    appendNumber(out, simMixNames[m], s->mix[m]);
  }
  tileStringAppendText(out, "}");
  for (unsigned t = 0; t < SimTraffic_Count; ++t) {
    tileStringAppendFormat(out, ",\n  \"%s\": {", names[t]);
    appendCounters(out, &s->traffic[t], t >= SimTraffic_SharedLoad);
    tileStringAppendText(out, "}");
  }
}

void simStatsJson(const SimSummary *s, TileStringBuilder *out) {
  appendTotals(s, out);
  tileStringAppendText(out, ",\n  \"accesses\": [");
  for (size_t k = 0; k < s->numAccesses; ++k) {
    const SimAccessRow *a = &s->accesses[k];
    tileStringAppendText(out, k ? ",\n    {" : "\n    {");
    appendPlace(out, &a->at);
    tileStringAppendFormat(out, "\"column\": %u, \"op\": ", a->at.column);
    appendString(out, a->op);
    tileStringAppendFormat(out, ", \"kind\": \"%s\", ", simTrafficNames[a->traffic]);
    appendCounters(out, &a->counters, a->traffic >= SimTraffic_SharedLoad);
    tileStringAppendText(out, "}");
  }
  tileStringAppendText(out, "],\n  \"lines\": [");
  for (size_t k = 0; k < s->numLines; ++k) {
    tileStringAppendText(out, k ? ",\n    {" : "\n    {");
    appendPlace(out, &s->lines[k].at);
    appendNumber(out, "warp_instructions", s->lines[k].warps);
    tileStringAppendText(out, "}");
  }
  tileStringAppendText(out, "]\n}\n");
}
