#include "measure_args.h"

#include "kinds.h"

namespace sextant::cli {
namespace {

std::vector<Option> job_options(ask::MeasureQuestion& q) {
  return {{.name = "NET",
           .summary = "networks of the zoo, or ONNX files",
           .target = &q.net,
           .positional = true,
           .required = true,
           .names = network_names},
          {.name = "image",
           .summary = "height and width of the images, in pixels",
           .target = &q.image,
           .value_name = "N",
           .low = 1},
          {.name = "seq", .summary = "tokens in a sequence", .target = &q.seq, .value_name = "N", .low = 1},
          {.name = "classes",
           .summary = "classes that the network tells apart",
           .target = &q.classes,
           .value_name = "N",
           .low = 1},
          {.name = "optimizer",
           .summary = "how the weights are updated",
           .target = &q.optimizer,
           .value_name = "WHICH",
           .choices = {"sgd", "momentum", "adam"}},
          {.name = "learning-rate",
           .summary = "learning rate of the optimizer",
           .target = &q.learning_rate,
           .value_name = "X",
           .low = 0},
          {.name = "momentum",
           .summary = "the momentum of --optimizer momentum",
           .target = &q.momentum,
           .value_name = "X",
           .low = 0,
           .high = 1}};
}

std::vector<Option> factor_options(ask::MeasureQuestion& q) {
  return {{.name = "batch",
           .summary = "samples in a step of each worker",
           .target = &q.batch,
           .value_name = "LIST",
           .low = 1},
          {.name = "strategy",
           .summary = "how workers share the job; auto is single for one worker and all-reduce for several",
           .target = &q.strategy,
           .value_name = "LIST",
           .names = training_strategy_names},
          {.name = "workers",
           .summary = "number of workers",
           .target = &q.workers,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "servers",
           .summary = "number of parameter servers, for the strategies that have them",
           .target = &q.servers,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "transport",
           .summary = "how processes exchange data",
           .target = &q.transport,
           .value_name = "LIST",
           .names = transport_names},
          {.name = "bucket-mb",
           .summary = "MiB of gradients that are sent together",
           .target = &q.bucket_mb,
           .value_name = "LIST"},
          {.name = "threads",
           .summary = "threads of each worker",
           .target = &q.threads,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "no-overlap",
           .summary = "send gradients after the backward pass instead of during it",
           .target = &q.no_overlap}};
}

std::vector<Option> length_options(ask::MeasureQuestion& q) {
  return {
      {.name = "iterations",
       .summary = "iterations that are measured in each round",
       .target = &q.iterations,
       .value_name = "N",
       .low = 1},
      {.name = "warmup",
       .summary =
           "iterations at the start of a round that do not count; more are left out while times still change",
       .target = &q.warmup,
       .value_name = "N",
       .low = 0},
      {.name = "epochs",
       .summary = "train for this number of passes over the data, once, and test at the end",
       .target = &q.epochs,
       .value_name = "X",
       .low = 0},
      {.name = "data",
       .summary = "synthetic, fashion-mnist, a folder of images, or a record file",
       .target = &q.data,
       .value_name = "WHAT"},
      {.name = "prefetch",
       .summary = "batches that are read ahead",
       .target = &q.prefetch,
       .value_name = "N",
       .low = 0},
      {.name = "within",
       .summary = "stop when the 95 % interval of each median is within this share of the median (0.02: 2 %)",
       .target = &q.precision,
       .value_name = "X",
       .low = 0,
       .field = "precision",
       .former = {"precision"},
       .advice = "a share, as in 0.02; networks are trained in fp32 here, which cannot be chosen"},
      {.name = "budget",
       .summary = "stop when this time is spent; every configuration is measured at least once",
       .target = &q.budget,
       .value_name = "TIME"},
      {.name = "rounds",
       .summary = "make at least this number of rounds",
       .target = &q.rounds,
       .value_name = "N",
       .low = 1}};
}

std::vector<Option> running_options(ask::MeasureQuestion& q) {
  return {
      {.name = "runner",
       .summary = "who starts the workers; auto is mpi for MPI's transports and local for the others",
       .target = &q.runner,
       .value_name = "WHICH",
       .names = runner_names},
      {.name = "timeout",
       .summary = "a worker that gives no sign of life for this time counts as lost",
       .target = &q.timeout,
       .value_name = "TIME"},
      {.name = "on-failure",
       .summary = "what to do when a worker is lost; shrink goes on from the last checkpoint with the others",
       .target = &q.on_failure,
       .value_name = "WHAT",
       .choices = {"stop", "shrink"}},
      {.name = "checkpoint-every",
       .summary = "iterations between two checkpoints; 0 writes none",
       .target = &q.checkpoint_every,
       .value_name = "N",
       .low = 0},
      {.name = "scratch",
       .summary = "folder in which a run keeps its files while it lasts",
       .target = &q.scratch,
       .value_name = "DIR"},
      {.name = "wrapper",
       .summary = "start each process through this command; {rank} in it is the number of the process",
       .target = &q.wrapper,
       .value_name = "COMMAND"},
      {.name = "keep", .summary = "keep the files of the run", .target = &q.keep}};
}

std::vector<Option> output_options(MeasureArgs& a) {
  return {{.name = "operators",
           .summary = "time each operator, forward and backward, instead of whole iterations",
           .target = &a.question.operators},
          {.name = "effects",
           .summary = "show the effect of each option that has two values, as a two-level design",
           .target = &a.question.effects},
          {.name = "response",
           .summary = "what the effects are measured on",
           .target = &a.question.response,
           .value_name = "WHAT",
           .choices = {"iteration", "throughput"}},
          {.name = "spans-out",
           .summary = "write the spans of all processes to this file",
           .target = &a.spans_out,
           .value_name = "FILE",
           .field = "spans",
           .writes = Writes::file},
          {.name = "spans-format",
           .summary = "form of the file of spans",
           .target = &a.spans_format,
           .value_name = "FORM",
           .choices = {"perfetto", "otlp"}},
          {.name = "db",
           .summary = "append the results as records to this SQLite file",
           .target = &a.db,
           .value_name = "FILE",
           .writes = Writes::place}};
}

}  // namespace

std::vector<Option> measure_options(MeasureArgs& args) {
  ask::MeasureQuestion& q = args.question;
  std::vector<Option> all = grouped("Network and its training", job_options(q));
  for (const auto& part :
       {factor_options(q), grouped("Data and length", length_options(q)),
        grouped("How it is run", running_options(q)), grouped("What comes out", output_options(args))}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace sextant::cli
