#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "mpi_calls.h"

namespace sextant::engine {
namespace {

constexpr int kTag = 1;

// Steps 0 … n-2 sum: in step s this rank sends part rank-s and adds what comes to part rank-s-1. Steps n-1 …
// 2n-3 spread: it sends part rank+1-s' and takes part rank-s' as it comes, s' = s-(n-1). Either way what it
// received in one step is what it sends in the next, segment by segment.
class RingAllReduce {
 public:
  RingAllReduce(MPI_Comm ring, std::span<float> values, const RingSettings& settings)
      : ring_(ring), values_(values), wait_(settings.wait) {
    MPI_Comm_rank(ring, &rank_);
    MPI_Comm_size(ring, &size_);
    const std::size_t largest =
        (values.size() + static_cast<std::size_t>(size_) - 1) / static_cast<std::size_t>(size_);
    segments_ = std::max<std::size_t>(1, (largest + settings.segment_values - 1) / settings.segment_values);
    total_ = static_cast<std::size_t>(2 * (size_ - 1)) * segments_;
    sends_.assign(total_, MPI_REQUEST_NULL);
    for (auto& buffer : incoming_) buffer.resize(largest / segments_ + 1);
  }

  void run() {
    for (std::size_t i = 0; i < segments_; ++i) send(i);
    for (std::size_t i = 0; i < kAhead; ++i) receive(i);
    for (std::size_t i = 0; i < total_; ++i) {
      wait_(receives_[i % kAhead], [this] { return neighbour(left()); });
      if (summing(i)) add(incoming_[i % kAhead], segment(i + segments_));
      if (i + segments_ < total_) send(i + segments_);
      receive(i + kAhead);
    }
    for (auto& request : sends_) wait_(request, [this] { return neighbour(right()); });
  }

 private:
  static constexpr std::size_t kAhead = 2;  // receives that are posted

  [[nodiscard]] int left() const { return (rank_ + size_ - 1) % size_; }
  [[nodiscard]] int right() const { return (rank_ + 1) % size_; }
  static std::string neighbour(int rank) { return "rank " + std::to_string(rank); }
  [[nodiscard]] bool summing(std::size_t transfer) const {
    return transfer / segments_ < static_cast<std::size_t>(size_ - 1);
  }

  // What is sent in transfer `step * segments + k`; what is received in it is what is sent a step later.
  [[nodiscard]] std::span<float> segment(std::size_t transfer) const {
    const auto n = static_cast<std::size_t>(size_);
    const std::size_t step = transfer / segments_;
    const std::size_t k = transfer % segments_;
    const std::size_t part = (static_cast<std::size_t>(rank_) + 2 * n - step) % n;
    const std::size_t begin = values_.size() * part / n;
    const std::size_t length = values_.size() * (part + 1) / n - begin;
    const std::size_t from = length * k / segments_;
    return values_.subspan(begin + from, length * (k + 1) / segments_ - from);
  }

  void send(std::size_t transfer) {
    const auto part = segment(transfer);
    check_mpi(MPI_Isend(part.data(), static_cast<int>(part.size()), MPI_FLOAT, right(), kTag, ring_,
                        &sends_[transfer]),
              "all-reduce");
  }

  void receive(std::size_t transfer) {
    if (transfer >= total_) return;
    const auto part = segment(transfer + segments_);
    float* to = incoming_[transfer % kAhead].data();
    if (!summing(transfer)) {
      // This segment was sent when it was summed; by now the neighbour has it.
      const std::size_t sent = transfer - (static_cast<std::size_t>(size_) - 1) * segments_;
      wait_(sends_[sent], [this] { return neighbour(right()); });
      to = part.data();
    }
    check_mpi(MPI_Irecv(to, static_cast<int>(part.size()), MPI_FLOAT, left(), kTag, ring_,
                        &receives_[transfer % kAhead]),
              "all-reduce");
  }

  static void add(const std::vector<float>& from, std::span<float> to) {
    const float* __restrict in = from.data();
    float* __restrict out = to.data();
    for (std::size_t i = 0; i < to.size(); ++i) out[i] += in[i];
  }

  MPI_Comm ring_;
  std::span<float> values_;
  const MpiWait& wait_;
  int rank_ = 0;
  int size_ = 1;
  std::size_t segments_ = 1;  // of each part
  std::size_t total_ = 0;     // transfers
  std::vector<MPI_Request> sends_;
  std::array<MPI_Request, kAhead> receives_ = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::array<std::vector<float>, kAhead> incoming_;
};

}  // namespace

void ring_all_reduce(MPI_Comm ring, std::span<float> values, const RingSettings& settings) {
  RingAllReduce(ring, values, settings).run();
}

}  // namespace sextant::engine
