/* ManifestParse.c - the launch contract from JSON text. Every member is checked; an error names it by its
 * path. */
#include "tile-c/Manifest.h"
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// What a parsed manifest owns: the JSON tree (its strings are borrowed from it) and the arrays made beside
/// it.
typedef struct Storage {
  json_t *root;
  void **blocks;
  size_t numBlocks, capacity;
} Storage;

/// The place in the text that is being read; `path` stands before the member's name in messages.
typedef struct Reader {
  Storage *storage;
  TileError *error;
  char path[128];
} Reader;

static void *allocate(Reader *reader, size_t count, size_t size) {
  Storage *storage = reader->storage;
  if (storage->numBlocks == storage->capacity) {
    size_t capacity = storage->capacity ? 2 * storage->capacity : 8;
    void **blocks = realloc(storage->blocks, capacity * sizeof *blocks);
    if (!blocks)
      return NULL;
    storage->blocks = blocks;
    storage->capacity = capacity;
  }
  void *block = calloc(count ? count : 1, size);
  if (block)
    storage->blocks[storage->numBlocks++] = block;
  return block;
}

static TileErrorCode outOfMemory(Reader *reader) {
  return tileErrorSet(reader->error, TileError_OutOfMemory, "out of memory reading the manifest");
}

static TileErrorCode wrong(Reader *reader, const char *key, const json_t *got, const char *expected) {
  static const char *const kinds[] = {"an object",     "a list", "a string", "an integer",
                                      "a real number", "true",   "false",    "null"};
  if (got && json_is_string(got))
    return tileErrorSet(reader->error, TileError_Format, "manifest: %s%s: got \"%.60s\", expected %s",
                        reader->path, key, json_string_value(got), expected);
  if (got && json_is_integer(got))
    return tileErrorSet(reader->error, TileError_Format, "manifest: %s%s: got %lld, expected %s",
                        reader->path, key, (long long)json_integer_value(got), expected);
  return tileErrorSet(reader->error, TileError_Format, "manifest: %s%s: got %s, expected %s", reader->path,
                      key, got ? kinds[json_typeof(got)] : "nothing", expected);
}

static TileErrorCode readString(Reader *reader, const json_t *object, const char *key, bool orNull,
                                const char **out_text) {
  const json_t *value = json_object_get(object, key);
  *out_text = json_string_value(value);
  if (*out_text || (orNull && (!value || json_is_null(value))))
    return TileError_None;
  return wrong(reader, key, value, orNull ? "a string or null" : "a string");
}

/// An integer in [low, high]; a missing member gives `missing`, which is out of that range where it must be
/// there.
static TileErrorCode readInteger(Reader *reader, const json_t *object, const char *key, int64_t low,
                                 int64_t high, int64_t missing, int64_t *out_value) {
  const json_t *value = json_object_get(object, key);
  *out_value = json_is_integer(value) ? (int64_t)json_integer_value(value) : missing;
  if ((!value || json_is_integer(value)) && *out_value >= low && *out_value <= high)
    return TileError_None;
  char expected[80];
  if (high == INT64_MAX)
    snprintf(expected, sizeof expected, "an integer of at least %lld", (long long)low);
  else
    snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)low, (long long)high);
  return wrong(reader, key, value, expected);
}

static TileErrorCode readUnsigned(Reader *reader, const json_t *object, const char *key, unsigned low,
                                  unsigned high, int64_t missing, unsigned *out_value) {
  int64_t value;
  TileErrorCode code = readInteger(reader, object, key, low, high, missing, &value);
  *out_value = code ? 0 : (unsigned)value;
  return code;
}

static TileErrorCode readList(Reader *reader, const json_t *object, const char *key,
                              const json_t **out_list) {
  *out_list = json_object_get(object, key);
  return json_is_array(*out_list) ? TileError_None : wrong(reader, key, *out_list, "a list");
}

/// Reads an enum by its spelling; `nameOf` gives the spelling of the values 0 to count - 1.
static TileErrorCode checkSpelling(Reader *reader, const char *key, const json_t *value, int count,
                                   const char *(*nameOf)(int), int *out_value) {
  *out_value = 0;
  const char *text = json_string_value(value);
  char expected[96] = "";
  for (int i = 0; i < count; ++i) {
    if (text && !strcmp(text, nameOf(i))) {
      *out_value = i;
      return TileError_None;
    }
    size_t used = strlen(expected);
    snprintf(expected + used, sizeof expected - used, "%s\"%s\"",
             i == 0          ? ""
             : i + 1 < count ? ", "
                             : " or ",
             nameOf(i));
  }
  return wrong(reader, key, value, expected);
}

