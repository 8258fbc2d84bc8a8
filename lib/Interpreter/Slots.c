/* Slots.c - where values live: slots, their storage, their origins; and the emission of instructions. */
#include "Decode.h"
#include "tile-c/Dialect/Tile.h"
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CODE = 1 << 20 };

bool interpRefuse(MlirOperation op, const char *format, ...) {
  char text[512];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  tileEmitOpError(op, "%s", text);
  return false;
}

// ---- Storage ----

enum { HEADER = 64 }; ///< bytes in front of a block's: keeps these aligned to a cache line

char *interpStorageBytes(Storage *block) { return (char *)block + HEADER; }

char *interpNewStorage(Decoder *d, MlirOperation op, int64_t count, size_t size) {
  size_t room = d->maxStorageBytes - d->storageBytes;
  if (count < 0 || (size && (uint64_t)count > room / size)) {
    interpRefuse(op, "needs %lld elements of %zu bytes, more than the %zu bytes left for tensors",
                 (long long)count, size, room);
    return NULL;
  }
  size_t bytes = ((size_t)count * size + 63) / 64 * 64;
  Storage *block = aligned_alloc(64, HEADER + bytes);
  if (!block) {
    interpRefuse(op, "out of memory for %zu bytes", bytes);
    return NULL;
  }
  memset(block, 0, HEADER + bytes);
  block->bytes = bytes;
  block->previous = d->storage;
  d->storage = block;
  d->storageBytes += bytes < room ? bytes : room;
  return interpStorageBytes(block);
}

static void addToList(Decoder *d, struct SlotList *list, Slot *slot) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 8;
    Slot **larger = tileArenaAlloc(&d->arena, (size_t)list->capacity, sizeof(Slot *));
    if (list->count)
      memcpy(larger, list->items, (size_t)list->count * sizeof(Slot *));
    list->items = larger;
  }
  list->items[list->count++] = slot;
}

// ---- Types ----

static bool setPointee(Slot *slot, MlirType pointee) {
  bool isPointer = tilePtrTypeIsA(pointee);
  slot->pointeeType = isPointer ? TileElementType_I64 : tileElementTypeOf(pointee);
  slot->pointeeSize = tileElementTypeSize(slot->pointeeType);
  return slot->pointeeType != TileElementType_None;
}

/// Element type, kind and size of a slot of this scalar type; false if the cpu device has no such values.
static bool setElement(Slot *slot, MlirType element) {
  slot->type = TileElementType_I64;
  slot->size = 8;
  if (tilePtrTypeIsA(element)) {
    slot->kind = Slot_Pointer;
    return setPointee(slot, tilePtrTypeGetPointee(element));
  }
  if (mlirTypeIsAIndex(element))
    return true;
  slot->type = tileElementTypeOf(element);
  slot->size = tileElementTypeSize(slot->type);
  return slot->type != TileElementType_None;
}

static bool setDescriptor(Decoder *d, Slot *slot, MlirType type) {
  slot->kind = Slot_Descriptor;
  slot->type = TileElementType_I64;
  slot->size = sizeof(Descriptor);
  slot->count = 1;
  slot->rank = (int)tileDescTypeGetNumShape(type);
  if (slot->rank > MAX_DESC_RANK)
    return false;
  int64_t *shape = tileArenaAlloc(&d->arena, (size_t)slot->rank + 1, sizeof *shape);
  for (int dim = 0; dim < slot->rank; ++dim)
    shape[dim] = tileDescTypeGetShape(type, dim);
  slot->shape = shape;
  return setPointee(slot, tileDescTypeGetElementType(type));
}

static bool setType(Decoder *d, Slot *slot, MlirType type) {
  if (tileDescTypeIsA(type))
    return setDescriptor(d, slot, type);
  slot->count = 1;
  if (!mlirTypeIsARankedTensor(type))
    return setElement(slot, type);
  slot->rank = (int)mlirShapedTypeGetRank(type);
  if (slot->rank > MAX_RANK || !mlirShapedTypeHasStaticShape(type))
    return false;
  int64_t *shape = tileArenaAlloc(&d->arena, (size_t)slot->rank + 1, sizeof *shape);
  for (int dim = 0; dim < slot->rank; ++dim) {
    shape[dim] = mlirShapedTypeGetDimSize(type, dim);
    if (shape[dim] < 1 || slot->count > INT64_MAX / shape[dim])
      return false;
    slot->count *= shape[dim];
  }
  slot->shape = shape;
  return setElement(slot, mlirShapedTypeGetElementType(type));
}

/// A slot without storage; in a combiner body it stands for lanes.
static Slot *slotOfType(Decoder *d, MlirOperation op, MlirType type) {
  Slot *slot = tileArenaAlloc(&d->arena, 1, sizeof *slot);
  if (!setType(d, slot, type)) {
    interpRefuse(op, "has a value of a type that the cpu device does not support, expected a scalar of at "
                     "most 64 bits or a "
                     "tensor of them with at least one element");
    return NULL;
  }
  if (slot->kind != Slot_Number) {
    slot->origin = tileArenaAlloc(&d->arena, 1, sizeof(Origin));
    slot->origin->argument = Origin_None;
  }
  slot->body = d->body;
  if (d->body) {
    if (slot->rank)
      return interpRefuse(op, "has a tensor in scalar code"), NULL;
    slot->count = d->body->lanes;
    addToList(d, &d->body->slots, slot);
  }
  return slot;
}

