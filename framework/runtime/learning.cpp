// SPDX-License-Identifier: MIT
#include "runtime/learning.hpp"

#include <algorithm>

#include "runtime/constant_columns.hpp"
#include "runtime/judging.hpp"
#include "runtime/pair_learning.hpp"
#include "runtime/state_files.hpp"
#include "runtime/training_sets.hpp"
#include "support/json_text.hpp"

namespace semblance {
namespace {

/// Whether all training rows of node i can be visited several times: kept, or cheap to compute.
bool can_visit(const Session& session, std::size_t i) {
  const auto& node = session.node(i);
  if (session.plan.nodes[i].keep) return session.runs[i]->rows_ready;
  if (!session.runs[i]->ready) return false;
  return std::ranges::all_of(node.inputs, [&](std::size_t in) { return can_visit(session, in); });
}

void fit(Session& session, std::size_t i) {
  const auto& node = session.node(i);
  for (std::size_t p = 0; p < node.inputs.size(); ++p) {
    const auto rows = training_rows(session, node.inputs[p]);
    NodeContext context = session.context(i);
    node.as<Normalizer>(p).fit(training_set(session, node.inputs[p], *rows), context);
  }
}

void select(Session& session, std::size_t i) {
  const auto& node = session.node(i);
  const auto rows = training_rows(session, node.inputs[0]);
  NodeContext context = session.context(i);
  auto& basis = session.runs[i]->basis;
  basis = node.as<Basis>().select(training_set(session, node.inputs[0], *rows), context);
  const auto train = static_cast<std::int64_t>(node.outline->train_rows);
  auto sorted = basis;
  std::ranges::sort(sorted);
  if (basis.size() !=
      node.as<Basis>().count(node.outline->train_rows, node.outline->classes.size()))
    throw Error("it chose " + std::to_string(basis.size()) + " bases, not the number it announced");
  if (std::ranges::adjacent_find(sorted) != sorted.end() ||
      (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= train)))
    throw Error("it chose a row twice, or one that is no training row");
  session.runs[i]->record.metrics["bases"] = basis.size();
}

void set_bases(Session& session, std::size_t i) {
  const auto& node = session.node(i);
  const auto& basis = session.runs[*node.bases]->basis;
  const std::size_t input = node.inputs[0];
  FloatMatrix bases(basis.size(), session.node(input).output.size());
  NodeContext context = session.context(i);
  context.parallel_for(basis.size(), [&](std::size_t b) {
    pull(session, input, static_cast<std::size_t>(basis[b]), bases.view().rows_range(b, 1));
  });
  const auto numbers = session.row_numbers(i);
  std::vector<std::int64_t> numbered = basis;
  if (!numbers.empty())
    for (auto& row : numbered) row = numbers[static_cast<std::size_t>(row)];
  node.as<Similarity>().set_bases(std::as_const(bases).view(), numbered, context);
}

/// Whether nothing but normalizers is between a source of vectors and node i.
bool takes_columns_of_source(const Session& session, std::size_t i) {
  const auto& node = session.node(i);
  if (node.kind == NodeKind::source) return node.output.kind == LayoutKind::vector;
  return node.kind == NodeKind::normalizer && node.inputs.size() == 1 &&
         takes_columns_of_source(session, node.inputs[0]);
}

/// Says once for each source which of its columns are constant, where a solver learns from them.
/// Maps and pictures may have such columns (the corners of digits), and nobody chose these.
void remark_on_constant_columns(Session& session, std::size_t i) {
  const auto& node = session.node(i);
  const auto& rows = *session.runs[i]->training;
  const std::size_t source = node.spec->origin;
  const auto& outline = *node.outline;
  if (node.inputs.size() != 1 || !takes_columns_of_source(session, node.inputs[0]) ||
      rows.cols() != outline.layout.size() || session.runs[source]->columns_told.exchange(true))
    return;
  const auto constant = constant_columns(rows);
  if (constant.empty()) return;
  session.log(LogLevel::warning, session.node(source).name() + ": " +
                                     constant_columns_text(constant, rows.cols(), outline.columns));
}

void train(Session& session, std::size_t i) {
  const auto& node = session.node(i);
  auto& run = *session.runs[i];
  NodeContext context = session.context(i);
  RecordingReport report(run.record);
  const Layout layout = node.inputs.size() == 1 ? session.node(node.inputs[0]).output
                                                : Layout::vector(run.training->cols());
  const auto widths = input_widths(session, i);
  const auto names = input_names(session, i);
  TrainingSet training{*run.training, layout, session.training_labels(i), node.outline->classes};
  training.widths = widths;
  training.inputs = names;
  training.row_numbers = session.row_numbers(i);
  remark_on_constant_columns(session, i);
  node.as<Solver>().train(training, report, context);
  run.training.reset();
}

void evaluate(Session& session, std::size_t i) {
  RecordingReport report(session.runs[i]->record);
  judge(session, i, report);
}

/// Whether the folds of a cross-validation have judged all pairs, so that none are left to test.
bool has_no_pairs_left(const Session& session, std::size_t i) {
  const auto& node = session.node(i);
  return session.cross_validated && node.judges_pairs() &&
         std::ranges::all_of(node.inputs, [&](std::size_t solver) {
           return session.runs[solver]->test_pairs.size() == 0;
         });
}

/// Whether the node's learning takes labels, or rows that are not kept.
bool looks_at_data(const Session& session, std::size_t i) {
  const auto& node = session.node(i);
  if (node.kind == NodeKind::similarity) return !session.runs[node.inputs[0]]->rows_ready;
  return node.kind != NodeKind::evaluator || node.judges_samples();
}

const char* phase_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::normalizer:
      return "fitting";
    case NodeKind::basis:
      return "selecting bases";
    case NodeKind::similarity:
      return "preparing the bases";
    case NodeKind::pairs:
      return "choosing pairs";
    case NodeKind::solver:
    case NodeKind::pair_solver:
      return "training";
    case NodeKind::evaluator:
      return "evaluating";
    case NodeKind::source:
    case NodeKind::feature:
      break;
  }
  return "preparing";
}

