// SPDX-License-Identifier: MIT
// The pairwise solvers on the double interval task (section 6.2), all pairs, five examples a class,
// K_TL on the linear kernel:
//
//     pairwise_svm_bench svm EXAMPLES [dimension, default 500] [C, default 1000] [threads, 1]
//     pairwise_svm_bench newton EXAMPLES [dimension] [C] [threads] [unit]
//     pairwise_svm_bench libsvm EXAMPLES [dimension] [C]
//
// `unit` divides every example by its length. LIBSVM takes no kernel but its own, so its rows are
// the precomputed matrix of all pairs, 16 bytes a value: 100 examples take 400 MB, 150 2 GB. The
// time to fill it from the examples' vectors, as a solver without cached standard kernel values
// would have to, is given apart. CPU seconds are given beside wall seconds, for shared machines.
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "libsvm_oracle.hpp"
#include "pairwise_newton.hpp"
#include "pairwise_svm.hpp"
#include "pairwise_testing.hpp"

using namespace semblance;
using namespace semblance::pairwise;
using namespace semblance::pairwise::testing;

namespace {

struct Seconds {
  double wall = 0;
  double cpu = 0;
};

template <class F>
Seconds timed(const F& work) {
  const auto cpu = [] {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double before = cpu();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {wall.count(), cpu() - before};
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

template <class Solver>
void run(const Examples& data, double cost, std::size_t threads) {
  auto machine = solver<Solver>(pair_kernel<TensorLearning>(), {{"C", cost}});
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
  const auto kernel = pair_kernel<TensorLearning>();
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
  if (count < 3) {
    std::fputs(
        "usage: pairwise_svm_bench svm|newton|libsvm EXAMPLES [dimension] [C] [threads] [unit]\n",
        stderr);
    return 2;
  }
  const std::string what = arguments[1];
  const auto examples = std::size_t(std::atoi(arguments[2]));
  const auto dimension = count > 3 ? std::size_t(std::atoi(arguments[3])) : 500;
  const double cost = count > 4 ? std::atof(arguments[4]) : 1000;
  const auto threads = count > 5 ? std::size_t(std::atoi(arguments[5])) : 1;
  Examples data = double_interval(examples, dimension, 5);
  if (count > 6 && std::strcmp(arguments[6], "unit") == 0) data = unit_length(std::move(data));
  if (what == "svm")
    run<PairwiseSvm>(data, cost, threads);
  else if (what == "newton")
    run<PairwiseNewton>(data, cost, threads);
  else
    run_libsvm(data, cost);
}
