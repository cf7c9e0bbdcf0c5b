// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>

#include "anchor_planes.hpp"
#include "local_svm.hpp"

namespace semblance::ml3 {

/// `solver/occ`: linear models weighted by orthogonal coordinate coding.
class Occ final : public LocalSvm {
 public:
  static Declaration<Occ> declare();
  void load(const StateReader& state, Context& context) override;

 private:
  /// At most the dimension of the rows' space.
  std::size_t models() const override {
    const auto wanted = static_cast<std::size_t>(models_);
    return inputs_ > 0 ? std::min(wanted, inputs_) : wanted;
  }
  bool weights_by_class() const override { return bases_ == "per_class"; }
  void learn_weights(const Problem& problem, Random& random, Context& context) override;
  void save_weights(StateWriter& state) const override;
  void restore_weights(const StateReader& state) override;
  void weights(MatrixView rows, MutableMatrixView weights) const override;

  void check_planes_memory(std::size_t at_once, Context& context) const;

  std::int64_t models_ = 10;
  std::string bases_ = "general";
  std::string coding_ = "signed";
  numerics::PackedRows planes_;  // common to all classes, or of each class in turn
};

}  // namespace semblance::ml3
