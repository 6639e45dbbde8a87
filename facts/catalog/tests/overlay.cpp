// A user's TOML over the built-in catalogue: additions, replacement, names, and errors that point.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "sextant/catalog/catalog.h"
#include "shipped.h"

namespace sextant::catalog {
namespace {

using testing::HasSubstr;

Catalog with(const std::string& toml) {
  const CatalogFile file{"mine.toml", toml};
  return overlay(builtin(), std::span(&file, 1));
}

const std::string kMyGpu = R"(
[[gpu]]
id = "my-gpu"
aliases = ["Mine"]
fp32 = "10 TFLOP/s"
memory = "8 GiB"
memory_bandwidth = "200 GB/s"
)";

TEST(Overlay, AddsAGpuWithTheFewestKeys) {
  const auto catalog = with(kMyGpu);
  const Gpu& gpu = catalog.gpus.get("mine");
  EXPECT_EQ(gpu.name, "my-gpu");
  EXPECT_DOUBLE_EQ(gpu.fp32.value, 10e12);
  EXPECT_FALSE(gpu.l2);
  EXPECT_EQ(catalog.gpus.all().size(), builtin().gpus.all().size() + 1);
}

TEST(Overlay, ReadsMemoryKindAndSustainedClock) {
  for (const std::string kind : {"hbm", "gddr", "gddr-ecc", "lpddr"}) {
    const auto catalog =
        with(kMyGpu + "boost = \"1.5 GHz\"\nsustained = \"900 MHz\"\nmemory_kind = \"" + kind + "\"\n");
    EXPECT_EQ(catalog.gpus.get("my-gpu").memory_kind, kind);
    EXPECT_EQ(catalog.gpus.get("my-gpu").sustained, Hertz{9e8});
  }
  EXPECT_EQ(with(kMyGpu).gpus.get("my-gpu").memory_kind, "");
  EXPECT_EQ(with(kMyGpu).gpus.get("my-gpu").sustained, std::nullopt);
}

TEST(Overlay, ACalibrationLiesBesideTheFileThatNamesIt) {
  const CatalogFile file{"/home/me/local.toml", kMyGpu + "calibration = \"local.json\"\n"};
  EXPECT_EQ(overlay(builtin(), std::span(&file, 1)).gpus.get("my-gpu").calibration, "/home/me/local.json");
  EXPECT_EQ(with(kMyGpu).gpus.get("my-gpu").calibration, "");
}

TEST(Overlay, AProviderBillsInItsOwnWay) {
  const auto catalog = with(R"(
[[provider]]
id = "lab"
increment = "1 h"
minimum = "0 s"
startup = "90 s"
[[machine]]
cloud = "lab"
name = "box"
gpu = "t4"
[[machine]]
cloud = "elsewhere"
name = "box-2"
gpu = "t4"
)");
  const Provider lab = provider_of(catalog, catalog.machines.get("lab/box"));
  EXPECT_EQ(lab.increment, kHour);
  EXPECT_EQ(lab.minimum, Seconds{});
  EXPECT_EQ(lab.startup, Seconds{90});
  EXPECT_EQ(provider_of(catalog, catalog.machines.get("elsewhere/box-2")).minimum, Provider{}.minimum);
  EXPECT_THROW(with("[[provider]]\nid = \"x\"\nincrement = \"0 s\"\n"), InputError);
  EXPECT_THROW(with("[[provider]]\nid = \"x\"\nstartup = \"-5 s\"\n"), InputError);
}

TEST(Overlay, ReplacesAnEntryWhole) {
  const auto catalog = with(R"(
[[gpu]]
id = "t4"
fp32 = "4 TFLOP/s"
memory = "15 GiB"
memory_bandwidth = "250 GB/s"
)");
  EXPECT_EQ(catalog.gpus.all().size(), builtin().gpus.all().size());
  EXPECT_DOUBLE_EQ(catalog.gpus.get("t4").fp32.value, 4e12);
  EXPECT_FALSE(catalog.gpus.get("t4").tensor_fp16) << "nothing of the old entry is left";
  EXPECT_EQ(catalog.gpus.find("Tesla T4"), nullptr) << "nor its aliases";
  EXPECT_EQ(catalog.machines.get("g4dn.xlarge").gpu, "t4");
}

TEST(Overlay, TakesOverAnAlias) {
  const auto catalog = with(R"(
[[gpu]]
id = "measured-v100"
aliases = ["v100"]
fp32 = "13 TFLOP/s"
memory = "16 GiB"
memory_bandwidth = "800 GB/s"
)");
  EXPECT_EQ(catalog.gpus.get("V100").id, "measured-v100");
  EXPECT_EQ(catalog.gpus.get("V100M16").id, "v100-sxm2-16gb") << "its other names stay";
}

TEST(Overlay, MachineRefersToAnyNameAndAnyFile) {
  const std::vector<CatalogFile> files = {{"machines.toml", R"(
cloud = "In House"
[[machine]]
name = "Rack_7"
gpu = "Mine"
gpus = 4
network = "10GbE"
link = "pcie4"
prices = [{ region = "cellar", on_demand = "0 USD/h" }]
)"},
                                          {"gpus.toml", kMyGpu}};
  const auto catalog = overlay(builtin(), files);
  const Machine& machine = catalog.machines.get("rack-7");
  EXPECT_EQ(machine.id, "in-house/rack-7");
  EXPECT_EQ(machine.gpu, "my-gpu");
  EXPECT_EQ(machine.node_link, "ethernet-10g");
  EXPECT_EQ(machine.gpu_link, "pcie-4-x16");
  EXPECT_EQ(lowest_on_demand(machine), DollarRate{0});
}

TEST(Overlay, ABareNameThatTwoCloudsShareMustBeSpeltOut) {
  const auto catalog = with("[[machine]]\ncloud = \"other\"\nname = \"p3.2xlarge\"\ngpu = \"t4\"\n");
  EXPECT_EQ(catalog.machines.find("p3.2xlarge"), nullptr);
  EXPECT_EQ(catalog.machines.get("aws/p3.2xlarge").gpu, "v100-sxm2-16gb");
  EXPECT_EQ(catalog.machines.get("other/p3.2xlarge").gpu, "t4");
}

TEST(Overlay, LaterFilesWin) {
  std::string faster = kMyGpu;
  faster.replace(faster.find("10 TFLOP"), 2, "20");
  const std::vector<CatalogFile> files = {{"a.toml", kMyGpu}, {"b.toml", faster}};
  EXPECT_DOUBLE_EQ(overlay(builtin(), files).gpus.get("mine").fp32.value, 20e12);
}

TEST(Overlay, FileDefaultsGoToEntriesThatDoNotSayTheirOwn) {
  const auto catalog =
      with("source = \"bench\"\ndate = \"2025-02-03\"\n" + kMyGpu + "date = \"2025-03-04\"\n");
  EXPECT_EQ(catalog.gpus.get("my-gpu").source, "bench");
  EXPECT_EQ(catalog.gpus.get("my-gpu").date, "2025-03-04");
}

struct BadCase {
  std::string name, toml;
  int line;
  std::string message, hint;
};

void PrintTo(const BadCase& bad, std::ostream* out) {
  *out << bad.name;
}

class BadOverlay : public testing::TestWithParam<BadCase> {};

TEST_P(BadOverlay, IsRefusedAtItsPlace) {
  try {
    (void)with(GetParam().toml);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "mine.toml");
    EXPECT_EQ(error.where().line, GetParam().line);
    EXPECT_THAT(error.message(), HasSubstr(GetParam().message));
    EXPECT_THAT(error.hint(), HasSubstr(GetParam().hint));
  }
}

