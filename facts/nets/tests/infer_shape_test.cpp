// Shape inference: window arithmetic from a table of cases, and the shapes that must be refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "sextant/core/error.h"
#include "sextant/nets/op.h"

namespace sextant::nets {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kHuge = std::int64_t{1} << 40;

std::string refusal(const Op& op, const std::vector<Shape>& inputs) {
  try {
    return "accepted as " + to_string(infer_shape(op, inputs));
  } catch (const InputError& error) {
    return error.what();
  }
}

struct WindowCase {
  std::string name, op;
  std::int64_t in, kernel, stride, before, after, dilation;
  bool ceil;
  std::string out;
};

Op op_of(const WindowCase& c) {
  const Padding padding = {c.before, c.after, c.before, c.after};
  if (c.op == "conv") {
    return Conv{1, square(c.kernel), square(c.stride), padding, square(c.dilation), 1, false, {}};
  }
  return Pool{PoolKind::max, square(c.kernel), square(c.stride), padding, c.ceil};
}

TEST(Windows, CountAsInTheTable) {
  const std::string path = std::string(SEXTANT_SOURCE_DIR) + "/facts/nets/tests/cases/windows.txt";
  std::ifstream file(path);
  int number = 0;
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    ++cases;
    WindowCase c;
    std::istringstream fields(line);
    fields >> c.name >> c.op >> c.in >> c.kernel >> c.stride >> c.before >> c.after >> c.dilation >> c.ceil >>
        c.out;
    ASSERT_TRUE(fields) << path << ":" << number;
    SCOPED_TRACE(path + ":" + std::to_string(number) + " " + c.name);
    const Shape input = {1, 1, c.in, c.in};
    if (c.out == "-") {
      EXPECT_THAT(refusal(op_of(c), {input}), HasSubstr("does not fit"));
    } else {
      const Shape output = infer_shape(op_of(c), {input});
      EXPECT_EQ(to_string(output), "1x1x" + c.out + "x" + c.out);
    }
  }
  EXPECT_GE(cases, 20) << path;
}

TEST(Windows, AxesAreIndependent) {
  const Conv conv{8, {1, 7}, {1, 2}, {0, 0, 3, 3}, square(1), 1, false, {}};
  EXPECT_EQ(infer_shape(conv, {{2, 3, 17, 17}}), (Shape{2, 8, 17, 9}));
}

TEST(InferShape, ConvRefusesWhatCannotBe) {
  const Shape x = {1, 6, 8, 8};
  const Conv good{4, square(3), square(1), {}, square(1), 1, true, {}};
  EXPECT_EQ(infer_shape(good, {x}), (Shape{1, 4, 6, 6}));
  Conv bad = good;
  bad.groups = 4;
  EXPECT_THAT(refusal(bad, {x}), HasSubstr("4 groups does not divide 6 to 4 channels"));
  bad = good;
  bad.padding = {0, 0, -1, 0};
  EXPECT_THAT(refusal(bad, {x}), HasSubstr("negative padding"));
  bad = good;
  bad.padding = pad_all(std::int64_t{1} << 62);
  EXPECT_THAT(refusal(bad, {x}), HasSubstr("padding beyond"));
  bad = good;
  bad.stride = square(0);
  EXPECT_THAT(refusal(bad, {x}), HasSubstr("below 1"));
  EXPECT_THAT(refusal(good, {{1, 6}}), HasSubstr("needs batch x channels x height x width"));
  EXPECT_THAT(refusal(good, {{1, 6, 8}}), HasSubstr("a window of more dimensions than 1x6x8 has"));
  EXPECT_THAT(refusal(good, {}), HasSubstr("too few inputs"));
}

TEST(InferShape, MapsHaveOneToThreeDimensions) {
  const Conv along_time{4, along(3), along(2), pad_along(1), along(1), 1, true, {}};
  EXPECT_EQ(infer_shape(along_time, {{2, 6, 9}}), (Shape{2, 4, 5}));
  const Conv volume{4, cube(3), {2, 2, 1}, pad_cube(1), cube(1), 1, true, {}};
  EXPECT_EQ(infer_shape(volume, {{2, 6, 5, 8, 8}}), (Shape{2, 4, 5, 4, 4}));
  EXPECT_EQ(infer_shape(Pool{PoolKind::max, cube(2), cube(2), {}, false}, {{1, 3, 4, 6, 8}}),
            (Shape{1, 3, 2, 3, 4}));
  EXPECT_EQ(infer_shape(AdaptivePool{square(1)}, {{2, 3, 4, 5, 6}}), (Shape{2, 3, 1, 1, 1}));
  EXPECT_EQ(infer_shape(AdaptivePool{square(1)}, {{2, 3, 7}}), (Shape{2, 3, 1}));
  EXPECT_EQ(infer_shape(Resize{square(14)}, {{2, 3, 7, 7}}), (Shape{2, 3, 14, 14}));
  const Conv too_high{4, square(3), square(1), {}, square(1), 1, true, {}};
  EXPECT_THAT(refusal(too_high, {{2, 6, 9}}), HasSubstr("more dimensions than 2x6x9"));
  Conv padded = along_time;
  padded.padding = pad_all(1);
  EXPECT_THAT(refusal(padded, {{2, 6, 9}}), HasSubstr("more dimensions than 2x6x9"));
}

