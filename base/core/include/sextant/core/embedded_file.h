// A data file of the tree that is part of the program. The build writes those of a folder as a list
// (sextant_embed):
//   constexpr std::initializer_list<EmbeddedFile> kFiles = {
//   #include "embedded_data.inc"
//   };
#pragma once

#include <initializer_list>
#include <string_view>

namespace sextant {

struct EmbeddedFile {
  const char* name;  // without its folder
  std::string_view text;
};

}  // namespace sextant
