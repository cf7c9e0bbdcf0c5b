// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace semblance::svg {

/// The picture written anew from what it may have (SvgPicture says what), so that a page can
/// contain it. Throws Error with line and column where it has anything else. The result of a result
/// is the same.
std::string cleaned(std::string_view picture);

}  // namespace semblance::svg
