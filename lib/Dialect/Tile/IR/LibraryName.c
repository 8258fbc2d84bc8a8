/* LibraryName.c - functions that AMD's device library, and Triton's AMD back end, call otherwise than libdevice does.
 *
 * Names that differ in prefix and suffix alone (__ocml_exp_f32, __nv_expf) are no matter of this table. */
#include "tile-c/LibraryName.h"
#include "tile-c/Dialect/Tile.h"

/* Of the type that the suffix, or the first operand, says. */
typedef struct Alias {
  const char *name, *single, *twice;
} Alias;

static const Alias ocml[] = {
    {"i0", "__nv_cyl_bessel_i0f", "__nv_cyl_bessel_i0"},
    {"i1", "__nv_cyl_bessel_i1f", "__nv_cyl_bessel_i1"},
    {"ilogb", "__nv_ilogbf", "__nv_ilogb"},
    {"isfinite", "__nv_finitef", "__nv_isfinited"},
    {"isinf", "__nv_isinff", "__nv_isinfd"},
    {"isnan", "__nv_isnanf", "__nv_isnand"},
    {"ldexp", "__nv_ldexpf", "__nv_ldexp"},
    {"ncdf", "__nv_normcdff", "__nv_normcdf"},
    {"ncdfinv", "__nv_normcdfinvf", "__nv_normcdfinv"},
    {"pown", "__nv_powif", "__nv_powi"},
    {"scalbn", "__nv_scalbnf", "__nv_scalbn"},
    {"signbit", "__nv_signbitf", "__nv_signbitd"},
};

static const Alias hip[] = {
    {"fabs", "__nv_fabsf", "__nv_fabs"},
    {"fast_expf", "__nv_fast_expf", NULL},
    {"fast_fdividef", "__nv_fast_fdividef", NULL},
    {"fast_tanhf", "__nv_fast_tanhf", NULL},
    {"iabs", "__nv_abs", "__nv_llabs"},
    {"llrint", "__nv_llrintf", "__nv_llrint"},
};

static bool strip(MlirStringRef *s, const char *prefix, const char *suffix) {
  size_t p = strlen(prefix), n = strlen(suffix);
  if (s->length <= p + n || memcmp(s->data, prefix, p) || memcmp(s->data + s->length - n, suffix, n))
    return false;
  *s = mlirStringRefCreate(s->data + p, s->length - p - n);
  return true;
}

static MlirStringRef find(const Alias *table, size_t n, MlirStringRef base, bool wide, MlirStringRef symbol) {
  for (size_t i = 0; i < n; ++i) {
    const char *name = wide ? table[i].twice : table[i].single;
    if (name && mlirStringRefEqual(base, tileStr(table[i].name)))
      return tileStr(name);
  }
  return symbol;
}

MlirStringRef tileLibraryName(MlirOperation call) {
  MlirStringRef symbol = tileExternElementwiseOpGetSymbol(tileExternElementwiseOpCast(call)), base = symbol;
  if (strip(&base, "__ocml_", "_f32"))
    return find(ocml, TILE_COUNTOF(ocml), base, false, symbol);
  if (strip(&base, "__ocml_", "_f64"))
    return find(ocml, TILE_COUNTOF(ocml), base, true, symbol);
  if (!strip(&base, "__triton_hip_", "") || !mlirOperationGetNumOperands(call))
    return symbol;
  TileElementType first = tileElementTypeOf(mlirValueGetType(mlirOperationGetOperand(call, 0)));
  return find(hip, TILE_COUNTOF(hip), base, tileElementTypeBits(first) == 64, symbol);
}