static const char *vendorSpelling(int i) { return tileVendorName((TileVendor)(i + 1)); }
static const char *paramKindSpelling(int i) { return tileParamKindName((TileParamKind)i); }
static const char *formSpelling(int i) { return tileDescriptorFormName((TileDescriptorForm)i); }
static const char *hiddenKindSpelling(int i) { return tileHiddenKindName((TileHiddenKind)i); }
static const char *gridRuleSpelling(int i) { return "persistent"; }

static TileErrorCode readDescriptor(Reader *reader, const json_t *object, TileManifestParam *param) {
  const json_t *box;
  TileErrorCode code = readList(reader, object, "box", &box);
  if (code)
    return code;
  param->rank = (unsigned)json_array_size(box);
  if (param->rank < 1 || param->rank > TILE_MAX_RANK)
    return wrong(reader, "box", box, "a list of 1 to 5 integers");
  for (unsigned i = 0; i < param->rank; ++i) {
    const json_t *extent = json_array_get(box, i);
    param->box[i] = (int64_t)json_integer_value(extent);
    if (!json_is_integer(extent) || param->box[i] < 1)
      return wrong(reader, "box", extent, "positive integers");
  }
  const json_t *form = json_object_get(object, "form");
  int value = TileDescriptorForm_Parts;
  if (form && (code = checkSpelling(reader, "form", form, 2, formSpelling, &value)))
    return code;
  param->form = (TileDescriptorForm)value;
  return readUnsigned(reader, object, "swizzle", 0, 128, 0, &param->swizzleBytes);
}

static TileErrorCode readParam(Reader *reader, const json_t *object, TileManifestParam *param) {
  TileErrorCode code;
  const char *type;
  int kind;
  if ((code = readString(reader, object, "name", true, &param->name)) ||
      (code = readString(reader, object, "type", false, &type)) ||
      (code = checkSpelling(reader, "kind", json_object_get(object, "kind"), 3, paramKindSpelling, &kind)) ||
      (code = readInteger(reader, object, "divisibility", 1, INT64_MAX, 1, &param->divisibility)))
    return code;
  param->name = param->name ? param->name : "";
  param->kind = (TileParamKind)kind;
  param->type = tileElementTypeParse(type, strlen(type));
  if (param->type == TileElementType_None)
    return wrong(reader, "type", json_object_get(object, "type"), "an element type");
  return param->kind == TileParamKind_Descriptor ? readDescriptor(reader, object, param) : TileError_None;
}

static TileErrorCode readParams(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  const json_t *list;
  TileErrorCode code = readList(reader, object, "params", &list);
  if (code)
    return code;
  size_t count = json_array_size(list);
  TileManifestParam *params = allocate(reader, count, sizeof *params);
  if (!params)
    return outOfMemory(reader);
  char outer[sizeof reader->path];
  strcpy(outer, reader->path);
  for (size_t i = 0; i < count; ++i) {
    snprintf(reader->path, sizeof reader->path, "%.40sparams[%zu].", outer, i);
    if ((code = readParam(reader, json_array_get(list, i), &params[i])))
      return code;
  }
  strcpy(reader->path, outer);
  kernel->params = params;
  kernel->numParams = count;
  return TileError_None;
}

static TileErrorCode readHidden(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  const json_t *list;
  TileErrorCode code = readList(reader, object, "hidden", &list);
  if (code)
    return code;
  size_t count = json_array_size(list);
  TileHiddenKind *hidden = allocate(reader, count, sizeof *hidden);
  if (!hidden)
    return outOfMemory(reader);
  for (size_t i = 0; i < count; ++i) {
    int kind;
    if ((code = checkSpelling(reader, "hidden", json_array_get(list, i), 4, hiddenKindSpelling, &kind)))
      return code;
    hidden[i] = (TileHiddenKind)kind;
  }
  kernel->hidden = hidden;
  kernel->numHidden = count;
  return TileError_None;
}

