// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// The computation of a trained node from a row of another node, as a formula, with all names that
/// a writer of some format needs.
struct ExportedMachine {
  Formula formula;
  Formula::Value scores;             ///< one value per class
  std::string pipeline;              ///< its name
  std::string node;                  ///< the node with these scores
  std::string from;                  ///< the node with the input rows
  std::string layout;                ///< the layout of these rows, in words
  std::size_t inputs = 0;            ///< values of a row
  std::vector<std::string> classes;  ///< names
  std::vector<std::string> columns;  ///< names of a row's values, if any
  std::string checksum;              ///< of the model
};

/// The results of an exported form for some rows.
struct ExportedScores {
  std::vector<std::int32_t> classes;  ///< -1: it refuses the row
  FloatMatrix scores;
};

}  // namespace semblance
