/* BlockReport.c - which loads and stores of blocks go through the copy engine, or why not. */
#include "AccessReport.h"
#include "tile-c/IR.h"
#include "tile-c/ProgramLoop.h"

static MlirAttribute member(MlirAttribute entry, const char *name) {
  return mlirDictionaryAttrGetElementByName(entry, tileStr(name));
}

void tileReportBlocks(const TileSession *session, MlirOperation function, TileStringBuilder *text) {
  MlirAttribute list = mlirOperationGetDiscardableAttributeByName(function, tileStr("tile_gpu.formed"));
  const intptr_t n = list.ptr && mlirAttributeIsAArray(list) ? mlirArrayAttrGetNumElements(list) : 0;
  if (n)
    tileStringAppendText(text, "  copy engine, for factors and sums:\n");
  for (intptr_t i = 0; i < n; ++i) {
    MlirAttribute entry = mlirArrayAttrGetElement(list, i), stores = member(entry, "stores"),
                  why = member(entry, "why"), at = member(entry, "at");
    if (!at.ptr)
      continue;
    tileStringAppendText(text, "    ");
    tileSessionAppendPosition(session, mlirLocationFromAttribute(at), text);
    tileStringAppendText(text, stores.ptr && mlirBoolAttrGetValue(stores) ? ": store " : ": load ");
    if (!why.ptr) {
      tileStringAppendText(text, "by tensor map\n");
      continue;
    }
    MlirStringRef reason = mlirStringAttrGetValue(why);
    tileStringAppendFormat(text, "not taken: %.*s\n", (int)reason.length, reason.data);
  }
  if (tileLoopsPrograms(function))
    tileStringAppendText(text, "  programs: one after the other in a loop, one block a multiprocessor\n");
}
