// SPDX-License-Identifier: MIT
#include "data/transfer.hpp"
#include "registry/doors.hpp"

namespace semblance {

const TransferFunctions& transfer_functions() {
  using Function = const TransferFunctions*();
  auto* const function = reinterpret_cast<Function*>(
      door_function("transfer", "semblance_transfer", "rebuild or reinstall the program"));
  return *function();
}

}  // namespace semblance
