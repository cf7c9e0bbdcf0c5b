// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "semblance/declaration.hpp"
#include "semblance/similarity.hpp"

namespace semblance {

/// The samples are rows of a similarity matrix with one column a training sample: s(b, x) = value
/// (x, training sample of b).
class Precomputed final : public Similarity {
 public:
  static Declaration<Precomputed> declare();
  void set_bases(MatrixView bases, std::span<const std::int64_t> indices,
                 Context& context) override;
  std::size_t bases() const noexcept override { return columns_.size(); }
  double operations() const noexcept override { return 1; }
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  void prepare(const Layout& input) override;
  void choose(std::vector<std::int64_t> columns);

  std::size_t width_ = 0;
  std::vector<std::int64_t> columns_;
};

}  // namespace semblance
