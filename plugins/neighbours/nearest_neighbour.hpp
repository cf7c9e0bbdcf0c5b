// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "neighbours/neighbour_vote.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"
#include "semblance/solver.hpp"

namespace semblance::solvers {

/// `solver/nearest_neighbour`: the k most similar training samples vote.
class NearestNeighbour final : public Solver,
                               public LeaveOneOut,
                               public ClassWeights,
                               public Exportable {
 public:
  static Declaration<NearestNeighbour> declare();

  void check_parameters() const override;
  Layout bind(const Layout& input) override;
  bool uses_rows() const override { return false; }
  bool gives_probabilities() const override { return scores_ == "shares"; }
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void apply_left_out(MatrixView in, std::span<const std::int64_t> rows, MutableMatrixView out,
                      Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  void check_bases(const TrainingSet& training, std::span<const double> weights) const;
  void check_room_for_votes(std::size_t classes) const;
  void score(MatrixView in, const std::function<std::size_t(std::size_t)>& left_out,
             MutableMatrixView out, Context& context) const;

  std::int64_t neighbours_ = 1;
  std::string scores_ = "votes";
  std::size_t columns_ = 0;
  NeighbourVote vote_;
  /// Whether it has warned about similarities that are all equal.
  std::unique_ptr<std::atomic<bool>> told_ = std::make_unique<std::atomic<bool>>(false);
};

}  // namespace semblance::solvers
