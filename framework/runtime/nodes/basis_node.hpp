// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/graph/node.hpp"

namespace semblance {

/// Chooses the training samples that samples are compared with.
class BasisNode final : public Node {
 public:
  void bind(const Compilation&, const KnownShapes*) override;
  bool can_learn(const RunProgress& progress) const override;
  void learn(RunProgress& progress, RunData& data) override;
  bool needs_state(const RunProgress& progress) const override;
  void save(const Folder& folder) const override;
  void load(const Folder& folder, Context&) override;

  std::span<const std::int64_t> chosen_rows() const override { return chosen_; }

 private:
  std::vector<std::int64_t> chosen_;
};

}  // namespace semblance
