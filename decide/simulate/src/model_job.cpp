#include "model_job.h"

#include <cctype>
#include <string>
#include <vector>

#include "sextant/core/text.h"

namespace sextant::simulate {
namespace {

constexpr std::int64_t kUsualBatch = 32;

// "ResNet-50", "resnet_50" and "resnet50" are one network.
std::string letters_of(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string network_of(std::string_view name) {
  std::vector<std::string> known;
  for (const nets::Network& network : nets::zoo().all()) {
    if (letters_of(network.id) == letters_of(name)) return network.id;
    known.push_back(network.id);
  }
  throw InputError({}, "there is no network '" + std::string(trim(name)) + "' to predict",
                   name_hint(name, known));
}

// "batch size 64", "image 32", "seq 128"
void read_size(std::string_view part, nets::Binding& sizes) {
  const std::string text(trim(part));
  const std::size_t gap = text.find_last_of(' ');
  const auto value = to_integer(gap == std::string::npos ? text : text.substr(gap + 1));
  const std::string name = to_lower(trim(text.substr(0, gap == std::string::npos ? 0 : gap)));
  if (!value || *value < 1) throw InputError({}, "'" + text + "' is no size", "as in 'batch size 64'");
  if (name == "batch size" || name == "batch") {
    sizes.batch = *value;
  } else if (name == "image") {
    sizes.image = *value;
  } else if (name == "seq") {
    sizes.seq = *value;
  } else {
    throw InputError({}, "'" + text + "' is no size", "known are batch size, image, seq");
  }
}

}  // namespace

jobs::Job job_of_model(std::string_view text, const jobs::Job& usual) {
  const std::size_t open = text.find('(');
  jobs::Job job = usual;
  job.net = network_of(text.substr(0, open));
  job.sizes = {.batch = kUsualBatch};
  if (open == std::string_view::npos) return job;
  const std::size_t close = text.rfind(')');
  if (close == std::string_view::npos || close < open) {
    throw InputError({}, "'" + std::string(text) + "' lacks a closing parenthesis");
  }
  for (const std::string& part : split(text.substr(open + 1, close - open - 1), ','))
    read_size(part, job.sizes);
  return job;
}

}  // namespace sextant::simulate
