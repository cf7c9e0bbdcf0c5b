// SPDX-License-Identifier: MIT
// The claims of a similarity about itself, for all choices and limits of every parameter.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "conformance/checks.hpp"
#include "conformance/ready_transform.hpp"
#include "semblance/similarity.hpp"

namespace semblance::conformance {
namespace {

/// The approximate accuracy of float32 values, relative to the largest; sums of them lose a little
/// more.
constexpr double rounding = 1e-5;

/// All similarities of the bases with themselves.
Eigen::MatrixXd among_bases(const Subject& subject, const ComponentConfig& config,
                            const SampleSet& samples) {
  testing::TestContext context;
  const ReadyTransform ready = make_ready(subject, config, samples, {});
  const FloatMatrix values =
      mapped(ready, samples.values.view().rows_range(0, base_count), context);
  Eigen::MatrixXd matrix(base_count, base_count);
  for (std::size_t i = 0; i < base_count; ++i)
    for (std::size_t j = 0; j < base_count; ++j)
      matrix(Eigen::Index(i), Eigen::Index(j)) = values.view().row(i)[j];
  return matrix;
}

/// Calls the body with the default configuration, and with each variation that the component
/// accepts.
template <class Body>
void for_each_variation(const Subject& subject, const Body& body) {
  body(subject.config(), "");
  for (const Variation& variation : subject.variations()) {
    if (variation.heavy) continue;
    try {
      subject.create_as<Similarity>(variation.config);
      body(variation.config, " with " + variation.name);
    } catch (const Error&) {
      // It refuses this together with its other parameters or these samples.
    }
  }
}

void ranges_of_bases(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
  const auto& similarity = dynamic_cast<const Similarity&>(*ready.transform);
  testing::TestContext context;
  const MatrixView rows = samples.values.view();
  const FloatMatrix all = mapped(ready, rows, context);
  for (const std::size_t first : {0u, 1u, 7u, 19u})
    for (const std::size_t count : {0u, 1u, 8u, 13u, 20u}) {
      if (first + count > base_count) continue;
      FloatMatrix part(rows.rows, count);
      similarity.apply_range(rows, first, part.view(), context);
      Outcome of_all, of_range{part.values, ""};
      for (std::size_t i = 0; i < rows.rows; ++i)
        of_all.values.insert(of_all.values.end(), all.view().row(i) + first,
                             all.view().row(i) + first + count);
      const std::string what = difference(of_all, of_range);
      require(what.empty(), "bases " + std::to_string(first) + " to " +
                                std::to_string(first + count) + " alone: " + what);
    }
  FloatMatrix wide(rows.rows, base_count);
  try {
    similarity.apply_range(rows, 1, wide.view(), context);
  } catch (const Error&) {
    return;
  }
  throw Failed("apply_range() accepts more bases than there are");
}

/// Removes the first basis; all other similarities stay equal, unless something is learned.
void without_a_basis(const Subject& subject) {
  for_each_variation(subject, [&](const ComponentConfig& config, const std::string& with) {
    if (subject.create_as<Similarity>(config)->learns_from_bases()) return;
    const SampleSet samples = samples_for(subject, config);
    const MatrixView rows = samples.values.view();
    testing::TestContext context;
    const FloatMatrix all = mapped(make_ready(subject, config, samples, {}), rows, context);
    auto fewer = subject.create_as<Similarity>(config);
    fewer->bind(samples.layout);
    std::vector<std::int64_t> numbers(base_count - 1);
    std::iota(numbers.begin(), numbers.end(), 1);
    fewer->set_bases(rows.rows_range(1, base_count - 1), numbers, context);
    FloatMatrix part(rows.rows, base_count - 1);
    fewer->apply(rows, part.view(), context);
    Outcome with_all, without{part.values, ""};
    for (std::size_t i = 0; i < rows.rows; ++i)
      with_all.values.insert(with_all.values.end(), all.view().row(i) + 1,
                             all.view().row(i) + base_count);
    const std::string what = difference(with_all, without);
    require(what.empty(), "without one of the bases, similarities to the others change" + with +
                              " (" + what +
                              "); if it learns from its bases, learns_from_bases() must "
                              "say so");
  });
}

void operations(const Subject& subject) {
  const SampleSet samples = samples_for(subject, subject.config());
  auto similarity = subject.create_as<Similarity>();
  const Layout before = similarity->bind(samples.layout);
  require(before == Layout::vector(0),
          "bind() gives a " + describe(before) + " before set_bases()");
  const double count = similarity->operations();
  require(std::isfinite(count) && count > 0,
          "operations() is " + to_text(Value(count)) + " after bind(), but estimates need it");
}

void symmetric(const Subject& subject) {
  if (!subject.info().symmetric) throw NotApplicable("it is not declared symmetric()");
  for_each_variation(subject, [&](const ComponentConfig& config, const std::string& with) {
    for (const SampleSet& samples : samples_taken(subject, config)) {
      const Eigen::MatrixXd s = among_bases(subject, config, samples);
      if (!s.allFinite()) continue;  // at its limit a parameter may exceed float32
      const double scale = s.cwiseAbs().maxCoeff();
      Eigen::Index i = 0, j = 0;
      const double worst = (s - s.transpose()).cwiseAbs().maxCoeff(&i, &j);
      require(worst <= rounding * scale, "s(a, b) = " + to_text(Value(s(i, j))) +
                                             " but s(b, a) = " + to_text(Value(s(j, i))) + with +
                                             ", for samples of a " + describe(samples.layout));
    }
  });
}

/// s(b, x) for a row x that is moved in single columns.
class MovedRow {
 public:
  MovedRow(const Similarity& similarity, MatrixView basis, MatrixView x)
      : similarity_(similarity), basis_(basis), row_(x) {}

