// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "semblance/component_info.hpp"
#include "semblance/constraints.hpp"

// The plugin's containers would differ from the library's, and linking would fail.
#if defined(_GLIBCXX_DEBUG) && !defined(SEMBLANCE_DEBUG_CONTAINERS)
#error "the SDK was built without _GLIBCXX_DEBUG: build the plugin without it too"
#endif

namespace semblance {

struct KindInfo;

class Component;

/// A parameter of type path: a file or folder. The runtime makes it absolute before assigning.
struct Path {
  std::string value;
};

/// The host's side of a declaration: creates a component and sets its parameters.
struct ComponentEntry {
  ComponentInfo info;
  std::function<std::unique_ptr<Component>()> create;
  /// One per parameter, in the order of info.parameters; exactly one of the three is set.
  struct Setter {
    std::function<void(Component&, const Value&)> value;
    std::function<void(Component&, std::unique_ptr<Component>)> component;
    std::function<void(Component&, std::function<std::unique_ptr<Component>()>)> maker;
  };
  std::vector<Setter> setters;
};

/// The part of a declaration that does not depend on the declared class. Compiled once, in the
/// library, and not again for every component.
class DeclarationBase {
 public:
  using Create = std::function<std::unique_ptr<Component>()>;

  DeclarationBase(const DeclarationBase&);
  DeclarationBase(DeclarationBase&&) noexcept;
  DeclarationBase& operator=(const DeclarationBase&);
  DeclarationBase& operator=(DeclarationBase&&) noexcept;
  ~DeclarationBase();

  ComponentEntry entry() &&;

 protected:
  /// `kind` is that of the interface which the class implements; an id of another kind is refused.
  DeclarationBase(std::string_view id, std::string_view summary, const KindInfo& kind,
                  std::unique_ptr<Component> (*create)());

  void add_part(std::string_view name, std::string_view documentation, const KindInfo& kind,
                std::function<void(Component&, std::unique_ptr<Component>)> set);
  void add_maker(std::string_view name, std::string_view documentation, const KindInfo& kind,
                 std::function<void(Component&, Create)> set);

  /// A parameter that is a value; `fallback` is its default.
  template <class M>
  void add_value(std::string_view name, std::string_view documentation, const M& fallback,
                 std::function<void(Component&, const Value&)> set);
  template <class M>
  static void assign(const Value& value, M& member);

  /// Constrains the parameter added last.
  void constrain(const Constraint& constraint);

  void add_figure(FigureInfo figure);
  void accept(std::vector<LayoutKind> layouts);
  void give(std::vector<LayoutKind> layouts);
  void accept_where(LayoutsWhere where);
  void give_where(LayoutsWhere where);
  /// Throws Error if a deprecated name could not be read.
  void add_former(FormerName name, bool gone);

  ComponentEntry entry_;
};

}  // namespace semblance
