/* Ops.c - per op: a typed handle, cast, getters for operands, results, regions, successors and attributes, a
 * creator. */
#include "Generators.h"
#include <string.h>

enum { MAX_ITEMS = 128, POSITIONAL_LIMIT = 6 };

typedef enum Multiplicity { One, OptionalItem, Many } Multiplicity;

typedef struct Item {
  const char *name; ///< ODS name
  char camel[128], param[128];
  const json_t *record; ///< constraint
  const json_t *base;   ///< attributes: without OptionalAttr and the like
  Multiplicity multiplicity;
  bool optionalAttr;
} Item;

typedef struct OpModel {
  const Records *r;
  const json_t *record;
  const char *cls; ///< C++ class
  char kind[256];
  Item operands[MAX_ITEMS], attrs[MAX_ITEMS], results[MAX_ITEMS], regions[MAX_ITEMS], successors[MAX_ITEMS];
  size_t numOperands, numAttrs, numResults, numRegions, numSuccessors, numProperties;
  bool operandSegments, resultSegments, sameVariadic;
  bool attrStruct; ///< optional attributes are passed in a struct
} OpModel;

const json_t *attrBase(const Records *r, const json_t *attr) {
  for (const json_t *next; (next = recordRef(r, json_object_get(attr, "baseAttr")));)
    attr = next;
  return attr;
}

static Item *addItem(Item *items, size_t *n, DagItem d) {
  Item *item = &items[(*n)++];
  *item = (Item){.name = d.name, .record = d.record};
  camelCase(d.name, item->camel, sizeof item->camel);
  paramName(d.name, item->param, sizeof item->param);
  if (!*d.name) { /* unnamed in ODS: no getter, but the creator needs a parameter */
    snprintf(item->param, sizeof item->param, "item%zu", *n - 1);
    snprintf(item->camel, sizeof item->camel, "Item%zu", *n - 1);
  }
  if (!d.record)
    return item;
  if (recordIsA(d.record, "Variadic") || recordIsA(d.record, "VariadicOfVariadic") ||
      recordIsA(d.record, "VariadicRegion") || recordIsA(d.record, "VariadicSuccessor"))
    item->multiplicity = Many;
  else if (recordIsA(d.record, "Optional"))
    item->multiplicity = OptionalItem;
  return item;
}

static bool hasTrait(const Records *r, const json_t *op, const char *trait) {
  const json_t *traits = json_object_get(op, "traits"), *t;
  size_t i;
  json_array_foreach(traits, i, t) {
    const char *name = json_string_value(json_object_get(t, "def"));
    if (name && (!strcmp(name, trait) || !strcmp(recordText(recordFind(r, name), "trait"), trait)))
      return true;
  }
  return false;
}

static void modelArguments(OpModel *m) {
  for (size_t i = 0; i < dagSize(m->record, "arguments"); ++i) {
    DagItem d = dagItem(m->r, m->record, "arguments", i);
    if (recordIsA(d.record, "Property") || recordIsA(d.record, "PropConstraint")) {
      ++m->numProperties;
    } else if (recordIsA(d.record, "Attr") || recordIsA(d.record, "AttrConstraint")) {
      Item *item = addItem(m->attrs, &m->numAttrs, d);
      item->base = attrBase(m->r, d.record);
      item->optionalAttr = recordFlag(d.record, "isOptional") || *recordText(d.record, "defaultValue") ||
                           recordIsA(d.record, "DefaultValuedAttr") ||
                           recordIsA(d.record, "DefaultValuedOptionalAttr");
    } else {
      addItem(m->operands, &m->numOperands, d);
    }
  }
}

