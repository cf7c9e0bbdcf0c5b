// SPDX-License-Identifier: MIT
#include "cccp.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "checkpoint.hpp"
#include "semblance/error.hpp"

namespace semblance::ml3 {

namespace {

class Cccp {
 public:
  Cccp(const Problem& problem, const PowerBall& ball, const CccpOptions& options, Random random,
       const Surroundings& surroundings, ModelMatrix from, const CccpCheckpoint& checkpoint)
      : problem_(problem),
        ball_(ball),
        options_(options),
        random_(random),
        surroundings_(surroundings),
        checkpoint_(checkpoint),
        warm_(checkpoint.course != nullptr ? checkpoint.course->warm : from.rows() > 0),
        weights_seed_(warm_ ? 0 : random_.bits()),
        order_(problem.rows.rows)) {
    std::iota(order_.begin(), order_.end(), 0u);
    if (checkpoint.course != nullptr)
      go_on(*checkpoint.course);
    else
      result_.w = warm_ ? std::move(from) : ModelMatrix(problem.model_rows(), problem.inputs());
  }

  CccpResult run() {
    bool complete = began_at_ > 0 || start();
    if (complete) own_ = FloatMatrix(problem_.rows.own.rows, problem_.models);
    for (std::size_t t = std::max<std::size_t>(began_at_, 1); complete && t <= options_.iterations;
         ++t)
      complete = iterate(t);
    if (complete)
      result_.evaluation = options_.trace && options_.iterations > 0
                               ? result_.iterations.back().evaluation
                               : evaluate(problem_, ball_, result_.w, surroundings_);
    result_.stopped = !complete || surroundings_.stop();
    if (result_.stopped) result_.evaluation.reset();
    return std::move(result_);
  }

 private:
  void go_on(CccpCourse& course) {
    began_at_ = course.iteration;
    epoch_ = course.epoch;
    next_ = course.next;
    result_.w = std::move(course.w);
    result_.iterations = course.iterations;
    left_ = &course.descent;
    // The stream and the order are in the state after that many epochs.
    const std::size_t descents = course.iteration - (warm_ ? 1 : 0);
    const std::size_t shuffles = descents * options_.epochs + course.epoch + (next_ > 0 ? 1 : 0);
    for (std::size_t s = 0; s < shuffles; ++s) random_.shuffle(std::span(order_));
  }

  bool start() {
    if (warm_) {
      result_.iterations.emplace_back();
      return true;
    }
    RandomWeighting weighting(problem_, ball_, options_.start, weights_seed_, surroundings_);
    return descend(weighting, 0, nullptr);
  }

  bool iterate(std::size_t t) {
    const std::size_t all_negative = own_weights(problem_, ball_, result_.w, surroundings_, own_);
    if (surroundings_.stop()) return false;
    LatentWeighting weighting(problem_, ball_, own_);
    ModelMatrix average;
    if (!descend(weighting, t, t == options_.iterations ? &average : nullptr)) return false;
    result_.iterations.back().all_negative = all_negative;
    if (t == options_.iterations) result_.w = std::move(average);
    if (!options_.trace) return true;
    result_.iterations.back().evaluation = evaluate(problem_, ball_, result_.w, surroundings_);
    return true;
  }

  bool descend(Weighting& weighting, std::size_t t, ModelMatrix* average) {
    const double rows = double(problem_.rows.rows);
    const double s0 =
        2 * rows * double(options_.epochs) * double(options_.before + std::max<std::size_t>(t, 1));
    const double radius = std::sqrt(2 * rows / options_.lambda);
    Descent descent(problem_, {options_.lambda, s0, radius, options_.batch}, weighting, result_.w,
                    average, surroundings_);
    if (const DescentState* left = std::exchange(left_, nullptr)) descent.go_on(*left);
    bool complete = true;
    while (complete && epoch_ < options_.epochs) {
      if (next_ == 0) random_.shuffle(std::span(order_));
      const std::size_t end = std::min(next_ + samples_a_piece, order_.size());
      next_ = descent.run(order_, next_, end);
      complete = next_ >= end;
      if (!complete) break;
      const double done = (double(t * options_.epochs + epoch_) + double(next_) / rows);
      surroundings_.progress(done / double((options_.iterations + 1) * options_.epochs));
      if (next_ == order_.size()) next_ = 0;
      if (next_ == 0) ++epoch_;
      if (checkpoint_.due()) keep(t, descent);
    }
    epoch_ = next_ = 0;
    CccpIteration iteration;
    iteration.descent = descent.finish();
    if (!std::isfinite(result_.w.squared_norm()))
      throw Error("the models left the range of float32; normalize the rows or raise lambda");
    if (complete) result_.iterations.push_back(iteration);
    return complete;
  }

