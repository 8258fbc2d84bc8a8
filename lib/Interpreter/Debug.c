/* Debug.c - print and assert.
 *
 * tile.print writes one line for each element of each operand, or one line if there is none:
 *
 *   pid (0, 0, 0) idx (3, 1) x = 0.25
 *   pid (0, 0, 0) idx () x = 7            (a scalar)
 *   pid (0, 0, 0) idx (3) x = (operand 1) 7   (more than one operand)
 *   pid (0, 0, 0) x =                     (no operand)
 *
 * Floats are printed with the fewest of 9 (f64: 17) significant digits that %.*g gives; hexadecimal is the
 * bits of any type, zero-filled to its width; pointers are always hexadecimal. */
#include "Decode.h"
#include "tile-c/Dialect/CF.h"
#include "tile-c/Dialect/Tile.h"
#include <inttypes.h>
#include <stdio.h>

typedef struct Print {
  MlirStringRef prefix;
  bool hex;
  bool *isUnsigned; ///< for each operand
} Print;

static void valueText(const Slot *slot, int64_t element, bool hex, bool isUnsigned, char *text, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, slot->data + element * (int64_t)slot->size, slot->size); // little endian
  if (hex || slot->kind == Slot_Pointer)
    snprintf(text, size, "0x%0*" PRIx64, (int)(slot->size * 2), bits);
  else if (tileElementTypeIsFloat(slot->type))
    snprintf(text, size, "%.*g", slot->type == TileElementType_F64 ? 17 : 9,
             tileFloatLoad(slot->type, slot->data, element));
  else if (isUnsigned || slot->type == TileElementType_I1)
    snprintf(text, size, "%" PRIu64, bits);
  else
    snprintf(text, size, "%" PRId64, tileIntLoad(slot->type, slot->data, element));
}

static void indexText(const Slot *slot, int64_t element, char *text, size_t size) {
  char inner[256];
  interpElementText(slot, element, inner, sizeof inner);
  size_t length = strlen(inner);
  const char *begin = length ? inner + strlen("element [") : inner;
  snprintf(text, size, "(%.*s)", length ? (int)(strlen(begin) - 1) : 0, begin);
}

static void writeLine(Machine *m, const char *line) {
  if (m->print)
    m->print(line, m->printUser);
  else
    puts(line);
}

static bool runPrint(Machine *m, const Instruction *i) {
  const Print *p = i->data;
  char line[1024], index[256], value[64], which[32] = "";
  int length = (int)p->prefix.length;
  const uint32_t *pid = m->program;
  if (i->numOperands == 0) {
    snprintf(line, sizeof line, "pid (%u, %u, %u) %.*s", pid[0], pid[1], pid[2], length, p->prefix.data);
    writeLine(m, line);
  }
  for (int k = 0; k < i->numOperands; ++k)
    for (int64_t e = 0; e < i->operands[k]->count; ++e) {
      indexText(i->operands[k], e, index, sizeof index);
      valueText(i->operands[k], e, p->hex, p->isUnsigned[k], value, sizeof value);
      if (i->numOperands > 1)
        snprintf(which, sizeof which, "(operand %d) ", k);
      snprintf(line, sizeof line, "pid (%u, %u, %u) idx %s %.*s%s%s", pid[0], pid[1], pid[2], index, length,
               p->prefix.data, which, value);
      writeLine(m, line);
    }
  return true;
}

bool interpDecodePrint(Decoder *d, MlirOperation op) {
  TilePrintOp print = tilePrintOpCast(op);
  Instruction *i = interpEmitOp(d, op, runPrint);
  if (!i)
    return false;
  Print *p = tileArenaAlloc(&d->arena, 1, sizeof *p);
  p->prefix = tilePrintOpGetPrefix(print);
  p->hex = tilePrintOpGetHex(print);
  p->isUnsigned = tileArenaAlloc(&d->arena, (size_t)i->numOperands + 1, sizeof(bool));
  MlirAttribute flags = tilePrintOpGetIsUnsignedAttr(print);
  for (int k = 0; k < i->numOperands; ++k)
    p->isUnsigned[k] = flags.ptr && mlirDenseBoolArrayGetElement(flags, k);
  i->data = p;
  return true;
}

static bool runAssert(Machine *m, const Instruction *i) {
  const Slot *condition = i->operands[0];
  const MlirStringRef *message = i->data;
  char where[256];
  for (int64_t e = 0; e < condition->count; ++e)
    if (!condition->data[e])
      return interpError(m, i, "%s%s%.*s", interpElementText(condition, e, where, sizeof where),
                         condition->rank ? ": " : "", (int)message->length, message->data);
  return true;
}

bool interpDecodeAssert(Decoder *d, MlirOperation op) {
  TileOpKind kind = tileOpKind(op);
  Instruction *i = interpEmitOp(d, op, runAssert);
  if (!i)
    return false;
  MlirStringRef *message = tileArenaAlloc(&d->arena, 1, sizeof *message);
  *message = kind == TileOp_Tile_Assert ? tileAssertOpGetMessage(tileAssertOpCast(op))
             : kind == TileOp_CF_Assert ? cfAssertOpGetMsg(cfAssertOpCast(op))
                                        : tileStr("the assumption is false");
  i->data = message;
  return true;
}