/// [param, factor, further params...]
static bool readNumber(const json_t *list, TileMapNumber *out) {
  const size_t n = json_array_size(list);
  *out = (TileMapNumber){.factor = json_integer_value(json_array_get(list, 1))};
  if (n < 2 || n > 2 + TileMapNumber_MostMore)
    return false;
  for (size_t i = 0; i < n; ++i) {
    const json_t *one = json_array_get(list, i);
    const json_int_t value = json_integer_value(one);
    if (!json_is_integer(one) || (i != 1 && (value < (i ? 0 : -1) || value > INT_MAX)))
      return false;
    if (i > 1)
      out->more[out->numMore++] = (int)value;
  }
  out->param = (int)json_integer_value(json_array_get(list, 0));
  return true;
}

/// Numbers into numbers[first] to numbers[rank - 1].
static TileErrorCode readNumbers(Reader *reader, const json_t *object, const char *key, unsigned first,
                                 unsigned rank, TileMapNumber *numbers) {
  const json_t *list = json_object_get(object, key);
  if (json_array_size(list) != rank - first)
    return wrong(reader, key, list, "a pair of integers for each dimension");
  for (unsigned i = first; i < rank; ++i)
    if (!readNumber(json_array_get(list, i - first), &numbers[i]))
      return wrong(reader, key, json_array_get(list, i - first), "pairs of integers");
  return TileError_None;
}

static TileErrorCode readMapBox(Reader *reader, const json_t *object, TileTensorMap *map) {
  const json_t *box;
  TileErrorCode code = readList(reader, object, "box", &box);
  map->rank = (unsigned)json_array_size(box);
  if (code || map->rank < 1 || map->rank > TILE_MAX_RANK)
    return code ? code : wrong(reader, "box", box, "a list of 1 to 5 integers");
  for (unsigned i = 0; i < map->rank; ++i) {
    const json_t *extent = json_array_get(box, i);
    if (!json_is_integer(extent) || json_integer_value(extent) < 1 || json_integer_value(extent) > 256)
      return wrong(reader, "box", extent, "integers from 1 to 256");
    map->box[i] = (unsigned)json_integer_value(extent);
  }
  return TileError_None;
}

static TileErrorCode readTensorMap(Reader *reader, const json_t *object, TileTensorMap *map) {
  TileErrorCode code;
  const char *type;
  int64_t base;
  if ((code = readInteger(reader, object, "base", 0, INT_MAX, -1, &base)) ||
      (code = readString(reader, object, "type", false, &type)) || (code = readMapBox(reader, object, map)) ||
      (code = readNumbers(reader, object, "sizes", 0, map->rank, map->sizes)) ||
      (code = readNumbers(reader, object, "strides", 1, map->rank, map->strides)) ||
      (code = readUnsigned(reader, object, "swizzle", 0, 128, 0, &map->swizzleBytes)) ||
      (code = readUnsigned(reader, object, "apart", 0, 16, 0, &map->rowsApart)) ||
      (code = readUnsigned(reader, object, "row", 0, 15, 0, &map->firstRow)))
    return code;
  map->base = (int)base;
  map->strides[0] = (TileMapNumber){.param = -1, .factor = 1};
  map->fillsNaN = json_is_true(json_object_get(object, "nan"));
  map->isChecked = json_is_true(json_object_get(object, "checked"));
  map->isStored = json_is_true(json_object_get(object, "stored"));
  map->type = tileElementTypeParse(type, strlen(type));
  return map->type == TileElementType_None
             ? wrong(reader, "type", json_object_get(object, "type"), "an element type")
             : TileError_None;
}

static TileErrorCode readTensorMaps(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  const json_t *list = json_object_get(object, "tensor_maps");
  size_t count = json_array_size(list);
  TileTensorMap *maps = allocate(reader, count, sizeof *maps);
  TileErrorCode code = TileError_None;
  char outer[sizeof reader->path];
  if (!maps)
    return outOfMemory(reader);
  strcpy(outer, reader->path);
  for (size_t i = 0; !code && i < count; ++i) {
    snprintf(reader->path, sizeof reader->path, "%.40stensor_maps[%zu].", outer, i);
    code = readTensorMap(reader, json_array_get(list, i), &maps[i]);
  }
  strcpy(reader->path, outer);
  kernel->tensorMaps = maps;
  kernel->numTensorMaps = count;
  return code;
}

