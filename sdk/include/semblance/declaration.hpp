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
#include "semblance/declaration_base.hpp"

namespace semblance {

/// A parameter that is a component, for owners that need several instances (one per fold, say).
/// Makes any number of them, all with the parameters given in the pipeline. Not thread-safe.
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

/// Declares component T once: `static Declaration<T> declare()`.
///
///     return Declaration<Rbf>("similarity/rbf", "Gaussian radial basis function exp(-gamma |b -
///     x|^2)")
///         .parameter("gamma", &Rbf::gamma_, "inverse squared width", above(0));
///
/// A parameter's default is the member's value in a default-constructed T. The kind's ports follow
/// from T's base class.
template <class T>
class Declaration : public DeclarationBase {
 public:
  Declaration(std::string_view id, std::string_view summary)
      : DeclarationBase(id, summary, T::kind_info(), []() -> std::unique_ptr<Component> {
          // Not at class scope: T is incomplete where it declares `declare()`.
          static_assert(std::derived_from<T, Component>);
          return std::make_unique<T>();
        }) {}

  /// A scalar, text, path, list, mapping, or component (a unique_ptr to its interface, or a Maker
  /// of it). `C` may be a base class of T.
  template <class C, class M, std::convertible_to<Constraint>... Constraints>
  requires std::derived_from<T, C> Declaration& parameter(std::string_view name, M C::*member,
                                                          std::string_view documentation,
                                                          const Constraints&... constraints) {
    if constexpr (requires(M m) { typename M::element_type; }) {
      using Interface = typename M::element_type;
      add_part(name, documentation, Interface::kind_info(),
               [member](Component& c, std::unique_ptr<Component> part) {
                 Interface& checked = dynamic_cast<Interface&>(*part);
                 part.release();
                 (static_cast<T&>(c).*member).reset(&checked);
               });
    } else if constexpr (requires(M m) { typename M::product_type; }) {
      add_maker(name, documentation, M::product_type::kind_info(),
                [member](Component& c, Create create) {
                  static_cast<T&>(c).*member = M(std::move(create));
                });
    } else {
      static_assert(is_value<M>(),
                    "a parameter's member must be bool, std::int64_t, double, std::string, Path, a "
                    "vector of these numbers or strings, NamedValues, or a unique_ptr to a "
                    "component interface or a Maker of one");
      add_value(name, documentation, prototype().*member,
                [member](Component& c, const Value& v) { assign(v, static_cast<T&>(c).*member); });
    }
    (constrain(constraints), ...);
    return *this;
  }