static bool modelOp(const Records *r, const char *recordName, OpModel *m) {
  memset(m, 0, sizeof *m);
  m->r = r;
  m->record = recordFind(r, recordName);
  m->cls = opClassName(recordName);
  opKindName(recordName, m->kind, sizeof m->kind);
  static const char *const fields[] = {"arguments", "results", "regions", "successors"};
  for (int f = 0; f < 4; ++f)
    if (dagSize(m->record, fields[f]) > MAX_ITEMS)
      return fprintf(stderr, "tile-cgen: %s has more than %d %s\n", recordName, MAX_ITEMS, fields[f]), false;
  modelArguments(m);
  for (size_t i = 0; i < dagSize(m->record, "results"); ++i)
    addItem(m->results, &m->numResults, dagItem(r, m->record, "results", i));
  for (size_t i = 0; i < dagSize(m->record, "regions"); ++i)
    addItem(m->regions, &m->numRegions, dagItem(r, m->record, "regions", i));
  for (size_t i = 0; i < dagSize(m->record, "successors"); ++i)
    addItem(m->successors, &m->numSuccessors, dagItem(r, m->record, "successors", i));
  m->operandSegments = hasTrait(r, m->record, "AttrSizedOperandSegments");
  m->resultSegments = hasTrait(r, m->record, "AttrSizedResultSegments");
  m->sameVariadic = hasTrait(r, m->record, "SameVariadicOperandSize");
  m->attrStruct = m->numAttrs > POSITIONAL_LIMIT;
  return true;
}

static size_t countVariable(const Item *items, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i)
    count += items[i].multiplicity != One;
  return count;
}

/* Writes C that sets `start` and `count` for group `g` of operands or results. */
static void emitGroup(const OpModel *m, const Item *items, size_t n, size_t g, bool operands, FILE *out) {
  const char *what = operands ? "Operand" : "Result";
  size_t variable = countVariable(items, n);
  if (operands ? m->operandSegments : m->resultSegments) {
    fprintf(out, "  intptr_t start, count;\n  tile%sSegment(o.op, %zu, &start, &count);\n", what, g);
    return;
  }
  size_t before = countVariable(items, g), fixedBefore = g - before;
  fprintf(out, "  intptr_t each = (mlirOperationGetNum%ss(o.op) - %zu) / %zu;\n", what, n - variable,
          variable ? variable : 1);
  fprintf(out, "  intptr_t start = %zu + %zu * each, count = each;\n", fixedBefore, before);
}

static void emitValueGetters(const OpModel *m, const Item *items, size_t n, bool operands, FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix, *what = operands ? "Operand" : "Result";
  bool segments = operands ? m->operandSegments : m->resultSegments;
  bool variableSeen = segments;
  for (size_t i = 0; i < n; ++i) {
    const Item *it = &items[i];
    if (!*it->name)
      continue;
    variableSeen |= it->multiplicity != One;
    if (it->multiplicity == Many) {
      fprintf(out, "static inline intptr_t %s%sGetNum%s(%s%s o) {\n", f, m->cls, it->camel, T, m->cls);
      emitGroup(m, items, n, i, operands, out);
      fprintf(out, "  (void)start;\n  return count;\n}\n");
      fprintf(out, "static inline MlirValue %s%sGet%s(%s%s o, intptr_t i) {\n", f, m->cls, it->camel, T,
              m->cls);
      emitGroup(m, items, n, i, operands, out);
      fprintf(out, "  (void)count;\n  return mlirOperationGet%s(o.op, start + i);\n}\n", what);
      continue;
    }
    fprintf(out, "static inline MlirValue %s%sGet%s(%s%s o) {\n", f, m->cls, it->camel, T, m->cls);
    if (!variableSeen) {
      fprintf(out, "  return mlirOperationGet%s(o.op, %zu);\n}\n", what, i);
      continue;
    }
    emitGroup(m, items, n, i, operands, out);
    if (it->multiplicity == OptionalItem)
      fprintf(out, "  return count ? mlirOperationGet%s(o.op, start) : (MlirValue){NULL};\n}\n", what);
    else
      fprintf(out, "  (void)count;\n  return mlirOperationGet%s(o.op, start);\n}\n", what);
  }
}

/* The enum of this dialect that the attribute holds: itself (an integer attribute) or in an attribute of the
 * dialect. */
