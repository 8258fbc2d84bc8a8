/* Generators.h - one function per output of tile-cgen. */
#ifndef TILE_CGEN_GENERATORS_H
#define TILE_CGEN_GENERATORS_H
#include "Records.h"

/// Complete C header of a dialect: registration, enums, types, attributes, ops.
void emitHeader(const Records *r, FILE *out);
void emitEnums(const Records *r, FILE *out);
void emitTypes(const Records *r, FILE *out);
void emitOps(const Records *r, FILE *out);
/// C++ glue of one of our dialects: registration, type functions, verifiers and folders that call C.
void emitCapi(const Records *r, FILE *out);
void emitTypesCapi(const Records *r, FILE *out);
/// The kind enum over several dialects, and the table that maps op names to it.
void emitKindsHeader(const Records *rs, size_t n, FILE *out);
void emitKindsSource(const Records *rs, size_t n, FILE *out);
/// Parameter structs and run functions of passes; the C++ shells that call them.
void emitPassesHeader(const Records *r, FILE *out);
void emitPassesCapi(const Records *r, const char *group, FILE *out);

/// C default of an enum attribute's C++ default value such as "::tile::CacheModifier::NONE"; the record of an
/// attribute with OptionalAttr, DefaultValuedAttr and ConfinedAttr taken off.
const json_t *attrBase(const Records *r, const json_t *attr);
#endif
