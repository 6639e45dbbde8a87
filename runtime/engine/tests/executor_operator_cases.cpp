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
      {"mean", unary_case(nets::Mean{1}, {2, 3, 4, 5, 2})},
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

}  // namespace sextant::engine