static const json_t *enumOf(const OpModel *m, const Item *it) {
  const json_t *info =
      recordIsA(it->base, "EnumInfo") ? it->base : recordRef(m->r, json_object_get(it->base, "enum"));
  const char *ours = m->r->cppNamespace ? m->r->cppNamespace : "";
  bool plain = info && !recordIsA(info, "BitEnumBase") && !strcmp(recordText(info, "cppNamespace"), ours);
  return plain && !strcmp(recordText(it->base, "cppNamespace"), ours) ? info : NULL;
}

/* The C initialiser of a DefaultValuedAttr's value, or NULL if it is not a plain number or enumerant. */
static const char *defaultOf(const OpModel *m, const Item *it, char *buffer, size_t size) {
  const char *value = "";
  const json_t *record = it->record;
  while (record && !*value) {
    value = recordText(record, "defaultValue");
    record = recordRef(m->r, json_object_get(record, "baseAttr"));
  }
  if (!*value)
    return NULL;
  const char *colon = strrchr(value, ':');
  const json_t *info = enumOf(m, it);
  if (colon && info)
    snprintf(buffer, size, "%s%s_%s", m->r->typePrefix, recordText(info, "className"), colon + 1);
  else
    snprintf(buffer, size, "%s", value);
  return strpbrk(buffer, "{:(\"") ? NULL : buffer;
}

static void emitArrayGetter(const OpModel *m, const Item *it, const char *width, FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix;
  fprintf(out,
          "static inline intptr_t %s%sGetNum%s(%s%s o) {\n  MlirAttribute a = %s%sGet%sAttr(o);\n"
          "  return a.ptr ? mlirDenseArrayGetNumElements(a) : 0;\n}\n",
          f, m->cls, it->camel, T, m->cls, f, m->cls, it->camel);
  fprintf(out,
          "static inline int64_t %s%sGet%s(%s%s o, intptr_t i) {\n  return "
          "mlirDense%sArrayGetElement(%s%sGet%sAttr(o), i);\n}\n",
          f, m->cls, it->camel, T, m->cls, width, f, m->cls, it->camel);
}

/* An enum that is an attribute of the dialect is read through its text. */
static void emitEnumGetter(const OpModel *m, const Item *it, const json_t *info, const char *missing,
                           FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix, *cls = recordText(info, "className");
  fprintf(out, "static inline %s%s %s%sGet%s(%s%s o) {\n", T, cls, f, m->cls, it->camel, T, m->cls);
  fprintf(out, "  %s%s e = %s%s%s%s;\n", T, cls, missing ? missing : "(", missing ? "" : T,
          missing ? "" : cls, missing ? "" : ")0");
  fprintf(out, "  MlirAttribute a = %s%sGet%sAttr(o);\n  if (a.ptr)\n    %s%sRead(a, &e);\n  return e;\n}\n",
          f, m->cls, it->camel, f, recordText(it->base, "cppClassName"));
}

