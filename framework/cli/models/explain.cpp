// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "cli/models/applied_model.hpp"
#include "cli/pipeline_options.hpp"
#include "cli/verb.hpp"
#include "report/drawings/explanation_json.hpp"
#include "report/metrics.hpp"
#include "runtime/explain/explained_rows.hpp"
#include "runtime/explain/given_samples.hpp"
#include "runtime/results/predict.hpp"
#include "runtime/services/crash_report.hpp"
#include "runtime/services/run_context.hpp"
#include "runtime/session/session.hpp"
#include "support/json_text.hpp"
#include "support/safe_text.hpp"

namespace semblance::cli {
namespace {

/// What the command line wants explained.
struct Explained {
  std::string node;
  std::vector<std::string> rows;
  std::size_t top = 5;
  std::size_t background = 50;
  ExplainOptions options = {};
  bool json = false;
};

std::size_t positive_option(const options::variables_map& values, const char* name) {
  const int given = values[name].as<int>();
  if (given < 1) throw UsageError(fmt::format("--{} must be at least 1, got {}", name, given));
  return static_cast<std::size_t>(given);
}

Explained explained_of(const options::variables_map& values) {
  Explained request;
  request.node = option_text(values, "node");
  request.rows = option_texts(values, "row");
  request.top = positive_option(values, "top");
  request.background = positive_option(values, "background");
  request.options.of_class = option_text(values, "class");
  request.options.target = option_text(values, "target");
  request.json = values.count("json") > 0;
  return request;
}

/// A sample that is explained, or an example.
std::string sample_text(std::int64_t number, const std::string& name) {
  const std::string row = fmt::format("row {}", number);
  return name.empty() ? row : fmt::format("{} ({})", row, name);
}

std::string example_text(const ExampleTerm& term, const Explanation& explanation) {
  std::string text = term.number ? sample_text(*term.number, term.name)
                     : term.row  ? fmt::format("training sample {}", *term.row)
                                 : fmt::format("vector {}", term.basis);
  const std::string& first = explanation.examples.front().map;
  if (std::ranges::any_of(explanation.examples,
                          [&](const auto& each) { return each.map != first; }))
    text += " in " + term.map;
  return term.of_class.empty() ? text : text + ", " + term.of_class;
}

void print_terms(const std::vector<ExampleTerm>& terms, const std::string& heading,
                 const Explanation& explanation) {
  if (terms.empty()) return;
  std::size_t width = heading.size();
  std::vector<std::string> texts;
  for (const ExampleTerm& term : terms) {
    texts.push_back(safe_text(example_text(term, explanation)));
    width = std::max(width, texts.back().size());
  }
  fmt::print("  {:{}}  contribution  similarity      weight\n", safe_text(heading), width);
  for (std::size_t i = 0; i < terms.size(); ++i)
    fmt::print("  {:{}}  {:>+12.4g}  {:>10.4g}  {:>+10.4g}\n", texts[i], width,
               terms[i].contribution, terms[i].similarity, terms[i].weight);
}

void print_examples(const Explanation& made, std::size_t top) {
  const ShownExamples shown = shown_examples(made, top);
  const bool classes = !made.against.empty();
  print_terms(shown.plus, classes ? fmt::format("for '{}'", made.explained) : "raise it", made);
  print_terms(shown.minus, classes ? fmt::format("for '{}'", made.against) : "lower it", made);
  if (shown.others == 0) return;
  fmt::print("  {} other example{}: {:+.4g}\n", shown.others, shown.others == 1 ? "" : "s",
             shown.others_contribution);
}

/// `compared`: the samples that shares compare with, "training" or "of the".
void print_shares(const Explanation& made, std::size_t top, const char* compared) {
  if (made.method == ShareMethod::none) {
    fmt::print("no shares of columns: {}\n", made.no_shares);
    return;
  }
  const bool sampled = made.method == ShareMethod::sampled;
  fmt::print("shares ({} Shapley values; {} {} samples have {:.4g} on average):\n",
             sampled ? "sampled" : "exact", made.background, compared, made.expected);
  std::vector<PartShare> shares = made.shares;
  std::ranges::stable_sort(shares, [](const PartShare& a, const PartShare& b) {
    return std::abs(a.share) > std::abs(b.share);
  });
  const std::size_t shown = std::min(shares.size(), 2 * top);
  std::size_t width = 0;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < shown; ++i) {
    texts.push_back(safe_text(shares[i].value
                                  ? fmt::format("{} = {:.6g}", shares[i].name, *shares[i].value)
                                  : shares[i].name));
    width = std::max(width, texts.back().size());
  }
  for (std::size_t i = 0; i < shown; ++i)
    fmt::print("  {:{}}  {:>+10.4g}{}\n", texts[i], width, shares[i].share,
               sampled ? fmt::format(" +- {:.2g}", shares[i].error) : "");
  double rest = 0;
  for (std::size_t i = shown; i < shares.size(); ++i) rest += shares[i].share;
  if (shown < shares.size()) fmt::print("  {} others: {:+.4g}\n", shares.size() - shown, rest);
}

void print_explanation(const Explanation& made, const std::string& sample, const Explained& request,
                       const char* compared) {
  std::string text = sample + ": ";
  if (!made.predicted.empty()) text += fmt::format("predicted '{}'; ", made.predicted);
  text += made.against.empty() ? fmt::format("'{}'", made.explained)
                               : fmt::format("'{}' against '{}'", made.explained, made.against);
  fmt::print("{}: {} {:.6g}", safe_text(text), made.difference ? "scores differ by" : "value",
             made.value);
  if (!made.examples.empty())
    fmt::print(" = bias {:.6g} {:+.6g} of {} examples", made.bias, made.value - made.bias,
               made.examples.size());
  fmt::print("\n");
  print_examples(made, request.top);
  print_shares(made, request.top, compared);
}

/// A sample that is alone needs no name.
std::vector<std::size_t> positions_of(const Dataset& data, const Explained& request) {
  if (request.rows.empty() && data.outline().rows() == 1) return {0};
  if (request.rows.empty())
    throw UsageError(fmt::format(
        "name the samples to explain with --row, as in --row 0 for the first; there are {}",
        data.outline().rows()));
  std::vector<std::size_t> positions;
  for (const std::string& row : request.rows) {
    const std::vector<std::size_t> found = samples_called(data, row);
    if (found.empty())
      throw UsageError(fmt::format(
          "the data have no sample '{}'; a sample is named by its number in the data, from 0, or "
          "by its name, and there are {}",
          row, data.outline().rows()));
    positions.push_back(found.front());
    if (found.size() > 1)
      fmt::print(stderr,
                 "warning: {} samples have the number or the name '{}', and row {} is explained; "
                 "for another, give its number\n",
                 found.size(), safe_text(row), data.number(found.front()));
  }
  return positions;
}

void add_explain_options(options::options_description& described) {
  described.add_options()(
      "row", takes<Texts>("N"),
      "the sample to explain: its number in the data, counted from 0, or its name; may be given "
      "several times; data of one sample need none")(
      "top", takes<int>("K")->default_value(5),
      "the most examples to show for and against, and twice as many columns")(
      "class", takes("NAME"), "the class to explain (default: the predicted one)")(
      "target", takes("NAME"), "the number to explain, if several are predicted")(
      "node", takes("NODE"), "the solver to explain, if there are several")(
      "background", takes<int>("N")->default_value(50),
      "the most samples that shares of columns compare with")("json",
                                                              "print the explanations as JSON");
  add_computing_options(described);
}

/// Some of the training samples of the model, which a new sample that is alone is compared with.
std::optional<FloatMatrix> own_samples(const Applied& own, const Catalogue& catalogue,
                                       const RunOptions& settings, const Explained& request) {
  Session session(*own.pipeline, catalogue, settings, RunPurpose{.judged_elsewhere = true},
                  &own.model.shapes);
  std::optional<FloatMatrix> samples;
  session.execute([&] {
    session.check_same_data(own.model.contents);
    const std::size_t machine = explained_machine(session.graph(), request.node);
    const Dataset& data = session.data().dataset(machine);
    samples = samples_at(data, background_samples(data.outline(), request.background,
                                                  session.graph().facts(machine).spec->seed));
  });
  return samples;
}

void explain_rows(Session& session, const Explained& request,
                  const std::function<std::optional<FloatMatrix>()>& own_samples) {
  RunProgress& progress = session.progress();
  const std::size_t machine = explained_machine(session.graph(), request.node);
  const Dataset& data = session.data().dataset(machine);
  const NodeFacts& node = progress.facts(machine);
  const bool training = !progress.facts(node.spec->origin).new_data;
  const std::vector<std::size_t> positions = positions_of(data, request);
  std::optional<FloatMatrix> own;
  if (!training && data.outline().rows() == 1) own = own_samples();
  const std::vector<Explanation> made =
      explained_rows(progress, session.data(), machine, request.options, positions,
                     request.background, own ? &*own : nullptr);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (!request.json) {
      print_explanation(made[i], sample_text(data.number(positions[i]), data.name(positions[i])),
                        request, training || own ? "training" : "of the");
      continue;
    }
    nlohmann::ordered_json json = {{"row", data.number(positions[i])}};
    if (const std::string name = data.name(positions[i]); !name.empty()) json["name"] = name;
    json.update(explanation_to_json(made[i], request.top));
    list.push_back(std::move(json));
  }
  if (request.json)
    fmt::print("{}", readable_json({{"node", node.name()},
                                    {"component", node.spec->component.id},
                                    {"explanations", list}}));
}

}  // namespace

