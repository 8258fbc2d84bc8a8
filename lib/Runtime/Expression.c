/* Expression.c - evaluates integer expressions by recursive descent. */
#include "tile-c/Expression.h"
#include <ctype.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

typedef struct Parser {
  const char *at, *end;
  TileExpressionLookup lookup;
  void *user;
  TileExpressionResult result;
  int depth;
} Parser;

static int64_t comparison(Parser *p);

static int64_t fail(Parser *p, TileExpressionResult result) {
  if (!p->result)
    p->result = result;
  return 0;
}

static char peek(Parser *p) {
  while (p->at < p->end && isspace((unsigned char)*p->at))
    ++p->at;
  return p->at < p->end ? *p->at : 0;
}

static bool accept(Parser *p, const char *token) {
  const size_t length = strlen(token);
  if (peek(p) != token[0] || (size_t)(p->end - p->at) < length || memcmp(p->at, token, length))
    return false;
  p->at += length;
  return true;
}

static bool isWord(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int64_t divide(Parser *p, int64_t a, int64_t b) {
  return b == 0 || (a == INT64_MIN && b == -1) ? fail(p, TileExpression_Malformed) : a / b;
}

static bool isName(const char *name, size_t length, const char *other) {
  return length == strlen(other) && !memcmp(name, other, length);
}

/// min, max or ceildiv of two expressions, the name already read.
static int64_t call(Parser *p, const char *name, size_t length) {
  const bool min = isName(name, length, "min"), max = isName(name, length, "max");
  if (!min && !max && !isName(name, length, "ceildiv")) {
    p->at = name;
    return fail(p, TileExpression_Unknown);
  }
  const int64_t a = comparison(p);
  const bool comma = accept(p, ",");
  const int64_t b = comma ? comparison(p) : 0;
  if (p->result || !comma || !accept(p, ")"))
    return fail(p, TileExpression_Malformed);
  if (min)
    return a < b ? a : b;
  if (max)
    return a > b ? a : b;
  const int64_t q = divide(p, a, b);
  return q + (!p->result && a % b != 0 && (a < 0) == (b < 0));
}

static int64_t number(Parser *p) {
  int64_t value = 0;
  for (; p->at < p->end && isdigit((unsigned char)*p->at); ++p->at)
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p->at - '0', &value))
      return fail(p, TileExpression_Malformed);
  return value;
}

static int64_t primary(Parser *p) {
  const char c = peek(p);
  int64_t value = 0;
  if (isdigit((unsigned char)c))
    return number(p);
  if (accept(p, "(")) {
    value = comparison(p);
    return accept(p, ")") ? value : fail(p, TileExpression_Malformed);
  }
  const char *name = p->at;
  while (p->at < p->end && isWord(*p->at))
    ++p->at;
  const size_t length = (size_t)(p->at - name);
  if (!length)
    return fail(p, TileExpression_Malformed);
  if (accept(p, "("))
    return call(p, name, length);
  if (p->lookup && p->lookup(name, length, &value, p->user))
    return value;
  p->at = name;
  return fail(p, TileExpression_Unknown);
}

static int64_t unary(Parser *p) {
  int64_t value = 0;
  if (++p->depth > MAX_DEPTH)
    return fail(p, TileExpression_Malformed);
  const bool negative = accept(p, "-");
  value = negative ? unary(p) : primary(p);
  --p->depth;
  return negative && __builtin_sub_overflow(0, value, &value) ? fail(p, TileExpression_Malformed) : value;
}

static int64_t product(Parser *p) {
  int64_t value = unary(p);
  for (char c; !p->result && ((c = peek(p)) == '*' || c == '/' || c == '%');) {
    ++p->at;
    const int64_t by = unary(p);
    if (c == '*' && __builtin_mul_overflow(value, by, &value))
      return fail(p, TileExpression_Malformed);
    if (c != '*') {
      const int64_t quotient = divide(p, value, by);
      value = c == '/' ? quotient : value - quotient * by;
    }
  }
  return value;
}

static int64_t sum(Parser *p) {
  int64_t value = product(p);
  for (char c; !p->result && ((c = peek(p)) == '+' || c == '-');) {
    ++p->at;
    const int64_t by = product(p);
    if (c == '+' ? __builtin_add_overflow(value, by, &value) : __builtin_sub_overflow(value, by, &value))
      return fail(p, TileExpression_Malformed);
  }
  return value;
}

static int64_t comparison(Parser *p) {
  static const char *const operators[] = {"<=", ">=", "==", "!=", "<", ">"};
  const int64_t a = sum(p);
  for (int k = 0; !p->result && k < 6; ++k) {
    if (!accept(p, operators[k]))
      continue;
    const int64_t b = sum(p);
    const bool results[] = {a <= b, a >= b, a == b, a != b, a<b, a> b};
    return results[k];
  }
  return a;
}

TileExpressionResult tileExpressionEvaluate(const char *text, size_t length, TileExpressionLookup lookup,
                                            void *user, int64_t *out_value, size_t *out_at) {
  Parser p = {.at = text, .end = text + length, .lookup = lookup, .user = user};
  const int64_t value = comparison(&p);
  if (!p.result && peek(&p))
    p.result = TileExpression_Malformed;
  *out_at = (size_t)(p.at - text);
  *out_value = p.result ? 0 : value;
  return p.result;
}
