// All-reduce of 44 MB, the gradients of a ResNet-18, between two processes: through our transports and by
// calling Gloo and MPI directly, in turn.
#include <gloo/allreduce.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "comparisons.h"
#include "pairs.h"
#include "sextant/core/error.h"
#include "sextant/engine/transports.h"
#include "sextant/measure/clock.h"

namespace sextant::bench {
namespace {

constexpr std::size_t kValues = 11'000'000;
constexpr int kPairs = 21;

template <class Call>
double seconds_of(const Call& call) {
  const std::int64_t start = measure::monotonic_ns();
  call();
  return static_cast<double>(measure::monotonic_ns() - start) * 1e-9;
}

// Which of the two goes first changes from pair to pair; the first pair warms up.
template <class Ours, class Direct>
TimedPairs timed_pairs(measure::Transport& transport, const Ours& ours, const Direct& direct) {
  TimedPairs pairs;
  for (int i = 0; i <= kPairs; ++i) {
    double times[2] = {0, 0};
    for (const int which : {i % 2, 1 - i % 2}) {
      transport.barrier();
      times[which] = which == 0 ? seconds_of(ours) : seconds_of(direct);
    }
    if (i == 0) continue;
    pairs.subject.push_back(times[0]);
    pairs.baseline.push_back(times[1]);
  }
  return pairs;
}

measure::Trial two_workers(const std::string& transport) {
  measure::Trial trial;
  trial.strategy = "all-reduce";
  trial.workers = 2;
  trial.transport = transport;
  return trial;
}

void gloo_rank(const std::filesystem::path& path, int rank) {
  const measure::Trial trial = two_workers("gloo-tcp");
  const auto transport =
      engine::join_gloo({.trial = trial, .folder = measure::RunFolder(path), .rank = rank});
  gloo::transport::tcp::attr attr("127.0.0.1");
  auto device = gloo::transport::tcp::CreateDevice(attr);
  gloo::rendezvous::FileStore store((path / "direct").string());
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, 2);
  context->connectFullMesh(store, device);

  std::vector<float> values(kValues, 1);
  const TimedPairs pairs = timed_pairs(
      *transport, [&] { transport->all_reduce(values); },
      [&] {
        gloo::AllreduceOptions options(context);
        options.setOutput(values.data(), values.size());
        options.setReduceFunction(
            static_cast<void (*)(void*, const void*, const void*, std::size_t)>(&gloo::sum<float>));
        gloo::allreduce(options);
      });
  if (rank == 0) print_pairs("gloo-tcp, 44 MB, against gloo::allreduce", pairs);
}

}  // namespace

void compare_gloo() {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("engine_bench." + std::to_string(measure::monotonic_ns()));
  std::filesystem::create_directories(path / "rendezvous");
  std::filesystem::create_directories(path / "direct");
  const pid_t child = fork();
  if (child < 0) throw SystemError("fork failed");
  if (child == 0) {
    gloo_rank(path, 1);
    _exit(0);
  }
  gloo_rank(path, 0);
  waitpid(child, nullptr, 0);
  std::filesystem::remove_all(path);
}

void compare_mpi() {
  int level = 0;
  int rank = 0;
  int size = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) throw SystemError("two ranks are needed: mpirun -n 2 engine_bench mpi");
  const measure::Trial trial = two_workers("mpi-shm");
  const auto transport = engine::join_mpi({.trial = trial, .folder = measure::RunFolder("."), .rank = rank});
  std::vector<float> values(kValues, 1);
  const TimedPairs pairs = timed_pairs(
      *transport, [&] { transport->all_reduce(values); },
      [&] {
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_FLOAT, MPI_SUM,
                      MPI_COMM_WORLD);
      });
  if (rank == 0) print_pairs("mpi-shm, 44 MB, against MPI_Allreduce", pairs);
}

}  // namespace sextant::bench
