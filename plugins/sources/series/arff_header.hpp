// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "semblance/context.hpp"
#include "text/line_reader.hpp"

namespace semblance::sources {

/// The attributes of an .arff file of series.
struct ArffHeader {
  std::size_t fields = 0;   ///< in a line of data
  bool relational = false;  ///< one field has all channels of a series
  std::size_t series = 0;   ///< where relational: its number among the fields
  bool labelled = false;
  std::size_t label = 0;  ///< its number among the fields
  std::vector<std::string> classes;
};

/// Reads the header up to @data. Throws DataError naming the line and the problem.
ArffHeader read_arff_header(LineReader& lines, Context& context);

}  // namespace semblance::sources
