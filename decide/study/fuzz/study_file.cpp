// Whatever the bytes, a study is read or refused; of one that was read, evaluators refuse settings politely.
#include "sextant/study/study_file.h"

#include <cstdint>

namespace {

const sextant::catalog::Catalog& catalog() {
  static const sextant::catalog::Catalog all = sextant::catalog::builtin_catalog();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sextant::study::StudySpec study = sextant::study::parse_study(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml", catalog());
    (void)sextant::study::study_identity(study);
  } catch (const sextant::InputError&) {
  }
  return 0;
}
