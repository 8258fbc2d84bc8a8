/* Records.c - queries on TableGen's JSON. */
#include "Records.h"
#include <ctype.h>
#include <string.h>

static const struct {
  const char *dialect, *typePrefix, *fnPrefix;
} prefixes[] = {
    {"tile", "Tile", "tile"},
    {"tile_gpu", "TileGPU", "tileGPU"},
    {"tile_nv", "TileNV", "tileNV"},
    {"tt", "TT", "tt"},
    {"arith", "Arith", "arith"},
    {"math", "Math", "math"},
    {"scf", "SCF", "scf"},
    {"cf", "CF", "cf"},
    {"func", "Func", "func"},
    {"llvm", "LLVM", "llvm"},
    {"nvvm", "NVVM", "nvvm"},
    {"rocdl", "ROCDL", "rocdl"},
    {"ub", "UB", "ub"},
    {"toy", "Toy", "toy"},
    {"gpu", "GPU", "gpu"},
    {"ttg", "TTG", "ttg"},
};

bool recordsInit(Records *r, const json_t *root, const char *dialect) {
  *r = (Records){.root = root, .dialect = dialect};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (!strcmp(prefixes[i].dialect, dialect)) {
      r->typePrefix = prefixes[i].typePrefix;
      r->fnPrefix = prefixes[i].fnPrefix;
    }
  if (!r->typePrefix) {
    fprintf(stderr, "tile-cgen: no C prefix is known for dialect '%s'; add it to the table in Records.c\n",
            dialect);
    return false;
  }
  const json_t *dialects = recordsOf(r, "Dialect"), *name;
  size_t i;
  json_array_foreach(dialects, i, name) {
    const json_t *d = recordFind(r, json_string_value(name));
    if (!strcmp(recordText(d, "name"), dialect))
      r->cppNamespace = recordText(d, "cppNamespace");
  }
  return true;
}

const json_t *recordFind(const Records *r, const char *name) { return json_object_get(r->root, name); }

const json_t *recordRef(const Records *r, const json_t *ref) {
  const char *name = json_string_value(json_object_get(ref, "def"));
  return name ? recordFind(r, name) : NULL;
}

bool recordIsA(const json_t *record, const char *superclass) {
  const json_t *supers = json_object_get(record, "!superclasses"), *s;
  size_t i;
  json_array_foreach(supers, i, s) if (!strcmp(json_string_value(s), superclass)) return true;
  return false;
}

const char *recordText(const json_t *record, const char *field) {
  const char *text = json_string_value(json_object_get(record, field));
  if (!text)
    return "";
  while (isspace((unsigned char)*text))
    ++text;
  return text;
}

bool recordFlag(const json_t *record, const char *field) {
  return json_integer_value(json_object_get(record, field)) != 0;
}

const json_t *recordsOf(const Records *r, const char *superclass) {
  return json_object_get(json_object_get(r->root, "!instanceof"), superclass);
}

bool recordIsOpOfDialect(const Records *r, const json_t *op) {
  const json_t *dialect = recordRef(r, json_object_get(op, "opDialect"));
  return dialect && !strcmp(recordText(dialect, "name"), r->dialect);
}

size_t dagSize(const json_t *op, const char *field) {
  return json_array_size(json_object_get(json_object_get(op, field), "args"));
}

DagItem dagItem(const Records *r, const json_t *op, const char *field, size_t i) {
  const json_t *pair = json_array_get(json_object_get(json_object_get(op, field), "args"), i);
  const json_t *value = json_array_get(pair, 0);
  DagItem item = {.name = json_string_value(json_array_get(pair, 1)), .text = json_string_value(value)};
  if (!item.name)
    item.name = "";
  if (!item.text)
    item.record = recordRef(r, value);
  while (item.record && recordIsA(item.record, "OpVariable"))
    item.record = recordRef(r, json_object_get(item.record, "constraint"));
  return item;
}

void camelCase(const char *in, char *out, size_t size) {
  bool up = true;
  size_t n = 0;
  for (; *in && n + 1 < size; ++in) {
    if (!isalnum((unsigned char)*in)) {
      up = true;
      continue;
    }
    out[n++] = up ? (char)toupper((unsigned char)*in) : *in;
    up = false;
  }
  out[n] = 0;
}

void paramName(const char *in, char *out, size_t size) {
  static const char *const reserved[] = {
      "default", "register", "auto",     "const",    "case", "switch",   "int",    "b", "loc", "bool", "true",
      "false",   "static",   "volatile", "operator", "this", "restrict", "inline", "s", "o",   "attrs"};
  bool clash = false;
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; ++i)
    clash |= !strcmp(reserved[i], in);
  snprintf(out, size, "%s%s", in, clash ? "_" : "");
}

const char *opClassName(const char *recordName) {
  const char *underscore = strchr(recordName, '_');
  return underscore ? underscore + 1 : recordName;
}

void opKindName(const char *recordName, char *out, size_t size) {
  snprintf(out, size, "%s", opClassName(recordName));
  size_t n = strlen(out);
  if (n > 2 && !strcmp(out + n - 2, "Op"))
    out[n - 2] = 0;
}
