// SPDX-License-Identifier: MIT
#include "runtime/stages/row_content.hpp"

#include <algorithm>
#include <atomic>

#include "runtime/graph/scoring_node.hpp"
#include "runtime/stages/node_row_sizes.hpp"

namespace semblance {
namespace {

using Json = nlohmann::ordered_json;

std::string key_of(const NodeFacts& node) { return node.key + ".content"; }

std::optional<Json> stored(const Compilation& graph, const RunData& data, std::size_t i) {
  if (!data.store()) return std::nullopt;
  const auto found = data.store()->find(key_of(graph.facts(i)), [](const std::string&) {});
  return found ? std::optional(found->note) : std::nullopt;
}

void store(const Compilation& graph, RunData& data, std::size_t i, const Json& note) {
  data.check_files(i);
  if (!data.store()) return;
  data.guard(i, "storing the facts about its rows",
             [&] { data.store()->draft(key_of(graph.facts(i)))->commit(note); });
}

/// The name of a class as the seed of its samples' digests: the same name, the same seed.
std::vector<std::uint64_t> class_seeds(const std::vector<std::string>& classes) {
  std::vector<std::uint64_t> seeds;
  for (const auto& name : classes) seeds.push_back(digest_of(name, 1).low);
  return seeds;
}

/// For a sparse row, its columns and its values.
std::string bytes_of_row(MatrixView rows, std::size_t r) {
  const auto values = rows.row_span(r);
  std::string bytes;
  if (rows.sparse())
    bytes.assign(reinterpret_cast<const char*>(rows.columns_of(r).data()),
                 rows.columns_of(r).size_bytes());
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return bytes;
}

/// Its numbers to predict, if any.
std::string bytes_of_target(const Dataset& dataset, std::size_t row) {
  const std::size_t count = dataset.outline().targets.size();
  if (count == 0) return {};
  const auto numbers = dataset.targets().subspan(row * count, count);
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

/// Digests rows that this process can read, one per row.
void digest_rows(RunProgress& progress, RunData& data, std::size_t source, RowSpan span,
                 std::span<Digest> digests, std::atomic<bool>& stopped) {
  const Dataset& dataset = data.dataset(source);
  const RowSizes sizes = row_sizes(progress, data, source);
  const std::size_t at_once = rows_at_once(sizes.cols);
  const auto seeds = class_seeds(dataset.outline().classes);
  NodeContext context = progress.context(source);
  context.parallel_for((span.count + at_once - 1) / at_once, [&](std::size_t block) {
    if (stopped || progress.stopping()) {
      stopped = true;
      return;
    }
    const std::size_t first = span.first + block * at_once;
    FloatMatrix rows = sizes.rows(first, std::min(at_once, span.end() - first));
    data.guard(source, "reading the data", [&] { dataset.read(first, rows.view()); });
    for (std::size_t r = 0; r < rows.rows; ++r) {
      const std::int32_t label = dataset.labels()[first + r];
      digests[first + r - span.first] = digest_of(
          bytes_of_row(std::as_const(rows).view(), r) + bytes_of_target(dataset, first + r),
          label < 0 ? 0 : seeds[static_cast<std::size_t>(label)]);
    }
  });
}

/// One digest per row; nothing: stopped.
std::optional<std::vector<Digest>> digests_of(RunProgress& progress, RunData& data,
                                              std::size_t source) {
  std::vector<Digest> digests(data.dataset(source).outline().rows());
  std::atomic<bool> stopped = false;
  digest_rows(progress, data, source, {0, digests.size()}, digests, stopped);
  if (stopped) return std::nullopt;
  return digests;
}

/// The same on the first of several ranks, each of which reads its own rows; nothing on other
/// ranks. Collective.
std::vector<Digest> digests_on_first(RunProgress& progress, RunData& data, std::size_t source) {
  Ranks& ranks = progress.ranks();
  const Outline& outline = data.dataset(source).outline();
  const auto rows_of = [&](std::size_t rank) {
    return ranks.rows_of(rank, {0, outline.rows()}, outline.train_rows, outline.rows());
  };
  std::vector<std::vector<Digest>> own;
  std::atomic<bool> stopped = false;
  for (const RowSpan span : rows_of(ranks.rank())) {
    own.emplace_back(span.count);
    digest_rows(progress, data, source, span, own.back(), stopped);
  }
  ranks.meet();
  if (!ranks.first()) {
    for (const auto& piece : own) ranks.transport().send(0, std::as_bytes(std::span(piece)));
    return {};
  }
  std::vector<Digest> all(outline.rows());
  for (std::size_t rank = 0; rank < ranks.count(); ++rank) {
    std::size_t piece = 0;
    for (const RowSpan span : rows_of(rank)) {
      const std::span<Digest> to = std::span(all).subspan(span.first, span.count);
      if (rank == 0)
        std::ranges::copy(own[piece++], to.begin());
      else
        ranks.transport().receive(rank, std::as_writable_bytes(to));
    }
  }
  return all;
}

std::string in_order(std::span<const Digest> digests) {
  if (digests.empty()) return "";
  PiecewiseHash hash;
  for (const Digest& digest : digests) hash.add(digest);
  return hash.text();
}

std::string in_any_order(std::vector<Digest> digests) {
  std::ranges::sort(digests);
  return in_order(digests);
}

std::shared_ptr<const SourceContent> note_content(const Compilation& graph, RunData& data,
                                                  std::size_t source, std::vector<Digest> digests) {
  auto content = std::make_shared<SourceContent>();
  content->tested = in_order(std::span(digests).subspan(graph.facts(source).outline->train_rows));
  content->all = in_any_order(digests);
  content->digests = std::move(digests);
  store(graph, data, source, {{"tested", content->tested}, {"all", content->all}});
  return data.opened(source).content = content;
}

/// Reads all rows; nothing: stopped.
std::shared_ptr<const SourceContent> read_content(RunProgress& progress, RunData& data,
                                                  std::size_t source) {
  auto digests = digests_of(progress, data, source);
  if (!digests) return nullptr;
  return note_content(progress.graph(), data, source, *std::move(digests));
}

std::shared_ptr<const SourceContent> content_of(RunProgress& progress, RunData& data,
                                                std::size_t source) {
  if (const auto& known = data.opened(source).content) return known;
  if (const auto note = stored(progress.graph(), data, source)) {
    auto content = std::make_shared<SourceContent>();
    content->tested = note->at("tested").get<std::string>();
    content->all = note->at("all").get<std::string>();
    return data.opened(source).content = content;
  }
  return progress.stopping() ? nullptr : read_content(progress, data, source);
}

std::vector<std::string> drawn_from(const RunProgress& progress, std::size_t source,
                                    const SourceContent& content) {
  std::vector<std::string> names = {content.all};
  for (const auto& file : progress.node(source).parts.front()->files())
    for (const auto& [path, hash] : progress.journal().record().files)
      if (path == file && std::ranges::find(names, hash) == names.end()) names.push_back(hash);
  return names;
}

std::string tested_pairs(const PairSet& pairs, std::span<const Digest> digests) {
  PiecewiseHash hash;
  for (const Pair& pair : pairs.list()) {
    hash.add(digests[static_cast<std::size_t>(pair.first)]);
    hash.add(digests[static_cast<std::size_t>(pair.second)]);
    hash.add({reinterpret_cast<const char*>(&pair.label), sizeof pair.label});
  }
  return hash.text();
}

/// Adds the test pairs, and their number where they are pairs of training samples.
bool record_pairs(RunProgress& progress, RunData& data, const ScoringNode& solver,
                  RowsRecord& rows) {
  const std::size_t i = solver.facts().index, source = solver.facts().spec->origin;
  if (const auto note = stored(progress.graph(), data, i)) {
    rows.train = note->at("train").get<std::size_t>();
    rows.test = note->at("test").get<std::size_t>();
    rows.tested = note->at("tested").get<std::string>();
    return true;
  }
  if (progress.stopping()) return false;
  auto content = data.opened(source).content;
  if (!content || content->digests.empty()) content = read_content(progress, data, source);
  if (!content) return false;
  const PairSet& tested = *solver.tested_pairs();
  if (rows.test == 0) {
    rows.test = tested.size();
    // They are not chosen again where nothing learns from them: then as few count as are tested,
    // which is on the safe side.
    const std::size_t trained = solver.trained_pairs(progress.graph());
    rows.train = trained > 0 ? trained : rows.test;
  }
  rows.tested = tested.size() > 0 ? tested_pairs(tested, content->digests) : std::string();
  store(progress.graph(), data, i,
        {{"train", rows.train}, {"test", rows.test}, {"tested", rows.tested}});
  return true;
}

}  // namespace

namespace {

/// Whether all rows must be read to identify what solver i was tested on.
bool must_read_rows(const Compilation& graph, const RunData& data, std::size_t i) {
  const std::size_t source = graph.facts(i).spec->origin;
  const auto& content = data.opened(source).content;
  if (graph.node(i).scoring()->tested_pairs())
    return (!content || content->digests.empty()) && !stored(graph, data, i);
  return !content && !stored(graph, data, source);
}

}  // namespace

void share_row_content(RunProgress& progress, RunData& data, std::size_t i) {
  const std::size_t source = progress.facts(i).spec->origin;
  if (!progress.ranks().together() || progress.facts(source).spec->fold.count > 0) return;
  const bool needed = progress.ranks().first() && must_read_rows(progress.graph(), data, i);
  if (progress.ranks().from_first(needed ? "yes" : "").empty() || progress.stopping()) return;
  auto digests = digests_on_first(progress, data, source);
  if (progress.ranks().first() && !progress.stopping())
    note_content(progress.graph(), data, source, std::move(digests));
}

std::optional<RowsRecord> rows_of_solver(RunProgress& progress, RunData& data, std::size_t i) {
  if (!progress.ranks().first()) return std::nullopt;
  const Node& node = progress.node(i);
  const std::size_t source = node.facts().spec->origin;
  RowsRecord rows{node.facts().outline->train_rows, node.facts().outline->test_rows, "", {}};
  const Fold& fold = progress.facts(source).spec->fold;
  if (fold.count > 0 && !fold.repeat) return rows;
  const auto content = content_of(progress, data, source);
  if (!content) return std::nullopt;
  rows.tested = content->tested;
  const auto& groups = node.scoring()->test_groups;
  if (std::ranges::any_of(groups, [](std::int32_t group) { return group >= 0; }))
    rows.groups = groups;
  rows.drawn_from = drawn_from(progress, source, *content);
  if (node.scoring()->tested_pairs() && !record_pairs(progress, data, *node.scoring(), rows))
    return std::nullopt;
  return rows;
}

}  // namespace semblance
