// SPDX-License-Identifier: MIT
// Kernel machines refuse a kernel that is not symmetric, as training and new samples would see
// different ones.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "function_testing.hpp"
#include "semblance/similarity.hpp"

namespace asymmetric_test {

using namespace semblance;
using namespace semblance::kernel::testing;

namespace {

/// A Gaussian, to which each sample adds a share of its first value.
class Leaning final : public Similarity {
 public:
  static Declaration<Leaning> declare() {
    return Declaration<Leaning>("similarity/leaning", "A Gaussian that is not symmetric")
        .parameter("share", &Leaning::share_, "of the sample's first value");
  }
  void prepare(const Layout&) override {}
  void set_bases(MatrixView bases, std::span<const std::int64_t>, Context&) override {
    bases_ = FloatMatrix(bases);
  }
  std::size_t bases() const noexcept override { return bases_.rows; }
  double operations() const noexcept override { return 10; }
  void apply(MatrixView in, MutableMatrixView out, Context&) const override {
    for (std::size_t i = 0; i < in.rows; ++i)
      for (std::size_t j = 0; j < bases_.rows; ++j)
        out.row(i)[j] = static_cast<float>(
            gaussian_similarity(std::as_const(bases_).view().row_span(j), in.row_span(i), 1.0) +
            share_ * double{in.row(i)[0]});
  }
  void save(StateWriter&) const override {}
  void load(const StateReader&, Context&) override {}

 private:
  double share_ = 0;
  FloatMatrix bases_;
};

std::string refusal(const char* id, double share, const std::string& repair) {
  Sampled data = bumpy(90, 2);
  const std::string machine = id;
  const auto learner =
      machine_of<Learner>(id, own_kernel<Leaning>(), {{"repair", repair}}, {{"share", share}});
  TestContext context;
  try {
    if (machine == "solver/kernel_svm")
      train(dynamic_cast<Solver&>(*learner), overlapping_clouds(90, 2, 2, 1, 1), context);
    else
      train(*learner, data, context);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a kernel that is not symmetric is refused, with the pair that differs most") {
  for (const char* id :
       {"solver/kernel_svm", "solver/kernel_svr", "solver/kernel_ridge", "solver/one_class_svm"})
    for (const std::string repair : {"refuse", "clip"}) {
      CAPTURE(std::string(id));
      CAPTURE(repair);
      const std::string text = refusal(id, 0.1, repair);
      CAPTURE(text);
      CHECK(text.find("the similarity of training row ") == 0);
      CHECK(text.find(" and training row ") != std::string::npos);
      CHECK(text.find(" one way and ") != std::string::npos);
      CHECK(text.find("the kernel is not symmetric") != std::string::npos);
      CHECK(refusal(id, 1e-7, repair).empty());
      CHECK(refusal(id, 0, repair).empty());
    }
}

}  // namespace asymmetric_test
