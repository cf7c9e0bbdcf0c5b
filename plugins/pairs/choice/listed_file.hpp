// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace semblance::pairs {

/// One sample of a protocol file: the `number`-th (from 1) of the class `name`.
struct NamedSample {
  std::string name;
  std::int64_t number = 0;
};

/// A line of a protocol file.
struct NamedPair {
  NamedSample first;
  NamedSample second;
  bool same = false;
  std::size_t line = 0;  ///< counted from 1
};

/// The folds of a protocol file in the format of Labeled Faces in the Wild's pairs.txt: a first
/// line "FOLDS PAIRS", or "PAIRS" for a single fold; then in each fold PAIRS lines
/// "NAME NUMBER NUMBER" of positive pairs and PAIRS lines "NAME NUMBER NAME NUMBER" of negative
/// ones, fields separated by blanks or tabs. Throws DataError, also where the pairs need more than
/// `memory` bytes.
std::vector<std::vector<NamedPair>> read_protocol(const std::string& path, std::size_t memory);

}  // namespace semblance::pairs
