#include "sextant/input/record_file.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>

#include "file_bytes.h"
#include "record_layout.h"
#include "sample_sources.h"
#include "sextant/input/pixels.h"

namespace sextant::input {
namespace {

[[noreturn]] void refuse_records(const std::string& path, const std::string& what) {
  throw InputError(SourcePos{.file = path}, what);
}

using HeaderBytes = std::array<std::uint8_t, kRecordHeaderBytes>;

void check_start(const FileHandle& file, const HeaderBytes& bytes) {
  if (!std::equal(kRecordMagic.begin(), kRecordMagic.end(), bytes.begin())) {
    throw InputError(SourcePos{.file = file.path()}, "this is not a record file");
  }
  if (crc_of(std::span(bytes).first(60)) != get_little<std::uint32_t>(&bytes[60])) {
    refuse_records(file.path(), "the header is damaged: its checksum does not hold");
  }
  const auto version = get_little<std::uint32_t>(&bytes[8]);
  if (version != kRecordVersion) {
    refuse_records(file.path(), "version " + std::to_string(version) +
                                    " of record files; this program reads version " +
                                    std::to_string(kRecordVersion));
  }
}

// Checksums hold for files that somebody made wrongly, too.
void check_values(const RecordHeader& header, const FileHandle& file) {
  const SampleShape& shape = header.shape;
  const bool sides = shape.channels >= 1 && shape.height >= 1 && shape.width >= 1 &&
                     shape.channels <= kMaxImageSide && shape.height <= kMaxImageSide &&
                     shape.width <= kMaxImageSide && shape.height * shape.width <= kMaxImagePixels;
  if (!sides || shape.values() > 4 * kMaxImagePixels)
    refuse_records(file.path(), "samples have an impossible shape");
  if (header.encoding != RecordEncoding::raw_u8 && header.encoding != RecordEncoding::zlib_u8) {
    refuse_records(file.path(), "samples are encoded in a way that this program does not know");
  }
  const std::int64_t room = file.size() - static_cast<std::int64_t>(kRecordHeaderBytes);
  if (header.samples < 1 || header.samples > room / static_cast<std::int64_t>(kRecordEntryBytes)) {
    refuse_records(file.path(), "the file is too short for its index");
  }
  if (header.classes < 1) refuse_records(file.path(), "there are no classes");
  if (!std::isfinite(header.scale.mean) || !std::isfinite(header.scale.deviation) ||
      !(header.scale.deviation > 0)) {
    refuse_records(file.path(), "mean and deviation are not those of pixels");
  }
}

RecordHeader parse_header(const FileHandle& file, const HeaderBytes& bytes) {
  check_start(file, bytes);
  RecordHeader header;
  header.encoding = static_cast<RecordEncoding>(get_little<std::uint32_t>(&bytes[12]));
  header.samples = static_cast<std::int64_t>(get_little<std::uint64_t>(&bytes[16]));
  header.classes = get_little<std::uint32_t>(&bytes[24]);
  header.shape = {.channels = get_little<std::uint32_t>(&bytes[28]),
                  .height = get_little<std::uint32_t>(&bytes[32]),
                  .width = get_little<std::uint32_t>(&bytes[36])};
  header.scale = {.mean = get_real(&bytes[40]), .deviation = get_real(&bytes[48])};
  check_values(header, file);
  return header;
}

class Records final : public SampleSet {
 public:
  Records(const std::string& path, const SampleShape& shape)
      : file_(path), shape_(shape), to_values_(file_.header().scale) {}
  [[nodiscard]] const RecordHeader& header() const { return file_.header(); }
  [[nodiscard]] std::int64_t size() const override { return header().samples; }
  [[nodiscard]] std::int64_t classes() const override { return header().classes; }
  [[nodiscard]] SampleShape shape() const override { return shape_; }
  [[nodiscard]] PixelScale scale() const override { return header().scale; }
  std::int64_t read(std::int64_t index, std::span<float> values) const override {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(header().shape.values()));
    const std::int64_t label = file_.read(index, pixels);
    to_values_.fit_to_planes({header().shape, pixels}, shape_, values);
    return label;
  }

