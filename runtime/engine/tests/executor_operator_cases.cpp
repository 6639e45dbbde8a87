// Every operator with awkward parameters, of learned values, so that the gradient of the argument shows.
#include "executor_cases.h"

namespace sextant::engine {
namespace {

const nets::Shape kMap = {2, 3, 7, 6};

nets::Tensor value(nets::GraphBuilder& g, const nets::Shape& shape) {
  return g.add(nets::Parameter{shape}, {});
}

CaseMaker function_case(nets::Function function, double scale, const nets::Shape& shape = kMap) {
  return [=](nets::GraphBuilder& g) {
    return g.activation(g.add(nets::Scale{scale}, {value(g, shape)}), function);
  };
}

CaseMaker pool_case(const nets::Pool& pool, const nets::Shape& shape = kMap) {
  return [=](nets::GraphBuilder& g) { return g.add(pool, {value(g, shape)}); };
}

// One operator of one learned value.
CaseMaker unary_case(const nets::Op& op, const nets::Shape& shape) {
  return [=](nets::GraphBuilder& g) { return g.add(op, {value(g, shape)}); };
}

CaseMaker channel_case(nets::Arithmetic kind) {
  return [=](nets::GraphBuilder& g) {
    const nets::Tensor x = value(g, {2, 3, 4, 4});
    return g.add(nets::Binary{kind}, {x, value(g, {3, 1, 1})});
  };
}

std::map<std::string, CaseMaker> layers() {
  return {
      {"conv-asymmetric", unary_case(nets::Conv{4,
                                                {3, 2},
                                                {2, 1},
                                                {.top = 0, .bottom = 1, .left = 1, .right = 0},
                                                nets::square(1),
                                                1,
                                                true,
                                                {}},
                                     kMap)},
      {"conv-dilated-groups",
       unary_case(
           nets::Conv{6, nets::square(3), nets::square(1), nets::pad_all(2), nets::square(2), 2, false, {}},
           {2, 4, 9, 9})},
      {"conv-relu", unary_case(nets::Conv{5, nets::square(3), nets::square(1), nets::pad_all(1),
                                          nets::square(1), 1, true, nets::Function::relu},
                               kMap)},
      {"conv-depthwise-relu6",
       [](nets::GraphBuilder& g) {
         return g.conv(g.add(nets::Scale{9}, {value(g, {2, 4, 6, 6})}), 4, nets::square(3),
                       {.padding = nets::pad_all(1), .groups = 4, .activation = nets::Function::relu6});
       }},
      {"conv-silu",
       unary_case(
           nets::Conv{
               4, nets::square(1), nets::square(1), {}, nets::square(1), 1, true, nets::Function::silu},
           kMap)},
      {"linear-gelu", unary_case(nets::Linear{4, true, nets::Function::gelu}, {2, 5, 6})},
      {"linear-relu", unary_case(nets::Linear{5, true, nets::Function::relu}, {4, 6})},
      {"linear-4d", unary_case(nets::Linear{3, false, {}}, {2, 3, 4, 5})},
      {"matmul",
       [](nets::GraphBuilder& g) {
         const nets::Tensor x = value(g, {2, 3, 4, 5});
         return g.add(nets::MatMul{}, {x, value(g, {5, 6})});
       }},
      {"matmul-transposed",
       [](nets::GraphBuilder& g) {
         const nets::Tensor x = value(g, {2, 3, 4, 5});
         return g.add(nets::MatMul{true}, {x, value(g, {2, 3, 6, 5})});
       }},
  };
}

std::map<std::string, CaseMaker> norms_and_functions() {
  return {
      {"batch-norm", unary_case(nets::BatchNorm{}, {3, 4, 5, 5})},
      {"batch-norm-relu",
       [](nets::GraphBuilder& g) {
         return g.relu(g.batch_norm(value(g, {3, 4, 5, 5})));
       }},
      {"batch-norm-no-scale", unary_case(nets::BatchNorm{.scale = false}, {3, 4, 5, 5})},
      {"batch-norm-2d", unary_case(nets::BatchNorm{}, {6, 4})},
      {"layer-norm", unary_case(nets::LayerNorm{}, {2, 5, 8})},
      {"local-response-norm",
       [](nets::GraphBuilder& g) {
         return g.add(nets::LocalResponseNorm{5}, {g.add(nets::Scale{20}, {value(g, {2, 7, 4, 4})})});
       }},
      {"local-response-norm-even",
       [](nets::GraphBuilder& g) {
         return g.add(nets::LocalResponseNorm{4}, {g.add(nets::Scale{20}, {value(g, {2, 7, 4, 4})})});
       }},
      {"relu", function_case(nets::Function::relu, 6)},
      {"relu6", function_case(nets::Function::relu6, 9)},
      {"gelu", function_case(nets::Function::gelu, 3)},
      {"gelu-tanh", function_case(nets::Function::gelu_tanh, 3)},
      {"tanh", function_case(nets::Function::tanh, 2)},
      {"sigmoid", function_case(nets::Function::sigmoid, 4)},
      {"silu", function_case(nets::Function::silu, 4)},
      {"hard-swish", function_case(nets::Function::hard_swish, 5)},
      {"hard-sigmoid", function_case(nets::Function::hard_sigmoid, 5)},
      {"softmax", function_case(nets::Function::softmax, 3, {2, 3, 4, 5})},
  };
}

std::map<std::string, CaseMaker> pools() {
  constexpr nets::PoolKind kMax = nets::PoolKind::max;
  constexpr nets::PoolKind kMean = nets::PoolKind::average;
  return {
      {"max-pool", pool_case({kMax, nets::square(3), nets::square(2), nets::pad_all(1)})},
      {"max-pool-ceil", pool_case({kMax, nets::square(3), nets::square(2), {}, true}, {2, 3, 8, 8})},
      {"max-pool-asymmetric", pool_case({kMax, {3, 2}, nets::square(2), {.bottom = 1, .left = 1}})},
      {"max-pool-asymmetric-ceil",
       pool_case({kMax, nets::square(2), nets::square(3), {.top = 1, .bottom = 2, .right = 1}, true})},
      {"avg-pool", pool_case({kMean, nets::square(3), nets::square(1), nets::pad_all(1)})},
      {"avg-pool-ceil", pool_case({kMean, nets::square(2), nets::square(2), {}, true})},
      {"avg-pool-asymmetric",
       pool_case({kMean, nets::square(3), nets::square(2), {.bottom = 1, .left = 1, .right = 1}})},
      {"avg-pool-asymmetric-ceil",
       pool_case({kMean, nets::square(2), nets::square(3), {.top = 1, .right = 1}, true})},
      {"adaptive-pool", unary_case(nets::AdaptivePool{{3, 2}}, {2, 3, 7, 5})},
      {"global-pool", unary_case(nets::AdaptivePool{nets::square(1)}, {2, 3, 7, 5})},
  };
}

std::map<std::string, CaseMaker> arithmetic() {
  return {
      {"add", channel_case(nets::Arithmetic::add)},
      {"subtract", channel_case(nets::Arithmetic::subtract)},
      {"multiply", channel_case(nets::Arithmetic::multiply)},
      {"divide",
       [](nets::GraphBuilder& g) {
         const nets::Tensor x = value(g, {2, 3, 4, 4});
         return g.add(nets::Binary{nets::Arithmetic::divide},
                      {x, g.activation(value(g, {4, 1}), nets::Function::sigmoid)});
       }},
      {"power",
       [](nets::GraphBuilder& g) {
         const nets::Tensor x = g.activation(value(g, {2, 3, 4, 4}), nets::Function::sigmoid);
         return g.add(nets::Binary{nets::Arithmetic::power}, {x, value(g, {3, 1, 1})});
       }},
      {"add-to-itself",
       [](nets::GraphBuilder& g) {
         const nets::Tensor x = value(g, kMap);
         return g.sum(x, g.activation(x, nets::Function::tanh));
       }},
      {"scale", unary_case(nets::Scale{-1.75}, kMap)},
  };
}

std::map<std::string, CaseMaker> movers() {
  return {
      {"concat",
       [](nets::GraphBuilder& g) {
         const nets::Tensor a = value(g, {2, 3, 4, 4});
         const nets::Tensor b = value(g, {2, 3, 1, 4});
         return g.concat({a, b, value(g, {2, 3, 2, 4})}, 2);
       }},
      {"concat-relu",
       [](nets::GraphBuilder& g) {
         const nets::Tensor a = value(g, {2, 3, 4, 4});
         return g.relu(g.concat({a, value(g, {2, 1, 4, 4})}));
       }},
      {"flatten", unary_case(nets::Flatten{}, {2, 3, 4})},
      {"reshape-transposed",
       [](nets::GraphBuilder& g) {
         return g.add(nets::Reshape{{2, 5, 2, 6}},
                      {g.add(nets::Transpose{{0, 3, 1, 2}}, {value(g, {2, 3, 4, 5})})});
       }},
      {"transpose", unary_case(nets::Transpose{{0, 2, 3, 1}}, {2, 3, 4, 5})},
      {"slice", unary_case(nets::Slice{3, 1, 4}, {2, 3, 4, 5})},
      {"zero-pad", unary_case(nets::ZeroPad{{.top = 1, .bottom = 3, .left = 2, .right = 0}}, kMap)},
      {"mean", unary_case(nets::Reduce{}, {2, 3, 4, 5, 2})},
      {"slice-steps", unary_case(nets::Slice{2, 1, 8, 3}, {2, 3, 9, 5})},
      {"gather",
       [](nets::GraphBuilder& g) {
         const nets::Tensor x = value(g, {2, 5, 3, 2});
         return g.add(nets::Gather{1}, {x, g.add(nets::Constant{{2, 2}, true, {4, 0, -1, 2}}, {})});
       }},
      {"expand", unary_case(nets::Expand{{2, 3, 4, 5}}, {3, 1, 5})},
      {"sum-axes", unary_case(nets::Reduce{nets::Reduction::sum, {1, 3}}, {2, 3, 4, 5, 2})},
      {"max-axis", unary_case(nets::Reduce{nets::Reduction::max, {2}}, {2, 3, 4, 5, 2})},
      {"min-axis", unary_case(nets::Reduce{nets::Reduction::min, {2}}, {2, 3, 4, 5, 2})},
      {"zero-pad-3d",
       unary_case(nets::ZeroPad{{.top = 1, .right = 2, .front = 1, .back = 2}}, {2, 2, 3, 4, 3})},
  };
}

// Sequences and volumes, transposed convolutions, recurrent layers, norms without some of their parts.
std::map<std::string, CaseMaker> beyond_images() {
  constexpr nets::PoolKind kMax = nets::PoolKind::max;
  constexpr nets::PoolKind kMean = nets::PoolKind::average;
  const nets::Shape sequence = {2, 3, 9};
  const nets::Shape volume = {2, 3, 4, 5, 6};
  const nets::Shape states = {3, 5, 4};
  const nets::Extent none = {0, 0, 0};
  return {
      {"conv-1d",
       unary_case(
           nets::Conv{4, nets::along(3), nets::along(2), nets::pad_along(1), nets::along(1), 1, true, {}},
           sequence)},
      {"conv-3d",
       unary_case(nets::Conv{4, {3, 2, 2}, {2, 1, 1}, {1, 1, 0, 0, 1, 1}, nets::cube(1), 1, true, {}},
                  volume)},
      {"conv-3d-asymmetric",
       unary_case(
           nets::Conv{4, nets::cube(2), nets::cube(1), {0, 1, 1, 0, 0, 1}, nets::cube(1), 1, false, {}},
           volume)},
      {"conv-transpose",
       unary_case(
           nets::ConvTranspose{
               4, nets::square(3), nets::square(2), nets::pad_all(1), {1, 1, 0}, nets::square(1), 1, true},
           kMap)},
      {"conv-transpose-groups",
       unary_case(
           nets::ConvTranspose{4, nets::square(2), nets::square(2), {}, none, nets::square(1), 2, false},
           {2, 6, 3, 4})},
      {"conv-transpose-asymmetric",
       unary_case(
           nets::ConvTranspose{
               2, nets::square(3), nets::square(2), {0, 1, 1, 0}, none, nets::square(1), 1, true},
           kMap)},
      {"max-pool-1d", pool_case({kMax, nets::along(3), nets::along(2), nets::pad_along(1)}, sequence)},
      {"avg-pool-1d", pool_case({kMean, nets::along(3), nets::along(2), {}}, sequence)},
      {"max-pool-3d", pool_case({kMax, nets::cube(2), nets::cube(2), {}}, volume)},
      {"avg-pool-3d", pool_case({kMean, nets::cube(2), nets::cube(1), nets::pad_cube(1)}, volume)},
      {"global-pool-1d", unary_case(nets::AdaptivePool{nets::square(1)}, sequence)},
      {"adaptive-pool-3d", unary_case(nets::AdaptivePool{{2, 3, 1}}, volume)},
      {"resize-nearest", unary_case(nets::Resize{{9, 12}}, kMap)},
      {"resize-linear", unary_case(nets::Resize{{9, 12}, nets::Interpolation::linear}, kMap)},
      {"resize-nearest-1d", unary_case(nets::Resize{nets::along(14)}, sequence)},
      {"resize-linear-3d", unary_case(nets::Resize{{7, 6, 5}, nets::Interpolation::linear}, volume)},
      {"lstm", unary_case(nets::Recurrent{nets::Cell::lstm, 6}, states)},
      {"lstm-both-ways", unary_case(nets::Recurrent{nets::Cell::lstm, 3, true}, states)},
      {"lstm-time-first", unary_case(nets::Recurrent{nets::Cell::lstm, 6, false, false, true}, states)},
      {"gru", unary_case(nets::Recurrent{nets::Cell::gru, 6, true}, states)},
      {"rnn", unary_case(nets::Recurrent{nets::Cell::rnn, 6}, states)},
      {"layer-norm-no-bias", unary_case(nets::LayerNorm{true, false}, {2, 5, 8})},
      {"layer-norm-plain", unary_case(nets::LayerNorm{false, false}, {2, 5, 8})},
      {"rms-norm", unary_case(nets::LayerNorm{true, false, false}, {2, 5, 8})},
      {"group-norm", unary_case(nets::GroupNorm{3}, {2, 6, 3, 4})},
      {"instance-norm", unary_case(nets::GroupNorm{6, false, false}, {2, 6, 3, 4})},
  };
}

std::map<std::string, CaseMaker> functions_and_choices() {
  // Of positive numbers where the function wants them.
  const auto of_positive = [](nets::Function function) {
    return [=](nets::GraphBuilder& g) {
      return g.activation(g.activation(value(g, kMap), nets::Function::sigmoid), function);
    };
  };
  const auto pair = [](nets::Arithmetic kind) {
    return [=](nets::GraphBuilder& g) {
      const nets::Tensor x = value(g, kMap);
      return g.add(nets::Binary{kind}, {x, value(g, {6})});
    };
  };
  return {
      {"leaky-relu", function_case(nets::Function::leaky_relu, 6)},
      {"elu", function_case(nets::Function::elu, 2)},
      {"softplus", function_case(nets::Function::softplus, 2)},
      {"exp", function_case(nets::Function::exp, 0.5)},
      {"erf", function_case(nets::Function::erf, 1)},
      {"abs", function_case(nets::Function::abs, 1)},
      {"sin", function_case(nets::Function::sin, 2)},
      {"cos", function_case(nets::Function::cos, 2)},
      {"log", of_positive(nets::Function::log)},
      {"sqrt", of_positive(nets::Function::sqrt)},
      {"reciprocal", of_positive(nets::Function::reciprocal)},
      {"clip", unary_case(nets::Activation{nets::Function::clip, -0.5, 0.75}, kMap)},
      {"maximum", pair(nets::Arithmetic::maximum)},
      {"minimum", pair(nets::Arithmetic::minimum)},
      {"scale-add", unary_case(nets::Scale{1.5, nets::Arithmetic::add}, kMap)},
      {"scale-power", unary_case(nets::Scale{3, nets::Arithmetic::power}, kMap)},
      {"where",
       [](nets::GraphBuilder& g) {
         const nets::Tensor x = value(g, kMap);
         const nets::Tensor other = value(g, {6});
         return g.add(nets::Where{}, {g.add(nets::Binary{nets::Arithmetic::greater}, {x, other}), x, other});
       }},
      {"causal-mask",
       [](nets::GraphBuilder& g) {
         const nets::Tensor mask = g.add(nets::Constant{{3, 3}, false, {1, 0, 0, 1, 1, 0, 1, 1, 1}}, {});
         const nets::Tensor low = g.add(nets::Constant{{1}, false, {-30}}, {});
         const nets::Tensor x = value(g, {2, 4, 3, 3});
         return g.activation(g.add(nets::Where{}, {mask, x, low}), nets::Function::softmax);
       }},
  };
}

}  // namespace

const std::map<std::string, CaseMaker>& operator_cases() {
  static const std::map<std::string, CaseMaker> all = [] {
    std::map<std::string, CaseMaker> cases = layers();
    for (const auto& group :
         {norms_and_functions(), pools(), arithmetic(), movers(), beyond_images(), functions_and_choices()}) {
      cases.insert(group.begin(), group.end());
    }
    return cases;
  }();
  return all;
}

}  // namespace sextant::engine
