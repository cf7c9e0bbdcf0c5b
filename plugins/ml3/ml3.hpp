// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cccp_course.hpp"
#include "semblance/class_weights.hpp"
#include "semblance/declaration.hpp"
#include "semblance/solver.hpp"
#include "semblance_numerics/packed_rows.hpp"
#include "training_report.hpp"

namespace semblance::ml3 {

/// The point on its path of lambdas where a training was interrupted.
struct KeptPath {
  std::vector<PathPoint> points;  ///< the finished ones
  CccpCourse course;              ///< of the next one
};

/// `solver/ml3`: multiclass latent locally linear SVM.
class Ml3 final : public Solver, public LocalModels, public ClassWeights {
 public:
  static Declaration<Ml3> declare();

  void check_parameters() const override;
  Exchange exchange(const LearningSize& size) const override;
  Layout bind(const Layout& input) override;
  void train(const TrainingSet& training, Report& report, Context& context) override;
  void apply(MatrixView in, MutableMatrixView out, Context& context) const override;
  void save(StateWriter& state) const override;
  void load(const StateReader& state, Context& context) override;

  std::size_t local_models() const noexcept override { return static_cast<std::size_t>(models_); }
  /// A model's share is its weight beta of eq. (14), scaled to sum 1.
  void assign(MatrixView in, std::span<const std::int32_t> classes, MutableMatrixView shares,
              Context& context) const override;

 private:
  CccpOptions options(double lambda, std::size_t before, double screen_bytes = 0) const;
  CccpResult minimise_along_path(const Problem& problem, double screen_bytes,
                                 std::vector<PathPoint>& path, Context& context) const;
  std::vector<double> lambdas() const;
  std::optional<KeptPath> kept_path(const Problem& problem, Context& context) const;
  Problem problem(const TrainingSet& training, std::span<const double> weights,
                  Context& context) const;

  double p_ = 1.5;
  std::int64_t models_ = 10;
  double lambda_ = 1e-5;
  std::vector<double> path_;
  std::int64_t iterations_ = 30;
  std::int64_t epochs_ = 1;
  std::int64_t batch_ = 64;
  double bias_ = 1;
  std::string start_ = "one_model";
  bool trace_ = false;

  std::size_t inputs_ = 0;
  std::size_t classes_ = 0;
  numerics::PackedRows w_;  // classes * models rows, the bias's weight last
};

}  // namespace semblance::ml3
