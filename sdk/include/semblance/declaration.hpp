// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "semblance/component.hpp"
#include "semblance/component_info.hpp"

namespace semblance {

/// A parameter of type path: a file or folder. The runtime makes it absolute before assigning.
struct Path {
  std::string value;
};

/// A parameter that is a component, where a single one is not enough (one a fold, say): makes as
/// many as are asked for, all with the parameters that the pipeline gives. Not thread-safe.
template <class Interface>
class Maker {
 public:
  using product_type = Interface;
  Maker() = default;
  explicit Maker(std::function<std::unique_ptr<Component>()> create) : create_(std::move(create)) {}

  std::unique_ptr<Interface> operator()() const {
    std::unique_ptr<Component> made = create_();
    Interface& checked = dynamic_cast<Interface&>(*made);
    made.release();
    return std::unique_ptr<Interface>(&checked);
  }

 private:
  std::function<std::unique_ptr<Component>()> create_;
};

/// What a constraint changes of a declared parameter; see the functions below.
using Constraint = std::function<void(ParameterInfo&)>;

/// x > low
inline Constraint above(double low) {
  return [=](ParameterInfo& p) { p.interval.low = low, p.interval.low_open = true; };
}
/// x >= low
inline Constraint at_least(double low) {
  return [=](ParameterInfo& p) { p.interval.low = low; };
}
/// x < high
inline Constraint below(double high) {
  return [=](ParameterInfo& p) { p.interval.high = high, p.interval.high_open = true; };
}
/// x <= high
inline Constraint at_most(double high) {
  return [=](ParameterInfo& p) { p.interval.high = high; };
}
inline Constraint choices(std::vector<std::string> values) {
  return [=](ParameterInfo& p) { p.choices = values; };
}
inline Constraint unit(std::string text) {
  return [=](ParameterInfo& p) { p.unit = text; };
}
/// The pipeline must give it.
inline Constraint required() {
  return [](ParameterInfo& p) { p.required = true, p.fallback = {}; };
}
/// A path or component that may be left out.
inline Constraint optional() {
  return [](ParameterInfo& p) { p.optional = true; };
}
/// The component that is taken when none is given.
inline Constraint default_component(std::string id) {
  return [=](ParameterInfo& p) { p.default_component = id; };
}

/// How a component's parameters are set; the host's side of a declaration.
struct ComponentEntry {
  ComponentInfo info;
  std::function<std::unique_ptr<Component>()> create;
  /// One a parameter, in the order of info.parameters; exactly one of the three is set.
  struct Setter {
    std::function<void(Component&, const Value&)> value;
    std::function<void(Component&, std::unique_ptr<Component>)> component;
    std::function<void(Component&, std::function<std::unique_ptr<Component>()>)> maker;
  };
  std::vector<Setter> setters;
};

class Source;
class Feature;
class Normalizer;
class Basis;
class Similarity;
class PairKernel;
class Pairs;
class Solver;
class PairSolver;
class Evaluator;
class SampleEvaluator;
class PairEvaluator;

/// Declares component T once: `static Declaration<T> declare()`.
///
///     return Declaration<Rbf>("similarity/rbf", "Gaussian radial basis function exp(-gamma |b -
///     x|^2)")
///         .parameter("gamma", &Rbf::gamma_, "inverse squared width", above(0));
///
/// A parameter's default is the member's value in a default-constructed T. The kind's ports follow
/// from T's base class.
template <class T>
class Declaration {
 public:
  Declaration(std::string id, std::string summary) {
    // Here and not on the class: T is incomplete where it declares `declare()`.
    static_assert(std::derived_from<T, Component>);
    entry_.info.id = std::move(id);
    entry_.info.summary = std::move(summary);
    if (entry_.info.kind() != kind_of_base())
      throw Error("'" + entry_.info.id +
                  "' is declared by a class that derives from the interface "
                  "of the kind '" +
                  kind_of_base() + "', so its id must begin with '" + kind_of_base() + "/'");
    entry_.info.inputs = default_inputs(entry_.info.kind());
    entry_.info.output = default_output(entry_.info.kind());
    if constexpr (std::derived_from<T, SampleEvaluator>) judges_samples();
    if constexpr (std::derived_from<T, PairEvaluator>) judges_pairs();
    if constexpr (std::derived_from<T, PairSolver>) learns_from_pairs();
    entry_.create = [] { return std::make_unique<T>(); };
  }