static TileErrorCode readSeparate(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  const json_t *list = json_object_get(object, "separate");
  const size_t count = json_array_size(list);
  TileValuePair *pairs = allocate(reader, count, sizeof *pairs);
  if (!pairs)
    return outOfMemory(reader);
  for (size_t i = 0; i < count; ++i) {
    const json_t *pair = json_array_get(list, i);
    const size_t size = json_array_size(pair);
    int values[3] = {0, 0, 0};
    for (size_t k = 0; k < (size ? size : 1); ++k) {
      const json_t *value = json_array_get(pair, k);
      if (size < 2 || size > 3 || !json_is_integer(value) || json_integer_value(value) < 0 ||
          json_integer_value(value) > INT_MAX)
        return wrong(reader, "separate", pair,
                     "pairs of positions among the launch's values, or triples of them and a number");
      values[k] = (int)json_integer_value(value);
    }
    pairs[i] = (TileValuePair){values[0], values[1], size == 3, (unsigned)values[2]};
  }
  kernel->separate = pairs;
  kernel->numSeparate = count;
  return TileError_None;
}

static TileErrorCode readGridRule(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  const json_t *rule = json_object_get(object, "grid_rule");
  if (!rule || json_is_null(rule))
    return TileError_None;
  if (!json_is_object(rule))
    return wrong(reader, "grid_rule", rule, "an object or null");
  int kind;
  TileErrorCode code =
      checkSpelling(reader, "grid_rule.kind", json_object_get(rule, "kind"), 1, gridRuleSpelling, &kind);
  kernel->gridRule = TileGridRule_Persistent;
  return code ? code
              : readUnsigned(reader, rule, "blocks_per_processor", 1, 64, 0, &kernel->blocksPerProcessor);
}

static TileErrorCode readCluster(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  const json_t *list = json_object_get(object, "cluster");
  for (size_t i = 0; i < 3; ++i) {
    const json_t *extent = json_array_get(list, i);
    int64_t value = json_is_integer(extent) ? (int64_t)json_integer_value(extent) : list ? 0 : 1;
    if (value < 1 || value > 16 || (list && json_array_size(list) != 3))
      return wrong(reader, "cluster", list, "a list of three integers from 1 to 16");
    kernel->cluster[i] = (unsigned)value;
  }
  return TileError_None;
}

static TileErrorCode readPrograms(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  const json_t *list = json_object_get(object, "programs");
  for (size_t i = 0; list && i < 3; ++i) {
    kernel->programs[i] = json_string_value(json_array_get(list, i));
    if (!kernel->programs[i] || json_array_size(list) != 3)
      return wrong(reader, "programs", list, "a list of three expressions");
  }
  return TileError_None;
}

static TileErrorCode readChoices(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  json_t *list = json_object_get(object, "choice"), *value;
  const char *name;
  if (list && !json_is_object(list))
    return wrong(reader, "choice", list, "an object");
  TileManifestChoice *choices = allocate(reader, json_object_size(list), sizeof *choices);
  if (!choices)
    return outOfMemory(reader);
  json_object_foreach(list, name, value) {
    choices[kernel->numChoices++] = (TileManifestChoice){name, json_string_value(value)};
    if (!json_is_string(value))
      return wrong(reader, "choice", value, "texts");
  }
  kernel->choices = choices;
  return TileError_None;
}

static TileErrorCode readScratch(Reader *reader, const json_t *object, TileManifestKernel *kernel) {
  int64_t total, perBlock;
  TileErrorCode code;
  if ((code = readInteger(reader, object, "scratch_bytes", 0, INT64_MAX, 0, &total)) ||
      (code = readInteger(reader, object, "scratch_bytes_per_block", 0, INT64_MAX, 0, &perBlock)))
    return code;
  kernel->scratchBytes = (uint64_t)total;
  kernel->scratchBytesPerBlock = (uint64_t)perBlock;
  const json_t *isKept = json_object_get(object, "scratch_kept");
  if (isKept && !json_is_boolean(isKept))
    return wrong(reader, "scratch_kept", isKept, "true or false");
  kernel->scratchKept = json_is_true(isKept);
  return TileError_None;
}

