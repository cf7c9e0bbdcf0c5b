// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "semblance/declaration.hpp"
#include "semblance/row_error.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// A distance d(b, x) that becomes a similarity by its parameters `as` and `width`:
///
///     gaussian     exp(-d^2 / (2 width^2))
///     exponential  exp(-d / width)
///     negative     -d
///     inverse      1 / (1 + d / width)
///
/// `width` is a number, or `auto`: the median distance of up to 50 evenly spaced bases to all other
/// bases, which the similarity learns. For an even number of distances it is the larger of the
/// middle two. None of the forms is claimed to be positive semi-definite.
///
/// Stores the bases, checks shapes and values, saves and loads. Derive from RowDistance, or from
/// this class if comparing all bases at once is faster than one by one.
class Distance : public Similarity {
 public:
  void check_parameters() const override;
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return bases_.rows; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  Abilities abilities() const noexcept override { return {.compares_with_itself = true}; }
  void compare_with_itself(MatrixView rows, float* values) const final;
  /// True if its width is `auto` and has an effect.
  bool learns_from_bases() const noexcept final { return width_ == "auto" && as_ != "negative"; }
  void save(StateWriter& state) const final;
  void load(const StateReader& state, Context& context) final;

  /// The squared number of steps, symbols or points of a sample, as for dynamic programming.
  /// Override it if the cost differs.
  double operations() const noexcept override;

  /// From now on the similarity is -d, whatever the parameter `as` says: for components that need
  /// the distance itself. Before set_bases() and load().
  void give_distances() { as_ = "negative"; }

  /// The width in use: the parameter, or the value learned from the bases.
  double width() const noexcept { return learned_width_; }

  /// Declares `as` and `width`.
  template <std::derived_from<Distance> T>
  friend Declaration<T>& distance_parameters(Declaration<T>& declaration) {
    return declaration
        .parameter("as", &Distance::as_,
                   "how a distance d becomes a similarity: gaussian: exp(-d^2 / (2 width^2)); "
                   "exponential: exp(-d / width); negative: -d; inverse: 1 / (1 + d / width)",
                   choices({"gaussian", "exponential", "negative", "inverse"}))
        .parameter("width", &Distance::width_,
                   "the distance that counts as far: the larger, the more slowly similarity falls "
                   "with distance; negative ignores it; a number above 0, or auto: the median of "
                   "the distances of up to 50 evenly spaced bases to all others");
  }
  template <std::derived_from<Distance> T>
  friend Declaration<T>& distance_parameters(Declaration<T>&& declaration) {
    return distance_parameters(declaration);
  }

 protected:
  /// The layout of a row; known after bind().
  const Layout& layout() const noexcept { return layout_; }

  /// The parameter `as`.
  const std::string& as() const noexcept { return as_; }

  /// Throws Error if rows of this layout cannot be compared; called by bind().
  /// Declaration::accepts() says which kinds of layout are possible.
  virtual void check_layout(const Layout&) const {}

  /// Prepares what distances() needs of the bases, which stay in place. Called by set_bases() and
  /// load().
  virtual void prepare_bases(MatrixView bases, Context& context) = 0;

  /// out(i, j) = d(basis `first + j`, row i of `in`). A row's distances depend neither on other
  /// rows nor on the range. Polls for stops. Thread-safe. No row is empty or longer than the layout
  /// allows.
  virtual void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                         Context& context) const = 0;

  /// Converts a distance to a similarity.
  float similarity(double distance) const noexcept;

  /// d(x, x); override it if it is not zero.
  virtual double self_distance(std::span<const float>) const { return 0; }

 private:
  void prepare(const Layout& input) final;
  void keep(FloatMatrix bases, Context& context);
  void learn_width(Context& context);

  std::string as_ = "gaussian";
  std::string width_ = "auto";
  double learned_width_ = 0;
  Layout layout_;
  FloatMatrix bases_;
};

/// The simplest way to define a distance: one public function of two rows, the basis first.
///
///     class Canberra final : public RowDistance<Canberra> {
///      public:
///       static Declaration<Canberra> declare();
///       double distance(std::span<const float> b, std::span<const float> x) const;
///     };
///
/// Rows of sequences, strings and sets differ in size: the number of values divided by
/// layout().depth is the number of steps, symbols or points. distance() runs on several threads at
/// once and depends only on its arguments and the parameters. It may throw Error; the row's
/// position is added to the message.
template <class Measure>
class RowDistance : public Distance {
 public:
 private:
  friend Measure;
  RowDistance() = default;

  void prepare_bases(MatrixView bases, Context&) final { rows_ = bases; }

  void distances(MatrixView in, std::size_t first, MutableMatrixView out,
                 Context& context) const final {
    const auto& measure = static_cast<const Measure&>(*this);
    for (std::size_t i = 0; i < in.rows; ++i)
      in_row(i, [&] {
        for (std::size_t j = 0; j < out.cols; ++j) {
          context.check_stop();
          out.row(i)[j] =
              static_cast<float>(measure.distance(rows_.row_span(first + j), in.row_span(i)));
        }
      });
  }

  MatrixView rows_;
};

}  // namespace semblance