  /// A scalar, text, path, list, or component (a unique_ptr to its interface, or a Maker of it).
  /// `C` may be a base class of T.
  template <class C, class M, std::convertible_to<Constraint>... Constraints>
  requires std::derived_from<T, C> Declaration& parameter(std::string name, M C::*member,
                                                          std::string documentation,
                                                          Constraints... constraints) {
    ParameterInfo info;
    info.name = std::move(name);
    info.documentation = std::move(documentation);
    ComponentEntry::Setter setter;
    if constexpr (requires(M m) { typename M::element_type; }) {
      using Interface = typename M::element_type;
      info.type = ParameterType::component;
      info.kind = kind_of<Interface>();
      setter.component = [member](Component& c, std::unique_ptr<Component> part) {
        Interface& checked = dynamic_cast<Interface&>(*part);
        part.release();
        (static_cast<T&>(c).*member).reset(&checked);
      };
    } else if constexpr (requires(M m) { typename M::product_type; }) {
      info.type = ParameterType::component;
      info.kind = kind_of<typename M::product_type>();
      setter.maker = [member](Component& c, std::function<std::unique_ptr<Component>()> create) {
        static_cast<T&>(c).*member = M(std::move(create));
      };
    } else {
      info.type = type_of<M>();
      info.fallback = to_value(prototype().*member);
      setter.value = [member](Component& c, const Value& v) {
        from_value(v, static_cast<T&>(c).*member);
      };
    }
    (Constraint(std::move(constraints))(info), ...);
    entry_.info.parameters.push_back(std::move(info));
    entry_.setters.push_back(std::move(setter));
    return *this;
  }

  /// A number that the component puts into its report, by Report::number() or integer(); one
  /// that is not declared is refused. TABLE.COLUMN and CURVE.LABEL say the same of a column or an
  /// axis, which need no declaration: they have the unit of the figure of their own name, else
  /// none.
  Declaration& reports(FigureInfo figure) {
    entry_.info.figures.push_back(std::move(figure));
    return *this;
  }
  /// Figures that several components have in common. A template, so that {"name", "text"} is one
  /// figure and never the two ends of a list.
  template <std::same_as<std::vector<FigureInfo>> Figures>
  Declaration& reports(const Figures& figures) {
    for (const FigureInfo& figure : figures) reports(figure);
    return *this;
  }
  /// Layouts that the samples of the first input may have.
  Declaration& accepts(std::vector<LayoutKind> layouts) {
    entry_.info.inputs.at(0).layouts = std::move(layouts);
    return *this;
  }
  /// The layout of the output's samples, where it is not the input's.
  Declaration& gives(LayoutKind layout) {
    entry_.info.output.value().layouts = {layout};
    return *this;
  }
  /// Of a SampleEvaluator: it takes samples, not scores. True without being said.
  Declaration& judges_samples() {
    static_assert(std::derived_from<T, SampleEvaluator>,
                  "judges_samples() is for classes that derive from SampleEvaluator");
    entry_.info.inputs.at(0).type = PortType::samples;
    entry_.info.inputs.at(0).documentation = "the samples to judge";
    return *this;
  }
  /// Of a PairSolver: it learns from pairs of examples. True without being said.
  Declaration& learns_from_pairs() {
    static_assert(std::derived_from<T, PairSolver>,
                  "learns_from_pairs() is for classes that derive from PairSolver");
    if (entry_.info.input("pairs")) return *this;
    entry_.info.inputs.push_back(
        {"pairs", PortType::pairs, {}, false, true, "the pairs to train and test on"});
    entry_.info.output.value().type = PortType::pair_scores;
    return *this;
  }
  /// Of a PairEvaluator: it takes scores of pairs, of one solver or several. True without being
  /// said.
  Declaration& judges_pairs() {
    static_assert(std::derived_from<T, PairEvaluator>,
                  "judges_pairs() is for classes that derive from PairEvaluator");
    PortInfo& from = entry_.info.inputs.at(0);
    from.type = PortType::pair_scores;
    from.many = true;
    from.documentation = "the scores of pairs to judge";
    return *this;
  }
  /// Paper and equation.
  Declaration& reference(std::string text) {
    entry_.info.reference = std::move(text);
    return *this;
  }
  Declaration& documentation(std::string text) {
    entry_.info.documentation = std::move(text);
    return *this;
  }
  Declaration& complexity(std::string text) {
    entry_.info.complexity = std::move(text);
    return *this;
  }
  /// Nodes of a small pipeline that shows the component, one a line, as below `nodes:`; may be
  /// indented. Readers of the reference copy it: it should run within a second, on a generated
  /// source where the component is no source of files itself.
  Declaration& example(std::string_view nodes) {
    entry_.info.example = unindented(nodes);
    return *this;
  }
  /// The result depends on the seed.
  Declaration& random() {
    entry_.info.random = true;
    return *this;
  }
  /// Of a similarity: s(a, b) = s(b, a).
  Declaration& symmetric() {
    entry_.info.symmetric = true;
    return *this;
  }
  /// Each value of a sample belongs to one row of the source's data, in their order.
  Declaration& columns_are_rows() {
    entry_.info.columns_are_rows = true;
    return *this;
  }
  /// Cheaper to compute again than to keep.
  Declaration& inexpensive() {
    entry_.info.inexpensive = true;
    return *this;
  }

