#include "sextant/measure/checkpoint.h"

#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>

#include "flat_hash.h"
#include "sextant/core/error.h"
#include "sextant/measure/run_folder.h"

namespace sextant::measure {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::array<char, 8> kMagic = {'S', 'X', 'T', 'C', 'K', 'P', 'T', '\n'};
constexpr std::uint32_t kVersion = 1;

struct CheckpointHead {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t optimizer = 0;
  std::int64_t iteration = 0;
  std::int64_t updates = 0;
  std::uint64_t parameters = 0;  // values
  std::uint64_t statistics = 0;
  std::uint64_t moments = 0;
  std::uint64_t hash = 0;  // of everything else, this being 0
};
static_assert(sizeof(CheckpointHead) == 64);

std::uint64_t hash_of(CheckpointHead head, std::string_view values) {
  head.hash = 0;
  return flat_hash({reinterpret_cast<const char*>(&head), sizeof(head)}) ^ (flat_hash(values) * 3);
}

template <class T>
std::string_view view_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::vector<float> take(std::string_view& values, std::uint64_t count) {
  std::vector<float> taken(count);
  if (count > 0) std::memcpy(taken.data(), values.data(), count * sizeof(float));
  values.remove_prefix(count * sizeof(float));
  return taken;
}

constexpr const char* kHint = "remove it to start training from the beginning";

void check_head(const CheckpointHead& head, std::size_t bytes, const SourcePos& at) {
  if (head.magic != kMagic) throw InputError(at, "this is not a checkpoint", kHint);
  if (head.version != kVersion) {
    throw InputError(at, "checkpoint of version " + std::to_string(head.version) + "; this program reads " +
                             std::to_string(kVersion));
  }
  if (head.optimizer > static_cast<std::uint32_t>(jobs::Optimizer::adam) || head.iteration < 0 ||
      head.updates < 0) {
    throw InputError(at, "the header of the checkpoint makes no sense", kHint);
  }
  const std::uint64_t most = bytes / sizeof(float);  // keeps the sum below from running over
  if (head.parameters > most || head.statistics > most || head.moments > most ||
      (head.parameters + head.statistics + head.moments) * sizeof(float) != bytes) {
    throw InputError(at, "the checkpoint is cut off, or longer than it says", kHint);
  }
  const int arrays = optimizer_state_values(static_cast<jobs::Optimizer>(head.optimizer));
  if (head.moments != head.parameters * static_cast<std::uint64_t>(arrays)) {
    throw InputError(at, "the checkpoint's moments are not those of its optimizer", kHint);
  }
}

}  // namespace

std::string checkpoint_bytes(const TrainingCheckpoint& checkpoint) {
  CheckpointHead head;
  head.optimizer = static_cast<std::uint32_t>(checkpoint.optimizer);
  head.iteration = checkpoint.iteration;
  head.updates = checkpoint.updates;
  head.parameters = checkpoint.parameters.size();
  head.statistics = checkpoint.statistics.size();
  head.moments = checkpoint.moments.size();
  std::string bytes(sizeof(head), '\0');
  bytes.reserve(sizeof(head) + sizeof(float) * (head.parameters + head.statistics + head.moments));
  bytes += view_of(checkpoint.parameters);
  bytes += view_of(checkpoint.statistics);
  bytes += view_of(checkpoint.moments);
  head.hash = hash_of(head, std::string_view(bytes).substr(sizeof(head)));
  std::memcpy(bytes.data(), &head, sizeof(head));
  return bytes;
}

TrainingCheckpoint parse_checkpoint(std::string_view bytes, const std::string& file_name) {
  const SourcePos at{file_name};
  CheckpointHead head;
  if (bytes.size() < sizeof(head)) throw InputError(at, "this is not a checkpoint: too short", kHint);
  std::memcpy(&head, bytes.data(), sizeof(head));
  bytes.remove_prefix(sizeof(head));
  check_head(head, bytes.size(), at);
  if (hash_of(head, bytes) != head.hash) {
    throw InputError(at, "the checkpoint was changed: its checksum does not fit", kHint);
  }
  TrainingCheckpoint checkpoint{.iteration = head.iteration,
                                .optimizer = static_cast<jobs::Optimizer>(head.optimizer),
                                .updates = head.updates};
  checkpoint.parameters = take(bytes, head.parameters);
  checkpoint.statistics = take(bytes, head.statistics);
  checkpoint.moments = take(bytes, head.moments);
  return checkpoint;
}

void write_checkpoint(const std::filesystem::path& path, const TrainingCheckpoint& checkpoint) {
  write_file_atomically(path, checkpoint_bytes(checkpoint));
}

TrainingCheckpoint read_checkpoint(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream contents;
  if (!file || !(contents << file.rdbuf())) throw SystemError("cannot read checkpoint " + path.string());
  return parse_checkpoint(contents.view(), path.string());
}

}  // namespace sextant::measure
