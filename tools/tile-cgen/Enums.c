/* Enums.c - C enums of EnumInfo records, with stringify and parse. */
#include "Generators.h"
#include <string.h>

static void emitEnum(const Records *r, const json_t *info, FILE *out) {
  const char *cls = recordText(info, "className");
  const json_t *cases = json_object_get(info, "enumerants"), *ref;
  size_t i;
  fprintf(out, "typedef enum %s%s {\n", r->typePrefix, cls);
  json_array_foreach(cases, i, ref) {
    const json_t *c = recordRef(r, ref);
    fprintf(out, "  %s%s_%s = %lld,\n", r->typePrefix, cls, recordText(c, "symbol"),
            (long long)json_integer_value(json_object_get(c, "value")));
  }
  fprintf(out, "} %s%s;\n", r->typePrefix, cls);
  if (recordIsA(info, "BitEnumBase")) {
    fprintf(out, "\n");
    return;
  }
  fprintf(out, "static inline const char *%s%sStringify(%s%s e) {\n  switch (e) {\n", r->fnPrefix, cls,
          r->typePrefix, cls);
  json_array_foreach(cases, i, ref) {
    const json_t *c = recordRef(r, ref);
    fprintf(out, "  case %s%s_%s: return \"%s\";\n", r->typePrefix, cls, recordText(c, "symbol"),
            recordText(c, "str"));
  }
  fprintf(out, "  }\n  return \"\";\n}\n");
  fprintf(out, "static inline bool %s%sParse(MlirStringRef s, %s%s *out_e) {\n", r->fnPrefix, cls,
          r->typePrefix, cls);
  json_array_foreach(cases, i, ref) {
    const json_t *c = recordRef(r, ref);
    fprintf(out, "  if (mlirStringRefEqual(s, tileStr(\"%s\")))\n    return *out_e = %s%s_%s, true;\n",
            recordText(c, "str"), r->typePrefix, cls, recordText(c, "symbol"));
  }
  fprintf(out, "  return false;\n}\n");
}

/* A dialect's own attribute around an enum is made and read through its text, the only way mlir-c leaves
 * open. */
static void emitEnumAttr(const Records *r, const json_t *attr, FILE *out) {
  const json_t *info = recordRef(r, json_object_get(attr, "enum"));
  if (!info || recordIsA(info, "BitEnumBase") ||
      strcmp(recordText(info, "cppNamespace"), recordText(attr, "cppNamespace")))
    return;
  const char *cls = recordText(attr, "cppClassName"), *en = recordText(info, "className");
  const char *bracket = strchr(recordText(attr, "assemblyFormat"), '<') ? "<" : "";
  fprintf(out,
          "static inline MlirAttribute %s%sGet(MlirContext context, %s%s e) {\n"
          "  return tileEnumAttrGet(context, \"%s\", \"%s\", \"%s\", %s%sStringify(e));\n}\n",
          r->fnPrefix, cls, r->typePrefix, en, r->dialect, recordText(attr, "mnemonic"), bracket, r->fnPrefix,
          en);
  fprintf(out,
          "static inline bool %s%sRead(MlirAttribute a, %s%s *out_e) {\n  char word[64];\n"
          "  return tileEnumAttrKeyword(a, word, sizeof word) && %s%sParse(tileStr(word), out_e);\n}\n\n",
          r->fnPrefix, cls, r->typePrefix, en, r->fnPrefix, en);
}

void emitEnums(const Records *r, FILE *out) {
  const json_t *name;
  size_t i;
  json_array_foreach(recordsOf(r, "EnumInfo"), i, name) {
    const json_t *info = recordFind(r, json_string_value(name));
    if (r->cppNamespace && !strcmp(recordText(info, "cppNamespace"), r->cppNamespace))
      emitEnum(r, info, out);
  }
  json_array_foreach(recordsOf(r, "EnumAttr"), i, name) {
    const json_t *attr = recordFind(r, json_string_value(name));
    if (r->cppNamespace && !strcmp(recordText(attr, "cppNamespace"), r->cppNamespace))
      emitEnumAttr(r, attr, out);
  }
}
