#include "measure_args.h"

#include "kinds.h"

namespace sextant {
namespace {

std::vector<Option> job_options(MeasureArgs& a) {
  return {{.name = "NET",
           .summary = "networks of the zoo, or ONNX files",
           .target = &a.nets,
           .positional = true,
           .required = true,
           .names = network_names},
          {.name = "image",
           .summary = "height and width of the images, in pixels",
           .target = &a.image,
           .value_name = "N",
           .low = 1},
          {.name = "seq", .summary = "tokens in a sequence", .target = &a.seq, .value_name = "N", .low = 1},
          {.name = "classes",
           .summary = "classes that the network tells apart",
           .target = &a.classes,
           .value_name = "N",
           .low = 1},
          {.name = "optimizer",
           .summary = "update of the weights",
           .target = &a.optimizer,
           .value_name = "WHICH",
           .choices = {"sgd", "momentum", "adam"}},
          {.name = "learning-rate",
           .summary = "step of the update",
           .target = &a.learning_rate,
           .value_name = "X",
           .low = 0},
          {.name = "momentum",
           .summary = "of --optimizer momentum",
           .target = &a.momentum,
           .value_name = "X",
           .low = 0,
           .high = 1}};
}

std::vector<Option> factor_options(MeasureArgs& a) {
  return {{.name = "batch",
           .summary = "samples of a step on each worker",
           .target = &a.batches,
           .value_name = "LIST",
           .low = 1},
          {.name = "strategy",
           .summary = "how workers share the job; auto: single, all-reduce for several workers",
           .target = &a.strategies,
           .value_name = "LIST",
           .names = training_strategy_names},
          {.name = "workers",
           .summary = "workers",
           .target = &a.workers,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "servers",
           .summary = "parameter servers, for the strategies that have them",
           .target = &a.servers,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "transport",
           .summary = "how processes talk",
           .target = &a.transports,
           .value_name = "LIST",
           .names = transport_names},
          {.name = "bucket-mb",
           .summary = "MiB of gradients that are sent together",
           .target = &a.buckets,
           .value_name = "LIST"},
          {.name = "threads",
           .summary = "threads of each worker",
           .target = &a.threads,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "no-overlap",
           .summary = "send gradients after the backward pass, not during it",
           .target = &a.no_overlap}};
}

std::vector<Option> length_options(MeasureArgs& a) {
  return {{.name = "iterations",
           .summary = "measured in each round",
           .target = &a.iterations,
           .value_name = "N",
           .low = 1},
          {.name = "warmup",
           .summary = "iterations before these, at least; more where times have not settled",
           .target = &a.warmup,
           .value_name = "N",
           .low = 0},
          {.name = "epochs",
           .summary = "train for so many passes over the data instead, and test at the end",
           .target = &a.epochs,
           .value_name = "X",
           .low = 0},
          {.name = "data",
           .summary = "synthetic, fashion-mnist, a folder of images, or a record file",
           .target = &a.data,
           .value_name = "WHAT"},
          {.name = "prefetch",
           .summary = "batches read ahead",
           .target = &a.prefetch,
           .value_name = "N",
           .low = 0},
          {.name = "precision",
           .summary = "rounds are repeated until the 95 % interval of the median is within this share of it",
           .target = &a.precision,
           .value_name = "X",
           .low = 0},
          {.name = "budget",
           .summary = "or until so much time is spent",
           .target = &a.budget,
           .value_name = "TIME"},
          {.name = "rounds",
           .summary = "at least so many rounds",
           .target = &a.rounds,
           .value_name = "N",
           .low = 1}};
}

std::vector<Option> running_options(MeasureArgs& a) {
  return {{.name = "runner",
           .summary = "who starts the workers; auto: mpi for MPI's transports, else local",
           .target = &a.runner,
           .value_name = "WHICH",
           .names = runner_names},
          {.name = "timeout",
           .summary = "a worker without a sign of life for so long is lost",
           .target = &a.timeout,
           .value_name = "TIME"},
          {.name = "on-failure",
           .summary = "a lost worker: stop, or go on from the last checkpoint with the rest",
           .target = &a.on_failure,
           .value_name = "WHAT",
           .choices = {"stop", "shrink"}},
          {.name = "checkpoint-every",
           .summary = "iterations from one checkpoint to the next; 0: none",
           .target = &a.checkpoint_every,
           .value_name = "N",
           .low = 0},
          {.name = "scratch",
           .summary = "folder for the files of a run",
           .target = &a.scratch,
           .value_name = "DIR"},
          {.name = "keep", .summary = "keep these files", .target = &a.keep}};
}

std::vector<Option> output_options(MeasureArgs& a) {
  return {
      {.name = "operators",
       .summary = "time every operator, forward and backward, instead of iterations",
       .target = &a.operators},
      {.name = "effects",
       .summary = "the effect of every option that has two values, as a two-level design",
       .target = &a.effects},
      {.name = "response",
       .summary = "what effects are on",
       .target = &a.response,
       .value_name = "WHAT",
       .choices = {"iteration", "throughput"}},
      {.name = "spans-out",
       .summary = "spans of all processes",
       .target = &a.spans_out,
       .value_name = "FILE"},
      {.name = "spans-format",
       .summary = "form of the spans",
       .target = &a.spans_format,
       .value_name = "FORM",
       .choices = {"perfetto", "otlp"}},
      {.name = "db", .summary = "append records to this SQLite file", .target = &a.db, .value_name = "FILE"}};
}

}  // namespace

std::vector<Option> measure_options(MeasureArgs& args) {
  std::vector<Option> all = job_options(args);
  for (const auto& part :
       {factor_options(args), length_options(args), running_options(args), output_options(args)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace sextant
