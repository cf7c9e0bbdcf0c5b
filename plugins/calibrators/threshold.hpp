// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cut.hpp"
#include "semblance/calibrator.hpp"
#include "semblance/declaration.hpp"
#include "semblance/formula.hpp"

namespace semblance::calibrators {

class Threshold final : public Calibrator, public Exportable {
 public:
  static Declaration<Threshold> declare();
  Layout bind(const Layout& input) override;
  void check_parameters() const override;
  void check_scores(const AnnouncedScores& scores) const override;
  void fit(const HeldOutScores& held_out, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  bool gives_probabilities() const override { return false; }
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;
  Formula::Value write(Formula& formula, Formula::Value in) const override;

 private:
  /// The cost of misclassifying the samples of each class.
  std::vector<double> costs_of(std::span<const std::string> classes) const;
  /// The crossings of class `c`, with the other classes' shifts fixed.
  std::vector<Crossing> crossings(const HeldOutScores& held_out, std::size_t c,
                                  std::span<const double> costs) const;
  void fit_costs(const HeldOutScores& held_out, std::span<const double> costs,
                 const Context& context);
  void fit_recall(const HeldOutScores& held_out, std::size_t c, std::span<const double> costs,
                  Context& context);
  void report_result(const HeldOutScores& held_out, std::span<const double> costs, Report& report,
                     Context& context) const;

  NamedValues costs_;
  double recall_ = 0;
  std::string of_;

  std::vector<double> shifts_;  ///< added to the score of each class
};

}  // namespace semblance::calibrators
