/* SimShadow.cpp - the race detector's memories, and the counting of sectors and bank passes. */
#include "../../lib/Simulator/Coalesce.h"
#include "../../lib/Simulator/LaneMaps.h"
#include "../../lib/Simulator/Shadow.h"
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

/// Two warps of a program, whose clocks a test moves by hand.
struct Shared : testing::Test {
  SimSharedShadow shadow = {};
  uint32_t known[2][2] = {{1, 0}, {0, 1}};
  SimConflict conflict = {};

  void SetUp() override {
    ASSERT_TRUE(simSharedShadowInit(&shadow, 1024, 4, 2));
    shadow.wantsRaces = shadow.wantsUninit = true;
  }
  void TearDown() override { simSharedShadowRelease(&shadow); }

  SimActor actor(unsigned warp, unsigned lane, uint32_t op, bool isAtomic = false) {
    return {known[warp][warp], known[warp][warp] - 1, known[warp], op, warp, lane, isAtomic};
  }
  bool read(unsigned warp, unsigned lane, uint64_t offset, unsigned bytes = 4) {
    SimActor who = actor(warp, lane, 7);
    return simSharedRead(&shadow, &who, offset, bytes, &conflict);
  }
  bool write(unsigned warp, unsigned lane, uint64_t offset, bool same = false, uint32_t op = 8) {
    SimActor who = actor(warp, lane, op);
    return simSharedWrite(&shadow, &who, offset, 4, same, &conflict);
  }
  void barrier() {
    known[0][1] = known[1][1];
    known[1][0] = known[0][0];
    ++known[0][0];
    ++known[1][1];
  }
};

TEST_F(Shared, ReadsNeedAWrite) {
  EXPECT_FALSE(read(0, 0, 16));
  EXPECT_EQ(conflict.kind, SimConflict_Uninitialised);
  EXPECT_EQ(conflict.offset, 16u);
  EXPECT_TRUE(write(0, 0, 16));
  EXPECT_TRUE(read(0, 0, 16));
  EXPECT_FALSE(read(0, 0, 16, 8)) << "the second half is not written";
  EXPECT_EQ(conflict.offset, 20u);
}

TEST_F(Shared, OtherWarpsNeedABarrier) {
  EXPECT_TRUE(write(0, 3, 64));
  EXPECT_FALSE(read(1, 5, 64));
  EXPECT_EQ(conflict.kind, SimConflict_ReadAfterWrite);
  EXPECT_EQ(conflict.warp, 0u);
  EXPECT_EQ(conflict.lane, 3u);
  EXPECT_EQ(conflict.op, 8u);
  barrier();
  EXPECT_TRUE(read(1, 5, 64));
  EXPECT_FALSE(write(0, 0, 64)) << "the other warp's read is not ordered before";
  EXPECT_EQ(conflict.kind, SimConflict_WriteAfterRead);
  EXPECT_EQ(conflict.warp, 1u);
  barrier();
  EXPECT_TRUE(write(0, 0, 64));
  EXPECT_FALSE(write(1, 0, 64));
  EXPECT_EQ(conflict.kind, SimConflict_WriteAfterWrite);
  EXPECT_TRUE(write(1, 0, 64, true)) << "the same value";
}

TEST_F(Shared, EveryReaderCounts) {
  EXPECT_TRUE(write(0, 0, 0));
  barrier();
  EXPECT_TRUE(read(0, 0, 0));
  EXPECT_TRUE(read(1, 0, 0));
  EXPECT_FALSE(write(0, 0, 0)) << "warp 1 has read, although warp 0 has too";
}

TEST_F(Shared, LanesOfAWarpNeedAWarpBarrierUnlessInLockstep) {
  EXPECT_TRUE(write(0, 0, 0));
  EXPECT_TRUE(read(0, 0, 0));
  EXPECT_FALSE(read(0, 1, 0));
  shadow.lockstep = true;
  EXPECT_TRUE(read(0, 1, 0));
}

TEST_F(Shared, OneStoreOfAWarpIsNoRaceWithItself) {
  EXPECT_TRUE(write(0, 0, 0));
  EXPECT_TRUE(write(0, 1, 0)) << "whether the values agree is looked at elsewhere";
  EXPECT_FALSE(write(0, 0, 0, false, 9)) << "another instruction";
}

