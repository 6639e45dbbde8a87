// Images in files: JPEG (libjpeg-turbo), PNG (libpng), and binary PPM and PGM, told apart by their first
// bytes. Sizes are checked before memory is taken, and what is damaged or cut off is refused, not guessed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sextant/input/pixels.h"

namespace sextant::input {

enum class ImageFormat { jpeg, png, ppm };
const char* image_ending(ImageFormat format);  // ".jpg", ".png", ".ppm"

// One or three channels. A JPEG more than twice as large as `goal` needs is decoded at a half, a quarter or
// an eighth, which averages over areas too and takes a fraction of the time; the default goal wants every
// pixel. InputError that names `file`.
PixelImage decode_image(std::span<const std::uint8_t> bytes, const std::string& file,
                        const SampleShape& goal = {
                            .channels = 3, .height = kMaxImageSide, .width = kMaxImageSide});

// One or three channels, else InputError. JPEG with quality 90.
std::vector<std::uint8_t> encode_image(const PixelView& image, ImageFormat format);

// Samples as a folder of images, a sub-folder for each class, that open_sample_set reads. The folder must not
// exist, or be empty. What was written is removed on an error.
void write_image_folder(const SampleSet& samples, const std::string& folder, ImageFormat format);

}  // namespace sextant::input
