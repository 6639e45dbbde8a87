#include "builtin_text.h"

#include "sextant/core/embedded_file.h"

namespace sextant::llm {
namespace {

constexpr std::initializer_list<EmbeddedFile> kModelFiles = {
#include "embedded_models.inc"
};

}  // namespace

std::string builtin_text(const std::string& file_name) {
  for (const EmbeddedFile& file : kModelFiles) {
    if (file.name == file_name) return std::string(file.text);
  }
  return {};
}

}  // namespace sextant::llm
