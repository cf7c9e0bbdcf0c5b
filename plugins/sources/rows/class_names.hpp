// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "semblance/label_names.hpp"

namespace semblance::sources {

/// The label of a row without one.
inline constexpr std::int32_t no_label = -1;
/// The same: the row is not part of the data set, see TableSource::split().
inline constexpr std::int32_t left_out_label = -2;

/// Turns label texts into numbers, in two steps: add() numbers them in the order of occurrence,
/// sort() puts the names in their natural order (by value if all are integers, else alphabetical).
class ClassNames {
 public:
  std::int32_t add(std::string_view label);

  /// Whether add() has seen it, in any form.
  bool knows(std::string_view label) const { return numbers_.contains(canonical_label(label)); }

  /// Renumbers `labels`, which add() returned; negative ones stay.
  void sort(std::span<std::int32_t> labels);

  const std::vector<std::string>& names() const noexcept { return names_; }

  /// The approximate memory in bytes.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::map<std::string, std::int32_t, std::less<>> numbers_;
  std::vector<std::string> names_;
  std::size_t bytes_ = 0;
};

/// Numbers groups of rows in the order of occurrence, by their exact texts.
class GroupNumbers {
 public:
  std::int32_t operator[](std::string_view group) {
    const auto next = static_cast<std::int32_t>(numbers_.size());
    return numbers_.try_emplace(std::string(group), next).first->second;
  }

 private:
  std::unordered_map<std::string, std::int32_t> numbers_;
};

/// Throws DataError if two classes are the same number in two spellings that are not unified: 1e0
/// and 1, 1.5 and 1.50. Texts with leading zeros, like postal codes, are not numbers.
void check_one_spelling(std::span<const std::string> names, const std::string& file);

/// Throws DataError if labels look like a continuous column: more than a hundred classes with less
/// than two rows each on average, or at least ten with nearly one row each. `parameter` is the
/// user's way to confirm that they are classes, and `numbers` the one to predict them as numbers:
/// "set 'target: numbers'"; empty: there is none.
void check_class_count(std::span<const std::int32_t> labels, std::span<const std::string> names,
                       const std::string& file, const std::string& parameter,
                       const std::string& numbers = "");

/// Whether the classes' names look like measurements although there are several rows per class:
/// numbers, at least 20 different ones most of which have fractions, or more than a hundred with
/// fewer than five rows each on average.
bool look_measured(std::span<const std::int32_t> labels, std::span<const std::string> names);

/// Throws DataError naming the first row of a class without training samples. Rows from
/// `train_rows` on are counted from 1 for the message, as rows of `file`.
void check_test_classes(std::span<const std::int32_t> labels, std::size_t train_rows,
                        std::span<const std::string> names, const std::string& file);

/// The treatment of a row with a missing label.
enum class MissingLabels {
  refuse,
  drop,     ///< the row is omitted: its label is left_out_label
  classes,  ///< texts such as NA are names of classes
  unknown,  ///< the row is to be predicted: its label is no_label
};

/// How labels are read.
struct LabelRule {
  MissingLabels missing = MissingLabels::refuse;
  bool declared = false;  ///< classes are declared, as in .arff: only ? is a missing label
  bool ignored = false;   ///< no row has a label, whatever its file says

  /// Whether a label is missing; an empty one always is.
  bool is_missing(std::string_view label) const;

  /// Whether a row with this label is omitted.
  bool leaves_out(std::string_view label) const {
    return missing == MissingLabels::drop && is_missing(label);
  }

  /// The label's number, or no_label or left_out_label. `fail` takes the problem, which completes
  /// "the label ", and does not return.
  std::int32_t number(std::string_view label, ClassNames& classes,
                      const std::function<void(const std::string&)>& fail) const;
  /// The same for a missing label.
  std::int32_t number_of_missing(std::string_view label,
                                 const std::function<void(const std::string&)>& fail) const;
};

}  // namespace semblance::sources
