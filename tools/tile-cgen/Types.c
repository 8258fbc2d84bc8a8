/* Types.c - C functions for the TypeDefs and AttrDefs of our own dialects. */
#include "Generators.h"
#include <string.h>

typedef enum ParamKind {
  Param_Int,
  Param_Bool,
  Param_Type,
  Param_Attr,
  Param_String,
  Param_Int64Array,
  Param_Int32Array,
  Param_Enum
} ParamKind;

static const struct {
  const char *needle;
  ParamKind kind;
} paramKinds[] = {
    {"ArrayRef<int64_t>", Param_Int64Array},
    {"ArrayRef<int32_t>", Param_Int32Array},
    {"StringRef", Param_String},
    {"bool", Param_Bool},
    {"unsigned", Param_Int},
    {"int64_t", Param_Int},
    {"uint64_t", Param_Int},
    {"int32_t", Param_Int},
    {"uint32_t", Param_Int},
    {"int", Param_Int},
    {"Attr", Param_Attr},
    {"Type", Param_Type},
};

static const char *cppTypeOf(DagItem p) { return p.text ? p.text : recordText(p.record, "cppType"); }

static ParamKind kindOf(DagItem p) {
  for (size_t i = 0; i < sizeof paramKinds / sizeof *paramKinds; ++i)
    if (strstr(cppTypeOf(p), paramKinds[i].needle))
      return paramKinds[i].kind;
  return Param_Enum;
}

typedef struct DefClass {
  const char *superclass, *cType, *handle;
  char sigil;
} DefClass;
static const DefClass typeDefs = {"TypeDef", "MlirType", "t", '!'},
                      attrDefs = {"AttrDef", "MlirAttribute", "a", '#'};

static void emitGetSignature(const Records *r, const json_t *def, const DefClass *dc, FILE *out) {
  static const char *const cTypes[] = {"int64_t",       "bool", "MlirType", "MlirAttribute",
                                       "MlirStringRef", 0,      0,          "int64_t"};
  fprintf(out, "%s %s%sGet(MlirContext context", dc->cType, r->fnPrefix, recordText(def, "cppClassName"));
  for (size_t i = 0; i < dagSize(def, "parameters"); ++i) {
    DagItem p = dagItem(r, def, "parameters", i);
    ParamKind k = kindOf(p);
    char name[128], up[128];
    paramName(p.name, name, sizeof name);
    camelCase(p.name, up, sizeof up);
    if (k == Param_Int64Array || k == Param_Int32Array)
      fprintf(out, ", intptr_t num%s, const %s *%s", up, k == Param_Int64Array ? "int64_t" : "int32_t", name);
    else
      fprintf(out, ", %s %s", cTypes[k], name);
  }
  fprintf(out, ")");
}

static void emitDefHeader(const Records *r, const json_t *def, const DefClass *dc, FILE *out) {
  const char *cls = recordText(def, "cppClassName");
  fprintf(out, "/* %c%s.%s: %s */\nbool %s%sIsA(%s %s);\n", dc->sigil, r->dialect,
          recordText(def, "mnemonic"), recordText(def, "summary"), r->fnPrefix, cls, dc->cType, dc->handle);
  emitGetSignature(r, def, dc, out);
  fprintf(out, ";\n");
  static const char *const cTypes[] = {"int64_t",       "bool", "MlirType", "MlirAttribute",
                                       "MlirStringRef", 0,      0,          "int64_t"};
  for (size_t i = 0; i < dagSize(def, "parameters"); ++i) {
    DagItem p = dagItem(r, def, "parameters", i);
    ParamKind k = kindOf(p);
    char up[128];
    camelCase(p.name, up, sizeof up);
    if (k == Param_Int64Array || k == Param_Int32Array)
      fprintf(out, "intptr_t %s%sGetNum%s(%s %s);\nint64_t %s%sGet%s(%s %s, intptr_t i);\n", r->fnPrefix, cls,
              up, dc->cType, dc->handle, r->fnPrefix, cls, up, dc->cType, dc->handle);
    else
      fprintf(out, "%s %s%sGet%s(%s %s);\n", cTypes[k], r->fnPrefix, cls, up, dc->cType, dc->handle);
  }
  fprintf(out, "\n");
}

