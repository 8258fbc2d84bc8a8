/* Manifest.c - the launch contract as JSON text: writing it, its enums' spellings, looking a kernel up. */
#include "tile-c/Manifest.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tileVendorName(TileVendor vendor) {
  static const char *const names[] = {"none", "nvidia", "amd"};
  return names[vendor];
}

const char *tileParamKindName(TileParamKind kind) {
  static const char *const names[] = {"pointer", "scalar", "descriptor"};
  return names[kind];
}

const char *tileDescriptorFormName(TileDescriptorForm form) {
  static const char *const names[] = {"parts", "tensor_map"};
  return names[form];
}

const char *tileHiddenKindName(TileHiddenKind kind) {
  static const char *const names[] = {"scratch", "programs_x", "programs_y", "programs_z"};
  return names[kind];
}

/* json_object_set_new and json_array_append_new take NULL values for a failure of the value's own making and
 * return -1: every step below reports whether it worked, and a failure anywhere ends in NULL text. */

static bool set(json_t *object, const char *key, json_t *value) {
  return json_object_set_new(object, key, value) == 0;
}

static bool setUnsigned(json_t *object, const char *key, uint64_t value) {
  return set(object, key, json_integer((json_int_t)value));
}

static json_t *stringOrNull(const char *text) { return text ? json_string(text) : json_null(); }

static bool setDescriptor(json_t *object, const TileManifestParam *param) {
  json_t *box = json_array();
  bool ok = true;
  for (unsigned i = 0; i < param->rank && i < TILE_MAX_RANK; ++i)
    ok &= json_array_append_new(box, json_integer(param->box[i])) == 0;
  ok &= set(object, "box", box);
  ok &= set(object, "form", json_string(tileDescriptorFormName(param->form)));
  return ok && setUnsigned(object, "swizzle", param->swizzleBytes);
}

static json_t *paramToJson(const TileManifestParam *param) {
  json_t *object = json_object();
  bool ok = set(object, "name", json_string(param->name ? param->name : ""));
  ok &= set(object, "kind", json_string(tileParamKindName(param->kind)));
  ok &= set(object, "type", json_string(tileElementTypeName(param->type)));
  ok &= set(object, "divisibility", json_integer(param->divisibility > 0 ? param->divisibility : 1));
  if (param->kind == TileParamKind_Descriptor)
    ok &= setDescriptor(object, param);
  if (ok)
    return object;
  json_decref(object);
  return NULL;
}

static json_t *gridRuleToJson(const TileManifestKernel *kernel) {
  if (kernel->gridRule == TileGridRule_None)
    return json_null();
  return json_pack("{s:s, s:I}", "kind", "persistent", "blocks_per_processor",
                   (json_int_t)kernel->blocksPerProcessor);
}

static json_t *paramsToJson(const TileManifestKernel *kernel) {
  json_t *params = json_array();
  for (size_t i = 0; i < kernel->numParams; ++i)
    if (json_array_append_new(params, paramToJson(&kernel->params[i]))) {
      json_decref(params);
      return NULL;
    }
  return params;
}

static json_t *hiddenToJson(const TileManifestKernel *kernel) {
  json_t *hidden = json_array();
  for (size_t i = 0; i < kernel->numHidden; ++i)
    if (json_array_append_new(hidden, json_string(tileHiddenKindName(kernel->hidden[i])))) {
      json_decref(hidden);
      return NULL;
    }
  return hidden;
}

static json_t *numbersToJson(const TileMapNumber *numbers, unsigned first, unsigned rank) {
  json_t *list = json_array();
  for (unsigned i = first; i < rank; ++i) {
    json_t *number = json_pack("[i, I]", numbers[i].param, (json_int_t)numbers[i].factor);
    for (int k = 0; k < numbers[i].numMore; ++k)
      json_array_append_new(number, json_integer(numbers[i].more[k]));
    json_array_append_new(list, number);
  }
  return list;
}

