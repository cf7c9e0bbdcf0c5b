// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "semblance/pair_kernel.hpp"
#include "semblance/pair_solver.hpp"
#include "semblance/pairs.hpp"
#include "semblance/plugin_testing.hpp"
#include "semblance/random.hpp"
#include "semblance/similarity.hpp"
#include "semblance/two_parts.hpp"

/// Helpers for tests and benchmarks of pairs.
namespace semblance::pairs::testing {

using namespace semblance::testing;

/// A pair kernel on a standard kernel, both by their ids.
inline std::unique_ptr<PairKernel> pair_kernel_on(const std::string& id,
                                                  const std::string& standard,
                                                  const Parameters& of_standard = {},
                                                  const Parameters& parameters = {}) {
  return make_component<PairKernel>(id, parameters, {{"kernel", part(standard, of_standard)}});
}

inline std::unique_ptr<PairKernel> pair_kernel(const std::string& id,
                                               const Parameters& parameters = {}) {
  return pair_kernel_on(id, "similarity/linear", {}, parameters);
}

inline std::unique_ptr<PairKernel> projected(std::unique_ptr<PairKernel> of,
                                             const std::string& projection) {
  return make_component<PairKernel>("pair_kernel/projected", {{"projection", projection}},
                                    {{"of", [&of] { return std::move(of); }}});
}

inline std::unique_ptr<PairSolver> solver(const std::string& id, std::unique_ptr<PairKernel> kernel,
                                          const Parameters& parameters = {}) {
  return make_component<PairSolver>(id, parameters,
                                    {{"kernel", [&kernel] { return std::move(kernel); }}});
}

/// Examples with classes.
struct Examples {
  FloatMatrix values;
  std::vector<std::int32_t> classes;

  std::vector<std::int32_t> rows() const {
    std::vector<std::int32_t> all(values.rows);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
    return all;
  }
  PairSet all_pairs(bool reflexive = true) const {
    return PairSet::all_of(rows(), classes, reflexive);
  }
};

/// Normally distributed classes.
inline Examples clouds(std::size_t rows, std::size_t cols, std::size_t classes,
                       std::uint64_t seed = 1) {
  Random random(seed);
  Examples made{FloatMatrix(rows, cols), {}};
  std::vector<double> centres(classes * cols);
  for (double& x : centres) x = random.normal();
  for (std::size_t i = 0; i < rows; ++i) {
    made.classes.push_back(static_cast<std::int32_t>(i % classes));
    for (std::size_t k = 0; k < cols; ++k)
      made.values.view().row(i)[k] =
          static_cast<float>(centres[i % classes * cols + k] + 0.7 * random.normal());
  }
  return made;
}

/// The double interval task of dimension n (section 6.2), `per_class` examples of each class.
inline Examples double_interval(std::size_t rows, std::size_t n, std::size_t per_class,
                                std::uint64_t seed = 1) {
  Random random(seed);
  Examples made{FloatMatrix(rows, n), {}};
  std::size_t i = 2, k = 4;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto within = [&](std::size_t low, std::size_t high) {
      return low + static_cast<std::size_t>(random.below(high - low + 1));
    };
    if (row % per_class == 0) {
      i = within(2, n - 2);
      k = within(i + 2, n);
    }
    const std::size_t j = within(i, k - 2), l = within(k, n);
    made.classes.push_back(static_cast<std::int32_t>(row / per_class));
    for (std::size_t p = 1; p <= n; ++p)
      made.values.view().row(row)[p - 1] = (p >= i && p <= j) || (p >= k && p <= l) ? 1.0F : -1.0F;
  }
  return made;
}

/// Every row divided by its length.
inline Examples unit_length(Examples examples) {
  for (std::size_t i = 0; i < examples.values.rows; ++i) {
    double norm = 0;
    for (std::size_t k = 0; k < examples.values.cols; ++k)
      norm += double(examples.values.view().row(i)[k]) * examples.values.view().row(i)[k];
    for (std::size_t k = 0; k < examples.values.cols; ++k)
      examples.values.view().row(i)[k] /= static_cast<float>(std::sqrt(norm));
  }
  return examples;
}

inline MemoryReport train(PairSolver& solver, const FloatMatrix& values, const PairSet& pairs,
                          Context& context) {
  const MemoryRows rows(values);
  const Layout layout = Layout::vector(values.cols);
  MemoryReport report;
  solver.bind(layout);
  solver.train({rows, layout, pairs}, report, context);
  return report;
}

inline std::vector<float> scores(const PairSolver& solver, const FloatMatrix& values,
                                 const PairSet& pairs, std::size_t threads = 2) {
  TestContext context(threads);
  const MemoryRows rows(values);
  std::vector<float> out(pairs.size());
  solver.score(rows, pairs, out, context);
  return out;
}

