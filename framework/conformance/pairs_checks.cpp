// SPDX-License-Identifier: MIT
#include <algorithm>

#include "conformance/checks.hpp"
#include "semblance/pairs.hpp"

namespace semblance::conformance {
namespace {

constexpr std::size_t classes_in_all = 12;
constexpr std::size_t rows_of_a_class = 20;

/// Samples that alternate between 12 classes; the last four of each class are for testing.
struct Examples {
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;
  std::size_t train_rows = classes_in_all * (rows_of_a_class - 4);

  Examples() {
    for (std::size_t i = 0; i < classes_in_all * rows_of_a_class; ++i)
      labels.push_back(static_cast<std::int32_t>(i % classes_in_all));
    for (std::size_t c = 0; c < classes_in_all; ++c) classes.push_back(std::to_string(c));
  }
  PairExamples view() const { return {labels, train_rows, classes}; }
  PairExamples new_data() const { return {std::span(labels).subspan(train_rows), 0, classes}; }
};

void check_pairs(const PairSet& set, const PairExamples& examples, std::size_t rows,
                 const std::string& purpose) {
  for (const Pair& pair : set.expanded()) {
    const std::string place = "the pair (" + std::to_string(pair.first) + ", " +
                              std::to_string(pair.second) + ") to " + purpose;
    const auto row = [&](std::int32_t r) {
      require(r >= 0 && static_cast<std::size_t>(r) < rows,
              place + " on is not one of the " + std::to_string(rows) + " rows for it");
      return examples.labels[static_cast<std::size_t>(r)];
    };
    const std::int32_t right = row(pair.first) == row(pair.second) ? 1 : -1;
    require(pair.label == right, place + " on has the label " + std::to_string(pair.label) +
                                     ", not " + std::to_string(right));
  }
}

std::string text_of(const PairSet& set) {
  std::string text;
  for (const Pair& pair : set.expanded())
    text += std::to_string(pair.first) + " " + std::to_string(pair.second) + " " +
            std::to_string(pair.label) + "\n";
  return text;
}

Outcome pairs_trial(const Subject& subject, const ComponentConfig& config, const Setting& setting) {
  const Examples examples;
  TrialContext context(setting);
  const auto chosen = subject.create_as<Pairs>(config)->select(examples.view(), context);
  check_pairs(chosen.train, examples.view(), examples.train_rows, "train");
  check_pairs(chosen.test, examples.view(), examples.labels.size(), "test");
  return {{}, text_of(chosen.train) + "test:\n" + text_of(chosen.test)};
}

void new_data(const Subject& subject) {
  const Examples examples;
  testing::TestContext context;
  const auto chosen = subject.create_as<Pairs>()->select(examples.new_data(), context);
  require(chosen.train.size() == 0, "it gives training pairs although there are no training rows");
  check_pairs(chosen.test, examples.new_data(), examples.new_data().labels.size(), "test");
}

}  // namespace

void add_pairs_checks(std::vector<Check>& checks, const Subject& subject) {
  checks.push_back({"pairs of the right rows with the right labels",
                    [&subject] { pairs_trial(subject, subject.config(), {}); }});
  add(checks, subject, {{"test pairs of new data", new_data}});
  add_repetition_checks(checks, subject, pairs_trial);
}

}  // namespace semblance::conformance
