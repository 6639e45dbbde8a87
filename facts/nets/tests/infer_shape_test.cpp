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
  EXPECT_THAT(refusal(good, {{1, 6, 8}}), HasSubstr("batch x channels x height x width, not 1x6x8"));
  EXPECT_THAT(refusal(good, {}), HasSubstr("too few inputs"));
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
