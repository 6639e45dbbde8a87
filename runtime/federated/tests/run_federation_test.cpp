#include "sextant/federated/run_federation.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include "sextant/core/error.h"
#include "sextant/measure/file_descriptor.h"
#include "temporary_folder.h"

namespace sextant::federated {
namespace {

TEST(RunFederation, IsRefusedWhereAnotherTrainsInTheFolder) {
  const TemporaryFolder folder;
  const measure::FileDescriptor other(
      ::open((folder.path() / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
  Federation federation;
  federation.net = "fedavg-2nn";
  federation.data = "synthetic:samples=200";
  RunOptions options;
  options.worker = "/bin/true";
  options.folder = folder.path();
  try {
    run_federation(federation, options);
    FAIL() << "it was not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("another command is training in"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "federation.json"));
}

}  // namespace
}  // namespace sextant::federated
