#include "sextant/predict/accuracy.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "accuracy_case.h"
#include "sextant/predict/batch_line.h"
#include "sextant/predict/trials.h"

namespace sextant::predict {
namespace {

using Rows = std::vector<const Observation*>;
using AccuracyCase = stats::AccuracyLine::Case;

std::string label(const Observation& row, Leave what) {
  return what == Leave::gpu ? row.labels.gpu : row.labels.net;
}

std::set<std::string> labels(const Rows& rows, Leave what) {
  std::set<std::string> all;
  for (const Observation* row : rows) all.insert(label(*row, what));
  return all;
}

struct Fold {
  Rows in;
  Rows out;
};

Fold split(const Rows& rows, const std::function<bool(const Observation&)>& left_out) {
  Fold fold;
  for (const Observation* row : rows) (left_out(*row) ? fold.out : fold.in).push_back(row);
  return fold;
}

// Fits on the fold's rows alone, the spread of its intervals included.
Stack fit_inside(const AccuracyRows& q, const Rows& in, const SpreadParts& parts) {
  NoProgress silent;
  Stack stack = fit_stack(q.stack, in, q.traits, q.options);
  stack.spread = measure_spread(in, stack, {q.options, parts}, silent);
  return stack;
}

double width_of(const Stack& stack, const StackEstimate& e, const Observation& row) {
  return half_width(stack, e, outside(stack.range, row, e.step));
}

// The groups that are timed on a left-out device: single cases, or networks of one instance.
std::vector<std::string> trial_groups(const Rows& rows, bool networks) {
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    groups.push_back(networks ? rows[i]->labels.net : std::to_string(i));
  }
  return groups;
}

void anchor_and_judge(const Stack& stack, const Rows& rows, const AnchorPlan& plan,
                      stats::AccuracyLine& line) {
  const auto groups = trial_groups(rows, plan.networks);
  const auto chosen = choose_trials({rows, groups, plan.count}, stack.shared);
  Rows timed;
  Rows asked;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_timed = std::ranges::find(chosen, groups[i]) != chosen.end();
    (is_timed ? timed : asked).push_back(rows[i]);
  }
  const Anchor a = anchor(stack, timed);
  for (const Observation* row : asked) {
    const StackEstimate e = estimate(stack, a, *row);
    double width = anchored_spread(stack.spread, a.timings, e.known_net);
    if (outside(stack.range, *row, e.step)) width *= kOutsideFactor;
    line.cases.push_back(judged(row->labels.gpu, *row, e.log_total, width));
  }
}

}  // namespace

stats::AccuracyLine leave_out(const AccuracyRows& q, Leave what, Progress& progress) {
  stats::AccuracyLine line{.data = q.data,
                           .left_out = what == Leave::gpu ? "a whole GPU" : "a whole network"};
  const auto groups = labels(q.rows, what);
  std::int64_t done = 0;
  for (const auto& group : groups) {
    const Fold fold = split(q.rows, [&](const Observation& o) { return label(o, what) == group; });
    const bool gpu = what == Leave::gpu;
    const Stack stack = fit_inside(q, fold.in, {.seen = gpu, .new_net = !gpu, .new_gpu = gpu});
    for (const Observation* row : fold.out) {
      const StackEstimate e = estimate(stack, *row);
      line.cases.push_back(judged(group, *row, e.log_total, width_of(stack, e, *row)));
    }
    progress.step(++done, static_cast<std::int64_t>(groups.size()), q.stack + " without " + group);
  }
  return line;
}

stats::AccuracyLine leave_out_and_anchor(const AccuracyRows& q, const AnchorPlan& plan, Progress& progress) {
  stats::AccuracyLine line{.data = q.data,
                           .left_out = "a whole GPU, after " + std::to_string(plan.count) +
                                       (plan.networks ? " networks" : " cases") + " timed on it"};
  const auto gpus = labels(q.rows, Leave::gpu);
  std::int64_t done = 0;
  for (const auto& gpu : gpus) {
    const Fold fold = split(q.rows, [&](const Observation& o) { return o.labels.gpu == gpu; });
    const Stack stack = fit_inside(q, fold.in, {.seen = true, .new_net = false, .new_gpu = true});
    std::map<std::string, Rows> instances;
    for (const Observation* row : fold.out) {
      if (plan.mode.empty() || row->labels.mode == plan.mode) instances[row->instance].push_back(row);
    }
    for (const auto& [instance, rows] : instances) anchor_and_judge(stack, rows, plan, line);
    progress.step(++done, static_cast<std::int64_t>(gpus.size()), q.stack + " anchored on " + gpu);
  }
  return line;
}

stats::AccuracyLine extrapolate_batch(const AccuracyRows& q, double least_batch, Progress& progress) {
  stats::AccuracyLine line{
      .data = q.data, .left_out = "batches of " + std::to_string(std::lround(least_batch)) + " and more"};
  const Fold fold = split(q.rows, [&](const Observation& o) { return o.labels.samples >= least_batch; });
  const Stack stack = fit_inside(q, fold.in, {.seen = true, .new_net = false, .new_gpu = false});
  BatchLines lines;
  // Above the largest timed batch the effects stay as they are there (the batch law), so that the model's
  // time alone carries the ratio.
  const auto modelled = [](const StackEstimate& e) { return std::log(e.step.total); };
  for (const Observation* row : fold.in) {
    const StackEstimate e = estimate(stack, *row);
    lines.add(*row, modelled(e), e.step.host / e.step.total);
  }
  for (const Observation* row : fold.out) {
    const StackEstimate e = estimate(stack, *row);
    const double log_seconds = lines.knows(*row) ? lines.adjust(*row, modelled(e)) : e.log_total;
    line.cases.push_back(judged(row->labels.net, *row, log_seconds, width_of(stack, e, *row)));
  }
  progress.step(1, 1, q.stack + " large batches");
  return line;
}

stats::AccuracyLine only_mode(stats::AccuracyLine line, const std::string& mode) {
  std::erase_if(line.cases, [&](const AccuracyCase& c) { return c.mode != mode; });
  line.left_out += mode == "train" ? ", training" : ", inference";
  return line;
}

}  // namespace sextant::predict
