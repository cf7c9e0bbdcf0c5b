// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace semblance {

/// The kind of processor, as far as numeric libraries select code by it. Results have the same bits
/// on processors of one kind, and may differ in the last digits between kinds. A chosen device
/// (choose_device()) is a part of it.
std::string processor_kind();

}  // namespace semblance
