// SPDX-License-Identifier: MIT
#include "expansion/machine_check.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "kernel_svm_testing.hpp"
#include "semblance/plain_check.hpp"
#include "semblance/row_error.hpp"
#include "semblance_numerics/dual_solver.hpp"
#include "solver_testing.hpp"

namespace machine_check_test {

using namespace semblance;
using namespace semblance::kernel;
using namespace semblance::kernel::testing;

namespace {

double gaussian(std::span<const float> b, std::span<const float> x) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    sum += (double{b[k]} - double{x[k]}) * (double{b[k]} - double{x[k]});
  return std::exp(-sum);
}

/// A Gaussian kernel that loses digits, or that gives other values in training, while it has its
/// first bases.
class Lossy : public Similarity {
 public:
  static Declaration<Lossy> declare() {
    return Declaration<Lossy>("similarity/lossy", "A Gaussian that forgets")
        .parameter("forgets", &Lossy::forgets_, "what it was while it trained");
  }
  void prepare(const Layout&) override {}
  void set_bases(MatrixView bases, std::span<const std::int64_t>, Context&) override {
    bases_ = FloatMatrix(bases);
    ++given_;
  }
  std::size_t bases() const noexcept override { return bases_.rows; }
  double operations() const noexcept override { return 10; }
  bool positive_semidefinite() const noexcept override { return true; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < bases_.rows; ++j) {
        double value = gaussian(std::as_const(bases_).view().row_span(j), in.row_span(i));
        if (step_ > 0) value = std::round(value / step_) * step_;
        if (forgets_ && given_ == 1) value *= value;
        out.row(i)[j] = static_cast<float>(value);
      }
  }
  void save(StateWriter&) const override {}
  void load(const StateReader&, Context&) override {}

 protected:
  double step_ = 0;

 private:
  bool forgets_ = false;
  int given_ = 0;
  FloatMatrix bases_;
};

class Plain final : public Lossy {
 public:
  Plain() { step_ = 1.0 / 16; }
  static Declaration<Plain> declare() {
    return {"similarity/plain_lossy", "Knows what it should be"};
  }
  Abilities abilities() const noexcept override { return {.compares_plainly = true}; }
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override {
    for (std::size_t j = 0; j < bases.rows; ++j)
      values[j] = gaussian(bases.row_span(j), x.row_span(0));
  }
};

/// A Gaussian that counts the samples compared by its definition with all vectors.
class Counting final : public Lossy {
 public:
  static Declaration<Counting> declare() { return {"similarity/counting", "Counts"}; }
  Abilities abilities() const noexcept override { return {.compares_plainly = true}; }
  void compare_plainly(MatrixView bases, MatrixView x, double* values) const override {
    if (bases.rows == this->bases()) ++compared;
    for (std::size_t j = 0; j < bases.rows; ++j)
      values[j] = gaussian(bases.row_span(j), x.row_span(0));
  }
  static inline std::atomic<std::size_t> compared = 0;
};

struct Clouds {
  FloatMatrix values = FloatMatrix(120, 2);
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes = {"a", "b", "c"};
};

/// Three overlapping clouds about a centre.
Clouds clouds(float centre = 0) {
  Clouds data;
  Random random(3);
  for (std::size_t i = 0; i < data.values.rows; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(i % 3));
    const double angle = 2.1 * static_cast<double>(i % 3);
    float* row = data.values.view().row(i);
    row[0] = centre + static_cast<float>(1.5 * std::cos(angle) + random.normal());
    row[1] = centre + static_cast<float>(1.5 * std::sin(angle) + random.normal());
  }
  return data;
}

