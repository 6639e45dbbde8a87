#include "sextant/records/job_fields.h"

#include <gtest/gtest.h>

namespace sextant {
namespace {

TEST(JobFields, NamesEverySizeThatWasGiven) {
  TrainingJob job;
  job.network = "resnet50";
  job.sizes = {.batch = 32, .image = 160};
  job.layout.data = 4;
  const Record record = new_record("training-step", job_fields(job, "v100-sxm2-16gb"), {});
  EXPECT_EQ(text_field(record, "net"), "resnet50");
  EXPECT_EQ(number_field(record, "count"), 4);
  EXPECT_EQ(number_field(record, "image"), 160);
  EXPECT_EQ(number_field(record, "seq"), std::nullopt);
  EXPECT_EQ(text_field(record, "mode"), "train");
  EXPECT_NO_THROW(check_record(record));
}

}  // namespace
}  // namespace sextant
