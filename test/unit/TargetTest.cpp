// TargetTest.cpp - the target tables agree with LLVM and with each other; the readers of logs and metadata;
// source text.
#include "llvm-c/Target.h"
#include "mlir-c/Diagnostics.h"
#include "tile-c/Compile.h"
#include "tile-c/Emission.h"
#include "tile-c/IR.h"
#include "tile-c/Target.h"
#include "llvm-c/Core.h"
#include "llvm-c/TargetMachine.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

// Internal headers are C.
extern "C" {
#include "../../lib/Compile/Source.h"
#include "../../lib/Target/Ptxas.h"
#include "../../lib/Target/Usage.h"
void tileNvptxInitialize(void);
void tileAmdgpuInitialize(void);
}

namespace {

TEST(TargetTable, NamesListTheTables) {
  std::string names;
  for (size_t i = 0; i < tileTargetCount(); ++i)
    names += (i ? " " : "") + std::string(tileTargetAt(i)->chip);
  EXPECT_EQ(names, tileTargetNames());
  EXPECT_EQ(tileTargetAt(tileTargetCount()), nullptr);
}

TEST(TargetTable, LookupIsExact) {
  ASSERT_NE(tileTargetLookup("sm_90a"), nullptr);
  EXPECT_STREQ(tileTargetLookup("sm_90a")->chip, "sm_90a");
  for (const char *unknown : {"", "sm_9", "sm_90A", "sm_90a ", "gfx94", "gfx9420"})
    EXPECT_EQ(tileTargetLookup(unknown), nullptr) << unknown;
  EXPECT_EQ(tileTargetLookup(nullptr), nullptr);
}

TEST(TargetTable, RowsAreComplete) {
  for (size_t i = 0; i < tileTargetCount(); ++i) {
    const TileTargetInfo &t = *tileTargetAt(i);
    SCOPED_TRACE(t.chip);
    bool amd = t.vendor == TileVendor_AMD;
    EXPECT_TRUE(amd || t.vendor == TileVendor_NVIDIA);
    EXPECT_EQ(t.maxThreadsPerBlock, t.warpSize * t.maxWarpsPerBlock);
    EXPECT_GE(t.maxWarpsPerMultiprocessor, t.maxWarpsPerBlock);
    EXPECT_LE(t.sharedPerBlock + t.sharedReserved, t.sharedPerMultiprocessor);
    EXPECT_LE(t.sharedPerBlockDefault, t.sharedPerBlock);
    EXPECT_EQ(t.ptxVersion != 0, !amd);
    EXPECT_EQ(t.codeObjectVersion != 0, amd);
    EXPECT_EQ(t.bufferFlags != 0, amd);
    EXPECT_EQ(tileTargetHas(&t, TileFeature_Fp8Convert), t.fp8Format != TileFp8Format_None);
    EXPECT_EQ(tileTargetHas(&t, TileFeature_LdsDma) || tileTargetHas(&t, TileFeature_CpAsync),
              t.asyncCopyBytes != 0);
    EXPECT_EQ(tileTargetHas(&t, TileFeature_Cluster), t.maxClusterSize > 1);
    EXPECT_GE(t.maxGlobalVectorBits, t.maxVectorBits);
    EXPECT_GT(t.numMatrixInstrs, 0u);
  }
}

// A family's rows are there exactly if the chip has the feature.
TEST(TargetTable, MatrixRowsFitTheFeatures) {
  for (size_t i = 0; i < tileTargetCount(); ++i) {
    const TileTargetInfo &t = *tileTargetAt(i);
    bool seen[5] = {};
    for (size_t j = 0; j < t.numMatrixInstrs; ++j) {
      const TileMatrixInstr &row = t.matrixInstrs[j];
      seen[row.family] = true;
      EXPECT_EQ(tileElementTypeIsFloat(row.a), tileElementTypeIsFloat(row.acc)) << t.chip << " row " << j;
      EXPECT_TRUE(row.m && row.n && row.k) << t.chip << " row " << j;
    }
    EXPECT_EQ(seen[TileMatrixFamily_MmaSync], tileTargetHas(&t, TileFeature_MmaSync)) << t.chip;
    EXPECT_EQ(seen[TileMatrixFamily_WGMMA], tileTargetHas(&t, TileFeature_WGMMA)) << t.chip;
    EXPECT_EQ(seen[TileMatrixFamily_MFMA], tileTargetHas(&t, TileFeature_MFMA)) << t.chip;
    EXPECT_EQ(seen[TileMatrixFamily_WMMA11] || seen[TileMatrixFamily_WMMA12],
              tileTargetHas(&t, TileFeature_WMMA));
  }
}

TEST(TargetTable, FindsMatrixInstructions) {
  const TileTargetInfo *hopper = tileTargetLookup("sm_90a"), *cdna = tileTargetLookup("gfx942");
  auto f16 = TileElementType_F16, f32 = TileElementType_F32;
  const TileMatrixInstr *wgmma = tileTargetFindMatrix(hopper, TileMatrixFamily_WGMMA, f16, f16, f32, false);
  ASSERT_NE(wgmma, nullptr);
  EXPECT_EQ(wgmma->k, 16);
  EXPECT_EQ(tileTargetFindMatrix(hopper, TileMatrixFamily_WGMMA, f32, f32, f32, false), nullptr);
  EXPECT_NE(tileTargetFindMatrix(hopper, TileMatrixFamily_WGMMA, f32, f32, f32, true), nullptr);
  EXPECT_EQ(tileTargetFindMatrix(tileTargetLookup("sm_90"), TileMatrixFamily_WGMMA, f16, f16, f32, false),
            nullptr);
  const TileMatrixInstr *mfma = tileTargetFindMatrix(cdna, TileMatrixFamily_MFMA, f16, f16, f32, false);
  ASSERT_NE(mfma, nullptr);
  EXPECT_EQ(mfma->m, 16);
  auto ocp = TileElementType_F8E4M3FN, fnuz = TileElementType_F8E4M3FNUZ;
  EXPECT_EQ(tileTargetFindMatrix(cdna, TileMatrixFamily_MFMA, ocp, ocp, f32, false), nullptr);
  EXPECT_NE(tileTargetFindMatrix(cdna, TileMatrixFamily_MFMA, fnuz, fnuz, f32, false), nullptr);
}

TEST(TargetTable, DisableClearsFeatures) {
  TileTargetInfo t = *tileTargetLookup("sm_90a");
  const char *bad = nullptr;
  size_t length = 0;
  EXPECT_TRUE(tileTargetDisable(&t, "tma,wgmma,mfma", &bad, &length));
  EXPECT_FALSE(tileTargetHas(&t, TileFeature_TMA));
  EXPECT_FALSE(tileTargetHas(&t, TileFeature_WGMMA));
  EXPECT_TRUE(tileTargetHas(&t, TileFeature_Cluster));
  EXPECT_TRUE(tileTargetDisable(&t, nullptr, &bad, &length));
  EXPECT_TRUE(tileTargetDisable(&t, "", &bad, &length));
  EXPECT_FALSE(tileTargetDisable(&t, "cluster,tm,pdl", &bad, &length));
  EXPECT_EQ(std::string(bad, length), "tm");
  for (int i = 0; i < TileFeature_Count; ++i)
    EXPECT_NE(tileFeatureName(TileFeature(i)), nullptr) << i;
}

// LLVM knows the processor, and its data layout is the table's.
TEST(TargetTable, AgreesWithLLVM) {
  tileNvptxInitialize();
  tileAmdgpuInitialize();
  for (size_t i = 0; i < tileTargetCount(); ++i) {
    const TileTargetInfo &t = *tileTargetAt(i);
    LLVMTargetRef backEnd;
    char *error = nullptr;
    ASSERT_FALSE(LLVMGetTargetFromTriple(t.triple, &backEnd, &error)) << error;
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(backEnd, t.triple, t.cpu, t.llvmFeatures, LLVMCodeGenLevelDefault,
                                LLVMRelocPIC, LLVMCodeModelDefault);
    ASSERT_NE(machine, nullptr) << t.chip;
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
    char *layout = LLVMCopyStringRepOfTargetData(data);
    EXPECT_STREQ(layout, t.dataLayout) << t.chip;
    LLVMDisposeMessage(layout);
    LLVMDisposeTargetData(data);
    LLVMDisposeTargetMachine(machine);
  }
}

// ---- Readers of tool output ----

struct Diagnostics {
  std::vector<std::string> errors, warnings;
};

MlirLogicalResult collect(MlirDiagnostic diagnostic, void *user) {
  auto *all = static_cast<Diagnostics *>(user);
  std::string text;
  mlirDiagnosticPrint(
      diagnostic,
      [](MlirStringRef s, void *out) { static_cast<std::string *>(out)->append(s.data, s.length); }, &text);
  (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError ? all->errors : all->warnings)
      .push_back(text);
  return mlirLogicalResultSuccess();
}

struct PtxasLog : ::testing::Test {
  MlirContext context = mlirContextCreateWithThreading(false);
  Diagnostics diagnostics;
  TileEmission emission = {};
  PtxasLog() { mlirContextAttachDiagnosticHandler(context, collect, &diagnostics, nullptr); }
  ~PtxasLog() override {
    tileEmissionRelease(&emission);
    mlirContextDestroy(context);
  }
  unsigned read(const char *log) { return tilePtxasReadLog(log, mlirLocationUnknownGet(context), &emission); }
};

TEST_F(PtxasLog, Usage) {
  EXPECT_EQ(read("ptxas info    : 0 bytes gmem\n"
                 "ptxas info    : Compiling entry function 'add' for 'sm_80'\n"
                 "ptxas info    : Function properties for add\n"
                 "    24 bytes stack frame, 16 bytes spill stores, 20 bytes spill loads\n"
                 "ptxas info    : Used 255 registers, used 1 barriers, 4096 bytes smem, 360 bytes cmem[0]\n"
                 "ptxas info    : Compiling entry function 'mul' for 'sm_80'\n"
                 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                 "ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]\n"
                 "ptxas info    : Compile time = 1.9 ms"),
            0u);
  EXPECT_TRUE(diagnostics.errors.empty() && diagnostics.warnings.empty());
  ASSERT_EQ(emission.numKernels, 2u);
  EXPECT_STREQ(emission.kernels[0].name, "add");
  EXPECT_EQ(emission.kernels[0].registers, 255);
  EXPECT_EQ(emission.kernels[0].spillBytes, 16);
  EXPECT_EQ(emission.kernels[0].stackBytes, 24);
  EXPECT_EQ(emission.kernels[0].sharedBytes, 4096);
  EXPECT_STREQ(emission.kernels[1].name, "mul");
  EXPECT_EQ(emission.kernels[1].registers, 8);
  EXPECT_EQ(emission.kernels[1].sharedBytes, 0);
}

TEST_F(PtxasLog, ErrorsWithLines) {
  EXPECT_EQ(read("ptxas /proc/1/fd/4, line 4; error   : Unknown modifier '.bogus'\n"
                 "ptxas fatal   : Ptx assembly aborted due to errors\n"),
            2u);
  ASSERT_EQ(diagnostics.errors.size(), 1u);
  EXPECT_EQ(diagnostics.errors[0], "ptxas refused line 4 of the PTX: Unknown modifier '.bogus'");
}

TEST_F(PtxasLog, FatalAlone) {
  EXPECT_EQ(read("ptxas fatal   : Value 'sm_999' is not defined for option 'gpu-name'\n"), 1u);
  ASSERT_EQ(diagnostics.errors.size(), 1u);
  EXPECT_EQ(diagnostics.errors[0], "ptxas: Value 'sm_999' is not defined for option 'gpu-name'");
}

TEST_F(PtxasLog, LostPerformanceIsAWarning) {
  EXPECT_EQ(
      read("ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
           "ptxas warning : Registers are spilled to local memory in function 'k'\n"),
      0u);
  ASSERT_EQ(diagnostics.warnings.size(), 2u);
  EXPECT_NE(diagnostics.warnings[0].find("(C7510)"), std::string::npos);
  EXPECT_TRUE(diagnostics.errors.empty());
}

TEST_F(PtxasLog, SpillsBesideWarpGroupsAreAWarning) {
  EXPECT_EQ(read("ptxas info    : Compiling entry function 'plain' for 'sm_90a'\n"
                 "    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
                 "ptxas info    : Compiling entry function 'plain_groups' for 'sm_90a'\n"
                 "    16 bytes stack frame, 40 bytes spill stores, 32 bytes spill loads\n"
                 "ptxas info    : Compiling entry function 'groups' for 'sm_90a'\n"
                 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"),
            0u);
  tilePtxasNoteSpills(
      ".visible .entry plain(\n)\n{ mma.sync }\n.visible .entry plain_groups(\n)\n{ wgmma.mma_async }\n"
      ".visible .entry groups(\n)\n{ wgmma.mma_async }\n",
      &emission);
  tileWarnOfSpills(mlirLocationUnknownGet(context), &emission);
  ASSERT_EQ(diagnostics.warnings.size(), 1u);
  EXPECT_NE(diagnostics.warnings[0].find("kernel 'plain_groups' spills 40 bytes a thread"),
            std::string::npos);
}

TEST(AmdgpuMetadata, Usage) {
  TileEmission emission = {};
  tileAmdgpuReadUsage(
      "\t.amdgpu_metadata\n---\namdhsa.kernels:\n"
      "  - .agpr_count:     4\n    .args:\n      - .address_space:  global\n        .name: x\n"
      "    .group_segment_fixed_size: 1024\n    .name:           add\n"
      "    .private_segment_fixed_size: 8\n    .sgpr_count:     14\n    .vgpr_count:     40\n"
      "    .vgpr_spill_count: 2\n"
      "  - .args:           []\n    .name:           'k.2'\n    .vgpr_count:     6\n"
      "amdhsa.target:   amdgcn-amd-amdhsa--gfx942\n...\n",
      &emission);
  ASSERT_EQ(emission.numKernels, 2u);
  EXPECT_STREQ(emission.kernels[0].name, "add");
  EXPECT_EQ(emission.kernels[0].accumRegisters, 4);
  EXPECT_EQ(emission.kernels[0].registers, 40);
  EXPECT_EQ(emission.kernels[0].scalarRegisters, 14);
  EXPECT_EQ(emission.kernels[0].spillBytes, 8);
  EXPECT_EQ(emission.kernels[0].stackBytes, 8);
  EXPECT_EQ(emission.kernels[0].sharedBytes, 1024);
  EXPECT_STREQ(emission.kernels[1].name, "k.2");
  EXPECT_EQ(emission.kernels[1].registers, 6);
  EXPECT_EQ(emission.kernels[1].accumRegisters, -1);
  tileEmissionRelease(&emission);
}

// ---- Source text ----

struct SourceTest : ::testing::Test {
  TileCompileOptions options;
  std::vector<std::string> messages;
  TileSource source = {};
  SourceTest() {
    tileCompileOptionsInit(&options);
    options.diagnosticUser = &messages;
    options.diagnostic = [](TileSeverity, const char *text, void *user) {
      static_cast<std::vector<std::string> *>(user)->push_back(text);
    };
  }
  ~SourceTest() override { tileSourceRelease(&source); }
  bool init(const std::string &text) { return tileSourceInit(&source, text.data(), text.size(), &options); }
};

TEST_F(SourceTest, FillsParametersInAndKeepsColumns) {
  TileDefine define = {"N", "1024"};
  options.defines = &define;
  options.numDefines = 1;
  ASSERT_TRUE(
      init("// tile.param M = 8 in 8, 16\n// tile.param N = 2\nab ${M}+${N} // ${X}\n\"${M}\" \"${0:x}\""));
  EXPECT_STREQ(source.text,
               "// tile.param M = 8 in 8, 16\n// tile.param N = 2\nab 8+1024 // ${X}\n\"8\" \"${0:x}\"");
  EXPECT_EQ(tileSourceColumn(&source, 3, 3), 3u);   // before the first
  EXPECT_EQ(tileSourceColumn(&source, 3, 4), 4u);   // the 8
  EXPECT_EQ(tileSourceColumn(&source, 3, 5), 8u);   // the plus
  EXPECT_EQ(tileSourceColumn(&source, 3, 8), 9u);   // within 1024
  EXPECT_EQ(tileSourceColumn(&source, 3, 10), 13u); // behind it
  EXPECT_EQ(tileSourceColumn(&source, 4, 3), 6u);
  ASSERT_EQ(source.numParams, 2u);
  EXPECT_EQ(std::string(source.params[0].choices, source.params[0].choicesLength), "8, 16");
  EXPECT_TRUE(messages.empty());
}

TEST_F(SourceTest, UndefinedName) {
  EXPECT_FALSE(init("x\n  ${BM}"));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].rfind("<input>:2:3: 'BM' has no value", 0), 0u) << messages[0];
}