// ---- Slots ----

Slot *interpNewSlot(Decoder *d, MlirOperation op, MlirType type) {
  Slot *slot = slotOfType(d, op, type);
  if (slot && !(slot->data = interpNewStorage(d, op, slot->count, slot->size)))
    return NULL;
  return slot;
}

Slot *interpAliasSlot(Decoder *d, MlirOperation op, MlirType type, const Slot *source) {
  Slot *slot = slotOfType(d, op, type);
  if (!slot)
    return NULL;
  if ((uint64_t)slot->count * slot->size != (uint64_t)source->count * source->size) {
    interpRefuse(op, "got %lld elements of %zu bytes, expected the size of the operand, %lld of %zu bytes",
                 (long long)slot->count, slot->size, (long long)source->count, source->size);
    return NULL;
  }
  slot->data = source->data;
  if (slot->origin && source->origin)
    slot->origin = source->origin;
  return slot;
}

void interpBind(Decoder *d, MlirValue value, Slot *slot) { tilePointerMapSet(&d->values, value.ptr, slot); }

Slot *interpResultSlot(Decoder *d, MlirOperation op, intptr_t index) {
  MlirValue result = mlirOperationGetResult(op, index);
  Slot *slot = interpNewSlot(d, op, mlirValueGetType(result));
  if (slot)
    interpBind(d, result, slot);
  return slot;
}

/// An outer scalar repeated in the lanes of the body being decoded.
static Slot *capture(Decoder *d, MlirOperation user, MlirValue value, Slot *outer) {
  if (outer->rank)
    return interpRefuse(user, "uses a tensor in scalar code"), NULL;
  Body *body = d->body;
  for (int c = 0; c < body->captures.count; c += 2)
    if (body->captures.items[c] == outer)
      return body->captures.items[c + 1];
  Slot *inner = interpNewSlot(d, user, mlirValueGetType(value));
  if (!inner)
    return NULL;
  interpMergeOrigins(d, inner, outer);
  addToList(d, &body->captures, outer);
  addToList(d, &body->captures, inner);
  return inner;
}

Slot *interpUse(Decoder *d, MlirOperation user, MlirValue value) {
  Slot *slot = tilePointerMapFind(&d->values, value.ptr);
  if (!slot)
    return TILE_BUG(user, "operand without a slot"), NULL;
  return d->body && slot->body != d->body ? capture(d, user, value, slot) : slot;
}

// ---- Origins ----

static Origin *rootOf(Origin *o) {
  while (o->parent) {
    if (o->parent->parent)
      o->parent = o->parent->parent;
    o = o->parent;
  }
  return o;
}

void interpMergeOrigins(Decoder *d, Slot *a, Slot *b) {
  if (!a->origin || !b->origin)
    return;
  Origin *x = rootOf(a->origin), *y = rootOf(b->origin);
  if (x == y)
    return;
  if (x->argument == Origin_None)
    x->argument = y->argument;
  else if (y->argument != Origin_None && y->argument != x->argument)
    x->argument = Origin_Any;
  y->parent = x;
}

void interpSetOriginAny(Decoder *d, Slot *slot) {
  if (slot->origin)
    rootOf(slot->origin)->argument = Origin_Any;
}

int interpOriginOf(const Slot *slot) { return slot->origin ? rootOf(slot->origin)->argument : Origin_Any; }

// ---- Instructions ----

Instruction *interpEmit(Decoder *d, MlirOperation op, Execute execute, int numOperands, int numResults) {
  Instruction *i = tileArenaAlloc(&d->arena, 1, sizeof *i);
  i->execute = execute;
  i->op = op;
  i->numOperands = numOperands, i->numResults = numResults;
  i->operands = tileArenaAlloc(&d->arena, (size_t)(numOperands + numResults) + 1, sizeof(Slot *));
  i->results = i->operands + numOperands;
  if (d->numCode == d->codeCapacity) {
    int capacity = d->codeCapacity ? 2 * d->codeCapacity : 256;
    Instruction **larger = tileArenaAlloc(&d->arena, (size_t)capacity, sizeof *larger);
    if (d->numCode)
      memcpy(larger, d->code, (size_t)d->numCode * sizeof *larger);
    d->code = larger;
    d->codeCapacity = capacity;
  }
  d->code[d->numCode++] = i;
  return i;
}

Instruction *interpEmitOp(Decoder *d, MlirOperation op, Execute execute) {
  if (d->numCode >= MAX_CODE)
    return interpRefuse(op, "inlining calls gives more than %d operations", MAX_CODE), NULL;
  Instruction *i =
      interpEmit(d, op, execute, (int)mlirOperationGetNumOperands(op), (int)mlirOperationGetNumResults(op));
  for (int k = 0; k < i->numOperands; ++k)
    if (!(i->operands[k] = interpUse(d, op, mlirOperationGetOperand(op, k))))
      return NULL;
  for (int k = 0; k < i->numResults; ++k)
    if (!(i->results[k] = interpResultSlot(d, op, k)))
      return NULL;
  return i;
}
