// SPDX-License-Identifier: MIT
#include "sparse/projected_newton.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "linear_testing.hpp"
#include "semblance/sparse_testing.hpp"
#include "sparse/dual_descent.hpp"

namespace projected_newton_test {

using namespace semblance;
using namespace semblance::linear::testing;

namespace {

/// Texts of two classes, whose words follow Zipf's law.
struct Corpus {
  FloatMatrix rows;
  std::vector<std::int32_t> labels = {};
  std::vector<std::string> names = {"a", "b"};
};

/// A quarter of the words of class b are replaced; a twentieth of the labels are wrong.
Corpus counts_of_words(std::size_t rows, std::size_t words, std::size_t length) {
  Random random(3);
  std::vector<double> law(words);
  double sum = 0;
  for (std::size_t j = 0; j < words; ++j)
    law[j] = sum += std::pow(static_cast<double>(j + 1), -1.05);
  Corpus corpus{{0, words}};
  corpus.rows.offsets = {0};
  for (std::size_t i = 0; i < rows; ++i) {
    const bool b = random.below(2) == 1;
    std::map<std::size_t, float> counts;
    for (std::size_t k = 0; k < length; ++k) {
      const auto place = std::ranges::upper_bound(law, random.uniform(0, sum)) - law.begin();
      const std::size_t word = std::min(static_cast<std::size_t>(place), words - 1);
      counts[b && random.below(4) == 0 ? (word * 7 + 3) % words : word] += 1;
    }
    for (const auto& [word, count] : counts) {
      corpus.rows.columns.push_back(static_cast<std::uint32_t>(word));
      corpus.rows.values.push_back(count);
    }
    corpus.rows.offsets.push_back(corpus.rows.values.size());
    corpus.labels.push_back(b != (random.below(20) == 0) ? 1 : 0);
  }
  corpus.rows.rows = rows;
  corpus.rows.is_sparse = true;
  return corpus;
}

/// The counts, larger for words that few texts have, scaled to length 1.
Corpus tf_idf(Corpus corpus) {
  std::vector<double> texts(corpus.rows.cols);
  for (const std::uint32_t word : corpus.rows.columns) ++texts[word];
  const auto n = static_cast<double>(corpus.rows.rows);
  for (std::size_t i = 0; i < corpus.rows.rows; ++i) {
    const std::size_t end = corpus.rows.offsets[i + 1];
    double square = 0;
    for (std::size_t k = corpus.rows.offsets[i]; k < end; ++k) {
      float& value = corpus.rows.values[k];
      value *= static_cast<float>(1 + std::log((1 + n) / (1 + texts[corpus.rows.columns[k]])));
      square += double{value} * double{value};
    }
    for (std::size_t k = corpus.rows.offsets[i]; k < end; ++k)
      corpus.rows.values[k] /= static_cast<float>(std::sqrt(square));
  }
  return corpus;
}

class Problem {
 public:
  Problem(const Corpus& corpus, double cost, double tolerance = linear::default_tolerance)
      : rows_(corpus.rows.view()),
        layout_(Layout::sparse(corpus.rows.cols)),
        training_{rows_, layout_, corpus.labels, corpus.names},
        task_{training_, {cost}, {}, 10, tolerance},
        samples_(task_, context_) {}

  linear::ProjectedNewton newton() { return {samples_, 0, task_.costs[0], 1, context_}; }

 private:
  MatrixRows rows_;
  Layout layout_;
  TrainingSet training_;
  TestContext context_{1};
  linear::LinearTask task_;
  linear::SparseTask samples_;
};

}  // namespace

TEST_CASE("texts with a large C are solved in few sweeps, by damped steps") {
  struct Case {
    Corpus corpus;
    double cost;
    double sweeps;  // undamped steps take twice as many, or end far from the optimum
  };
  for (const Case& a : {Case{tf_idf(counts_of_words(8000, 5000, 40)), 100, 1600},
                        Case{tf_idf(counts_of_words(5000, 3000, 40)), 1000, 2000},
                        Case{counts_of_words(8000, 5000, 30), 1000, 1000}}) {
    const std::size_t rows = a.corpus.rows.rows;
    CAPTURE(rows);
    CAPTURE(a.cost);
    Problem problem(a.corpus, a.cost);
    std::vector<double> variables(rows);
    const auto solved = problem.newton().solve(variables);
    CHECK(solved.certificate == Certificate::converged);
    CHECK(linear::proved(solved.outcome, 1e-5));
    CHECK(solved.rows_read < a.sweeps * static_cast<double>(rows));
  }
}

}  // namespace projected_newton_test
