// SPDX-License-Identifier: MIT
#include "rows/table_source.hpp"

#include <algorithm>
#include <set>

#include "files/byte_reader.hpp"
#include "rows/memory_limit.hpp"
#include "semblance/error.hpp"
#include "semblance_tables/text_values.hpp"
#include "tables/csv_records.hpp"

namespace semblance::sources {

TargetKind TableSource::target_kind() const {
  if (!target_columns_.empty() || target_word_ == "numbers") return TargetKind::numbers;
  return label_ == "none" ? TargetKind::none : TargetKind::classes;
}

std::string TableSource::way_to_numbers() const {
  return answers_ == Answers::words     ? "set 'target: numbers'"
         : answers_ == Answers::columns ? "name the column in 'target' in place of 'label'"
                                        : "";
}

void TableSource::check_answers() const {
  if (!target_columns_.empty() && label_ != usual_label_ && label_ != "none")
    throw Error(
        "'label' names a class and 'target' numbers to predict, but rows have one of the "
        "two; remove one");
  if (target_word_ == "numbers" && label_ == "none")
    throw Error(
        "'target: numbers' says what labels are, but 'label: none' that there are none; remove "
        "one");
}

void TableSource::check_parameters() const {
  check_answers();
  const int ways = !test_path_.value.empty() + (test_fraction_ > 0) + (test_class_fraction_ > 0) +
                   (test_rows_ > 0);
  if (ways > 1)
    throw Error(
        "only one of 'test_path', 'test_fraction', 'test_class_fraction' and 'test_rows' can "
        "choose the test rows; remove the others");
  if (ways > 0 && role_ == "test")
    throw Error(
        "with 'role: test' all rows are for testing; remove 'test_path', 'test_fraction', "
        "'test_class_fraction' and 'test_rows'");
  if (target_kind() == TargetKind::numbers) check_suits_numbers();
  check_beside();
  if (split_by_ != "auto" && !gives_groups())
    throw Error("'split_by: " + split_by_ +
                "' says what becomes of groups, but the rows have none; set 'groups' or remove it");
}

/// Refuses what is said of classes.
void TableSource::check_suits_numbers() const {
  if (test_class_fraction_ > 0)
    throw Error(
        "'test_class_fraction' sets classes aside, but the target is numbers; set 'test_fraction'");
  if (resample_)
    throw Error(
        "'resample' draws as many training rows of each class, but the target is numbers; set "
        "'test_fraction'");
  if (missing_labels_ == "classes")
    throw Error(
        "'missing_labels: classes' makes names of classes of missing labels, but the target is "
        "numbers; set 'missing_labels: drop' to drop rows without a target");
}

/// The same of rows to learn from that have no labels; new data for a model may lack them.
void TableSource::check_suits_unlabelled() const {
  const auto refuse = [](const std::string& parameter, const std::string& remedy) {
    throw Error("'" + parameter + "' is about classes, but the rows have none; " + remedy);
  };
  if (test_class_fraction_ > 0) refuse("test_class_fraction", "set 'test_fraction'");
  if (resample_) refuse("resample", "set 'test_fraction'");
  if (new_test_classes_) refuse("new_test_classes", "remove it");
  if (many_classes_) refuse("many_classes", "remove it");
  if (missing_labels_ != "refuse") refuse("missing_labels", "remove it");
}

void TableSource::check_beside() const {
  if (has_beside() && id_.empty() && weight_.empty() && groups_.empty())
    throw Error(
        "'beside' names a table, but none of 'id', 'weight' and 'groups' names a column of it; "
        "name one, or remove 'beside'");
}

void TableSource::check_has_beside() const {
  if (has_beside()) return;
  for (const auto& [name, column] :
       {std::pair{"id", &id_}, {"weight", &weight_}, {"groups", &groups_}})
    if (!column->empty())
      throw Error("'" + std::string(name) +
                  "' names a column, but these files have none; name a table "
                  "with a row for each of theirs in 'beside'");
}

void refuse_splits(const NewData& data, std::initializer_list<const char*> parameters) {
  for (const char* parameter : parameters)
    if (data.gives(parameter))
      throw Error("'" + std::string(parameter) +
                  "' says which rows a training run uses or sets aside, but a prediction covers "
                  "all rows given; omit it and name the file: semblance predict MODEL FILE");
}

void refuse_fixed(const NewData& data, std::initializer_list<const char*> parameters) {
  for (const char* parameter : parameters)
    if (data.gives(parameter))
      throw Error("'" + std::string(parameter) +
                  "' is part of what the model knows and cannot be given for new data; omit it, or "
                  "train a model with it");
}

void TableSource::apply_model(const NewData& data) {
  if (!test_path_.value.empty()) refuse_splits(data, {"test_path"});
  if (test_fraction_ > 0) refuse_splits(data, {"test_fraction"});
  if (test_class_fraction_ > 0) refuse_splits(data, {"test_class_fraction"});
  if (test_rows_ > 0) refuse_splits(data, {"test_rows"});
  if (resample_) refuse_splits(data, {"resample"});
  model_ = data;
}

std::string TableSource::train_file() const {
  return find_data_file(model_ && !model_->path.empty() ? model_->path : path_.value);
}

std::string TableSource::test_file() const {
  return test_path_.value.empty() || model_ ? std::string() : find_data_file(test_path_.value);
}

/// New data have a table of their own, or none.
std::string TableSource::beside_file() const {
  const bool of_these_rows = !model_ || model_->path.empty() || model_->gives("beside");
  return has_beside() && of_these_rows ? find_data_file(beside_.value) : std::string();
}

std::vector<std::string> TableSource::files() const {
  std::vector<std::string> all = {train_file()};
  for (const std::string& file : {test_file(), beside_file()})
    if (!file.empty()) all.push_back(file);
  return all;
}

void TableSource::check_labels(std::span<const std::int32_t> labels, const ClassNames& classes,
                               Context& context) const {
  check_one_spelling(classes.names(), train_file());
  if (many_classes_ || model_) return;
  const std::string numbers = way_to_numbers();
  check_class_count(labels, classes.names(), train_file(), "many_classes", numbers);
  if (numbers.empty() || !look_measured(labels, classes.names())) return;
  context.log(LogLevel::warning,
              train_file() + ": its labels are " + std::to_string(classes.names().size()) +
                  " different numbers, like measurements; " + numbers +
                  " if they are to be predicted as numbers, or set 'many_classes: true' if they "
                  "are classes");
}

Outline TableSource::outline(Context& context) const { return open(context)->outline(); }

LabelRule TableSource::label_rule(bool declared) const {
  LabelRule rule;
  rule.declared = declared;
  rule.ignored = ignores_labels();
  if (missing_labels_ == "classes") rule.missing = MissingLabels::classes;
  if (missing_labels_ == "drop") rule.missing = MissingLabels::drop;
  // All rows of new data are predicted.
  if (model_ && missing_labels_ != "classes") rule.missing = MissingLabels::unknown;
  return rule;
}

Split TableSource::split(std::size_t first, const RowFacts& facts, Context& context) const {
  const std::span<const std::int32_t> labels = facts.labels;
  const bool numbers = !facts.targets.empty();
  const auto left_out = [&](std::size_t row) { return labels[row] == left_out_label; };
  const auto left_out_of = [&](std::size_t rows) {
    return static_cast<std::size_t>(std::ranges::count(labels.first(rows), left_out_label));
  };
  const std::size_t stay = labels.size() - left_out_of(labels.size());
  if (stay == 0)
    throw DataError(
        train_file(), "",
        numbers
            ? "no row has all its targets, and 'missing_labels: drop' drops those without; check "
              "'target'"
            : "no row has a label, and 'missing_labels: drop' drops those without; check 'label'");
  Split parts;
  const bool reorders = test_fraction_ > 0 || test_class_fraction_ > 0 || resample_;
  if (reorders && !tests_all_rows())  // the places of all rows, and their numbers
    check_fits(facts.bytes() + double(labels.size()) * (sizeof(std::size_t) + sizeof(std::int64_t)),
               "labels and the order of " + std::to_string(labels.size()) + " rows", train_file(),
               "", context);
  if (!tests_all_rows() && target_kind() == TargetKind::none) check_suits_unlabelled();
  if (tests_all_rows()) {
    parts.test_rows = stay;
  } else if (test_fraction_ > 0) {
    const auto groups = split_by_ == "row" ? std::span<const std::int32_t>() : facts.groups;
    parts = drawn_split(labels, facts.targets.all(), groups, test_fraction_, context.random());
  } else if (test_class_fraction_ > 0) {
    parts = class_split(labels, test_class_fraction_, context.random());
  } else if (resample_) {
    parts = resampled_split(labels, first, context.random());
  } else {
    parts.train_rows = training_rows(first - left_out_of(first));
    parts.test_rows = stay - parts.train_rows;
  }
  // Resampled training rows may come from anywhere in both files.
  if (!tests_all_rows()) parts.numbered_rows = resample_ ? labels.size() : first;
  if (stay == labels.size()) return parts;
  if (parts.order.empty()) {
    for (std::size_t row = 0; row < labels.size(); ++row)
      if (!left_out(row)) parts.order.push_back(row);
    return parts;
  }
  const auto middle = parts.order.begin() + static_cast<std::ptrdiff_t>(parts.train_rows);
  parts.train_rows -=
      static_cast<std::size_t>(std::count_if(parts.order.begin(), middle, left_out));
  std::erase_if(parts.order, left_out);
  parts.test_rows = parts.order.size() - parts.train_rows;
  return parts;
}

std::size_t TableSource::training_rows(std::size_t rows) const {
  const auto aside = static_cast<std::size_t>(test_rows_);
  if (aside >= rows && aside > 0)
    throw DataError(train_file(), "",
                    "has " + std::to_string(rows) + " rows, so 'test_rows: " +
                        std::to_string(aside) + "' leaves none to train on; lower it");
  return rows - aside;
}

/// In the order of reading; 0: all rows are for testing.
std::size_t TableSource::first_test_row(const Split& parts, std::size_t first) const {
  if (parts.order.empty() || parts.train_rows == 0) return parts.train_rows;
  if (resample_) return first;  // training rows are as many of each class
  return test_file().empty() ? parts.order[parts.train_rows - 1] + 1 : first;
}

/// Training samples would reveal test samples of the same group; samples of unknown groups have
/// intervals that are too narrow.
void TableSource::warn_of_groups(const Split& parts, std::span<const std::int32_t> groups,
                                 Context& context) const {
  if (groups.empty() || model_) return;
  const auto row = [&](std::size_t i) { return parts.order.empty() ? i : parts.order[i]; };
  std::set<std::int32_t> trained, divided;
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < parts.train_rows; ++i) trained.insert(groups[row(i)]);
  for (std::size_t i = parts.train_rows; i < parts.train_rows + parts.test_rows; ++i) {
    const auto group = groups[row(i)];
    if (trained.contains(group)) divided.insert(group);
    unknown += group < 0;
  }
  const bool in_memory = train_file().empty();
  const std::string train_rows = in_memory ? "X" : train_file();
  const std::string test_rows = in_memory ? "X_test" : test_file();
  if (unknown > 0)
    context.log(LogLevel::warning,
                (test_rows.empty() ? train_rows : test_rows) + ": the groups of " +
                    std::to_string(unknown) +
                    " test rows are unknown, so intervals and tests of figures take each row by "
                    "itself and may be too narrow; give the groups of test rows, too");
  if (divided.empty() || split_by_ == "row") return;
  context.log(LogLevel::warning,
              train_rows + ": " + std::to_string(divided.size()) + " of " +
                  std::to_string(trained.size()) +
                  " groups with training rows have test rows as well, which are easier to classify "
                  "than those of new groups; set 'test_fraction', which keeps groups together, or "
                  "'split_by: row' if that is meant");
}

