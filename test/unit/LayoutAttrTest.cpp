// LayoutAttrTest.cpp - layouts survive the way into an attribute and back; what does not fit a tensor is
// refused.
#include "mlir-c/BuiltinTypes.h"
#include "tile-c/Dialect/TileGPULayout.h"
#include <gtest/gtest.h>

namespace {

class LayoutAttr : public testing::Test {
protected:
  void SetUp() override {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    tileRegisterAllDialects(registry);
    context = mlirContextCreateWithRegistry(registry, false);
    mlirDialectRegistryDestroy(registry);
    mlirContextLoadAllAvailableDialects(context);
  }
  void TearDown() override { mlirContextDestroy(context); }
  MlirContext context;
};

TEST_F(LayoutAttr, RoundTrip) {
  int64_t shape[] = {64, 32};
  int32_t order[] = {1, 0};
  for (int32_t perThread : {1, 2, 8})
    for (int32_t threads : {32, 64})
      for (int32_t warps : {1, 4, 8}) {
        int32_t size[] = {1, perThread};
        TileLayout layout, back;
        ASSERT_TRUE(tileLayoutDefaultBlocked(shape, 2, size, order, threads, warps, &layout));
        MlirAttribute attr = tileLayoutToAttr(context, &layout);
        ASSERT_TRUE(attr.ptr);
        ASSERT_TRUE(tileLayoutFromAttr(attr, shape, 2, &back));
        EXPECT_TRUE(tileLayoutEqual(&layout, &back));
        MlirType type = mlirRankedTensorTypeGet(2, shape, mlirF32TypeGet(context), attr);
        ASSERT_TRUE(tileLayoutOfType(type, &back));
        EXPECT_TRUE(tileLayoutEqual(&layout, &back));
      }
}

TEST_F(LayoutAttr, Refusals) {
  int64_t shape[] = {64, 32}, small[] = {32, 32}, odd[] = {96, 32}, cube[] = {64, 32, 1};
  int32_t size[] = {1, 4}, order[] = {1, 0};
  TileLayout layout, out;
  ASSERT_TRUE(tileLayoutDefaultBlocked(shape, 2, size, order, 32, 4, &layout));
  MlirAttribute attr = tileLayoutToAttr(context, &layout);
  EXPECT_FALSE(tileLayoutFromAttr(attr, small, 2, &out)); // a coordinate outside
  EXPECT_FALSE(tileLayoutFromAttr(attr, odd, 2, &out));
  EXPECT_FALSE(tileLayoutFromAttr(attr, cube, 3, &out));
  EXPECT_FALSE(tileLayoutFromAttr(mlirUnitAttrGet(context), shape, 2, &out));
  EXPECT_FALSE(tileLayoutFromAttr({nullptr}, shape, 2, &out));
  EXPECT_FALSE(tileLayoutOfType(mlirF32TypeGet(context), &out));
  EXPECT_FALSE(tileLayoutOfType(mlirRankedTensorTypeGet(2, shape, mlirF32TypeGet(context), {nullptr}), &out));
  TileLayout scalar = tileLayoutEmpty(0);
  EXPECT_FALSE(tileLayoutToAttr(context, &scalar).ptr);
}

} // namespace
