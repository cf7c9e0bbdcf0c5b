// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/drawn_list.hpp"

namespace semblance {

/// The samples of a list, one below the other, each with its scores and next to the training
/// samples that it is compared with.
std::string sample_list_html(const DrawnList& list);

}  // namespace semblance
