/* ArgumentNames.c - the names that a text gives its kernels' arguments, which MLIR's parser does not keep. */
#include "Source.h"
#include <ctype.h>
#include <string.h>

enum { NAMED = 1024 }; ///< arguments of a kernel; it may have fewer

typedef struct Scanner {
  const char *at, *end;
} Scanner;

static bool isName(char c) { return isalnum((unsigned char)c) || strchr("_$.-", c); }

/// Behind comments and strings that start at the cursor; false if none does.
static bool skipOpaque(Scanner *s) {
  if (s->end - s->at > 1 && s->at[0] == '/' && s->at[1] == '/') {
    while (s->at < s->end && *s->at != '\n')
      ++s->at;
    return true;
  }
  if (*s->at != '"')
    return false;
  for (++s->at; s->at < s->end && *s->at != '"' && *s->at != '\n'; ++s->at)
    if (*s->at == '\\' && s->at + 1 < s->end)
      ++s->at;
  s->at += s->at < s->end;
  return true;
}

/// The character behind "@function("; NULL if the text has none.
static const char *findFunction(Scanner *s, const char *function, size_t length) {
  while (s->at < s->end) {
    if (skipOpaque(s))
      continue;
    if (*s->at == '@' && (size_t)(s->end - s->at) > length + 1 && !memcmp(s->at + 1, function, length) &&
        s->at[length + 1] == '(')
      return s->at + length + 2;
    ++s->at;
  }
  return NULL;
}

const char *tileSourceArgumentName(const char *text, size_t size, const char *function, size_t nameLength,
                                   size_t i, size_t *out_length) {
  Scanner s = {text, text + size};
  int depth = 1;
  bool first = true; // of an argument
  *out_length = 0;
  // Each search begins anew: of a hundred thousand arguments, which no kernel may have, they would take minutes.
  if (i >= NAMED || !(s.at = findFunction(&s, function, nameLength)))
    return "";
  while (s.at < s.end && depth > 0) {
    if (skipOpaque(&s))
      continue;
    const char c = *s.at++;
    depth += (strchr("({[<", c) != NULL) - (strchr(")}]>", c) != NULL && !(c == '>' && s.at[-2] == '-'));
    if (c == ',' && depth == 1)
      first = true;
    if (c != '%' || depth != 1 || !first)
      continue;
    first = false;
    const char *name = s.at;
    while (s.at < s.end && isName(*s.at))
      ++s.at;
    if (i-- == 0)
      return *out_length = (size_t)(s.at - name), name;
  }
  return "";
}

/// Whether what follows the name of an argument says that it is no number: a pointer, a descriptor, a tensor.
static bool isOther(const Scanner *s) {
  const char *at = s->at;
  while (at < s->end && (isspace((unsigned char)*at) || *at == ':'))
    ++at;
  return at < s->end && (*at == '!' || (s->end - at > 6 && !memcmp(at, "tensor<", 7)));
}

/// Whether the parentheses that are open at the cursor hold the name of an argument, and goes behind them.
static bool listHas(Scanner *s, const char *name, size_t length, bool isNumber) {
  int depth = 1;
  bool first = true, found = false;
  while (s->at < s->end && depth > 0) {
    if (skipOpaque(s))
      continue;
    const char c = *s->at++;
    depth += (strchr("({[<", c) != NULL) - (strchr(")}]>", c) != NULL && !(c == '>' && s->at[-2] == '-'));
    first |= c == ',' && depth == 1;
    if (c != '%' || depth != 1 || !first)
      continue;
    first = false;
    const char *begin = s->at;
    while (s->at < s->end && isName(*s->at))
      ++s->at;
    found |= (size_t)(s->at - begin) == length && !memcmp(begin, name, length) && !(isNumber && isOther(s));
  }
  return found;
}

bool tileSourceHasArgument(const char *text, size_t size, const char *name, size_t length, bool isNumber) {
  Scanner s = {text, text + size};
  const bool isGeneric = memmem(text, size, ".func\"", 6) != NULL;
  while (s.at < s.end) {
    if (*s.at != '@' && !(isGeneric && *s.at == '^')) {
      if (!skipOpaque(&s))
        ++s.at;
      continue;
    }
    do
      ++s.at;
    while (s.at < s.end && isName(*s.at));
    if (s.at == s.end || *s.at != '(')
      continue;
    ++s.at;
    if (listHas(&s, name, length, isNumber))
      return true;
  }
  return false;
}
