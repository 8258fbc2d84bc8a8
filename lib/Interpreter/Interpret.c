/* Interpret.c - finds the kernel, binds its arguments, decodes it and executes every program of the grid. */
#include "Decode.h"
#include "tile-c/Dialect/Func.h"
#include "tile-c/Dialect/Tile.h"
#include <stdlib.h>

static const size_t defaultTensorBytes = (size_t)8 << 30;

static bool isKernel(MlirOperation op) {
  return tileOpKind(op) == TileOp_Func_Func &&
         mlirOperationGetDiscardableAttributeByName(op, tileStr("tile.kernel")).ptr;
}

static MlirOperation findKernel(MlirModule module, const char *name) {
  MlirOperation moduleOp = mlirModuleGetOperation(module), found = {NULL};
  MlirBlock body = mlirModuleGetBody(module);
  int kernels = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr; op = mlirOperationGetNextInBlock(op)) {
    if (!isKernel(op))
      continue;
    if (name && mlirStringRefEqual(funcFuncOpGetSymName(funcFuncOpCast(op)), tileStr(name)))
      return op;
    found = op;
    ++kernels;
  }
  if (name)
    return tileEmitOpError(moduleOp, "has no kernel '%s'", name), (MlirOperation){NULL};
  if (kernels != 1)
    return tileEmitOpError(moduleOp, "has %d kernels, expected one or a kernel's name", kernels),
           (MlirOperation){NULL};
  return found;
}

// ---- Arguments ----

/// What is left to bind.
typedef struct Binding {
  Decoder *d;
  MlirOperation kernel;
  const TileArgument *arguments;
  size_t count, next;
  Buffer *buffers; ///< room for one for each argument
  int numBuffers;
} Binding;

static const char *describe(const TileArgument *a) { return a->isBuffer ? "buffer" : "scalar"; }

/// The next argument, which has to be of this type.
static const TileArgument *take(Binding *b, bool isBuffer, TileElementType type) {
  if (b->next == b->count) {
    interpRefuse(b->kernel, "got %zu arguments, expected more", b->count);
    return NULL;
  }
  const TileArgument *a = &b->arguments[b->next];
  bool isByte = tileElementTypeSize(a->type) == 1 && type == TileElementType_I1;
  if (a->isBuffer != isBuffer || (a->type != type && !(isBuffer && isByte))) {
    interpRefuse(b->kernel, "argument %d: got a %s of %s, expected a %s of %s",
                 tileArgumentNumber(a, b->next), describe(a), tileElementTypeName(a->type),
                 isBuffer ? "buffer" : "scalar", tileElementTypeName(type));
    return NULL;
  }
  ++b->next;
  return a;
}

static bool bindPointer(Binding *b, Slot *slot, uint64_t *out_address) {
  const size_t index = b->next;
  const TileArgument *a = take(b, true, slot->pointeeType);
  if (!a)
    return false;
  uint64_t start = (uint64_t)(uintptr_t)a->data;
  slot->origin->argument = b->numBuffers;
  b->buffers[b->numBuffers++] = (Buffer){start, (uint64_t)a->numElements * tileElementTypeSize(a->type),
                                         a->type, a->numElements, tileArgumentNumber(a, index)};
  *out_address = start;
  return true;
}

/// base, sizes, strides.
static bool bindDescriptor(Binding *b, Slot *slot) {
  Descriptor *desc = (Descriptor *)(void *)slot->data;
  if (!bindPointer(b, slot, &desc->base))
    return false;
  for (int dim = 0; dim < slot->rank; ++dim) {
    const TileArgument *a = take(b, false, TileElementType_I32);
    if (!a)
      return false;
    desc->shape[dim] = a->scalar.i;
  }
  for (int dim = 0; dim < slot->rank; ++dim) {
    const TileArgument *a = take(b, false, TileElementType_I64);
    if (!a)
      return false;
    desc->strides[dim] = a->scalar.i;
  }
  return true;
}

static bool bindArgument(Binding *b, MlirValue parameter) {
  Slot *slot = interpNewSlot(b->d, b->kernel, mlirValueGetType(parameter));
  if (!slot)
    return false;
  interpBind(b->d, parameter, slot);
  if (slot->kind == Slot_Descriptor)
    return bindDescriptor(b, slot);
  if (slot->kind == Slot_Pointer)
    return bindPointer(b, slot, (uint64_t *)(void *)slot->data);
  if (slot->rank)
    return interpRefuse(b->kernel, "argument %zu is a tensor, expected a scalar, a pointer or a descriptor",
                        b->next);
  const TileArgument *a = take(b, false, slot->type);
  if (!a)
    return false;
  if (tileElementTypeIsFloat(slot->type))
    tileFloatStore(slot->type, slot->data, 0, a->scalar.f);
  else
    tileIntStore(slot->type, slot->data, 0, a->scalar.i);
  return true;
}

static bool bindArguments(Binding *b, MlirBlock entry) {
  for (intptr_t k = 0; k < mlirBlockGetNumArguments(entry); ++k)
    if (!bindArgument(b, mlirBlockGetArgument(entry, k)))
      return false;
  return b->next == b->count || interpRefuse(b->kernel, "got %zu arguments, expected %zu", b->count, b->next);
}

// ---- Execution ----

static bool decodeAndRun(Decoder *d, Binding *b, const uint32_t grid[3],
                         const TileInterpretOptions *options) {
  MlirRegion region = funcFuncOpGetBody(funcFuncOpCast(b->kernel));
  MlirBlock entry = mlirRegionGetFirstBlock(region);
  Frame frame = {b->kernel, NULL};
  d->frame = &frame;
  if (!entry.ptr)
    return interpRefuse(b->kernel, "has no body");
  if (!bindArguments(b, entry) || !interpDecodeRegion(d, region, NULL, 0))
    return false;
  Machine m = {.code = d->code,
               .end = d->numCode,
               .grid = {grid[0], grid[1], grid[2]},
               .maxSteps = options->maxSteps,
               .buffers = b->buffers,
               .numBuffers = b->numBuffers,
               .scratch = interpNewStorage(d, b->kernel, (int64_t)d->scratchBytes, 1),
               .print = options->print,
               .printUser = options->printUser};
  return m.scratch && interpRunGrid(d, &m);
}

static void releaseDecoder(Decoder *d) {
  for (Storage *block = d->storage; block;) {
    Storage *previous = block->previous;
    free(block);
    block = previous;
  }
  tileArenaRelease(&d->arena);
}

MlirLogicalResult tileInterpretKernel(MlirModule module, const char *kernel, const uint32_t grid[3],
                                      const TileArgument *arguments, size_t numArguments,
                                      const TileInterpretOptions *options) {
  static const TileInterpretOptions defaults;
  options = options ? options : &defaults;
  MlirOperation function = findKernel(module, kernel);
  if (!function.ptr)
    return tileFailure();
  Decoder d = {.module = module,
               .maxStorageBytes = options->maxTensorBytes ? options->maxTensorBytes : defaultTensorBytes};
  d.values.arena = &d.arena;
  Binding b = {
      &d, function, arguments, numArguments, 0, tileArenaAlloc(&d.arena, numArguments + 1, sizeof(Buffer)),
      0};
  bool ok = decodeAndRun(&d, &b, grid, options);
  releaseDecoder(&d);
  return ok ? tileSuccess() : tileFailure();
}
