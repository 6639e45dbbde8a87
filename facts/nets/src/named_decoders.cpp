#include "named_decoders.h"

#include <nlohmann/json.hpp>

#include "decoder_json.h"
#include "sextant/core/embedded_file.h"
#include "sextant/core/json_place.h"

namespace sextant::nets {
namespace {

constexpr std::initializer_list<EmbeddedFile> kDecoderFiles = {
#include "embedded_decoders.inc"
};

NamedDecoder read_named(const Json& entry, const std::string& source) {
  NamedDecoder named{.decoder = decoder_of_json(entry.at("config")),
                     .summary = entry.at("summary"),
                     .reference = entry.at("reference"),
                     .aliases = entry.value("aliases", std::vector<std::string>{}),
                     .length = entry.at("length"),
                     .published = {}};
  named.decoder.name = entry.at("name");
  named.decoder.source = source;
  if (entry.contains("parameters")) named.published = entry.at("parameters").get<std::int64_t>();
  return named;
}

std::vector<NamedDecoder> read_all_named() {
  std::vector<NamedDecoder> all;
  for (const EmbeddedFile& file : kDecoderFiles) {
    const Json document = parse_json(std::string(file.text), file.name);
    read_document(document, file.name, "", [&](const Json& json) {
      for (const Json& entry : json.at("decoders")) all.push_back(read_named(entry, json.at("source")));
      return 0;
    });
  }
  return all;
}

}  // namespace

const std::vector<NamedDecoder>& named_decoders() {
  static const std::vector<NamedDecoder> all = read_all_named();
  return all;
}

}  // namespace sextant::nets
