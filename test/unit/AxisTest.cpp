// AxisTest.cpp - what the axis algebra finds for the index arithmetic that kernels use, and for faults
// reported of peers.
#include "tile-c/Axis.h"
#include <gtest/gtest.h>

namespace {

constexpr int64_t most = TILE_AXIS_MAX_DIVISIBILITY;

TileAxisType scalarType(int32_t bits = 32) { return tileAxisType(1, nullptr, bits, 1); }
TileAxisType lineType(int64_t n, int32_t bits = 32) { return tileAxisType(1, &n, bits, 1); }
TileAxisType planeType(int64_t m, int64_t n, int32_t bits = 32, int64_t unit = 1) {
  int64_t shape[] = {m, n};
  return tileAxisType(2, shape, bits, unit);
}
TileAxis range(int64_t start, int64_t end) { return tileAxisMakeRange(lineType(end - start), start, end); }
TileAxis constant(int64_t n, int64_t value) { return tileAxisConstant(lineType(n), value); }
// A tensor of n equal unknown numbers, multiples of `divisor`.
TileAxis uniform(int64_t n, int64_t divisor) { return tileAxisUniform(lineType(n), divisor); }
TileAxis nonNegative(TileAxis a) {
  tileAxisRestrict(&a, 0, INT64_MAX);
  return a;
}
TileAxis add(const TileAxis &a, const TileAxis &b) { return tileAxisAdd(&a, &b); }
TileAxis pointers(TileAxisType type, int64_t bytes, int64_t unit) {
  type.bits = 0;
  type.unit = unit;
  return tileAxisUniform(type, bytes);
}
TileAxis atRow(const TileAxis &a, int64_t columns) { // a[:, None] broadcast
  TileAxisType t = planeType(a.type.shape[0], 1);
  TileAxis e = tileAxisExpandDims(t, &a, 1);
  return tileAxisBroadcast(planeType(a.type.shape[0], columns), &e);
}
TileAxis atColumn(const TileAxis &a, int64_t rows) { // a[None, :] broadcast
  TileAxis e = tileAxisExpandDims(planeType(1, a.type.shape[0]), &a, 0);
  return tileAxisBroadcast(planeType(rows, a.type.shape[0]), &e);
}

#define EXPECT_DIM(axis, d, c, v, k)                                                                         \
  EXPECT_EQ((axis).dims[d].contiguity, c);                                                                   \
  EXPECT_EQ((axis).dims[d].divisibility, v);                                                                 \
  EXPECT_EQ((axis).dims[d].constancy, k)

TEST(Axis, VectorAdd) {
  // pid * 1024 + arange(1024), x + offsets, offsets < n
  TileAxis offsets = add(uniform(1024, 1024), range(0, 1024));
  EXPECT_DIM(offsets, 0, 1024, 1024, 1);
  TileAxis p = pointers(lineType(1024), 16, 4), x = tileAxisAddPtr(&p, &offsets);
  EXPECT_DIM(x, 0, 4, 16, 1);
  EXPECT_EQ(x.dims[0].run, 1024);
  TileAxis n = uniform(1024, 16), odd = uniform(1024, 1);
  EXPECT_EQ(tileAxisCmp(TileAxisCmp_SLT, &offsets, &n).dims[0].constancy, 16);
  EXPECT_EQ(tileAxisCmp(TileAxisCmp_SLT, &offsets, &odd).dims[0].constancy, 1);
  EXPECT_EQ(tileAxisCmp(TileAxisCmp_SGT, &n, &offsets).dims[0].constancy, 16);
  EXPECT_EQ(tileAxisCmp(TileAxisCmp_SLE, &offsets, &n).dims[0].constancy, 1);
}

TEST(Axis, ConstantBounds) {
  TileAxis offsets = add(uniform(1024, 1024), range(0, 1024));
  TileAxis b781 = constant(1024, 781), b800 = constant(1024, 800), b799 = constant(1024, 799);
  EXPECT_EQ(tileAxisCmp(TileAxisCmp_SLT, &offsets, &b800).dims[0].constancy, 32);
  EXPECT_EQ(tileAxisCmp(TileAxisCmp_SLE, &offsets, &b799).dims[0].constancy, 32);
  EXPECT_EQ(tileAxisCmp(TileAxisCmp_SLT, &offsets, &b781).dims[0].constancy, 1);
  TileAxis inside = range(0, 512), all = constant(512, 512),
           always = tileAxisCmp(TileAxisCmp_SLT, &inside, &all);
  int64_t value;
  EXPECT_TRUE(tileAxisIsConstant(&always, &value) && value == 1);
  EXPECT_EQ(always.dims[0].constancy, 512);
}

TEST(Axis, UnalignedPointerOrStart) {
  TileAxis p = pointers(lineType(128), 1, 4), r = range(0, 128), q = tileAxisAddPtr(&p, &r);
  EXPECT_DIM(q, 0, 1, 1, 1);
  EXPECT_EQ(q.dims[0].run, 128); // still the order to choose
  TileAxis aligned = pointers(lineType(128), 16, 4), shifted = add(r, constant(128, 1));
  TileAxis s = tileAxisAddPtr(&aligned, &shifted);
  EXPECT_DIM(s, 0, 1, 4, 1);
  EXPECT_EQ(s.dims[0].run, 128);
}

TEST(Axis, RowMajorTile) {
  // p + row * stride + column, stride a multiple of 8, f16
  TileAxis stride = uniform(64, 8), rows = range(0, 64), rowStart = tileAxisMul(&rows, &stride);
  TileAxis offset = add(atRow(rowStart, 32), atColumn(range(0, 32), 64));
  TileAxis p = pointers(planeType(64, 32), 16, 2), q = tileAxisAddPtr(&p, &offset);
  EXPECT_DIM(q, 1, 8, 16, 1);
  EXPECT_EQ(q.dims[0].contiguity, 1);
  EXPECT_EQ(q.dims[1].run, 32);
}

TEST(Axis, FlattenedIndexes) {
  // x = pid * 1024 + arange: x % 128 runs, x / 128 stays, once x is known not to be negative.
  TileAxis x = add(nonNegative(uniform(1024, 1024)), range(0, 1024));
  x.min = 0;
  TileAxis d = constant(1024, 128), low = tileAxisRem(&x, &d, true), high = tileAxisDiv(&x, &d, true);
  EXPECT_DIM(low, 0, 128, 128, 1);
  EXPECT_EQ(high.dims[0].constancy, 128);
  EXPECT_EQ(low.min, 0);
  EXPECT_EQ(low.max, 127);
  TileAxis odd = constant(1024, 48); // 16 * 3
  EXPECT_EQ(tileAxisDiv(&x, &odd, true).dims[0].constancy, 16);
  EXPECT_EQ(tileAxisRem(&x, &odd, true).dims[0].contiguity, 16);
  TileAxis mask = constant(1024, 127), four = constant(1024, 7);
  EXPECT_DIM(tileAxisAnd(&x, &mask), 0, 128, 128, 1);
  EXPECT_EQ(tileAxisShr(&x, &four, true).dims[0].constancy, 128);
}

TEST(Axis, UnknownSign) {
  TileAxis x = add(uniform(1024, 1024), range(0, 1024)), d = constant(1024, 128), seven = constant(1024, 7);
  EXPECT_EQ(tileAxisRem(&x, &d, true).dims[0].contiguity, 1);
  EXPECT_EQ(tileAxisRem(&x, &d, true).dims[0].run, 128);
  EXPECT_EQ(tileAxisDiv(&x, &d, true).dims[0].constancy, 1);
  // Unsigned and rounding-down operations do not mind.
  EXPECT_EQ(tileAxisRem(&x, &d, false).dims[0].contiguity, 128);
  EXPECT_EQ(tileAxisDiv(&x, &d, false).dims[0].constancy, 128);
  EXPECT_EQ(tileAxisFloorDiv(&x, &d).dims[0].constancy, 128);
  EXPECT_EQ(tileAxisShr(&x, &seven, true).dims[0].constancy, 128);
}

// Division of negative numbers: [-64 .. -57] by 32 is -2, then -1 seven times.
TEST(AxisReported, NegativeDivision) {
  TileAxis x = add(range(0, 8), constant(8, -64)), d = constant(8, 32);
  EXPECT_EQ(x.dims[0].contiguity, 8);
  EXPECT_EQ(tileAxisDiv(&x, &d, true).dims[0].constancy, 1);
}

// 64 rem [32 .. 159]: the remainder's divisibility is not that of the first divisor.
TEST(AxisReported, RemainderByRange) {
  TileAxis a = constant(128, 64), b = range(32, 160), r = tileAxisRem(&a, &b, true);
  EXPECT_DIM(r, 0, 1, 1, 1);
}

// row = i % (2 << (i / 16)): x[row[:, None] + columns[None, :]] is not aligned to two elements.
TEST(AxisReported, RowOfVaryingRemainder) {
  TileAxis i = range(0, 32), sixteen = constant(32, 16), two = constant(32, 2);
  TileAxis shift = tileAxisDiv(&i, &sixteen, true), divisor = tileAxisShl(&two, &shift);
  TileAxis row = tileAxisRem(&i, &divisor, true);
  EXPECT_EQ(row.dims[0].contiguity, 2);
  TileAxis offset = add(atRow(row, 16), atColumn(range(0, 16), 32));
  EXPECT_DIM(offset, 1, 1, 1, 1);
  TileAxis p = pointers(planeType(32, 16), 16, 4), q = tileAxisAddPtr(&p, &offset);
  EXPECT_EQ(q.dims[1].contiguity, 1);
  EXPECT_EQ(q.dims[1].divisibility, 4);
}

// Hints that are no powers of two count with their power of two.
TEST(AxisReported, HintsOfAnyNumber) {
  TileAxis a = tileAxisUnknown(lineType(64));
  tileAxisHint(&a, 0, 48, 48, 0);
  EXPECT_DIM(a, 0, 16, 16, 1);
  EXPECT_EQ(tileAxisUniform(scalarType(), 24).dims[0].divisibility, 8);
  TileAxis b = tileAxisUnknown(lineType(16));
  tileAxisHint(&b, 0, 64, 64, 12);
  EXPECT_EQ(b.dims[0].contiguity, 16);
  EXPECT_EQ(b.dims[0].constancy, 4);
}

TEST(Axis, HintsTogether) {
  // max_contiguous(multiple_of(x % n, 32), 32) of unknown sign
  TileAxis x = add(uniform(64, 64), range(0, 64)), n = uniform(64, 1), r = tileAxisRem(&x, &n, true);
  EXPECT_EQ(r.dims[0].contiguity, 1);
  tileAxisHint(&r, 0, 32, 32, 0);
  EXPECT_DIM(r, 0, 32, 32, 1);
}

TEST(Axis, NarrowTypesWrap) {
  TileAxis r = range(0, 512), b = tileAxisTruncate(&r, 8);
  EXPECT_EQ(b.dims[0].contiguity, 128); // 0..127, -128..-1, 0..
  TileAxis wide = tileAxisExtend(&b, 32, true);
  EXPECT_EQ(wide.dims[0].contiguity, 128);
}

TEST(Axis, ReshapeSplitsAndMerges) {
  TileAxis r = range(0, 1024), split = tileAxisReshape(planeType(32, 32), &r, false);
  EXPECT_DIM(split, 1, 32, 32, 1);
  EXPECT_EQ(split.dims[0].contiguity, 1);
  TileAxis merged = tileAxisReshape(lineType(1024), &split, false);
  EXPECT_EQ(merged.dims[0].contiguity, 32);
  TileAxis rows = atRow(range(0, 32), 32), flat = tileAxisReshape(lineType(1024), &rows, false);
  EXPECT_EQ(flat.dims[0].constancy, 32);
  EXPECT_EQ(tileAxisReshape(planeType(32, 32), &r, true).dims[1].contiguity, 1);
}

TEST(Axis, SelectAndJoin) {
  TileAxis a = range(0, 64), b = add(range(0, 64), uniform(64, 16)), c = tileAxisUnknown(lineType(64, 1));
  EXPECT_EQ(tileAxisSelect(&c, &a, &b).dims[0].contiguity, 1);
  TileAxis scalar = tileAxisUnknown(scalarType(1));
  EXPECT_DIM(tileAxisSelect(&scalar, &a, &b), 0, 16, 16, 1);
  EXPECT_DIM(tileAxisJoin(&a, &b), 0, 16, 16, 1);
  TileAxis yes = tileAxisConstant(lineType(64, 1), 1);
  EXPECT_DIM(tileAxisSelect(&yes, &a, &b), 0, 64, most, 1);
}

// ---- access widths ----

TileLayout blocked(int64_t n, int32_t perThread) {
  TileLayout layout;
  int32_t order = 0;
  EXPECT_TRUE(tileLayoutDefaultBlocked(&n, 1, &perThread, &order, 32, 4, &layout));
  return layout;
}

TEST(AccessVector, IsTheLeastOfAll) {
  TileAxis r = range(0, 1024), p = pointers(lineType(1024), 16, 4), q = tileAxisAddPtr(&p, &r);
  TileLayout four = blocked(1024, 4), eight = blocked(1024, 8), one = blocked(1024, 1);
  EXPECT_EQ(tileAccessVectorWidth(&q, nullptr, &four, 32, 128), 4);
  EXPECT_EQ(tileAccessVectorWidth(&q, nullptr, &four, 32, 64), 2);
  EXPECT_EQ(tileAccessVectorWidth(&q, nullptr, &eight, 32, 128), 4);
  EXPECT_EQ(tileAccessVectorWidth(&q, nullptr, &one, 32, 128), 1);
  TileAxis n = uniform(1024, 2), mask = tileAxisCmp(TileAxisCmp_SLT, &r, &n);
  EXPECT_EQ(tileAccessVectorWidth(&q, &mask, &four, 32, 128), 2);
  EXPECT_EQ(tileAccessVectorWidth(nullptr, nullptr, &four, 32, 128), 1);
}

TEST(AccessVector, AlongTheContiguousDimension) {
  // Columns run in memory: p + row + column * stride.
  TileAxis stride = uniform(32, 16), columns = range(0, 32), start = tileAxisMul(&columns, &stride);
  TileAxis offset = add(atRow(range(0, 64), 32), atColumn(start, 64));
  TileAxis p = pointers(planeType(64, 32), 16, 2), q = tileAxisAddPtr(&p, &offset);
  int64_t shape[] = {64, 32};
  int32_t perThread[] = {8, 1}, order[] = {0, 1};
  TileLayout layout;
  ASSERT_TRUE(tileLayoutDefaultBlocked(shape, 2, perThread, order, 32, 4, &layout));
  TileAccessVector v = tileAccessVector(&q, nullptr, &layout, 16, 128, true);
  EXPECT_EQ(v.dim, 0);
  EXPECT_EQ(v.width, 8);
}

TEST(AccessSectors, NeighboursShareThem) {
  TileAxis r = range(0, 1024), p = pointers(lineType(1024), 16, 4), q = tileAxisAddPtr(&p, &r);
  TileLayout four = blocked(1024, 4), one = blocked(1024, 1);
  EXPECT_EQ(tileAxisRunDim(&q), 0);
  EXPECT_EQ(tileAccessSectors(&q, &one, 4, 32), 4);
  EXPECT_EQ(tileAccessSectors(&q, &four, 4, 32), 16);
  EXPECT_EQ(tileAccessSectors(&q, &four, 4, 64), 8);
  EXPECT_EQ(tileAccessSectors(&q, &four, 4, 4), 32); // elements
}

TEST(AccessSectors, UnknownAddressesLieApartAndEqualOnesCountOnce) {
  TileAxis p = pointers(lineType(1024), 16, 4);
  TileLayout one = blocked(1024, 1);
  EXPECT_EQ(tileAxisRunDim(&p), -1);
  EXPECT_EQ(tileAxisRunDim(nullptr), -1);
  EXPECT_EQ(tileAccessSectors(&p, &one, 4, 32), 1); // a splat
  EXPECT_EQ(tileAccessSectors(nullptr, &one, 4, 32), 32);
}

TEST(AccessSectors, ShortRunsLieApart) {
  TileAxis r = range(0, 1024), four = uniform(1024, 4), runs = tileAxisRem(&r, &four, false);
  TileAxis p = pointers(lineType(1024), 16, 2), q = tileAxisAddPtr(&p, &runs);
  TileLayout one = blocked(1024, 1);
  ASSERT_EQ(q.dims[0].run, 4); // 8 bytes
  EXPECT_EQ(tileAccessSectors(&q, &one, 2, 32), 8);
}

} // namespace
