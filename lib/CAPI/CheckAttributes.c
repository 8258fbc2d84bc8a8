/* CheckAttributes.c - refuses ops whose attributes the verifiers and printers of LLVM 22 crash on.
 *
 * An inherent attribute of a kind that its op cannot hold is dropped by parsers written by hand (that of
 * llvm.mlir.global with `addr_space = "3"`, say). The getter of one with a default value takes it for present,
 * so the verifiers of other ops crash. What single ops crash on is in CheckLowered.c. */
#include "CheckLowered.h"
#include "tile-c/IR.h"
#include "tile-c/Session.h"
#include "tile-c/Support/PointerMap.h"
#include "tile-c/Support/StringBuilder.h"

typedef struct DefaultValue {
  MlirStringRef name;
  MlirAttribute value;
} DefaultValue;

typedef struct DefaultList {
  size_t count;
  DefaultValue values[];
} DefaultList;

typedef struct Check {
  TilePointerMap lists; ///< name of an op -> DefaultList
  bool failed;
} Check;

static MlirOperation createBare(MlirOperation like) {
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(like)), mlirOperationGetLocation(like));
  return mlirOperationCreate(&state);
}

/// The attributes that an op of this name has when nobody gives it any.
static const DefaultList *defaultsOf(Check *check, MlirOperation op) {
  const void *key = mlirOperationGetName(op).ptr;
  DefaultList *list = tilePointerMapFind(&check->lists, key);
  if (list)
    return list;
  MlirOperation bare = createBare(op);
  intptr_t count = mlirOperationGetNumAttributes(bare);
  list = tileArenaAlloc(check->lists.arena, 1, sizeof *list + (size_t)count * sizeof list->values[0]);
  list->count = 0;
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(bare, i);
    DefaultValue value = {mlirIdentifierStr(attribute.name), attribute.attribute};
    if (mlirOperationHasInherentAttributeByName(bare, value.name))
      list->values[list->count++] = value;
  }
  mlirOperationDestroy(bare);
  tilePointerMapSet(&check->lists, key, list);
  return list;
}

static void append(MlirStringRef s, void *user) { tileStringAppend(user, s.data, s.length); }

static bool checkDefaults(Check *check, MlirOperation op) {
  const DefaultList *list = defaultsOf(check, op);
  for (size_t i = 0; i < list->count; ++i) {
    const DefaultValue *wanted = &list->values[i];
    if (!mlirAttributeIsNull(mlirOperationGetInherentAttributeByName(op, wanted->name)))
      continue;
    TileStringBuilder text = {0};
    mlirAttributePrint(wanted->value, append, &text);
    tileEmitOpError(op, "got an attribute '%.*s' of another kind, expected one like %.*s",
                    (int)wanted->name.length, wanted->name.data, (int)text.length, text.data);
    tileStringRelease(&text);
    return false;
  }
  return true;
}

static MlirWalkResult checkOp(MlirOperation op, void *user) {
  Check *check = user;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirContextIsRegisteredOperation(mlirOperationGetContext(op), name))
    check->failed |= !checkDefaults(check, op) || !tileCheckLowered(op);
  return MlirWalkResultAdvance;
}

bool tileCheckAttributes(MlirOperation root) {
  TileArena arena = {0};
  Check check = {.lists = {.arena = &arena}};
  mlirOperationWalk(root, checkOp, &check, MlirWalkPreOrder);
  tileArenaRelease(&arena);
  return !check.failed;
}

MlirModule tileParseModule(MlirContext context, MlirStringRef text, const char *name) {
  MlirModule module = tileParseModuleUnverified(context, text, name);
  if (mlirModuleIsNull(module))
    return module;
  MlirOperation root = mlirModuleGetOperation(module);
  if (tileCheckAttributes(root) && mlirOperationVerify(root))
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}
