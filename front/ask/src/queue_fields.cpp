// Which fields of a question about queues mean something together.
#include <algorithm>

#include "queue_forms.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

constexpr const char* kRecordedJobs = "records";

// A field, whether it was given, and the models that read it.
struct FieldUse {
  const char* field;
  bool given;
  std::vector<std::string> models;
};

std::vector<FieldUse> field_uses(const QueueQuestion& a) {
  const std::vector<std::string> open = {"mm1", "mmc", "mmck", "mg1", "ggc"};
  const std::vector<std::string> sized = {"mm1", "mmc", "mg1", "ggc", kRecordedJobs};
  const std::vector<std::string> closed = {"mva", "laws"};
  const std::vector<std::string> open_or_laws = {"mm1", "mmc", "mmck", "mg1", "ggc", "laws"};
  return {{"arrival_rate", !a.arrival_rates.empty(), open},
          {"service_rate", !a.service_rates.empty(), open},
          {"service_time", !a.service_times.empty(), open_or_laws},
          {"arrival_scv", !a.arrival_scvs.empty(), {"ggc"}},
          {"service_scv", !a.service_scvs.empty(), {"mg1", "ggc"}},
          {"servers", !a.servers.empty(), {"mm1", "mmc", "mmck", "mg1", "ggc", kRecordedJobs}},
          {"capacity", !a.capacities.empty(), {"mmck"}},
          {"classes", a.classes.has_value(), {"classes", "mg1"}},
          {"target_wait", a.target_wait.has_value(), sized},
          {"target_p95", a.target_p95.has_value(), sized},
          {"target_response", a.target_response.has_value(), sized},
          {"target_p95_response", a.target_p95_response.has_value(), sized},
          {"demands", !a.demands.empty(), closed},
          {"delays", !a.delays.empty(), closed},
          {"servers_at", !a.servers_at.empty(), closed},
          {"think", a.think.has_value(), closed},
          {"population", !a.populations.empty(), closed},
          {"seidmann", a.seidmann, {"mva"}},
          {"completions", a.completions.has_value(), {"laws"}},
          {"visits", a.visits.has_value(), {"laws"}},
          {"period", a.period.has_value(), {"laws"}},
          {"busy", a.busy.has_value(), {"laws"}},
          {"residence", a.residence.has_value(), {"laws"}}};
}

}  // namespace

void check_queue_fields(const QueueQuestion& question) {
  if (question.records && !question.model.empty()) {
    throw InputError(at_field("model"), "the model for `records` follows from the tests",
                     "leave `model` out");
  }
  if (question.model.empty() && !question.records && !question.classes) {
    throw InputError({}, "`model` is missing: which queue?",
                     "one of mm1, mmc, mmck, mg1, ggc, mva, laws; or `records` FILE.csv");
  }
  const std::vector<std::string> models = {"mm1", "mmc", "mmck", "mg1", "ggc", "mva", "laws"};
  if (!question.model.empty() && std::ranges::find(models, question.model) == models.end()) {
    throw InputError(at_field("model"), "'" + question.model + "' is no model of queues",
                     name_hint(question.model, models));
  }
  const std::string what = question.records ? kRecordedJobs : question.classes ? "classes" : question.model;
  for (const auto& use : field_uses(question)) {
    if (!use.given || std::ranges::find(use.models, what) != use.models.end()) continue;
    throw InputError(at_field(use.field),
                     "`" + std::string(use.field) + "` has no meaning " +
                         (question.model.empty() ? "with `" + what + "`" : "for `model` " + question.model));
  }
}

}  // namespace sextant::ask
