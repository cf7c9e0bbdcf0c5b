// SPDX-License-Identifier: MIT
#include "report/drawings/reduced_sample.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <boost/archive/iterators/binary_from_base64.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "report/drawings/drawn_sample.hpp"
#include "report/metrics.hpp"
#include "semblance/error.hpp"
#include "semblance/graph.hpp"

namespace reduced_sample_test {

using namespace semblance;

namespace {

struct Picture {
  std::size_t width = 0, height = 0;
  std::vector<unsigned char> pixels;
};

/// Decodes with libpng, as red, green and blue.
Picture decoded(std::string text) {
  using namespace boost::archive::iterators;
  using Bytes = transform_width<binary_from_base64<std::string::const_iterator>, 8, 6>;
  while (text.ends_with('=')) text.pop_back();
  std::vector<unsigned char> bytes(Bytes(text.begin()), Bytes(text.end()));
  bytes.resize(text.size() * 3 / 4);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  image.format = PNG_FORMAT_RGB;
  Picture picture{image.width, image.height, std::vector<unsigned char>(PNG_IMAGE_SIZE(image))};
  REQUIRE(png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr));
  return picture;
}

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

SampleList sample_list() {
  SampleList list{"samples", Layout::vector(2), {"x", "<y>"}, {}};
  list.entries.push_back({{"row 3", "a & b", {0.5F, 2}},
                          "c",
                          {{"c", std::numeric_limits<double>::infinity()}, {"a & b", -1.25}},
                          {{{"row 1", "c", {1, 2}}, "rbf", 0.75}}});
  return list;
}

}  // namespace

TEST_CASE("a grey picture keeps its pixels") {
  const Picture picture = decoded(
      reduced_sample(Layout::image(2, 3, 1), std::vector<float>{0, 51, 102, 153, 204, 255}).text);
  CHECK(picture.width == 3);
  CHECK(picture.height == 2);
  CHECK(picture.pixels == std::vector<unsigned char>{0, 0, 0, 51, 51, 51, 102, 102, 102, 153, 153,
                                                     153, 204, 204, 204, 255, 255, 255});
}

TEST_CASE("colours lie plane by plane, and values up to 1 are white at 1") {
  const Picture picture =
      decoded(reduced_sample(Layout::image(1, 2, 3), std::vector<float>{1, 0, 0, 1, 0, 0.2F}).text);
  CHECK(picture.pixels == std::vector<unsigned char>{255, 0, 0, 0, 255, 51});
}

TEST_CASE("values beyond 0 and 255 are scaled, and a grid is drawn by the means of its cells") {
  CHECK(decoded(reduced_sample(Layout::image(1, 3, 1), std::vector<float>{-100, 0, 300}).text)
            .pixels == std::vector<unsigned char>{0, 0, 0, 64, 64, 64, 255, 255, 255});
  CHECK(
      decoded(reduced_sample(Layout::grid(1, 2, 2), std::vector<float>{1, 3, 5, 9}).text).pixels ==
      std::vector<unsigned char>{0, 0, 0, 255, 255, 255});
  CHECK(decoded(reduced_sample(Layout::image(1, 2, 1), std::vector<float>{0, 0}).text).pixels ==
        std::vector<unsigned char>(6));
}

TEST_CASE("a large picture is made smaller by the means of squares") {
  constexpr std::size_t height = 100, width = 130;
  std::vector<float> values(height * width);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = k / width < 3 ? 255 : 0;
  const Picture picture = decoded(reduced_sample(Layout::image(height, width, 1), values).text);
  // 130 pixels fit into 64 as squares of 3.
  CHECK(picture.width == 44);
  CHECK(picture.height == 34);
  CHECK(picture.pixels.front() == 255);
  CHECK(picture.pixels[3 * picture.width] == 0);
}

