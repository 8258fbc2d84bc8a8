/* Keys.c - which row of the table each example decides: it is parsed, and the op marked loc("key") is looked
 * at. */
#include "Rows.h"
#include "mlir-c/Diagnostics.h"
#include "tile-c/Session.h"
#include <stdio.h>
#include <stdlib.h>

static MlirWalkResult findMarked(MlirOperation op, void *user) {
  MlirOperation *found = user;
  MlirLocation loc = mlirOperationGetLocation(op);
  if (!mlirLocationIsAName(loc) ||
      !mlirStringRefEqual(mlirIdentifierStr(mlirLocationNameGetName(loc)), tileStr("key")))
    return MlirWalkResultAdvance;
  *found = op;
  return MlirWalkResultInterrupt;
}

static bool isParameter(const Example *e) { return !strcmp(e->statements[0], "parameter"); }

/* The key of a kernel's first parameter. */
static MlirWalkResult findFunction(MlirOperation op, void *user) {
  MlirOperation *found = user;
  if (mlirOperationGetNumRegions(op) != 1 || op.ptr == found->ptr)
    return MlirWalkResultAdvance;
  *found = op;
  return MlirWalkResultInterrupt;
}

static bool keyOf(Rows *rows, const Example *e, MlirModule module, TileLegalityKey *out_key) {
  MlirOperation found = mlirModuleGetOperation(module);
  if (isParameter(e)) {
    mlirOperationWalk(mlirModuleGetOperation(module), findFunction, &found, MlirWalkPreOrder);
    MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(found, 0));
    *out_key = tileLegalityParameterKey(mlirValueGetType(mlirBlockGetArgument(entry, 0)));
    return true;
  }
  found = (MlirOperation){NULL};
  mlirOperationWalk(mlirModuleGetOperation(module), findMarked, &found, MlirWalkPreOrder);
  if (!found.ptr || !tileLegalityKeyOf(found, out_key))
    return false;
  out_key->detail.data = tileArenaCopy(&rows->arena, out_key->detail.data, out_key->detail.length);
  return true;
}

static MlirModule parseExample(MlirContext context, const Example *e, TileStringBuilder *text) {
  text->length = 0;
  exampleAppendTop(e, text);
  exampleAppendFunction(e, 0, e->vendor == TileVendor_AMD ? TileVendor_AMD : TileVendor_NVIDIA, false, text);
  return tileParseModule(context, mlirStringRefCreate(text->data, text->length), "example");
}

static bool sameKey(const TileLegalityKey *a, const TileLegalityKey *b) {
  return a->op == b->op && !memcmp(a->types, b->types, sizeof a->types) &&
         mlirStringRefEqual(a->detail, b->detail);
}

static intptr_t rowOf(Rows *rows, const TileLegalityKey *key) {
  for (size_t i = 0; i < rows->numRows; ++i)
    if (sameKey(&rows->rows[i].key, key))
      return (intptr_t)i;
  rows->rows[rows->numRows] = (Row){.key = *key};
  return (intptr_t)rows->numRows++;
}

typedef struct Words {
  char text[512];
} Words;

static void appendWords(MlirStringRef part, void *user) {
  Words *w = user;
  strncat(w->text, part.data, part.length < sizeof w->text - strlen(w->text) - 1 ? part.length : 0);
}

static MlirLogicalResult keepDiagnostic(MlirDiagnostic diagnostic, void *user) {
  Words *w = user;
  if (!*w->text)
    mlirDiagnosticPrint(diagnostic, appendWords, w);
  return mlirLogicalResultSuccess();
}

bool rowsFindKeys(Rows *rows, MlirContext context, const char *name) {
  TileStringBuilder text = {0};
  size_t kept = 0;
  bool good = true;
  rows->rows = calloc(rows->numExamples, sizeof *rows->rows);
  for (size_t i = 0; i < rows->numExamples && rows->rows; ++i) {
    Example e = rows->examples[i];
    TileLegalityKey key;
    Words words = {""};
    MlirDiagnosticHandlerID id = mlirContextAttachDiagnosticHandler(context, keepDiagnostic, &words, NULL);
    MlirModule module = parseExample(context, &e, &text);
    mlirContextDetachDiagnosticHandler(context, id);
    bool found = !mlirModuleIsNull(module) && keyOf(rows, &e, module, &key);
    if (found) {
      e.row = rowOf(rows, &key);
      rows->examples[kept++] = e;
    } else if (!e.optional || !mlirModuleIsNull(module)) {
      fprintf(stderr, "%s:%d: %s\n%s", name, e.line, *words.text ? words.text : "no operation with a key",
              text.data);
      good = false;
    }
    if (!mlirModuleIsNull(module))
      mlirModuleDestroy(module);
  }
  rows->numExamples = kept;
  tileStringRelease(&text);
  return good && rows->rows;
}
