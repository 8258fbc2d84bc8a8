/* AssertReport.c - the assertions that a lowered kernel checks, for the report: where a kernel traps without
 * a word, this list says what it may have meant. */
#include "ResourceReport.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Session.h"

static MlirWalkResult appendTrap(MlirOperation op, void *user) {
  TileStringBuilder *text = user;
  MlirAttribute message = mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.assert"));
  if (tileOpKind(op) != TileOp_LLVM_Trap || !message.ptr || !mlirAttributeIsAString(message))
    return MlirWalkResultAdvance;
  MlirLocation loc = tileLocationPosition(mlirOperationGetLocation(op));
  tileStringAppendText(text, "  assert:     ");
  if (mlirLocationIsAFileLineColRange(loc)) {
    MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(loc));
    tileStringAppendFormat(text, "%.*s:%d:%d: ", (int)file.length, file.data,
                           mlirLocationFileLineColRangeGetStartLine(loc),
                           mlirLocationFileLineColRangeGetStartColumn(loc));
  }
  MlirStringRef words = mlirStringAttrGetValue(message);
  tileStringAppendFormat(text, "%.*s\n", (int)words.length, words.data);
  return MlirWalkResultAdvance;
}

void tileReportAsserts(MlirModule module, const char *kernel, TileStringBuilder *text) {
  TileKernelView view = {0};
  while (tileKernelViewNext(module, view.op, &view))
    if (mlirStringRefEqual(view.name, tileStr(kernel)))
      mlirOperationWalk(view.op, appendTrap, text, MlirWalkPreOrder);
}
