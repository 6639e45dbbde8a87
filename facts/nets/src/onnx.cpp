#include "sextant/nets/onnx.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "onnx_model.h"
#include "onnx_translate.h"

namespace sextant::nets {
namespace {

constexpr std::int64_t kUsualImage = 224;   // pixels, where the file leaves them open
constexpr std::int64_t kUsualLength = 128;  // tokens, likewise

// Where sizes stand among an input's extents.
struct Axes {
  std::optional<std::size_t> height;
  std::optional<std::size_t> width;
  std::optional<std::size_t> length;
};

const std::vector<OnnxDim>& dims(const OnnxValue& input) {
  return *input.dims;
}

// Channels last, as TensorFlow has it: three or four colours behind a map.
bool channels_last(const OnnxValue& input) {
  return dims(input)[3].extent.value_or(5) <= 4 && dims(input)[1].extent.value_or(5) > 4;
}

Axes axes(const OnnxValue& input) {
  const std::size_t rank = dims(input).size();
  if (rank == 4) {
    const std::size_t height = channels_last(input) ? 1 : 2;
    return {.height = height, .width = height + 1, .length = {}};
  }
  if ((rank == 2 && input.integer) || rank == 3) return {.height = {}, .width = {}, .length = 1};
  return {};
}

// The input whose extents the user binds stands first: images before sequences before the rest.
void put_main_input_first(OnnxModel& model) {
  const auto importance = [](const OnnxValue& input) {
    const Axes a = axes(input);
    if (dims(input).empty()) return 3;
    return a.height ? 0 : a.length ? 1 : 2;
  };
  std::ranges::stable_sort(model.inputs, {}, importance);
  if (model.inputs.empty() || dims(model.inputs.front()).empty()) {
    throw InputError({model.file}, "the graph has no input with a batch");
  }
}

void check_inputs(const OnnxModel& model) {
  for (const auto& input : model.inputs) {
    if (!input.dims) throw InputError({model.file}, "input '" + onnx_label(input.name) + "' has no shape");
    const Axes a = axes(input);
    for (std::size_t i = 1; i < dims(input).size(); ++i) {
      if (dims(input)[i].extent || i == a.height || i == a.width || i == a.length) continue;
      throw InputError({model.file},
                       "extent " + std::to_string(i) + " of input '" + onnx_label(input.name) +
                           "' is open, and no option sets it",
                       "export the model with only batch, image size or length open");
    }
  }
}

// A model together with the sizes that it states; open ones take the usual values.
struct Imported {
  OnnxModel model;
  std::string id;
  Sizes own;
  bool square = true;
};

std::int64_t stated(const OnnxValue& input, std::optional<std::size_t> axis, std::int64_t fallback) {
  return axis ? dims(input)[*axis].extent.value_or(fallback) : 0;
}

Sizes own_sizes(const OnnxModel& model) {
  const OnnxValue& main = model.inputs.front();
  const Axes a = axes(main);
  return {.batch = stated(main, 0, 1),
          .image = stated(main, a.height, kUsualImage),
          .seq = stated(main, a.length, kUsualLength),
          .classes = 0};
}

// The batch is the first extent of every input that agrees with the main one or leaves it open;
// lengths likewise.
Shape bound_shape(const OnnxValue& input, const Imported& file, const Sizes& sizes) {
  const Axes a = axes(input);
  Shape shape;
  for (std::size_t i = 0; i < dims(input).size(); ++i) {
    const auto& extent = dims(input)[i].extent;
    const bool batch = i == 0 && (!extent || (extent == file.own.batch && dims(input).size() > 1));
    const bool length = i == a.length && (!extent || extent == file.own.seq);
    const bool image =
        (i == a.height || i == a.width) && (!extent || (file.square && extent == file.own.image));
    shape.push_back(batch ? sizes.batch : length ? sizes.seq : image ? sizes.image : extent.value_or(1));
  }
  return shape;
}

Graph translate(const Imported& file, const Sizes& sizes) {
  const auto inputs = [&](const Sizes& at) {
    std::vector<Shape> shapes;
    for (const auto& input : file.model.inputs) shapes.push_back(bound_shape(input, file, at));
    return shapes;
  };
  if (inputs(sizes) == inputs(file.own))
    return OnnxTranslation(file.model, nullptr).run(inputs(sizes), file.id);
  OnnxTranslation reference(file.model, nullptr);
  reference.run(inputs(file.own), file.id);
  return OnnxTranslation(file.model, &reference).run(inputs(sizes), file.id);
}

Graph build_bound(const Imported& file, const Sizes& sizes) {
  if (sizes.classes != file.own.classes) {
    throw InputError(at_field("classes"),
                     file.model.file + " fixes " + std::to_string(file.own.classes) + " classes",
                     "leave the option out");
  }
  const bool fixed = !file.square || file.own.image == 0;
  if (fixed && sizes.image > 1 && sizes.image != file.own.image) {
    throw InputError(at_field("image"), file.model.file + " does not read square images",
                     "leave the option out");
  }
  return translate(file, sizes);
}

// Last extent of the first output, which for a classifier is the number of classes.
std::int64_t output_classes(const Imported& file) {
  const auto& output = file.model.outputs.front().dims;
  if (output && !output->empty() && output->back().extent) return *output->back().extent;
  try {
    const Graph graph = translate(file, file.own);
    const Shape& shape = graph.nodes.at(static_cast<std::size_t>(graph.outputs.front())).output;
    return shape.empty() ? 1 : shape.back();
  } catch (const InputError&) {
    return 1;  // the usual image does not fit; the user's may
  }
}

Network network(const std::shared_ptr<const Imported>& file) {
  const Axes a = axes(file->model.inputs.front());
  const std::string producer = file->model.producer.empty() ? "" : " written by " + file->model.producer;
  return {.id = file->id,
          .summary = "ONNX model" + producer,
          .reference = file->model.file,
          .input = a.length ? InputKind::tokens : InputKind::image,
          .defaults = {.image = std::max<std::int64_t>(file->own.image, 1),
                       .seq = file->own.seq,
                       .classes = file->own.classes,
                       .smallest_image = 1},
          .build = [file](const Sizes& sizes) { return build_bound(*file, sizes); }};
}

Network import(std::istream& in, const std::string& file_name) {
  auto file = std::make_shared<Imported>();
  file->model = read_onnx_model(in, file_name);
  take_weight_inputs(file->model);
  check_onnx_model(file->model);
  note_folded_norms(file->model);
  fuse_onnx_patterns(file->model);
  check_inputs(file->model);
  put_main_input_first(file->model);
  file->id =
      file_name;  // find_network() gives the same network for it, and no entry of the zoo has such a name
  file->own = own_sizes(file->model);
  const OnnxValue& main = file->model.inputs.front();
  const Axes a = axes(main);
  file->square =
      !a.height || stated(main, a.height, file->own.image) == stated(main, a.width, file->own.image);
  file->own.classes = output_classes(*file);
  return network(std::move(file));
}

}  // namespace

Network read_onnx_network(const std::string& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) throw InputError({path}, "this is a folder, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError({path}, std::string("the file cannot be read: ") + std::strerror(errno));
  return import(in, path);
}

Network parse_onnx_network(const std::string& bytes, const std::string& file_name) {
  std::istringstream in(bytes);
  return import(in, file_name);
}

}  // namespace sextant::nets
