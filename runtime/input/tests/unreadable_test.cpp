// Files of a data set that cannot be opened are the user's to mend: an InputError that names them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error_of.h"
#include "scratch.h"
#include "sextant/input/sample_set.h"

namespace sextant::input {
namespace {

using testing::HasSubstr;

constexpr uid_t kNobody = 65534;

// As somebody who may not read everything.
class WithoutRights {
 public:
  WithoutRights() : own_(::geteuid()) {
    if (own_ == 0 && ::seteuid(kNobody) != 0) ADD_FAILURE() << "cannot become another user";
  }
  ~WithoutRights() {
    if (own_ == 0 && ::seteuid(own_) != 0) ADD_FAILURE() << "cannot become root again";
  }
  WithoutRights(const WithoutRights&) = delete;
  WithoutRights& operator=(const WithoutRights&) = delete;

 private:
  uid_t own_;
};

TEST(UnreadableFiles, ImageThatMayNotBeReadIsNamed) {
  const test::Scratch scratch;
  scratch.write("data/cat/1.ppm", std::string("P6 1 1 255\n\1\2\3", 14));
  ::chmod(scratch.str().c_str(), 0755);
  ::chmod((scratch / "data/cat/1.ppm").c_str(), 0);
  const WithoutRights rights;
  const auto samples = open_sample_set({.name = scratch / "data", .shape = {3, 1, 1}, .classes = 1});
  std::vector<float> values(3);
  try {
    samples->read(0, values);
    ADD_FAILURE() << "was read";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, scratch / "data/cat/1.ppm");
    EXPECT_THAT(error.message(), HasSubstr("Permission denied"));
  }
}

}  // namespace
}  // namespace sextant::input
