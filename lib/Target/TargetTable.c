/* TargetTable.c - looks chips, features and matrix instructions up in the architecture tables. */
#include "Tables.h"
#include <string.h>

static const TileTargetTable *const tables[] = {&tileNvidiaAmpere,    &tileNvidiaAda, &tileNvidiaHopper,
                                                &tileNvidiaBlackwell, &tileAmdCdna,   &tileAmdRdna};
enum { numTables = sizeof tables / sizeof tables[0] };

size_t tileTargetCount(void) {
  size_t count = 0;
  for (size_t t = 0; t < numTables; ++t)
    count += tables[t]->numRows;
  return count;
}

const TileTargetInfo *tileTargetAt(size_t i) {
  for (size_t t = 0; t < numTables; ++t) {
    if (i < tables[t]->numRows)
      return &tables[t]->rows[i];
    i -= tables[t]->numRows;
  }
  return NULL;
}

const TileTargetInfo *tileTargetLookup(const char *chip) {
  if (!chip)
    return NULL;
  for (size_t i = 0, n = tileTargetCount(); i < n; ++i)
    if (strcmp(tileTargetAt(i)->chip, chip) == 0)
      return tileTargetAt(i);
  return NULL;
}

// Of the card that comes to mind first: A100, A40, L40, H100 and H200, B200, RTX PRO 6000, MI250 (one die), MI300X,
// MI355X, 7900 XTX, 9070 XT; vendors' data sheets.
unsigned tileTargetProcessors(const char *chip) {
  static const struct {
    const char *chip;
    unsigned count;
  } rows[] = {{"sm_80", 108},  {"sm_86", 84},    {"sm_89", 142},  {"sm_90", 132},
              {"sm_90a", 132}, {"sm_100a", 148}, {"sm_120", 188}, {"gfx90a", 104},
              {"gfx942", 304}, {"gfx950", 256},  {"gfx1100", 96}, {"gfx1201", 64}};
  for (size_t i = 0; chip && i < sizeof rows / sizeof *rows; ++i)
    if (!strcmp(rows[i].chip, chip))
      return rows[i].count;
  return 64;
}

// Spelled out because there is no mutable state to build it in; the unit test compares it with the tables.
const char *tileTargetNames(void) {
  return "sm_80 sm_86 sm_89 sm_90 sm_90a sm_100a sm_120 gfx90a gfx942 gfx950 gfx1100 gfx1201";
}

static const char *const featureNames[TileFeature_Count] = {
    [TileFeature_CpAsync] = "cp-async",
    [TileFeature_LdMatrix] = "ldmatrix",
    [TileFeature_StMatrix] = "stmatrix",
    [TileFeature_MmaSync] = "mma-sync",
    [TileFeature_WGMMA] = "wgmma",
    [TileFeature_TcGen05] = "tcgen05",
    [TileFeature_MBarrier] = "mbarrier",
    [TileFeature_TMA] = "tma",
    [TileFeature_TMAPointers] = "tma-pointers",
    [TileFeature_ProgramLoops] = "program-loops",
    [TileFeature_MoreWarps] = "more-warps",
    [TileFeature_TMAGather] = "tma-gather",
    [TileFeature_Cluster] = "cluster",
    [TileFeature_SetMaxReg] = "setmaxnreg",
    [TileFeature_ElectSync] = "elect-sync",
    [TileFeature_PDL] = "pdl",
    [TileFeature_ReduxI32] = "redux-i32",
    [TileFeature_ReduxF32] = "redux-f32",
    [TileFeature_ThreeWayMaxima] = "three-way-maxima",
    [TileFeature_MFMA] = "mfma",
    [TileFeature_WMMA] = "wmma",
    [TileFeature_AGPR] = "agpr",
    [TileFeature_BufferOps] = "buffer-ops",
    [TileFeature_UnalignedAccess] = "unaligned-access",
    [TileFeature_LdsDma] = "lds-dma",
    [TileFeature_DsReadTr] = "ds-read-tr",
    [TileFeature_GlobalLoadTr] = "global-load-tr",
    [TileFeature_PermlaneSwap] = "permlane-swap",
    [TileFeature_DPP] = "dpp",
    [TileFeature_Fp8Convert] = "fp8-convert",
    [TileFeature_BF16Convert] = "bf16-convert",
    [TileFeature_BF16Fma] = "bf16-fma",
    [TileFeature_BF16Arith] = "bf16-arith",
    [TileFeature_PackedF32] = "packed-f32",
    [TileFeature_AtomicAddF16x2] = "atomic-f16x2",
    [TileFeature_AtomicAddBF16x2] = "atomic-bf16x2",
    [TileFeature_AtomicAddF32Vec] = "atomic-f32-vec",
};

const char *tileFeatureName(TileFeature feature) {
  return (unsigned)feature < TileFeature_Count ? featureNames[feature] : NULL;
}

bool tileFeatureParse(const char *name, size_t length, TileFeature *out_feature) {
  for (unsigned i = 0; i < TileFeature_Count; ++i) {
    if (strlen(featureNames[i]) == length && memcmp(featureNames[i], name, length) == 0) {
      *out_feature = (TileFeature)i;
      return true;
    }
  }
  return false;
}

bool tileTargetDisable(TileTargetInfo *target, const char *list, const char **out_bad, size_t *out_length) {
  while (list && *list) {
    size_t length = strcspn(list, ",");
    TileFeature feature;
    if (!tileFeatureParse(list, length, &feature)) {
      *out_bad = list;
      *out_length = length;
      return false;
    }
    target->features &= ~(UINT64_C(1) << feature);
    list += length;
    list += *list == ',';
  }
  return true;
}

const TileMatrixInstr *tileTargetFindMatrix(const TileTargetInfo *target, TileMatrixFamily family,
                                            TileElementType a, TileElementType b, TileElementType acc,
                                            bool shortened) {
  for (size_t i = 0; i < target->numMatrixInstrs; ++i) {
    const TileMatrixInstr *row = &target->matrixInstrs[i];
    if (row->family == family && row->a == a && row->b == b && row->acc == acc && row->shortened == shortened)
      return row;
  }
  return NULL;
}
