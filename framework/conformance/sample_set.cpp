// SPDX-License-Identifier: MIT
#include "conformance/sample_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "semblance/graph.hpp"
#include "semblance/random.hpp"
#include "semblance/two_parts.hpp"

namespace semblance::conformance {

namespace {

/// The shift of the values of class c in column j.
double centre(std::size_t c, std::size_t j) { return (j % sample_classes) == c ? 1 : 0; }

SampleSet labelled(const Layout& layout, std::size_t rows) {
  SampleSet set{layout, FloatMatrix(rows, layout.size()), {}, {"one", "two", "three"}, {}};
  set.values = room_for(layout, std::vector<std::size_t>(rows, layout.size()));
  for (std::size_t i = 0; i < rows; ++i)
    set.labels.push_back(static_cast<std::int32_t>(i % sample_classes));
  return set;
}

SampleSet similarity_map(std::size_t rows) {
  constexpr std::size_t bases = 24, values = 6;
  Random random(11);
  std::vector<double> points(rows * values);
  for (std::size_t k = 0; k < points.size(); ++k)
    points[k] = 2 * centre(k / values % sample_classes, k % values) + 0.5 * random.normal();
  SampleSet set = labelled(Layout::vector(bases), rows);
  for (std::size_t b = 0; b < bases; ++b) set.bases.push_back(static_cast<std::int64_t>(b));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t b = 0; b < bases; ++b) {
      double distance = 0;
      for (std::size_t k = 0; k < values; ++k) {
        const double d = points[i * values + k] - points[b * values + k];
        distance += d * d;
      }
      set.values.view().row(i)[b] = static_cast<float>(std::exp(-0.1 * distance));
    }
  return set;
}

/// Sizes range from half of the maximal number of steps, symbols or points up to all of them.
void differ_in_size(SampleSet& set) {
  const std::size_t most = set.layout.width, least = most / 2;
  Random random(14);
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < set.values.rows; ++i)
    sizes.push_back((least + random.below(most - least + 1)) * set.layout.depth);
  sizes.front() = set.layout.size();
  set.values = FloatMatrix::ragged(set.layout.size(), sizes);
}

/// A wave whose frequency and phase the class sets, in each channel, with noise.
SampleSet waves(const Layout& layout, bool of_one_size) {
  SampleSet set = labelled(layout, sample_rows);
  if (!of_one_size) differ_in_size(set);
  Random random(15);
  for (std::size_t i = 0; i < sample_rows; ++i) {
    const auto row = set.values.view().row_span(i);
    const double pace = 0.2 + 0.15 * static_cast<double>(i % sample_classes);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto step = static_cast<double>(k / layout.depth);
      const auto channel = static_cast<double>(k % layout.depth);
      row[k] = static_cast<float>(std::sin(pace * step + channel) + 0.1 * random.normal());
    }
  }
  return set;
}

/// Symbols; each class prefers a different one.
SampleSet symbols(const Layout& layout, bool of_one_size) {
  SampleSet set = labelled(layout, sample_rows);
  if (!of_one_size) differ_in_size(set);
  const std::size_t count = symbols_of(layout).size();
  Random random(16);
  for (std::size_t i = 0; i < sample_rows; ++i)
    for (float& symbol : set.values.view().row_span(i))
      symbol = static_cast<float>(random.below(2) == 0 ? i % sample_classes % count
                                                       : random.below(count));
  return set;
}

/// Points around a centre that depends on the class.
SampleSet clouds(const Layout& layout, bool of_one_size) {
  SampleSet set = labelled(layout, sample_rows);
  if (!of_one_size) differ_in_size(set);
  Random random(17);
  for (std::size_t i = 0; i < sample_rows; ++i) {
    const auto row = set.values.view().row_span(i);
    for (std::size_t k = 0; k < row.size(); ++k)
      row[k] = static_cast<float>(2 * centre(i % sample_classes, k % layout.depth) +
                                  0.5 * random.normal());
  }
  return set;
}

/// Some entries per row, in columns that depend on the class; the third row is empty.
SampleSet entries(const Layout& layout) {
  SampleSet set = labelled(layout, 0);
  std::vector<std::size_t> sizes, columns;
  std::vector<float> values;
  Random random(18);
  for (std::size_t i = 0; i < sample_rows; ++i) {
    set.labels.push_back(static_cast<std::int32_t>(i % sample_classes));
    const std::size_t before = columns.size();
    for (std::size_t j = 0; j < layout.size() && i != 2; ++j) {
      if (random.below(j % sample_classes == i % sample_classes ? 2 : 8) != 0) continue;
      columns.push_back(j);
      values.push_back(static_cast<float>(random.uniform(0.1, 2.0)));
    }
    sizes.push_back(columns.size() - before);
  }
  set.values = room_for(layout, sizes);
  set.values.values = values;
  set.values.columns.assign(columns.begin(), columns.end());
  return set;
}

