// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rows/class_names.hpp"
#include "rows/row_dataset.hpp"
#include "rows/target_numbers.hpp"

namespace semblance::sources {

/// What is known of a row besides its values.
enum class Fact { label, target, weight, group, id };

/// The texts that a file has of them; nothing: it has no such column.
struct FactTexts {
  std::optional<std::string_view> label = {};
  std::vector<std::optional<std::string_view>> targets = {};
  std::optional<std::string_view> weight = {};
  std::optional<std::string_view> group = {};
  std::optional<std::string_view> id = {};
};

/// How they are read.
struct FactRules {
  LabelRule labels = {};
  bool numbers = false;          ///< what files give as the label is the number to predict
  bool may_lack_labels = false;  ///< and targets
  bool new_classes = true;       ///< whether classes may occur that no previous file had
  bool weights = false;          ///< rows have weights, 1 where a file has none
  bool groups = false;           ///< rows have groups, unknown where a file has none
  bool decimal_comma = false;
  /// What messages call a fact, such as "the label in column 3"; the number is that of a target.
  /// Nothing: "the label", "the weight" and so on.
  std::function<std::string(Fact, std::size_t)> name = nullptr;
  bool may_lack_groups = false;  ///< as new rows for a model may

  /// Whether a text stands for a missing weight or group.
  bool is_missing(std::string_view text) const {
    return text.empty() || (labels.declared ? text == "?" : marks_missing(text));
  }
};

/// What is known of the rows of one or several files besides their values, in the order of reading.
struct RowFacts {
  /// Takes a problem, and does not return.
  using Fail = std::function<void(const std::string&)>;

  std::vector<std::int32_t> labels;   ///< as ClassNames numbers them, no_label or left_out_label
  std::vector<std::string> ids;       ///< one per row, or fewer if the last ones have none
  std::vector<double> weights;        ///< one per row, or none at all
  std::vector<std::int32_t> groups;   ///< one per row, or none at all; -1: unknown
  std::vector<std::int64_t> numbers;  ///< of rows among those of the file; empty: their positions
  TargetNumbers targets;
  ClassNames classes;
  GroupNumbers group_numbers;

  std::size_t rows() const noexcept { return labels.size(); }
  /// The approximate memory in bytes.
  double bytes() const noexcept;

  /// Whether a row is omitted, since its label or a target is missing.
  static bool leaves_out(const FactTexts& texts, const FactRules& rules);
  /// Appends those of a row, also of one that is left out.
  void append(const FactTexts& texts, const FactRules& rules, const Fail& fail);

  /// Removes the rows that are not kept. `numbers` says where the others were.
  void keep(const std::vector<bool>& kept);
  /// Moves all but classes out.
  RowAnswers answers();

 private:
  std::int32_t label_of(std::string_view text, const FactRules& rules, const Fail& fail);
  double weight_of(std::string_view text, const FactRules& rules, const Fail& fail) const;
  std::int32_t group_of(std::string_view text, const FactRules& rules, const Fail& fail);
  void append_targets(const FactTexts& texts, const FactRules& rules, const Fail& fail);
  std::string name_of(Fact fact, const FactRules& rules, std::size_t target = 0) const;

  double id_bytes_ = 0;
};

/// The problem with a class that no training row has.
std::string no_such_class(std::string_view name);

}  // namespace semblance::sources
