// JPEG through libjpeg-turbo. The library reports errors by a jump: between setjmp and the calls stands
// nothing that has a destructor, and whatever owns memory lives in the caller's frame.
#include <array>
#include <csetjmp>
#include <cstdlib>
#include <memory>
#include <utility>

// jpeglib.h needs FILE, and jerror.h what jpeglib.h defines.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include "image_codecs.h"

namespace sextant::input {
namespace {

constexpr int kQuality = 90;
constexpr int kMaxScans = 500;  // of a progressive file; real ones have about ten

struct JpegErrors {
  jpeg_error_mgr base{};
  std::jmp_buf jump{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void jump_out(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);  // base is its first member
  info->err->format_message(info, errors->message.data());
  std::longjmp(errors->jump, 1);
}

// libjpeg fills what is cut off with grey and goes on; a network must not learn that.
void on_warning(j_common_ptr info, int level) {
  if (level >= 0) return;
  const int code = info->err->msg_code;
  const bool damaged = code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER || code == JWRN_HUFF_BAD_CODE ||
                       code == JWRN_MUST_RESYNC || code == JWRN_ARITH_BAD_CODE;
  if (damaged) jump_out(info);
}

void on_scan(j_common_ptr info) {
  auto* decoder = reinterpret_cast<j_decompress_ptr>(info);
  if (decoder->input_scan_number > kMaxScans) ERREXIT(info, JERR_BAD_PROGRESSION);
}

jpeg_error_mgr* set_up(JpegErrors& errors) {
  jpeg_std_error(&errors.base);
  errors.base.error_exit = jump_out;
  errors.base.emit_message = on_warning;
  return &errors.base;
}

// Eight, four, two or one: the smallest image that still reaches the goal on the side that decides how far it
// is scaled down.
unsigned int scale_down(std::int64_t height, std::int64_t width, const SampleShape& goal) {
  const bool by_height = height * goal.width >= width * goal.height;
  for (const unsigned int part : {8U, 4U, 2U}) {
    if (by_height ? height >= part * goal.height : width >= part * goal.width) return part;
  }
  return 1;
}

struct Decoder {
  JpegErrors errors;
  jpeg_decompress_struct info{};
  jpeg_progress_mgr progress{};
  PixelImage image;

  Decoder() {
    info.err = set_up(errors);
    progress.progress_monitor = on_scan;
  }
  ~Decoder() { jpeg_destroy_decompress(&info); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // False: errors.message says why.
  bool read_header(ImageBytes bytes) {
    if (setjmp(errors.jump) != 0) return false;
    jpeg_create_decompress(&info);
    info.progress = &progress;
    jpeg_mem_src(&info, bytes.data(), bytes.size());
    jpeg_read_header(&info, TRUE);
    return true;
  }

  bool start(const SampleShape& goal) {
    if (setjmp(errors.jump) != 0) return false;
    const bool cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    const bool grey = info.jpeg_color_space == JCS_GRAYSCALE;
    info.out_color_space = cmyk ? JCS_CMYK : (grey ? JCS_GRAYSCALE : JCS_RGB);
    info.scale_num = 1;
    info.scale_denom = scale_down(info.image_height, info.image_width, goal);
    jpeg_start_decompress(&info);
    return true;
  }

  // `row` has room for one; the image grows with what is there, not with what the header promises.
  bool read_row(std::uint8_t* row) {
    if (setjmp(errors.jump) != 0) return false;
    jpeg_read_scanlines(&info, &row, 1);
    return true;
  }

  bool finish() {
    if (setjmp(errors.jump) != 0) return false;
    jpeg_finish_decompress(&info);
    return true;
  }
};

// Adobe writes CMYK inverted: 255 is no ink.
void cmyk_to_rgb(PixelImage& image, bool inverted) {
  const std::size_t count = image.pixels.size() / 4;
  for (std::size_t i = 0; i < count; ++i) {
    const auto light = [&](std::size_t c) -> unsigned {
      const unsigned ink = image.pixels[4 * i + c];
      return inverted ? ink : 255U - ink;
    };
    const unsigned black = light(3);
    for (std::size_t c = 0; c < 3; ++c) {
      image.pixels[3 * i + c] = static_cast<std::uint8_t>((light(c) * black + 127U) / 255U);
    }
  }
  image.pixels.resize(3 * count);
  image.shape.channels = 3;
}

struct Encoder {
  JpegErrors errors;
  jpeg_compress_struct info{};
  unsigned char* buffer = nullptr;  // libjpeg allocates it
  unsigned long length = 0;         // NOLINT(google-runtime-int): libjpeg's type

  Encoder() { info.err = set_up(errors); }
  ~Encoder() {
    jpeg_destroy_compress(&info);
    std::free(buffer);
  }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  bool encode(const PixelView& image) {
    if (setjmp(errors.jump) != 0) return false;
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &buffer, &length);
    info.image_width = static_cast<JDIMENSION>(image.shape.width);
    info.image_height = static_cast<JDIMENSION>(image.shape.height);
    info.input_components = static_cast<int>(image.shape.channels);
    info.in_color_space = image.shape.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, kQuality, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
      const std::size_t row = static_cast<std::size_t>(image.shape.width * image.shape.channels);
      auto* at = const_cast<JSAMPLE*>(image.pixels.data() + info.next_scanline * row);  // only read
      jpeg_write_scanlines(&info, &at, 1);
    }
    jpeg_finish_compress(&info);
    return true;
  }
};

}  // namespace

PixelImage decode_jpeg(ImageBytes bytes, const std::string& file, const SampleShape& goal) {
  const auto decoder = std::make_unique<Decoder>();
  const auto must = [&](bool done) {
    if (!done) refuse_image(file, std::string("damaged JPEG: ") + decoder->errors.message.data());
  };
  must(decoder->read_header(bytes));
  check_image_size(decoder->info.image_height, decoder->info.image_width, file);
  must(decoder->start(goal));
  PixelImage& image = decoder->image;
  const jpeg_decompress_struct& info = decoder->info;
  image.shape = {
      .channels = info.output_components, .height = info.output_height, .width = info.output_width};
  const auto row = static_cast<std::size_t>(image.shape.channels * image.shape.width);
  while (info.output_scanline < info.output_height) {
    const std::size_t at = image.pixels.size();
    image.pixels.resize(at + row);
    must(decoder->read_row(image.pixels.data() + at));
  }
  must(decoder->finish());
  if (image.shape.channels == 4) cmyk_to_rgb(image, info.saw_Adobe_marker != 0);
  return std::move(image);
}

std::vector<std::uint8_t> encode_jpeg(const PixelView& image) {
  const auto encoder = std::make_unique<Encoder>();
  if (!encoder->encode(image)) {
    throw SystemError(std::string("an image cannot be written as JPEG: ") + encoder->errors.message.data());
  }
  return {encoder->buffer, encoder->buffer + encoder->length};
}

}  // namespace sextant::input
