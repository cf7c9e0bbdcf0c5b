// SPDX-License-Identifier: MIT
// The pairwise solvers on the double interval task (section 6.2), all pairs, five examples per
// class, with the linear kernel and K_TL or, with the word `metric`, K_ML:
//
//     pairwise_svm_bench svm EXAMPLES [dimension, default 500] [C, default 1000] [threads, 1]
//     pairwise_svm_bench newton EXAMPLES [dimension] [C] [threads] [unit]
//     pairwise_svm_bench libsvm EXAMPLES [dimension] [C]
//     pairwise_svm_bench vectors EXAMPLES [dimension] [C]
//
// `unit` divides every example by its length. LIBSVM takes only its own kernels. `vectors` is a
// real run of LIBSVM that computes kernel values from vectors: K_ML is its polynomial kernel of the
// pairs' differences, without their zeros; cache of 100 MB as in the paper. K_TL is not one of its
// kernels: `libsvm` gives it the precomputed matrix of all pairs, 16 bytes per value: 100 examples
// take 400 MB, 150 take 2 GB. The cost of one value of K_TL from the vectors is printed separately.
// CPU seconds are printed in addition to wall seconds, for shared machines.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "testing/libsvm_oracle.hpp"
#include "testing/pairs_testing.hpp"
#include "timed.hpp"

using namespace semblance;
using namespace semblance::pairs;
using namespace semblance::pairs::testing;
using bench::Seconds;
using bench::timed;

namespace {

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

void run(const std::string& id, const Examples& data, double cost, std::size_t threads,
         bool metric) {
  auto kernel = pair_kernel(metric ? "pair_kernel/metric_learning" : "pair_kernel/tensor_learning");
  auto machine = solver(id, std::move(kernel), {{"C", cost}});
  TestContext context(threads);
  context.budget = std::size_t{8} << 30;
  MemoryReport report;
  const PairSet pairs = data.all_pairs();
  const Seconds spent = timed([&] { report = train(*machine, data.values, pairs, context); });
  std::printf("%zu pairs: %.2f s wall, %.2f s CPU, peak %.0f MiB, %s\n", pairs.size(), spent.wall,
              spent.cpu, peak_mib(), report.texts.at("certificate").c_str());
  if (std::getenv("SEMBLANCE_BENCH_LOG"))
    for (const std::string& line : context.lines) std::printf("  %s\n", line.c_str());
  for (const auto& [name, value] : report.numbers) std::printf("  %s %.8g\n", name.c_str(), value);
  for (const auto& [name, value] : report.integers) std::printf("  %s %ld\n", name.c_str(), value);
}

/// LIBSVM with K_ML = (1/2 <a - b, c - d>)^2.
void run_vectors(const Examples& data, double cost) {
  const std::vector<Pair> pairs = data.all_pairs().expanded();
  std::vector<std::vector<svm_node>> nodes(pairs.size());
  std::vector<svm_node*> rows;
  std::vector<double> labels;
  std::size_t values = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const float* const a = data.values.view().row(std::size_t(pairs[p].first));
    const float* const b = data.values.view().row(std::size_t(pairs[p].second));
    for (std::size_t k = 0; k < data.values.cols; ++k)
      if (a[k] != b[k]) nodes[p].push_back({int(k + 1), double(a[k]) - b[k]});
    values += nodes[p].size();
    nodes[p].push_back({-1, 0});
    rows.push_back(nodes[p].data());
    labels.push_back(pairs[p].label);
  }
  svm_problem problem{int(pairs.size()), labels.data(), rows.data()};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = POLY;
  parameter.degree = 2;
  parameter.gamma = 0.5;
  parameter.C = 2 * cost;
  parameter.eps = 1e-3;
  parameter.cache_size = 100;
  parameter.shrinking = 1;
  svm_set_print_string_function([](const char* text) { library_text() += text; });
  svm_model* model = nullptr;
  const Seconds spent = timed([&] { model = svm_train(&problem, &parameter); });
  std::printf(
      "%zu pairs of %.0f values other than 0: LIBSVM %.2f s wall, %.2f s CPU, peak %.0f MiB, "
      "%d support vectors\n%s\n",
      pairs.size(), double(values) / double(pairs.size()), spent.wall, spent.cpu, peak_mib(),
      model->l, library_text().c_str());
  svm_free_and_destroy_model(&model);
}

void run_libsvm(const Examples& data, double cost) {
  const PairSet set = data.all_pairs();
  const std::vector<Pair> pairs = set.expanded();
  std::vector<int> labels;
  for (const Pair& p : pairs) labels.push_back(p.label);
  const auto row = [&](std::int32_t i) { return data.values.view().row(std::size_t(i)); };
  const auto product = [&](std::int32_t i, std::int32_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < data.values.cols; ++k) sum += double(row(i)[k]) * row(j)[k];
    return sum;
  };
  FloatMatrix k(data.values.rows, data.values.rows);
  for (std::int32_t i = 0; i < std::int32_t(k.rows); ++i)
    for (std::int32_t j = 0; j < std::int32_t(k.rows); ++j)
      k.view().row(std::size_t(i))[j] = float(product(i, j));
  const auto kernel = pair_kernel("pair_kernel/tensor_learning");
  double direct = 0;
  const Seconds each = timed([&] {
    for (std::size_t q = 0; q < 2000; ++q) {
      const Pair &a = pairs[q % pairs.size()], &b = pairs[q * 37 % pairs.size()];
      direct += kernel->evaluate({product(a.first, b.first), product(a.first, b.second),
                                  product(a.second, b.first), product(a.second, b.second)});
    }
  });
  OracleSolution found;
  const Seconds spent = timed([&] {
    found = libsvm_objective(
        pairs.size(),
        [&](std::size_t i, std::size_t j) {
          return kernel_value(*kernel, data.values, k, pairs[i], pairs[j]);
        },
        labels, std::vector<double>(pairs.size(), 2 * cost), 2 * cost, 1e-3);
  });
  std::printf(
      "%zu pairs: LIBSVM with the matrix filled from cached standard kernel values %.2f s wall, "
      "%.2f s CPU, peak %.0f MiB, objective %.8g, %zu support vectors; a kernel value from the "
      "vectors takes %.2f us (%g)\n",
      pairs.size(), spent.wall, spent.cpu, peak_mib(), found.objective, found.vectors,
      each.cpu / 2000 * 1e6, direct);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 2) {
    std::fputs(
        "usage: pairwise_svm_bench svm|newton|libsvm|vectors EXAMPLES [dimension] [C] [threads] "
        "[unit] [metric]\n",
        stderr);
    return 2;
  }
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const auto number = [&](std::size_t place, double otherwise) {
    return place < words.size() ? std::atof(words[place].c_str()) : otherwise;
  };
  const double cost = number(3, 1000);
  const auto threads = std::size_t(number(4, 1));
  Examples data = double_interval(std::size_t(number(1, 0)), std::size_t(number(2, 500)), 5);
  if (has("unit")) data = unit_length(std::move(data));
  if (words[0] == "svm")
    run("solver/pairwise_svm", data, cost, threads, has("metric"));
  else if (words[0] == "newton")
    run("solver/pairwise_newton", data, cost, threads, has("metric"));
  else if (words[0] == "vectors")
    run_vectors(data, cost);
  else
    run_libsvm(data, cost);
}
