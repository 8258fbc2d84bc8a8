/* MutateText.c - random changes to MLIR text by tokens, lines and bytes. */
#include "MutateText.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t fuzzNext(FuzzRandom *random) {
  uint64_t x = random->state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  random->state = x;
  return x * UINT64_C(0x2545F4914F6CDD1D);
}

size_t fuzzBelow(FuzzRandom *random, size_t n) { return (size_t)(fuzzNext(random) >> 16) % n; }

/* Words that reach rare code: types, attributes, operations, numbers. */
static const char *const words[] = {"i1",
                                    "i8",
                                    "i16",
                                    "i32",
                                    "i64",
                                    "i7",
                                    "i128",
                                    "index",
                                    "f16",
                                    "bf16",
                                    "f32",
                                    "f64",
                                    "f8E4M3FN",
                                    "f8E5M2",
                                    "f8E4M3FNUZ",
                                    "f8E5M2FNUZ",
                                    "f80",
                                    "none",
                                    "complex<f32>",
                                    "vector<4xf32>",
                                    "memref<4xf32>",
                                    "tuple<>",
                                    "tensor<0xf32>",
                                    "tensor<*xf32>",
                                    "tensor<?xf32>",
                                    "tensor<1xi32>",
                                    "tensor<3xf32>",
                                    "tensor<1x1x1x1xi8>",
                                    "tensor<2x64xf16>",
                                    "!tile.ptr<f32>",
                                    "!tile.ptr<i1, 3>",
                                    "!tile.ptr<!tile.ptr<f32>>",
                                    "!tile.desc<16x16xf32>",
                                    "!tt.ptr<f32>",
                                    "!llvm.ptr",
                                    "tensor<64x!tile.ptr<f32>>",
                                    "true",
                                    "false",
                                    "unit",
                                    "dense<1>",
                                    "dense<[]>",
                                    "dense<\"0x00\">",
                                    "array<i32: 1, 0>",
                                    "#x",
                                    "\"\"",
                                    "@f",
                                    "loc(unknown)",
                                    "tile.kernel",
                                    "tile.divisibility = 0 : i32",
                                    "tile.divisibility = -16 : i64",
                                    "{}",
                                    "()",
                                    "[]",
                                    "private",
                                    "public",
                                    "scf.yield",
                                    "scf.if",
                                    "scf.for",
                                    "scf.while",
                                    "cf.br",
                                    "return",
                                    "func.call @f()",
                                    "arith.constant",
                                    "ub.poison",
                                    "axis = 0",
                                    "axis = -1",
                                    "order = [1, 0]",
                                    "mask",
                                    "other",
                                    "->",
                                    ":",
                                    ",",
                                    "=",
                                    "volatile",
                                    "tile_gpu.num_warps"};
static const char *const numbers[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "3",
                                      "7",
                                      "8",
                                      "16",
                                      "127",
                                      "255",
                                      "1024",
                                      "65536",
                                      "2147483647",
                                      "-2147483648",
                                      "4294967296",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "0x7FC00000",
                                      "0xFF",
                                      "1.0",
                                      "-0.0",
                                      "1.0e+39",
                                      "inf"};

/* Attributes of every kind, for ops that expect another. */
static const char *const values[] = {"\"text\"",
                                     "7 : i32",
                                     "-1 : i64",
                                     "true",
                                     "1.5 : f32",
                                     "[]",
                                     "[1, 2]",
                                     "[\"a\"]",
                                     "[{}]",
                                     "{}",
                                     "{a = 1}",
                                     "array<i32>",
                                     "array<i32: 1, -2>",
                                     "array<i64: 0>",
                                     "@nothing",
                                     "i32",
                                     "index",
                                     "tensor<4xi32>",
                                     "dense<1> : tensor<2xi32>",
                                     "dense<1> : vector<2xi32>",
                                     "#llvm.linkage<private>",
                                     "#arith.fastmath<none>",
                                     "affine_map<(d0) -> (d0)>"};

enum { MAX_TOKENS = 1 << 16, MAX_CHANGES = 4 };

