// Whatever the bytes, a space is read or refused; of one that was read, draws are valid and texts read back.
#include "sextant/explore/space_toml.h"

#include <cstdint>
#include <cstdlib>

namespace {

sextant::explore::MachineLookup machines() {
  const sextant::explore::KnownMachine small{
      .id = "small", .numbers = {{"vcpus", 2}}, .texts = {{"cloud", "a"}}};
  return {.find =
              [small](const std::string& name, const sextant::SourcePos& at) {
                if (name != "small") throw sextant::InputError(at, "unknown machine type");
                return small;
              },
          .all = [small] { return std::vector{small}; }};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    sextant::TomlSection root =
        sextant::parse_toml(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml");
    const sextant::explore::SearchSpace space = sextant::explore::read_space(root, machines());
    root.finish();
    sextant::Rng rng = sextant::Rng(1).stream("fuzz");
    const sextant::explore::Configuration drawn = space.draw(rng);
    if (!space.valid(drawn)) std::abort();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < space.factors().size(); ++i) texts.push_back(space.text(drawn, i));
    if (!(space.parse(texts) == drawn)) std::abort();
    if (space.features(drawn).size() != space.columns().size()) std::abort();
    (void)space.at(space.unit(drawn));
    (void)sextant::explore::candidates(space, 10, rng);
  } catch (const sextant::InputError&) {
  }
  return 0;
}
