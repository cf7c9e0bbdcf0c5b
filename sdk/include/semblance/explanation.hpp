// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semblance/report.hpp"

namespace semblance {

/// One term of the sum: what the similarity to an example adds.
struct ExampleTerm {
  std::string map;                  ///< the node of the map, or the kernel machine
  std::size_t basis = 0;            ///< its number among the map's bases or the machine's vectors
  std::optional<std::int64_t> row;  ///< its position among the training samples, where known
  std::string of_class = {};        ///< its class, where known
  double similarity = 0;
  double weight = 0;
  double contribution = 0;  ///< their product
  /// Its number in the data and its name there, where the training samples are read.
  std::optional<std::int64_t> number = {};
  std::string name = {};
};

/// The share of a column, or of a part of a sample, in the difference from the background.
struct PartShare {
  std::string name;
  std::size_t first = 0, count = 0;  ///< of a series its steps, of a string its symbols; of an
                                     ///< image the place of the cell and the number of its pixels
  std::optional<double> value = {};  ///< of a column
  double share = 0;
  double error = 0;  ///< standard error; 0: it is exact
};

/// How shares were computed.
enum class ShareMethod { none, exact, sampled };

/// Why a machine gives this result for a sample.
struct Explanation {
  std::string predicted = {};  ///< the class, if there are classes
  std::string explained = {};  ///< the class that positive terms speak for, or the number's name
  std::string against = {};    ///< the class that negative terms speak for; empty: none
  bool difference = false;     ///< `value` is a difference between the scores of both
  double value = 0;            ///< bias + sum of all contributions
  double bias = 0;
  double rounding = 0;                     ///< how far the machine's own value is from that sum
  std::vector<ExampleTerm> examples = {};  ///< all with a weight, the largest magnitude first
  ShareMethod method = ShareMethod::none;
  std::string no_shares = {};          ///< why there are none
  double expected = 0;                 ///< the mean value of the background
  std::size_t background = 0;          ///< the number of its samples
  std::vector<PartShare> shares = {};  ///< in the order of the sample's columns or parts
};

/// The terms of an explanation that are shown.
struct ShownExamples {
  std::vector<ExampleTerm> plus, minus;  ///< the largest magnitude first
  std::size_t others = 0;                ///< the number of those that are not shown
  double others_contribution = 0;        ///< their sum
};

/// The `top` largest positive terms and the `top` largest negative ones.
ShownExamples shown_examples(const Explanation& explanation, std::size_t top);

/// Test samples with explanations, in this order.
struct ExplainedSamples {
  /// What is predicted.
  enum class Of { classes, numbers, novelty };
  struct Entry {
    SampleList::Sample sample;  ///< its label is the true class or number; empty: unknown
    std::int64_t number = 0;    ///< the sample's number in the data
    std::string predicted;      ///< the class by the scores that are judged, the estimate, or
                                ///< "usual" or "novel"
    Explanation explanation;
    /// The training samples of the shown examples, positive terms first; empty where these are not
    /// in the data.
    std::vector<SampleList::Sample> examples = {};
  };
  std::string name;
  Layout layout;                     ///< of all samples
  std::vector<std::string> columns;  ///< names of a vector's columns; may be empty
  std::size_t top = 0;               ///< of shown_examples()
  std::vector<Entry> entries;
  Of of = Of::classes;
};

}  // namespace semblance
