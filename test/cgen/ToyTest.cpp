// ToyTest.cpp - creates and reads ops, types and attributes of the toy dialect through tile-cgen's C
// functions.
#include "Toy.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Transforms.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

std::string text(MlirStringRef s) { return std::string(s.data, s.length); }
void append(MlirStringRef s, void *out) { static_cast<std::string *>(out)->append(s.data, s.length); }

class Toy : public testing::Test {
protected:
  void SetUp() override {
    context = mlirContextCreate();
    mlirDialectHandleRegisterDialect(mlirGetDialectHandle__toy__(), context);
    mlirContextGetOrLoadDialect(context, tileStr("toy"));
    mlirContextAttachDiagnosticHandler(
        context,
        [](MlirDiagnostic d, void *out) {
          mlirDiagnosticPrint(d, append, out);
          return mlirLogicalResultSuccess();
        },
        &messages, nullptr);
    loc = mlirLocationUnknownGet(context);
    module = mlirModuleCreateEmpty(loc);
    body = mlirModuleGetBody(module);
    rewriter = mlirIRRewriterCreate(context);
    mlirRewriterBaseSetInsertionPointToEnd(rewriter, body);
    i32 = mlirIntegerTypeGet(context, 32);
    for (int i = 0; i < 6; ++i)
      values.push_back(mlirBlockAddArgument(body, i32, loc));
  }
  void TearDown() override {
    mlirIRRewriterDestroy(rewriter);
    mlirModuleDestroy(module);
    mlirContextDestroy(context);
  }
  std::string print(MlirOperation op) {
    std::string out;
    mlirOperationPrint(op, append, &out);
    return out;
  }
  MlirAttribute parse(const char *attribute) { return mlirAttributeParseGet(context, tileStr(attribute)); }
  bool same(MlirValue a, MlirValue b) { return mlirValueEqual(a, b); }

  MlirContext context;
  MlirLocation loc;
  MlirModule module;
  MlirBlock body;
  TileBuilder rewriter;
  MlirType i32;
  std::vector<MlirValue> values;
  std::string messages;
};

TEST_F(Toy, KindsAndCasts) {
  ToyOptionalOp o = toyOptionalOpCreate(rewriter, loc, MlirType{nullptr}, values[0], MlirValue{nullptr});
  EXPECT_EQ(tileOpKind(o.op), TileOp_Toy_Optional);
  EXPECT_STREQ(tileOpKindName(TileOp_Toy_SameSize), "toy.same_size");
  EXPECT_EQ(tileOpKindFromName(tileStr("toy.same_size")), TileOp_Toy_SameSize);
  EXPECT_EQ(tileOpKindFromName(tileStr("toy.same")), TileOp_None);
  EXPECT_EQ(tileOpKindFromName(tileStr("toy.same_sizes")), TileOp_None);
  EXPECT_EQ(tileOpKind(mlirModuleGetOperation(module)), TileOp_None);
  EXPECT_EQ(tileOpKind(MlirOperation{nullptr}), TileOp_None);
  EXPECT_FALSE(toyOptionalOpIsNull(toyOptionalOpCast(o.op)));
  EXPECT_TRUE(toyFixedOpIsNull(toyFixedOpCast(o.op)));
  EXPECT_TRUE(toyFixedOpIsNull(toyFixedOpCast(MlirOperation{nullptr})));
}

TEST_F(Toy, FixedOperandsAndAttributes) {
  MlirAttribute none = {nullptr};
  ToyFixedOp o = toyFixedOpCreate(rewriter, loc, i32, i32, values[0], values[1], tileI64Attr(context, -5),
                                  mlirStringAttrGet(context, tileStr("name")), none);
  EXPECT_TRUE(same(toyFixedOpGetRestrict(o), values[0]));
  EXPECT_TRUE(same(toyFixedOpGetLoc(o), values[1]));
  EXPECT_TRUE(same(toyFixedOpGetSecondOne(o), mlirOperationGetResult(o.op, 1)));
  EXPECT_EQ(toyFixedOpGetCount(o), -5);
  EXPECT_EQ(text(toyFixedOpGetLabel(o)), "name");
  EXPECT_FALSE(toyFixedOpGetIsFlat(o));
  toyFixedOpSetIsFlatAttr(o, mlirUnitAttrGet(context));
  EXPECT_TRUE(toyFixedOpGetIsFlat(o));
  toyFixedOpSetLabelAttr(o, none);
  EXPECT_EQ(text(toyFixedOpGetLabel(o)), "");
  EXPECT_TRUE(mlirOperationVerify(o.op)) << messages;
}