FactRules TableSource::fact_rules() const {
  FactRules rules{label_rule(), target_word_ == "numbers", may_lack_labels(), true};
  rules.weights = gives_weights() && !model_ && !has_beside();
  rules.groups = gives_groups() && !has_beside();
  rules.may_lack_groups = model_.has_value();
  return rules;
}

void TableSource::forgive_test_rows(const RowFacts& facts, FactRules& rules) const {
  rules.new_classes = new_test_classes_ || facts.classes.names().empty() || may_lack_labels();
  rules.may_lack_labels = true;
}

void TableSource::check_facts(const RowFacts& facts,
                              const std::function<std::string(std::size_t)>& target,
                              Context& context) const {
  check_labels(facts.labels, facts.classes, context);
  // New rows may be close together; the model's training samples were not.
  if (!model_) facts.targets.check(train_file(), target, context);
}

void TableSource::check_facts(const RowFacts& facts, Context& context) const {
  const std::vector<std::string>& names = facts.targets.names();
  check_facts(
      facts,
      [&](std::size_t k) {
        return names.size() == 1 && names[0] == "target" ? "the target"
                                                         : "the target " + in_quotes(names[k]);
      },
      context);
}

void TableSource::name_facts(FactNames& names) const {
  names.label = target_columns_.empty() ? label_ : "none";
  names.targets = target_columns_;
  if (has_beside()) return;
  names.id = id_;
  names.weight = weight_;
  names.groups = groups_;
}