  /// A number that the component puts into its report, by Report::number() or integer(); undeclared
  /// numbers are refused. TABLE.COLUMN and CURVE.LABEL declare a column or an axis. These need no
  /// declaration: by default they have the unit of the figure with their name, if any.
  Declaration& reports(FigureInfo figure) {
    add_figure(std::move(figure));
    return *this;
  }
  /// Figures shared by several components. A template, so that {"name", "text"} is one figure and
  /// never the two ends of a list.
  template <std::same_as<std::vector<FigureInfo>> Figures>
  Declaration& reports(const Figures& figures) {
    for (const FigureInfo& figure : figures) reports(figure);
    return *this;
  }
  /// The layouts that the first input may have. By default these are all whose samples have one
  /// size: vectors, images and grids.
  Declaration& accepts(std::vector<LayoutKind> layouts) {
    accept(std::move(layouts));
    return *this;
  }
  /// All layouts whose samples have one size, and sparse vectors.
  Declaration& accepts_sparse() {
    accept({LayoutKind::vector, LayoutKind::image, LayoutKind::grid, LayoutKind::sparse});
    return *this;
  }
  /// Accepts only samples of one size if a parameter has this value, as written in a pipeline.
  Declaration& accepts_sparse_unless(std::string_view parameter, std::string_view value) {
    accept_where({std::string(parameter),
                  std::string(value),
                  {LayoutKind::vector, LayoutKind::image, LayoutKind::grid}});
    return *this;
  }
  /// The layout of the output if a parameter has this value.
  Declaration& gives_where(std::string_view parameter, std::string_view value, LayoutKind layout) {
    give_where({std::string(parameter), std::string(value), {layout}});
    return *this;
  }
  /// The layout of the output, if it differs from the input's.
  Declaration& gives(LayoutKind layout) {
    give({layout});
    return *this;
  }
  /// The output has one of these layouts, depending on the parameters.
  Declaration& gives(std::vector<LayoutKind> layouts) {
    give(std::move(layouts));
    return *this;
  }
  /// Paper and equation.
  Declaration& reference(std::string_view text) {
    entry_.info.reference = text;
    return *this;
  }
  Declaration& documentation(std::string_view text) {
    entry_.info.documentation = text;
    return *this;
  }
  Declaration& complexity(std::string_view text) {
    entry_.info.complexity = text;
    return *this;
  }
  /// The nodes of a small example pipeline, one per line, as below `nodes:`; may be indented.
  /// Readers of the reference copy it. It should run within a second, on a generated source unless
  /// the component itself reads files.
  Declaration& example(std::string_view nodes) {
    entry_.info.example = unindented(nodes);
    return *this;
  }
  /// The result depends on the seed.
  Declaration& random() {
    entry_.info.random = true;
    return *this;
  }
  /// For similarities: s(a, b) = s(b, a).
  Declaration& symmetric() {
    entry_.info.symmetric = true;
    return *this;
  }
  /// Each value of a sample belongs to one row of the source's data, in their order.
  Declaration& columns_are_rows() {
    entry_.info.columns_are_rows = true;
    return *this;
  }
  /// For normalizers with as many output values as input values: each stands for the same column,
  /// scaled or not, so the source's column names still apply.
  Declaration& keeps_columns() {
    entry_.info.keeps_columns = true;
    return *this;
  }
  /// The input may have missing values (NaN), which the component fills in; the output has none.
  /// Other components never get missing values (Source::keeps_missing()).
  Declaration& takes_missing() {
    entry_.info.takes_missing = true;
    return *this;
  }
  /// The kinds of targets that it learns from, if they differ from those of its kind: solvers learn
  /// from classes, regressors from numbers, and other components ignore targets. A component never
  /// gets samples with other targets.
  Declaration& learns_from(std::vector<TargetKind> targets) {
    entry_.info.targets = std::move(targets);
    return *this;
  }
  /// For solvers: it uses the weights of the samples (TrainingSet::weights). Other solvers never
  /// get samples with weights (Source::gives_weights()).
  Declaration& takes_weights() {
    entry_.info.takes_weights = true;
    return *this;
  }
  /// Cheaper to recompute than to store.
  Declaration& inexpensive() {
    entry_.info.inexpensive = true;
    return *this;
  }
  /// It can learn from rows spread over several processes. It visits only its own rows
  /// (Collectives::own(), for_each_own_block()), and sums, gathers and agrees through
  /// Context::collectives(), with the same bits for any number of processes.
  Declaration& distributed() {
    entry_.info.distributed = true;
    return *this;
  }
  /// It computes on Context::device() if there is one, with the same bits at every run on a device
  /// of that kind.
  Declaration& uses_device() {
    entry_.info.uses_device = true;
    return *this;
  }
  /// A name that went, after the parameters: `.deprecated({"sigma", "1.1", "gamma"})` lets
  /// pipelines write 'sigma' for the parameter gamma, with a warning. A MINOR later, write `gone`.
  Declaration& deprecated(FormerName name) {
    add_former(std::move(name), false);
    return *this;
  }
  /// The same words, as an error.
  Declaration& gone(FormerName name) {
    add_former(std::move(name), true);
    return *this;
  }

 private:
  static const T& prototype() {
    static const T instance;
    return instance;
  }

  template <class M>
  static constexpr bool is_value() {
    return std::is_same_v<M, bool> || std::is_same_v<M, std::int64_t> ||
           std::is_same_v<M, double> || std::is_same_v<M, std::string> || std::is_same_v<M, Path> ||
           std::is_same_v<M, std::vector<std::int64_t>> || std::is_same_v<M, std::vector<double>> ||
           std::is_same_v<M, std::vector<std::string>> || std::is_same_v<M, NamedValues>;
  }
};

}  // namespace semblance
