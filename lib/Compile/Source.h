/* Source.h - the text of a kernel file before it is parsed: checked, and with its parameters filled in.
 *
 * A file may declare parameters in comment lines and use them anywhere outside comments:
 *   // tile.param BM = 128 in 64, 128, 256
 *   %a = tile.make_range 0, ${BM} ...
 * `-D NAME=VALUE` overrides the default. The choices after `in` are for --auto, those after `of` are not; NUM_WARPS and NUM_STAGES are the defaults of
 * --num-warps and --num-stages. Three more kinds of lines hold expressions (tile-c/Expression.h) of parameters and of the
 * kernel's scalar arguments, by name:
 *   // tile.grid = ceildiv(m, BM) * ceildiv(n, BN)      the programs of a launch, in x, y, z
 *   // tile.require BM * BN <= 32768                    --auto leaves out what does not fulfil it
 *   // tile.row b = n                                   rows of the tensor behind descriptor %b have n elements;
 *                                                      , k behind it: there are k of them */
#ifndef TILE_LIB_COMPILE_SOURCE_H
#define TILE_LIB_COMPILE_SOURCE_H
#include "tile-c/Compile.h"

/// Brackets of one kind of text may nest this deep; MLIR's parser recurses with them.
enum { TILE_MAX_NESTING = 256 };

/// One replaced ${NAME}. Columns count bytes from 1.
typedef struct TileSubstitution {
  unsigned line, oldColumn, newColumn, oldLength, newLength;
  const TileDefine *define; ///< that the value is of; NULL: declared, or computed
  const char *name;         ///< of the text, not terminated; NULL: computed
  size_t nameLength;
} TileSubstitution;

/// What a comment line declares.
typedef enum TileSourceMark {
  TileSourceMark_None, ///< nothing
  TileSourceMark_Param,
  TileSourceMark_Grid,
  TileSourceMark_Require,
  TileSourceMark_Row,
  TileSourceMark_Wrong, ///< a misspelt one of these; a diagnostic was given
} TileSourceMark;

typedef struct TileParam {
  const char *name, *value, *choices; ///< not terminated; choices NULL if there are none
  size_t nameLength, valueLength, choicesLength;
  unsigned line, column; ///< of the value
} TileParam;

/// The expression of a tile.grid or tile.require line.
typedef struct TileSourceExpression {
  const char *text; ///< not terminated
  size_t length;
  unsigned line;
} TileSourceExpression;

/// A tile.row line: how many elements a row of a descriptor's tensor has and, behind a comma, how many rows there are.
typedef struct TileSourceRow {
  const char *name; ///< of the descriptor, not terminated
  size_t nameLength;
  TileSourceExpression length;
} TileSourceRow;

enum { TILE_MAX_REQUIRES = 32, TILE_MAX_ROWS = 16 };

/// Zero-initialise. Everything is owned; params point into the caller's text.
typedef struct TileSource {
  char *text; ///< what the parser reads, terminated
  size_t size;
  TileParam *params;
  size_t numParams;
  TileSourceExpression grid; ///< text NULL: none
  TileSourceExpression
    requires[
        TILE_MAX_REQUIRES];
  size_t numRequires;
  TileSourceRow rows[TILE_MAX_ROWS];
  size_t numRows;
  TileSubstitution *substitutions; ///< in the order of the text
  size_t numSubstitutions;
  bool *usedDefines; ///< for each -D, whether the text has its name
} TileSource;

/// Checks the text (not empty, UTF-8 without control characters, nesting) and replaces ${NAME}. False: a
/// diagnostic was given.
bool tileSourceInit(TileSource *source, const char *text, size_t size, const TileCompileOptions *options);
void tileSourceRelease(TileSource *source);
/// Fills the values of these options in, after tileSourceReadParams and as often as wanted, without the checks of tileSourceInit. False:
/// a diagnostic was given.
bool tileSourceFill(TileSource *source, const char *text, size_t size, const TileCompileOptions *options);

/// The mark at the first word of a comment, and what follows it. Words that are close to one are refused: a misspelt tile.require
/// would require nothing.
TileSourceMark tileSourceMark(const char *at, const char *end, unsigned line, unsigned column,
                              const TileCompileOptions *options, const char **out_rest);

/// Notes the -D whose value stands in the line of an error (as parsed), at its column or last in front of it; else the first behind.
void tileSourceExplainError(const TileSource *source, const TileCompileOptions *options, unsigned line,
                            unsigned column);

/// Whether a function's list of arguments in the text has this name, without the percent sign, and as far as can be seen for a
/// number if `isNumber`; of a text with functions in their generic form, a block's.
bool tileSourceHasArgument(const char *text, size_t size, const char *name, size_t length, bool isNumber);

/// A declared parameter; NULL if there is none of this name.
const TileParam *tileSourceFindParam(const TileSource *source, const char *name, size_t length);
/// The value of a declared parameter: the last -D of its name, else its default. NULL: not declared.
const char *tileSourceFindValue(const TileSource *source, const TileCompileOptions *options, const char *name,
                                size_t length, size_t *out_length);

/// The name of argument i in the text of the function, without the percent sign; length 0 if it has none.
const char *tileSourceArgumentName(const char *text, size_t size, const char *function, size_t nameLength,
                                   size_t i, size_t *out_length);

/// The column in the text as written of a column in the text as parsed.
unsigned tileSourceColumn(const TileSource *source, unsigned line, unsigned column);

/// The parts of tileSourceInit. Each gives one diagnostic on failure.
bool tileSourceCheckText(const char *text, size_t size, const TileCompileOptions *options);
bool tileSourceCheckNesting(const TileSource *source, const TileCompileOptions *options);
/// No value may be used in front of the region that defines it; asked of texts that nest no deeper than TILE_MAX_NESTING.
bool tileSourceCheckNames(const TileSource *source, const TileCompileOptions *options);
bool tileSourceReadParams(TileSource *source, const char *text, size_t size,
                          const TileCompileOptions *options);
/// The expressions that tileSourceReadParams has found can be evaluated once their names have values.
bool tileSourceCheckExpressions(const TileSource *source, const char *text, size_t size,
                                const TileCompileOptions *options);

/// Where the part of a list of expressions ends that starts at `from`: at a comma outside of parentheses, or its end.
size_t tileSourcePartEnd(const TileSourceExpression *e, size_t from);

#endif
