#include "transfer_queue.h"

#include <gtest/gtest.h>

#include <chrono>

#include "sextant/core/rng.h"

namespace sextant::measure {
namespace {

TEST(TransferQueue, TransfersInOrderAndNotBeforeTheirTensors) {
  Rng rng = Rng(1).stream("queue");
  for (const bool overlap : {false, true}) {
    std::vector<std::atomic<bool>> final(10);
    std::vector<std::size_t> seen;
    bool early = false;
    const std::vector<std::size_t> needs = {2, 2, 5, 9};
    TransferQueue queue(needs, overlap, [&](std::size_t i, std::int64_t) {
      seen.push_back(i);
      for (std::size_t t = 0; t <= needs[i]; ++t) early = early || !final[t];
    });
    for (int iteration = 0; iteration < 200; ++iteration) {
      for (auto& flag : final) flag = false;
      seen.clear();
      std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
      for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
      for (const std::size_t tensor : order) {
        final[tensor] = true;
        queue.ready(tensor);
      }
      queue.finish();
      ASSERT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3}));
      ASSERT_FALSE(early);
    }
  }
}

TEST(TransferQueue, CountsTransfersWhereverTheyRan) {
  const auto nap = [](std::size_t, std::int64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  TransferQueue after({0, 1}, false, nap);
  after.ready(0);
  after.ready(1);
  EXPECT_GE(after.finish(), 0.04);

  TransferQueue beside({0, 1}, true, nap);
  beside.ready(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));  // the backward pass goes on
  beside.ready(1);
  EXPECT_GE(beside.finish(), 0.04) << "also what nobody waited for";
}

TEST(TransferQueue, HandsOverWhatATransferThrew) {
  for (const bool overlap : {false, true}) {
    TransferQueue queue({0}, overlap, [](std::size_t, std::int64_t) { throw std::runtime_error("cable"); });
    queue.ready(0);
    EXPECT_THROW(queue.finish(), std::runtime_error);
  }
}

TEST(TransferQueue, WithNothingToTransferIsDone) {
  for (const bool overlap : {false, true}) {
    TransferQueue queue({}, overlap, [](std::size_t, std::int64_t) { FAIL(); });
    queue.ready(0);
    EXPECT_EQ(queue.finish(), 0);
  }
}

}  // namespace
}  // namespace sextant::measure
