// The job behind the model that a trace names, "ResNet-50 (batch size 64)".
#pragma once

#include <string_view>

#include "sextant/jobs/job.h"

namespace sextant::simulate {

// `usual` with the net and the sizes of the text; batch 32 where it is not said. InputError for a network
// that the zoo does not have, or a size that is none.
jobs::Job job_of_model(std::string_view text, const jobs::Job& usual);

}  // namespace sextant::simulate