/// Rings with some chords, whose labels and number of chords depend on the class; the first graph
/// is as large as the layout allows, and the second is a single node.
SampleSet graphs(const Layout& layout) {
  SampleSet set = labelled(layout, 0);
  const GraphShape& shape = layout.shape;
  std::vector<float> values;
  std::vector<std::size_t> sizes;
  Random random(22);
  for (std::size_t i = 0; i < sample_rows; ++i) {
    const std::size_t before = values.size(), c = i % sample_classes;
    set.labels.push_back(static_cast<std::int32_t>(c));
    SampleGraph graph;
    graph.nodes = i == 0 ? shape.nodes : i == 1 ? 1 : 3 + random.below(shape.nodes - 2);
    const std::size_t chords = i == 0 ? shape.edges - shape.nodes : c;
    for (std::size_t v = 0; v < graph.nodes; ++v) {
      if (!shape.node_labels.empty())
        graph.node_labels.push_back(static_cast<std::uint32_t>(
            random.below(2) == 0 ? c : random.below(shape.node_labels.size())));
      for (std::size_t k = 0; k < shape.node_attributes; ++k)
        graph.node_attributes.push_back(static_cast<float>(centre(c, k) + random.normal()));
    }
    const auto join = [&](std::size_t from, std::size_t to) {
      const std::size_t label =
          shape.edge_labels.empty() ? 0 : random.below(shape.edge_labels.size());
      graph.edges.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to),
                             static_cast<std::uint32_t>(label)});
      for (std::size_t k = 0; k < shape.edge_attributes; ++k)
        graph.edge_attributes.push_back(static_cast<float>(random.normal()));
    };
    for (std::size_t v = 0; v < graph.nodes && graph.nodes > 1; ++v) join(v, (v + 1) % graph.nodes);
    for (std::size_t k = 0; k < chords && graph.nodes > 1; ++k)
      join(random.below(graph.nodes), random.below(graph.nodes));
    graph.write(shape, values);
    sizes.push_back(values.size() - before);
  }
  set.values = room_for(layout, sizes);
  set.values.values = values;
  return set;
}

/// Pairs of a few samples of each side, of which every value that is stored is around a centre that
/// depends on the class.
SampleSet pairs(const Layout& layout) {
  constexpr std::size_t samples = 9;
  SampleSet set = labelled(layout, 0);
  Random random(23);
  std::array<std::vector<std::vector<float>>, 2> values, columns;
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < samples; ++i) {
      const Layout& part = layout.parts[s];
      values[s].emplace_back();
      columns[s].emplace_back();
      for (std::size_t j = 0; j < part.size(); ++j) {
        const bool sparse = part.kind == LayoutKind::sparse;
        if (sparse && random.below(3) == 0) continue;
        if (sparse) columns[s].back().push_back(static_cast<float>(j));
        values[s].back().push_back(
            static_cast<float>(2 * centre(i % sample_classes, j) + random.uniform(0.1, 1.0)));
      }
    }
  std::vector<float> all;
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < sample_rows; ++i) {
    const std::size_t c = i % sample_classes;
    set.labels.push_back(static_cast<std::int32_t>(c));
    const std::size_t a = i == 0 ? 0 : c + sample_classes * random.below(samples / sample_classes);
    const std::size_t b = random.below(samples);
    sizes.push_back(pair_size(layout, values[0][a].size(), values[1][b].size()));
    all.resize(all.size() + sizes.back());
    write_pair({static_cast<std::uint32_t>(a), values[0][a], columns[0][a]},
               {static_cast<std::uint32_t>(b), values[1][b], columns[1][b]}, layout,
               std::span(all).last(sizes.back()));
  }
  set.values = room_for(layout, sizes);
  set.values.values = all;
  return set;
}

/// Values in [0, 1), shifted by class in every third column; some are zero.
SampleSet moved_by_class(const Layout& layout) {
  SampleSet set = labelled(layout, sample_rows);
  Random random(12);
  for (std::size_t i = 0; i < sample_rows; ++i)
    for (std::size_t j = 0; j < set.layout.size(); ++j)
      set.values.view().row(i)[j] = static_cast<float>(
          std::max(0.0, 0.7 * random.uniform(-0.2, 1.0) + 0.29 * centre(i % sample_classes, j)));
  return set;
}

/// Whole numbers in 0..255; the classes differ by a bright stripe.
SampleSet image(std::size_t side, std::size_t channels) {
  SampleSet set = labelled(Layout::image(side, side, channels), sample_rows);
  Random random(13);
  for (std::size_t i = 0; i < sample_rows; ++i)
    for (std::size_t j = 0; j < set.layout.size(); ++j) {
      const std::size_t row = j / side % side;
      const bool stripe = row * sample_classes / side == i % sample_classes;
      set.values.view().row(i)[j] = static_cast<float>(
          random.below(stripe ? 256 : 128) / (stripe ? 1 : 2) + (stripe ? 0 : 1));
    }
  return set;
}

SampleSet without_classes(SampleSet samples) {
  std::ranges::fill(samples.labels, -1);
  samples.classes.clear();
  return samples;
}

}  // namespace

