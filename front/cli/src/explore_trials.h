// Trials of a study run from the command line: a line for each that ends, Ctrl-C, and the picture of its
// course.
#pragma once

#include <optional>
#include <string>

#include "output_file.h"
#include "sextant/ask/explore.h"
#include "sextant/cli/io.h"

namespace sextant::cli {

// A place where nothing can be written is known before the first trial.
class CoursePicture {
 public:
  CoursePicture(const std::optional<std::string>& path, const Io& io) : file_(output_file(path, io)) {}
  void draw(const Io& io, const ask::StudyAnswer& answer);

 private:
  std::optional<OutputFile> file_;
};

// The first Ctrl-C ends it after the trials that run now, the second gives them back.
ask::StudyAnswer run_trials(const ask::ExploreQuestion& question, const catalog::Catalog& catalog,
                            const Io& io, const Globals& globals);

}  // namespace sextant::cli