TEST_F(Shared, AtomicsAreOrderedAmongThemselves) {
  SimActor one = actor(0, 0, 1, true), two = actor(1, 0, 1, true);
  EXPECT_TRUE(write(0, 0, 0));
  barrier();
  one = actor(0, 0, 1, true);
  two = actor(1, 0, 1, true);
  EXPECT_TRUE(simSharedRead(&shadow, &one, 0, 4, &conflict) &&
              simSharedWrite(&shadow, &one, 0, 4, false, &conflict));
  EXPECT_TRUE(simSharedRead(&shadow, &two, 0, 4, &conflict) &&
              simSharedWrite(&shadow, &two, 0, 4, false, &conflict));
  EXPECT_FALSE(read(0, 0, 0)) << "a plain read beside them is a race";
}

TEST_F(Shared, TimesOfEarlierProgramsAreForgotten) {
  EXPECT_TRUE(write(0, 0, 0));
  shadow.start = 10;
  known[0][0] = known[1][1] = 11;
  known[0][1] = known[1][0] = 10;
  EXPECT_FALSE(read(1, 0, 0));
  EXPECT_EQ(conflict.kind, SimConflict_Uninitialised);
  EXPECT_TRUE(write(1, 0, 0));
}

TEST_F(Shared, BytesInFlightAreNobodys) {
  EXPECT_TRUE(write(0, 0, 0));
  simSharedSetFlight(&shadow, 0, 4, 1, 42);
  EXPECT_FALSE(read(0, 0, 0));
  EXPECT_EQ(conflict.kind, SimConflict_InFlight);
  EXPECT_EQ(conflict.op, 42u);
  EXPECT_FALSE(write(0, 0, 0));
  simSharedSetFlight(&shadow, 0, 4, 0, 0);
  EXPECT_TRUE(read(0, 0, 0));
}

struct Global : testing::Test {
  SimGlobalShadow shadow = {};
  uint32_t known[2] = {0, 0};
  SimConflict conflict = {};

  void SetUp() override { ASSERT_TRUE(simGlobalShadowInit(&shadow, 256, 4)); }
  void TearDown() override { simGlobalShadowRelease(&shadow); }
  SimGlobalActor actor(uint64_t program, unsigned warp, const uint64_t *before = nullptr) {
    return {program, 1, 0, known, 5, warp, 9, false, before};
  }
  bool read(uint64_t program, unsigned warp, uint64_t offset) {
    SimGlobalActor who = actor(program, warp);
    return simGlobalRead(&shadow, &who, offset, 4, &conflict);
  }
  bool write(uint64_t program, unsigned warp, uint64_t offset, bool same = false) {
    SimGlobalActor who = actor(program, warp);
    return simGlobalWrite(&shadow, &who, offset, 4, same, &conflict);
  }
};

TEST_F(Global, ProgramsAreUnordered) {
  EXPECT_TRUE(write(3, 0, 0));
  EXPECT_TRUE(read(3, 0, 0));
  EXPECT_FALSE(read(4, 1, 0));
  EXPECT_EQ(conflict.kind, SimConflict_ReadAfterWrite);
  EXPECT_EQ(conflict.program, 3u);
  EXPECT_EQ(conflict.lane, 9u);
  EXPECT_FALSE(write(5, 0, 0));
  EXPECT_EQ(conflict.kind, SimConflict_WriteAfterWrite);
}

TEST_F(Global, EqualValuesAreNoRace) {
  EXPECT_TRUE(write(3, 0, 0));
  EXPECT_TRUE(write(4, 0, 0, true));
  EXPECT_TRUE(write(5, 0, 8, true));
  EXPECT_TRUE(read(6, 0, 8)) << "the write changed nothing";
}

TEST_F(Global, ReadersOfSeveralProgramsAreRemembered) {
  EXPECT_TRUE(read(1, 0, 0));
  EXPECT_TRUE(read(2, 0, 0));
  EXPECT_FALSE(write(2, 0, 0)) << "program 1 has read too";
  EXPECT_EQ(conflict.program, 1u);
  EXPECT_FALSE(conflict.several);
  EXPECT_TRUE(read(1, 0, 8));
  EXPECT_TRUE(read(2, 0, 8));
  EXPECT_FALSE(write(1, 0, 8)) << "some other program has read";
  EXPECT_TRUE(conflict.several);
}

