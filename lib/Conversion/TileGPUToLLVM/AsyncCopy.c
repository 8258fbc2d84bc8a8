/* AsyncCopy.c - tile_gpu.async_copy and its groups: copies of the chip's asynchronous widths where pointers,
 * mask and both layouts keep that many elements together, through registers elsewhere. */
#include "Buffers.h"
#include "DirectCopy.h"
#include "tile-c/AccessPlan.h"
#include "tile-c/Dialect/TileGPU.h"

typedef struct Copy {
  TileBufferView view;
  TileBufferAddress address;
  TileLayout layout; ///< of the pointers
  TileRegisters pointers, masks, others;
  TileAccessPlan plan;
  uint32_t copies; ///< register bits that only repeat others
  int together;    ///< consecutive registers, from a multiple of it on, that are consecutive in the buffer
} Copy;

/* Consecutive registers on consecutive places, and everything else at multiples of as many. */
static int registersTogether(const TileBufferView *view, const TileLayout *toOffset, int64_t most) {
  const TileSharedLayout *shared = &view->desc.layout;
  int64_t width = tileBufferAlignedWidth(view, most);
  if (shared->padInterval)
    while (width > 1 && (width > shared->padInterval || shared->padAmount % width))
      width /= 2;
  for (; width > 1; width /= 2) {
    bool fits = true;
    int32_t low = __builtin_ctzll((unsigned long long)width);
    for (int dim = 0; dim < TileLayoutDim_Block; ++dim)
      for (int32_t bit = 0; bit < toOffset->bits[dim]; ++bit) {
        int32_t at = toOffset->bases[dim][bit][TileLayoutDim_Offset];
        bool inside = dim == TileLayoutDim_Register && bit < low;
        fits &= inside ? at == 1 << bit : at % (int32_t)width == 0;
      }
    if (fits && low <= toOffset->bits[TileLayoutDim_Register])
      break;
  }
  return (int)width;
}

static MlirLogicalResult describe(TileLowering *l, TileGPUAsyncCopyOp op, Copy *c) {
  MlirValue ptr = tileGPUAsyncCopyOpGetPtr(op), mask = tileGPUAsyncCopyOpGetMask(op);
  TileLayout whole, toOffset;
  TILE_TRY(tileRequireLayout(op.op, ptr, &c->layout));
  if (!tileBufferViewOf(l, tileGPUAsyncCopyOpGetTarget(op), &c->view) ||
      !tileMemDescEmbed(&c->view.desc, &c->layout, &whole) ||
      !tileLayoutInvertAndCompose(&whole, &c->view.desc.layout.map, &toOffset))
    return tileEmitOpError(op.op, "got a buffer that does not hold the pointers' shape");
  c->address = tileBufferAddress(l, &c->view, &toOffset);
  c->pointers = tileRegistersOf(l, ptr);
  c->masks = mask.ptr ? tileRegistersOf(l, mask) : (TileRegisters){0, NULL};
  MlirValue other = tileGPUAsyncCopyOpGetOther(op);
  c->others = other.ptr ? tileRegistersOf(l, other) : (TileRegisters){0, NULL};
  int bits = 8 * c->view.desc.elementBytes;
  c->plan = tileAccessPlan(l->axis, l->target, ptr, mask, &c->layout, bits);
  c->copies = tileLayoutFreeMask(&c->layout, TileLayoutDim_Register);
  c->together = registersTogether(&c->view, &toOffset, l->target->maxVectorBits / bits);
  return tileSuccess();
}

/* One vector: where it comes from and goes to; `mask` may be null. */
typedef struct Piece {
  intptr_t first;
  int width;
  MlirValue from, to, mask;
} Piece;

static bool isAsyncWidth(const TileLowering *l, const Copy *c, int width) {
  unsigned bytes = (unsigned)(width * c->view.desc.elementBytes);
  return l->hooks->asyncCopy && bytes >= 4 && (l->target->asyncCopyBytes & bytes);
}

static void storePiece(TileLowering *l, const Copy *c, const Piece *p, const MlirValue *elements) {
  TileAccess to = {.pointer = p->to,
                   .element = c->address.memory,
                   .width = p->width,
                   .alignment = p->width * c->view.desc.elementBytes};
  tileEmitPlainStore(l, &to, elements);
}

static void elsewhere(TileLowering *l, const Copy *c, const Piece *p, MlirValue *out) {
  for (int i = 0; i < p->width; ++i)
    out[i] = c->others.count && p->mask.ptr ? tileToMemory(l, c->others.values[p->first + i])
                                            : tileEmitZero(l, c->address.memory);
}

