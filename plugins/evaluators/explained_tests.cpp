// SPDX-License-Identifier: MIT
#include "explained_tests.hpp"

#include <algorithm>
#include <utility>

#include "drawn_samples.hpp"
#include "scored_samples.hpp"
#include "semblance/error.hpp"

namespace semblance::evaluators {

std::vector<std::size_t> named_tests(std::span<const std::int64_t> numbers, const Dataset& data) {
  const std::size_t first = first_scored_row(data);
  std::vector<std::size_t> found;
  for (const std::int64_t number : numbers) {
    std::size_t row = first;
    while (row < data.outline().rows() && data.number(row) != number) ++row;
    if (row == data.outline().rows())
      throw Error("'rows' names the sample " + std::to_string(number) +
                  ", which is none of the test samples");
    found.push_back(row - first);
  }
  return found;
}

ExplainedTests::ExplainedTests(const Dataset& data, bool new_data, ExplainedSamples::Of of,
                               std::size_t examples)
    : data_(data), new_data_(new_data), list_{"explanations",
                                              data.outline().layout,
                                              column_names(data.outline()),
                                              examples,
                                              {},
                                              of} {}

void ExplainedTests::add(const JudgedTest& test, Explanation made,
                         const std::function<std::string(std::size_t row)>& label_of_training) {
  const std::size_t position = first_scored_row(data_) + test.row;
  ExplainedSamples::Entry& entry = list_.entries.emplace_back(
      ExplainedSamples::Entry{drawn_sample(data_, position, test.label), data_.number(position),
                              test.predicted, std::move(made)});
  if (new_data_) return;
  const ShownExamples shown = shown_examples(entry.explanation, list_.top);
  for (const auto* side : {&shown.plus, &shown.minus})
    for (const ExampleTerm& term : *side) {
      const auto row = static_cast<std::size_t>(term.row.value_or(-1));
      if (!term.row || row >= data_.outline().train_rows) {
        entry.examples.clear();
        return;
      }
      entry.examples.push_back(drawn_sample(data_, row, label_of_training(row)));
    }
}

std::optional<std::vector<Explanation>> explained_or_not(
    const std::function<std::vector<Explanation>()>& explain, Report& report, Context& context) {
  try {
    std::vector<Explanation> made = explain();
    report.integer("explained", static_cast<std::int64_t>(made.size()));
    return made;
  } catch (const Cancelled&) {
    throw;
  } catch (const MemoryError&) {
    throw;
  } catch (const Error& problem) {
    report.integer("explained", 0);
    report.text("not_explained", problem.what());
    context.log(LogLevel::warning, "no sample is explained: " + std::string(problem.what()));
    return std::nullopt;
  }
}

}  // namespace semblance::evaluators
