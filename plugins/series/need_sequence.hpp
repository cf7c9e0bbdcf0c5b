// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "semblance/error.hpp"
#include "semblance/layout.hpp"

namespace semblance::series {

/// Throws Error unless the samples are sequences; `who` is the component's name.
inline void need_sequence(const Layout& layout, const std::string& who) {
  if (layout.kind != LayoutKind::sequence)
    throw Error(who + " needs sequences, but these samples are each " +
                layouts().at(static_cast<std::size_t>(layout.kind)).article + " " +
                describe(layout) +
                "; connect it to a source of series, or turn vectors into series with "
                "feature/as_series");
}

}  // namespace semblance::series
