// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "linear_svm_bench.hpp"
#include "oracle_data.hpp"
#include "semblance/testing.hpp"

namespace semblance::bench {
namespace {

constexpr std::size_t dimension = 48;
constexpr std::size_t clusters_a_class = 40;
constexpr double spread = 1.3;

std::vector<float> clustered_points(std::size_t rows, std::size_t classes,
                                    std::vector<std::int32_t>& labels) {
  Random random(7);
  std::vector<double> centres(classes * clusters_a_class * dimension);
  for (double& x : centres) x = random.normal();
  std::vector<float> points(rows * dimension);
  for (std::size_t i = 0; i < rows; ++i) {
    labels.push_back(static_cast<std::int32_t>(i % classes));
    const std::size_t cluster = i % classes * clusters_a_class + random.below(clusters_a_class);
    for (std::size_t j = 0; j < dimension; ++j)
      points[i * dimension + j] =
          static_cast<float>(centres[cluster * dimension + j] + spread * random.normal());
  }
  return points;
}

void mean_norm(FloatMatrix& m) {
  std::vector<double> mean(m.cols);
  const double rows = static_cast<double>(m.rows);
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.cols; ++j) mean[j] += m.values[i * m.cols + j] / rows;
  double norm = 0;
  for (std::size_t i = 0; i < m.rows; ++i) {
    double square = 0;
    for (std::size_t j = 0; j < m.cols; ++j) {
      float& x = m.values[i * m.cols + j];
      x -= static_cast<float>(mean[j]);
      square += double{x} * x;
    }
    norm += std::sqrt(square) / rows;
  }
  for (float& x : m.values) x /= static_cast<float>(norm);
}

}  // namespace

Problem similarity_map(std::size_t rows, std::size_t cols, std::size_t classes) {
  Problem problem{FloatMatrix(rows, cols), {}};
  const std::vector<float> points = clustered_points(rows, classes, problem.labels);
  Random random(8);
  std::vector<const float*> bases;
  for (std::size_t j = 0; j < cols; ++j)
    bases.push_back(points.data() + random.below(rows) * dimension);
  const float gamma = static_cast<float>(1 / (2 * dimension * spread * spread));
  testing::TestContext context(2);
  context.parallel_for(rows, [&](std::size_t i) {
    for (std::size_t j = 0; j < cols; ++j) {
      float distance = 0;
      for (std::size_t t = 0; t < dimension; ++t) {
        const float e = points[i * dimension + t] - bases[j][t];
        distance += e * e;
      }
      problem.values.values[i * cols + j] = std::exp(-gamma * distance);
    }
  });
  mean_norm(problem.values);
  return problem;
}

Problem mnist() {
  const char* folder = std::getenv("SEMBLANCE_DATA");
  if (folder == nullptr) throw Error("$SEMBLANCE_DATA is not set");
  const std::string base = std::string(folder) + "/mnist/train-";
  const std::string images = oracle::unpacked(base + "images-idx3-ubyte.gz");
  const std::string labels = oracle::unpacked(base + "labels-idx1-ubyte.gz");
  constexpr std::size_t rows = 60000, cols = 784, images_header = 16, labels_header = 8;
  if (images.size() != images_header + rows * cols || labels.size() != labels_header + rows)
    throw Error("the MNIST files have an unexpected size");
  Problem problem{FloatMatrix(rows, cols), {}};
  for (std::size_t i = 0; i < rows * cols; ++i)
    problem.values.values[i] = static_cast<unsigned char>(images[images_header + i]);
  for (std::size_t i = 0; i < rows; ++i) problem.labels.push_back(labels[labels_header + i]);
  return problem;
}

}  // namespace semblance::bench