std::vector<SampleSet> sample_sets(const std::vector<LayoutKind>& layouts) {
  std::vector<SampleSet> sets;
  for (const LayoutInfo& info : semblance::layouts()) {
    const bool wanted = layouts.empty() ? !info.example.ragged()
                                        : std::ranges::find(layouts, info.kind) != layouts.end();
    if (!wanted) continue;
    if (info.kind == LayoutKind::vector) {
      sets.push_back(similarity_map(sample_rows));
    } else if (info.kind == LayoutKind::image) {
      sets.push_back(image(28, 1));
      sets.push_back(image(32, 3));
    } else if (info.kind == LayoutKind::sequence) {
      sets.push_back(waves(info.example, false));
      sets.push_back(waves(Layout::sequence(info.example.width, 2), false));
      sets.push_back(waves(info.example, true));
    } else if (info.kind == LayoutKind::string) {
      sets.push_back(symbols(info.example, false));
      sets.push_back(symbols(info.example, true));
    } else if (info.kind == LayoutKind::set) {
      sets.push_back(clouds(info.example, false));
      sets.push_back(clouds(info.example, true));
    } else if (info.kind == LayoutKind::sparse) {
      sets.push_back(entries(info.example));
    } else if (info.kind == LayoutKind::graph) {
      sets.push_back(graphs(info.example));
      sets.push_back(graphs(Layout::graph({.nodes = 6, .edges = 12, .directed = true})));
    } else if (info.kind == LayoutKind::pair) {
      sets.push_back(pairs(info.example));
      sets.push_back(pairs(Layout::pair(Layout::vector(5), Layout::vector(5))));
    } else {
      sets.push_back(moved_by_class(info.example));
    }
  }
  return sets;
}

SampleSet score_samples() {
  SampleSet set = labelled(Layout::vector(sample_classes), sample_rows);
  Random random(19);
  for (std::size_t i = 0; i < sample_rows; ++i)
    for (std::size_t c = 0; c < sample_classes; ++c)
      set.values.view().row(i)[c] =
          static_cast<float>((i % sample_classes == c ? 1 : -1) + random.normal());
  return set;
}

SampleSet with_numbers(SampleSet samples, std::size_t count) {
  struct Number {
    const char* name;
    double values[sample_classes];  ///< of the classes
    double deviation;
  };
  constexpr Number numbers[] = {{"height", {-1, 0, 1}, 0.1}, {"weight", {20, 0, 10}, 1}};
  Random random(20);
  for (const std::int32_t label : samples.labels)
    for (std::size_t t = 0; t < count; ++t)
      samples.targets.push_back(numbers[t].values[static_cast<std::size_t>(label)] +
                                numbers[t].deviation * random.normal());
  for (std::size_t t = 0; t < count; ++t) samples.target_names.emplace_back(numbers[t].name);
  return without_classes(std::move(samples));
}

SampleSet estimate_samples(std::size_t count) {
  SampleSet set = with_numbers(labelled(Layout::vector(count), sample_rows), count);
  Random random(21);
  for (std::size_t k = 0; k < set.targets.size(); ++k)
    set.values.values[k] = static_cast<float>(set.targets[k] + 0.5 * random.normal());
  return set;
}

SampleSet interval_samples(std::size_t count) {
  SampleSet set = estimate_samples(count);
  const FloatMatrix estimates = std::move(set.values);
  set.layout = Layout::vector(3 * count);
  set.values = FloatMatrix(sample_rows, 3 * count);
  Random random(22);
  for (std::size_t k = 0; k < estimates.values.size(); ++k) {
    float* const ends = set.values.values.data() + 3 * k;
    ends[1] = estimates.values[k];
    ends[0] = ends[1] - static_cast<float>(random.uniform());
    ends[2] = ends[1] + static_cast<float>(random.uniform());
  }
  return set;
}

SampleSet novelty_samples() {
  SampleSet set = estimate_samples(1);
  Random random(23);
  for (float& score : set.values.values) score = static_cast<float>(1 + random.normal());
  return without_target(std::move(set));
}

SampleSet without_target(SampleSet samples) {
  samples.targets.clear();
  samples.target_names.clear();
  return without_classes(std::move(samples));
}

SampleSet repeated(const SampleSet& samples, std::span<const double> weights) {
  const std::size_t numbers = samples.target_names.size();
  SampleSet all = samples;
  all.labels.clear();
  all.bases.clear();
  all.targets.clear();
  std::vector<std::size_t> rows, sizes;
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (double left = weights[i]; left > 0; --left) {
      rows.push_back(i);
      sizes.push_back(samples.values.view().size(i));
      all.labels.push_back(samples.labels[i]);
      for (std::size_t t = 0; t < numbers; ++t)
        all.targets.push_back(samples.targets[i * numbers + t]);
    }
  all.values = room_for(samples.layout, sizes);
  for (std::size_t i = 0; i < rows.size(); ++i)
    copy_rows(samples.values.view().rows_range(rows[i], 1), all.values.view().rows_range(i, 1));
  return all;
}

SampleSet many_samples() { return similarity_map(500 * sample_classes); }

}  // namespace semblance::conformance
