// A job as fields of a record, under the names that every table of cases uses. What is at its default
// is written all the same: a default may change, a measurement may not.
#pragma once

#include <string>
#include <vector>

#include "sextant/jobs/job.h"
#include "sextant/records/record.h"

namespace sextant::records {

// net, gpu, count, batch, image, seq, classes, mode, precision, optimizer, stack; sizes that the job
// leaves to the network are left out. Records from before stacks were kept have no `stack`.
std::vector<Field> job_fields(const jobs::Job& job, const std::string& gpu);

}  // namespace sextant::records
