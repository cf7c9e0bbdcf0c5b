// SPDX-License-Identifier: MIT
#include "semblance/checkpoint.hpp"

#include "semblance/context.hpp"

namespace semblance {
namespace {

class NoCheckpoint final : public Checkpoint {
 public:
  bool due() override { return false; }
  void keep(const std::function<void(StateWriter&)>&) override {}
  const StateReader* kept() override { return nullptr; }
};

}  // namespace

Checkpoint::~Checkpoint() = default;

Checkpoint& no_checkpoint() noexcept {
  static NoCheckpoint none;
  return none;
}

Checkpoint& Context::checkpoint() noexcept { return no_checkpoint(); }

}  // namespace semblance
