// Every operator with awkward parameters, of learned values, so that the gradient of the argument shows.
#include "executor_cases.h"

namespace sextant {
namespace {

const Shape kMap = {2, 3, 7, 6};

Tensor value(GraphBuilder& g, const Shape& shape) {
  return g.add(Parameter{shape}, {});
}

CaseMaker function_case(Function function, double scale, const Shape& shape = kMap) {
  return [=](GraphBuilder& g) { return g.activation(g.add(Scale{scale}, {value(g, shape)}), function); };
}

CaseMaker pool_case(const Pool& pool, const Shape& shape = kMap) {
  return [=](GraphBuilder& g) { return g.add(pool, {value(g, shape)}); };
}

// One operator of one learned value.
CaseMaker unary_case(const Op& op, const Shape& shape) {
  return [=](GraphBuilder& g) { return g.add(op, {value(g, shape)}); };
}

CaseMaker channel_case(Arithmetic kind) {
  return [=](GraphBuilder& g) {
    const Tensor x = value(g, {2, 3, 4, 4});
    return g.add(Binary{kind}, {x, value(g, {3, 1, 1})});
  };
}

std::map<std::string, CaseMaker> layers() {
  return {
      {"conv-asymmetric",
       unary_case(
           Conv{4, {3, 2}, {2, 1}, {.top = 0, .bottom = 1, .left = 1, .right = 0}, square(1), 1, true, {}},
           kMap)},
      {"conv-dilated-groups",
       unary_case(Conv{6, square(3), square(1), pad_all(2), square(2), 2, false, {}}, {2, 4, 9, 9})},
      {"conv-relu",
       unary_case(Conv{5, square(3), square(1), pad_all(1), square(1), 1, true, Function::relu}, kMap)},
      {"conv-depthwise-relu6",
       [](GraphBuilder& g) {
         return g.conv(g.add(Scale{9}, {value(g, {2, 4, 6, 6})}), 4, square(3),
                       {.padding = pad_all(1), .groups = 4, .activation = Function::relu6});
       }},
      {"conv-silu", unary_case(Conv{4, square(1), square(1), {}, square(1), 1, true, Function::silu}, kMap)},
      {"linear-gelu", unary_case(Linear{4, true, Function::gelu}, {2, 5, 6})},
      {"linear-relu", unary_case(Linear{5, true, Function::relu}, {4, 6})},
      {"linear-4d", unary_case(Linear{3, false, {}}, {2, 3, 4, 5})},
      {"matmul",
       [](GraphBuilder& g) {
         const Tensor x = value(g, {2, 3, 4, 5});
         return g.add(MatMul{}, {x, value(g, {5, 6})});
       }},
      {"matmul-transposed",
       [](GraphBuilder& g) {
         const Tensor x = value(g, {2, 3, 4, 5});
         return g.add(MatMul{true}, {x, value(g, {2, 3, 6, 5})});
       }},
  };
}

std::map<std::string, CaseMaker> norms_and_functions() {
  return {
      {"batch-norm", unary_case(BatchNorm{}, {3, 4, 5, 5})},
      {"batch-norm-relu",
       [](GraphBuilder& g) {
         return g.relu(g.batch_norm(value(g, {3, 4, 5, 5})));
       }},
      {"batch-norm-no-scale", unary_case(BatchNorm{.scale = false}, {3, 4, 5, 5})},
      {"batch-norm-2d", unary_case(BatchNorm{}, {6, 4})},
      {"layer-norm", unary_case(LayerNorm{}, {2, 5, 8})},
      {"local-response-norm",
       [](GraphBuilder& g) {
         return g.add(LocalResponseNorm{5}, {g.add(Scale{20}, {value(g, {2, 7, 4, 4})})});
       }},
      {"local-response-norm-even",
       [](GraphBuilder& g) {
         return g.add(LocalResponseNorm{4}, {g.add(Scale{20}, {value(g, {2, 7, 4, 4})})});
       }},
      {"relu", function_case(Function::relu, 6)},
      {"relu6", function_case(Function::relu6, 9)},
      {"gelu", function_case(Function::gelu, 3)},
      {"gelu-tanh", function_case(Function::gelu_tanh, 3)},
      {"tanh", function_case(Function::tanh, 2)},
      {"sigmoid", function_case(Function::sigmoid, 4)},
      {"silu", function_case(Function::silu, 4)},
      {"hard-swish", function_case(Function::hard_swish, 5)},
      {"hard-sigmoid", function_case(Function::hard_sigmoid, 5)},
      {"softmax", function_case(Function::softmax, 3, {2, 3, 4, 5})},
  };
}

std::map<std::string, CaseMaker> pools() {
  constexpr PoolKind kMax = PoolKind::max;
  constexpr PoolKind kMean = PoolKind::average;
  return {
      {"max-pool", pool_case({kMax, square(3), square(2), pad_all(1)})},
      {"max-pool-ceil", pool_case({kMax, square(3), square(2), {}, true}, {2, 3, 8, 8})},
      {"max-pool-asymmetric", pool_case({kMax, {3, 2}, square(2), {.bottom = 1, .left = 1}})},
      {"max-pool-asymmetric-ceil",
       pool_case({kMax, square(2), square(3), {.top = 1, .bottom = 2, .right = 1}, true})},
      {"avg-pool", pool_case({kMean, square(3), square(1), pad_all(1)})},
      {"avg-pool-ceil", pool_case({kMean, square(2), square(2), {}, true})},
      {"avg-pool-asymmetric", pool_case({kMean, square(3), square(2), {.bottom = 1, .left = 1, .right = 1}})},
      {"avg-pool-asymmetric-ceil", pool_case({kMean, square(2), square(3), {.top = 1, .right = 1}, true})},
      {"adaptive-pool", unary_case(AdaptivePool{{3, 2}}, {2, 3, 7, 5})},
      {"global-pool", unary_case(AdaptivePool{square(1)}, {2, 3, 7, 5})},
  };
}

std::map<std::string, CaseMaker> arithmetic() {
  return {
      {"add", channel_case(Arithmetic::add)},
      {"subtract", channel_case(Arithmetic::subtract)},
      {"multiply", channel_case(Arithmetic::multiply)},
      {"divide",
       [](GraphBuilder& g) {
         const Tensor x = value(g, {2, 3, 4, 4});
         return g.add(Binary{Arithmetic::divide}, {x, g.activation(value(g, {4, 1}), Function::sigmoid)});
       }},
      {"power",
       [](GraphBuilder& g) {
         const Tensor x = g.activation(value(g, {2, 3, 4, 4}), Function::sigmoid);
         return g.add(Binary{Arithmetic::power}, {x, value(g, {3, 1, 1})});
       }},
      {"add-to-itself",
       [](GraphBuilder& g) {
         const Tensor x = value(g, kMap);
         return g.sum(x, g.activation(x, Function::tanh));
       }},
      {"scale", unary_case(Scale{-1.75}, kMap)},
  };
}

std::map<std::string, CaseMaker> movers() {
  return {
      {"concat",
       [](GraphBuilder& g) {
         const Tensor a = value(g, {2, 3, 4, 4});
         const Tensor b = value(g, {2, 3, 1, 4});
         return g.concat({a, b, value(g, {2, 3, 2, 4})}, 2);
       }},
      {"concat-relu",
       [](GraphBuilder& g) {
         const Tensor a = value(g, {2, 3, 4, 4});
         return g.relu(g.concat({a, value(g, {2, 1, 4, 4})}));
       }},
      {"flatten", unary_case(Flatten{}, {2, 3, 4})},
      {"reshape-transposed",
       [](GraphBuilder& g) {
         return g.add(Reshape{{2, 5, 2, 6}}, {g.add(Transpose{{0, 3, 1, 2}}, {value(g, {2, 3, 4, 5})})});
       }},
      {"transpose", unary_case(Transpose{{0, 2, 3, 1}}, {2, 3, 4, 5})},
      {"slice", unary_case(Slice{3, 1, 4}, {2, 3, 4, 5})},
      {"zero-pad", unary_case(ZeroPad{{.top = 1, .bottom = 3, .left = 2, .right = 0}}, kMap)},
      {"mean", unary_case(Mean{1}, {2, 3, 4, 5, 2})},
  };
}

}  // namespace

const std::map<std::string, CaseMaker>& operator_cases() {
  static const std::map<std::string, CaseMaker> all = [] {
    std::map<std::string, CaseMaker> cases = layers();
    for (const auto& group : {norms_and_functions(), pools(), arithmetic(), movers()}) {
      cases.insert(group.begin(), group.end());
    }
    return cases;
  }();
  return all;
}

}  // namespace sextant
