#include "predict_args.h"

#include "kinds.h"
#include "layout_options.h"
#include "network_options.h"
#include "sextant/core/precision.h"
#include "sextant/jobs/job.h"

namespace sextant::cli {
namespace {

// Their product is a number of steps, which has to fit 64 bits.
constexpr double kMostEpochs = 1e6;
constexpr double kMostSamples = 1e12;

std::vector<Option> place_options(ask::PredictQuestion& a) {
  return {{.name = "gpu",
           .summary = "GPUs to ask about, or 'all'; 'v100+t4' mixes kinds, each on its share of the nodes",
           .target = &a.gpus,
           .value_name = "LIST",
           .names = gpu_names},
          {.name = "machine",
           .summary = "machine types to ask about; 'all' ranks them by cost; one GPU works unless --count or "
                      "--nodes say "
                      "more",
           .target = &a.machines,
           .value_name = "LIST",
           .names = machine_names},
          {.name = "region",
           .summary = "use the prices of this region; the lowest price otherwise",
           .target = &a.region,
           .value_name = "R"},
          {.name = "top",
           .summary = "show only the first N answers",
           .target = &a.top,
           .value_name = "N",
           .low = 1}};
}

std::vector<Option> job_options(ask::PredictQuestion& a) {
  return {
      {.name = "batch",
       .summary = "samples in a step, on each GPU",
       .target = &a.batches,
       .value_name = "LIST",
       .low = 1},
      {.name = "max-batch",
       .summary = "instead of --batch: find the largest batch that fits, with room for driver and allocator",
       .target = &a.max_batch},
      {.name = "mode",
       .summary = "whether a step trains or only infers",
       .target = &a.job.mode,
       .value_name = "M",
       .choices = {"train", "infer"}},
      {.name = "samples",
       .summary = "samples in the data set, such as 50000 or 1.28M",
       .target = &a.samples,
       .value_name = "N",
       .low = 1,
       .high = kMostSamples,
       .counted = true},
      {.name = "epochs",
       .summary = "passes over the data set",
       .target = &a.epochs,
       .value_name = "E",
       .low = 0,
       .high = kMostEpochs}};
}

std::vector<Option> decoder_options(ask::DecoderFields& a) {
  return {
      {.name = "layout",
       .summary = "how GPUs share the step, as in tp=8,pp=4,dp=16,zero=1,recompute=selective,micro=1; auto "
                  "takes the fastest that fits",
       .target = &a.layout,
       .value_name = "LAYOUT"},
      {.name = "global-batch",
       .summary = "sequences of a step on all GPUs together, instead of --batch",
       .target = &a.global_batch,
       .value_name = "N",
       .low = 1},
      {.name = "tokens",
       .summary = "tokens of the whole training, as in 15T or 1.5e12",
       .target = &a.tokens,
       .value_name = "N",
       .low = 1,
       .high = kMostTokens,
       .advice = "such as 15T, 300B or 1.5e12",
       .counted = true}};
}

std::vector<Option> generation_options(ask::GenerationFields& a) {
  return {{.name = "prompt",
           .summary = "tokens of each prompt; --seq otherwise, or 1024",
           .target = &a.prompt,
           .value_name = "N",
           .low = 1},
          {.name = "generate",
           .summary = "tokens that are written to each prompt; 128 otherwise",
           .target = &a.generate,
           .value_name = "N",
           .low = 1},
          {.name = "weights",
           .summary = "format in which weights are kept; as --precision says otherwise",
           .target = &a.weights,
           .value_name = "F",
           .choices = {"16-bit", "fp8", "fp8-block", "nvfp4", "int8", "int4"}},
          {.name = "cache",
           .summary = "format of the cache of keys and values; 16-bit otherwise",
           .target = &a.cache,
           .value_name = "F",
           .choices = {"16-bit", "fp8"}}};
}

std::vector<Option> case_options(PredictArgs& a) {
  return {{.name = "cases",
           .summary = "CSV with one question in each row ('-': standard input)",
           .target = &a.cases,
           .value_name = "FILE"},
          {.name = "out",
           .summary = "write the answers to --cases into this CSV ('-', or no --out: standard output)",
           .target = &a.out,
           .value_name = "FILE",
           .writes = Writes::file}};
}

}  // namespace

std::vector<Option> training_options(ask::DecoderFields& a) {
  return {
      {.name = "global-batch-tokens",
       .summary = "--global-batch in tokens, as in 4M",
       .target = &a.global_batch_tokens,
       .value_name = "N",
       .low = 1,
       .high = kMostTokens,
       .advice = "such as 15T, 300B or 1.5e12",
       .counted = true},
      {.name = "finetune",
       .summary = "tune a network that was trained before: full, lora:rank=16,on=attention,quant=nf4, qlora, "
                  "adapter or adapter-v2",
       .target = &a.finetune,
       .value_name = "HOW"}};
}

std::vector<Option> software_options(ask::JobFields& a) {
  return {{.name = "precision",
           .summary = "number format (default: fp32; bf16 to train large language models)",
           .target = &a.precision,
           .value_name = "P",
           .choices = precision_names(),
           .hints = {{"float32", "it is called fp32 here"},
                     {"float16", "it is called fp16 here"},
                     {"half", "it is called fp16 here"},
                     {"bfloat16", "it is called bf16 here"},
                     {"amp", "automatic mixed precision is fp16 here, or bf16"},
                     {"mixed", "automatic mixed precision is fp16 here, or bf16"}}},
          {.name = "stack",
           .summary = "software stack that runs the job; its calibration is used ('sextant list stacks')",
           .target = &a.stack,
           .value_name = "S"},
          {.name = "optimizer",
           .summary = "optimizer of the training",
           .target = &a.optimizer,
           .value_name = "O",
           .choices = jobs::optimizer_names()}};
}

std::vector<Option> predictor_options(ask::ModelFields& a) {
  return {
      {.name = "predictor",
       .summary = "predictor to ask",
       .target = &a.predictor,
       .value_name = "ID",
       .names = predictor_names},
      {.name = "model",
       .summary = "model file that 'sextant fit' wrote; the shipped coefficients are used otherwise",
       .target = &a.model,
       .value_name = "FILE"},
      {.name = "measured",
       .summary =
           "CSV of timed steps: the columns of --cases and measured_s or measured_ms, or runs exported "
           "from W&B or MLflow",
       .target = &a.measured,
       .value_name = "FILE"},
      {.name = "map",
       .summary = "columns of --measured under other names, as in batch=params.bs,measured_ms=metrics.step",
       .target = &a.map,
       .value_name = "LIST"},
      {.name = "from",
       .summary = "the GPU that --measured was timed on, where the file does not name it",
       .target = &a.from,
       .value_name = "GPU",
       .names = gpu_names}};
}

std::vector<Option> predict_options(PredictArgs& args) {
  ask::PredictQuestion& question = args.question;
  std::vector<Option> options = grouped("Sizes of the network", network_options(question.job.net));
  options.front().required = false;  // NET: a file of cases can name its own
  for (const auto& group : {place_options(question), job_options(question),
                            grouped("Several GPUs", layout_options(question.layout)),
                            grouped("Large language models", decoder_options(question.decoder)),
                            grouped("Large language models", training_options(question.decoder)),
                            grouped("Text that they write", generation_options(question.generation)),
                            grouped("Software", software_options(question.job)),
                            grouped("Model that answers", predictor_options(question.model)),
                            grouped("Many questions at once", case_options(args))}) {
    options.insert(options.end(), group.begin(), group.end());
  }
  return options;
}

}  // namespace sextant::cli
