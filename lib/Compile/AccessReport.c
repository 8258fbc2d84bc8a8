/* AccessReport.c - one paragraph for each op that reads or writes global memory: how wide each thread's
 * accesses are, what a warp moves by one of them, and why they are not wider. */
#include "AccessReport.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/TileAccess.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include "tile-c/IR.h"
#include "tile-c/OpKind.h"
#include <stdlib.h>

typedef struct Reporting {
  const TileSession *session;
  const TileTargetInfo *target;
  TileAxisInfo *axis;
  TileReportLayouts layouts;
  TileStringBuilder text;
  bool any; ///< the section's title has been written
} Reporting;

/* One op on its way into the report. */
typedef struct Access {
  MlirOperation op;
  const char *verb;
  MlirValue ptr, mask; ///< mask may be null
  bool stores, atomic;
  TileLayout layout;
  TileAccessPlan plan;
  TileAccessLimits limits;
  int64_t bytes; ///< of one element in memory
} Access;

static bool readAccess(MlirOperation op, Access *out) {
  TilePointerAccess access = tilePointerAccessOf(op);
  if (!access.ptr.ptr)
    return false;
  TileOpKind kind = tileOpKind(op);
  bool load = kind == TileOp_Tile_Load, store = kind == TileOp_Tile_Store;
  *out =
      (Access){.op = op, .ptr = access.ptr, .mask = access.mask, .stores = !load, .atomic = !load && !store};
  out->verb = load ? "load of" : store ? "store of" : "atomic update of";
  out->bytes = (int64_t)tileElementTypeSize(tilePointeeElement(mlirValueGetType(access.ptr)));
  return true;
}

// ---- What is done ----

/* Accesses of `width` elements that one thread does; a store leaves out registers that hold copies. */
static int64_t countAccesses(const Access *a, int width) {
  int64_t registers = tileLayoutNumRegisters(&a->layout);
  for (uint32_t copies = a->stores ? tileLayoutFreeMask(&a->layout, TileLayoutDim_Register) : 0; copies;
       copies &= copies - 1)
    registers /= 2;
  return registers / width;
}

static void appendWidth(Reporting *r, const Access *a, int width) {
  const TileAxis *axis = tileAxisInfoOf(r->axis, a->ptr);
  int64_t count = countAccesses(a, width);
  int sectors = tileAccessSectors(axis, &a->layout, a->bytes, r->target->sectorBytes);
  int64_t used = a->bytes * width * tileAccessSectors(axis, &a->layout, a->bytes, a->bytes);
  tileStringAppendFormat(&r->text, "%lld access%s of %lld byte%s, %d sector%s a request", (long long)count,
                         count == 1 ? "" : "es", (long long)a->bytes * width,
                         a->bytes * width == 1 ? "" : "s", sectors, sectors == 1 ? "" : "s");
  tileStringAppendFormat(&r->text, ", %lld %% of their bytes used\n",
                         (long long)(100 * used / ((int64_t)sectors * r->target->sectorBytes)));
}

static void appendForms(Reporting *r, const Access *a) {
  tileStringAppendText(&r->text, "      a thread:  ");
  appendWidth(r, a, a->plan.twoForms ? a->plan.wideWidth : a->plan.width);
  if (!a->plan.twoForms)
    return;
  tileStringAppendText(&r->text, "      two forms: this one where a thread's whole mask is true, else ");
  if (a->plan.width == a->plan.wideWidth)
    tileStringAppendText(&r->text, "each access under its own mask\n");
  else
    appendWidth(r, a, a->plan.width);
}

// ---- Why not wider ----

/* What the addresses say against a wider access. An element's own alignment is taken for granted. */
static void appendAddressReason(TileStringBuilder *text, const Access *a, const TileAxisDim *axis) {
  const TileAccessLimits *limits = &a->limits;
  int64_t known = limits->alignment > a->bytes ? limits->alignment : a->bytes;
  if (limits->run > limits->address)
    tileStringAppendFormat(text, "addresses are known to be multiples of %lld byte%s only", (long long)known,
                           known == 1 ? "" : "s");
  else if (axis->constancy > 1)
    tileStringAppendFormat(text, "%lld neighbours have one address", (long long)axis->constancy);
  else if (limits->run == 1)
    tileStringAppendText(text, "neighbours are not known to be adjacent in memory");
  else
    tileStringAppendFormat(text, "only %lld neighbours are known to be adjacent in memory",
                           (long long)limits->run);
}

static void appendMaskReason(TileStringBuilder *text, const TileAccessLimits *limits) {
  if (limits->mask == 1)
    tileStringAppendText(text, "the mask may change at every element");
  else
    tileStringAppendFormat(text, "the mask may change every %lld elements", (long long)limits->mask);
}

/* What the layout says: of few elements every thread has few, otherwise it follows other ops. Layouts follow
 * addresses and masks too, so that it counts only where those do not. */
static void appendLayoutReason(TileStringBuilder *text, const Access *a, bool only, int64_t width) {
  long long elements = tileLayoutNumElements(&a->layout), threads = tileLayoutNumLanes(&a->layout) *
                                                                    tileLayoutNumWarps(&a->layout) *
                                                                    tileLayoutNumBlocks(&a->layout);
  if (elements <= threads * width)
    tileStringAppendFormat(text, "%s%lld elements are spread over %lld threads", only ? "" : "; ", elements,
                           threads);
  else if (only)
    tileStringAppendFormat(text, "the layout gives a thread %lld neighbour%s", (long long)a->limits.layout,
                           a->limits.layout == 1 ? "" : "s at a time");
}

