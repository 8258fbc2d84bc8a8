/* FakeDevice.h - a device for tests: its memory is the host's, and it knows a few kernels by name.
 *
 * Environment: FAKE_DEVICES=N devices (1); FAKE_MEMORY=BYTES there are; FAKE_CHIP="9.0" or "gfx942";
 * FAKE_LOG=1 prints launches to stderr. Kernels: add_kernel(x, y, out, n) adds f32; fault_kernel(x) faults;
 * sum_kernel(out, scratch, programs_x) has hidden arguments, checks that its scratch memory is zeroed, spoils
 * it, and stores programs_x to out; tensor_kernel(n, d) adds n to all of a descriptor's i32 [rows, columns]. */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum FakeKernel { Fake_None, Fake_Add, Fake_Fault, Fake_Sum, Fake_Greedy, Fake_Tensor } FakeKernel;

/// A test's process has one device and one thread: plain variables do.
static size_t fakeUsed;
static bool fakeFaulted;

static inline const char *fakeSetting(const char *name, const char *standard) {
  const char *value = getenv(name);
  return value ? value : standard;
}

/// Memory that remembers its size in front; NULL if the device is full.
static inline void *fakeAllocate(size_t size) {
  const size_t limit = strtoull(fakeSetting("FAKE_MEMORY", "1073741824"), NULL, 10);
  size_t *block = fakeUsed + size <= limit ? malloc(size + 64) : NULL;
  if (!block)
    return NULL;
  block[0] = size;
  fakeUsed += size;
  memset((char *)block + 64, 0xa5, size); // as undefined as memory gets
  return (char *)block + 64;
}

static inline void fakeFree(void *address) {
  size_t *block = (size_t *)((char *)address - 64);
  fakeUsed -= block[0];
  free(block);
}

/// The kernel called `name`, if the image mentions it as a word.
static inline FakeKernel fakeFind(const char *image, const char *name) {
  static const char *const names[] = {"",           "add_kernel",    "fault_kernel",
                                      "sum_kernel", "greedy_kernel", "tensor_kernel"};
  if (!strstr(image, name))
    return Fake_None;
  for (int i = 1; i < 6; ++i)
    if (!strcmp(names[i], name))
      return (FakeKernel)i;
  return Fake_None;
}

static inline void fakeAdd(void **params) {
  const float *x, *y;
  float *out;
  int32_t n;
  memcpy(&x, params[0], sizeof x);
  memcpy(&y, params[1], sizeof y);
  memcpy(&out, params[2], sizeof out);
  memcpy(&n, params[3], sizeof n);
  for (int32_t i = 0; i < n; ++i)
    out[i] = x[i] + y[i];
}

static inline void fakeSum(void **params) {
  int32_t *out, *scratch;
  memcpy(&out, params[0], sizeof out);
  memcpy(&scratch, params[1], sizeof scratch);
  fakeFaulted |= scratch[0] != 0;
  scratch[0] = 1;
  memcpy(out, params[2], sizeof *out);
}

/// The descriptor's parts: base, two sizes, two strides.
static inline void fakeTensor(void **params) {
  int32_t *base, n, rows, columns;
  int64_t stride;
  memcpy(&n, params[0], sizeof n);
  memcpy(&base, params[1], sizeof base);
  memcpy(&rows, params[2], sizeof rows);
  memcpy(&columns, params[3], sizeof columns);
  memcpy(&stride, params[4], sizeof stride);
  for (int32_t i = 0; i < rows; ++i)
    for (int32_t j = 0; j < columns; ++j)
      base[i * stride + j] += n;
}

static inline void fakeLaunch(FakeKernel kernel, const unsigned grid[3], unsigned block, unsigned shared,
                              const unsigned cluster[3], void **params) {
  if (getenv("FAKE_LOG"))
    fprintf(stderr, "fake: launch grid %ux%ux%u block %u shared %u cluster %ux%ux%u\n", grid[0], grid[1],
            grid[2], block, shared, cluster[0], cluster[1], cluster[2]);
  if (kernel == Fake_Add)
    fakeAdd(params);
  if (kernel == Fake_Sum)
    fakeSum(params);
  if (kernel == Fake_Tensor)
    fakeTensor(params);
  fakeFaulted |= kernel == Fake_Fault;
}

#endif
