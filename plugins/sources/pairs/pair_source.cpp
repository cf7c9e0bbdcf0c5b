// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "files/byte_reader.hpp"
#include "pairs/pair_dataset.hpp"
#include "pairs/pair_table.hpp"
#include "rows/table_source.hpp"
#include "semblance/declaration.hpp"
#include "semblance/named_pairs.hpp"
#include "semblance_tables/text_values.hpp"

namespace semblance::sources {
namespace {

/// The samples of both sides, and their names.
struct OpenedSides {
  std::array<std::unique_ptr<Dataset>, 2> data;
  std::vector<SideSamples> names;
};

/// Pairs of samples of two sources, as a table names them.
class Pairs final : public TableSource {
 public:
  Pairs() : TableSource(Answers::columns, "none") {}

  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  bool names_pairs() const override { return true; }
  std::unique_ptr<NamedPairs> open_samples(Context& context) const override;
  bool selects_rows() const override { return false; }
  bool gives_weights() const override { return false; }
  bool gives_groups() const override { return setting_ != "new_pairs"; }
  static Declaration<Pairs> declare();

 private:
  OpenedSides open_sides(Context& context) const;
  PairFormat format() const;
  void check_table(const PairTable& table, std::size_t first, Context& context) const;
  Split split_by_sides(const PairTable& table, Context& context) const;
  /// Whose samples are the groups.
  std::size_t grouped_side(const PairTable& table) const;
  std::vector<std::int32_t> groups(const PairTable& table) const;
  void check_setting(const PairTable& table, const Split& parts, std::size_t first) const;

