// SPDX-License-Identifier: MIT
#include "pegasos.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "checkpoint.hpp"

namespace semblance::ml3 {
namespace {

class Pegasos {
 public:
  Pegasos(const Problem& problem, const FloatMatrix& weights, const PegasosOptions& options,
          Random random, const Surroundings& surroundings, const PegasosCheckpoint& checkpoint)
      : problem_(problem),
        options_(options),
        random_(random),
        surroundings_(surroundings),
        checkpoint_(checkpoint),
        weighting_(problem, weights, options.order),
        order_(problem.rows.rows)) {
    std::iota(order_.begin(), order_.end(), 0u);
    result_.w = ModelMatrix(problem.model_rows(), problem.inputs());
    if (checkpoint.course == nullptr) return;
    result_.epochs = checkpoint.course->epochs;
    left_ = checkpoint.course;
    // The stream and the order are in the state after that many epochs.
    for (std::size_t e = 0; e < result_.epochs.size(); ++e) random_.shuffle(std::span(order_));
  }

  PegasosResult run() {
    while (!result_.stopped && result_.epochs.size() < options_.epochs) descend();
    if (!options_.order.empty()) make_zeros_positive();
    if (result_.stopped) return std::move(result_);
    const Evaluation evaluation = evaluate(
        problem_,
        [&](std::size_t sample, std::size_t label, std::span<const float> z) {
          return weighted_sum(class_weights(weighting_.values(sample), problem_.models, label), z);
        },
        result_.w, surroundings_);
    result_.stopped = surroundings_.stop();
    if (!result_.stopped) result_.evaluation = evaluation;
    return std::move(result_);
  }

 private:
  /// Which ones are negative depends on the products that were omitted, and so on the width of
  /// panels.
  void make_zeros_positive() {
    for (std::size_t r = 0; r < result_.w.rows(); ++r)
      for (std::size_t k = 0; k < result_.w.cols(); ++k) result_.w.row(r)[k] += 0.0F;
  }

  /// One epoch.
  void descend() {
    const std::size_t e = result_.epochs.size();
    const bool last = e + 1 == options_.epochs;
    const double s0 = 1 + double(e) * double(order_.size());
    ModelMatrix average;
    Descent descent(problem_, {options_.lambda, s0, std::sqrt(2 / options_.lambda), options_.batch},
                    weighting_, result_.w, last ? &average : nullptr, surroundings_);
    random_.shuffle(std::span(order_));
    std::size_t next = 0;
    if (const PegasosCourse* left = std::exchange(left_, nullptr)) {
      descent.go_on(left->descent);
      next = left->next;
    }
    while (next < order_.size()) {
      const std::size_t end = std::min(next + samples_a_piece, order_.size());
      next = descent.run(order_, next, end);
      result_.stopped = next < end;
      if (result_.stopped) break;
      if (checkpoint_.due()) checkpoint_.keep({result_.epochs, next, descent.state()});
    }
    const DescentOutcome outcome = descent.finish();
    if (!std::isfinite(result_.w.squared_norm()))
      throw Error("the models left the range of float32; normalize the rows or raise lambda");
    if (result_.stopped) return;
    result_.epochs.push_back(outcome);
    if (last) result_.w = std::move(average);
    surroundings_.progress(double(e + 1) / double(options_.epochs));
  }

  const Problem& problem_;
  const PegasosOptions& options_;
  Random random_;
  const Surroundings& surroundings_;
  const PegasosCheckpoint& checkpoint_;
  FixedWeighting weighting_;
  std::vector<std::uint32_t> order_;
  const PegasosCourse* left_ = nullptr;  // by the training that was cut off
  PegasosResult result_;
};

}  // namespace

void write(const PegasosCourse& course, StateWriter& to) {
  std::vector<double> values;
  for (const DescentOutcome& epoch : course.epochs) append(epoch, values);
  to.doubles("epochs", values);
  to.integer("next", static_cast<std::int64_t>(course.next));
  write(course.descent, to);
}

PegasosCourse read_course(const StateReader& from, const Problem& problem,
                          const PegasosOptions& options) {
  PegasosCourse course;
  const std::vector<double> values = from.doubles("epochs");
  const std::int64_t next = from.integer("next");
  if (values.size() % outcome_values != 0 || values.size() / outcome_values >= options.epochs ||
      next < 0 || static_cast<std::size_t>(next) > problem.rows.rows)
    throw Error("the kept course has another form");
  for (std::size_t i = 0; i < values.size(); i += outcome_values)
    course.epochs.push_back(outcome_of(std::span(values).subspan(i, outcome_values)));
  course.next = static_cast<std::size_t>(next);
  course.descent = read_descent(from, problem.model_rows(), problem.stored_inputs(),
                                course.epochs.size() + 1 == options.epochs);
  return course;
}

PegasosResult pegasos(const Problem& problem, const FloatMatrix& weights,
                      const PegasosOptions& options, Random random,
                      const Surroundings& surroundings, const PegasosCheckpoint& checkpoint) {
  return Pegasos(problem, weights, options, random, surroundings, checkpoint).run();
}

}  // namespace semblance::ml3