// A transposed convolution gives back the map that the convolution with the same window came from.
TEST(InferShape, ATransposedConvolutionUndoesAConvolution) {
  for (const std::int64_t extent : {7, 8, 13}) {
    for (const std::int64_t stride : {1, 2, 3}) {
      const Conv conv{4, square(3), square(stride), pad_all(1), square(1), 1, true, {}};
      const Shape narrow = infer_shape(conv, {{1, 4, extent, extent}});
      const std::int64_t left_open = (extent + 2 - 3) % stride;
      const ConvTranspose back{4, square(3), square(stride), pad_all(1), square(left_open), square(1),
                               1, true};
      EXPECT_EQ(infer_shape(back, {narrow}), (Shape{1, 4, extent, extent})) << extent << " by " << stride;
    }
  }
  const ConvTranspose upsampling{8, square(2), square(2), {}, {0, 0, 0}, square(1), 1, true};
  EXPECT_EQ(infer_shape(upsampling, {{2, 16, 7, 7}}), (Shape{2, 8, 14, 14}));
}

TEST(InferShape, RecurrentLayersKeepThePositions) {
  EXPECT_EQ(infer_shape(Recurrent{Cell::lstm, 32}, {{4, 10, 16}}), (Shape{4, 10, 32}));
  EXPECT_EQ(infer_shape(Recurrent{Cell::gru, 32, true}, {{4, 10, 16}}), (Shape{4, 10, 64}));
  EXPECT_THAT(refusal(Recurrent{Cell::lstm, 32}, {{4, 16}}),
              HasSubstr("lstm needs batch x position x features"));
}

TEST(InferShape, SelectionAndRepetition) {
  EXPECT_EQ(infer_shape(Slice{1, 1, 8, 3}, {{2, 9}}), (Shape{2, 3}));  // 1, 4, 7
  EXPECT_EQ(infer_shape(Slice{1, 1, 7, 3}, {{2, 9}}), (Shape{2, 2}));
  EXPECT_EQ(infer_shape(Gather{1}, {{2, 9, 4}, {3, 5}}), (Shape{2, 3, 5, 4}));
  EXPECT_EQ(infer_shape(Expand{{2, 3, 4}}, {{3, 1}}), (Shape{2, 3, 4}));
  EXPECT_THAT(refusal(Expand{{2, 3, 4}}, {{2, 1}}), HasSubstr("do not combine"));
  EXPECT_THAT(refusal(Expand{{1, 4}}, {{3, 4}}), HasSubstr("expand of 3x4 to 1x4"));
  EXPECT_EQ(infer_shape(Where{}, {{4, 4}, {2, 4, 1}, {1}}), (Shape{2, 4, 4}));
  EXPECT_EQ(infer_shape(Reduce{Reduction::max, {1, 3}}, {{2, 3, 4, 5}}), (Shape{2, 4}));
  EXPECT_THAT(refusal(Reduce{Reduction::sum, {1, 1}}, {{2, 3}}), HasSubstr("sum over an axis twice"));
  EXPECT_THAT(refusal(GroupNorm{4}, {{2, 6, 3}}), HasSubstr("4 groups over 2x6x3"));
}

TEST(InferShape, BinaryBroadcasts) {
  EXPECT_EQ(infer_shape(Binary{}, {{2, 8, 7, 7}, {2, 8, 1, 1}}), (Shape{2, 8, 7, 7}));
  EXPECT_EQ(infer_shape(Binary{}, {{2, 5, 16}, {16}}), (Shape{2, 5, 16}));
  EXPECT_THAT(refusal(Binary{}, {{2, 8, 7, 7}, {2, 8, 6, 6}}),
              HasSubstr("2x8x7x7 and 2x8x6x6 do not combine"));
}

TEST(InferShape, MatMulNeedsEqualInnerExtents) {
  EXPECT_EQ(infer_shape(MatMul{}, {{2, 12, 5, 64}, {2, 12, 64, 7}}), (Shape{2, 12, 5, 7}));
  EXPECT_EQ(infer_shape(MatMul{true}, {{2, 12, 5, 64}, {2, 12, 7, 64}}), (Shape{2, 12, 5, 7}));
  EXPECT_THAT(refusal(MatMul{}, {{5, 64}, {63, 7}}), HasSubstr("inner extents differ"));
}

