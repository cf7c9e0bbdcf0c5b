// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "files/line_reader.hpp"
#include "semblance/context.hpp"

namespace semblance::sources {

/// One @attribute line of an .arff file.
struct ArffAttribute {
  std::string name;
  std::string type;                 ///< in lower case, as written; empty: nominal
  std::vector<std::string> values;  ///< of a nominal one, in their order
  std::size_t line = 0;
  bool inside = false;  ///< of the relational attribute before it

  bool nominal() const noexcept { return type.empty(); }
  bool numeric() const noexcept { return type == "numeric" || type == "real" || type == "integer"; }
  bool relational() const noexcept { return type == "relational"; }
};

/// Reads the header up to @data. Throws DataError naming the line and the problem.
std::vector<ArffAttribute> read_arff_attributes(LineReader& lines, Context& context);

/// Takes a word off the front of `text` and unquotes it: up to a blank or one of `ends`. False if a
/// quote is not closed.
bool take_arff_word(std::string_view& text, std::string_view ends, std::string& word);

}  // namespace semblance::sources
