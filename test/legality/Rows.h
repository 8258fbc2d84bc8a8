/* Rows.h - the examples that rows.txt stands for, and the rows of the table that they decide. */
#ifndef TILE_TEST_LEGALITY_ROWS_H
#define TILE_TEST_LEGALITY_ROWS_H
#include "tile-c/IR.h"
#include "tile-c/Legality.h"
#include "tile-c/Support/Arena.h"
#include "tile-c/Support/StringBuilder.h"
#include "tile-c/Target.h"

enum { MAX_OPERANDS = 8, MAX_STATEMENTS = 12 };

/// One combination of a line's variables.
typedef struct Example {
  int line;
  bool optional;                      ///< may be no valid IR
  TileVendor vendor;                  ///< None: any
  const char *operands[MAX_OPERANDS]; ///< MLIR types
  int numOperands;
  const char *result; ///< MLIR type, or null
  const char *statements[MAX_STATEMENTS];
  int numStatements, keyed; ///< which statement has the key
  intptr_t row;
} Example;

/// One row of the table: legal on a chip if all its examples for the chip's vendor compile, and there is one.
typedef struct Row {
  TileLegalityKey key;
  uint32_t chips; ///< bits of the chips on which it is legal
  uint32_t plan;  ///< bits of the chips to try it on
} Row;

typedef struct Rows {
  TileArena arena;
  Example *examples;
  Row *rows;
  size_t numExamples, numRows, capacity;
} Rows;

/// Reads the file's text; false after a message. Only examples are there then.
bool rowsRead(Rows *rows, const char *text, const char *name);
/// Parses every example, drops those that are allowed to be invalid and are, and finds the rows.
bool rowsFindKeys(Rows *rows, MlirContext context, const char *name);
void rowsRelease(Rows *rows);

/// Appends the example's function, named @r<number>. `uniform`: the operands are the same in all threads.
void exampleAppendFunction(const Example *e, size_t number, TileVendor vendor, bool uniform,
                           TileStringBuilder *out);
/// Appends what the example wants at the module's top.
void exampleAppendTop(const Example *e, TileStringBuilder *out);
/// The bits of the chips that the example is for.
uint32_t exampleChips(const Example *e);

#endif
