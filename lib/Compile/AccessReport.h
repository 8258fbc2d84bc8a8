/* AccessReport.h - what the report says of each kernel's accesses to memory and of the layouts behind them.
 *
 * Gathered from the tile_gpu module, just before it is lowered. */
#ifndef TILE_LIB_COMPILE_ACCESSREPORT_H
#define TILE_LIB_COMPILE_ACCESSREPORT_H
#include "tile-c/Session.h"
#include "tile-c/Support/StringBuilder.h"

typedef struct TileKernelAccesses {
  char *kernel, *text;
} TileKernelAccesses;

/// Zero-initialise.
typedef struct TileAccessReport {
  TileKernelAccesses *kernels;
  size_t numKernels;
} TileAccessReport;

void tileAccessReportCollect(TileAccessReport *report, const TileSession *session);
/// The section for a kernel, complete lines; "" if there is none.
const char *tileAccessReportOf(const TileAccessReport *report, const char *kernel);
void tileAccessReportRelease(TileAccessReport *report);

// ---- LayoutReport.c ----

enum { TILE_REPORT_LAYOUTS = 64 };

/// The layouts that a kernel's section has named so far, by tensor type.
typedef struct TileReportLayouts {
  MlirType types[TILE_REPORT_LAYOUTS];
  int count;
} TileReportLayouts;

/// The number under which the layout of a tensor is listed; -1 if it has none or the list is full.
int tileReportLayoutNumber(TileReportLayouts *layouts, MlirType tensor);
/// Lists the layouts with a drawing of who holds what: all of a small tensor, the beginning of a large one.
void tileReportLayouts(const TileReportLayouts *layouts, TileStringBuilder *text);
/// Lists the ops that move data between threads, with the shared memory that each needs.
void tileReportMoves(const TileSession *session, MlirOperation kernel, TileReportLayouts *layouts,
                     TileStringBuilder *text);
/// Appends "16x64xf32"; a pointer stands for what it points to.
void tileReportShape(MlirType type, TileStringBuilder *text);

// ---- DotReport.c ----

/// Lists the matrix products: instruction, warps, the way of each factor, reasons.
void tileReportDots(const TileSession *session, MlirOperation kernel, TileStringBuilder *text);

// ---- BlockReport.c ----

/// Lists what tile-gpu-form-descriptors looked at, and what came of it.
void tileReportBlocks(const TileSession *session, MlirOperation function, TileStringBuilder *text);

#endif