  ComponentEntry entry() && { return std::move(entry_); }

 private:
  static const T& prototype() {
    static const T instance;
    return instance;
  }

  template <class M>
  static constexpr ParameterType type_of() {
    if constexpr (std::is_same_v<M, bool>)
      return ParameterType::boolean;
    else if constexpr (std::is_same_v<M, std::int64_t>)
      return ParameterType::integer;
    else if constexpr (std::is_same_v<M, double>)
      return ParameterType::number;
    else if constexpr (std::is_same_v<M, std::string>)
      return ParameterType::text;
    else if constexpr (std::is_same_v<M, Path>)
      return ParameterType::path;
    else if constexpr (std::is_same_v<M, std::vector<std::int64_t>>)
      return ParameterType::integers;
    else if constexpr (std::is_same_v<M, std::vector<double>>)
      return ParameterType::numbers;
    else if constexpr (std::is_same_v<M, std::vector<std::string>>)
      return ParameterType::texts;
    else
      static_assert(
          !sizeof(M),
          "a parameter's member must be bool, std::int64_t, double, std::string, Path, a "
          "vector of these numbers or strings, or a unique_ptr to a component interface or "
          "a Maker of one");
  }

  template <class M>
  static Value to_value(const M& member) {
    if constexpr (std::is_same_v<M, Path>)
      return member.value;
    else
      return member;
  }
  template <class M>
  static void from_value(const Value& value, M& member) {
    if constexpr (std::is_same_v<M, Path>)
      member.value = std::get<std::string>(value);
    else
      member = std::get<M>(value);
  }

  template <class Interface>
  static std::string kind_of();

  /// The kind whose interface T implements.
  static std::string kind_of_base() {
    if constexpr (std::derived_from<T, Source>)
      return "source";
    else if constexpr (std::derived_from<T, Feature>)
      return "feature";
    else if constexpr (std::derived_from<T, Normalizer>)
      return "normalizer";
    else if constexpr (std::derived_from<T, Basis>)
      return "basis";
    else if constexpr (std::derived_from<T, Similarity>)
      return "similarity";
    else if constexpr (std::derived_from<T, PairKernel>)
      return "pair_kernel";
    else if constexpr (std::derived_from<T, Pairs>)
      return "pairs";
    else if constexpr (std::derived_from<T, Solver> || std::derived_from<T, PairSolver>)
      return "solver";
    else if constexpr (std::derived_from<T, Evaluator> || std::derived_from<T, SampleEvaluator> ||
                       std::derived_from<T, PairEvaluator>)
      return "evaluator";
    else
      static_assert(!sizeof(T), "a component derives from the interface of its kind");
  }

  ComponentEntry entry_;
};

template <class T>
template <class Interface>
std::string Declaration<T>::kind_of() {
  if constexpr (std::is_same_v<Interface, Source>)
    return "source";
  else if constexpr (std::is_same_v<Interface, Feature>)
    return "feature";
  else if constexpr (std::is_same_v<Interface, Normalizer>)
    return "normalizer";
  else if constexpr (std::is_same_v<Interface, Basis>)
    return "basis";
  else if constexpr (std::is_same_v<Interface, Similarity>)
    return "similarity";
  else if constexpr (std::is_same_v<Interface, PairKernel>)
    return "pair_kernel";
  else if constexpr (std::is_same_v<Interface, Pairs>)
    return "pairs";
  else if constexpr (std::is_same_v<Interface, Solver>)
    return "solver";
  else if constexpr (std::is_same_v<Interface, Evaluator>)
    return "evaluator";
  else
    static_assert(!sizeof(Interface), "not a component interface");
}

}  // namespace semblance
