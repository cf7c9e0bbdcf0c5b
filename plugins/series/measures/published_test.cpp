// SPDX-License-Identifier: MIT
// Errors of 1-NN classifiers that the UCR archive publishes (Dau et al. 2019).
#include <archive.h>
#include <archive_entry.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "measures/elastic_testing.hpp"

namespace semblance::series::published_test {
namespace {

using namespace testing;
namespace fs = std::filesystem;

std::string unpacked(const fs::path& file) {
  archive* reader = archive_read_new();
  archive_read_support_filter_xz(reader);
  archive_read_support_format_raw(reader);
  archive_entry* entry = nullptr;
  REQUIRE(archive_read_open_filename(reader, file.c_str(), 1 << 16) == ARCHIVE_OK);
  REQUIRE(archive_read_next_header(reader, &entry) == ARCHIVE_OK);
  std::string text;
  char buffer[1 << 16];
  for (la_ssize_t got = 0; (got = archive_read_data(reader, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  archive_read_free(reader);
  return text;
}

struct Labelled {
  std::vector<std::string> labels;
  Series series;
};

void normalize(std::vector<float>& values) {
  double mean = 0, square = 0;
  for (const float x : values) mean += x / double(values.size());
  for (const float x : values) square += (x - mean) * (x - mean) / double(values.size());
  for (float& x : values) x = float((x - mean) / std::sqrt(square));
}

Labelled read_set(const fs::path& file) {
  Labelled set;
  std::istringstream lines(unpacked(file));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    fields >> set.labels.emplace_back();
    auto& values = set.series.emplace_back();
    for (float x = 0; fields >> x;) values.push_back(x);
    normalize(values);
  }
  return set;
}

double nearest_neighbour_error(std::string_view id, const Labelled& train, const Labelled& test) {
  const Layout layout = Layout::sequence(train.series[0].size(), 1);
  const auto measure =
      measure_of(id, {{"as", std::string("negative")}}, layout, rows_of(layout, train.series));
  const FloatMatrix all = compare(*measure, rows_of(layout, test.series).view());
  int wrong = 0;
  for (std::size_t i = 0; i < test.series.size(); ++i) {
    const auto row = all.view().row_span(i);
    const auto nearest = std::ranges::max_element(row) - row.begin();
    wrong += train.labels[std::size_t(nearest)] != test.labels[i];
  }
  return double(wrong) / double(test.series.size());
}

std::map<std::string, std::string> published_row(const fs::path& folder, const std::string& name) {
  std::ifstream file(folder / "published.csv");
  std::string head, line;
  std::getline(file, head);
  while (std::getline(file, line) && !line.starts_with(name + ","))
    ;
  std::map<std::string, std::string> row;
  std::istringstream keys(head), values(line);
  for (std::string key, value; std::getline(keys, key, ',') && std::getline(values, value, ',');)
    row[key] = value;
  return row;
}

TEST_CASE("1-NN makes the published errors with euclidean and dtw") {
  const char* data = std::getenv("SEMBLANCE_DATA");
  const fs::path folder = fs::path(data ? data : "") / "ucr";
  if (!data || !fs::exists(folder / "published.csv")) {
    MESSAGE("skipped: SEMBLANCE_DATA does not name a folder with the data set ucr");
    return;
  }
  for (const char* name : {"Coffee", "GunPoint", "ItalyPowerDemand", "SyntheticControl", "Beef"}) {
    CAPTURE(name);
    const fs::path set = folder / name / name;
    const Labelled train = read_set(set.string() + "_TRAIN.tsv.xz");
    const Labelled test = read_set(set.string() + "_TEST.tsv.xz");
    auto published = published_row(folder, name);
    CHECK(std::abs(nearest_neighbour_error("similarity/euclidean", train, test) -
                   std::stod(published["error_1nn_ed"])) < 1e-4);
    CHECK(std::abs(nearest_neighbour_error("similarity/dtw", train, test) -
                   std::stod(published["error_1nn_dtw"])) < 1e-4);
  }
}

}  // namespace
}  // namespace semblance::series::published_test
