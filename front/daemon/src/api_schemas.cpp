#include "api.h"

namespace sextant::daemon {
namespace {

using http::boolean_value;
using http::integer_value;
using http::list_of;
using http::Member;
using http::number_value;
using http::object_of;
using http::optional_member;
using http::Schema;
using http::text_value;
using http::word_value;

constexpr double kMostSeconds = 1e10;  // some centuries
constexpr http::Range kName{1, 200};
constexpr http::Range kReason{0, 100000};

Schema name_value(std::string summary) {
  return text_value(std::move(summary), kName);
}

Schema seconds_value(std::string summary) {
  return number_value(std::move(summary), {0, kMostSeconds});
}

Schema shares_value() {
  return list_of(object_of("", {{"node", name_value("")}, {"gpus", integer_value("", {1, 1e6})}}),
                 "GPUs on each node");
}

Schema times_value() {
  return list_of(
      object_of("", {{"machine", name_value("machine type")},
                     {"gpus", integer_value("GPUs", {1, 1e6})},
                     {"seconds", number_value("time of the whole job", {1e-3, kMostSeconds})},
                     optional_member("spread", number_value("standard deviation of ln(time)", {0, 10}))}),
      "how long the job takes, a row for each way to run it", {1, 10000});
}

Schema network_value() {
  return object_of("instead of times: what is trained, and how much of it; the times are predicted",
                   {{"net", name_value("a network of the zoo")},
                    optional_member("batch", integer_value("samples of a step on each GPU", {1, 1e6})),
                    {"samples", integer_value("in the data set", {1, 1e12})},
                    optional_member("epochs", number_value("passes over it", {1e-6, 1e6})),
                    optional_member("precision", name_value("fp32, tf32, fp16, bf16")),
                    optional_member("stack", name_value("software"))});
}

// What a client says and hears alike.
std::vector<Member> order_members() {
  return {
      {"id", name_value("chosen by the client; a repeated submission gets the first answer")},
      optional_member("due_unix_s", number_value("due date", {0, kMostSeconds})),
      optional_member("usd_per_late_hour", number_value("what an hour of delay costs", {0, 1e9})),
      optional_member("priority", number_value("larger first, for methods that look at it", {-1e9, 1e9})),
      optional_member("restart_s", seconds_value("lost when it is stopped, moved or resized")),
      optional_member("nodes", list_of(name_value(""), "may run only there", {1, 10000})),
      optional_member("command", list_of(text_value("", {0, 100000}), "what runs, word by word", {1, 1000})),
      optional_member("environment", list_of(object_of("", {{"name", name_value("")},
                                                            {"value", text_value("", {0, 100000})}}),
                                             "variables for the command", {0, 1000})),
      optional_member("folder", text_value("where the command runs", {1, 4000}))};
}

Schema step_value() {
  return object_of("", {{"key", name_value("of this step alone")},
                        {"kind", word_value("", {"stop", "node_off", "node_on", "start"})},
                        {"decision", integer_value("number of the decision")},
                        optional_member("job", name_value("")),
                        optional_member("node", name_value("")),
                        optional_member("machine", name_value("")),
                        optional_member("gpus", integer_value("")),
                        optional_member("shares", shares_value()),
                        {"reason", text_value("", kReason)}});
}

Schema machine_value(bool as_ordered) {
  std::vector<Member> members = {{"name", name_value("of the catalogue, or a new one")}};
  for (Member member :
       {Member{"gpu", text_value("kind of GPU", {0, 200})},
        Member{"gpus", integer_value("of the machine", {1, 10000})},
        Member{"usd_per_hour", number_value("of the whole machine", {0, 1e6})},
        Member{"minimum_billing_s", seconds_value("the shortest time that is paid")},
        Member{"idle_w", number_value("of the machine without work", {0, 1e6})},
        Member{"busy_w", number_value("more for each GPU that works", {0, 1e6})},
        Member{"losses_per_hour", number_value("how often the machine is taken back", {0, 1e6})}}) {
    member.required = !as_ordered;
    members.push_back(std::move(member));
  }
  return object_of("", std::move(members));
}

}  // namespace

Schema job_order_schema() {
  std::vector<Member> members = order_members();
  members.push_back(optional_member("due_in_s", seconds_value("due date, from now")));
  members.push_back(optional_member("times", times_value()));
  members.push_back(optional_member("network", network_value()));
  return object_of("a job", std::move(members));
}

Schema job_schema() {
  std::vector<Member> members = order_members();
  members.insert(members.end(),
                 {{"times", times_value()},
                  {"seq", integer_value("place in the order of submission")},
                  {"submitted_unix_s", number_value("when it was submitted")},
                  {"state", word_value("where it is", phase_texts())},
                  {"reason", text_value("why", kReason)},
                  {"done", number_value("share of its work, as far as it is known", {0, 1})},
                  {"slowness", number_value("how much longer than its times it takes")},
                  {"starts", integer_value("how often it was started")},
                  optional_member("machine", name_value("where it runs")),
                  optional_member("gpus", integer_value("that it has")),
                  optional_member("shares", shares_value()),
                  optional_member("started_unix_s", number_value("when it was started there")),
                  optional_member("expected_end_unix_s", number_value("when it should end there")),
                  optional_member("reference", text_value("what the cluster calls it")),
                  optional_member("ended_unix_s", number_value("when it was over"))});
  return object_of("a job and where it is", std::move(members));
}

Schema job_list_schema() {
  return object_of("", {{"jobs", list_of(job_schema(), "in the order of submission")},
                        {"next_after", integer_value("ask for what comes after this; 0: there is no more")}});
}

Schema progress_schema() {
  return object_of("", {{"key", name_value("of this report; a repeated one gets the first answer")},
                        {"done", number_value("share of the work that is done", {0, 1})}});
}

Schema finish_schema() {
  return object_of("", {optional_member("outcome", word_value("how it ended", {"finished", "failed"})),
                        optional_member("reason", text_value("for people", {0, 1000}))});
}

Schema cancel_schema() {
  return object_of("", {optional_member("reason", text_value("for people", {0, 1000}))});
}

Schema explanation_schema() {
  return object_of("", {{"job", name_value("")},
                        {"state", word_value("where it is", phase_texts())},
                        {"reason", text_value("why", kReason)},
                        optional_member("remedy", text_value("what would let it run", kReason))});
}

Schema nodes_order_schema() {
  return object_of(
      "all machine types and nodes that there are",
      {{"machines", list_of(machine_value(true), "types that nodes can be", {1, 10000})},
       {"nodes", list_of(object_of("", {{"name", name_value("")},
                                        optional_member("only", name_value("the one type that it can be")),
                                        optional_member("down", boolean_value("cannot be used now"))}),
                         "", {0, 10000})}});
}

Schema nodes_schema() {
  return object_of(
      "",
      {{"machines", list_of(machine_value(false), "")},
       {"nodes", list_of(object_of("", {{"name", name_value("")},
                                        optional_member("only", name_value("")),
                                        {"down", boolean_value("")},
                                        optional_member("machine", name_value("switched on as this type")),
                                        optional_member("on_since_unix_s", number_value("")),
                                        {"free_gpus", integer_value("of a node that is on")},
                                        {"jobs", list_of(name_value(""), "that run there")}}),
                         "")}});
}

Schema plan_schema() {
  const Schema assignment = object_of("", {{"job", name_value("")},
                                           {"machine", name_value("")},
                                           {"gpus", integer_value("")},
                                           {"shares", shares_value()},
                                           {"state", word_value("", phase_texts())},
                                           {"start_unix_s", number_value("")},
                                           {"end_unix_s", number_value("as expected now")},
                                           {"tardiness_s", number_value("as expected now")},
                                           {"reason", text_value("", kReason)}});
  const Schema waits = object_of("", {{"job", name_value("")}, {"reason", text_value("", kReason)}});
  return object_of("", {{"at_unix_s", number_value("now")},
                        {"method", text_value("that decides")},
                        {"decision", integer_value("number of the last decision that changed something")},
                        {"solve_s", number_value("time that the last decision took")},
                        {"cost_usd", number_value("of the last decision, by the model")},
                        {"spent_usd", number_value("on nodes, so far")},
                        {"assignments", list_of(assignment, "who runs where")},
                        {"waiting", list_of(waits, "who does not, the first thousand")},
                        {"waiting_count", integer_value("")},
                        {"steps", list_of(step_value(), "intended and not yet confirmed")}});
}

Schema history_schema() {
  return object_of("",
                   {{"events", list_of(object_of("", {{"seq", integer_value("")},
                                                      {"at_unix_s", number_value("")},
                                                      {"kind", text_value("")},
                                                      optional_member("job", name_value("")),
                                                      optional_member("step", name_value("key of the step")),
                                                      {"text", text_value("", kReason)}}),
                                       "oldest first")},
                    {"next_after", integer_value("ask for what comes after this; 0: there is no more")}});
}

}  // namespace sextant::daemon
