#include "sextant/records/job_fields.h"

#include <gtest/gtest.h>

#include <sstream>

#include "record_fields.h"
#include "sextant/records/record_csv.h"

namespace sextant::records {
namespace {

TEST(JobFields, NamesEverySizeThatWasGiven) {
  jobs::Job job;
  job.net = "resnet50";
  job.sizes = {.batch = 32, .image = 160};
  job.layout.placement = {{4}};
  const Record record = new_record("training-step", job_fields(job, "v100-sxm2-16gb"), {});
  EXPECT_EQ(text_field(record, "net"), "resnet50");
  EXPECT_EQ(number_field(record, "count"), 4);
  EXPECT_EQ(number_field(record, "image"), 160);
  EXPECT_EQ(number_field(record, "seq"), std::nullopt);
  EXPECT_EQ(text_field(record, "mode"), "train");
  EXPECT_EQ(text_field(record, "stack"), "pytorch");
  EXPECT_NO_THROW(check_record(record));
}

std::string csv_of(const jobs::Job& job) {
  std::ostringstream out;
  const Record record = new_record("training-step", job_fields(job, "t4"), {});
  write_records_csv(out, std::span(&record, 1), CsvProvenance::left_out);
  return out.str();
}

TEST(JobFields, TheStackStandsInTheCsv) {
  jobs::Job job;
  job.net = "vgg16";
  job.sizes = {.batch = 8};
  job.stack = "tensorflow";
  EXPECT_EQ(csv_of(job),
            "kind,net,gpu,count,batch,mode,precision,optimizer,stack\n"
            "training-step,vgg16,t4,1,8,train,fp32,sgd,tensorflow\n");
}

TEST(JobFields, ARecordWithoutAStackIsReadAsBefore) {
  const auto table = CsvTable::parse("net,gpu,batch,optimizer,s\nvgg16,t4,8,sgd,0.25\n", "old.csv");
  const auto records = read_records_csv(table, {"training-step", {}});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_NO_THROW(check_record(records[0]));
  EXPECT_EQ(text_field(records[0], "optimizer"), "sgd");
  EXPECT_EQ(text_field(records[0], "stack"), std::nullopt);
}

}  // namespace
}  // namespace sextant::records