static void emitTypedAttrGetter(const OpModel *m, const Item *it, FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix;
  const char *storage = recordText(it->base, "storageType");
  char type[256], expr[256], buffer[256];
  const char *missing = defaultOf(m, it, buffer, sizeof buffer);
  const json_t *info = enumOf(m, it);
  if (info && info != it->base) {
    emitEnumGetter(m, it, info, missing, out);
    return;
  }
  if (info) {
    snprintf(type, sizeof type, "%s%s", T, recordText(info, "className"));
    snprintf(expr, sizeof expr, "(%s)mlirIntegerAttrGetValueInt(a)", type);
    if (!missing)
      snprintf(buffer, sizeof buffer, "(%s)0", type), missing = buffer;
  } else if (strstr(storage, "BoolAttr")) {
    strcpy(type, "bool"), strcpy(expr, "mlirBoolAttrGetValue(a)"), missing = missing ? missing : "false";
  } else if (strstr(storage, "UnitAttr")) {
    strcpy(type, "bool"), strcpy(expr, "true"), missing = "false";
  } else if (strstr(storage, "::mlir::IntegerAttr")) {
    strcpy(type, "int64_t"), strcpy(expr, "tileIntegerAttrValue(a)"), missing = missing ? missing : "0";
  } else if (strstr(storage, "FlatSymbolRefAttr")) {
    strcpy(type, "MlirStringRef"), strcpy(expr, "mlirFlatSymbolRefAttrGetValue(a)"),
        missing = "tileStr(\"\")";
  } else if (strstr(storage, "::mlir::StringAttr")) {
    strcpy(type, "MlirStringRef"), strcpy(expr, "mlirStringAttrGetValue(a)"), missing = "tileStr(\"\")";
  } else if (strstr(storage, "::mlir::TypeAttr")) {
    strcpy(type, "MlirType"), strcpy(expr, "mlirTypeAttrGetValue(a)"), missing = "(MlirType){NULL}";
  } else if (strstr(storage, "DenseI32ArrayAttr")) {
    emitArrayGetter(m, it, "I32", out);
    return;
  } else if (strstr(storage, "DenseI64ArrayAttr")) {
    emitArrayGetter(m, it, "I64", out);
    return;
  } else {
    return;
  }
  fprintf(out,
          "static inline %s %s%sGet%s(%s%s o) {\n  MlirAttribute a = %s%sGet%sAttr(o);\n  return a.ptr ? %s "
          ": %s;\n}\n",
          type, f, m->cls, it->camel, T, m->cls, f, m->cls, it->camel, expr, missing);
}

static void emitAttrGetters(const OpModel *m, FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix;
  for (size_t i = 0; i < m->numAttrs; ++i) {
    const Item *it = &m->attrs[i];
    fprintf(out,
            "static inline MlirAttribute %s%sGet%sAttr(%s%s o) {\n"
            "  return mlirOperationGetInherentAttributeByName(o.op, tileStr(\"%s\"));\n}\n",
            f, m->cls, it->camel, T, m->cls, it->name);
    fprintf(out,
            "static inline void %s%sSet%sAttr(%s%s o, MlirAttribute a) {\n"
            "  mlirOperationSetInherentAttributeByName(o.op, tileStr(\"%s\"), a);\n}\n",
            f, m->cls, it->camel, T, m->cls, it->name);
    if (it->base)
      emitTypedAttrGetter(m, it, out);
  }
}

/* Regions or successors; a variadic one is the last. `what` is "Region" or "Successor". */
static void emitBlockGetters(const OpModel *m, const Item *items, size_t n, const char *what,
                             const char *type, FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix;
  for (size_t i = 0; i < n; ++i) {
    const Item *it = &items[i];
    bool many = it->multiplicity == Many;
    if (many)
      fprintf(out,
              "static inline intptr_t %s%sGetNum%s(%s%s o) { return mlirOperationGetNum%ss(o.op) - %zu; }\n",
              f, m->cls, it->camel, T, m->cls, what, i);
    fprintf(out, "static inline %s %s%sGet%s(%s%s o%s) { return mlirOperationGet%s(o.op, %zu%s); }\n", type,
            f, m->cls, it->camel, T, m->cls, many ? ", intptr_t i" : "", what, i, many ? " + i" : "");
  }
}

/* `, T name` for one item, `, intptr_t numName, const T *name` for a variadic one. */
static void emitParam(const Item *it, const char *type, const char *suffix, FILE *out) {
  const char *name = it->param, *camel = it->camel;
  if (it->multiplicity == Many)
    fprintf(out, ", intptr_t num%s%s%s, const %s *%s%s%s", camel, suffix, *suffix ? "s" : "", type, name,
            suffix, *suffix ? "s" : "");
  else
    fprintf(out, ", %s %s%s", type, name, suffix);
}

