/* Example.c - an example as MLIR: a kernel that loads the operands, does it, and stores the result. */
#include "Rows.h"
#include <stdio.h>
#include <stdlib.h>

uint32_t exampleChips(const Example *e) {
  uint32_t chips = 0;
  for (size_t i = 0; i < tileTargetCount(); ++i)
    if (e->vendor == TileVendor_None || e->vendor == tileTargetAt(i)->vendor)
      chips |= UINT32_C(1) << i;
  return chips;
}

void exampleAppendTop(const Example *e, TileStringBuilder *out) {
  for (int i = 0; i < e->numStatements; ++i)
    if (*e->statements[i] == '@')
      tileStringAppendFormat(out, "%s\n", e->statements[i] + 1);
}

static bool isParameter(const Example *e) { return !strcmp(e->statements[0], "parameter"); }

/* Operand i from 64 bytes of its own; an i1 from a byte. */
static void appendOperand(const char *type, int i, TileStringBuilder *out) {
  bool bit = !strcmp(type, "i1");
  tileStringAppendFormat(
      out, "  %%at%d = llvm.getelementptr %%source[%d] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n", i, 64 * i);
  tileStringAppendFormat(out, "  %%%s%d = llvm.load %%at%d : !llvm.ptr<1> -> %s\n", bit ? "b" : "a", i, i,
                         bit ? "i8" : type);
  if (bit)
    tileStringAppendFormat(out, "  %%a%d = llvm.trunc %%b%d : i8 to i1\n", i, i);
}

static void appendResult(const char *type, TileStringBuilder *out) {
  bool bit = !strcmp(type, "i1");
  if (bit)
    tileStringAppendText(out, "  %r8 = llvm.zext %r : i1 to i8\n");
  tileStringAppendFormat(out, "  llvm.store %%%s, %%sink : %s, !llvm.ptr<1>\n", bit ? "r8" : "r",
                         bit ? "i8" : type);
}

static void appendBody(const Example *e, TileStringBuilder *out) {
  for (int i = 0; i < e->numOperands; ++i)
    appendOperand(e->operands[i], i, out);
  for (int i = 0; i < e->numStatements; ++i)
    if (*e->statements[i] != '@')
      tileStringAppendFormat(out, "  %s%s%s\n", i + 1 == e->numStatements && e->result ? "%r = " : "",
                             e->statements[i], i == e->keyed ? " loc(\"key\")" : "");
  if (e->result)
    appendResult(e->result, out);
}

void exampleAppendFunction(const Example *e, size_t number, TileVendor vendor, bool uniform,
                           TileStringBuilder *out) {
  bool nvidia = vendor == TileVendor_NVIDIA;
  tileStringAppendFormat(out, "llvm.func @r%zu%s(%%in: %s, %%out: !llvm.ptr<1>) attributes {%s} {\n", number,
                         uniform ? "u" : "", isParameter(e) ? e->operands[0] : "!llvm.ptr<1>",
                         nvidia ? "nvvm.kernel" : "rocdl.kernel");
  if (isParameter(e)) {
    bool bit = !strcmp(e->operands[0], "i1");
    tileStringAppendFormat(out, "%s  llvm.store %s, %%out : %s, !llvm.ptr<1>\n",
                           bit ? "  %b = llvm.zext %in : i1 to i8\n" : "", bit ? "%b" : "%in",
                           bit ? "i8" : e->operands[0]);
  } else {
    tileStringAppendFormat(out, "  %%tid = %s : i32\n",
                           nvidia ? "nvvm.read.ptx.sreg.tid.x" : "rocdl.workitem.id.x");
    tileStringAppendFormat(out,
                           "  %%source = llvm.getelementptr %%in[%s] : (!llvm.ptr<1>%s) -> !llvm.ptr<1>, "
                           "!llvm.array<128 x i64>\n"
                           "  %%sink = llvm.getelementptr %%out[%%tid] : (!llvm.ptr<1>, i32) -> "
                           "!llvm.ptr<1>, !llvm.array<128 x i64>\n",
                           uniform ? "0" : "%tid", uniform ? "" : ", i32");
    appendBody(e, out);
  }
  tileStringAppendText(out, "  llvm.return\n}\n");
}
