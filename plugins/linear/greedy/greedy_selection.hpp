// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "greedy/greedy.hpp"
#include "greedy/picked_rows.hpp"
#include "semblance/declaration.hpp"
#include "semblance/row_groups.hpp"
#include "semblance/solver.hpp"

namespace semblance::solvers {

/// `solver/greedy_selection`: adds the inputs that contribute most, one by one, and trains another
/// solver on them.
class GreedySelection final : public Solver, public GroupedLearner {
 public:
  static Declaration<GreedySelection> declare();

  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

 private:
  GreedyChoice choose(const TrainingSet& training, Report& report, Context& context) const;
  void train_chosen(const TrainingSet& training, Report& report, Context& context);
  bool takes_all() const { return chosen_.size() == widths_.size(); }
  ColumnBlocks columns() const;

  Maker<Solver> make_;
  std::int64_t folds_ = 5;
  std::string folds_by_ = "auto";
  std::int64_t most_ = 0;
  double least_gain_ = 0;

  Layout layout_;  ///< of the input rows
  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  std::vector<std::size_t> widths_;  ///< of all inputs
  std::vector<std::size_t> chosen_;  ///< inputs, in the order of their choice
  std::unique_ptr<Solver> solver_;
};

}  // namespace semblance::solvers