typedef struct Token {
  size_t begin, end;
} Token;

typedef struct Tokens {
  size_t count;
  Token *at;
} Tokens;

static bool isWord(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$'; }

/* The end of the token at `i`: a name with its mark, a number, a string, an arrow, or one character. */
static size_t tokenEnd(FuzzText t, size_t i) {
  char c = t.data[i++];
  if (c == '"') {
    while (i < t.size && t.data[i] != '"' && t.data[i] != '\n')
      i += t.data[i] == '\\' ? 2 : 1;
    return i < t.size ? i + 1 : t.size;
  }
  if (c == '-' && i < t.size && t.data[i] == '>')
    return i + 1;
  if (isWord(c) || strchr("%@#!^-", c))
    while (i < t.size && isWord(t.data[i]))
      ++i;
  return i;
}

static Tokens tokenize(FuzzText t) {
  Tokens tokens = {0, malloc((t.size + 1) * sizeof *tokens.at)};
  for (size_t i = 0; tokens.at && i < t.size && tokens.count < MAX_TOKENS;) {
    if (isspace((unsigned char)t.data[i])) {
      ++i;
      continue;
    }
    size_t end = tokenEnd(t, i);
    tokens.at[tokens.count++] = (Token){i, end < t.size ? end : t.size};
    i = end;
  }
  return tokens;
}

/* text with [begin, end) replaced by a piece. */
static FuzzText replace(FuzzText t, size_t begin, size_t end, const char *piece, size_t length) {
  FuzzText r = {malloc(t.size + length + 1), begin + length + (t.size - end)};
  if (!r.data)
    return (FuzzText){NULL, 0};
  memcpy(r.data, t.data, begin);
  memcpy(r.data + begin, piece, length);
  memcpy(r.data + begin + length, t.data + end, t.size - end);
  return r;
}

static FuzzText replaceWord(FuzzText t, Token at, const char *word) {
  return replace(t, at.begin, at.end, word, strlen(word));
}

/* What a token is, for exchanging like with like: its mark, or what it starts with. */
static int kindOf(FuzzText t, Token at) {
  char c = t.data[at.begin];
  if (isdigit((unsigned char)c) || (c == '-' && at.end > at.begin + 1))
    return '0';
  if (isalpha((unsigned char)c))
    return memchr(t.data + at.begin, '.', at.end - at.begin) ? '.' : 'a';
  return c;
}

/* A random token of `t` of the same kind as the one given; false after some tries. */
static bool pickLike(FuzzText t, Tokens tokens, int kind, FuzzRandom *random, Token *out) {
  for (int i = 0; i < 24 && tokens.count; ++i) {
    *out = tokens.at[fuzzBelow(random, tokens.count)];
    if (kindOf(t, *out) == kind)
      return true;
  }
  return false;
}

static FuzzText swapTokens(FuzzText t, Token a, Token b) {
  if (a.begin > b.begin) {
    Token c = a;
    a = b;
    b = c;
  }
  FuzzText later = replace(t, b.begin, b.end, t.data + a.begin, a.end - a.begin);
  FuzzText both = {NULL, 0};
  if (later.data && a.end <= b.begin)
    both = replace(later, a.begin, a.end, t.data + b.begin, b.end - b.begin);
  free(later.data);
  return both;
}

/* A run of tokens removed or repeated. */
static FuzzText changeRun(FuzzText t, Tokens tokens, FuzzRandom *random, bool repeat) {
  size_t first = fuzzBelow(random, tokens.count), last = first + fuzzBelow(random, 6);
  last = last < tokens.count ? last : tokens.count - 1;
  size_t begin = tokens.at[first].begin, end = tokens.at[last].end;
  return repeat ? replace(t, end, end, t.data + begin, end - begin) : replace(t, begin, end, "", 0);
}

/* What stands behind an equals sign, if there is one behind a random place: an attribute of another kind, or none. */
static FuzzText changeValue(FuzzText t, Tokens tokens, FuzzRandom *random) {
  for (size_t i = fuzzBelow(random, tokens.count); i + 1 < tokens.count; ++i)
    if (t.data[tokens.at[i].begin] == '=') {
      if (fuzzBelow(random, 8) == 0)
        return replace(t, tokens.at[i].begin, tokens.at[i + 1].end, "", 0);
      return replaceWord(t, tokens.at[i + 1], values[fuzzBelow(random, sizeof values / sizeof *values)]);
    }
  return (FuzzText){NULL, 0};
}

static FuzzText changeToken(FuzzText t, FuzzText other, FuzzRandom *random) {
  Tokens tokens = tokenize(t),
         lent = other.size && fuzzBelow(random, 3) == 0 ? tokenize(other) : (Tokens){0, NULL};
  FuzzText from = lent.at ? other : t, result = {NULL, 0};
  if (tokens.count) {
    Token at = tokens.at[fuzzBelow(random, tokens.count)], like;
    int kind = kindOf(t, at);
    switch (fuzzBelow(random, 11)) {
    case 5:
      result = changeValue(t, tokens, random);
      break;
    case 0:
      result = changeRun(t, tokens, random, false);
      break;
    case 1:
      result = changeRun(t, tokens, random, true);
      break;
    case 2:
      result = swapTokens(t, at, tokens.at[fuzzBelow(random, tokens.count)]);
      break;
    case 3:
      result = replaceWord(t, at, words[fuzzBelow(random, sizeof words / sizeof *words)]);
      break;
    case 4:
      if (kind != '0' && !pickLike(t, tokens, '0', random, &at))
        break;
      result = replaceWord(t, at, numbers[fuzzBelow(random, sizeof numbers / sizeof *numbers)]);
      break;
    default:
      if (pickLike(from, lent.at ? lent : tokens, kind, random, &like))
        result = replace(t, at.begin, at.end, from.data + like.begin, like.end - like.begin);
    }
  }
  free(tokens.at);
  free(lent.at);
  return result;
}

/* Bounds of the line around position i, its newline included. */
static Token lineAt(FuzzText t, size_t i) {
  Token line = {i, i};
  while (line.begin > 0 && t.data[line.begin - 1] != '\n')
    --line.begin;
  while (line.end < t.size && t.data[line.end] != '\n')
    ++line.end;
  line.end += line.end < t.size;
  return line;
}

static FuzzText changeLine(FuzzText t, FuzzText other, FuzzRandom *random) {
  if (!t.size)
    return (FuzzText){NULL, 0};
  Token a = lineAt(t, fuzzBelow(random, t.size)), b = lineAt(t, fuzzBelow(random, t.size));
  switch (fuzzBelow(random, other.size ? 4 : 3)) {
  case 0:
    return replace(t, a.begin, a.end, "", 0);
  case 1:
    return replace(t, b.begin, b.begin, t.data + a.begin, a.end - a.begin);
  case 2:
    return swapTokens(t, a, b);
  default:
    b = lineAt(other, fuzzBelow(random, other.size));
    return replace(t, a.begin, fuzzBelow(random, 2) ? a.end : a.begin, other.data + b.begin, b.end - b.begin);
  }
}

static FuzzText changeByte(FuzzText t, FuzzRandom *random) {
  char byte = (char)fuzzBelow(random, 256);
  size_t at = fuzzBelow(random, t.size + 1);
  return replace(t, at, at + (at < t.size && fuzzBelow(random, 2)), &byte, 1);
}

FuzzText fuzzMutate(FuzzText text, FuzzText other, size_t limit, FuzzRandom *random) {
  FuzzText now = replace(text, text.size, text.size, "", 0);
  for (size_t n = 1 + fuzzBelow(random, MAX_CHANGES); n && now.data; --n) {
    size_t kind = fuzzBelow(random, 40);
    FuzzText next = kind == 0   ? changeByte(now, random)
                    : kind < 10 ? changeLine(now, other, random)
                                : changeToken(now, other, random);
    if (!next.data || next.size > limit) {
      free(next.data);
      continue;
    }
    free(now.data);
    now = next;
  }
  return now;
}
