/* Arguments.c - the kernel's arguments: buffers get addresses, scalars become constants. */
#include "HopperOps.h"
#include "Module.h"
#include "Simulate.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tile-c/HandOn.h"
#include "tile-c/ProgramLoop.h"
#include "tile-c/SeparateMemory.h"
#include "tile-c/TensorMap.h"

/// Host memory that one or more arguments share.
static SimBuffer *bufferAt(SimRun *run, const char *data, uint64_t bytes, int argument) {
  for (unsigned k = SIM_CONSTANT_BUFFER + 1; k <= run->numBuffers; ++k) {
    SimBuffer *b = &run->buffers[k];
    if (data >= b->data && data < b->data + b->bytes) { // the same array twice, or a part of it
      const uint64_t end = (uint64_t)(data - b->data) + bytes;
      b->bytes = end > b->bytes ? end : b->bytes;
      return b;
    }
  }
  SimBuffer *b = &run->buffers[++run->numBuffers];
  *b = (SimBuffer){.address = (uint64_t)run->numBuffers << SIM_BUFFER_SHIFT,
                   .bytes = bytes,
                   .data = (char *)data,
                   .argument = argument};
  return b;
}

static uint32_t bindBuffer(SimDecoder *d, SimRun *run, const TileArgument *a, int index) {
  const uint64_t bytes = (uint64_t)a->numElements * tileElementTypeSize(a->type);
  if (!bytes || !a->data)
    return simConstantSlot(d, 3, 0, 0); // a null pointer
  const SimBuffer *b = bufferAt(run, a->data, bytes, tileArgumentNumber(a, (size_t)index));
  return simConstantSlot(d, 3, b->address + (uint64_t)((const char *)a->data - b->data), 0);
}

static uint32_t bindScalar(SimDecoder *d, const SimScalar *s, const TileArgument *a) {
  char bytes[8] = {0};
  uint64_t bits = 0;
  if (tileElementTypeIsFloat(a->type))
    tileFloatStore(a->type, bytes, 0, a->scalar.f);
  else
    tileIntStore(a->type, bytes, 0, a->scalar.i);
  memcpy(&bits, bytes, 8);
  return simConstantSlot(d, s->log2Bytes, s->bits < 64 ? bits & ((UINT64_C(1) << s->bits) - 1) : bits, 0);
}

static bool bindArgument(SimDecoder *d, SimRun *run, MlirValue parameter, const TileArgument *a, int index) {
  const SimType *type = simTypeOf(d, d->function, mlirValueGetType(parameter));
  if (!type)
    return false;
  const bool isPointer = type->count == 1 && type->scalars[0].isPointer;
  if (type->count != 1 || isPointer != a->isBuffer ||
      (!isPointer && type->scalars[0].bits != tileElementTypeBits(a->type)))
    return simRefuse(d->function, "argument %d: got a %s of %s, expected %s",
                     tileArgumentNumber(a, (size_t)index), a->isBuffer ? "buffer" : "scalar",
                     tileElementTypeName(a->type),
                     isPointer ? "a buffer" : "a scalar of the parameter's type");
  uint32_t *slots = tileArenaAlloc(d->arena, 1, sizeof *slots);
  slots[0] = isPointer ? bindBuffer(d, run, a, index) : bindScalar(d, &type->scalars[0], a);
  simDefine(d, parameter, type, slots);
  return true;
}

/// A hidden parameter: the programs asked for along an axis.
static bool bindPrograms(SimDecoder *d, MlirValue parameter, unsigned axis) {
  const SimType *type = simTypeOf(d, d->function, mlirValueGetType(parameter));
  if (!type || type->count != 1 || type->scalars[0].bits != 32)
    return simRefuse(d->function, "has a number of programs that is no i32");
  uint32_t *slots = tileArenaAlloc(d->arena, 1, sizeof *slots);
  slots[0] = simConstantSlot(d, type->scalars[0].log2Bytes, d->programs[axis], 0);
  simDefine(d, parameter, type, slots);
  return true;
}

