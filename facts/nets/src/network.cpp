#include "sextant/nets/network.h"

#include <filesystem>
#include <map>

#include "decoder_graph.h"
#include "sextant/core/text.h"
#include "sextant/nets/onnx.h"
#include "sextant/nets/random_network.h"

namespace sextant::nets {

namespace {

// Beyond these no machine follows; a larger value is a slip of the keyboard.
constexpr std::int64_t kLargestBatch = std::int64_t{1} << 30;
constexpr std::int64_t kLargestImage = std::int64_t{1} << 16;
constexpr std::int64_t kLargestSequence = std::int64_t{1} << 24;
constexpr std::int64_t kLargestClasses = std::int64_t{1} << 30;

std::int64_t check_size(const char* field, std::int64_t value, std::int64_t largest) {
  if (value >= 1 && value <= largest) return value;
  throw InputError(at_field(field), std::to_string(value) + " is out of range",
                   "from 1 to " + std::to_string(largest));
}

bool names_onnx_file(const std::string& name) {
  return std::filesystem::path(name).extension() == ".onnx";
}

// A configuration of Hugging Face, or the folder that holds one.
bool names_configuration(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path place(path);
  if (std::filesystem::is_directory(place, unknown))
    return std::filesystem::exists(place / "config.json", unknown);
  return to_lower(place.extension().string()) == ".json";
}

bool is_there(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

// How what frameworks keep weights or graphs in comes to ONNX; empty for other endings.
std::string export_hint(const std::string& path) {
  static const std::map<std::string, std::string> ways = {
      {".pt", "torch.onnx.export(model, example, 'model.onnx')"},
      {".pth", "torch.onnx.export(model, example, 'model.onnx')"},
      {".ckpt", "torch.onnx.export(model, example, 'model.onnx')"},
      {".safetensors", "torch.onnx.export(model, example, 'model.onnx')"},
      {".h5", "python -m tf2onnx.convert"},
      {".keras", "python -m tf2onnx.convert"},
      {".pb", "python -m tf2onnx.convert"},
      {".tflite", "python -m tf2onnx.convert"}};
  const auto way = ways.find(to_lower(std::filesystem::path(path).extension().string()));
  return way == ways.end() ? "" : "export it to ONNX: " + way->second;
}

// A file that is not called .onnx may be one all the same.
Network read_other_file(const std::string& path) {
  std::error_code unknown;
  if (names_configuration(path)) return read_decoder_network(path);
  if (std::filesystem::is_directory(path, unknown))
    throw InputError({path}, "this is a folder without a config.json, not a network",
                     "name the ONNX file or the config.json of a network");
  if (!std::filesystem::is_regular_file(path, unknown))
    throw InputError({path}, "this is not a file", "name an ONNX file, or a network of 'sextant list nets'");
  try {
    return read_onnx_network(path);
  } catch (const InputError&) {
    const std::string hint = export_hint(path);
    if (hint.empty()) throw;
    throw InputError({path}, "this is not an ONNX file", hint);
  }
}

}  // namespace

Network find_network(const std::string& name_or_path, const SourcePos& at) {
  if (names_onnx_file(name_or_path)) return read_onnx_network(name_or_path);
  if (const auto number = random_network_number(name_or_path)) return random_network(*number);
  if (zoo().find(name_or_path) == nullptr && is_there(name_or_path)) return read_other_file(name_or_path);
  try {
    return zoo().get(name_or_path, at);
  } catch (const InputError& error) {
    if (error.hint().starts_with("did you mean")) throw;
    throw InputError(
        at, error.message(),
        "'sextant list nets' names the zoo; the path of an ONNX file or of a config.json works too");
  }
}

Sizes bind(const Network& network, const Binding& binding) {
  const Defaults& d = network.defaults;
  Sizes sizes;
  sizes.batch = check_size("batch", binding.batch, kLargestBatch);
  if (network.input == InputKind::image) {
    if (binding.seq)
      throw InputError(at_field("seq"), "network '" + network.id + "' reads images, not tokens");
    sizes.image = check_size("image", binding.image.value_or(d.image), kLargestImage);
    if (sizes.image < d.smallest_image) {
      throw InputError(at_field("image"),
                       std::to_string(sizes.image) + " pixels are too few for network '" + network.id + "'",
                       "at least " + std::to_string(d.smallest_image));
    }
  } else {
    if (binding.image)
      throw InputError(at_field("image"), "network '" + network.id + "' reads tokens, not images");
    sizes.seq = check_size("seq", binding.seq.value_or(d.seq), kLargestSequence);
  }
  if (d.classes > 0) {
    sizes.classes = check_size("classes", binding.classes.value_or(d.classes), kLargestClasses);
  } else if (binding.classes) {
    throw InputError(at_field("classes"), "network '" + network.id + "' does not classify");
  }
  return sizes;
}

Graph build(const Network& network, const Binding& binding) {
  return network.build(bind(network, binding));
}

}  // namespace sextant::nets
