// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "semblance/formula.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// What a trained node computes of a row of another one, written down, with the names that belong
/// to it: all that a writer of some format has to know.
struct ExportedMachine {
  Formula formula;
  Formula::Value scores;             ///< one value a class
  std::string pipeline;              ///< its name
  std::string node;                  ///< whose scores they are
  std::string from;                  ///< whose rows are taken
  std::string layout;                ///< of these, in words
  std::size_t inputs = 0;            ///< values of a row
  std::vector<std::string> classes;  ///< names
  std::vector<std::string> columns;  ///< names of a row's values, if they have any
  std::string checksum;              ///< of the model
};

/// What an exported form gives for some rows.
struct ExportedScores {
  std::vector<std::int32_t> classes;  ///< -1: it refuses the row
  FloatMatrix scores;
};

}  // namespace semblance
