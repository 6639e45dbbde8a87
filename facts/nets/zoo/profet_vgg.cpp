// VGG networks as PROFET timed them: Simonyan & Zisserman 2014 (arXiv 1409.1556), configurations A, B,
// D and E, without batch norm and dropout. The dense layers read the flattened map, so the parameters
// depend on the image size; at 224 pixels they are the published ones.
#include <array>

#include "profet_blocks.h"

namespace sextant::nets::zoo_profet_vgg {
namespace {

using namespace profet;

struct Variant {
  const char* name;
  std::array<int, 5> convolutions;  // per stage
  std::int64_t parameters;
  std::int64_t macs;
};

constexpr std::array<std::int64_t, 5> kChannels = {64, 128, 256, 512, 512};

constexpr std::array<Variant, 4> kVariants = {{
    {"VGG11", {1, 1, 2, 2, 2}, 132863336, 7609090048},
    {"VGG13", {2, 2, 2, 2, 2}, 133047848, 11308466176},
    {"VGG16", {2, 2, 3, 3, 3}, 138357544, 15470264320},
    {"VGG19", {2, 2, 4, 4, 4}, 143667240, 19632062464},
}};

Tensor vgg(const Variant& v, KerasBuilder& g, Tensor x, std::int64_t classes) {
  for (std::size_t stage = 0; stage < kChannels.size(); ++stage) {
    for (int i = 0; i < v.convolutions[stage]; ++i) {
      x = g.same_conv(x, kChannels[stage], square(3), {.activation = Function::relu});
    }
    x = g.halve(x);
  }
  x = g.flatten(x);
  for (int i = 0; i < 2; ++i) x = g.linear(x, 4096, true, Function::relu);
  return g.classify(x, classes);
}

}  // namespace

std::vector<Network> plugin() {
  std::vector<Network> family;
  for (const Variant& v : kVariants) {
    family.push_back(network(
        {.name = v.name,
         .summary = "VGG without batch norm and dropout",
         .smallest_image = 32,
         .documented = Documented{v.parameters, v.macs,
                                  "parameters: Keras and torchvision documentation; MACs by hand count"}},
        [v](KerasBuilder& g, Tensor x, std::int64_t classes) { return vgg(v, g, x, classes); }));
  }
  return family;
}

}  // namespace sextant::nets::zoo_profet_vgg
