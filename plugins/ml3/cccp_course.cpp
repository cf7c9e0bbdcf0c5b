// SPDX-License-Identifier: MIT
#include "cccp_course.hpp"

#include "kept.hpp"

namespace semblance::ml3 {
namespace {

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