  MatrixView row() const { return row_.view(); }
  double value() const {
    double found = 0;
    similarity_.compare_plainly(basis_, row(), &found);
    return found;
  }
  /// The difference quotient between x_k and `to`.
  double slope(std::size_t k, float to) {
    const float at = row_.values[k];
    const double before = value();
    row_.values[k] = to;
    const double after = value();
    row_.values[k] = at;
    return (after - before) / (double{to} - double{at});
  }

 private:
  const Similarity& similarity_;
  MatrixView basis_;
  FloatMatrix row_;
};

/// Slopes lie between the difference quotients of both sides, which differ at kinks.
void check_slopes(const Similarity& similarity, MatrixView basis, MatrixView x) {
  constexpr std::size_t most_columns = 50;
  constexpr float share = 1.0F / 1024;
  MovedRow moved(similarity, basis, x);
  double value = 0;
  std::vector<double> slopes(x.cols);
  similarity.compare_with_gradient(basis, x, &value, slopes.data());
  const double plain = moved.value();
  require(std::abs(value - plain) <= 1e-9 * std::abs(plain),
          "its value with the gradient is " + to_text(Value(value)) + ", alone " +
              to_text(Value(plain)));
  for (std::size_t k = 0; k < std::min(x.cols, most_columns); ++k) {
    const float at = x.row(0)[k], step = share * std::max(std::abs(at), 1.0F);
    const double above = moved.slope(k, at + step), below = moved.slope(k, at - step);
    const double slack = std::abs(above - below) + 1e-3 * (std::abs(above) + std::abs(below)) +
                         1e-9 * std::abs(plain) / double{step};
    require(std::abs(slopes[k] - (above + below) / 2) <= slack,
            "in column " + std::to_string(k) + " its slope is " + to_text(Value(slopes[k])) +
                ", but its values change by " + to_text(Value((above + below) / 2)));
  }
}

void gradient(const Subject& subject) {
  constexpr std::size_t some = 3;
  for (const SampleSet& samples : samples_taken(subject, subject.config())) {
    if (samples.values.is_sparse) continue;
    const ReadyTransform ready = make_ready(subject, subject.config(), samples, {});
    const auto& similarity = dynamic_cast<const Similarity&>(*ready.transform);
    if (!similarity.abilities().has_gradient) throw NotApplicable("it has none");
    const MatrixView rows = samples.values.view();
    for (std::size_t b = 0; b < some; ++b)
      for (std::size_t i = 0; i < some; ++i)
        check_slopes(similarity, rows.rows_range(b, 1), rows.rows_range(base_count + i, 1));
  }
}

void positive_semidefinite(const Subject& subject) {
  bool claimed = false;
  for_each_variation(subject, [&](const ComponentConfig& config, const std::string& with) {
    if (!subject.create_as<Similarity>(config)->positive_semidefinite()) return;
    claimed = true;
    for (const SampleSet& samples : samples_taken(subject, config)) {
      const Eigen::MatrixXd s = among_bases(subject, config, samples);
      if (!s.allFinite()) continue;
      const Eigen::MatrixXd even = (s + s.transpose()) / 2;
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(even, Eigen::EigenvaluesOnly);
      const double smallest = solver.eigenvalues().minCoeff();
      require(smallest >= -rounding * double(base_count) * even.cwiseAbs().maxCoeff(),
              "the smallest eigenvalue of a matrix of its values is " + to_text(Value(smallest)) +
                  " (the largest " + to_text(Value(solver.eigenvalues().maxCoeff())) + ")" + with +
                  ", for samples of a " + describe(samples.layout));
    }
  });
  if (!claimed) throw NotApplicable("it does not claim to be");
}

}  // namespace

void add_similarity_checks(std::vector<Check>& checks, const Subject& subject) {
  add(checks, subject,
      {{"a range of bases, the same bits", ranges_of_bases},
       {"learns from its bases only if it says so", without_a_basis},
       {"bind() and operations()", operations},
       {"symmetric", symmetric},
       {"gradient", gradient},
       {"positive semi-definite", positive_semidefinite}});
}

}  // namespace semblance::conformance
