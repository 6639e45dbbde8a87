// Two workers on one study while one of them is killed (SIGKILL) and started again and again: every trial is
// finished exactly once, and no trial is run more often than it was in the hands of somebody who died.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <thread>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "small_study.h"
#include "study_stores.h"

namespace sextant::study {
namespace {

using test::options_in;
using testing::SizeIs;

constexpr std::int64_t kTrials = 200;

// As an operator would: finished trials are counted, claims end soon.
constexpr StudyStoreOptions kStore{.claim_lasts = std::chrono::milliseconds(500), .most_attempts = 1000};

class KilledWorkers : public test::StudyStoresTest {
 protected:
  [[nodiscard]] StudySpec study() const {
    return test::study_of(files_, "strategy = \"random\"\nstop = false\nseed = 7",
                          "[budget]\ntrials = " + std::to_string(kTrials) +
                              "\n[evaluator]\nrun = \"echo x {x} >> ran; echo loss: {x}\"\nshell = true\n");
  }

  // A process that works on the study to its end.
  pid_t start(const std::string& name) const {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    int code = 1;
    try {
      const StudySpec spec = study();
      const auto store = open_study_store(location_, kStore);
      NoProgress progress;
      run_study(spec, *store, options_in(files_, name + std::to_string(::getpid())), progress);
      code = 0;
    } catch (const std::exception& error) {
      std::ofstream(files_.path() / ("error." + name)) << error.what();
    }
    ::_exit(code);
  }

  [[nodiscard]] std::map<std::string, int> runs() const {
    std::map<std::string, int> count;
    for (const std::string& line : split(read_text_file((files_.path() / "ran").string()), '\n')) {
      if (!line.empty()) ++count[line];
    }
    return count;
  }

  TemporaryFolder files_;
};

TEST_P(KilledWorkers, FinishTwoHundredTrialsOnceEach) {
  const pid_t steady = start("steady");
  pid_t victim = start("victim");
  int kills = 0;
  while (::waitpid(steady, nullptr, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(90 + 37 * (kills % 5)));
    if (::waitpid(victim, nullptr, WNOHANG) == 0) {
      ::kill(victim, SIGKILL);
      ::waitpid(victim, nullptr, 0);
      ++kills;
    }
    victim = start("victim");
  }
  ::waitpid(victim, nullptr, 0);
  EXPECT_FALSE(std::filesystem::exists(files_.path() / "error.steady"));
  EXPECT_GE(kills, 5);
  const auto store = open_study_store(location_, kStore);
  const StudySpec spec = study();
  store->open_study({spec.name, spec.text, study_identity(spec)});
  const std::vector<StoredTrial> all = store->trials();
  ASSERT_THAT(all, SizeIs(kTrials));
  std::map<std::string, int> ran = runs();
  std::int64_t again = 0;
  for (const StoredTrial& trial : all) {
    EXPECT_EQ(trial.outcome.state, explore::TrialState::completed)
        << trial.number << ": " << trial.outcome.message;
    EXPECT_EQ(number_text(trial.outcome.metrics.at("loss")), trial.levels[0]);
    const std::string line = "x " + trial.levels[0];
    EXPECT_LE(ran[line], trial.attempts) << line;
    again += trial.attempts - 1;
  }
  EXPECT_THAT(ran, SizeIs(kTrials));  // every configuration was another, and each was run
  EXPECT_LE(again, kills);            // one worker has one trial in hand when it dies
  RecordProperty("kills", kills);
  RecordProperty("trials_again", static_cast<int>(again));
}

INSTANTIATE_TEST_SUITE_P(All, KilledWorkers, testing::Values("sqlite", "postgresql"), test::store_name);

}  // namespace
}  // namespace sextant::study