static void emitGetBody(const Records *r, const json_t *def, const DefClass *dc, FILE *out) {
  const char *cls = recordText(def, "cppClassName");
  fprintf(out, "extern \"C\" ");
  emitGetSignature(r, def, dc, out);
  fprintf(out, " {\n  return wrap(%s::%s::get(unwrap(context)", r->cppNamespace, cls);
  for (size_t i = 0; i < dagSize(def, "parameters"); ++i) {
    DagItem p = dagItem(r, def, "parameters", i);
    char name[128], up[128];
    paramName(p.name, name, sizeof name);
    camelCase(p.name, up, sizeof up);
    switch (kindOf(p)) {
    case Param_Int:
    case Param_Bool:
      fprintf(out, ", %s", name);
      break;
    case Param_Type:
    case Param_String:
      fprintf(out, ", unwrap(%s)", name);
      break;
    case Param_Attr:
      fprintf(out, ", llvm::cast_or_null<%s>(unwrap(%s))", cppTypeOf(p), name);
      break;
    case Param_Int64Array:
      fprintf(out, ", llvm::ArrayRef<int64_t>(%s, num%s)", name, up);
      break;
    case Param_Int32Array:
      fprintf(out, ", llvm::ArrayRef<int32_t>(%s, num%s)", name, up);
      break;
    case Param_Enum:
      fprintf(out, ", static_cast<%s>(%s)", cppTypeOf(p), name);
      break;
    }
  }
  fprintf(out, "));\n}\n");
}

static void emitDefCapi(const Records *r, const json_t *def, const DefClass *dc, FILE *out) {
  const char *cls = recordText(def, "cppClassName");
  fprintf(out, "extern \"C\" bool %s%sIsA(%s %s) { return llvm::isa_and_nonnull<%s::%s>(unwrap(%s)); }\n",
          r->fnPrefix, cls, dc->cType, dc->handle, r->cppNamespace, cls, dc->handle);
  emitGetBody(r, def, dc, out);
  static const char *const cTypes[] = {"int64_t",       "bool", "MlirType", "MlirAttribute",
                                       "MlirStringRef", 0,      0,          "int64_t"};
  for (size_t i = 0; i < dagSize(def, "parameters"); ++i) {
    DagItem p = dagItem(r, def, "parameters", i);
    ParamKind k = kindOf(p);
    char up[128], get[512];
    camelCase(p.name, up, sizeof up);
    snprintf(get, sizeof get, "llvm::cast<%s::%s>(unwrap(%s)).get%s()", r->cppNamespace, cls, dc->handle, up);
    if (k == Param_Int64Array || k == Param_Int32Array) {
      fprintf(out, "extern \"C\" intptr_t %s%sGetNum%s(%s %s) { return %s.size(); }\n", r->fnPrefix, cls, up,
              dc->cType, dc->handle, get);
      fprintf(out, "extern \"C\" int64_t %s%sGet%s(%s %s, intptr_t i) { return %s[i]; }\n", r->fnPrefix, cls,
              up, dc->cType, dc->handle, get);
      continue;
    }
    bool wrapped = k == Param_Type || k == Param_Attr || k == Param_String;
    fprintf(out, "extern \"C\" %s %s%sGet%s(%s %s) { return %s%s%s; }\n", cTypes[k], r->fnPrefix, cls, up,
            dc->cType, dc->handle,
            wrapped           ? "wrap("
            : k == Param_Enum ? "static_cast<int64_t>("
                              : "",
            get, wrapped || k == Param_Enum ? ")" : "");
  }
}

static void eachDef(const Records *r, const DefClass *dc, FILE *out,
                    void (*emit)(const Records *, const json_t *, const DefClass *, FILE *)) {
  const json_t *name;
  size_t i;
  json_array_foreach(recordsOf(r, dc->superclass), i, name) {
    const json_t *def = recordFind(r, json_string_value(name));
    const json_t *dialect = recordRef(r, json_object_get(def, "dialect"));
    if (!recordIsA(def, "EnumAttr") && dialect && !strcmp(recordText(dialect, "name"), r->dialect))
      emit(r, def, dc, out);
  }
}

/* Upstream's types and attributes have their own functions in mlir-c. */
static bool isOurs(const Records *r) {
  return !strncmp(r->typePrefix, "Tile", 4) || !strcmp(r->typePrefix, "TT") || !strcmp(r->typePrefix, "Toy");
}

void emitTypes(const Records *r, FILE *out) {
  if (!isOurs(r))
    return;
  eachDef(r, &typeDefs, out, emitDefHeader);
  eachDef(r, &attrDefs, out, emitDefHeader);
}

void emitTypesCapi(const Records *r, FILE *out) {
  eachDef(r, &typeDefs, out, emitDefCapi);
  eachDef(r, &attrDefs, out, emitDefCapi);
}