std::string gpu_with(const std::string& line) {
  return "[[gpu]]\nid = \"x\"\nfp32 = \"1 TFLOP/s\"\nmemory = \"1 GiB\"\nmemory_bandwidth = \"1 GB/s\"\n" +
         line;
}
std::string machine_with(const std::string& line) {
  return "[[machine]]\ncloud = \"c\"\nname = \"n\"\n" + line;
}

INSTANTIATE_TEST_SUITE_P(
    Overlay, BadOverlay,
    testing::Values(
        BadCase{"MissingKey", "[[gpu]]\nid = \"x\"\n", 1, "'fp32' is missing", ""},
        BadCase{"NoUnit", "[[gpu]]\nid = \"x\"\nfp32 = 15.7\n", 3, "has no unit", "TFLOP/s"},
        BadCase{"WrongUnit", "[[gpu]]\nid = \"x\"\nfp32 = \"15.7 GB\"\n", 3, "unknown unit 'GB'", "TFLOP/s"},
        BadCase{"Zero", "[[gpu]]\nid = \"x\"\nfp32 = \"0 TFLOP/s\"\n", 3, "must be positive", ""},
        BadCase{"Negative", "[[gpu]]\nid = \"x\"\nfp32 = \"-1 TFLOP/s\"\n", 3, "negative", ""},
        BadCase{"NotFinite", "[[gpu]]\nid = \"x\"\nfp32 = \"1e999 TFLOP/s\"\n", 3, "", ""},
        BadCase{"TooSlow", "[[gpu]]\nid = \"x\"\nfp32 = \"1e-300 TFLOP/s\"\n", 3, "no device has", "between"},
        BadCase{"TooFast", "[[gpu]]\nid = \"x\"\nfp32 = \"1e290 TFLOP/s\"\n", 3, "no device has", "between"},
        BadCase{"UnknownKey", gpu_with("tensor_fp61 = \"1 TFLOP/s\"\n"), 6, "unknown key 'tensor_fp61'",
                "tensor_fp16"},
        BadCase{"UnknownSection", "[[gpus]]\nid = \"x\"\n", 1, "unknown key 'gpus'", "did you mean 'gpu'?"},
        BadCase{"BadId", "[[gpu]]\nid = \"My GPU\"\n", 2, "id 'My GPU'", "'my-gpu'"},
        BadCase{"EmptyAlias", gpu_with("aliases = [\" \"]\n"), 6, "alias is empty", ""},
        BadCase{"HugeCount", gpu_with("sms = 99999999999\n"), 6, "between 1 and ten million", ""},
        BadCase{"MemoryKind", gpu_with("memory_kind = \"HBM2\"\n"), 6, "unknown kind of memory 'HBM2'",
                "hbm, gddr, gddr-ecc, lpddr"},
        BadCase{"NoMemoryKind", gpu_with("memory_kind = \"\"\n"), 6, "unknown kind of memory ''",
                "one of: hbm"},
        BadCase{"SustainedWithoutUnit", gpu_with("sustained = 562\n"), 6, "has no unit", "MHz"},
        BadCase{"SustainedZero", gpu_with("sustained = \"0 MHz\"\n"), 6, "'sustained' must be positive", ""},
        BadCase{"BadDate", gpu_with("date = \"2025-13-01\"\n"), 6, "not a date", "2025-01-31"},
        BadCase{"NoSuchDay", gpu_with("date = \"2025-02-30\"\n"), 6, "not a date", "2025-01-31"},
        BadCase{"BadFileDate", "date = \"yesterday\"\n", 1, "not a date", ""},
        BadCase{"OtherSchema", "schema = 2\n", 1, "schema = 1 only", ""},
        BadCase{"TwiceInOneFile", gpu_with(gpu_with("")), 7, "'x' is also a name of 'x'", ""},
        BadCase{"AliasIsAnotherId", gpu_with("aliases = [\"T4\"]\n"), 6, "is the id of another entry",
                "use its id"},
        BadCase{"UnknownLink", gpu_with("link = \"nvlink-22\"\n"), 6, "unknown link 'nvlink-22'", "nvlink-2"},
        BadCase{"UnknownGpu", machine_with("gpu = \"H10O\"\n"), 4, "unknown GPU 'H10O'",
                "did you mean 'H100'?"},
        BadCase{"UnknownCpu", machine_with("cpu = \"epyc-7r322\"\n"), 4, "unknown CPU", "'epyc-7r32'"},
        BadCase{"GpusOfNone", machine_with("gpus = 4\n"), 4, "'gpu' is not", ""},
        BadCase{"NegativeGpus", machine_with("gpu = \"t4\"\ngpus = -1\n"), 5, "must be positive", ""},
        BadCase{"TooManyGpus", machine_with("gpu = \"t4\"\ngpus = 1000000000\n"), 5, "more than any machine",
                ""},
        BadCase{"NoCloud", "[[machine]]\nname = \"n\"\n", 1, "'cloud'", "in-house"},
        BadCase{"PriceWithoutUnit", machine_with("prices = [{ region = \"r\", on_demand = 3 }]\n"), 4,
                "has no unit", "USD/h"},
        BadCase{"PriceOfNothing", machine_with("prices = [{ region = \"r\" }]\n"), 4,
                "needs 'on_demand' or 'spot'", ""},
        BadCase{"KindOfLink", "[[link]]\nid = \"l\"\nkind = \"wire\"\n", 3, "unknown kind", "intra-node"},
        BadCase{"NotToml", "[[gpu\n", 1, "", ""}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace sextant::catalog
