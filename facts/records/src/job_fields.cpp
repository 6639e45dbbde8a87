#include "sextant/records/job_fields.h"

namespace sextant::records {

std::vector<Field> job_fields(const jobs::Job& job, const std::string& gpu) {
  std::vector<Field> fields = {{"net", job.net},
                               {"gpu", gpu},
                               {"count", static_cast<double>(job.layout.devices())},
                               {"batch", static_cast<double>(job.sizes.batch)}};
  const auto add_size = [&](const char* name, const std::optional<std::int64_t>& size) {
    if (size) fields.push_back({name, static_cast<double>(*size)});
  };
  add_size("image", job.sizes.image);
  add_size("seq", job.sizes.seq);
  add_size("classes", job.sizes.classes);
  fields.push_back({"mode", to_string(job.mode)});
  fields.push_back({"precision", to_string(job.precision)});
  fields.push_back({"optimizer", to_string(job.optimizer)});
  if (!job.stack.empty()) fields.push_back({"stack", job.stack});
  return fields;
}

}  // namespace sextant::records
