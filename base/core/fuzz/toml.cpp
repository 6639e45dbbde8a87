// Whatever the bytes, TOML is read or refused, and every key can be asked for in every form.
#include "sextant/core/toml.h"

#include <cstdint>
#include <string>

namespace {

template <class Read>
void attempt(Read read) {
  try {
    read();
  } catch (const sextant::InputError&) {
  }
}

void walk(sextant::TomlSection section) {
  for (const auto& key : section.keys()) {
    attempt([&] { (void)section.text(key); });
    attempt([&] { (void)section.number(key); });
    attempt([&] { (void)section.scalar(key); });
    attempt([&] { (void)section.scalars(key); });
    attempt([&] { (void)section.texts(key); });
    attempt([&] { walk(section.section(key)); });
    attempt([&] {
      for (auto& inner : section.sections(key)) walk(inner);
    });
  }
  attempt([&] { section.finish(); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attempt([&] {
    walk(sextant::parse_toml(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml"));
  });
  return 0;
}
