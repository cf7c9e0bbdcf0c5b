// SPDX-License-Identifier: MIT
#include "semblance/declaration.hpp"

#include <algorithm>
#include <cmath>

#include "semblance/calibrator.hpp"
#include "semblance/kind.hpp"
#include "semblance/number_or_word.hpp"

namespace semblance {
namespace {

template <class M>
constexpr ParameterType type_of;
template <>
constexpr ParameterType type_of<bool> = ParameterType::boolean;
template <>
constexpr ParameterType type_of<std::int64_t> = ParameterType::integer;
template <>
constexpr ParameterType type_of<double> = ParameterType::number;
template <>
constexpr ParameterType type_of<std::string> = ParameterType::text;
template <>
constexpr ParameterType type_of<Path> = ParameterType::path;
template <>
constexpr ParameterType type_of<std::vector<std::int64_t>> = ParameterType::integers;
template <>
constexpr ParameterType type_of<std::vector<double>> = ParameterType::numbers;
template <>
constexpr ParameterType type_of<std::vector<std::string>> = ParameterType::texts;
template <>
constexpr ParameterType type_of<NamedValues> = ParameterType::mapping;

ParameterInfo named(std::string_view name, ParameterType type, std::string_view documentation) {
  ParameterInfo info;
  info.name = name;
  info.type = type;
  info.documentation = documentation;
  return info;
}

/// Whether a pipeline can write it: the id, a parameter, or one value of it.
bool is_declared(const ComponentInfo& info, const std::string& written) {
  const std::size_t colon = written.find(": ");
  const ParameterInfo* parameter = info.parameter(written.substr(0, colon));
  return written == info.id ||
         (parameter && (colon == std::string::npos || parameter->choices.empty() ||
                        std::ranges::count(parameter->choices, written.substr(colon + 2)) > 0));
}

}  // namespace

DeclarationBase::DeclarationBase(const DeclarationBase&) = default;
DeclarationBase::DeclarationBase(DeclarationBase&&) noexcept = default;
DeclarationBase& DeclarationBase::operator=(const DeclarationBase&) = default;
DeclarationBase& DeclarationBase::operator=(DeclarationBase&&) noexcept = default;
DeclarationBase::~DeclarationBase() = default;

DeclarationBase::DeclarationBase(std::string_view id, std::string_view summary,
                                 const KindInfo& kind, std::unique_ptr<Component> (*create)()) {
  entry_.info.id = id;
  entry_.info.summary = summary;
  if (entry_.info.kind() != kind.name)
    throw Error("'" + entry_.info.id +
                "' is declared by a class that derives from the interface of the kind '" +
                kind.name + "', so its id must begin with '" + kind.name + "/'");
  entry_.info.inputs = kind.inputs;
  entry_.info.output = kind.output;
  entry_.info.targets = kind.targets;
  entry_.create = create;
  // Parameters of every calibrator, applied by the runtime: see calibrator.hpp.
  if (kind.name != Calibrator::kind_info().name) return;
  const auto set = [](Component& component, const Value& value) {
    const auto number = number_given(to_text(value));
    if (number && *number != std::floor(*number))
      throw Error("'folds' is " + to_text(value) + "; give it a whole number, or leave_one_out");
    dynamic_cast<HeldOutCalibrator&>(component).folds =
        number ? static_cast<std::int64_t>(*number) : HeldOutCalibrator::leave_one_out;
  };
  add_value("folds",
            "number of folds of the training rows: the rows of each fold are scored by a model "
            "trained on all other folds, and the calibrator learns from these scores; "
            "leave_one_out: each row is scored by the solver without it, which follows from its "
            "one training where it has closed forms (solver/ridge_classifier, for example)",
            std::to_string(HeldOutCalibrator::usual_folds), set);
  constrain(choices({"leave_one_out"}));
  constrain(at_least(2));
  constrain(at_most(static_cast<double>(HeldOutCalibrator::most_folds)));
  const auto set_by = [](Component& component, const Value& value) {
    assign(value, dynamic_cast<HeldOutCalibrator&>(component).folds_by);
  };
  add_value("folds_by",
            "what stays together in these folds: the rows of a group ('groups' of the source), or "
            "single rows; auto: groups if the source has some",
            std::string("auto"), set_by);
  constrain(choices({"auto", "group", "row"}));
}

ComponentEntry DeclarationBase::entry() && { return std::move(entry_); }

void DeclarationBase::add_part(std::string_view name, std::string_view documentation,
                               const KindInfo& kind,
                               std::function<void(Component&, std::unique_ptr<Component>)> set) {
  ParameterInfo info = named(name, ParameterType::component, documentation);
  info.kind = kind.name;
  entry_.info.parameters.push_back(std::move(info));
  entry_.setters.push_back({nullptr, std::move(set), nullptr});
}

void DeclarationBase::add_maker(std::string_view name, std::string_view documentation,
                                const KindInfo& kind, std::function<void(Component&, Create)> set) {
  ParameterInfo info = named(name, ParameterType::component, documentation);
  info.kind = kind.name;
  entry_.info.parameters.push_back(std::move(info));
  entry_.setters.push_back({nullptr, nullptr, std::move(set)});
}

template <class M>
void DeclarationBase::add_value(std::string_view name, std::string_view documentation,
                                const M& fallback,
                                std::function<void(Component&, const Value&)> set) {
  ParameterInfo info = named(name, type_of<M>, documentation);
  if constexpr (std::is_same_v<M, Path>)
    info.fallback = fallback.value;
  else
    info.fallback = fallback;
  entry_.info.parameters.push_back(std::move(info));
  entry_.setters.push_back({std::move(set), nullptr, nullptr});
}

template <class M>
void DeclarationBase::assign(const Value& value, M& member) {
  if constexpr (std::is_same_v<M, Path>)
    member.value = std::get<std::string>(value);
  else if constexpr (std::is_same_v<M, std::string>)
    member = to_text(value);  // of a parameter that is a number or a word, see number_or_word.hpp
  else
    member = std::get<M>(value);
}

#define SEMBLANCE_VALUE(M)                                                                 \
  template void DeclarationBase::add_value(std::string_view, std::string_view, const M&,   \
                                           std::function<void(Component&, const Value&)>); \
  template void DeclarationBase::assign(const Value&, M&);
SEMBLANCE_VALUE(bool)
SEMBLANCE_VALUE(std::int64_t)
SEMBLANCE_VALUE(double)
SEMBLANCE_VALUE(std::string)
SEMBLANCE_VALUE(Path)
SEMBLANCE_VALUE(std::vector<std::int64_t>)
SEMBLANCE_VALUE(std::vector<double>)
SEMBLANCE_VALUE(std::vector<std::string>)
SEMBLANCE_VALUE(NamedValues)
#undef SEMBLANCE_VALUE

void DeclarationBase::constrain(const Constraint& constraint) {
  ParameterInfo& info = entry_.info.parameters.back();
  constraint(info);
  if (const auto* text = std::get_if<std::string>(&info.fallback); text && is_number_or_word(info))
    if (const auto number = number_given(*text)) info.fallback = *number;
}

void DeclarationBase::add_figure(FigureInfo figure) {
  entry_.info.figures.push_back(std::move(figure));
}

void DeclarationBase::accept(std::vector<LayoutKind> layouts) {
  entry_.info.inputs.at(0).layouts = std::move(layouts);
}

void DeclarationBase::give(std::vector<LayoutKind> layouts) {
  entry_.info.output.value().layouts = std::move(layouts);
}

void DeclarationBase::accept_where(LayoutsWhere where) {
  entry_.info.inputs.at(0).layouts_where.push_back(std::move(where));
}

void DeclarationBase::give_where(LayoutsWhere where) {
  entry_.info.output.value().layouts_where.push_back(std::move(where));
}

void DeclarationBase::add_former(FormerName name, bool gone) {
  name.gone = gone;
  const ComponentInfo& info = entry_.info;
  const bool is_id = name.written.find('/') < name.written.find(": ");
  const bool read = name.instead.empty() ? is_id || is_declared(info, name.written) || gone
                                         : is_declared(info, name.instead);
  if (!read || (name.instead.empty() && name.advice.empty() && !is_id))
    throw Error("'" + name.written + "' of " + info.id + " " + name.state() +
                ", but nothing declared takes its place: declare parameters first, and say what "
                "to write instead, or advice");
  entry_.info.former.push_back(std::move(name));
}

}  // namespace semblance