static void appendReasons(Reporting *r, const Access *a) {
  const TileAccessLimits *limits = &a->limits;
  TileStringBuilder *text = &r->text;
  int64_t width = a->plan.twoForms ? a->plan.wideWidth : a->plan.width;
  const TileAxisDim axis = tileAxisInfoGet(r->axis, a->ptr, limits->dim);
  tileStringAppendText(text, "      not wider: ");
  if (width >= limits->chip) {
    tileStringAppendFormat(text, "%s takes no more", r->target->chip);
  } else if (a->atomic) {
    tileStringAppendText(text, "an atomic access takes one element");
  } else {
    bool address = limits->address <= width, mask = limits->mask <= width;
    if (address)
      appendAddressReason(text, a, &axis);
    tileStringAppendText(text, address && mask ? "; " : "");
    if (mask)
      appendMaskReason(text, limits);
    appendLayoutReason(text, a, !address && !mask, width);
  }
  tileStringAppendText(text, "\n");
}

/* On chips with buffer resources, whether the access goes through one, or why not. */
static void appendBuffer(Reporting *r, const Access *a) {
  MlirAttribute reason = mlirOperationGetDiscardableAttributeByName(a->op, tileStr("tile_gpu.not_buffer"));
  if (mlirOperationGetDiscardableAttributeByName(a->op, tileStr("tile_gpu.buffer")).ptr)
    tileStringAppendText(&r->text, "      through a buffer resource, with offsets of 32 bits\n");
  else if (reason.ptr) {
    MlirStringRef text = mlirStringAttrGetValue(reason);
    tileStringAppendFormat(&r->text, "      through pointers of 64 bits: %.*s\n", (int)text.length,
                           text.data);
  }
}

// ---- The section ----

static void appendTitle(Reporting *r, const Access *a) {
  if (!r->any)
    tileStringAppendFormat(&r->text,
                           "  memory: a request is one access of a warp's %u lanes, sectors have %u bytes\n",
                           r->target->warpSize, r->target->sectorBytes);
  r->any = true;
  tileStringAppendText(&r->text, "    ");
  tileSessionAppendPosition(r->session, mlirOperationGetLocation(a->op), &r->text);
  tileStringAppendFormat(&r->text, ": %s ", a->verb);
  tileReportShape(mlirValueGetType(a->ptr), &r->text);
  int number = tileReportLayoutNumber(&r->layouts, mlirValueGetType(a->ptr));
  if (number >= 0)
    tileStringAppendFormat(&r->text, " in layout %d", number);
  tileStringAppendText(&r->text, a->mask.ptr ? ", masked\n" : "\n");
}

static MlirWalkResult appendAccess(MlirOperation op, void *user) {
  Reporting *r = user;
  Access a;
  if (!readAccess(op, &a))
    return MlirWalkResultAdvance;
  appendTitle(r, &a);
  if (!tileTypeIsTensor(mlirValueGetType(a.ptr))) {
    tileStringAppendFormat(&r->text, "      one access of %lld byte%s by %s\n", (long long)a.bytes,
                           a.bytes == 1 ? "" : "s", a.stores ? "the first thread" : "every thread");
    return MlirWalkResultAdvance;
  }
  if (!tileLayoutOfType(mlirValueGetType(a.ptr), &a.layout))
    return MlirWalkResultAdvance;
  a.plan = tileAccessPlan(r->axis, r->target, a.ptr, a.mask, &a.layout, 8 * a.bytes);
  if (mlirOperationGetDiscardableAttributeByName(op, tileStr("tile_gpu.buffer")).ptr)
    a.plan.twoForms = false; /* a mask costs no branch */
  if (a.atomic)
    a.plan = (TileAccessPlan){a.plan.dim, 1, 1, 1, false};
  a.limits = tileAccessLimits(r->axis, r->target, a.ptr, a.mask, &a.layout, 8 * a.bytes, &a.plan);
  appendForms(r, &a);
  appendReasons(r, &a);
  appendBuffer(r, &a);
  return MlirWalkResultAdvance;
}

static char *describeKernel(const TileSession *session, const TileKernelView *kernel) {
  Reporting r = {.session = session, .target = tileSessionGetTarget(session)};
  r.axis = tileAxisInfoCreate(kernel->op);
  if (r.axis) {
    mlirOperationWalk(kernel->op, appendAccess, &r, MlirWalkPreOrder);
    tileReportBlocks(session, kernel->op, &r.text);
    tileReportDots(session, kernel->op, &r.text);
    tileReportMoves(session, kernel->op, &r.layouts, &r.text);
    tileReportLayouts(&r.layouts, &r.text);
  }
  tileAxisInfoRelease(r.axis);
  return tileStringTake(&r.text, NULL);
}

void tileAccessReportCollect(TileAccessReport *report, const TileSession *session) {
  TileKernelView kernel = {0};
  while (tileKernelViewNext(tileSessionGetModule(session), kernel.op, &kernel)) {
    TileKernelAccesses *kernels =
        realloc(report->kernels, (report->numKernels + 1) * sizeof *report->kernels);
    if (!kernels)
      return;
    report->kernels = kernels;
    kernels[report->numKernels++] =
        (TileKernelAccesses){strndup(kernel.name.data, kernel.name.length), describeKernel(session, &kernel)};
  }
}

const char *tileAccessReportOf(const TileAccessReport *report, const char *kernel) {
  for (size_t i = 0; i < report->numKernels; ++i)
    if (report->kernels[i].kernel && !strcmp(report->kernels[i].kernel, kernel))
      return report->kernels[i].text;
  return "";
}

void tileAccessReportRelease(TileAccessReport *report) {
  for (size_t i = 0; i < report->numKernels; ++i) {
    free(report->kernels[i].kernel);
    free(report->kernels[i].text);
  }
  free(report->kernels);
  *report = (TileAccessReport){0};
}
