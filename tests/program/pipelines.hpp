// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance::testing {

/// A small pipeline with every kind of node; well under a second.
inline const char* const small_pipeline = R"(name: small
nodes:
  glyphs: {is: source/glyphs, train_per_class: 30, test_per_class: 20}
  hog:    {is: feature/hog, cell: 4, from: glyphs}
  x:      {is: normalizer/mean_norm, from: hog}
  bases:  {is: basis/random_per_class, per_class: 3, from: glyphs}
  rbf:    {is: similarity/rbf, from: x, bases: bases}
  rigid:  {is: similarity/rigid, shift: 1, from: x, bases: bases}
  phi:    {is: normalizer/mean_norm, from: [rbf, rigid]}
  svm:    {is: solver/linear_svm, from: phi}
  test:   {is: evaluator/classification, from: svm}
)";

/// The nodes of a kernel machine on three rings.
inline const std::string rings_nodes = R"(nodes:
  points: {is: source/rings, classes: 3}
  svm:    {is: solver/kernel_svm, kernel: {is: similarity/rbf, gamma: 1}, from: points}
  test:   {is: evaluator/classification, from: svm}
)";

/// A linear machine on the z-scores of a table; `source` has the parameters of source/csv.
inline std::string table_pipeline(const std::string& source) {
  return "name: table\nnodes:\n  t:   {is: source/csv, " + source +
         "}\n  x:   {is: normalizer/zscore, from: t}\n  svm: {is: solver/linear_svm, from: x}\n"
         "  e:   {is: evaluator/classification, from: svm}\n";
}

/// A map of 40,000 x 1,000 values, 153 MiB.
inline const char* const wide_pipeline = R"(name: wide
nodes:
  points: {is: source/xor, train: 38000, test: 2000}
  bases:  {is: basis/random, count: 1000, from: points}
  rbf:    {is: similarity/rbf, gamma: 4, from: points, bases: bases}
  phi:    {is: normalizer/mean_norm, from: rbf}
  svm:    {is: solver/linear_svm, tolerance: 0.01, from: phi}
  test:   {is: evaluator/classification, from: svm}
)";

}  // namespace semblance::testing
