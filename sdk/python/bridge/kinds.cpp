// SPDX-License-Identifier: MIT
#include "kinds.hpp"

#include "semblance/similarity.hpp"

namespace semblance::python {

const PythonKind* python_kind(std::string_view name) {
  static const std::pair<std::string_view, PythonKind> kinds[] = {
      {"similarity", {&Similarity::kind_info, &make_similarity}},
  };
  for (const auto& [known, kind] : kinds)
    if (known == name) return &kind;
  return nullptr;
}

}  // namespace semblance::python
