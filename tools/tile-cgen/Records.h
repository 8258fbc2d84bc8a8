/* Records.h - the TableGen records that tile-cgen reads, and small queries on them. */
#ifndef TILE_CGEN_RECORDS_H
#define TILE_CGEN_RECORDS_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// The records of one .td file (llvm-tblgen --dump-json) and the dialect the output is for.
typedef struct Records {
  const json_t *root;
  const char *dialect;      ///< mnemonic, e.g. "tile_gpu"
  const char *typePrefix;   ///< e.g. "TileGPU"
  const char *fnPrefix;     ///< e.g. "tileGPU"
  const char *cppNamespace; ///< e.g. "::tile::gpu", from the dialect's record; NULL if there is none
} Records;

/// Sets root's dialect fields. The prefixes come from one table; an unknown dialect is refused with a
/// message.
bool recordsInit(Records *r, const json_t *root, const char *dialect);

const json_t *recordFind(const Records *r, const char *name);
/// The record that a {"def": name} reference names.
const json_t *recordRef(const Records *r, const json_t *ref);
bool recordIsA(const json_t *record, const char *superclass);
/// Field as text; "" when unset.
const char *recordText(const json_t *record, const char *field);
bool recordFlag(const json_t *record, const char *field);
/// The names of all records that derive from a class, in file order.
const json_t *recordsOf(const Records *r, const char *superclass);
/// True if the op record belongs to the dialect.
bool recordIsOpOfDialect(const Records *r, const json_t *op);

/// One named element of a dag field such as arguments or results.
typedef struct DagItem {
  const json_t *record; ///< constraint with Arg<> and Res<> taken off; NULL when the item is a plain string
  const char *text;     ///< the plain string, or NULL
  const char *name;
} DagItem;
size_t dagSize(const json_t *op, const char *field);
DagItem dagItem(const Records *r, const json_t *op, const char *field, size_t i);

/// "thread_mask" -> "ThreadMask"; static storage per call site is avoided: writes into out.
void camelCase(const char *in, char *out, size_t size);
/// A C identifier for a parameter: keywords get a trailing underscore.
void paramName(const char *in, char *out, size_t size);
/// C++ class name of an op record name: the part after the first underscore.
const char *opClassName(const char *recordName);
/// Same without a trailing "Op", into out.
void opKindName(const char *recordName, char *out, size_t size);
#endif