static void copyThroughRegisters(TileLowering *l, const Copy *c, const Piece *p) {
  MlirValue elements[16], others[16];
  TileAccess from = {.pointer = p->from,
                     .predicate = p->mask,
                     .element = c->address.memory,
                     .width = p->width,
                     .alignment = p->width * c->view.desc.elementBytes};
  elsewhere(l, c, p, others);
  l->hooks->load(l, &from, others, elements);
  storePiece(l, c, p, elements);
}

/* With `other`, elements that are masked off are stored; without, the copy writes zeros itself. */
static void copyAsync(TileLowering *l, const Copy *c, const Piece *p) {
  int bytes = p->width * c->view.desc.elementBytes;
  MlirValue size = {NULL}, others[16];
  if (!p->mask.ptr || !c->others.count) {
    if (p->mask.ptr)
      size = tileEmitSelect(l, p->mask, tileEmitI32(l, bytes), tileEmitI32(l, 0));
    l->hooks->asyncCopy(l, p->to, p->from, bytes, size);
    return;
  }
  MlirBlock copy = tileAppendBlock(l, 0, NULL), store = tileAppendBlock(l, 0, NULL),
            after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, p->mask, copy, 0, NULL, store, 0, NULL);
  tileEnterBlock(l, copy);
  l->hooks->asyncCopy(l, p->to, p->from, bytes, size);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, store);
  elsewhere(l, c, p, others);
  storePiece(l, c, p, others);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

static void copyForm(TileLowering *l, const Copy *c, int width, bool masked) {
  if (width > c->together)
    width = c->together;
  for (intptr_t first = 0; first < c->pointers.count; first += width) {
    if ((uint32_t)first & c->copies)
      continue;
    Piece p = {.first = first,
               .width = width,
               .from = c->pointers.values[first],
               .to = tileEmitBufferAddress(l, &c->address, (uint32_t)first),
               .mask = masked ? c->masks.values[first] : (MlirValue){NULL}};
    if (isAsyncWidth(l, c, width))
      copyAsync(l, c, &p);
    else
      copyThroughRegisters(l, c, &p);
  }
}

/* Wide where the masks of all registers of the thread are true, else piece by piece. */
static void copyBothForms(TileLowering *l, const Copy *c) {
  MlirBlock wide = tileAppendBlock(l, 0, NULL), single = tileAppendBlock(l, 0, NULL),
            after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, tileEmitAllOf(l, c->masks), wide, 0, NULL, single, 0, NULL);
  tileEnterBlock(l, wide);
  copyForm(l, c, c->plan.wideWidth, false);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, single);
  copyForm(l, c, c->plan.width, true);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
}

/* Two forms pay only where the narrow one is no asynchronous copy by itself. */
static void copyAll(TileLowering *l, const Copy *c) {
  bool narrow = c->plan.width < c->plan.wideWidth && c->plan.width < c->together;
  if (c->plan.twoForms && narrow)
    copyBothForms(l, c);
  else
    copyForm(l, c, c->plan.width, c->masks.count > 0);
}

MlirLogicalResult tileLowerAsyncCopy(TileLowering *l, MlirOperation op) {
  Copy c;
  if (tileLowerDirectCopy(l, op))
    return tileSuccess();
  TILE_TRY(describe(l, tileGPUAsyncCopyOpCast(op), &c));
  MlirValue owner = tileEmitOwnerPredicate(l, &c.layout);
  if (!owner.ptr) {
    copyAll(l, &c);
    return tileSuccess();
  }
  MlirBlock copy = tileAppendBlock(l, 0, NULL), after = tileAppendBlock(l, 0, NULL);
  tileEmitCondBranch(l, owner, copy, 0, NULL, after, 0, NULL);
  tileEnterBlock(l, copy);
  copyAll(l, &c);
  tileEmitBranch(l, after, 0, NULL);
  tileEnterBlock(l, after);
  return tileSuccess();
}

MlirLogicalResult tileLowerAsyncCommit(TileLowering *l, MlirOperation op) {
  (void)op;
  if (l->hooks->asyncCommit)
    l->hooks->asyncCommit(l);
  return tileSuccess();
}

MlirLogicalResult tileLowerAsyncWait(TileLowering *l, MlirOperation op) {
  int64_t pending = tileGPUAsyncWaitOpGetPending(tileGPUAsyncWaitOpCast(op));
  if (l->hooks->asyncWait)
    l->hooks->asyncWait(l, pending);
  else if (l->hooks->waitForCopies && l->copiesDirectly)
    l->hooks->waitForCopies(l, tileCopiesUnderWay(l, op, pending));
  return tileSuccess();
}
