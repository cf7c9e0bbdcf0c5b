// SPDX-License-Identifier: MIT
#include "fuzzing.hpp"
#include "pictures/image_decoding.hpp"

using namespace semblance;
using namespace semblance::sources;
using namespace semblance::fuzzing;

// Two bytes with the target size, then a picture.
FUZZ_TARGET(picture) {
  const std::size_t height = 1 + input.byte() % 40u, width = 1 + input.byte() % 40u;
  const std::string_view file = input.rest();
  expect_result_or_error([&] {
    const sources::Picture picture =
        decode_picture({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, memory);
    require(picture.values.size() == picture.height * picture.width * picture.channels,
            "not all pixels are there");
    require(picture.values.size() <= memory, "more than the memory allowed");
    const sources::Picture grey = resized(with_channels(picture, 1), height, width);
    require(grey.values.size() == height * width, "it was not brought to the size wanted");
  });
}