  std::unique_ptr<Source> first_;
  std::unique_ptr<Source> second_;
  std::string first_id_ = "1";
  std::string second_id_ = "2";
  std::string first_named_ = "names";
  std::string second_named_ = "names";
  std::string setting_ = "new_pairs";
  std::string separator_ = "auto";
  std::string header_ = "auto";
};

Declaration<Pairs> Pairs::declare() {
  Declaration<Pairs> declaration("source/pairs",
                                 "Pairs of samples of two sources, such as drugs and targets, from "
                                 "a table that names them");
  declare_text_file(declaration, "text file with one pair per line");
  declaration
      .parameter("first", &Pairs::first_,
                 "the source of the first samples; all its rows are samples, its labels and its "
                 "test rows have no meaning here")
      .parameter("second", &Pairs::second_, "the source of the second samples; the same")
      .parameter("first_id", &Pairs::first_id_,
                 "the column that says which first sample a pair has, by name or number")
      .parameter("second_id", &Pairs::second_id_,
                 "the column that says which second sample a pair has, by name or number")
      .parameter("first_named", &Pairs::first_named_,
                 "how that column names a first sample: by the name of the row in its source "
                 "('id' there), or by its position, counted from 0 or from 1",
                 choices({"names", "from_0", "from_1"}))
      .parameter("second_named", &Pairs::second_named_, "the same for the second samples",
                 choices({"names", "from_0", "from_1"}))
      .parameter("setting", &Pairs::setting_,
                 "what is new in pairs to predict: only the pair (both samples are in training "
                 "pairs), the first sample, the second sample, or both. Test pairs are drawn "
                 "accordingly, and folds keep the pairs of a sample together",
                 choices({"new_pairs", "new_first", "new_second", "both_new"}))
      .parameter(
          "separator", &Pairs::separator_,
          "field separator; auto: the comma, semicolon or tab that the first line has most of, "
          "else runs of blanks",
          choices({"auto", "comma", "semicolon", "tab", "blank"}))
      .parameter("header", &Pairs::header_,
                 "whether the first line names the columns; auto: yes if a parameter names one of "
                 "its fields",
                 choices({"auto", "present", "absent"}));
  declare_rows(declaration, {.label_column = "a column, by name or number",
                             .target_column = "the column, by name or number,"});
  return declaration.gives(LayoutKind::pair)
      .random()
      .documentation(
          "Each pair is a sample of two parts; similarity/kronecker compares pairs, "
          "solver/kronecker_ridge learns numbers of many pairs, and normalizer/parts and "
          "feature/parts transform the parts. Each sample is stored once, however many pairs it "
          "is in.\n\nThe four settings differ in what a model may know of a test pair, and their "
          "errors differ much; pairs of `test_path` or `test_rows` must be new as it says. With "
          "`new_first`, test_fraction sets first samples aside with all "
          "their pairs; folds and calibrators keep the pairs of a first sample together. "
          "`new_second` is the same for second samples. With `both_new` the fraction of the first "
          "and of the second samples is set aside: test pairs have both, training pairs neither, "
          "and pairs of one of each are dropped and counted. Folds cannot drop pairs: they keep "
          "the pairs of one sample of the side with fewer samples together, which makes their "
          "errors and their conformal coverage those of one new sample, not of two.\n\nA pair that "
          "is listed twice is an error if its labels differ, and else used once. Name the pairs' "
          "samples by `id` of their sources. New data for a model are a table of pairs; new "
          "samples come in by `--set nodes.NODE.first.path=FILE`.")
      .reference(
          "Pahikkala et al., Toward more realistic drug-target interaction predictions, "
          "Briefings in Bioinformatics 2015 (the four settings)")
      .complexity("memory: the samples of both sources once, and 48 bytes per pair")
      .example(R"(
        pairs:
          is: source/pairs
          path: affinities.csv
          first:  {is: source/csv, path: drugs.csv, label: none, id: drug}
          second: {is: source/csv, path: targets.csv, label: none, id: protein}
          first_id: drug
          second_id: protein
          target: affinity
          setting: new_first
          test_fraction: 0.25
        ridge:
          is: solver/kernel_ridge
          kernel: {is: similarity/kronecker, first: {is: similarity/rbf}, second: {is: similarity/rbf}}
          from: pairs
        test: {is: evaluator/regression, from: ridge})");
}

void Pairs::check_parameters() const {
  TableSource::check_parameters();
  for (const auto* side : {&first_, &second_})
    if (*side && (*side)->keeps_missing())
      throw Error("'" + std::string(side == &first_ ? "first" : "second") +
                  "' keeps missing values, but pairs cannot have any; let it refuse them, or fill "
                  "them in beforehand");
}

/// The names of both sides' values are those of a row, in its order; see column_names().
void split_names(const std::vector<std::string>& names, std::array<NewData*, 2> sides) {
  for (const std::string& name : names)
    for (std::size_t s = 0; s < 2; ++s) {
      const std::string prefix = s == 0 ? "first." : "second.";
      if (name.starts_with(prefix)) sides[s]->columns.push_back(name.substr(prefix.size()));
    }
}

void Pairs::apply_model(const NewData& data) {
  if (data.layout.kind != LayoutKind::pair)
    throw Error("the model knows rows that are each a " + describe(data.layout) + ", not pairs");
  TableSource::apply_model(data);
  NewData first{"", data.layout.parts.at(0), {}, {}, {}, {}};
  NewData second{"", data.layout.parts.at(1), {}, {}, {}, {}};
  split_names(data.columns, {&first, &second});
  first_->apply_model(first);
  second_->apply_model(second);
}

PairFormat Pairs::format() const {
  PairFormat format;
  name_facts(format);
  format.separator = separator_;
  format.header = header_;
  format.ids = {first_id_, second_id_};
  if (model()) format.named = model()->targets;
  format.keeps_repeats = model() != nullptr;
  return format;
}

/// The names of a row's values, if a source names its own: a model needs them to find the columns
/// of new samples.
std::vector<std::string> column_names(const Layout& layout,
                                      const std::array<const Outline*, 2>& sides) {
  constexpr std::size_t most = 65536;
  if ((sides[0]->columns.empty() && sides[1]->columns.empty()) || layout.size() > most) return {};
  std::vector<std::string> names = {"number of first", "number of second", "values of first"};
  for (std::size_t s = 0; s < 2; ++s) {
    const std::string side = s == 0 ? "first" : "second";
    const Outline& outline = *sides[s];
    const std::size_t slots =
        pair_size(layout, s == 0 ? outline.layout.size() : 0, s == 1 ? outline.layout.size() : 0) -
        pair_size(layout, 0, 0);
    const bool named = outline.columns.size() == slots;
    for (std::size_t k = 0; k < slots; ++k)
      names.push_back(named ? side + "." + outline.columns[k] : side + " " + std::to_string(k + 1));
  }
  return names;
}

void Pairs::check_table(const PairTable& table, std::size_t first, Context& context) const {
  if (table.repeated > 0)
    context.log(LogLevel::warning, train_file() + ": " + std::to_string(table.repeated) +
                                       " rows repeat a pair with its label and are used once");
  if (table.unlabelled > 0)
    context.log(LogLevel::warning, train_file() + ": dropped by 'missing_labels: drop': " +
                                       std::to_string(table.unlabelled) + " of " +
                                       std::to_string(table.read) + " pairs");
  if (first == 0)
    throw DataError(train_file(), "", "has no pairs; check that it is the right file");
  check_facts(table, context);
}

/// How many samples of a side the pairs have.
std::size_t count_samples(const PairTable& table, std::size_t side) {
  std::set<std::uint32_t> samples;
  for (const SamplePair& pair : table.pairs) samples.insert(pair[side]);
  return samples.size();
}

std::size_t Pairs::grouped_side(const PairTable& table) const {
  if (setting_ == "both_new") return count_samples(table, 0) <= count_samples(table, 1) ? 0 : 1;
  return setting_ == "new_first" ? 0 : 1;
}

std::vector<std::int32_t> Pairs::groups(const PairTable& table) const {
  std::vector<std::int32_t> groups;
  if (!gives_groups()) return groups;
  const std::size_t side = grouped_side(table);
  for (const SamplePair& pair : table.pairs)
    groups.push_back(static_cast<std::int32_t>(pair[side]));
  return groups;
}

/// The samples of one side that are set aside.
std::set<std::uint32_t> drawn_samples(const PairTable& table, std::size_t side, double fraction,
                                      Random& random) {
  std::set<std::uint32_t> all;
  for (const SamplePair& pair : table.pairs) all.insert(pair[side]);
  std::vector<std::uint32_t> samples(all.begin(), all.end());
  if (samples.size() < 2)
    throw Error("'setting: both_new' sets samples of each side aside, but the pairs have only " +
                std::to_string(samples.size()) + " of '" + (side == 0 ? "first" : "second") + "'");
  random.shuffle(std::span(samples));
  const auto wanted = static_cast<std::size_t>(std::llround(fraction * double(samples.size())));
  samples.resize(std::clamp<std::size_t>(wanted, 1, samples.size() - 1));
  return {samples.begin(), samples.end()};
}

Split Pairs::split_by_sides(const PairTable& table, Context& context) const {
  Random random = context.random();
  const std::set<std::uint32_t> first = drawn_samples(table, 0, test_fraction_, random);
  const std::set<std::uint32_t> second = drawn_samples(table, 1, test_fraction_, random);
  std::vector<std::size_t> train, test;
  for (std::size_t i = 0; i < table.pairs.size(); ++i) {
    const int fresh = first.contains(table.pairs[i][0]) + second.contains(table.pairs[i][1]);
    if (fresh != 1) (fresh == 0 ? train : test).push_back(i);
  }
  const std::string of = std::to_string(first.size()) + " first and " +
                         std::to_string(second.size()) + " second samples set aside";
  if (train.empty() || test.empty())
    throw DataError(train_file(), "",
                    std::string("has no ") + (train.empty() ? "training" : "test") +
                        " pairs with " + of + "; change 'test_fraction' or the seed");
  context.log(LogLevel::warning,
              train_file() + ": with " + of + ", " +
                  std::to_string(table.pairs.size() - train.size() - test.size()) + " of " +
                  std::to_string(table.pairs.size()) +
                  " pairs have one new sample and are neither for training nor for testing");
  Split split;
  split.train_rows = train.size();
  split.test_rows = test.size();
  split.order = std::move(train);
  split.order.insert(split.order.end(), test.begin(), test.end());
  return split;
}

/// Test pairs must be as new as the setting says.
void Pairs::check_setting(const PairTable& table, const Split& parts, std::size_t first) const {
  const auto row = [&](std::size_t i) { return parts.order.empty() ? i : parts.order[i]; };
  std::array<std::set<std::uint32_t>, 2> known;
  for (std::size_t i = 0; i < parts.train_rows; ++i)
    for (std::size_t s = 0; s < 2; ++s) known[s].insert(table.pairs[row(i)][s]);
  for (std::size_t i = parts.train_rows; i < parts.train_rows + parts.test_rows; ++i)
    for (std::size_t s = 0; s < 2; ++s) {
      const bool wanted =
          setting_ == "both_new" || setting_ == (s == 0 ? "new_first" : "new_second");
      if (wanted && known[s].contains(table.pairs[row(i)][s]))
        throw DataError(row(i) < first ? train_file() : test_file(),
                        "line " + std::to_string(table.lines[row(i)]),
                        std::string("has a ") + (s == 0 ? "first" : "second") +
                            " sample that training pairs have, but 'setting: " + setting_ +
                            "' tests on new ones; change 'setting', or remove the pair");
    }
}

OpenedSides Pairs::open_sides(Context& context) const {
  OpenedSides sides;
  for (std::size_t s = 0; s < 2; ++s) {
    const std::string name = s == 0 ? "first" : "second";
    const std::string& named = s == 0 ? first_named_ : second_named_;
    sides.data[s] = (s == 0 ? first_ : second_)->open(context);
    const Outline& outline = sides.data[s]->outline();
    if (outline.rows() == 0) throw Error("'" + name + "' has no samples");
    if (outline.layout.kind == LayoutKind::pair)
      throw Error("the samples of '" + name + "' are pairs themselves");
    sides.names.emplace_back(*sides.data[s], name,
                             named == "names"    ? SideSamples::Naming::by_name
                             : named == "from_0" ? SideSamples::Naming::from_0
                                                 : SideSamples::Naming::from_1);
  }
  return sides;
}

/// Pairs of samples that a program names one by one.
class PairsOfNames final : public NamedPairs {
 public:
  PairsOfNames(OpenedSides sides, std::array<std::string, 2> columns)
      : names_(std::move(sides.names)),
        samples_(*sides.data[0], *sides.data[1]),
        columns_(std::move(columns)) {}

