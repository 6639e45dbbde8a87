#include "job_changes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::daemon {
namespace {

// A report says how fast the job is; how much of it counts, against what was believed before.
constexpr double kNewest = 0.5;
constexpr double kLeastSlowness = 0.05;
constexpr double kMostSlowness = 20;
constexpr double kTellingShare = 0.01;  // of its work: less says nothing about a job's pace

DaemonJob& known_job(Page& page, const std::string& id) {
  DaemonJob* job = page.books.find(id);
  if (job == nullptr) throw http::Refusal(404, "there is no job '" + id + "'");
  return *job;
}

http::Response answer_of(const DaemonJob& job, Seconds now, int status = 200) {
  return http::json_response(job_answer(job, now), status);
}

void learn_pace(DaemonJob& job, double done, Seconds now) {
  const auto time = whole_time(job);
  if (job.phase != Phase::running || !time) return;
  const double gained = done - job.done;
  const Seconds spent = now - std::max(job.done_at, job.stretch->since);
  if (gained < kTellingShare || spent <= Seconds{0}) return;
  const double pace = job.slowness * (spent / (gained * *time));
  job.slowness = std::clamp((1 - kNewest) * job.slowness + kNewest * pace, kLeastSlowness, kMostSlowness);
}

void refuse_while_starting(Page& page, const std::string& id) {
  auto& steps = page.books.steps;
  const auto step =
      std::ranges::find_if(steps, [&](const Step& s) { return s.kind == StepKind::start && s.job == id; });
  if (step == steps.end()) return;
  throw http::Refusal(409, "job '" + id + "' is just being started", "", "try again in a moment");
}

void add_stop(Page& page, DaemonJob& job, const std::string& reason) {
  Step step{.seq = page.books.next_step++, .kind = StepKind::stop, .job = job.order.id, .reason = reason};
  step.key = page.books.name + "-" + std::to_string(step.seq);
  page.store.put(step);
  page.note("intended", "stop: " + reason, job.order.id, step.key);
  page.books.steps.push_back(std::move(step));
  job.phase = Phase::stopping;
}

}  // namespace

void close_job(Page& page, DaemonJob& job, Phase outcome, const std::string& reason) {
  job.done = outcome == Phase::finished ? 1 : done_by(job, page.now);
  job.phase = outcome;
  job.reason = reason;
  job.ended = page.now;
  page.books.live.erase(static_cast<std::size_t>(job.seq - 1));
  page.store.put(job);
  page.note(phase_text(outcome), reason, job.order.id);
}

http::Response answered_once(Page& page, const std::string& key, const std::string& asked,
                             const std::function<http::Response()>& answer) {
  if (const auto first = page.store.remembered(key)) {
    if (first->asked != asked)
      throw http::Refusal(409, "this id, or key, was used for another request before");
    return {.status = first->status, .body = first->body};
  }
  http::Response response = answer();
  page.store.remember(key, {.asked = asked, .status = response.status, .body = response.body});
  return response;
}

http::Response submit(Page& page, JobOrder order) {
  if (page.books.find(order.id) != nullptr)
    throw http::Refusal(409, "job '" + order.id + "' is known already");
  DaemonJob fresh;
  fresh.order = std::move(order);
  fresh.submitted = page.now;
  fresh.done_at = page.now;
  fresh.reason = "submitted";
  const DaemonJob& job = page.books.add(std::move(fresh));
  page.store.put(job);
  page.note("submitted", "", job.order.id);
  return answer_of(job, page.now, 201);
}

http::Response report_progress(Page& page, const std::string& id, double done) {
  DaemonJob& job = known_job(page, id);
  if (is_over(job.phase))
    throw http::Refusal(409, "job '" + id + "' is " + phase_text(job.phase) + " already");
  learn_pace(job, done, page.now);
  job.done = done;
  job.done_at = page.now;
  page.store.put(job);
  page.note("progress", number_text(done) + " done; takes " + number_text(job.slowness) + " times its time",
            id);
  return answer_of(job, page.now);
}

http::Response finish(Page& page, const std::string& id, const Finish& finish) {
  DaemonJob& job = known_job(page, id);
  if (job.phase == finish.outcome) return answer_of(job, page.now);  // said again
  if (is_over(job.phase))
    throw http::Refusal(409, "job '" + id + "' is " + phase_text(job.phase) + " already");
  refuse_while_starting(page, id);
  if (job.phase == Phase::stopping) {
    job.after_stop = finish.outcome;
    job.reason = finish.reason;
    page.store.put(job);
  } else {
    close_job(page, job, finish.outcome, finish.reason.empty() ? "its client said so" : finish.reason);
  }
  return answer_of(job, page.now);
}

http::Response cancel(Page& page, const std::string& id, const std::string& reason) {
  DaemonJob& job = known_job(page, id);
  const bool said_before =
      job.phase == Phase::cancelled || (job.phase == Phase::stopping && job.after_stop == Phase::cancelled);
  if (said_before) return answer_of(job, page.now);
  if (is_over(job.phase))
    throw http::Refusal(409, "job '" + id + "' is " + phase_text(job.phase) + " already");
  refuse_while_starting(page, id);
  const std::string why = reason.empty() ? "its client cancelled it" : reason;
  if (job.phase == Phase::waiting) {
    close_job(page, job, Phase::cancelled, why);
  } else {
    job.after_stop = Phase::cancelled;
    if (job.phase == Phase::running) add_stop(page, job, why);
    job.reason = why;
    page.store.put(job);
  }
  return answer_of(job, page.now);
}

void note_ending(Page& page, const JobEnding& ending) {
  DaemonJob* job = page.books.find(ending.job);
  if (job == nullptr || job->phase != Phase::running || !job->stretch || job->stretch->key != ending.key)
    return;
  if (ending.outcome != Phase::waiting) return close_job(page, *job, ending.outcome, ending.reason);
  lose_job(page, *job, ending.reason);
}

// It waits again; what it had done since its last report is lost.
void lose_job(Page& page, DaemonJob& job, const std::string& reason) {
  job.phase = Phase::waiting;
  job.reason = reason;
  job.stretch.reset();
  page.store.put(job);
  page.note("lost", reason, job.order.id);
}

}  // namespace sextant::daemon
