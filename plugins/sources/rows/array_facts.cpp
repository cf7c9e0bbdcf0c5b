// SPDX-License-Identifier: MIT
#include "rows/array_facts.hpp"

#include <cmath>

#include "rows/memory_limit.hpp"
#include "semblance/parameters.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

/// `one`: each row has a single value.
void check_fits_samples(const FactArray& array, const std::string& what, std::size_t rows,
                        const std::string& samples, bool one) {
  if (one && array.cols() != 1)
    array.fail("holds " + std::to_string(array.cols()) + " values per row, but " + what +
               "s are one each; give a one-dimensional array");
  if (array.rows() != rows)
    array.fail("holds " +
               (one ? std::to_string(array.rows()) + " " + what + "s"
                    : "the " + what + "s of " + std::to_string(array.rows()) + " rows") +
               ", but " + samples + " holds " + std::to_string(rows) +
               " rows; use those that belong together");
}

void append_labels(FactArray& array, const LabelRule& rule, RowFacts& facts, Context& context) {
  std::size_t at = 0;
  const auto refuse = [&](const std::string& what) { array.fail_row(at, "the label " + what); };
  array.each_text(
      "label",
      [&](std::size_t row, std::string_view text) {
        at = row;
        facts.labels.push_back(rule.number(text, facts.classes, std::ref(refuse)));
      },
      context);
}

void append_targets(FactArray& array, const LabelRule& rule, std::size_t before, RowFacts& facts,
                    Context& context) {
  const std::size_t width = array.cols();
  if (facts.targets.empty()) facts.targets.set_names(numbered_targets(width));
  if (width != facts.targets.names().size())
    array.fail("holds " + std::to_string(width) + " targets per row, but " +
               std::to_string(facts.targets.names().size()) +
               " were expected; use those that belong together");
  const std::vector<double> numbers = array.numbers("target", context);
  for (std::size_t row = 0; row < array.rows(); ++row) {
    const auto refuse = [&](const std::string& what) { array.fail_row(row, "the target " + what); };
    if (!facts.targets.add_row(std::span(numbers).subspan(row * width, width), rule, refuse))
      facts.labels[before + row] = left_out_label;
  }
}

void append_weights(FactArray& array, RowFacts& facts, Context& context) {
  for (const double weight : array.numbers("weight", context)) {
    const std::size_t row = facts.weights.size();
    if (std::isnan(weight))
      array.fail_row(
          row, "the weight is missing; fill it in: 0 for a row that is not to be learned from");
    if (!(weight >= 0) || std::isinf(weight))
      array.fail_row(row, "the weight is " + to_text(Value(weight)) +
                              "; weights must be finite, and 0 or more");
    facts.weights.push_back(weight);
  }
}

void append_groups(FactArray& array, RowFacts& facts, Context& context) {
  array.each_text(
      "group",
      [&](std::size_t row, std::string_view text) {
        const std::string_view group = trimmed(text);
        if (group.empty() || marks_missing(group))
          array.fail_row(row, "the group is missing; fill it in, or remove the row");
        facts.groups.push_back(facts.group_numbers[group]);
      },
      context);
}

}  // namespace

std::string FactArray::whole(double number, std::size_t row, const std::string& what) const {
  if (!(std::abs(number) < 9e15) || number != std::floor(number))
    fail_row(row, "the " + what + " is not a whole number, as " + what + "s must be; correct it" +
                      (what == "label"
                           ? ", or name the array in 'target' if these are numbers to predict"
                           : ""));
  return std::to_string(static_cast<std::int64_t>(number));
}

void append_facts(const FactPlaces& places,
                  const std::function<std::unique_ptr<FactArray>(const std::string&)>& open,
                  std::size_t rows, const std::string& samples, const LabelRule& rule, bool numbers,
                  RowFacts& facts, Context& context) {
  const std::size_t before = facts.rows();
  const auto array = [&](std::size_t k, const char* what, bool one) {
    auto opened = places[k].empty() ? nullptr : open(places[k]);
    if (opened) check_fits_samples(*opened, what, rows, samples, one);
    return opened;
  };
  if (const auto labels = array(0, "label", true)) append_labels(*labels, rule, facts, context);
  facts.labels.resize(before + rows, no_label);
  if (const auto targets = array(1, "target", false))
    append_targets(*targets, rule, before, facts, context);
  else if (numbers)
    facts.targets.add_unknown_rows(rows);
  if (const auto weights = array(2, "weight", true)) append_weights(*weights, facts, context);
  if (const auto groups = array(3, "group", true)) append_groups(*groups, facts, context);
  if (!facts.weights.empty()) facts.weights.resize(facts.rows(), 1);
  if (!facts.groups.empty()) facts.groups.resize(facts.rows(), -1);
}

}  // namespace semblance::sources