TEST_F(Toy, OneVariadicGroup) {
  for (intptr_t n = 0; n <= 3; ++n) {
    std::vector<MlirType> types(static_cast<size_t>(n), i32);
    ToyVariadicOp o =
        toyVariadicOpCreate(rewriter, loc, n, types.data(), values[0], n, values.data() + 1, values[5]);
    ASSERT_EQ(toyVariadicOpGetNumMiddle(o), n);
    ASSERT_EQ(toyVariadicOpGetNumAll(o), n);
    EXPECT_TRUE(same(toyVariadicOpGetHead(o), values[0]));
    EXPECT_TRUE(same(toyVariadicOpGetTail(o), values[5]));
    for (intptr_t i = 0; i < n; ++i)
      EXPECT_TRUE(same(toyVariadicOpGetMiddle(o, i), values[static_cast<size_t>(1 + i)]));
    EXPECT_TRUE(mlirOperationVerify(o.op)) << messages;
  }
}

TEST_F(Toy, OptionalOperandAndResult) {
  for (bool has : {false, true}) {
    ToyOptionalOp o = toyOptionalOpCreate(rewriter, loc, has ? i32 : MlirType{nullptr}, values[0],
                                          has ? values[1] : MlirValue{nullptr});
    EXPECT_EQ(toyOptionalOpGetMask(o).ptr != nullptr, has);
    EXPECT_EQ(toyOptionalOpGetToken(o).ptr != nullptr, has);
    EXPECT_TRUE(same(toyOptionalOpGetHead(o), values[0]));
    EXPECT_TRUE(mlirOperationVerify(o.op)) << messages;
  }
}

TEST_F(Toy, GroupsOfOneSize) {
  ToySameSizeOp o = toySameSizeOpCreate(rewriter, loc, 2, values.data(), values[2], 2, values.data() + 3);
  EXPECT_EQ(toySameSizeOpGetNumKeys(o), 2);
  EXPECT_EQ(toySameSizeOpGetNumValues(o), 2);
  EXPECT_TRUE(same(toySameSizeOpGetKeys(o, 1), values[1]));
  EXPECT_TRUE(same(toySameSizeOpGetBetween(o), values[2]));
  EXPECT_TRUE(same(toySameSizeOpGetValues(o, 0), values[3]));
  EXPECT_TRUE(mlirOperationVerify(o.op)) << messages;
}

TEST_F(Toy, Segments) {
  MlirValue null = {nullptr};
  for (int bits = 0; bits < 8; ++bits) {
    bool mask = bits & 1, other = bits & 2, token = bits & 4;
    intptr_t n = bits % 3;
    std::vector<MlirType> types(static_cast<size_t>(n), i32);
    ToySegmentedOp o =
        toySegmentedOpCreate(rewriter, loc, n, types.data(), token ? i32 : MlirType{nullptr}, values[0],
                             mask ? values[1] : null, n, values.data() + 2, other ? values[5] : null);
    EXPECT_TRUE(same(toySegmentedOpGetBase(o), values[0]));
    EXPECT_EQ(toySegmentedOpGetMask(o).ptr != nullptr, mask);
    ASSERT_EQ(toySegmentedOpGetNumOffsets(o), n);
    if (n)
      EXPECT_TRUE(same(toySegmentedOpGetOffsets(o, n - 1), values[static_cast<size_t>(1 + n)]));
    if (other)
      EXPECT_TRUE(same(toySegmentedOpGetOther(o), values[5]));
    else
      EXPECT_EQ(toySegmentedOpGetOther(o).ptr, nullptr);
    EXPECT_EQ(toySegmentedOpGetNumValues(o), n);
    EXPECT_EQ(toySegmentedOpGetToken(o).ptr != nullptr, token);
    EXPECT_TRUE(mlirOperationVerify(o.op)) << messages;
  }
}