std::string refusal(Solver& svm, const Clouds& data) {
  TestContext context;
  try {
    train(svm, data, context);
  } catch (const Error& problem) {
    return problem.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a sample of training rows confirms a machine, by the kernel's definition") {
  for (const std::string multiclass : {"one_versus_one", "one_versus_rest"})
    for (const double cost : {0.1, 1.0, 1000.0}) {
      INFO(multiclass << " " << cost);
      TestContext context;
      const auto svm =
          kernel_svm("similarity/rbf", {{"C", cost}, {"multiclass", multiclass}}, {{"gamma", 0.5}});
      const MemoryReport report = train(*svm, clouds(), context);
      CHECK(report.texts.at("certificate") == "converged");
      CHECK(report.numbers.at("check_error") > 0);
      CHECK(report.numbers.at("check_error") < 1e-5);
      CHECK(report.numbers.at("check_violation") <= report.numbers.at("violation") + 1e-3);
    }
}

TEST_CASE("the figures of the check do not depend on threads") {
  TestContext one(1), four(4);
  const auto svm = kernel_svm("similarity/rbf", {{"C", 10.0}}, {{"gamma", 0.5}});
  const MemoryReport a = train(*svm, clouds(), one), b = train(*svm, clouds(), four);
  CHECK(a.numbers.at("check_error") == b.numbers.at("check_error"));
  CHECK(a.numbers.at("check_violation") == b.numbers.at("check_violation"));
}

TEST_CASE("of few samples a quarter is checked, or 32") {
  Counting::compared = 0;
  const auto svm = kernel_svm(own_kernel<Counting>(), {}, {});
  TestContext context;
  CHECK(train(*svm, clouds(), context).numbers.contains("check_error"));
  CHECK(Counting::compared == 32);
}

TEST_CASE("a kernel whose values are lost is found by its definition") {
  const auto svm = kernel_svm(own_kernel<Plain>(), {}, {});
  const std::string text = refusal(*svm, clouds());
  CAPTURE(text);
  CHECK(text.find("the kernel's values for a sample of training rows differ from their definition "
                  "by up to 0.0") == 0);
}

TEST_CASE("rows far from 0 give the machine of the same rows about 0, or none") {
  for (const float centre : {100.0F, 3000.0F, 1e5F}) {
    INFO(centre);
    // The same values about the centre, up to float32 rounding.
    Clouds far = clouds(centre), back = far;
    for (float& x : back.values.values) x -= centre;
    TestContext context;
    const auto expected = kernel_svm("similarity/rbf", {}, {{"gamma", 0.5}});
    const MemoryReport right = train(*expected, back, context);
    const auto svm = kernel_svm("similarity/rbf", {}, {{"gamma", 0.5}});
    try {
      const MemoryReport report = train(*svm, far, context);
      CHECK(report.numbers.at("objective") ==
            doctest::Approx(right.numbers.at("objective")).epsilon(1e-3));
    } catch (const Error& problem) {
      const std::string text = problem.what();
      CAPTURE(text);
      CHECK(text.find("the samples (normalizer/zscore)") != std::string::npos);
    }
  }
}

TEST_CASE("a kernel whose values float32 makes equal is refused") {
  const auto refusals = [](const Clouds& data) {
    const auto cosine = kernel_svm("similarity/cosine", {}, {});
    const auto polynomial = kernel_svm("similarity/polynomial", {}, {{"degree", std::int64_t{2}}});
    return std::array{refusal(*cosine, data), refusal(*polynomial, data)};
  };
  for (const std::string& text : refusals(clouds())) CHECK(text.empty());
  for (const std::string& text : refusals(clouds(1e5F))) {
    CAPTURE(text);
    CHECK(text.find("times what they differ by from row to row, so that float32 has lost it") !=
          std::string::npos);
  }
}

TEST_CASE("a kernel that trains on other values than it gives afterwards is no machine") {
  const auto svm = kernel_svm(own_kernel<Lossy>(), {{"C", 10.0}}, {{"forgets", true}});
  const std::string text = refusal(*svm, clouds());
  CAPTURE(text);
  CHECK(text.find("the machine is not what its certificate says: by the kernel's definition, "
                  "decision values of a sample of training data violate the optimality conditions "
                  "by ") == 0);
  const auto sound = kernel_svm(own_kernel<Lossy>(), {{"C", 10.0}}, {});
  CHECK(refusal(*sound, clouds()).empty());
}

TEST_CASE("no figure says that a kernel without a definition in double agrees with it") {
  TestContext context;
  const auto svm = kernel_svm(own_kernel<Lossy>(), {}, {});
  const MemoryReport report = train(*svm, clouds(), context);
  CHECK_FALSE(report.numbers.contains("check_error"));
  CHECK(report.texts.at("check_error") == "not checked");
  CHECK(std::ranges::count(context.lines,
                           "the kernel's values for a sample of training rows are not checked: the "
                           "measure has no definition in double") == 1);
  CHECK(report.numbers.contains("check_violation"));
  const auto repaired =
      kernel_svm("similarity/rbf", {{"repair", std::string("square")}}, {{"gamma", 0.5}});
  const MemoryReport squared = train(*repaired, clouds(), context);
  CHECK(squared.numbers.contains("check_error"));
  CHECK_FALSE(squared.numbers.contains("check_violation"));
}

TEST_CASE("values that are NaN agree with nothing") {
  CHECK(std::isinf(numerics::optimality_violation(0, 1, std::nan(""))));
  Plain kernel;
  FloatMatrix rows(2, 1);
  TestContext context;
  kernel.set_bases(rows.view(), {}, context);
  rows.values[1] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(check_similarity(kernel, rows.view(), rows.view(), context), Error);
}

TEST_CASE("an objective that no feasible point has is an error") {
  numerics::DualSolution sound;
  sound.coefficients = {1, -1, 0.5};
  sound.dual = -2;
  sound.primal = 2.1;
  sound.squared_norm = 1;
  numerics::check_objective(sound, 3);
  const auto refused = [&](auto change) {
    numerics::DualSolution wrong = sound;
    change(wrong);
    CHECK_THROWS_AS(numerics::check_objective(wrong, 3), Error);
  };
  refused([](auto& s) { s.dual = -3.1; });
  refused([](auto& s) { s.squared_norm = -0.5; });
  refused([](auto& s) { s.dual = std::nan(""); });
  refused([](auto& s) { s.primal = std::numeric_limits<double>::infinity(); });
}

}  // namespace machine_check_test