/// `launch` is false in a manifest without target, where only the name and the parameters need to be there.
static TileErrorCode readKernel(Reader *reader, const json_t *object, bool launch,
                                TileManifestKernel *kernel) {
  TileErrorCode code;
  const int64_t missing = launch ? -1 : 0; // -1: out of range, so the member must be there
  const unsigned least = launch ? 1 : 0;
  if (!json_is_object(object))
    return wrong(reader, "", object, "an object");
  if ((code = readString(reader, object, "name", false, &kernel->name)) ||
      (code = readParams(reader, object, kernel)) || (code = readHidden(reader, object, kernel)) ||
      (code = readTensorMaps(reader, object, kernel)) || (code = readSeparate(reader, object, kernel)) ||
      (code = readUnsigned(reader, object, "num_warps", least, 64, missing, &kernel->numWarps)) ||
      (code =
           readUnsigned(reader, object, "threads_per_warp", least, 64, missing, &kernel->threadsPerWarp)) ||
      (code = readUnsigned(reader, object, "extra_warps", 0, 64, 0, &kernel->extraWarps)) ||
      (code = readUnsigned(reader, object, "num_ctas", 1, 16, 1, &kernel->numCtas)) ||
      (code = readUnsigned(reader, object, "shared_bytes", 0, INT_MAX, missing, &kernel->sharedBytes)) ||
      (code = readGridRule(reader, object, kernel)) || (code = readCluster(reader, object, kernel)) ||
      (code = readPrograms(reader, object, kernel)) || (code = readChoices(reader, object, kernel)) ||
      (code = readScratch(reader, object, kernel)))
    return code;
  const json_t *isStatic = json_object_get(object, "shared_static");
  if (isStatic && !json_is_boolean(isStatic))
    return wrong(reader, "shared_static", isStatic, "true or false");
  kernel->sharedStatic = json_is_true(isStatic);
  return TileError_None;
}

static TileErrorCode readKernels(Reader *reader, const json_t *root, TileManifest *manifest) {
  const json_t *list;
  TileErrorCode code = readList(reader, root, "kernels", &list);
  if (code)
    return code;
  size_t count = json_array_size(list);
  TileManifestKernel *kernels = allocate(reader, count, sizeof *kernels);
  if (!kernels)
    return outOfMemory(reader);
  for (size_t i = 0; i < count; ++i) {
    snprintf(reader->path, sizeof reader->path, "kernels[%zu].", i);
    if ((code = readKernel(reader, json_array_get(list, i), manifest->target != NULL, &kernels[i])))
      return code;
  }
  manifest->kernels = kernels;
  manifest->numKernels = count;
  return TileError_None;
}

static TileErrorCode readManifest(Reader *reader, const json_t *root, TileManifest *manifest) {
  TileErrorCode code;
  int64_t schema;
  if (!json_is_object(root))
    return tileErrorSet(reader->error, TileError_Format, "manifest: got a JSON value, expected an object");
  if ((code = readInteger(reader, root, "schema", 1, INT64_MAX, 0, &schema)))
    return code;
  if (schema > TILE_MANIFEST_SCHEMA)
    return tileErrorSet(reader->error, TileError_Format,
                        "manifest: got schema %lld, expected at most %d: it is from a newer compiler",
                        (long long)schema, TILE_MANIFEST_SCHEMA);
  if ((code = readString(reader, root, "target", true, &manifest->target)) ||
      (code = readString(reader, root, "file", true, &manifest->file)))
    return code;
  if (manifest->target) {
    int vendor;
    if ((code = checkSpelling(reader, "vendor", json_object_get(root, "vendor"), 2, vendorSpelling, &vendor)))
      return code;
    manifest->vendor = (TileVendor)(vendor + 1);
  }
  return readKernels(reader, root, manifest);
}

TileErrorCode tileManifestParse(const char *text, size_t size, TileManifest *out_manifest,
                                TileError *out_error) {
  memset(out_manifest, 0, sizeof *out_manifest);
  json_error_t syntax;
  json_t *root = json_loadb(text, size, 0, &syntax);
  if (!root)
    return tileErrorSet(out_error, TileError_Format, "manifest: line %d, column %d: not JSON: %s",
                        syntax.line, syntax.column, syntax.text);
  Storage *storage = calloc(1, sizeof *storage);
  if (!storage) {
    json_decref(root);
    return tileErrorSet(out_error, TileError_OutOfMemory, "out of memory reading the manifest");
  }
  storage->root = root;
  out_manifest->storage = storage;
  Reader reader = {storage, out_error, ""};
  TileErrorCode code = readManifest(&reader, root, out_manifest);
  if (code)
    tileManifestRelease(out_manifest);
  return code;
}

void tileManifestRelease(TileManifest *manifest) {
  Storage *storage = manifest->storage;
  if (storage) {
    for (size_t i = 0; i < storage->numBlocks; ++i)
      free(storage->blocks[i]);
    free(storage->blocks);
    json_decref(storage->root);
    free(storage);
  }
  memset(manifest, 0, sizeof *manifest);
}