  void keep(std::size_t t, Descent& descent) {
    CccpCourse course{warm_, t, epoch_, next_, result_.iterations, {}, descent.state()};
    course.w = std::move(result_.w);
    checkpoint_.keep(course);
    result_.w = std::move(course.w);
  }

  const Problem& problem_;
  const PowerBall& ball_;
  const CccpOptions& options_;
  Random random_;
  const Surroundings& surroundings_;
  const CccpCheckpoint& checkpoint_;
  const bool warm_;
  const std::uint64_t weights_seed_;
  std::vector<std::uint32_t> order_;
  std::size_t began_at_ = 0;            // the iteration
  std::size_t epoch_ = 0;               // of the present iteration
  std::size_t next_ = 0;                // in the present order
  const DescentState* left_ = nullptr;  // by the training that was cut off
  FloatMatrix own_;
  CccpResult result_;
};

constexpr std::size_t evaluation_values = 5;  // whether there is one, and its figures

constexpr std::size_t iteration_values = outcome_values + 1 + evaluation_values;

std::vector<double> values_of(const std::vector<CccpIteration>& iterations) {
  std::vector<double> values;
  for (const CccpIteration& i : iterations) {
    append(i.descent, values);
    const Evaluation e = i.evaluation.value_or(Evaluation());
    values.insert(values.end(), {double(i.all_negative), i.evaluation ? 1.0 : 0.0, e.losses,
                                 e.squared_norm, double(e.errors), double(e.all_negative)});
  }
  return values;
}

CccpIteration iteration_of(std::span<const double> values) {
  CccpIteration iteration{outcome_of(values), 0, {}};
  const auto rest = values.subspan(outcome_values);
  iteration.all_negative = static_cast<std::size_t>(rest[0]);
  if (rest[1] != 0)
    iteration.evaluation = {rest[2], rest[3], static_cast<std::size_t>(rest[4]),
                            static_cast<std::size_t>(rest[5])};
  return iteration;
}

}  // namespace

CccpResult minimise(const Problem& problem, const PowerBall& ball, const CccpOptions& options,
                    Random random, const Surroundings& surroundings, ModelMatrix from,
                    const CccpCheckpoint& checkpoint) {
  return Cccp(problem, ball, options, random, surroundings, std::move(from), checkpoint).run();
}

void write(const CccpCourse& course, StateWriter& to) {
  to.integers("course", std::vector{static_cast<std::int64_t>(course.warm),
                                    static_cast<std::int64_t>(course.iteration),
                                    static_cast<std::int64_t>(course.epoch),
                                    static_cast<std::int64_t>(course.next)});
  to.doubles("iterations", values_of(course.iterations));
  to.floats("models_before", std::as_const(course.w).view());
  write(course.descent, to);
}

CccpCourse read_course(const StateReader& from, const Problem& problem,
                       const CccpOptions& options) {
  const std::vector<std::int64_t> place = from.integers("course");
  const std::vector<double> values = from.doubles("iterations");
  const auto within = [&](std::size_t i, std::size_t most) {
    return place[i] >= 0 && static_cast<std::size_t>(place[i]) <= most;
  };
  if (place.size() != 4 || !within(0, 1) || !within(1, options.iterations) ||
      !within(2, options.epochs) || !within(3, problem.rows.rows - 1) ||
      values.size() != static_cast<std::size_t>(place[1]) * iteration_values ||
      (place[0] == 1 && place[1] == 0))
    throw Error("the kept course has another form");
  CccpCourse course;
  course.warm = place[0] == 1;
  course.iteration = static_cast<std::size_t>(place[1]);
  course.epoch = static_cast<std::size_t>(place[2]);
  course.next = static_cast<std::size_t>(place[3]);
  for (std::size_t i = 0; i < values.size(); i += iteration_values)
    course.iterations.push_back(iteration_of(std::span(values).subspan(i, iteration_values)));
  const std::size_t rows = problem.model_rows(), cols = problem.inputs();
  course.w = read_models(from, "models_before", rows, cols);
  course.descent =
      read_descent(from, rows, problem.stored_inputs(), course.iteration == options.iterations);
  return course;
}

}  // namespace semblance::ml3
