// Open MPI, through shared memory or TCP as mpirun was told. The library's own all-reduce chooses algorithms
// by size and machine, so that nobody knows what it sends; ours is a ring, sends 2 (n-1)/n of the values, is
// no slower, and notices a neighbour that was stopped.
#include <mpi.h>

#include <exception>

#include "mpi_calls.h"
#include "sent_bytes.h"
#include "sextant/core/error.h"
#include "sextant/engine/transports.h"
#include "socket_bytes.h"

namespace sextant::engine {
namespace {

// Segments of the ring. Through shared memory a segment should stay in the second-level cache while it is
// added up; over TCP both ends have to be awake to start one, so that fewer are better.
constexpr std::size_t kMemorySegment = 128 * 1024;  // values
constexpr std::size_t kSocketSegment = 512 * 1024;
constexpr std::size_t kLargestMessage = std::size_t{1} << 30;  // MPI counts with int

void start_mpi() {
  int running = 0;
  MPI_Initialized(&running);
  if (running != 0) return;
  int level = 0;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level), "start");
  if (level < MPI_THREAD_MULTIPLE) throw SystemError("this MPI does not serve several threads at once");
}

class MpiTransport final : public measure::Transport {
 public:
  explicit MpiTransport(const TransportSetup& setup)
      : rank_(setup.rank),
        size_(rank_count(setup.trial)),
        workers_(setup.trial.workers),
        sockets_(measure::transports().get(setup.trial.transport).id == "mpi-tcp"),
        wait_(setup.trial.timeout_s) {
    start_mpi();
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != size_ || rank != rank_) {
      throw SystemError("MPI knows this process as rank " + std::to_string(rank) + " of " +
                        std::to_string(size) + ", the trial as rank " + std::to_string(rank_) + " of " +
                        std::to_string(size_) + ": start all of them with mpirun");
    }
    check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &all_), "join");
    check_mpi(MPI_Comm_split(all_, rank_ < workers_ ? 0 : MPI_UNDEFINED, rank, &crew_), "join");
    MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN);
    if (crew_ != MPI_COMM_NULL) MPI_Comm_set_errhandler(crew_, MPI_ERRORS_RETURN);
  }

  // MPI_Finalize waits for all ranks: after a failure some never come.
  ~MpiTransport() override {
    if (std::uncaught_exceptions() == 0) MPI_Finalize();
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  [[nodiscard]] std::int64_t rank() const override { return rank_; }
  [[nodiscard]] std::int64_t size() const override { return size_; }

  void all_reduce(std::span<float> values) override {
    if (values.empty() || workers_ == 1) return;
    ring_all_reduce(crew_, values,
                    {.wait = wait_, .segment_values = sockets_ ? kSocketSegment : kMemorySegment});
    sent_.all_reduce(values.size_bytes(), workers_);
  }

  void barrier() override {
    if (workers_ == 1) return;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(crew_, &request), "barrier");
    wait_(request, [] { return "another worker"; });
  }

  void send(std::int64_t to, std::uint32_t tag, std::span<const std::byte> bytes) override {
    for_pieces(
        bytes,
        [&](const std::span<const std::byte> piece, MPI_Request& request) {
          return MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, static_cast<int>(to),
                           static_cast<int>(tag), all_, &request);
        },
        to);
    sent_.message(bytes.size());
  }

  void receive(std::int64_t from, std::uint32_t tag, std::span<std::byte> bytes) override {
    for_pieces(
        bytes,
        [&](const std::span<std::byte> piece, MPI_Request& request) {
          return MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, static_cast<int>(from),
                           static_cast<int>(tag), all_, &request);
        },
        from);
  }

  [[nodiscard]] measure::WireBytes bytes() const override {
    measure::WireBytes bytes = sent_.sum();
    if (sockets_) bytes.kernel = kernel_bytes_sent();
    return bytes;
  }

 private:
  template <class Byte, class Start>
  void for_pieces(std::span<Byte> bytes, const Start& start, std::int64_t peer) {
    do {
      const std::span<Byte> piece = bytes.first(std::min(bytes.size(), kLargestMessage));
      MPI_Request request = MPI_REQUEST_NULL;
      check_mpi(start(piece, request), "message");
      wait_(request, [peer] { return "rank " + std::to_string(peer); });
      bytes = bytes.subspan(piece.size());
    } while (!bytes.empty());
  }

  std::int64_t rank_;
  std::int64_t size_;
  std::int64_t workers_;
  bool sockets_;
  MpiWait wait_;
  MPI_Comm all_ = MPI_COMM_NULL;
  MPI_Comm crew_ = MPI_COMM_NULL;  // the workers
  SentBytes sent_;
};

}  // namespace

std::unique_ptr<measure::Transport> join_mpi(const TransportSetup& setup) {
  return std::make_unique<MpiTransport>(setup);
}

}  // namespace sextant::engine
