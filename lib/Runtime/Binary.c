/* Binary.c - what a binary is, which chip it is for, and whether a device runs it. */
#include "Driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ElfMachineCuda = 190, ElfMachineAmdGpu = 224, ElfHeaderBytes = 64 };

static bool isElf(const unsigned char *bytes, size_t size) {
  return size >= ElfHeaderBytes && !memcmp(bytes, "\177ELF\2\1", 6); // 64 bits, little-endian
}

static unsigned elfMachine(const unsigned char *bytes) { return bytes[18] | bytes[19] << 8; }

static uint32_t elfFlags(const unsigned char *bytes) {
  return bytes[48] | bytes[49] << 8 | bytes[50] << 16 | (uint32_t)bytes[51] << 24;
}

/// Skips blanks and both kinds of comment.
static size_t skipComments(const char *text, size_t size) {
  size_t i = 0;
  while (i < size) {
    if (strchr(" \t\r\n", text[i]) && text[i]) {
      ++i;
    } else if (i + 1 < size && text[i] == '/' && text[i + 1] == '/') {
      while (i < size && text[i] != '\n')
        ++i;
    } else if (i + 1 < size && text[i] == '/' && text[i + 1] == '*') {
      for (i += 2; i < size && !(text[i - 1] == '*' && text[i] == '/'); ++i)
        ;
      i += i < size;
    } else {
      break;
    }
  }
  return i;
}

TileBinaryKind tileBinaryKindOf(const void *data, size_t size) {
  const char *text = data;
  if (isElf(data, size)) {
    const unsigned machine = elfMachine(data);
    return machine == ElfMachineCuda     ? TileBinary_Cubin
           : machine == ElfMachineAmdGpu ? TileBinary_HSACO
                                         : TileBinary_Unknown;
  }
  const size_t start = skipComments(text, size);
  static const char directive[] = ".version";
  return size - start > sizeof directive && !memcmp(text + start, directive, sizeof directive - 1)
             ? TileBinary_PTX
             : TileBinary_Unknown;
}

const char *tileBinaryKindName(TileBinaryKind kind) {
  static const char *const names[] = {"unknown", "cubin", "PTX", "hsaco"};
  return names[kind];
}

/// EF_AMDGPU_MACH of LLVM's AMDGPU user guide.
static const char *amdChip(uint32_t machine) {
  static const struct {
    uint32_t machine;
    const char *name;
  } rows[] = {{0x2f, "gfx906"},  {0x30, "gfx908"},  {0x36, "gfx1030"}, {0x3f, "gfx90a"},  {0x41, "gfx1100"},
              {0x43, "gfx1150"}, {0x44, "gfx1103"}, {0x46, "gfx1101"}, {0x47, "gfx1102"}, {0x48, "gfx1200"},
              {0x4a, "gfx1151"}, {0x4c, "gfx942"},  {0x4e, "gfx1201"}, {0x4f, "gfx950"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].machine == machine)
      return rows[i].name;
  return NULL;
}

bool tileBinaryTargetOf(const void *data, size_t size, char *out_target, size_t targetSize) {
  const unsigned char *bytes = data;
  const TileBinaryKind kind = tileBinaryKindOf(data, size);
  if (kind == TileBinary_HSACO) {
    const char *chip = amdChip(elfFlags(bytes) & 0xff);
    snprintf(out_target, targetSize, "%s", chip ? chip : "");
    return chip != NULL;
  }
  if (kind != TileBinary_Cubin)
    return false;
  // ptxas keeps the chip in the lowest byte of the flags up to ELF ABI version 7, and one byte above since
  // version 8.
  const unsigned abiVersion = bytes[8];
  const unsigned chip = elfFlags(bytes) >> (abiVersion >= 8 ? 8 : 0) & 0xff;
  snprintf(out_target, targetSize, "sm_%u", chip);
  return chip >= 50 && chip < 200;
}

/// "sm_90a" as 9, 0, 'a'; false for other texts.
static bool parseCapability(const char *target, unsigned *out_major, unsigned *out_minor, char *out_suffix) {
  char *end;
  if (strncmp(target, "sm_", 3) || target[3] < '0' || target[3] > '9')
    return false;
  const unsigned long number = strtoul(target + 3, &end, 10);
  *out_major = (unsigned)number / 10;
  *out_minor = (unsigned)number % 10;
  *out_suffix = *end;
  return number < 1000 && (!*end || !end[1]);
}

/// "gfx90a:sramecc+:xnack-" and "gfx90a" name one chip.
static bool isSameChip(const char *a, const char *b) {
  const size_t length = strcspn(a, ":");
  return length == strcspn(b, ":") && !memcmp(a, b, length);
}

TileErrorCode tileDeviceCheckTarget(const TileDeviceInfo *info, const char *target, TileBinaryKind kind,
                                    TileError *out_error) {
  unsigned major, minor;
  char suffix;
  bool fits;
  if (info->kind == TileDevice_HIP) {
    fits = !info->target[0] || isSameChip(info->target, target); // a silent driver: it decides itself
  } else if (!parseCapability(target, &major, &minor, &suffix)) {
    fits = false;
  } else if (suffix == 'a') {
    fits = major == info->major && minor == info->minor;
  } else if (kind == TileBinary_PTX && !suffix) {
    fits = info->major > major || (info->major == major && info->minor >= minor);
  } else {
    fits = info->major == major && info->minor >= minor;
  }
  if (fits)
    return TileError_None;
  return tileErrorSet(out_error, TileError_WrongTarget, "the %s is for %s, the device (%s) is %s",
                      kind == TileBinary_Unknown ? "binary" : tileBinaryKindName(kind), target, info->name,
                      info->target[0] ? info->target : "another");
}

TileErrorCode tileModuleCheck(const TileDeviceInfo *info, const void *data, size_t size, const char *target,
                              TileError *out_error) {
  const TileBinaryKind kind = tileBinaryKindOf(data, size);
  const bool isAmd = kind == TileBinary_HSACO, wantsAmd = info->kind == TileDevice_HIP;
  if (kind == TileBinary_Unknown)
    return tileErrorSet(out_error, TileError_Format, "the binary is no cubin, PTX or hsaco");
  if (isAmd != wantsAmd)
    return tileErrorSet(out_error, TileError_WrongTarget,
                        "got %s, which is for %s, expected %s for the device (%s)", tileBinaryKindName(kind),
                        isAmd ? "AMD" : "NVIDIA", wantsAmd ? "hsaco" : "cubin or PTX", info->name);
  char own[32];
  const bool hasOwn = tileBinaryTargetOf(data, size, own, sizeof own);
  if (target && hasOwn && strncmp(target, own, strlen(own)))
    return tileErrorSet(out_error, TileError_WrongTarget, "the manifest says %s, the %s is for %s", target,
                        tileBinaryKindName(kind), own);
  if (target || hasOwn)
    return tileDeviceCheckTarget(info, target ? target : own, kind, out_error);
  return TileError_None;
}