/// Whether what a node learned earlier is looked at again.
bool needs_state(const Session& session, std::size_t i) {
  const auto& node = session.node(i);
  const auto& plan = session.plan.nodes[i];
  if (node.kind == NodeKind::evaluator || node.kind == NodeKind::pairs) return false;
  if (session.keeps_states) return true;
  if (node.kind == NodeKind::pair_solver) return false;  // its scores are stored
  if (plan.probed) return true;
  if (node.kind != NodeKind::basis) return session.plan.uses(i) && !plan.rows_stored;
  // Bases are looked at by the map, and by what learns from the map's rows.
  const auto learns = [&](std::size_t c) { return session.plan.nodes[c].learn; };
  return std::ranges::any_of(node.consumers, [&](std::size_t c) {
    return learns(c) || std::ranges::any_of(session.node(c).consumers, learns);
  });
}

void store_state(Session& session, std::size_t i) {
  auto draft = session.store->draft(state_key(session.node(i)));
  const NodeKind kind = session.node(i).kind;
  if (kind != NodeKind::evaluator && kind != NodeKind::pairs)
    save_state(session, i, draft->folder());
  if (kind == NodeKind::pair_solver) save_pair_scores(session, i, draft->folder());
  auto note = report_to_json(session.runs[i]->record);
  note["measured"] = measured_json(session.measured_now());
  draft->commit(note);
}

}  // namespace

bool can_stream(const Session& session, std::size_t i) {
  if (session.runs[i]->rows_ready) return true;
  if (!session.runs[i]->ready) return false;
  return std::ranges::all_of(session.node(i).inputs,
                             [&](std::size_t in) { return can_stream(session, in); });
}

bool can_learn(const Session& session, std::size_t i) {
  const auto& node = session.node(i);
  const auto visit = [&](std::size_t in) { return can_visit(session, in); };
  switch (node.kind) {
    case NodeKind::normalizer:
      return std::ranges::all_of(node.inputs, visit);
    case NodeKind::basis:
      return !node.as<Basis>().uses_rows() || visit(node.inputs[0]);
    case NodeKind::similarity:
      return session.runs[*node.bases]->ready && can_stream(session, node.inputs[0]);
    case NodeKind::solver:
      return session.runs[i]->training != nullptr;
    case NodeKind::pair_solver:
      return session.runs[i]->training != nullptr && session.runs[*node.pairs]->ready;
    case NodeKind::evaluator:
      if (node.judges_samples()) return visit(node.inputs[0]);
      return std::ranges::all_of(node.inputs,
                                 [&](std::size_t in) { return session.runs[in]->rows_ready; });
    case NodeKind::pairs:
    case NodeKind::source:
    case NodeKind::feature:
      break;
  }
  return true;
}

