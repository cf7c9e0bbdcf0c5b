// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {

/// The properties of series given by the tags of a .ts file.
struct TsHeader {
  bool univariate = false;
  std::size_t channels = 0;  ///< 0: not said
  bool equal_length = false;
  std::size_t length = 0;  ///< 0: not said
  bool labelled = false;
  std::vector<std::string> classes;
};

/// Reads the tags up to @data. Throws DataError naming the line and the problem.
TsHeader read_ts_header(LineReader& lines, Context& context);

}  // namespace semblance::sources
