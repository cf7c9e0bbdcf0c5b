// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "semblance/row_error.hpp"
#include "semblance/similarity.hpp"
#include "semblance/state.hpp"
#include "string_panels.hpp"

namespace semblance::strings {

/// The data of a string for normalizing a similarity.
struct StringSide {
  std::size_t length = 0;
  double self = 0;  ///< its score with itself, if PanelSimilarity::needs_self()
};

/// The common base of string similarities computed by panels: stores the bases, checks shapes and
/// values, saves and loads.
class PanelSimilarity : public Similarity {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return bases_.rows; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  Abilities abilities() const noexcept override { return {.compares_with_itself = true}; }
  void compare_with_itself(MatrixView rows, float* values) const final;
  void save(StateWriter& state) const final;
  void load(const StateReader& state, Context& context) final;

 protected:
  using Store = std::function<void(std::size_t, std::size_t, double)>;

  const Layout& layout() const noexcept { return layout_; }

  /// Prepares for an alphabet, or throws Error; called by bind().
  virtual void prepare_alphabet(const Layout&) {}

  /// The numbers of symbols in programmes; by default, symbols are equal or not.
  virtual SymbolCodes codes() const;

  /// Calls store(i, j, score) for string `first + j` and row i of `in`; see
  /// PackedStrings::compare().
  virtual void scores(const PackedStrings& strings, std::size_t first, std::size_t count,
                      MatrixView in, Context& context, const Store& store) const = 0;

  /// Whether normalized() needs the strings' scores with themselves.
  virtual bool needs_self() const noexcept { return false; }

  /// The similarity that a score is.
  virtual double normalized(double score, const StringSide& basis, const StringSide& row) const = 0;

 private:
  void prepare(const Layout& input) final;
  void keep(FloatMatrix bases, Context& context);
  void check_strings(MatrixView rows, RowError::Of of) const;
  StringSide side(MatrixView row, Context& context) const;

  Layout layout_;
  FloatMatrix bases_;
  PackedStrings packed_;
  std::vector<StringSide> sides_;  ///< of the bases
};

/// score / sqrt(the product of both strings' scores with themselves); zero if one of these is.
double cosine(double score, const StringSide& basis, const StringSide& row);

}  // namespace semblance::strings
