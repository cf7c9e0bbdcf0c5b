// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, a byte with the length of the file of labels, that file, the images.
FUZZ_TARGET(idx) {
  const std::uint8_t form = input.byte();
  const std::string labels = sized_part(input);
  const std::string label_file = scratch_file("labels", labels);
  const std::string images = scratch_file("images", input.rest());
  Parameters parameters;
  if (form & 1) {
    parameters.emplace_back("train_images", images);
    parameters.emplace_back("train_labels", label_file);
  }
  if (form & 2 || !(form & 1)) parameters.emplace_back("test_images", images);
  if (form & 4) parameters.emplace_back("test_labels", label_file);
  read_source("source/idx", parameters);
}