TEST_F(SourceTest, Refusals) {
  const std::pair<std::string, const char *> cases[] = {
      {"", "empty"},
      {" \n\t ", "empty"},
      {std::string("a\0b", 3), "not a text"},
      {"ab\xff", "byte 0xff at offset 2"},
      {"\x01", "not a text"},
      {"// tile.param = 3", "malformed"},
      {"// tile.param A", "malformed"},
      {"// tile.param A = 3 in ", "malformed"},
      {"// tile.param A = 3\n// tile.param A = 4", "declared again"},
      {"a ${0:x}", "expected a name in the braces"},
      {"#b = #ttg.blocked<{}>", "expected Triton IR"},
      {std::string(257, '('), "nested too deeply"},
      {std::string(257, '<'), "nested too deeply"},
      {std::string(257, '-') + "d0", "nested too deeply"},
  };
  for (const auto &[text, expected] : cases) {
    messages.clear();
    EXPECT_FALSE(init(text)) << expected;
    ASSERT_EQ(messages.size(), 1u) << expected;
    EXPECT_NE(messages[0].find(expected), std::string::npos) << messages[0];
  }
}

TEST_F(SourceTest, NestingIgnoresStringsCommentsAndArrows) {
  std::string text = "// " + std::string(300, '(') + "\n\"" + std::string(300, '{') + "\\\"\"";
  for (int i = 0; i < 300; ++i)
    text += "() -> () ";
  EXPECT_TRUE(init(text + std::string(256, '[')));
}

} // namespace
