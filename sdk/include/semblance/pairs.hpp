// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semblance/component.hpp"

namespace semblance {

/// Two samples, by row, and whether they belong to the same class: +1 yes, -1 no, 0 unknown.
struct Pair {
  std::int32_t first = 0;
  std::int32_t second = 0;
  std::int32_t label = 0;

  friend bool operator==(const Pair&, const Pair&) = default;
};

/// Pairs of rows: a list, or all pairs of some rows, which are stored implicitly (10,000 rows make
/// 50 million pairs) unless expanded() is called.
class PairSet {
 public:
  PairSet() = default;

  static PairSet listed(std::vector<Pair> pairs);

  /// All pairs (rows[i], rows[j]) with i <= j, or i < j if `reflexive` is false, by i and then by
  /// j. A pair is positive if the classes are equal; `classes` has one per row, -1 if unknown.
  static PairSet all_of(std::vector<std::int32_t> rows, std::vector<std::int32_t> classes,
                        bool reflexive);

  std::size_t size() const noexcept;

  /// The number of positive pairs.
  std::size_t positives() const;
  bool is_list() const noexcept { return rows_.empty(); }

  /// The list; empty for all pairs of some rows.
  std::span<const Pair> list() const noexcept { return pairs_; }

  /// For all pairs of some rows: the rows, their classes, and whether the pairs (i, i) are
  /// included.
  std::span<const std::int32_t> rows() const noexcept { return rows_; }
  std::span<const std::int32_t> classes() const noexcept { return classes_; }
  bool reflexive() const noexcept { return reflexive_; }

  /// All pairs as a list, 12 bytes each.
  std::vector<Pair> expanded() const;

  /// Calls body(pair) for every pair in their order, without writing them out.
  template <class Body>
  void visit(const Body& body) const {
    for (const Pair& pair : pairs_) body(pair);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = reflexive_ ? i : i + 1; j < rows_.size(); ++j) {
        const bool known = classes_[i] >= 0 && classes_[j] >= 0;
        body(Pair{rows_[i], rows_[j], !known ? 0 : classes_[i] == classes_[j] ? 1 : -1});
      }
  }

 private:
  std::vector<Pair> pairs_;
  std::vector<std::int32_t> rows_;
  std::vector<std::int32_t> classes_;
  bool reflexive_ = false;
};

/// A pair that both sets contain, in either order of its rows.
std::optional<Pair> common_pair(const PairSet& pairs, const PairSet& others);

/// The pairs that `others` does not contain in either order of their rows; a list if any are
/// removed.
PairSet without(const PairSet& pairs, const PairSet& others);

/// The input for choosing pairs: labels only, never values.
struct PairExamples {
  std::span<const std::int32_t> labels;  ///< of all rows, training samples first; -1: unknown
  std::size_t train_rows = 0;
  std::span<const std::string> classes;
  /// Dataset::number() of each row; empty: its position.
  std::span<const std::int64_t> numbers = {};
  /// Whether this is a fold of a cross-validation: the test samples are held-out training samples,
  /// and the final test data may be neither tested on nor learned from.
  bool validation = false;

  std::int64_t number(std::size_t row) const noexcept {
    return numbers.empty() ? static_cast<std::int64_t>(row) : numbers[row];
  }
};

/// The pairs to train on, of training samples only, and the pairs to test on. Test pairs of
/// training samples make the pair task of section 4; none of them may be trained on. Test pairs of
/// test samples make the interexample or the interclass task, depending on the split of examples
/// and classes. The runtime refuses other test pairs, and pairs on both sides, in either order.
struct PairSelection {
  PairSet train;
  PairSet test;
};

/// Kind `pairs`: which pairs of examples to train and test on (pairwise SVM, sections 2 and 4).
class Pairs : public Component {
 public:
  static const KindInfo& kind_info();
  ~Pairs() override;

  /// Throws Error if the examples do not allow the requested pairs. Without training samples (a
  /// trained model applied to new data) it returns test pairs only.
  virtual PairSelection select(const PairExamples& examples, Context& context) = 0;

  /// Whether set_aside() returns rows. If so, the data are read before the pipeline is laid out.
  virtual bool sets_rows_aside() const noexcept { return false; }

  /// The training samples that become test samples, so that nothing learns from them, for
  /// components that choose the test data themselves (a list of pairs, say). Called once, with all
  /// rows of the source, before select() and before any rows are held out for cross-validation. Not
  /// called if a trained model is applied to new data.
  virtual std::vector<std::int64_t> set_aside(const PairExamples& all, Context& context);
};

}  // namespace semblance
