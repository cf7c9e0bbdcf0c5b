// SPDX-License-Identifier: MIT
// kernel_svm against LIBSVM on the same data in one run, Gaussian kernel, C = 10, eps 1e-3, one
// against one:
//
//     kernel_svm_bench usps|letter|mnist [threads of kernel_svm, default 1] [libsvm: yes|no]
//
// LIBSVM runs on one thread, with a cache of 100 MiB, its default. CPU seconds are printed in
// addition to wall seconds, for shared machines.
#include <libsvm/svm.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kernel_svm_testing.hpp"
#include "oracle_data.hpp"
#include "timed.hpp"

using namespace semblance;
using bench::Seconds;
using bench::timed;
using oracle::Data;

namespace {

constexpr double cost = 10, eps = 1e-3;

struct Split {
  Data train, test;
  double gamma;
};

Split load(const std::string& name) {
  if (name == "usps")
    return {*oracle::usps("zip.train.gz"), *oracle::usps("zip.test.gz"), 1.0 / 128};
  if (name == "letter") return {*oracle::letter(true), *oracle::letter(false), 0.02};
  return {*oracle::mnist("train"), *oracle::mnist("t10k"), 0.02 / (255.0 * 255.0)};
}

struct Outcome {
  Seconds train, predict;
};

std::size_t errors(const std::vector<std::int32_t>& found, const std::vector<std::int32_t>& truth) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) wrong += found[i] != truth[i];
  return wrong;
}

void print(const char* name, const Outcome& o, double objective, std::size_t vectors,
           std::size_t wrong, std::size_t rows) {
  std::printf(
      "%s: train %.2f s wall %.2f s CPU, predict %.2f s wall %.2f s CPU, objective %.8g, %zu "
      "support vectors, %zu errors of %zu\n",
      name, o.train.wall, o.train.cpu, o.predict.wall, o.predict.cpu, objective, vectors, wrong,
      rows);
  std::fflush(stdout);
}

Outcome kernel_svm(const Split& data, std::size_t threads) {
  const auto svm = kernel::testing::kernel_svm("similarity/rbf", {{"C", cost}, {"tolerance", eps}},
                                               {{"gamma", data.gamma}});
  testing::TestContext context(threads);
  context.budget = std::size_t{6} << 30;
  testing::MemoryReport report;
  const testing::MemoryRows rows(data.train.values);
  const Layout layout = Layout::vector(data.train.values.cols);
  const std::size_t classes = data.train.classes.size(), count = data.test.values.rows;
  svm->bind(layout);
  Outcome o;
  o.train = timed([&] {
    svm->train({rows, layout, data.train.labels, data.train.classes}, report, context);
  });
  FloatMatrix scores(count, classes);
  o.predict = timed([&] {
    constexpr std::size_t block = 240;
    context.parallel_for((count + block - 1) / block, [&](std::size_t b) {
      const std::size_t first = b * block, rows_here = std::min(block, count - first);
      svm->apply(data.test.values.view().rows_range(first, rows_here),
                 scores.view().rows_range(first, rows_here), context);
    });
  });
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = scores.view().row_span(i);
    found.push_back(
        static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  std::printf("kernel_svm, %zu threads: %s, gap %.2g, %ld pair steps, %ld working sets\n", threads,
              report.texts.at("certificate").c_str(), report.numbers.at("duality_gap"),
              static_cast<long>(report.integers.at("iterations")),
              static_cast<long>(report.integers.at("working_sets")));
  print("kernel_svm", o, report.numbers.at("objective"),
        static_cast<std::size_t>(report.integers.at("support_vectors")),
        errors(found, data.test.labels), count);
  return o;
}

/// Rows as LIBSVM wants them.
struct Nodes {
  explicit Nodes(const FloatMatrix& m) {
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < m.rows; ++i) {
      starts.push_back(nodes.size());
      for (std::size_t j = 0; j < m.cols; ++j)
        if (const float x = m.values[i * m.cols + j]; x != 0)
          nodes.push_back({static_cast<int>(j + 1), x});
      nodes.push_back({-1, 0});
    }
    for (const std::size_t start : starts) rows.push_back(nodes.data() + start);
  }
  std::vector<svm_node> nodes;
  std::vector<svm_node*> rows;
};

double objective_sum = 0;

void add_objective(const char* text) {
  static std::string line;  // the library prints in pieces
  line += text;
  for (std::size_t end; (end = line.find('\n')) != std::string::npos; line.erase(0, end + 1))
    if (const std::size_t at = line.find("obj = "); at < end)
      objective_sum += std::atof(line.c_str() + at + 6);
}

Outcome libsvm(const Split& data) {
  Nodes train(data.train.values), test(data.test.values);
  std::vector<double> labels(data.train.labels.begin(), data.train.labels.end());
  const svm_problem problem{static_cast<int>(labels.size()), labels.data(), train.rows.data()};
  svm_parameter settings{};
  settings.svm_type = C_SVC;
  settings.kernel_type = RBF;
  settings.gamma = data.gamma;
  settings.cache_size = 100;
  settings.eps = eps;
  settings.C = cost;
  settings.shrinking = 1;
  svm_set_print_string_function(add_objective);
  svm_model* model = nullptr;
  Outcome o;
  o.train = timed([&] { model = svm_train(&problem, &settings); });
  std::vector<std::int32_t> found;
  o.predict = timed([&] {
    for (svm_node* row : test.rows)
      found.push_back(static_cast<std::int32_t>(svm_predict(model, row)));
  });
  print("LIBSVM", o, objective_sum, static_cast<std::size_t>(model->l),
        errors(found, data.test.labels), found.size());
  svm_free_and_destroy_model(&model);
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if ((name != "usps" && name != "letter" && name != "mnist") ||
      std::getenv("SEMBLANCE_DATA") == nullptr) {
    std::fputs("usage: SEMBLANCE_DATA=... kernel_svm_bench usps|letter|mnist [threads] [yes|no]\n",
               stderr);
    return 2;
  }
  const std::size_t threads = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  const Split data = load(name);
  std::printf("%s: %zu rows, %zu columns, %zu classes, gamma %.4g, C = %g, eps %g\n", name.c_str(),
              data.train.values.rows, data.train.values.cols, data.train.classes.size(), data.gamma,
              cost, eps);
  const Outcome ours = kernel_svm(data, std::max<std::size_t>(threads, 1));
  if (argc > 3 && std::strcmp(argv[3], "no") == 0) return 0;
  const Outcome theirs = libsvm(data);
  std::printf(
      "kernel_svm is faster: training %.1f times (CPU), %.1f (wall); prediction %.1f (CPU), "
      "%.1f (wall)\n",
      theirs.train.cpu / ours.train.cpu, theirs.train.wall / ours.train.wall,
      theirs.predict.cpu / ours.predict.cpu, theirs.predict.wall / ours.predict.wall);
  return 0;
}
