#include "sextant/measure/checkpoint.h"

#include <gmock/gmock.h>

#include <fstream>

#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "temporary_folder.h"

namespace sextant::measure {
namespace {

TrainingCheckpoint drawn_checkpoint(Rng& rng) {
  TrainingCheckpoint checkpoint;
  checkpoint.iteration = static_cast<std::int64_t>(rng.below(1000));
  checkpoint.updates = checkpoint.iteration;
  checkpoint.optimizer = static_cast<jobs::Optimizer>(rng.below(4));
  checkpoint.parameters.resize(rng.below(100));
  checkpoint.statistics.resize(rng.below(20));
  checkpoint.moments.resize(checkpoint.parameters.size() *
                            static_cast<std::size_t>(optimizer_state_values(checkpoint.optimizer)));
  for (auto* values : {&checkpoint.parameters, &checkpoint.statistics, &checkpoint.moments}) {
    for (float& value : *values) value = static_cast<float>(rng.normal());
  }
  return checkpoint;
}

TEST(Checkpoint, ComesBackAsItWas) {
  Rng rng = Rng(2).stream("checkpoint");
  const TemporaryFolder folder;
  for (int run = 0; run < 50; ++run) {
    const TrainingCheckpoint checkpoint = drawn_checkpoint(rng);
    write_checkpoint(folder.path() / "checkpoint", checkpoint);
    EXPECT_EQ(read_checkpoint(folder.path() / "checkpoint"), checkpoint);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1)
      << "nothing is left over";
}

TEST(Checkpoint, EveryTruncationAndEveryChangedByteIsNoticed) {
  Rng rng = Rng(3).stream("checkpoint");
  TrainingCheckpoint checkpoint = drawn_checkpoint(rng);
  const std::string bytes = checkpoint_bytes(checkpoint);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse_checkpoint(std::string_view(bytes).substr(0, length), "cut"), InputError) << length;
  }
  EXPECT_THROW(parse_checkpoint(bytes + "x", "longer"), InputError);
  EXPECT_THROW(parse_checkpoint(bytes + "1234", "longer"), InputError);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {0, 3, 7}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      EXPECT_THROW(parse_checkpoint(changed, "changed"), InputError) << at;
    }
  }
}

TEST(Checkpoint, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_checkpoint(folder.path() / "none"), SystemError);
  std::ofstream(folder.path() / "foreign") << std::string(200, 'x');
  try {
    read_checkpoint(folder.path() / "foreign");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("foreign"));
    EXPECT_THAT(error.what(), testing::HasSubstr("not a checkpoint"));
    EXPECT_FALSE(error.hint().empty());
  }
  std::string newer = checkpoint_bytes({});
  newer[8] = 9;
  try {
    parse_checkpoint(newer, "newer");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("version 9"));
  }
}

}  // namespace
}  // namespace sextant::measure
