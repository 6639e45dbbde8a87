// Trials as text, all fields written out: what a worker does depends on this file alone.
#include <limits>
#include <nlohmann/json.hpp>

#include "sextant/measure/run_file_reader.h"
#include "sextant/measure/trial.h"

namespace sextant::measure {
namespace {

constexpr const char* kTrialSchema = "sextant.trial/1";
constexpr std::int64_t kMostOfATrial = 1'000'000'000;
constexpr std::int64_t kMostProcesses = 100'000;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

std::string failure_text(OnFailure on_failure) {
  return on_failure == OnFailure::stop ? "stop" : "shrink";
}

class TrialReader : RunFileReader {
 public:
  explicit TrialReader(std::string file) : RunFileReader(file), at_{std::move(file)} {}

  [[nodiscard]] Trial read(const Json& json) const {
    check_schema(json, kTrialSchema, "a trial", "sextant measure");
    only(json, {"schema",     "net",     "sizes",     "optimizer",  "learning_rate", "momentum",
                "strategy",   "workers", "servers",   "transport",  "bucket_mb",     "overlap",
                "threads",    "data",    "prefetch",  "iterations", "warmup",        "epochs",
                "seed",       "spans",   "operators", "timeout_s",  "on_failure",    "checkpoint_every",
                "traceparent"});
    Trial trial;
    read_job(json, trial);
    read_layout(json, trial);
    read_length(json, trial);
    read_supervision(json, trial);
    return trial;
  }

 private:
  void read_job(const Json& json, Trial& trial) const {
    trial.job.net = text(json, "net");
    const Json& sizes = member(json, "sizes");
    only(sizes, {"batch", "image", "seq", "classes"});
    trial.job.sizes = {.batch = count(sizes, "batch", 1, kMostOfATrial),
                       .image = maybe_count(sizes, "image"),
                       .seq = maybe_count(sizes, "seq"),
                       .classes = maybe_count(sizes, "classes")};
    trial.job.optimizer = jobs::parse_optimizer(text(json, "optimizer"), at_);
    trial.learning_rate = at_least_zero(json, "learning_rate");
    trial.momentum = at_least_zero(json, "momentum");
    trial.data = text(json, "data");
    trial.prefetch = count(json, "prefetch", 0, kMostOfATrial);
  }
  void read_layout(const Json& json, Trial& trial) const {
    trial.strategy = text(json, "strategy");
    trial.workers = count(json, "workers", 1, kMostProcesses);
    trial.servers = count(json, "servers", 0, kMostProcesses);
    trial.transport = text(json, "transport");
    trial.bucket_mb = positive(json, "bucket_mb");
    trial.overlap = flag(json, "overlap");
    trial.threads = count(json, "threads", 1, kMostProcesses);
  }
  void read_length(const Json& json, Trial& trial) const {
    trial.iterations = count(json, "iterations", 0, kMostOfATrial);
    trial.warmup = count(json, "warmup", 0, kMostOfATrial);
    trial.epochs = maybe_number(json, "epochs");
    const Json& seed = value(json, "seed");
    if (!seed.is_number_unsigned()) fail("seed", "is not a whole number from 0 on");
    trial.seed = seed.get<std::uint64_t>();
  }
  void read_supervision(const Json& json, Trial& trial) const {
    trial.spans = flag(json, "spans");
    trial.operators = flag(json, "operators");
    trial.timeout_s = positive(json, "timeout_s");
    const std::string failure = text(json, "on_failure");
    if (failure != "stop" && failure != "shrink") fail("on_failure", "is neither stop nor shrink");
    trial.on_failure = failure == "stop" ? OnFailure::stop : OnFailure::shrink;
    trial.checkpoint_every = count(json, "checkpoint_every", 0, kMostOfATrial);
    trial.traceparent = text(json, "traceparent");
  }

  SourcePos at_;
};

}  // namespace

Json to_json(const Trial& trial) {
  Json sizes = {{"batch", trial.job.sizes.batch},
                {"image", or_null(trial.job.sizes.image)},
                {"seq", or_null(trial.job.sizes.seq)},
                {"classes", or_null(trial.job.sizes.classes)}};
  return {{"schema", kTrialSchema},
          {"net", trial.job.net},
          {"sizes", std::move(sizes)},
          {"optimizer", to_string(trial.job.optimizer)},
          {"learning_rate", trial.learning_rate},
          {"momentum", trial.momentum},
          {"strategy", trial.strategy},
          {"workers", trial.workers},
          {"servers", trial.servers},
          {"transport", trial.transport},
          {"bucket_mb", trial.bucket_mb},
          {"overlap", trial.overlap},
          {"threads", trial.threads},
          {"data", trial.data},
          {"prefetch", trial.prefetch},
          {"iterations", trial.iterations},
          {"warmup", trial.warmup},
          {"epochs", or_null(trial.epochs)},
          {"seed", trial.seed},
          {"spans", trial.spans},
          {"operators", trial.operators},
          {"timeout_s", trial.timeout_s},
          {"on_failure", failure_text(trial.on_failure)},
          {"checkpoint_every", trial.checkpoint_every},
          {"traceparent", trial.traceparent}};
}

Trial trial_from_json(const std::string& text, const std::string& file_name) {
  return TrialReader(file_name).read(parse_json(text, file_name));
}

}  // namespace sextant::measure
