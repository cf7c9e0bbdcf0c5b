// SPDX-License-Identifier: MIT

#include <doctest/doctest.h>

#include "export/machine.hpp"
#include "export/proof.hpp"
#include "semblance/error.hpp"

namespace affine_form_test {

using namespace semblance;

namespace {

/// Checks that the form gives the same results as the formula.
void check_form(const Formula& formula, Formula::Value result) {
  const AffineForm form = affine_form(formula, result);
  const std::vector<double> matrix = matrix_of(form);
  const std::vector<std::vector<float>> rows{{1, 2, 3}, {-4, 0.5F, 7}, {0, 0, 0}};
  for (const auto& row : rows) {
    const auto expected = evaluate(formula, row)[result.step];
    REQUIRE(form.results() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      double value = form.offsets[i];
      for (std::size_t k = 0; k < 3; ++k) value += matrix[i * 3 + k] * double{row[k]};
      CHECK(value == doctest::Approx(expected[i]));
    }
  }
}

std::vector<float> values(std::initializer_list<float> all) { return all; }

}  // namespace

TEST_CASE("what is affine in the row is found, however it is written") {
  Formula f;
  const auto x = f.input(3);
  const auto c = f.constant(std::span<const float>(values({2, -1, 0.5F})));
  const auto scaled = f.multiply(f.subtract(x, c), c);
  check_form(f, scaled);
  CHECK(affine_form(f, scaled).keeps_places());
  const auto turned = f.subtract(c, scaled);
  check_form(f, turned);
  const auto wide = f.widen(turned);
  const auto product = f.products(wide, std::vector<double>{1, 2, 3, -1, 0, 4});
  check_form(f, product);
  CHECK_FALSE(affine_form(f, product).keeps_places());
  const auto parts = f.concatenate(std::vector<Formula::Value>{wide, product});
  check_form(f, parts);
  check_form(f, f.subtract(f.number(1, parts), f.gather(parts, {4, 0, 3})));
  check_form(f, f.add(wide, f.gather(wide, {2, 1, 0})));
  check_form(f, f.multiply(f.number(3, product), product));
  const auto order = f.gather(x, {1, 0, 2});
  check_form(f, order);
  CHECK_FALSE(affine_form(f, order).keeps_places());
}

TEST_CASE("what is not affine is refused by the name of its node") {
  Formula f;
  f.set_note("'t'");
  const auto x = f.input(3);
  f.set_note("'x'");
  const auto square = f.multiply(x, x);
  f.set_note("'svm'");
  const auto scores = f.add(square, f.number(1, square));
  CHECK_THROWS_WITH(affine_form(f, scores), "node 'x' is not linear in the values of a row");
  CHECK_THROWS_AS(affine_form(f, f.absolute(x)), Error);
  CHECK_THROWS_AS(affine_form(f, f.maximum(x, f.number(0, x))), Error);
  CHECK_THROWS_WITH(affine_form(f, f.number(0, x)),
                    "node 'x' is not linear in the values of a row");
}

TEST_CASE("two opposite functions are one of LIBLINEAR's, others are Crammer and Singer's") {
  Formula f;
  const auto x = f.widen(f.input(2));
  const auto one = f.products(x, std::vector<double>{1, 2});
  const auto other = f.multiply(one, f.number(-1, one));
  const auto opposite =
      liblinear_machine(affine_form(f, f.concatenate(std::vector<Formula::Value>{other, one})));
  CHECK(opposite.functions() == 1);
  CHECK(opposite.weights == std::vector<double>{1, 2, 0});
  const auto both =
      liblinear_machine(affine_form(f, f.concatenate(std::vector<Formula::Value>{one, one})));
  CHECK(both.functions() == 2);
  CHECK(both.solver == "MCSVM_CS");
}

}  // namespace affine_form_test
