// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/formula.hpp"
#include "semblance/state.hpp"

namespace semblance {

/// The computation of a trained node from a row of another node, as a formula, with all names that
/// a writer of some format needs.
struct ExportedMachine {
  Formula formula;
  Formula::Value scores;              ///< one value per output
  PortType gives = PortType::scores;  ///< of classes, estimates, intervals, novelty
  bool sets = false;                  ///< scores are of sets: at least 0 for a class of the set
  std::string pipeline;               ///< its name
  std::string node;                   ///< the node with these scores
  std::string from;                   ///< the node with the input rows
  std::string layout;                 ///< the layout of these rows, in words
  std::size_t inputs = 0;             ///< values of a row
  std::vector<std::string> outputs;  ///< names: classes, numbers to predict, their ends, or "score"
  std::vector<std::string> columns;  ///< names of a row's values, if any
  std::string checksum;              ///< of the model
};

/// The name of the output with these values, in formats whose outputs have names.
inline const char* output_name(PortType gives) noexcept {
  return gives == PortType::estimates   ? "estimates"
         : gives == PortType::intervals ? "intervals"
         : gives == PortType::novelty   ? "score"
                                        : "scores";
}

/// The results of an exported form for some rows.
struct ExportedScores {
  std::vector<std::int32_t> classes;  ///< -1: it refuses the row; without classes 0
  FloatMatrix scores;
};

}  // namespace semblance