/// The message of the Error that training throws, or an empty one.
inline std::string training_error(PairSolver& solver, const FloatMatrix& values,
                                  const PairSet& pairs, std::size_t budget = std::size_t{1} << 30) {
  TestContext context;
  context.budget = budget;
  try {
    train(solver, values, pairs, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Values of a pair kernel between explicit pairs, from the standard kernel's values.
inline double kernel_value(const PairKernel& kernel, const FloatMatrix& x, const FloatMatrix& k,
                           const Pair& p, const Pair& q) {
  const auto value = [&](std::int32_t i, std::int32_t j) {
    return double(k.view().row(static_cast<std::size_t>(i))[j]);
  };
  const auto sign = [&](const Pair& pair) {
    const float a = x.view().row(static_cast<std::size_t>(pair.first))[0];
    const float b = x.view().row(static_cast<std::size_t>(pair.second))[0];
    return a > b ? 1.0 : a < b ? -1.0 : 0.0;
  };
  return kernel.evaluate({value(p.first, q.first), value(p.first, q.second),
                          value(p.second, q.first), value(p.second, q.second), sign(p) * sign(q)});
}

/// The standard kernel's values between all rows.
inline FloatMatrix standard_values(const PairKernel& kernel, const FloatMatrix& x) {
  TestContext context;
  Similarity& standard = kernel.standard_kernel();
  standard.bind(Layout::vector(x.cols));
  std::vector<std::int64_t> numbers(x.rows);
  for (std::size_t i = 0; i < x.rows; ++i) numbers[i] = static_cast<std::int64_t>(i);
  standard.set_bases(x.view(), numbers, context);
  FloatMatrix k(x.rows, x.rows);
  standard.apply(x.view(), k.view(), context);
  return k;
}

/// Trains with extreme values of C and of the samples: a result called converged must be so, up to
/// a relative gap of `gap`, and an Error must say what to do.
inline void check_extremes(const std::string& id, double gap, std::int64_t max_iterations) {
  for (const double cost : {1e-300, 1e-30, 1e10, 1e30, 1e300})
    for (const double scale : {1e-15, 1.0, 1e7, 1e15, 1e30}) {
      CAPTURE(cost);
      CAPTURE(scale);
      Examples data = clouds(24, 4, 3);
      for (float& x : data.values.values) x = static_cast<float>(scale * double{x});
      auto svm = solver(id, pair_kernel("pair_kernel/tensor_learning"),
                        {{"C", cost}, {"max_iterations", max_iterations}});
      TestContext context;
      try {
        const MemoryReport report = train(*svm, data.values, data.all_pairs(), context);
        for (const float score : scores(*svm, data.values, data.all_pairs()))
          REQUIRE(!std::isnan(score));
        if (report.texts.at("certificate") != "converged") continue;
        CHECK(std::isfinite(report.numbers.at("objective")));
        CHECK(std::abs(report.numbers.at("duality_gap")) <= gap);
      } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        const bool says_what_to_do = message.find("lower C") != std::string::npos ||
                                     message.find("scale") != std::string::npos;
        CHECK(says_what_to_do);
      }
    }
}

/// Classes a, b, c..., and rows that the test names; the first `train` are for training.
struct LabelledRows {
  std::vector<std::int32_t> labels;
  std::size_t train = 0;
  std::vector<std::string> classes = {"a", "b", "c", "d"};
  PairExamples view() const { return {labels, train, classes}; }
};

inline bool contains(const std::vector<Pair>& pairs, const Pair& wanted) {
  return std::ranges::find(pairs, wanted) != pairs.end();
}

inline bool distinct(const std::vector<Pair>& pairs) {
  std::set<std::pair<std::int32_t, std::int32_t>> seen;
  for (const Pair& p : pairs)
    seen.emplace(std::min(p.first, p.second), std::max(p.first, p.second));
  return seen.size() == pairs.size();
}

using Floats = std::vector<float>;

/// Some samples of both sides, and pairs of them.
struct MadePairs {
  Layout layout;
  std::array<std::vector<Floats>, 2> samples;
  std::vector<std::array<std::uint32_t, 2>> pairs;
  FloatMatrix rows;

  std::size_t count() const { return pairs.size(); }
  const Floats& sample(std::size_t side, std::size_t pair) const {
    return samples[side][pairs[pair][side]];
  }
};

/// `count` different pairs of `m` first samples of `first` values and `q` second ones.
inline MadePairs made_pairs(std::size_t m, std::size_t q, std::size_t first, std::size_t second,
                            std::size_t count, std::uint64_t seed = 1) {
  MadePairs made;
  made.layout = Layout::pair(Layout::vector(first), Layout::vector(second));
  Random random(seed);
  const std::size_t values[] = {first, second}, samples[] = {m, q};
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < samples[s]; ++i) {
      made.samples[s].emplace_back();
      for (std::size_t k = 0; k < values[s]; ++k)
        made.samples[s].back().push_back(static_cast<float>(random.normal()));
    }
  std::vector<std::array<std::uint32_t, 2>> all;
  for (std::uint32_t a = 0; a < m; ++a)
    for (std::uint32_t b = 0; b < q; ++b) all.push_back({a, b});
  random.shuffle(std::span(all));
  all.resize(count);
  made.pairs = std::move(all);
  const std::size_t size = pair_size(made.layout, first, second);
  made.rows = FloatMatrix::ragged(made.layout.size(), std::vector<std::size_t>(count, size));
  for (std::size_t i = 0; i < count; ++i)
    write_pair({made.pairs[i][0], made.sample(0, i), {}}, {made.pairs[i][1], made.sample(1, i), {}},
               made.layout, made.rows.view().row_span(i));
  return made;
}

/// exp(-gamma |a - b|^2) in double.
inline double gaussian(const Floats& a, const Floats& b, double gamma) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (double{a[k]} - b[k]) * (double{a[k]} - b[k]);
  return std::exp(-gamma * sum);
}

/// Requests a stop once it has been asked this number of times.
class StopsLater final : public TestContext {
 public:
  explicit StopsLater(int questions) : TestContext(1), left_(questions) {}
  StopReason stop_requested() const noexcept override {
    return left_-- > 0 ? StopReason::none : StopReason::deadline;
  }

 private:
  mutable std::atomic<int> left_;
};

/// Calls train(context) so that a stop is requested as soon as that does not end in Cancelled.
template <class Train>
void stop_early(const Train& train) {
  for (int questions = 4;; questions += 4) try {
      StopsLater context(questions);
      return train(context);
    } catch (const Cancelled&) {  // kernels are not learned yet
    }
}

}  // namespace semblance::pairs::testing
