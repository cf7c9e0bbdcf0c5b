// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "semblance/calibrator.hpp"
#include "semblance/memory_state.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/testing.hpp"

namespace semblance::calibrators::testing {

using namespace semblance::testing;

/// Scores of samples, and the calibrated scores.
struct Sample {
  FloatMatrix scores;
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;

  std::vector<double> weights = {};
  std::vector<std::int32_t> groups = {};
  std::vector<std::int32_t> categories = {};
  std::vector<std::string> category_names = {};

  HeldOutScores held_out(bool probabilities = false) const {
    return {scores.view(),
            labels,
            classes,
            probabilities,
            weights,
            groups,
            {categories, category_names}};
  }
};

inline Sample rows_of(std::size_t classes, const std::vector<float>& scores,
                      const std::vector<std::int32_t>& labels) {
  Sample sample{FloatMatrix(labels.size(), classes), labels, {}};
  sample.scores.values = scores;
  for (std::size_t c = 0; c < classes; ++c)
    sample.classes.emplace_back(1, static_cast<char>('a' + c));
  return sample;
}

/// 120 rows whose scores are multiples of 1/16, so that some are equal; the true class's is larger
/// by 1.5. The oracles' programs make the same.
inline Sample known_sample(std::size_t classes) {
  std::uint64_t state = 12345;
  const auto next = [&] {
    state = (state * 1103515245 + 12345) % (std::uint64_t{1} << 31);
    return static_cast<double>(state) / 0x1p31;
  };
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 120; ++i) {
    const auto label = static_cast<std::size_t>(next() * static_cast<double>(classes));
    labels.push_back(static_cast<std::int32_t>(label));
    for (std::size_t c = 0; c < classes; ++c)
      scores.push_back(
          static_cast<float>(std::floor(next() * 64) / 16 - 2 + (c == label ? 1.5 : 0)));
  }
  return rows_of(classes, scores, labels);
}

/// Samples repeated by given numbers and, for comparison, weighted by them.
struct Repeated {
  explicit Repeated(const Sample& sample) : weighted(sample) {
    std::vector<float> scores;
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < sample.labels.size(); ++i) {
      const std::size_t times = i * 7 % 4;
      weighted.weights.push_back(static_cast<double>(times));
      for (std::size_t n = 0; n < times; ++n) {
        const auto row = sample.scores.view().row_span(i);
        scores.insert(scores.end(), row.begin(), row.end());
        labels.push_back(sample.labels[i]);
      }
    }
    repeated = rows_of(sample.classes.size(), scores, labels);
  }
  Sample weighted;
  Sample repeated;
};

/// A calibrator trained on a sample, and its report.
struct Fitted {
  Fitted(const std::string& calibrator, const Sample& sample,
         const Parameters& given_parameters = {}, bool probabilities = false)
      : id(calibrator),
        parameters(given_parameters),
        component(make_component<Calibrator>(id, parameters)),
        given(sample.scores.rows, sample.scores.cols) {
    component->check_scores({"svm", "solver/mine", sample.classes, probabilities});
    component->bind(Layout::vector(sample.classes.size()));
    component->fit(sample.held_out(probabilities), report, context);
    component->apply(sample.scores.view(), given.view(), context);
  }

  /// The calibrated scores, by the component after saving and loading.
  std::vector<float> of(const std::vector<float>& scores, std::size_t classes) {
    MemoryState state;
    component->save(state);
    const auto loaded = make_component<Calibrator>(id, parameters);
    loaded->bind(Layout::vector(classes));
    loaded->load(state, context);
    FloatMatrix in(scores.size() / classes, classes);
    in.values = scores;
    FloatMatrix out(in.rows, classes), again(in.rows, classes);
    component->apply(std::as_const(in).view(), out.view(), context);
    loaded->apply(std::as_const(in).view(), again.view(), context);
    if (out.values != again.values) throw Error("a loaded calibrator gives others");
    return out.values;
  }

  std::string id;
  Parameters parameters;
  std::unique_ptr<Calibrator> component;
  MemoryReport report;
  TestContext context;
  FloatMatrix given;
};

/// Checks that weighted samples and repeated samples lead to the same values and figures.
inline void check_weights_repeat_rows(const std::string& id, const Parameters& parameters = {}) {
  for (const std::size_t classes : {2, 3}) {
    const Repeated rows(known_sample(classes));
    Fitted weighted(id, rows.weighted, parameters), repeated(id, rows.repeated, parameters);
    const auto expected = repeated.of(rows.weighted.scores.values, classes);
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(std::abs(weighted.given.values[i] - expected[i]) < 1e-6F);
    for (const auto& [name, value] : repeated.report.numbers) {
      CAPTURE(name);
      CHECK(weighted.report.numbers.at(name) == doctest::Approx(value).epsilon(1e-6));
    }
  }
}

/// Whether the first values are these, within a tolerance.
inline bool begins_with(const FloatMatrix& given, const std::vector<double>& expected,
                        double tolerance) {
  return std::ranges::equal(expected, std::span(given.values).first(expected.size()),
                            [&](double a, float b) { return std::abs(a - double{b}) < tolerance; });
}

/// Whether every row has the sum 1 and no negative values.
inline bool are_probabilities(const FloatMatrix& given) {
  for (std::size_t i = 0; i < given.rows; ++i) {
    double sum = 0;
    for (const float p : given.view().row_span(i)) {
      if (!(p >= 0)) return false;
      sum += double{p};
    }
    if (std::abs(sum - 1) > 1e-6) return false;
  }
  return true;
}

/// The error message of a call.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace semblance::calibrators::testing
