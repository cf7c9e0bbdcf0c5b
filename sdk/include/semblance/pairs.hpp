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

/// Two samples, by row, and whether they belong to the same class (+1), do not (-1), or whether
/// that is not known (0).
struct Pair {
  std::int32_t first = 0;
  std::int32_t second = 0;
  std::int32_t label = 0;

  friend bool operator==(const Pair&, const Pair&) = default;
};

/// Pairs of rows: a list, or all pairs of some rows, which are never written out unless somebody
/// asks for it (10,000 rows make 50 million).
class PairSet {
 public:
  PairSet() = default;

  static PairSet listed(std::vector<Pair> pairs);

  /// All pairs (rows[i], rows[j]) with i <= j, or i < j where `reflexive` is false, by i and then
  /// by j. A pair is positive where the classes are equal; `classes` has one a row, -1 where it is
  /// unknown.
  static PairSet all_of(std::vector<std::int32_t> rows, std::vector<std::int32_t> classes,
                        bool reflexive);

  std::size_t size() const noexcept;

  /// How many pairs are positive.
  std::size_t positives() const;
  bool is_list() const noexcept { return rows_.empty(); }

  /// The list; empty of all pairs.
  std::span<const Pair> list() const noexcept { return pairs_; }

  /// Of all pairs: the rows, their classes, and whether (i, i) is among them.
  std::span<const std::int32_t> rows() const noexcept { return rows_; }
  std::span<const std::int32_t> classes() const noexcept { return classes_; }
  bool reflexive() const noexcept { return reflexive_; }

  /// Every pair written out, 12 bytes each.
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

/// A pair that both sets have, whichever of its rows comes first.
std::optional<Pair> common_pair(const PairSet& pairs, const PairSet& others);

/// The pairs that `others` has not, whichever of their rows comes first; written out where that
/// leaves any out.
PairSet without(const PairSet& pairs, const PairSet& others);

/// What pairs are chosen from: labels only, never values.
struct PairExamples {
  std::span<const std::int32_t> labels;  ///< of all rows, those for training first; -1: unknown
  std::size_t train_rows = 0;
  std::span<const std::string> classes;
  /// Dataset::number() of each row; empty: its position.
  std::span<const std::int64_t> numbers = {};
  /// They are a fold of a cross-validation: the test rows are held out of the training rows, and
  /// what is tested on in the end may neither be tested on nor learned from.
  bool validation = false;

  std::int64_t number(std::size_t row) const noexcept {
    return numbers.empty() ? static_cast<std::int64_t>(row) : numbers[row];
  }
};

/// The pairs to train on, of training rows only, and those to test on. Where the test pairs are of
/// training rows this is the pair task of section 4, and none of them may be trained on; where
/// they are of test rows it is the interexample or the interclass task, as examples and classes are
/// split. The runtime refuses what is neither, and a pair on both sides, in whichever order.
struct PairSelection {
  PairSet train;
  PairSet test;
};

/// Kind `pairs`: which pairs of examples to train and test on (pairwise SVM, sections 2 and 4).
class Pairs : public Component {
 public:
  static const KindInfo& kind_info();
  ~Pairs() override;

  /// Throws Error when the examples do not give the pairs that are asked for. With no training
  /// rows (new data, when a trained model is applied) it gives test pairs alone.
  virtual PairSelection select(const PairExamples& examples, Context& context) = 0;

  /// Whether set_aside() says something: it needs the data to be read before the pipeline is laid
  /// out.
  virtual bool sets_rows_aside() const noexcept { return false; }

  /// Where the component and not the source says what is tested, as a list of pairs does: the
  /// training rows that become test rows, so that nothing at all learns from them. Told once, of
  /// all rows of the source, before any are held out for a cross-validation and before select();
  /// not where a trained model is applied to new data.
  virtual std::vector<std::int64_t> set_aside(const PairExamples& all, Context& context);
};

}  // namespace semblance
