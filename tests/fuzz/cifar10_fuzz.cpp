// SPDX-License-Identifier: MIT
#include "reading.hpp"

using namespace semblance;
using namespace semblance::fuzzing;

// A byte of parameters, a byte with the length of the file of names, that file, the batch.
FUZZ_TARGET(cifar10) {
  const std::uint8_t form = input.byte();
  std::string names;
  for (std::size_t left = input.byte(); left > 0; --left)
    names.push_back(static_cast<char>(input.byte()));
  const std::string folder = (scratch_folder() / "cifar10").string();
  std::filesystem::remove(folder + "/batches.meta.txt");
  if (form & 1) scratch_file("cifar10/batches.meta.txt", names);
  scratch_file("cifar10/data_batch_1.bin", input.rest());
  read_source("source/cifar10", {{"path", folder},
                                 {"train_folds", std::vector<std::int64_t>{1}},
                                 {"images_per_batch", std::int64_t{1 + (form >> 4)}},
                                 {"test", false}});
}
