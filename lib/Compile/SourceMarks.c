/* SourceMarks.c - the lines of a text that are read as declarations, '// tile.param', '// tile.grid', ..., and those that only look like it. */
#include "Report.h"
#include "Source.h"
#include <ctype.h>
#include <string.h>

static const char prefix[] = "tile.";
static const char *const names[] = {[TileSourceMark_Param] = "param",
                                    [TileSourceMark_Grid] = "grid",
                                    [TileSourceMark_Require] = "require",
                                    [TileSourceMark_Row] = "row"};

enum { MOST_LETTERS = 16 };

static bool isLetter(char c) { return isalnum((unsigned char)c) || c == '_'; }

/// Behind "tile." in any case, also written with another character than the dot; NULL if the word starts otherwise.
static const char *behindPrefix(const char *at, const char *end) {
  const size_t length = sizeof prefix - 2;
  if (end - at <= (ptrdiff_t)length)
    return NULL;
  for (size_t i = 0; i < length; ++i)
    if (tolower((unsigned char)at[i]) != prefix[i])
      return NULL;
  return strchr(".-_:", at[length]) ? at + length + 1 : NULL;
}

static int least(int a, int b) { return a < b ? a : b; }

/// How many letters of `a` have to be changed, left out, added or exchanged with the next to have `b`.
static int distance(const char *a, size_t n, const char *b) {
  int rows[3][MOST_LETTERS + 2];
  const size_t m = strlen(b);
  for (size_t j = 0; j <= m; ++j)
    rows[0][j] = (int)j;
  for (size_t i = 1; i <= n; ++i) {
    int *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = (int)i;
    for (size_t j = 1; j <= m; ++j) {
      const bool same = tolower((unsigned char)a[i - 1]) == b[j - 1];
      now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !same);
      if (i > 1 && j > 1 && tolower((unsigned char)a[i - 1]) == b[j - 2] &&
          tolower((unsigned char)a[i - 2]) == b[j - 1])
        now[j] = least(now[j], before[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

/// The mark that a word is probably meant to be; None if it is another word, such as an operation's name.
static TileSourceMark similar(const char *word, size_t length) {
  for (size_t i = TileSourceMark_Param;
       length && length <= MOST_LETTERS && i < sizeof names / sizeof names[0]; ++i) {
    const size_t n = strlen(names[i]);
    const bool isLong = n > 4, isLonger = isLong && length > n && !memcmp(word, names[i], n);
    if (isLonger || distance(word, length, names[i]) <= (isLong ? 2 : 1))
      return (TileSourceMark)i;
  }
  return TileSourceMark_None;
}

TileSourceMark tileSourceMark(const char *at, const char *end, unsigned line, unsigned column,
                              const TileCompileOptions *options, const char **out_rest) {
  const char *name = behindPrefix(at, end);
  size_t length = 0;
  while (name && name + length < end && isLetter(name[length]))
    ++length;
  const TileSourceMark mark = name ? similar(name, length) : TileSourceMark_None;
  const char *behind = name ? name + length : at;
  if (!mark || (behind < end && !isspace((unsigned char)*behind) && *behind != '=' && *behind != ':'))
    return TileSourceMark_None;
  *out_rest = behind;
  if (!memcmp(at, prefix, sizeof prefix - 1) && strlen(names[mark]) == length &&
      !memcmp(name, names[mark], length))
    return mark;
  tileReportAt(options, TileSeverity_Error, line, column,
               "unknown declaration '%.*s', expected tile.%s (or other words in the comment)",
               (int)(behind - at), at, names[mark]);
  return TileSourceMark_Wrong;
}