TEST_CASE("values with names are listed, many without are drawn as a line") {
  const DrawnSample named =
      reduced_sample(Layout::vector(2), counted(2), std::vector<std::string>{"x", "y"});
  CHECK(named.columns == std::vector<std::string>{"x", "y"});
  CHECK(named.values == counted(2));
  CHECK(reduced_sample(Layout::vector(3), counted(3)).columns ==
        std::vector<std::string>{"0", "1", "2"});
  const DrawnSample line = reduced_sample(Layout::vector(500), counted(500));
  CHECK(line.columns.empty());
  CHECK(line.values.size() == 150);
  CHECK(line.values.back() == 499);
  const std::vector<std::string> names(60, "name");
  const DrawnSample first = reduced_sample(Layout::vector(60), counted(60), names);
  CHECK(first.values == counted(most_listed_values));
  CHECK(first.size == 60);
}

TEST_CASE("a picture needs as many bytes as it has pixels") {
  const std::vector<std::uint8_t> five(5);
  CHECK_THROWS_WITH_AS(picture_text(2, 2, five), "a picture of 2 x 2 pixels cannot have 5 bytes",
                       Error);
  CHECK_THROWS_WITH_AS(picture_text(0, 2, {}), "a picture of 0 x 2 pixels cannot have 0 bytes",
                       Error);
}

TEST_CASE("a list of samples comes back from the store as it was") {
  NodeRecord node, restored;
  RecordingReport(node).sample_list(sample_list());
  const auto stored = nlohmann::ordered_json::parse(report_to_json(node).dump());
  report_from_json(stored, restored);
  REQUIRE(restored.sample_lists.size() == 1);
  CHECK(restored.sample_lists[0] == node.sample_lists[0]);
  // Older reports had no lists.
  const NodeRecord empty;
  CHECK_FALSE(report_to_json(empty).contains("sample_lists"));
  report_from_json(report_to_json(empty), restored);
  CHECK(restored.sample_lists.empty());
}

TEST_CASE("a sample that has not the layout of its list is refused") {
  SampleList list = sample_list();
  list.entries[0].nearest[0].sample.values = {1};
  CHECK_THROWS_WITH_AS(drawn_list(list),
                       "the sample 'row 1' of the list 'samples' has 1 values, but samples there "
                       "are each a vector of 2",
                       Error);
  NodeRecord node;
  RecordingReport report(node);
  report.sample_list(sample_list());
  CHECK_THROWS_WITH_AS(report.sample_list(sample_list()), "'samples' is reported twice", Error);
}

TEST_CASE("a graph keeps its edges, its labels, and places that follow its paths") {
  const Layout layout = Layout::graph({.nodes = 70, .edges = 70, .node_labels = {"C", "N"}});
  std::vector<float> row;
  SampleGraph{3, {0, 1, 7}, {{0, 1}, {1, 2}}, {}, {}}.write(layout.shape, row);
  const DrawnSample sample = reduced_sample(layout, row);
  CHECK(sample.text == "0-1 1-2\nC\nN\nnew");
  REQUIRE(sample.values.size() == 9);
  const auto distance = [&](std::size_t a, std::size_t b) {
    return std::hypot(sample.values[3 * a] - sample.values[3 * b],
                      sample.values[3 * a + 1] - sample.values[3 * b + 1]);
  };
  CHECK(distance(0, 2) == doctest::Approx(distance(0, 1) + distance(1, 2)).epsilon(0.01));
}

TEST_CASE("a graph of many nodes is listed by its numbers") {
  const Layout layout = Layout::graph({.nodes = 70, .edges = 70, .node_labels = {"C", "N"}});
  std::vector<float> row;
  SampleGraph large{.nodes = 70, .node_labels = std::vector<std::uint32_t>(70, 0)};
  large.node_labels[3] = 1;
  large.write(layout.shape, row);
  const DrawnSample sample = reduced_sample(layout, row);
  CHECK(sample.columns == std::vector<std::string>{"nodes", "edges", "label C", "label N"});
  CHECK(sample.values == std::vector<float>{70, 0, 69, 1});
}

}  // namespace reduced_sample_test