 private:
  RecordFile file_;
  SampleShape shape_;
  PixelValues to_values_;
};

}  // namespace

RecordFile::RecordFile(const std::string& path) : file_(std::make_unique<FileHandle>(path)) {
  HeaderBytes bytes{};
  if (file_->size() < static_cast<std::int64_t>(bytes.size()))
    refuse_records(path, "this is not a record file");
  file_->read(0, bytes.data(), bytes.size());
  header_ = parse_header(*file_, bytes);
  read_index(get_little<std::uint32_t>(&bytes[56]));
}

RecordFile::~RecordFile() = default;

void RecordFile::read_index(std::uint32_t crc) {
  const auto count = static_cast<std::size_t>(header_.samples);
  std::vector<std::uint8_t> bytes(count * kRecordEntryBytes);
  file_->read(kRecordHeaderBytes, bytes.data(), bytes.size());
  if (crc_of(bytes) != crc) refuse_records(file_->path(), "the index is damaged: its checksum does not hold");
  index_.reserve(count);
  auto end = static_cast<std::int64_t>(kRecordHeaderBytes + bytes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* at = &bytes[i * kRecordEntryBytes];
    const Entry entry{.offset = static_cast<std::int64_t>(get_little<std::uint64_t>(at)),
                      .bytes = get_little<std::uint32_t>(at + 8),
                      .label = get_little<std::uint32_t>(at + 12),
                      .crc = get_little<std::uint32_t>(at + 16)};
    const bool raw = header_.encoding == RecordEncoding::raw_u8;
    const bool sound = entry.offset == end && entry.bytes <= file_->size() - end &&
                       entry.label < header_.classes && (!raw || entry.bytes == header_.shape.values());
    if (!sound) {
      refuse_records(file_->path(),
                     "record " + std::to_string(i) + " is not where the index says, or the file is cut off");
    }
    index_.push_back(entry);
    end += entry.bytes;
  }
  if (end != file_->size()) refuse_records(file_->path(), "bytes follow the last record");
}

std::int64_t RecordFile::read(std::int64_t index, std::span<std::uint8_t> pixels) const {
  const Entry& entry = index_.at(static_cast<std::size_t>(index));
  if (pixels.size() != static_cast<std::size_t>(header_.shape.values())) {
    throw std::logic_error("the buffer does not have the size of a sample");
  }
  const auto damaged = [&] {
    refuse_records(file_->path(),
                   "record " + std::to_string(index) + " is damaged: its checksum does not hold");
  };
  if (header_.encoding == RecordEncoding::raw_u8) {
    file_->read(entry.offset, pixels.data(), pixels.size());
    if (crc_of(pixels) != entry.crc) damaged();
    return entry.label;
  }
  std::vector<std::uint8_t> stored(entry.bytes);
  file_->read(entry.offset, stored.data(), stored.size());
  if (crc_of(stored) != entry.crc) damaged();
  uLongf made = pixels.size();
  const int status = uncompress(pixels.data(), &made, stored.data(), stored.size());
  if (status != Z_OK || made != pixels.size()) {
    refuse_records(file_->path(), "record " + std::to_string(index) + " does not unpack to a sample");
  }
  return entry.label;
}

std::filesystem::path split_records(const std::filesystem::path& file, Split split) {
  if (split == Split::train) return file;
  std::filesystem::path apart = file;
  apart.replace_extension(".test.sxr");
  std::error_code unknown;
  return std::filesystem::exists(apart, unknown) ? apart : std::filesystem::path();
}

OpenedSamples open_records(const SampleSetRequest& request, const SourcePos& at) {
  const std::filesystem::path path = split_records(request.name, request.split);
  if (path.empty()) {
    throw InputError(at, request.name + " has no samples apart to test with",
                     "put them into a second record file beside it, x.test.sxr for x.sxr");
  }
  auto records = std::make_unique<Records>(path.string(), request.shape);
  check_fits(
      request,
      {.what = path.string(), .classes = records->classes(), .channels = records->header().shape.channels},
      at);
  return records;
}

}  // namespace sextant::input
