// SPDX-License-Identifier: MIT
#pragma once

#include "semblance/similarity.hpp"
#include "semblance_numerics/packed_rows.hpp"

namespace semblance {

/// What all measures on values share: the bases are kept packed for the product kernels, saved in
/// full precision and checked on loading.
class StoredBases : public Similarity {
 public:
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices, Context& context) final;
  std::size_t bases() const noexcept final { return bases_.rows(); }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const final;
  void apply_range(MatrixView in, std::size_t first, MutableMatrixView out,
                   Context& context) const final;
  void save(StateWriter& state) const final;
  void load(const StateReader& state, Context& context) final;

 protected:
  void prepare(const Layout& input) override;

  /// Called with the bases once they are stored; throws Error when it cannot work with them.
  virtual void learn(MatrixView) {}

  /// Called after that: what the user should know.
  virtual void announce(Context&) const {}

  /// out(i, j) = s(base j, row i of in); the shapes are right. Polls the context.
  virtual void compare(MatrixView in, MutableMatrixView out, Context& context) const = 0;

  /// compare() with the bases [first, first + out.cols) alone, where that costs less; else false.
  virtual bool compare_range(MatrixView, std::size_t, MutableMatrixView, Context&) const {
    return false;
  }

  const Layout& layout() const noexcept { return layout_; }
  const numerics::PackedRows& packed() const noexcept { return bases_; }

 private:
  void store(MatrixView bases);

  Layout layout_;
  numerics::PackedRows bases_;
};

/// Throws Error unless rows of `values` values are to be compared with `bases` bases into a result
/// of that shape.
void check_shapes(MatrixView in, MutableMatrixView out, std::size_t values, std::size_t bases);

/// Inner products of all rows with the bases [first, first + out.cols), with the context polled in
/// between.
void multiply(MatrixView in, const numerics::PackedRows& bases, std::size_t first,
              MutableMatrixView out, Context& context);

}  // namespace semblance