  const Layout& layout() const noexcept override { return samples_.layout(); }
  std::string column(Side side) const override { return columns_[index_of(side)]; }
  std::uint32_t find(Side side, std::string_view name) const override {
    return names_[index_of(side)].find(trimmed(name));
  }
  FloatMatrix rows(std::span<const SamplePair> pairs) const override {
    std::vector<std::size_t> sizes;
    for (const SamplePair& pair : pairs) sizes.push_back(samples_.values(pair));
    FloatMatrix made = room_for(layout(), sizes);
    const MutableMatrixView view = made.view();
    for (std::size_t i = 0; i < pairs.size(); ++i) samples_.write(pairs[i], view.row_span(i));
    return made;
  }

 private:
  std::vector<SideSamples> names_;
  StoredSides samples_;
  std::array<std::string, 2> columns_;
};

std::unique_ptr<NamedPairs> Pairs::open_samples(Context& context) const {
  const bool named =
      !parse_integer(first_id_) && !parse_integer(second_id_) && first_id_ != second_id_;
  return std::make_unique<PairsOfNames>(
      open_sides(context),
      named ? std::array{first_id_, second_id_} : std::array<std::string, 2>{"first", "second"});
}

std::unique_ptr<Dataset> Pairs::open(Context& context) const {
  const OpenedSides sides = open_sides(context);
  const std::array<const SideSamples*, 2> names = {&sides.names[0], &sides.names[1]};
  StoredSides samples(*sides.data[0], *sides.data[1]);
  PairTable table;
  PairFormat format = this->format();
  std::int64_t numbered = 0;
  const std::size_t first =
      read_files(train_file(), test_file(), table, [&](const std::string& file, FactRules rules) {
        rules.weights = rules.groups = false;
        format.facts = std::move(rules);
        read_pairs(file, format, names, table, context);
        if (numbered == 0) numbered = table.read;
      });
  check_table(table, first, context);
  table.groups = groups(table);
  const bool by_sides = test_fraction_ > 0 && setting_ == "both_new" && !tests_all_rows();
  Split parts =
      finish_facts(table, first, context, static_cast<std::size_t>(numbered),
                   by_sides ? std::optional(split_by_sides(table, context)) : std::nullopt);
  if (by_sides) parts.numbered_rows = static_cast<std::size_t>(numbered);
  check_setting(table, parts, first);
  if (setting_ == "both_new" && parts.test_rows > 0 && !model())
    context.log(LogLevel::warning,
                train_file() + ": intervals of figures hold the " +
                    (grouped_side(table) == 0 ? "second" : "first") +
                    " samples fixed, so they are too narrow for pairs of two new samples");
  const Layout layout = samples.layout();
  std::vector<std::string> columns =
      column_names(layout, {&sides.data[0]->outline(), &sides.data[1]->outline()});
  auto values = std::make_unique<PairValues>(std::move(samples), std::move(table.pairs));
  return make_dataset(layout, table.classes.names(), table.answers(), std::move(parts),
                      std::move(values), std::move(columns));
}

}  // namespace

ComponentEntry declare_pairs() { return Pairs::declare().entry(); }

}  // namespace semblance::sources