static void emitCreateSignature(const OpModel *m, FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix;
  fprintf(out, "static inline %s%s %s%sCreate(TileBuilder b, MlirLocation loc", T, m->cls, f, m->cls);
  for (size_t i = 0; i < m->numResults; ++i)
    emitParam(&m->results[i], "MlirType", "Type", out);
  for (size_t i = 0; i < m->numOperands; ++i)
    emitParam(&m->operands[i], "MlirValue", "", out);
  for (size_t i = 0; i < m->numAttrs; ++i)
    if (!m->attrStruct || !m->attrs[i].optionalAttr)
      fprintf(out, ", MlirAttribute %s", m->attrs[i].param);
  if (m->attrStruct)
    fprintf(out, ", const %s%sAttrs *attrs", T, m->cls);
  for (size_t i = 0; i < m->numRegions; ++i)
    if (m->regions[i].multiplicity == Many)
      fprintf(out, ", intptr_t num%s", m->regions[i].camel);
  for (size_t i = 0; i < m->numSuccessors; ++i)
    emitParam(&m->successors[i], "MlirBlock", "", out);
  fprintf(out, ") {\n");
}

/* One group of operands or result types of a creator, added to the state; the sizes go to `sizes`. */
static void emitAddGroups(const OpModel *m, const Item *items, size_t n, bool operands, FILE *out) {
  const char *suffix = operands ? "" : "Type", *add = operands ? "Operands" : "Results";
  bool segments = operands ? m->operandSegments : m->resultSegments;
  if (segments)
    fprintf(out, "  int32_t %sSizes[%zu];\n", operands ? "operand" : "result", n);
  for (size_t i = 0; i < n; ++i) {
    const Item *it = &items[i];
    const char *name = it->param, *camel = it->camel;
    if (it->multiplicity == Many)
      fprintf(out, "  mlirOperationStateAdd%s(&s, num%s%s, %s%s);\n", add, camel, operands ? "" : "Types",
              name, operands ? "" : "Types");
    else if (it->multiplicity == OptionalItem)
      fprintf(out, "  if (%s%s.ptr)\n    mlirOperationStateAdd%s(&s, 1, &%s%s);\n", name, suffix, add, name,
              suffix);
    else
      fprintf(out, "  mlirOperationStateAdd%s(&s, 1, &%s%s);\n", add, name, suffix);
    if (!segments)
      continue;
    fprintf(out, "  %sSizes[%zu] = ", operands ? "operand" : "result", i);
    if (it->multiplicity == Many)
      fprintf(out, "(int32_t)num%s%s;\n", camel, operands ? "" : "Types");
    else if (it->multiplicity == OptionalItem)
      fprintf(out, "%s%s.ptr ? 1 : 0;\n", name, suffix);
    else
      fprintf(out, "1;\n");
  }
  if (segments)
    fprintf(out,
            "  tileStateAddAttr(&s, \"%sSegmentSizes\", mlirDenseI32ArrayGet(mlirLocationGetContext(loc), "
            "%zu, %sSizes));\n",
            operands ? "operand" : "result", n, operands ? "operand" : "result");
}

