// Writes a record file: records first, behind room for the index, then index and header, then its name.
#include <zlib.h>

#include <limits>
#include <string_view>

#include "record_layout.h"
#include "sextant/core/whole_file.h"
#include "sextant/input/pixels.h"
#include "sextant/input/record_file.h"

namespace sextant::input {
namespace {

std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::uint8_t> packed(std::span<const std::uint8_t> pixels) {
  std::vector<std::uint8_t> out(compressBound(pixels.size()));
  uLongf size = out.size();
  if (compress2(out.data(), &size, pixels.data(), pixels.size(), Z_DEFAULT_COMPRESSION) != Z_OK) {
    throw SystemError("zlib cannot pack a sample");
  }
  out.resize(size);
  return out;
}

std::array<std::uint8_t, kRecordHeaderBytes> header_bytes(const SampleSet& samples, RecordEncoding encoding,
                                                          std::span<const std::uint8_t> index) {
  std::array<std::uint8_t, kRecordHeaderBytes> bytes{};
  std::copy(kRecordMagic.begin(), kRecordMagic.end(), bytes.begin());
  const SampleShape shape = samples.shape();
  put_little(&bytes[8], kRecordVersion);
  put_little(&bytes[12], static_cast<std::uint32_t>(encoding));
  put_little(&bytes[16], static_cast<std::uint64_t>(samples.size()));
  put_little(&bytes[24], static_cast<std::uint32_t>(samples.classes()));
  put_little(&bytes[28], static_cast<std::uint32_t>(shape.channels));
  put_little(&bytes[32], static_cast<std::uint32_t>(shape.height));
  put_little(&bytes[36], static_cast<std::uint32_t>(shape.width));
  put_real(&bytes[40], samples.scale().mean);
  put_real(&bytes[48], samples.scale().deviation);
  put_little(&bytes[56], crc_of(index));
  put_little(&bytes[60], crc_of(std::span(bytes).first(60)));
  return bytes;
}

}  // namespace

void write_record_file(const SampleSet& samples, const std::string& path, RecordEncoding encoding) {
  const SampleShape shape = samples.shape();
  if (samples.classes() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError(SourcePos{.file = path}, "too many classes for a record file");
  }
  WholeFile file(path);
  std::vector<float> values(static_cast<std::size_t>(shape.values()));
  std::vector<std::uint8_t> pixels(values.size());
  std::vector<std::uint8_t> index(static_cast<std::size_t>(samples.size()) * kRecordEntryBytes);
  auto offset = static_cast<std::int64_t>(kRecordHeaderBytes + index.size());
  for (std::int64_t i = 0; i < samples.size(); ++i) {
    const std::int64_t label = samples.read(i, values);
    to_pixels(values, samples.scale(), shape, pixels);
    const std::vector<std::uint8_t> stored = encoding == RecordEncoding::raw_u8 ? pixels : packed(pixels);
    file.write_at(as_text(stored), offset);
    std::uint8_t* entry = &index[static_cast<std::size_t>(i) * kRecordEntryBytes];
    put_little(entry, static_cast<std::uint64_t>(offset));
    put_little(entry + 8, static_cast<std::uint32_t>(stored.size()));
    put_little(entry + 12, static_cast<std::uint32_t>(label));
    put_little(entry + 16, crc_of(stored));
    offset += static_cast<std::int64_t>(stored.size());
  }
  file.write_at(as_text(index), kRecordHeaderBytes);
  file.write_at(as_text(header_bytes(samples, encoding, index)), 0);
  file.commit();
}

}  // namespace sextant::input
