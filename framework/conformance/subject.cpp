// SPDX-License-Identifier: MIT
#include "conformance/subject.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "registry/plugin_library.hpp"
#include "semblance/number_or_word.hpp"

namespace semblance::conformance {

namespace {

/// Beyond this value, a limit is only tested by creating the component: that many rows or
/// iterations take too long.
constexpr double light = 100;

ComponentConfig defaults_of(const ComponentInfo& info, const Catalogue& catalogue,
                            const std::map<std::string, Value>& given) {
  ComponentConfig config{info.id, {}, {}};
  for (const ParameterInfo& p : info.parameters) {
    if (p.type == ParameterType::component) {
      if (p.default_component.empty()) {
        if (p.optional) continue;
        throw NotApplicable("its parameter '" + p.name + "' has no default component");
      }
      const auto* entry = catalogue.find(p.default_component);
      if (!entry)
        throw Failed("the default of '" + p.name + "', " + p.default_component +
                     ", is in no plugin that was found");
      config.parts.push_back({p.name, defaults_of(entry->info, catalogue, {})});
      continue;
    }
    const auto found = given.find(p.name);
    if (found == given.end() && p.required)
      throw NotApplicable("its parameter '" + p.name + "' must be set: --set " + info.id + "." +
                          p.name + "=VALUE");
    config.values.emplace_back(p.name, found == given.end() ? p.fallback : found->second);
  }
  return config;
}

Value number_of(const ParameterInfo& p, double x) {
  const auto whole = static_cast<std::int64_t>(x);
  switch (p.type) {
    case ParameterType::integer:
      return whole;
    case ParameterType::number:
      return x;
    case ParameterType::integers:
      return std::vector<std::int64_t>{whole};
    default:
      return std::vector<double>{x};
  }
}

bool is_integer(const ParameterInfo& p) {
  return p.type == ParameterType::integer || p.type == ParameterType::integers;
}

/// The smallest and largest useful values in the range.
std::vector<double> limits(const ParameterInfo& p) {
  const auto step = [&](double x) {
    return is_integer(p) ? 1.0 : 1e-6 * std::max(1.0, std::abs(x));
  };
  std::vector<double> found;
  const Interval& range = p.interval;
  if (std::isfinite(range.low)) found.push_back(range.low + (range.low_open ? step(range.low) : 0));
  if (std::isfinite(range.high))
    found.push_back(range.high - (range.high_open ? step(range.high) : 0));
  return found;
}

std::vector<Value> values_to_try(const ParameterInfo& p) {
  std::vector<Value> values;
  switch (p.type) {
    case ParameterType::boolean:
      return {false, true};
    case ParameterType::text:
      for (const auto& choice : p.choices) values.emplace_back(choice);
      if (is_number_or_word(p))
        for (const double limit : limits(p)) values.emplace_back(limit);
      return values;
    case ParameterType::texts:
      for (const auto& choice : p.choices) values.emplace_back(std::vector<std::string>{choice});
      return values;
    case ParameterType::integer:
    case ParameterType::number:
    case ParameterType::integers:
    case ParameterType::numbers:
      for (const double limit : limits(p)) values.push_back(number_of(p, limit));
      return values;
    case ParameterType::path:
    case ParameterType::mapping:
    case ParameterType::component:
      break;
  }
  return values;
}

bool is_heavy(const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole && std::abs(static_cast<double>(*whole)) > light;
}

std::string first_line_that_differs(const std::string& one, const std::string& other) {
  const auto [at, in_other] = std::ranges::mismatch(one, other);
  const auto begin = one.rfind('\n', static_cast<std::size_t>(at - one.begin()));
  const auto first = begin == std::string::npos ? 0 : begin + 1;
  std::string line = one.substr(first, one.find('\n', first) - first);
  constexpr std::size_t most = 80;
  if (line.size() > most) line = line.substr(0, most) + "...";
  return line;
}

}  // namespace

Subject::Subject(const ComponentEntry& entry, const Catalogue& catalogue,
                 std::map<std::string, Value> given)
    : entry_(entry), catalogue_(catalogue), given_(std::move(given)) {
  for (const auto& [name, value] : given_) {
    const ParameterInfo* parameter = info().parameter(name);
    if (!parameter) throw Error(info().id + " has no parameter '" + name + "'");
    if (const auto problem = parameter->check(value)) throw Error(info().id + ": " + *problem);
  }
}

ComponentConfig Subject::config() const {
  ComponentConfig config = defaults_of(info(), catalogue_, given_);
  const bool takes_files = std::ranges::any_of(
      info().parameters, [](const ParameterInfo& p) { return p.type == ParameterType::path; });
  if (!takes_files) return config;
  try {
    create(config);
  } catch (const Error& problem) {
    throw NotApplicable(std::string("it needs files (--set ") + info().id +
                        ".PARAMETER=VALUE names them): " + problem.what());
  }
  return config;
}

std::vector<Variation> Subject::variations() const {
  const ComponentConfig usual = config();
  std::vector<Variation> all;
  for (const ParameterInfo& p : info().parameters)
    for (const Value& value : values_to_try(p)) {
      Variation variation{p.name + " = " + to_text(value), usual, is_heavy(value)};
      for (auto& [name, current] : variation.config.values)
        if (name == p.name) current = value;
      all.push_back(std::move(variation));
    }
  return all;
}

std::unique_ptr<Component> Subject::create(const ComponentConfig& config) const {
  return create_component(entry_, config, catalogue_);
}

void TrialContext::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::vector<std::size_t> order;
  switch (order_) {
    case WorkOrder::any:
      return TestContext::parallel_for(count, body);
    case WorkOrder::delayed:
      return TestContext::parallel_for(count, [&](std::size_t i) {
        delay(i);
        body(i);
        delay(i + 1);
      });
    case WorkOrder::reversed:
      for (std::size_t i = count; i-- > 0;) body(i);
      return;
    case WorkOrder::shuffled:
      order.resize(count);
      std::iota(order.begin(), order.end(), std::size_t{0});
      Random random(count);
      for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      for (const std::size_t i : order) body(i);
  }
}

/// Lets every third of the first pieces wait, so that the others overtake it.
void TrialContext::delay(std::size_t i) {
  constexpr int most = 200;
  if (i % 3 == 0 && delays_++ < most) std::this_thread::sleep_for(std::chrono::microseconds(200));
}

std::string difference(const Outcome& one, const Outcome& other) {
  if (one.text != other.text)
    return "'" + first_line_that_differs(one.text, other.text) + "' became '" +
           first_line_that_differs(other.text, one.text) + "'";
  if (one.values.size() != other.values.size())
    return std::to_string(one.values.size()) + " values became " +
           std::to_string(other.values.size());
  std::size_t different = 0, first = 0;
  for (std::size_t i = one.values.size(); i-- > 0;)
    if (std::bit_cast<std::uint32_t>(one.values[i]) !=
        std::bit_cast<std::uint32_t>(other.values[i])) {
      ++different;
      first = i;
    }
  if (different == 0) return "";
  return std::to_string(different) + " of " + std::to_string(one.values.size()) +
         " values differ; the first was " + to_text(Value(double(one.values[first]))) +
         " and became " + to_text(Value(double(other.values[first])));
}

}  // namespace semblance::conformance