TEST_F(Toy, Attributes) {
  int32_t order[] = {2, 0, 1};
  MlirAttribute color = mlirIntegerAttrGet(i32, ToyColor_DarkBlue);
  MlirAttribute range = toyRangeAttrGet(context, -1, 9, i32, tileStr("r"));
  ToyAttributesOpAttrs optional = {};
  ToyAttributesOp o =
      toyAttributesOpCreate(rewriter, loc, color, mlirBoolAttrGet(context, true), tileI32Attr(context, 3),
                            mlirDenseI32ArrayGet(context, 3, order), mlirTypeAttrGet(i32), parse("1.5 : f32"),
                            range, mlirFlatSymbolRefAttrGet(context, tileStr("f")),
                            mlirIntegerAttrGet(i32, ToyFlags_A | ToyFlags_B), &optional);
  EXPECT_EQ(toyAttributesOpGetColor(o), ToyColor_DarkBlue);
  EXPECT_EQ(toyAttributesOpGetRim(o), ToyColor_DarkBlue); // its default
  EXPECT_EQ(toyAttributesOpGetSeven(o), 7);               // its default
  EXPECT_EQ(toyAttributesOpGetShadeAttr(o).ptr, nullptr);
  EXPECT_TRUE(toyAttributesOpGetYes(o));
  EXPECT_EQ(toyAttributesOpGetNumber(o), 3);
  ASSERT_EQ(toyAttributesOpGetNumOrder(o), 3);
  EXPECT_EQ(toyAttributesOpGetOrder(o, 0), 2);
  EXPECT_EQ(toyAttributesOpGetNumSizes(o), 0);
  EXPECT_TRUE(mlirTypeEqual(toyAttributesOpGetKind(o), i32));
  EXPECT_EQ(text(toyAttributesOpGetCallee(o)), "f");
  EXPECT_EQ(toyRangeAttrGetHigh(toyAttributesOpGetRangeAttr(o)), 9);
  toyAttributesOpSetShadeAttr(o, toyShadeKindAttrGet(context, ToyShadeKind_Gloss));
  EXPECT_EQ(toyAttributesOpGetShade(o), ToyShadeKind_Gloss);
  EXPECT_TRUE(mlirOperationVerify(o.op)) << messages;
  EXPECT_NE(print(o.op).find("#toy.shade<gloss>"), std::string::npos) << print(o.op);
}

TEST_F(Toy, EnumsTypesAttributes) {
  ToyColor color = ToyColor_Red;
  EXPECT_TRUE(toyColorParse(tileStr("dark_blue"), &color));
  EXPECT_EQ(color, ToyColor_DarkBlue);
  EXPECT_FALSE(toyColorParse(tileStr("dark"), &color));
  EXPECT_STREQ(toyColorStringify(ToyColor_Red), "red");

  int64_t shape[] = {4, 8};
  MlirType box = toyBoxTypeGet(context, i32, 2, shape, 3, true);
  EXPECT_TRUE(toyBoxTypeIsA(box));
  EXPECT_FALSE(toyBoxTypeIsA(i32));
  EXPECT_TRUE(mlirTypeEqual(box, mlirTypeParseGet(context, tileStr("!toy.box<i32, [4, 8], 3, true>"))));
  EXPECT_TRUE(mlirTypeEqual(toyBoxTypeGetElement(box), i32));
  ASSERT_EQ(toyBoxTypeGetNumShape(box), 2);
  EXPECT_EQ(toyBoxTypeGetShape(box, 1), 8);
  EXPECT_EQ(toyBoxTypeGetSpace(box), 3);
  EXPECT_TRUE(toyBoxTypeGetIsOpen(box));
  EXPECT_TRUE(toyEmptyTypeIsA(toyEmptyTypeGet(context)));

  MlirAttribute range = parse("#toy.range<-4, 5, i32, \"x\">");
  ASSERT_TRUE(toyRangeAttrIsA(range));
  EXPECT_EQ(toyRangeAttrGetLow(range), -4);
  EXPECT_EQ(text(toyRangeAttrGetLabel(range)), "x");
  EXPECT_FALSE(toyRangeAttrIsA(MlirAttribute{nullptr}));
}