int explain_verb(const std::vector<std::string>& arguments) {
  const Verb& verb = verb_named("explain");
  options::options_description described(data_help + "\n\noptions", 100);
  add_explain_options(described);
  add_pipeline_options(described);
  const auto values = parse(verb, arguments, described, any_arguments());
  if (!values) return done;
  required_argument(*values, verb);
  const Explained request = explained_of(*values);
  const Discovery found = discover(*values);
  CheckOptions checking = check_options(*values);
  checking.needs_result = false;
  const auto given = option_texts(*values, "argument");
  const Applied what = applied_model(given.front(), {given.begin() + 1, given.end()}, checking,
                                     found.catalogue, run_options(*values).memory);
  fmt::print(stderr, "{}", what.diagnostics);
  if (!what.pipeline) return wrong_usage;
  stop_on_interrupt();
  report_crashes();
  RunOptions settings = run_options(*values);
  settings.out.clear();
  settings.use_cache = false;
  settings.quiet = true;
  Session session(*what.pipeline, found.catalogue, settings, RunPurpose{.judged_elsewhere = true},
                  &what.model.shapes);
  session.execute([&] {
    restore_model(session, what.model);
    session.check_same_data(what.model.contents);
    explain_rows(session, request, [&]() -> std::optional<FloatMatrix> {
      CheckOptions plain = checking;
      plain.overrides.clear();
      plain.seed.reset();
      Applied own = applied_model(given.front(), {}, plain, found.catalogue, settings.memory);
      try {
        if (own.pipeline) return own_samples(own, found.catalogue, settings, request);
      } catch (const Error& problem) {
        own.diagnostics = problem.what() + std::string("\n");
      }
      fmt::print(stderr,
                 "note: a single sample is compared with the model's training samples, but these "
                 "cannot be read:\n{}",
                 own.diagnostics);
      return std::nullopt;
    });
  });
  return done;
}

}  // namespace semblance::cli