static bool overlap(const TileArgument *a, const TileArgument *b) {
  const char *x = a->data, *y = b->data;
  return a->isBuffer && b->isBuffer && x && y &&
         x < y + (size_t)b->numElements * tileElementTypeSize(b->type) &&
         y < x + (size_t)a->numElements * tileElementTypeSize(a->type);
}

/// Whether two arguments are the very same memory, which the pair allows.
static bool areSame(const TileArgument *arguments, size_t numArguments, const TileValuePair *pair) {
  const TileArgument *a = &arguments[pair->first], *b = &arguments[pair->second];
  if (!pair->maySame || a->data != b->data || (size_t)pair->second + pair->alike >= numArguments)
    return false;
  for (unsigned k = 1; k <= pair->alike; ++k)
    if (a[k].isBuffer || b[k].isBuffer || a[k].scalar.i != b[k].scalar.i)
      return false;
  return true;
}

/// The code relies on some arguments being different memory.
static bool checkSeparate(SimDecoder *d, const TileArgument *arguments, size_t numArguments) {
  for (intptr_t i = 0; i < tileSeparateCount(d->function); ++i) {
    const TileValuePair pair = tileSeparateGet(d->function, i);
    const size_t x = (size_t)pair.first, y = (size_t)pair.second;
    if (x < numArguments && y < numArguments && overlap(&arguments[x], &arguments[y]) &&
        !areSame(arguments, numArguments, &pair))
      return simRefuse(d->function,
                       "arguments %d and %d overlap, expected different memory: loads of one run ahead of "
                       "stores to the other",
                       tileArgumentNumber(&arguments[x], x), tileArgumentNumber(&arguments[y], y));
  }
  return true;
}

/// Memory that programs hand sums on in, behind the arguments: zeroed, as a launcher gives it.
static bool bindScratch(SimDecoder *d, SimRun *run, MlirValue parameter, int64_t bytesPerProgram, int index) {
  const double bytes = (double)bytesPerProgram * run->grid[0];
  if (bytes > 1e10)
    return simRefuse(d->function, "asks for %.1e bytes of scratch memory", bytes);
  TileArgument a = {.isBuffer = true,
                    .type = TileElementType_I32,
                    .numElements = (int64_t)(bytes / 4),
                    .data = tileArenaAlloc(d->arena, (size_t)bytes, 1)};
  run->inOrder = true;
  return bindArgument(d, run, parameter, &a, index);
}

bool simBindArguments(SimDecoder *d, SimRun *run, const TileArgument *arguments, size_t numArguments) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(d->function, 0));
  const intptr_t n = entry.ptr ? mlirBlockGetNumArguments(entry) : 0;
  run->buffers = tileArenaAlloc(d->arena, numArguments + 3, sizeof *run->buffers);
  run->numBuffers = SIM_CONSTANT_BUFFER;
  const bool hasLoop = tileLoopsPrograms(d->function);
  const int64_t scratch = tileGetIntAttr(d->function, tileHandOnScratchName, 0);
  const intptr_t maps = tileTensorMapCount(d->function), programs = hasLoop ? TileProgramLoop_Parameters : 0,
                 given = n - maps - programs - (scratch > 0);
  if (given < 0 || (size_t)given != numArguments)
    return simRefuse(d->function, "got %zu arguments, expected %ld", numArguments, (long)given);
  if (!checkSeparate(d, arguments, numArguments))
    return false;
  for (intptr_t k = 0; k < given; ++k)
    if (!bindArgument(d, run, mlirBlockGetArgument(entry, k), &arguments[k], (int)k))
      return false;
  if (scratch > 0 && !bindScratch(d, run, mlirBlockGetArgument(entry, given), scratch, (int)given))
    return false;
  for (intptr_t k = 0; k < programs; ++k)
    if (!bindPrograms(d, mlirBlockGetArgument(entry, n - maps - programs + k), (unsigned)k))
      return false;
  return !maps || simBindTensorMaps(d, run, n - maps, arguments, numArguments);
}