TEST_F(Global, AtomicsOrderPrograms) {
  const uint64_t before = 1u << 3;
  EXPECT_TRUE(write(3, 0, 0));
  SimGlobalActor who = actor(4, 0, &before);
  EXPECT_TRUE(simGlobalRead(&shadow, &who, 0, 4, &conflict));
}

TEST_F(Global, WarpsOfAProgramNeedABarrier) {
  EXPECT_TRUE(write(0, 0, 0));
  EXPECT_FALSE(read(0, 1, 0));
  known[0] = 1;
  EXPECT_TRUE(read(0, 1, 0));
}

/// On several threads a conflict is found by one of the two, whoever comes first.
TEST_F(Global, ThreadsSeeEachOther) {
  for (int round = 0; round < 200; ++round) {
    TearDown();
    SetUp();
    shadow.isParallel = true;
    bool ok[2];
    auto run = [&](int k) {
      SimConflict c;
      SimGlobalActor who = {(uint64_t)k, 1, 0, known, 5, 0, 0, false, nullptr};
      ok[k] = simGlobalWrite(&shadow, &who, 0, 4, false, &c);
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    ASSERT_FALSE(ok[0] && ok[1]);
  }
}

std::vector<uint64_t> addresses(uint64_t first, uint64_t step, unsigned n = 32) {
  std::vector<uint64_t> result(64);
  for (unsigned k = 0; k < n; ++k)
    result[k] = first + k * step;
  return result;
}

TEST(Coalesce, Sectors) {
  const uint64_t all = UINT32_MAX;
  EXPECT_EQ(simCountPieces(addresses(0, 4).data(), all, 4, 32), 4u);
  EXPECT_EQ(simCountPieces(addresses(0, 16).data(), all, 16, 32), 16u);
  EXPECT_EQ(simCountPieces(addresses(0, 32).data(), all, 4, 32), 32u);
  EXPECT_EQ(simCountPieces(addresses(4, 4).data(), all, 4, 32), 5u) << "misaligned by a word";
  EXPECT_EQ(simCountPieces(addresses(0, 2).data(), all, 2, 32), 2u);
  EXPECT_EQ(simCountPieces(addresses(64, 0).data(), all, 4, 32), 1u);
  EXPECT_EQ(simCountPieces(addresses(0, 4).data(), 0x80000001, 4, 32), 2u);
  std::vector<uint64_t> reversed(32);
  for (unsigned k = 0; k < 32; ++k)
    reversed[k] = 4 * (31 - k);
  EXPECT_EQ(simCountPieces(reversed.data(), all, 4, 32), 4u);
}

TEST(Coalesce, BankPasses) {
  const uint64_t all = UINT32_MAX;
  auto passes = [&](uint64_t step, unsigned bytes) {
    SimBankPasses p = simCountBankPasses(SimBankRule_Nvidia, addresses(0, step).data(), all, 32, bytes, 32);
    return std::pair{p.passes, p.conflicts};
  };
  EXPECT_EQ(passes(4, 4), (std::pair{1u, 0u}));
  EXPECT_EQ(passes(8, 4), (std::pair{2u, 1u}));
  EXPECT_EQ(passes(128, 4), (std::pair{32u, 31u}));
  EXPECT_EQ(passes(132, 4), (std::pair{1u, 0u})) << "padded rows";
  EXPECT_EQ(passes(0, 4), (std::pair{1u, 0u})) << "one word for all";
  EXPECT_EQ(passes(8, 8), (std::pair{2u, 0u}));
  EXPECT_EQ(passes(0, 8), (std::pair{1u, 0u})) << "pairs of lanes want the same";
  EXPECT_EQ(passes(16, 16), (std::pair{4u, 0u}));
  EXPECT_EQ(passes(0, 16), (std::pair{2u, 0u})) << "each half of the warp by itself";
  EXPECT_EQ(passes(128, 16), (std::pair{32u, 28u}));
}

/// Cases of which an H200's counters have told (test/simulator).
TEST(Coalesce, WideAccessesOfPairs) {
  auto passes = [](unsigned bytes, uint64_t mask, unsigned (*index)(unsigned)) {
    std::vector<uint64_t> offsets(64);
    for (unsigned lane = 0; lane < 32; ++lane)
      offsets[lane] = (uint64_t)index(lane) * bytes;
    SimBankPasses p = simCountBankPasses(SimBankRule_Nvidia, offsets.data(), mask, 32, bytes, 32);
    return std::pair{p.passes, p.conflicts};
  };
  const uint64_t all = UINT32_MAX;
  EXPECT_EQ(passes(8, all, [](unsigned l) { return l / 2; }), (std::pair{1u, 0u}));
  EXPECT_EQ(passes(8, all, [](unsigned l) { return l % 2 + 2 * (l / 4); }), (std::pair{1u, 0u}));
  EXPECT_EQ(passes(8, all, [](unsigned l) { return l % 4 + 4 * (l / 8); }), (std::pair{2u, 0u}));
  EXPECT_EQ(passes(8, all, [](unsigned l) { return l % 16; }), (std::pair{2u, 0u}));
  EXPECT_EQ(passes(8, 0x11111111, [](unsigned l) { return l; }), (std::pair{2u, 1u}));
  EXPECT_EQ(passes(16, all, [](unsigned l) { return l / 2; }), (std::pair{2u, 0u}));
  EXPECT_EQ(passes(16, all, [](unsigned l) { return l % 8; }), (std::pair{4u, 0u}));
  EXPECT_EQ(passes(16, 0x11111111, [](unsigned l) { return l; }), (std::pair{4u, 2u}));
  EXPECT_EQ(passes(16, 0x1F, [](unsigned l) { return l; }), (std::pair{1u, 0u}));
}

TEST(LaneMaps, Shfl) {
  bool valid;
  EXPECT_EQ(simShflLane(SimShfl_Butterfly, 5, 16, 31, &valid), 21u);
  EXPECT_TRUE(valid);
  EXPECT_EQ(simShflLane(SimShfl_Up, 2, 3, 0, &valid), 2u);
  EXPECT_FALSE(valid);
  EXPECT_EQ(simShflLane(SimShfl_Down, 30, 3, 31, &valid), 30u);
  EXPECT_FALSE(valid);
  // Segments of eight: c = (32 - 8) << 8 | clamp.
  EXPECT_EQ(simShflLane(SimShfl_Index, 13, 2, 24 << 8 | 31, &valid), 10u);
  EXPECT_TRUE(valid);
  EXPECT_EQ(simShflLane(SimShfl_Down, 6, 2, 24 << 8 | 31, &valid), 6u);
  EXPECT_FALSE(valid);
}

TEST(LaneMaps, DppAndSwizzle) {
  EXPECT_EQ(simDppLane(0xB1, 4, 64), 5) << "quad_perm:[1,0,3,2]";
  EXPECT_EQ(simDppLane(0x101, 3, 64), 4) << "row_shl:1";
  EXPECT_EQ(simDppLane(0x111, 3, 64), 2) << "row_shr:1";
  EXPECT_EQ(simDppLane(0x111, 16, 64), SIM_LANE_INVALID) << "row_shr:1 at the start of a row";
  EXPECT_EQ(simDppLane(0x121, 16, 64), 31) << "row_ror:1";
  EXPECT_EQ(simDppLane(0x140, 18, 64), 29) << "row_mirror";
  EXPECT_EQ(simDppLane(0x141, 18, 64), 21) << "row_half_mirror";
  EXPECT_EQ(simDppLane(0x142, 20, 64), 15) << "row_bcast:15";
  EXPECT_EQ(simDppLane(0x143, 40, 64), 31) << "row_bcast:31";
  EXPECT_EQ(simDppLane(0x100, 0, 64), -2) << "row_shl:0 is no control";
  EXPECT_EQ(simSwizzleLane(0x041F, 6), 7) << "xor 1";
  EXPECT_EQ(simSwizzleLane(0x401F, 33), 49) << "xor 16";
  EXPECT_EQ(simSwizzleLane(0x8000 | 0x1B, 5), 6) << "quad reversed";
}

} // namespace
