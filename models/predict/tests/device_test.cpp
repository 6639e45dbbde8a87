// What boards sustain: the clock that their watts allow, and the bandwidth that their memory delivers.
#include "sextant/predict/device.h"

#include <gtest/gtest.h>

#include "builtin.h"
#include "sextant/predict/peak.h"

namespace sextant::predict {
namespace {

using test::gpu;

// Data sheets, dense: H100 SXM 989 and 1979, B200 2250, 4500 and 9000 TFLOP/s.
TEST(MatrixPeak, FollowsTheFormat) {
  EXPECT_DOUBLE_EQ(matrix_peak(gpu("h100"), Precision::bf16).value, 989e12);
  EXPECT_DOUBLE_EQ(matrix_peak(gpu("h100"), Precision::fp8_block).value, 1979e12);
  EXPECT_DOUBLE_EQ(matrix_peak(gpu("b200"), Precision::bf16_pure).value, 2250e12);
  EXPECT_DOUBLE_EQ(matrix_peak(gpu("b200"), Precision::mxfp8).value, 4500e12);
  EXPECT_DOUBLE_EQ(matrix_peak(gpu("b200"), Precision::nvfp4).value, 9000e12);
}

// What a board has not in hardware is computed in the next wider format.
TEST(MatrixPeak, WidensWhatTheBoardDoesNotHave) {
  EXPECT_EQ(matrix_peak(gpu("h100"), Precision::nvfp4), matrix_peak(gpu("h100"), Precision::fp8));
  EXPECT_EQ(matrix_peak(gpu("a100"), Precision::fp8), matrix_peak(gpu("a100"), Precision::bf16));
  EXPECT_EQ(matrix_peak(gpu("v100"), Precision::bf16), gpu("v100").fp32);
  EXPECT_FALSE(effective_device(gpu("v100"), Precision::bf16).matrix_units);
  EXPECT_TRUE(effective_device(gpu("a100"), Precision::bf16).matrix_units);
  EXPECT_DOUBLE_EQ(effective_device(gpu("a100"), Precision::bf16).matrix_rate,
                   effective_device(gpu("a100"), Precision::fp16).matrix_rate);
}

TEST(SustainedClock, FallsWhereThePowerBudgetIsSmall) {
  // 70 W / (2560 lanes x 1.59 GHz) is half of what Turing wants: (0.5)^(2/3) = 0.63.
  EXPECT_NEAR(sustained_clock_ratio(gpu("t4")), 0.63, 0.01);
  // 75 W / (2560 x 1.114 GHz) = 0.0263, of the 0.041 that Pascal wants: (0.6414)^(2/3) = 0.744.
  EXPECT_NEAR(sustained_clock_ratio(gpu("p4")), 0.744, 0.001);
}

TEST(SustainedClock, IsBoostWhereThereAreWattsEnough) {
  EXPECT_DOUBLE_EQ(sustained_clock_ratio(gpu("v100-sxm2-16gb")), 1);
  EXPECT_DOUBLE_EQ(sustained_clock_ratio(gpu("p100-sxm2-16gb")), 1);
}

TEST(SustainedClock, IsTheStatedOneWhereThatIsLower) {
  EXPECT_NEAR(sustained_clock_ratio(gpu("k80")), 562.0 / 875, 1e-9);
  catalog::Gpu slow = gpu("v100");
  slow.sustained = Hertz{0.5 * slow.boost->value};
  EXPECT_DOUBLE_EQ(sustained_clock_ratio(slow), 0.5);
}

TEST(SustainedClock, PassesBoostOnConsumerBoards) {
  catalog::Gpu board = gpu("v100");
  EXPECT_DOUBLE_EQ(sustained_clock_ratio(board), 1);
  board.id = "gtx-of-the-same-make";
  EXPECT_DOUBLE_EQ(sustained_clock_ratio(board), 1.1);
}

// More watts never slow a board, whichever it is.
TEST(SustainedClock, GrowsWithTheWatts) {
  for (const catalog::Gpu& board : test::catalog().gpus.all()) {
    if (!board.tdp) continue;
    catalog::Gpu starved = board;
    starved.tdp = Watts{0.5 * board.tdp->value};
    EXPECT_LE(sustained_clock_ratio(starved), sustained_clock_ratio(board)) << board.id;
    EXPECT_GT(sustained_clock_ratio(starved), 0) << board.id;
  }
}

TEST(SustainedClock, OfAnUnknownArchitectureIsBoost) {
  catalog::Gpu board = gpu("t4");
  board.architecture = "Feynman";
  EXPECT_DOUBLE_EQ(sustained_clock_ratio(board), 1);
  EXPECT_DOUBLE_EQ(effective_device(board, Precision::fp32).matrix_rate, board.fp32.value);
}

TEST(EffectiveDevice, WithTheFewestFactsIsUsable) {
  catalog::Gpu board;
  board.id = "bare";
  board.fp32 = FlopRate{1e12};
  board.memory_bandwidth = Bandwidth{1e11};
  const Device d = effective_device(board, Precision::fp16);
  EXPECT_DOUBLE_EQ(d.matrix_rate, 1e12);
  EXPECT_GT(d.bandwidth, 0);
  EXPECT_GT(d.sms, 0);
  EXPECT_GT(d.clock, 0);
  EXPECT_TRUE(d.half);
  EXPECT_FALSE(d.matrix_units) << "fp16 is only a way to store";
}

TEST(EffectiveDevice, MemoryKindsDeliverDifferentSharesOfTheirBandwidth) {
  catalog::Gpu board = gpu("v100");
  const auto share = [&](const char* kind) {
    board.memory_kind = kind;
    return effective_device(board, Precision::fp32).bandwidth / board.memory_bandwidth.value;
  };
  EXPECT_GT(share("hbm"), share("gddr"));
  EXPECT_GT(share("gddr"), share("gddr-ecc")) << "check bits take part of the bus";
  EXPECT_DOUBLE_EQ(share(""), share("gddr")) << "not stated: the middle";
  for (const char* kind : {"hbm", "gddr", "gddr-ecc", "lpddr"}) {
    EXPECT_GT(share(kind), 0.5) << kind;
    EXPECT_LT(share(kind), 1) << kind;
  }
}

TEST(EffectiveDevice, AStatedClockSlowsTheMemoryPathToo) {
  const catalog::Gpu& k80 = gpu("k80");
  catalog::Gpu boosted = k80;
  boosted.sustained.reset();
  EXPECT_NEAR(
      effective_device(k80, Precision::fp32).bandwidth / effective_device(boosted, Precision::fp32).bandwidth,
      562.0 / 875, 1e-12);
}

TEST(EffectiveDevice, TakesThePeakOfThePrecision) {
  const catalog::Gpu& v100 = gpu("v100");
  const Device single = effective_device(v100, Precision::fp32);
  const Device half = effective_device(v100, Precision::fp16);
  EXPECT_FALSE(single.matrix_units || single.half);
  EXPECT_TRUE(half.matrix_units && half.half);
  EXPECT_DOUBLE_EQ(half.matrix_rate / single.matrix_rate, v100.tensor_fp16->value / v100.fp32.value);
  EXPECT_FALSE(effective_device(v100, Precision::tf32).matrix_units) << "Volta has no tf32";
  EXPECT_TRUE(effective_device(gpu("a100"), Precision::tf32).matrix_units);
  EXPECT_TRUE(effective_device(gpu("mi100"), Precision::fp32).amd);
}

TEST(EffectiveDevice, ConvolutionsMayHaveAFormatOfTheirOwn) {
  const catalog::Gpu& a100 = gpu("a100");
  const Device all = effective_device(a100, Precision::tf32);
  const Device windows = effective_device(a100, Precision::fp32, Precision::tf32);
  EXPECT_TRUE(windows.conv_units && !windows.matrix_units && !windows.half);
  EXPECT_DOUBLE_EQ(windows.conv_rate, all.conv_rate);
  EXPECT_DOUBLE_EQ(windows.matrix_rate, effective_device(a100, Precision::fp32).matrix_rate);
  EXPECT_DOUBLE_EQ(all.conv_rate, all.matrix_rate);
}

TEST(MemoryPressure, BeginsAtFourFifthsAndIsFullBeforeTheEnd) {
  EXPECT_EQ(memory_pressure(0), 0);
  EXPECT_EQ(memory_pressure(0.8), 0);
  EXPECT_NEAR(memory_pressure(0.875), 0.5, 1e-12);
  EXPECT_EQ(memory_pressure(0.95), 1);
  EXPECT_EQ(memory_pressure(2), 1);
}

}  // namespace
}  // namespace sextant::predict