TEST_F(Toy, RegionsAndSuccessors) {
  ToyRegionsOp o = toyRegionsOpCreate(rewriter, loc, 2);
  EXPECT_EQ(mlirOperationGetNumRegions(o.op), 3);
  EXPECT_EQ(toyRegionsOpGetNumCases(o), 2);
  EXPECT_TRUE(mlirRegionEqual(toyRegionsOpGetCases(o, 1), mlirOperationGetRegion(o.op, 2)));
  MlirBlock blocks[3];
  for (MlirBlock &block : blocks) {
    block = mlirBlockCreate(0, nullptr, nullptr);
    mlirRegionAppendOwnedBlock(toyRegionsOpGetBody(o), block);
  }
  mlirRewriterBaseSetInsertionPointToEnd(rewriter, blocks[0]);
  ToyBranchOp branch = toyBranchOpCreate(rewriter, loc, values[0], blocks[1], 2, blocks + 1);
  EXPECT_TRUE(mlirBlockEqual(toyBranchOpGetNext(branch), blocks[1]));
  EXPECT_EQ(toyBranchOpGetNumTargets(branch), 2);
  EXPECT_TRUE(mlirBlockEqual(toyBranchOpGetTargets(branch, 1), blocks[2]));
}

TEST_F(Toy, VerifierInC) {
  MlirValue index = mlirBlockAddArgument(body, mlirIndexTypeGet(context), loc);
  ToyCheckedOp good = toyCheckedOpCreate(rewriter, loc, i32, values[0]);
  EXPECT_TRUE(mlirOperationVerify(good.op));
  ToyCheckedOp bad = toyCheckedOpCreate(rewriter, loc, i32, index);
  EXPECT_FALSE(mlirOperationVerify(bad.op));
  EXPECT_EQ(messages, "'toy.checked' op got an index, expected anything else");
  mlirOperationDestroy(bad.op);
}

// A module text is run through a pipeline; what remains comes back as text.
std::string runPipeline(MlirContext context, const char *input, const char *pipeline, bool *failed) {
  MlirModule module = mlirModuleCreateParse(context, tileStr(input));
  MlirPassManager manager = mlirPassManagerCreate(context);
  std::string out;
  *failed = mlirLogicalResultIsFailure(mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                             tileStr(pipeline), append, &out)) ||
            mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)));
  mlirOperationPrint(mlirModuleGetOperation(module), append, &out);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return out;
}

TEST_F(Toy, FolderInC) {
  mlirRegisterTransformsCanonicalizer();
  bool failed = true;
  mlirContextSetAllowUnregisteredDialects(context, true);
  std::string out = runPipeline(context,
                                "%0 = \"test.x\"() : () -> i32\n%1 = \"toy.checked\"(%0) : (i32) -> i32\n"
                                "\"test.use\"(%1) : (i32) -> ()\n",
                                "builtin.module(canonicalize)", &failed);
  EXPECT_FALSE(failed) << messages;
  EXPECT_EQ(out.find("toy.checked"), std::string::npos) << out;
}

TEST_F(Toy, PassesTakeOptions) {
  toyRegisterPasses();
  bool failed = true;
  std::string out =
      runPipeline(context, "", "builtin.module(toy-paint{coats=5 dry=true color=blue})", &failed);
  EXPECT_FALSE(failed) << messages;
  for (const char *part :
       {"toy.coats = 5 : i64", "toy.brushes = 1 : i64", "toy.dry = true", "toy.color = \"blue\""})
    EXPECT_NE(out.find(part), std::string::npos) << part << " is not in " << out;
  runPipeline(context, "", "builtin.module(convert-toy-to-dust)", &failed);
  EXPECT_TRUE(failed);
  EXPECT_NE(messages.find("does not break"), std::string::npos) << messages;
}

} // namespace
