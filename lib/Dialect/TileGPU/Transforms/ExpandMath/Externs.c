/* Externs.c - the functions of libdevice by name. */
#include "Externs.h"
#include "Functions.h"

static const MathExtern externs[] = {
    {"__nv_ceilf", 1, TileOp_Math_Ceil, NULL},
    {"__nv_copysignf", 2, TileOp_Math_CopySign, NULL},
    {"__nv_cosf", 1, TileOp_Math_Cos, NULL},
    {"__nv_erff", 1, TileOp_Math_Erf, NULL},
    {"__nv_exp2f", 1, TileOp_Math_Exp2, NULL},
    {"__nv_expf", 1, TileOp_Math_Exp, NULL},
    {"__nv_expm1f", 1, TileOp_Math_ExpM1, NULL},
    {"__nv_fabsf", 1, TileOp_Math_AbsF, NULL},
    {"__nv_floorf", 1, TileOp_Math_Floor, NULL},
    {"__nv_fmaf", 3, TileOp_Math_Fma, NULL},
    {"__nv_fmaxf", 2, TileOp_Arith_MaxNumF, NULL},
    {"__nv_fminf", 2, TileOp_Arith_MinNumF, NULL},
    {"__nv_log10f", 1, TileOp_Math_Log10, NULL},
    {"__nv_log1pf", 1, TileOp_Math_Log1p, NULL},
    {"__nv_log2f", 1, TileOp_Math_Log2, NULL},
    {"__nv_logf", 1, TileOp_Math_Log, NULL},
    {"__nv_nearbyintf", 1, TileOp_Math_RoundEven, NULL},
    {"__nv_powf", 2, TileOp_Math_PowF, NULL},
    {"__nv_rintf", 1, TileOp_Math_RoundEven, NULL},
    {"__nv_roundf", 1, TileOp_Math_Round, NULL},
    {"__nv_rsqrtf", 1, TileOp_Math_Rsqrt, NULL},
    {"__nv_sinf", 1, TileOp_Math_Sin, NULL},
    {"__nv_sqrtf", 1, TileOp_Math_Sqrt, NULL},
    {"__nv_tanhf", 1, TileOp_Math_Tanh, NULL},
    {"__nv_truncf", 1, TileOp_Math_Trunc, NULL},
};

const MathExtern *mathExternLookup(MlirStringRef symbol) {
  for (size_t i = 0; i < TILE_COUNTOF(externs); ++i)
    if (mlirStringRefEqual(symbol, tileStr(externs[i].symbol)))
      return &externs[i];
  return NULL;
}
