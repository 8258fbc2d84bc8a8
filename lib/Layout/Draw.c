/* Draw.c - a layout as a table of who holds what, for the report. */
#include "Linear.h"
#include <stdio.h>
#include <string.h>

typedef struct Drawing {
  const TileLayout *layout;
  bool memory;
  TileGF2Space image, kernel;
  int64_t rows, columns; ///< of the whole tensor
  int32_t width;         ///< of a cell
} Drawing;

static void beginDrawing(const TileLayout *layout, bool memory, Drawing *drawing) {
  memset(drawing, 0, sizeof *drawing);
  drawing->layout = layout;
  drawing->memory = memory;
  drawing->columns = layout->rank ? layout->shape[layout->rank - 1] : 1;
  drawing->rows = tileLayoutNumElements(layout) / drawing->columns;
  int32_t position = 0;
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim)
    for (int32_t bit = 0; bit < layout->bits[dim]; ++bit, ++position) {
      uint64_t relation = 0;
      if (!tileGF2Insert(&drawing->image, tileLayoutVectorOf(layout, dim, bit), 1ull << position, &relation))
        tileGF2Insert(&drawing->kernel, relation, 0, NULL);
    }
}

/// Writes the lowest place that holds an element, and how many others do.
static void formatCell(const Drawing *drawing, uint64_t element, char *cell, size_t size) {
  const TileLayout *layout = drawing->layout;
  TileText text = {cell, size, 0};
  uint64_t place = 0;
  if (tileGF2Reduce(&drawing->image, element, &place)) {
    tileTextAppend(&text, "-");
    return;
  }
  place = tileGF2Reduce(&drawing->kernel, place, NULL);
  long long index[TileLayoutDim_Count];
  for (int32_t dim = 0; dim < TileLayoutDim_Count; ++dim) {
    index[dim] = (long long)(place & ((1ull << layout->bits[dim]) - 1));
    place >>= layout->bits[dim];
  }
  if (layout->bits[TileLayoutDim_Block])
    tileTextAppend(&text, "%lld/", index[TileLayoutDim_Block]);
  if (drawing->memory)
    tileTextAppend(&text, "%lld", index[TileLayoutDim_Offset]);
  else
    tileTextAppend(&text, "%lld:%lld",
                   index[TileLayoutDim_Warp] << layout->bits[TileLayoutDim_Lane] | index[TileLayoutDim_Lane],
                   index[TileLayoutDim_Register]);
  int32_t copies = tileGF2Dimension(&drawing->kernel);
  if (copies)
    tileTextAppend(&text, "+%lld", (1ll << copies) - 1);
}

/// The slow coordinates of a row, "1,2".
static void formatRow(const Drawing *drawing, int64_t row, char *label, size_t size) {
  TileText text = {label, size, 0};
  int32_t coords[TileLayout_MaxRank];
  tileLayoutUnpack(drawing->layout, (uint64_t)(row * drawing->columns), coords);
  label[0] = 0;
  for (int32_t d = 0; d < drawing->layout->rank - 1; ++d)
    tileTextAppend(&text, "%s%d", d ? "," : "", (int)coords[d]);
}

static void drawRow(const Drawing *drawing, TileText *text, int64_t row, int64_t columns,
                    int32_t labelWidth) {
  char cell[96];
  formatRow(drawing, row, cell, sizeof cell);
  tileTextAppend(text, "%*s |", (int)labelWidth, cell);
  for (int64_t column = 0; column < columns; ++column) {
    formatCell(drawing, (uint64_t)(row * drawing->columns + column), cell, sizeof cell);
    tileTextAppend(text, " %*s", (int)drawing->width, cell);
  }
  tileTextAppend(text, columns < drawing->columns ? " ...\n" : "\n");
}

/// Width of the widest cell and row label that will be drawn.
static int32_t measure(Drawing *drawing, int64_t rows, int64_t columns) {
  char cell[96];
  int32_t labelWidth = 0;
  drawing->width = (int32_t)snprintf(cell, sizeof cell, "%lld", (long long)(columns - 1));
  for (int64_t row = 0; row < rows; ++row) {
    formatRow(drawing, row, cell, sizeof cell);
    labelWidth = (int32_t)strlen(cell) > labelWidth ? (int32_t)strlen(cell) : labelWidth;
    for (int64_t column = 0; column < columns; ++column) {
      formatCell(drawing, (uint64_t)(row * drawing->columns + column), cell, sizeof cell);
      drawing->width = (int32_t)strlen(cell) > drawing->width ? (int32_t)strlen(cell) : drawing->width;
    }
  }
  return labelWidth;
}

static size_t draw(const TileLayout *layout, bool memory, int32_t maxRows, int32_t maxCols, char *buffer,
                   size_t size) {
  Drawing drawing;
  beginDrawing(layout, memory, &drawing);
  int64_t rows = drawing.rows < maxRows ? drawing.rows : maxRows;
  int64_t columns = drawing.columns < maxCols ? drawing.columns : maxCols;
  int32_t labelWidth = measure(&drawing, rows, columns);
  TileText text = {buffer, size, 0};
  if (size)
    buffer[0] = 0;
  tileTextAppend(&text, "%*s |", (int)labelWidth, "");
  for (int64_t column = 0; column < columns; ++column)
    tileTextAppend(&text, " %*lld", (int)drawing.width, (long long)column);
  tileTextAppend(&text, "\n");
  for (int64_t row = 0; row < rows; ++row)
    drawRow(&drawing, &text, row, columns, labelWidth);
  if (rows < drawing.rows)
    tileTextAppend(&text, "%*s |\n", (int)labelWidth, "...");
  return text.length;
}

size_t tileLayoutDraw(const TileLayout *layout, int32_t maxRows, int32_t maxCols, char *buffer, size_t size) {
  return draw(layout, false, maxRows, maxCols, buffer, size);
}

size_t tileLayoutDrawMemory(const TileLayout *layout, int32_t maxRows, int32_t maxCols, char *buffer,
                            size_t size) {
  return draw(layout, true, maxRows, maxCols, buffer, size);
}