namespace {

/// Reads the ids, weights and groups of the rows of another file from a table with a row for each.
/// Its first line is a header unless all columns are given by number. Throws DataError naming the
/// line and the problem, also if it has not as many rows.
RowFacts read_beside(const std::string& file, FactNames names, std::size_t rows,
                     const std::string& rows_file, bool of_model, Context& context) {
  LineReader lines(file);
  const TableFormat format;
  CsvRecords records(lines, format);
  const auto fail = [&](const std::string& what) {
    throw DataError(lines.path(), lines.place(), what);
  };
  RowFacts facts;
  FactRules rules;
  rules.weights = !names.weight.empty();
  rules.may_lack_groups = of_model;
  FactColumns columns;
  rules.name = [&](Fact fact, std::size_t) {
    const auto& [what, column] = fact == Fact::weight  ? std::pair{"weight", columns.weight}
                                 : fact == Fact::group ? std::pair{"group", columns.group}
                                                       : std::pair{"name", columns.id};
    return "the " + std::string(what) + " in column " + std::to_string(*column + 1);
  };
  std::vector<std::string_view> fields;
  for (std::size_t count = 0; records.next(fields);) {
    if (lines.number() % 4096 == 0) context.check_stop();
    if (count == 0) {
      count = fields.size();
      std::vector<std::string> header;
      if (names.any_is_name())
        for (const std::string_view name : fields) header.emplace_back(trimmed(name));
      if (of_model && !column_of(names.groups, header, count)) names.groups.clear();
      rules.groups = !names.groups.empty();
      columns = find_facts(names, header, count, {}, false, fail);
      if (!header.empty()) continue;
    }
    if (fields.size() != count)
      fail("has " + std::to_string(fields.size()) + " fields, but the first line has " +
           std::to_string(count) + "; every row needs the same number");
    facts.append(columns.texts(fields), rules, fail);
    check_fits(facts.bytes(), "the rows so far", lines.path(), lines.place(), context);
  }
  if (facts.rows() != rows)
    throw DataError(file, "",
                    "has " + std::to_string(facts.rows()) + " rows, but " + rows_file + " has " +
                        std::to_string(rows) + "; give a row for each, in the same order");
  if (!facts.ids.empty()) facts.ids.resize(rows);
  return facts;
}

}  // namespace

