// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <string>
#include <vector>

#include "normalizer_testing.hpp"

namespace semblance::testing {

/// Rows whose columns depend on each other, around class means; row i has the label i % classes.
inline FloatMatrix classes_of_rows(std::size_t rows, std::size_t cols, std::size_t classes) {
  Random random(5);
  FloatMatrix mix(cols, cols), means(classes, cols), m(rows, cols);
  for (float& v : mix.values) v = static_cast<float>(random.normal());
  for (float& v : means.values) v = static_cast<float>(2 * random.normal());
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<double> z(cols);
    for (std::size_t c = 0; c < cols; ++c) z[c] = random.normal() / double(1 + c);
    for (std::size_t c = 0; c < cols; ++c) {
      double x = means.values[i % classes * cols + c] + 10.0;
      for (std::size_t k = 0; k < cols; ++k) x += double{mix.values[k * cols + c]} * z[k];
      m.values[i * cols + c] = static_cast<float>(x);
    }
  }
  return m;
}

inline std::vector<std::int32_t> labels_of(std::size_t rows, std::size_t classes) {
  std::vector<std::int32_t> labels(rows);
  for (std::size_t i = 0; i < rows; ++i) labels[i] = static_cast<std::int32_t>(i % classes);
  return labels;
}

inline void fit_labelled(Normalizer& n, const FloatMatrix& m,
                         const std::vector<std::int32_t>& labels, std::size_t classes,
                         TestContext& context) {
  const MemoryRows rows(m);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < classes; ++k) names.push_back(std::to_string(k));
  n.fit({rows, Layout::vector(m.cols), labels, names}, context);
}

inline FloatMatrix project(const Normalizer& n, const FloatMatrix& m, std::size_t directions) {
  TestContext context;
  FloatMatrix out(m.rows, directions);
  n.apply(m.view(), out.view(), context);
  return out;
}

inline Eigen::MatrixXd wide(const FloatMatrix& m) {
  return Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
             m.values.data(), Eigen::Index(m.rows), Eigen::Index(m.cols))
      .cast<double>();
}

/// The largest difference of two columns, up to their signs.
inline double difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return std::min((a - b).cwiseAbs().maxCoeff(), (a + b).cwiseAbs().maxCoeff());
}

/// Checks that rows as far from 0 as float32 permits have the coordinates of the same rows near 0,
/// also after loading.
inline void check_projection_far_from_0(const std::string& id, const Parameters& values,
                                        std::size_t directions, double tolerance) {
  const auto labels = labels_of(301, 7);
  const auto made = [&] { return make_component<Normalizer>(id, values); };
  const auto near_0 = made(), far = made(), loaded = made();
  for (Normalizer* n : {near_0.get(), far.get(), loaded.get()}) n->bind(Layout::vector(5));
  TestContext context;
  const FloatMatrix rows = rows_at(16000000, 301, 5);
  fit_labelled(*near_0, rows_at(0, 301, 5), labels, 7, context);
  fit_labelled(*far, rows, labels, 7, context);
  const FloatMatrix found = project(*far, rows, directions);
  CHECK(near(found.values, project(*near_0, rows_at(0, 301, 5), directions).values, tolerance));
  MemoryState state;
  far->save(state);
  loaded->load(state, context);
  CHECK(project(*loaded, rows, directions).values == found.values);
}

/// Checks the same bits with 1 and 2 threads, at any place of a block and after loading, and the
/// errors for values that are not finite, no rows, too little memory and stop requests.
inline void check_projection(const std::string& id, const Parameters& values,
                             std::size_t directions) {
  constexpr std::size_t count = 1111, width = 30, kinds = 40;
  const FloatMatrix m = classes_of_rows(count, width, kinds);
  const auto labels = labels_of(count, kinds);
  const auto made = [&] { return make_component<Normalizer>(id, values); };
  const auto one = made(), two = made(), loaded = made();
  for (Normalizer* n : {one.get(), two.get(), loaded.get()})
    CHECK(n->bind(Layout::grid(2, 3, 5)) == Layout::vector(directions));
  TestContext single(1), both(2);
  fit_labelled(*one, m, labels, kinds, single);
  fit_labelled(*two, m, labels, kinds, both);
  const FloatMatrix expected = project(*one, m, directions);
  CHECK(project(*two, m, directions).values == expected.values);
  MemoryState state;
  one->save(state);
  loaded->load(state, single);
  CHECK(project(*loaded, m, directions).values == expected.values);
  FloatMatrix tail(100, width);
  std::copy_n(m.view().row(1011), tail.values.size(), tail.values.begin());
  const FloatMatrix alone = project(*one, tail, directions);
  CHECK(std::equal(alone.values.begin(), alone.values.end(), expected.view().row(1011)));

  FloatMatrix bad = m;
  bad.values[600 * width + 4] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(project(*one, bad, directions),
                       doctest::Contains("row 600 of the block, column 4"), Error);
  CHECK_THROWS_WITH_AS(fit_labelled(*one, bad, labels, kinds, single),
                       doctest::Contains("training row 600, column 4"), Error);
  CHECK_THROWS_WITH_AS(fit_labelled(*one, FloatMatrix(0, width), {}, kinds, single),
                       doctest::Contains("no training rows"), Error);
  TestContext small;
  small.budget = 1000;
  CHECK_THROWS_WITH_AS(fit_labelled(*one, m, labels, kinds, small),
                       doctest::Contains("but the memory budget is 1000 bytes"), Error);
  TestContext stopped;
  stopped.stop = StopReason::cancelled;
  CHECK_THROWS_AS(fit_labelled(*one, m, labels, kinds, stopped), Cancelled);
}

}  // namespace semblance::testing
