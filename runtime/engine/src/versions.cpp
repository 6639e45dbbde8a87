#include <ATen/Version.h>
#include <gloo/config.h>
#include <mpi.h>
#include <torch/csrc/api/include/torch/version.h>

#include <array>

#include "process_settings.h"
#include "sextant/core/text.h"
#include "sextant/engine/executor.h"

namespace sextant::engine {
namespace {

// "Intel(R) MKL-DNN v2.6.0 (Git Hash …)": the part before the parenthesis with the hash.
std::string onednn_version() {
  const std::string text = at::get_mkldnn_version();
  const std::size_t version = text.find(" v");
  if (version == std::string::npos) return text;
  return text.substr(version + 2, text.find(' ', version + 1) - version - 2);
}

std::string gloo_version() {
  return std::to_string(GLOO_VERSION_MAJOR) + "." + std::to_string(GLOO_VERSION_MINOR) + "." +
         std::to_string(GLOO_VERSION_PATCH);
}

// Allowed before MPI_Init. Some put their whole build into the text: its first sentence is enough.
std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text = {};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data(), static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> engine_versions() {
  return {{"torch", TORCH_VERSION},
          {"blas", std::string(trim(blas_description()))},
          {"onednn", onednn_version()},
          {"gloo", gloo_version()},
          {"mpi", mpi_version()}};
}

}  // namespace sextant::engine
