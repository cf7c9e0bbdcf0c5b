// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <string>

#include "semblance/declaration.hpp"
#include "semblance/error.hpp"
#include "semblance/nested_state.hpp"
#include "semblance/similarity.hpp"
#include "semblance/two_parts.hpp"

namespace semblance::pairs {

/// The parameters `first` and `second` of what compares pairs by their samples: a similarity of
/// each side. A component derives from it.
class SideKernels {
 protected:
  template <class T>
  static Declaration<T>& declare_sides(Declaration<T>& declaration, const std::string& what) {
    return declaration
        .parameter("first", &SideKernels::first_, "the " + what + " of first samples",
                   default_component("similarity/rbf"))
        .parameter("second", &SideKernels::second_,
                   "the " + what + " of second samples; omitted: the same as for first samples",
                   optional())
        .accepts({LayoutKind::pair});
  }

  /// The similarity of one side, which is made when it is first asked for.
  Similarity& part(Side side) const {
    if (side == Side::second && second_) return *second_;
    auto& made = made_[index_of(side)];
    if (!made) made = first_();
    return *made;
  }
  bool has_second() const noexcept { return second_ != nullptr; }

  /// `what` names the part in messages: "the kernel of first".
  void bind_part(Side side, const Layout& layout, const std::string& what) {
    try {
      part(side).bind(layout);
    } catch (const Error& error) {
      throw Error(what + " samples: " + error.what());
    }
  }
  void save_part(Side side, StateWriter& state) const {
    NestedWriter nested(state, std::string(name(side)) + "_");
    part(side).save(nested);
  }
  void load_part(Side side, const StateReader& state, Context& context) {
    part(side).load(NestedReader(state, std::string(name(side)) + "_"), context);
  }

 private:
  Maker<Similarity> first_;
  std::unique_ptr<Similarity> second_;
  mutable std::array<std::unique_ptr<Similarity>, 2> made_;  ///< by `first`
};

}  // namespace semblance::pairs
