/* LayoutReport.c - the report's part on layouts: who holds what, and which ops move data between threads. */
#include "AccessReport.h"
#include "tile-c/Dialect/Tile.h"
#include "tile-c/Dialect/TileGPU.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include "tile-c/Scratch.h"
#include <stdlib.h>

/* Elements of a small tensor; rows and columns that are drawn of a small and of a large one. */
enum { SMALL = 256, SMALL_ROWS = 16, SMALL_COLUMNS = 32, LARGE_ROWS = 4, LARGE_COLUMNS = 16 };

static void append(MlirStringRef text, void *builder) { tileStringAppend(builder, text.data, text.length); }

void tileReportShape(MlirType type, TileStringBuilder *text) {
  int64_t shape[TileLayout_MaxRank];
  int rank = tileTypeGetShape(type, shape, TileLayout_MaxRank);
  for (int d = 0; d < rank; ++d)
    tileStringAppendFormat(text, "%lldx", (long long)shape[d]);
  MlirType element = tileTypeGetElement(type);
  mlirTypePrint(tilePtrTypeIsA(element) ? tilePtrTypeGetPointee(element) : element, append, text);
}

/* Layouts are the same if their bases and the shape are; the element does not matter. */
static bool sameLayout(MlirType a, MlirType b) {
  TileLayout x, y;
  return mlirAttributeEqual(tileTypeGetEncoding(a), tileTypeGetEncoding(b)) && tileLayoutOfType(a, &x) &&
         tileLayoutOfType(b, &y) && tileLayoutEqual(&x, &y);
}

int tileReportLayoutNumber(TileReportLayouts *layouts, MlirType tensor) {
  if (!tileTypeGetEncoding(tensor).ptr)
    return -1;
  for (int i = 0; i < layouts->count; ++i)
    if (sameLayout(layouts->types[i], tensor))
      return i;
  if (layouts->count == TILE_REPORT_LAYOUTS)
    return -1;
  layouts->types[layouts->count] = tensor;
  return layouts->count++;
}

/* Each line of the drawing, indented. */
static void appendDrawing(const TileLayout *layout, TileStringBuilder *text) {
  bool small = tileLayoutNumElements(layout) <= SMALL;
  int rows = small ? SMALL_ROWS : LARGE_ROWS, columns = small ? SMALL_COLUMNS : LARGE_COLUMNS;
  size_t length = tileLayoutDraw(layout, rows, columns, NULL, 0);
  char *drawing = malloc(length + 1);
  if (!drawing)
    return;
  tileLayoutDraw(layout, rows, columns, drawing, length + 1);
  for (const char *line = drawing; *line;) {
    size_t end = strcspn(line, "\n");
    tileStringAppendFormat(text, "      %.*s\n", (int)end, line);
    line += line[end] ? end + 1 : end;
  }
  free(drawing);
}

void tileReportLayouts(const TileReportLayouts *layouts, TileStringBuilder *text) {
  for (int i = 0; i < layouts->count; ++i) {
    TileLayout layout;
    char line[2048];
    if (!tileLayoutOfType(layouts->types[i], &layout))
      continue;
    if (i == 0)
      tileStringAppendText(text, "  layouts: elements by row and column, as thread:register\n");
    tileLayoutPrint(&layout, false, line, sizeof line);
    tileStringAppendFormat(text, "    layout %d: %s\n", i, line);
    appendDrawing(&layout, text);
  }
}

// ---- Data between threads ----

typedef struct Moves {
  const TileSession *session;
  TileReportLayouts *layouts;
  TileStringBuilder *text;
  bool any;
} Moves;

static void appendConversion(Moves *m, TileGPUConvertLayoutOp op) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op.op, 0)),
           to = mlirValueGetType(mlirOperationGetResult(op.op, 0));
  TileLayout source, target;
  TileConversion conversion;
  tileStringAppendFormat(m->text, " from layout %d to %d", tileReportLayoutNumber(m->layouts, from),
                         tileReportLayoutNumber(m->layouts, to));
  if (tileLayoutOfType(from, &source) && tileLayoutOfType(to, &target) &&
      tileLayoutConversion(&source, &target, &conversion))
    tileStringAppendFormat(m->text, " (%s)", tileConversionKindName(conversion.kind));
}

static MlirWalkResult appendMove(MlirOperation op, void *user) {
  Moves *m = user;
  TileGPUConvertLayoutOp convert = tileGPUConvertLayoutOpCast(op);
  int64_t bytes = 0;
  if (tileFailed(tileScratchBytes(op, tileSessionGetTarget(m->session), &bytes)))
    return MlirWalkResultInterrupt; // the pipeline has refused it before
  if (!bytes && tileGPUConvertLayoutOpIsNull(convert))
    return MlirWalkResultAdvance;
  if (!m->any)
    tileStringAppendText(m->text, "  between threads:\n");
  m->any = true;
  tileStringAppendText(m->text, "    ");
  tileSessionAppendPosition(m->session, mlirOperationGetLocation(op), m->text);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  tileStringAppendFormat(m->text, ": %.*s", (int)name.length, name.data);
  if (!tileGPUConvertLayoutOpIsNull(convert))
    appendConversion(m, convert);
  if (bytes)
    tileStringAppendFormat(m->text, ": %lld bytes of shared memory\n", (long long)bytes);
  else
    tileStringAppendText(m->text, ": without shared memory\n");
  return MlirWalkResultAdvance;
}

void tileReportMoves(const TileSession *session, MlirOperation kernel, TileReportLayouts *layouts,
                     TileStringBuilder *text) {
  Moves moves = {session, layouts, text, false};
  mlirOperationWalk(kernel, appendMove, &moves, MlirWalkPreOrder);
}