static json_t *tensorMapToJson(const TileTensorMap *map) {
  json_t *object = json_object(), *box = json_array();
  bool ok = set(object, "base", json_integer(map->base));
  for (unsigned i = 0; i < map->rank; ++i)
    ok &= json_array_append_new(box, json_integer(map->box[i])) == 0;
  ok &= set(object, "type", json_string(tileElementTypeName(map->type)));
  ok &= set(object, "sizes", numbersToJson(map->sizes, 0, map->rank));
  ok &= set(object, "strides", numbersToJson(map->strides, 1, map->rank));
  ok &= set(object, "box", box);
  ok &= setUnsigned(object, "swizzle", map->swizzleBytes);
  ok &= set(object, "nan", json_boolean(map->fillsNaN));
  if (map->isChecked)
    ok &= set(object, "checked", json_true());
  if (map->isStored)
    ok &= set(object, "stored", json_true());
  if (map->rowsApart)
    ok &= setUnsigned(object, "apart", map->rowsApart) && setUnsigned(object, "row", map->firstRow);
  if (ok)
    return object;
  json_decref(object);
  return NULL;
}

static json_t *tensorMapsToJson(const TileManifestKernel *kernel) {
  json_t *maps = json_array();
  for (size_t i = 0; i < kernel->numTensorMaps; ++i)
    if (json_array_append_new(maps, tensorMapToJson(&kernel->tensorMaps[i]))) {
      json_decref(maps);
      return NULL;
    }
  return maps;
}

static json_t *pairToJson(const TileValuePair *pair) {
  return pair->maySame ? json_pack("[i, i, i]", pair->first, pair->second, (int)pair->alike)
                       : json_pack("[i, i]", pair->first, pair->second);
}

static json_t *separateToJson(const TileManifestKernel *kernel) {
  json_t *pairs = json_array();
  for (size_t i = 0; i < kernel->numSeparate; ++i)
    json_array_append_new(pairs, pairToJson(&kernel->separate[i]));
  return pairs;
}

static json_t *clusterToJson(const TileManifestKernel *kernel) {
  json_t *cluster = json_array();
  for (int i = 0; i < 3; ++i)
    json_array_append_new(cluster, json_integer(kernel->cluster[i] ? kernel->cluster[i] : 1));
  return cluster;
}

static json_t *programsToJson(const TileManifestKernel *kernel) {
  json_t *list = json_array();
  for (int i = 0; i < 3; ++i)
    json_array_append_new(list, json_string(kernel->programs[i] ? kernel->programs[i] : "1"));
  return list;
}

static json_t *choicesToJson(const TileManifestKernel *kernel) {
  json_t *object = json_object();
  for (size_t i = 0; i < kernel->numChoices; ++i)
    if (!set(object, kernel->choices[i].name, json_string(kernel->choices[i].value))) {
      json_decref(object);
      return NULL;
    }
  return object;
}

static json_t *kernelToJson(const TileManifestKernel *kernel) {
  json_t *object = json_object();
  bool ok = set(object, "name", json_string(kernel->name));
  ok &= set(object, "params", paramsToJson(kernel));
  ok &= set(object, "hidden", hiddenToJson(kernel));
  if (kernel->numTensorMaps)
    ok &= set(object, "tensor_maps", tensorMapsToJson(kernel));
  if (kernel->numSeparate)
    ok &= set(object, "separate", separateToJson(kernel));
  ok &= setUnsigned(object, "num_warps", kernel->numWarps);
  ok &= setUnsigned(object, "threads_per_warp", kernel->threadsPerWarp);
  ok &= setUnsigned(object, "extra_warps", kernel->extraWarps);
  ok &= setUnsigned(object, "num_ctas", kernel->numCtas ? kernel->numCtas : 1);
  ok &= setUnsigned(object, "shared_bytes", kernel->sharedBytes);
  ok &= set(object, "shared_static", json_boolean(kernel->sharedStatic));
  ok &= set(object, "grid_rule", gridRuleToJson(kernel));
  ok &= set(object, "cluster", clusterToJson(kernel));
  if (kernel->programs[0])
    ok &= set(object, "programs", programsToJson(kernel));
  if (kernel->numChoices)
    ok &= set(object, "choice", choicesToJson(kernel));
  ok &= setUnsigned(object, "scratch_bytes", kernel->scratchBytes);
  ok &= setUnsigned(object, "scratch_bytes_per_block", kernel->scratchBytesPerBlock);
  if (kernel->scratchKept)
    ok &= set(object, "scratch_kept", json_true());
  if (ok)
    return object;
  json_decref(object);
  return NULL;
}