TEST(InferShape, ConcatAddsAlongOneAxis) {
  EXPECT_EQ(infer_shape(Concat{1}, {{2, 3, 4, 4}, {2, 5, 4, 4}, {2, 1, 4, 4}}), (Shape{2, 9, 4, 4}));
  EXPECT_THAT(refusal(Concat{1}, {{2, 3, 4, 4}, {2, 3, 4, 5}}), HasSubstr("2x3x4x4 and 2x3x4x5"));
  EXPECT_THAT(refusal(Concat{4}, {{2, 3, 4, 4}}), HasSubstr("axis 4"));
  const Shape half = {1, std::int64_t{1} << 61};
  EXPECT_THAT(refusal(Concat{1}, {half, half, half, half}), HasSubstr("2^62"));
}

TEST(InferShape, ViewsKeepTheElements) {
  EXPECT_EQ(infer_shape(Flatten{}, {{2, 3, 4, 5}}), (Shape{2, 60}));
  EXPECT_EQ(infer_shape(Reshape{{2, 4, 15}}, {{2, 3, 4, 5}}), (Shape{2, 4, 15}));
  EXPECT_THAT(refusal(Reshape{{2, 61}}, {{2, 3, 4, 5}}), HasSubstr("reshape of 2x3x4x5 to 2x61"));
  EXPECT_THAT(refusal(Reshape{{-2, -60}}, {{2, 3, 4, 5}}), HasSubstr("negative extent"));
  EXPECT_EQ(infer_shape(Transpose{{0, 2, 1}}, {{2, 3, 4}}), (Shape{2, 4, 3}));
  EXPECT_THAT(refusal(Transpose{{0, 1, 1}}, {{2, 3, 4}}), HasSubstr("twice"));
  EXPECT_EQ(infer_shape(Slice{1, 1, 3}, {{2, 3, 4}}), (Shape{2, 2, 4}));
  EXPECT_THAT(refusal(Slice{1, 2, 4}, {{2, 3, 4}}), HasSubstr("slice 2:4 of 2x3x4"));
}

TEST(InferShape, RefusesTensorsBeyondAnyMachine) {
  const Linear wide{kHuge, false, {}};
  EXPECT_THAT(refusal(wide, {{kHuge, 8}}), HasSubstr("2^62"));
  EXPECT_THAT(refusal(Input{{1, 0, 4, 4}}, {}), HasSubstr("1x0x4x4"));
}

TEST(SamePadding, PutsTheOddZeroOnTheFarSide) {
  // ceil(224/2) = 112 outputs reach 111*2 + 3 = 225, one zero more than there is.
  EXPECT_EQ(same_padding({1, 3, 224, 224}, square(3), square(2)), (Padding{0, 1, 0, 1}));
  EXPECT_EQ(same_padding({1, 3, 224, 225}, square(3), square(2)), (Padding{0, 1, 1, 1}));
  EXPECT_EQ(same_padding({1, 3, 8, 8}, square(5), square(1)), (Padding{2, 2, 2, 2}));
  EXPECT_EQ(same_padding({1, 3, 8, 8}, square(1), square(2)), (Padding{}));  // window below stride: nothing
  EXPECT_THROW(same_padding({1, 3}, square(3), square(1)), InputError);
  EXPECT_THROW(same_padding({1, 3, 8, 8}, square(3), square(0)), InputError);
}

TEST(SamePadding, GivesCeilOfInOverStride) {
  for (std::int64_t in = 1; in <= 20; ++in) {
    for (std::int64_t kernel = 1; kernel <= 7; ++kernel) {
      for (std::int64_t stride = 1; stride <= 4; ++stride) {
        const Shape x = {1, 1, in, in};
        const Padding padding = same_padding(x, square(kernel), square(stride));
        const Conv conv{1, square(kernel), square(stride), padding, square(1), 1, false, {}};
        EXPECT_EQ(infer_shape(conv, {x})[2], (in + stride - 1) / stride)
            << in << " " << kernel << " " << stride;
      }
    }
  }
}

TEST(Shape, CountsAndPrints) {
  EXPECT_EQ(element_count({32, 3, 224, 224}), 4816896);
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(to_string(Shape{32, 3, 224, 224}), "32x3x224x224");
  EXPECT_EQ(to_string(Shape{}), "scalar");
  EXPECT_EQ(checked_product({std::int64_t{1} << 31, std::int64_t{1} << 31}), std::int64_t{1} << 62);
  EXPECT_THROW(checked_product({std::int64_t{1} << 31, std::int64_t{1} << 31, 2}), InputError);
}

}  // namespace
}  // namespace sextant::nets
