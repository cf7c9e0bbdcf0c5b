// SPDX-License-Identifier: MIT
#include "kinds.hpp"

#include "semblance/basis.hpp"
#include "semblance/evaluator.hpp"
#include "semblance/feature.hpp"
#include "semblance/normalizer.hpp"
#include "semblance/similarity.hpp"
#include "semblance/solver.hpp"

namespace semblance::python {

const PythonKind* python_kind(std::string_view name) {
  static const std::pair<std::string_view, PythonKind> kinds[] = {
      {"basis", {&Basis::kind_info, &make_basis}},
      {"evaluator", {&Evaluator::kind_info, &make_evaluator}},
      {"feature", {&Feature::kind_info, &make_feature}},
      {"normalizer", {&Normalizer::kind_info, &make_normalizer}},
      {"similarity", {&Similarity::kind_info, &make_similarity}},
      {"solver", {&Solver::kind_info, &make_solver}},
  };
  for (const auto& [known, kind] : kinds)
    if (known == name) return &kind;
  return nullptr;
}

}  // namespace semblance::python