/// Older libraries would make tensor maps of some rows only as if they had all; they read everything else.
static unsigned schemaOf(const TileManifest *manifest) {
  for (size_t i = 0; i < manifest->numKernels; ++i)
    for (size_t k = 0; k < manifest->kernels[i].numTensorMaps; ++k)
      if (manifest->kernels[i].tensorMaps[k].rowsApart)
        return 2;
  return 1;
}

static json_t *manifestToJson(const TileManifest *manifest) {
  json_t *root = json_object(), *kernels = json_array();
  bool ok = setUnsigned(root, "schema", schemaOf(manifest));
  ok &= set(root, "target", stringOrNull(manifest->target));
  ok &= set(root, "vendor",
            stringOrNull(manifest->vendor == TileVendor_None ? NULL : tileVendorName(manifest->vendor)));
  ok &= set(root, "file", stringOrNull(manifest->file));
  for (size_t i = 0; ok && i < manifest->numKernels; ++i)
    ok &= json_array_append_new(kernels, kernelToJson(&manifest->kernels[i])) == 0;
  ok &= set(root, "kernels", kernels);
  if (ok)
    return root;
  json_decref(root);
  return NULL;
}

char *tileManifestWrite(const TileManifest *manifest, size_t *out_size) {
  json_t *root = manifestToJson(manifest);
  if (!root)
    return NULL;
  char *text = json_dumps(root, JSON_INDENT(2));
  json_decref(root);
  if (text && out_size)
    *out_size = strlen(text);
  return text;
}

char *tileManifestPathFor(const char *binaryPath) {
  size_t size = strlen(binaryPath) + sizeof ".json";
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s.json", binaryPath);
  return path;
}

/// "'a', 'b' and 3 more" into `text`.
static void listKernels(const TileManifest *manifest, char *text, size_t size) {
  enum { Shown = 6 };
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < manifest->numKernels && i < Shown && used < size; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s'%s'", i ? ", " : "", manifest->kernels[i].name);
  if (manifest->numKernels > Shown && used < size)
    snprintf(text + used, size - used, " and %zu more", manifest->numKernels - Shown);
}

TileErrorCode tileManifestFindKernel(const TileManifest *manifest, const char *name,
                                     const TileManifestKernel **out_kernel, TileError *out_error) {
  *out_kernel = NULL;
  if (manifest->numKernels == 0)
    return tileErrorSet(out_error, TileError_MissingKernel, "the file has no kernel");
  char names[512];
  listKernels(manifest, names, sizeof names);
  if (!name && manifest->numKernels > 1)
    return tileErrorSet(out_error, TileError_MissingKernel, "the file has %zu kernels, name one of them: %s",
                        manifest->numKernels, names);
  for (size_t i = 0; i < manifest->numKernels && !*out_kernel; ++i)
    if (!name || !strcmp(name, manifest->kernels[i].name))
      *out_kernel = &manifest->kernels[i];
  if (*out_kernel)
    return TileError_None;
  return tileErrorSet(out_error, TileError_MissingKernel, "no kernel '%s', the file has %s", name, names);
}