void TableSource::add_beside(RowFacts& facts, std::size_t first, std::size_t rows,
                             Context& context) const {
  const FactNames names{"none", {}, id_, model_ ? "" : weight_, groups_};
  RowFacts beside =
      read_beside(beside_file(), names, rows, train_file(), model_.has_value(), context);
  const auto take = [&](auto& own, auto& of_table, const auto& other) {
    if (of_table.empty()) return;
    own.assign(facts.rows(), other);
    for (std::size_t i = 0; i < first; ++i)
      own[i] = of_table[facts.numbers.empty() ? i : static_cast<std::size_t>(facts.numbers[i])];
  };
  take(facts.ids, beside.ids, std::string());
  take(facts.weights, beside.weights, 1.0);
  take(facts.groups, beside.groups, std::int32_t{-1});
}

std::unique_ptr<Dataset> TableSource::finish(const Layout& layout, RowFacts facts,
                                             std::unique_ptr<const RowValues> values,
                                             std::size_t first, Context& context) const {
  Split parts = finish_facts(facts, first, context);
  return make_dataset(layout, facts.classes.names(), facts.answers(), std::move(parts),
                      std::move(values));
}

Split TableSource::finish_facts(RowFacts& facts, std::size_t first, Context& context,
                                std::optional<std::size_t> numbered_rows,
                                std::optional<Split> chosen) const {
  if (!beside_file().empty()) add_beside(facts, first, numbered_rows.value_or(first), context);
  const std::span<std::int32_t> labels = facts.labels;
  facts.classes.sort(labels);
  Split parts = chosen ? std::move(*chosen) : split(first, facts, context);
  if (numbered_rows && parts.numbered_rows > 0) parts.numbered_rows = *numbered_rows;
  warn_of_groups(parts, facts.groups, context);
  const auto left_out = std::ranges::count(labels, left_out_label);
  if (left_out > 0)
    context.log(LogLevel::warning,
                train_file() + ": dropped by 'missing_labels: drop': " + std::to_string(left_out) +
                    " of " + std::to_string(labels.size()) + " rows");
  const bool drawn = test_fraction_ > 0 || test_class_fraction_ > 0;
  if (!drawn && !new_test_classes_)
    check_test_classes(labels, first_test_row(parts, first), facts.classes.names(),
                       test_file().empty() ? train_file() : test_file());
  return parts;
}

}  // namespace semblance::sources