void learn(Session& session, std::size_t i) {
  const auto& node = session.node(i);
  if (has_no_pairs_left(session, i)) return session.judged_before(i);
  session.started(i);
  // Opened here, so that the time for reading it counts as the source's.
  if (looks_at_data(session, i)) session.dataset(i);
  const auto start = Trace::Clock::now();
  session.guard(i, phase_of(node.kind), [&] {
    switch (node.kind) {
      case NodeKind::normalizer:
        fit(session, i);
        break;
      case NodeKind::basis:
        select(session, i);
        break;
      case NodeKind::similarity:
        set_bases(session, i);
        break;
      case NodeKind::pairs:
        choose_pairs(session, i);
        break;
      case NodeKind::solver:
        train(session, i);
        break;
      case NodeKind::pair_solver: {
        RecordingReport report(session.runs[i]->record);
        train_on_pairs(session, i, report);
        break;
      }
      case NodeKind::evaluator:
        evaluate(session, i);
        break;
      case NodeKind::source:
      case NodeKind::feature:
        break;
    }
  });
  const auto end = Trace::Clock::now();
  session.trace.record(session.trace.label(node.name(), phase_of(node.kind)), Trace::no_row, start,
                       end);
  session.runs[i]->busy_nanoseconds += std::chrono::nanoseconds(end - start).count();
  session.runs[i]->ready = true;
  // A solver that was stopped has its best model so far: good to save, not to be believed later.
  if (session.store && !session.stopping())
    session.guard(i, "storing what it learned", [&] { store_state(session, i); });
}

void save_state(const Session& session, std::size_t i, const std::filesystem::path& folder) {
  const auto& node = session.node(i);
  if (node.kind == NodeKind::basis) {
    StateFolderWriter writer(folder / "part_0");
    writer.integers("indices", session.runs[i]->basis);
    return writer.finish();
  }
  for (std::size_t p = 0; p < node.parts.size(); ++p) {
    StateFolderWriter writer(folder / ("part_" + std::to_string(p)));
    if (node.kind == NodeKind::pair_solver)
      node.as<PairSolver>(p).save(writer);
    else
      node.as<Transform>(p).save(writer);
    writer.finish();
  }
}

namespace {

/// A map's width is noted beside its state: both must say the same, for rows of that width are
/// written. What other components learned does not change how many values they give.
void check_bases(const CompiledNode& map) {
  const std::size_t given = map.as<Similarity>().bases(), expected = map.output.size();
  if (given != expected)
    throw Error("what it learned gives " + std::to_string(given) + " values a row, not the " +
                std::to_string(expected) + " that the pipeline expects; train it again");
}

}  // namespace

void load_state(Session& session, std::size_t i, const std::filesystem::path& folder) {
  const auto& node = session.node(i);
  if (node.kind == NodeKind::basis) {
    session.runs[i]->basis = StateFolderReader(folder / "part_0").integers("indices");
  } else {
    for (std::size_t p = 0; p < node.parts.size(); ++p) {
      const StateFolderReader reader(folder / ("part_" + std::to_string(p)));
      NodeContext context = session.context(i);
      if (node.kind == NodeKind::pair_solver) {
        node.as<PairSolver>(p).load(reader, context);
      } else {
        node.as<Transform>(p).load(reader, context);
        if (node.kind == NodeKind::similarity) check_bases(node);
      }
    }
  }
  session.runs[i]->ready = true;
}

void restore(Session& session, std::size_t i) {
  session.guard(i, "reading what it learned from the store", [&] {
    const auto folder = session.store->folder() / "artifacts" / state_key(session.node(i));
    const auto index = parse_json(read_whole_file(folder / "artifact.json"));
    auto& record = session.runs[i]->record;
    report_from_json(index.at("note"), record);
    record.measured = measured_from_json(index.at("note").at("measured"));
    session.taken_from_store(i, *record.measured);
    if (needs_state(session, i)) load_state(session, i, folder);
    if (session.node(i).kind == NodeKind::pair_solver) load_pair_scores(session, i, folder);
    session.runs[i]->ready = true;
  });
}

}  // namespace semblance