static void emitCreate(const OpModel *m, FILE *out) {
  const char *T = m->r->typePrefix;
  if (m->attrStruct) {
    fprintf(out,
            "/// Optional attributes of %s%sCreate; null means absent.\ntypedef struct %s%sAttrs {\n  "
            "MlirAttribute ",
            m->r->fnPrefix, m->cls, T, m->cls);
    bool first = true;
    for (size_t i = 0; i < m->numAttrs; ++i)
      if (m->attrs[i].optionalAttr)
        fprintf(out, "%s%s", first ? "" : ", ", m->attrs[i].param), first = false;
    fprintf(out, "%s;\n} %s%sAttrs;\n", first ? "unused" : "", T, m->cls);
  }
  emitCreateSignature(m, out);
  fprintf(out, "  MlirOperationState s = mlirOperationStateGet(tileStr(\"%s.%s\"), loc);\n", m->r->dialect,
          recordText(m->record, "opName"));
  emitAddGroups(m, m->results, m->numResults, false, out);
  emitAddGroups(m, m->operands, m->numOperands, true, out);
  for (size_t i = 0; i < m->numAttrs; ++i) {
    const Item *it = &m->attrs[i];
    if (m->attrStruct && it->optionalAttr)
      fprintf(out, "  if (attrs && attrs->%s.ptr)\n    tileStateAddAttr(&s, \"%s\", attrs->%s);\n", it->param,
              it->name, it->param);
    else
      fprintf(out, "  if (%s.ptr)\n    tileStateAddAttr(&s, \"%s\", %s);\n", it->param, it->name, it->param);
  }
  for (size_t i = 0; i < m->numRegions; ++i)
    if (m->regions[i].multiplicity == Many)
      fprintf(out, "  tileStateAddRegions(&s, num%s);\n", m->regions[i].camel);
    else
      fprintf(out, "  tileStateAddRegions(&s, 1);\n");
  for (size_t i = 0; i < m->numSuccessors; ++i) {
    const Item *it = &m->successors[i];
    bool many = it->multiplicity == Many;
    fprintf(out, "  mlirOperationStateAddSuccessors(&s, %s%s, %s%s);\n", many ? "num" : "1",
            many ? it->camel : "", many ? "" : "&", it->param);
  }
  fprintf(out, "  %s%s o = {tileBuilderInsert(b, &s)};\n  return o;\n}\n\n", T, m->cls);
}

static void emitOp(const OpModel *m, FILE *out) {
  const char *T = m->r->typePrefix, *f = m->r->fnPrefix;
  fprintf(out, "/// %s.%s: %s\n", m->r->dialect, recordText(m->record, "opName"),
          recordText(m->record, "summary"));
  if (m->numProperties)
    fprintf(out, "/// (%zu native properties have no accessor here: use tileOperationGetProperties.)\n",
            m->numProperties);
  fprintf(out, "typedef struct %s%s {\n  MlirOperation op;\n} %s%s;\n", T, m->cls, T, m->cls);
  fprintf(out, "static inline bool %s%sIsNull(%s%s o) { return !o.op.ptr; }\n", f, m->cls, T, m->cls);
  fprintf(out,
          "static inline %s%s %s%sCast(MlirOperation op) {\n  %s%s o = {{NULL}};\n"
          "  if (op.ptr && tileOpKind(op) == TileOp_%s_%s)\n    o.op = op;\n  return o;\n}\n",
          T, m->cls, f, m->cls, T, m->cls, T, m->kind);
  emitValueGetters(m, m->operands, m->numOperands, true, out);
  emitValueGetters(m, m->results, m->numResults, false, out);
  emitAttrGetters(m, out);
  emitBlockGetters(m, m->regions, m->numRegions, "Region", "MlirRegion", out);
  emitBlockGetters(m, m->successors, m->numSuccessors, "Successor", "MlirBlock", out);
  if (recordFlag(m->record, "hasVerifier") && !strncmp(m->r->cppNamespace, "::tile", 6))
    fprintf(out, "MlirLogicalResult %s%sVerify(%s%s o); ///< written by hand\n", f, m->cls, T, m->cls);
  if (recordFlag(m->record, "hasFolder") && !strncmp(m->r->cppNamespace, "::tile", 6))
    fprintf(
        out,
        "bool %s%sFold(%s%s o, const MlirAttribute *operands, TileFoldResult *out); ///< written by hand\n",
        f, m->cls, T, m->cls);
  emitCreate(m, out);
}

void emitOps(const Records *r, FILE *out) {
  const json_t *name;
  size_t i;
  static OpModel m; /* too large for the stack; tile-cgen is one thread */
  json_array_foreach(recordsOf(r, "Op"), i, name) {
    const char *recordName = json_string_value(name);
    if (recordIsOpOfDialect(r, recordFind(r, recordName)) && modelOp(r, recordName, &m))
      emitOp(&m, out);
  }
}
