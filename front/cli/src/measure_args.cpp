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
           .summary = "update of the weights",
           .target = &q.optimizer,
           .value_name = "WHICH",
           .choices = {"sgd", "momentum", "adam"}},
          {.name = "learning-rate",
           .summary = "step of the update",
           .target = &q.learning_rate,
           .value_name = "X",
           .low = 0},
          {.name = "momentum",
           .summary = "of --optimizer momentum",
           .target = &q.momentum,
           .value_name = "X",
           .low = 0,
           .high = 1}};
}

std::vector<Option> factor_options(ask::MeasureQuestion& q) {
  return {{.name = "batch",
           .summary = "samples of a step on each worker",
           .target = &q.batch,
           .value_name = "LIST",
           .low = 1},
          {.name = "strategy",
           .summary = "how workers share the job; auto: single, all-reduce for several workers",
           .target = &q.strategy,
           .value_name = "LIST",
           .names = training_strategy_names},
          {.name = "workers",
           .summary = "workers",
           .target = &q.workers,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "servers",
           .summary = "parameter servers, for the strategies that have them",
           .target = &q.servers,
           .value_name = "LIST",
           .low = 1,
           .high = 1024},
          {.name = "transport",
           .summary = "how processes talk",
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
           .summary = "send gradients after the backward pass, not during it",
           .target = &q.no_overlap}};
}

std::vector<Option> length_options(ask::MeasureQuestion& q) {
  return {{.name = "iterations",
           .summary = "measured in each round",
           .target = &q.iterations,
           .value_name = "N",
           .low = 1},
          {.name = "warmup",
           .summary = "iterations before these, at least; more where times have not settled",
           .target = &q.warmup,
           .value_name = "N",
           .low = 0},
          {.name = "epochs",
           .summary = "train for so many passes over the data instead, and test at the end",
           .target = &q.epochs,
           .value_name = "X",
           .low = 0},
          {.name = "data",
           .summary = "synthetic, fashion-mnist, a folder of images, or a record file",
           .target = &q.data,
           .value_name = "WHAT"},
          {.name = "prefetch",
           .summary = "batches read ahead",
           .target = &q.prefetch,
           .value_name = "N",
           .low = 0},
          {.name = "precision",
           .summary = "rounds are repeated until the 95 % interval of the median is within this share of it",
           .target = &q.precision,
           .value_name = "X",
           .low = 0},
          {.name = "budget",
           .summary = "or until so much time is spent",
           .target = &q.budget,
           .value_name = "TIME"},
          {.name = "rounds",
           .summary = "at least so many rounds",
           .target = &q.rounds,
           .value_name = "N",
           .low = 1}};
}

std::vector<Option> running_options(ask::MeasureQuestion& q) {
  return {{.name = "runner",
           .summary = "who starts the workers; auto: mpi for MPI's transports, else local",
           .target = &q.runner,
           .value_name = "WHICH",
           .names = runner_names},
          {.name = "timeout",
           .summary = "a worker without a sign of life for so long is lost",
           .target = &q.timeout,
           .value_name = "TIME"},
          {.name = "on-failure",
           .summary = "a lost worker: stop, or go on from the last checkpoint with the rest",
           .target = &q.on_failure,
           .value_name = "WHAT",
           .choices = {"stop", "shrink"}},
          {.name = "checkpoint-every",
           .summary = "iterations from one checkpoint to the next; 0: none",
           .target = &q.checkpoint_every,
           .value_name = "N",
           .low = 0},
          {.name = "scratch",
           .summary = "folder for the files of a run",
           .target = &q.scratch,
           .value_name = "DIR"},
          {.name = "keep", .summary = "keep these files", .target = &q.keep}};
}

std::vector<Option> output_options(MeasureArgs& a) {
  return {{.name = "operators",
           .summary = "time every operator, forward and backward, instead of iterations",
           .target = &a.question.operators},
          {.name = "effects",
           .summary = "the effect of every option that has two values, as a two-level design",
           .target = &a.question.effects},
          {.name = "response",
           .summary = "what effects are on",
           .target = &a.question.response,
           .value_name = "WHAT",
           .choices = {"iteration", "throughput"}},
          {.name = "spans-out",
           .summary = "spans of all processes",
           .target = &a.spans_out,
           .value_name = "FILE",
           .field = "spans",
           .writes = Writes::file},
          {.name = "spans-format",
           .summary = "form of the spans",
           .target = &a.spans_format,
           .value_name = "FORM",
           .choices = {"perfetto", "otlp"}},
          {.name = "db",
           .summary = "append records to this SQLite file",
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
