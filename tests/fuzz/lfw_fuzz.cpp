// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

namespace {

/// The pictures of three people, of which two have several.
void write_pictures() {
  const std::string picture = "P5 3 2 255\nabcdef";
  for (const char* name : {"Ann/Ann_0001.pgm", "Ann/Ann_0002.pgm", "Ann/Ann_0003.pgm",
                           "Bob/Bob_0001.pgm", "Bob/Bob_0002.pgm", "Cy/Cy_0001.pgm"})
    scratch_file(std::string("lfw/faces/") + name, picture);
}

}  // namespace

// A byte of parameters, then the protocol files: two of view 1, separated by a NUL byte, or the
// one of view 2.
FUZZ_TARGET(lfw) {
  static const bool written = (write_pictures(), true);
  const std::uint8_t form = input.byte();
  const std::int64_t view = 1 + (form & 1);
  if (view == 1) {
    scratch_file("lfw/peopleDevTrain.txt", input.until('\0'));
    scratch_file("lfw/peopleDevTest.txt", input.rest());
  } else {
    scratch_file("lfw/pairs.txt", input.rest());
  }
  if (written)
    read_source("source/lfw", {{"path", (scratch_folder() / "lfw").string()},
                               {"images", "faces"},
                               {"view", view},
                               {"fold", std::int64_t{1 + (form >> 1 & 1)}},
                               {"images_per_person", std::int64_t{form >> 2 & 1}}});
}
