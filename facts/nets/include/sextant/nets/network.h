// A network by name: an entry of the zoo, an ONNX file, or a config.json of Hugging Face. Binding batch,
// image size, sequence length and class count gives its graph.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/registry.h"
#include "sextant/nets/decoder.h"
#include "sextant/nets/graph.h"

namespace sextant::nets {

// What a network reads. Unset extents take the network's default.
enum class InputKind { image, tokens };

struct Binding {
  std::int64_t batch = 1;
  std::optional<std::int64_t> image = {};    // pixels, square
  std::optional<std::int64_t> seq = {};      // tokens
  std::optional<std::int64_t> classes = {};  // 0 classes make no sense; vocabulary is not a class count
};

// Defaults of a network, and the smallest input for which every window fits.
struct Defaults {
  std::int64_t image = 224;
  std::int64_t seq = 0;
  std::int64_t classes = 1000;  // 0 for a network that does not classify: a language model
  std::int64_t smallest_image = 1;
};

// A binding with everything filled in and checked.
struct Sizes {
  std::int64_t batch = 1;
  std::int64_t image = 0;
  std::int64_t seq = 0;
  std::int64_t classes = 0;
};

// Totals that somebody else has published, at the default sizes; the contract tests compare them.
struct Documented {
  std::int64_t parameters = 0;  // trainable
  std::int64_t macs = 0;        // 0 where no source gives the exact figure
  std::string source;
};

struct Network {
  static constexpr PluginKind kKind = {"net", "nets", "networks of the zoo", "network"};

  std::string id;  // kebab-case; "profet/resnet50"; of an ONNX file its path
  std::string summary;
  std::string reference;
  InputKind input = InputKind::image;
  Defaults defaults;
  std::optional<Documented> documented = {};
  std::vector<std::string> aliases = {};
  std::function<Graph(const Sizes&)> build;
  // Of a transformer, its sizes: what models of large language models ask. None for other networks.
  std::shared_ptr<const Decoder> decoder = {};
};

// All networks of facts/nets/zoo, sorted by id.
const Registry<Network>& zoo();

// A zoo name, or the path of an ONNX file, of a config.json or of a folder that holds one. A file of another
// ending is read where no network is called so.
Network find_network(const std::string& name_or_path, const SourcePos& at = {});

// Fills in defaults. Throws InputError for sizes that are not positive, below the smallest image, or
// beyond what any machine holds, and for an extent that the network does not have.
Sizes bind(const Network& network, const Binding& binding);
Graph build(const Network& network, const Binding& binding);

}  // namespace sextant::nets
