// SPDX-License-Identifier: MIT
// The peak memory of a run, compared with its budget, for every source.
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "program.hpp"

namespace memory_peaks_test {

using namespace semblance::testing;

namespace {

constexpr std::size_t budget_mebibytes = 144;

struct Case {
  std::string name;
  std::string source;                   ///< the node's parameters
  std::function<void()> write = [] {};  ///< its files
};

std::string big_endian(std::uint32_t x) {
  return {char(x >> 24), char(x >> 16 & 255), char(x >> 8 & 255), char(x & 255)};
}

/// Position-dependent bytes without structure.
std::string noise(std::size_t bytes, std::uint32_t seed) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) {
    seed = seed * 1664525u + 1013904223u;
    text[i] = char(seed >> 24);
  }
  return text;
}

std::string table(std::size_t rows, std::size_t columns, bool sparse) {
  std::string text;
  std::uint32_t seed = 1;
  for (std::size_t r = 0; r < rows; ++r) {
    if (sparse) text += r % 2 ? "1" : "2";
    for (std::size_t c = 0; c < columns; ++c) {
      seed = seed * 1664525u + 1013904223u;
      const std::string value = "0." + std::to_string(seed >> 20);
      text += sparse ? " " + std::to_string(c + 1) + ":" + value : value + ",";
    }
    text += sparse ? "\n" : r % 2 ? "a\n" : "b\n";
  }
  return text;
}

void write_npy(const Workplace& work, std::size_t rows, std::size_t columns) {
  const auto array = [](const std::string& type, const std::string& shape,
                        const std::string& bytes) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
    header += '\n';
    return std::string("\x93NUMPY\x01\0", 8) + char(header.size() & 255) +
           char(header.size() >> 8) + header + bytes;
  };
  std::string labels;
  for (std::size_t r = 0; r < rows; ++r) labels += char(r % 2);
  work.file("values.npy", array("|u1", std::to_string(rows) + ", " + std::to_string(columns),
                                noise(rows * columns, 3)));
  work.file("labels.npy", array("|u1", std::to_string(rows) + ",", labels));
}

void write_idx(const Workplace& work, std::uint32_t rows) {
  std::string labels;
  for (std::uint32_t r = 0; r < rows; ++r) labels += char(r % 2);
  work.file("images.idx", big_endian(0x803) + big_endian(rows) + big_endian(28) + big_endian(28) +
                              noise(rows * 28 * 28, 4));
  work.file("labels.idx", big_endian(0x801) + big_endian(rows) + labels);
}

/// Small pictures, which a folder has thousands of.
void write_pictures(const Workplace& work, int count) {
  for (int i = 0; i < count; ++i) {
    const std::string person = "P" + std::to_string(i % 10);
    const std::string index = std::to_string(10001 + i / 10).substr(1);
    const std::string picture = "P5 40 40 255\n" + noise(40 * 40, static_cast<std::uint32_t>(i));
    work.file("faces/" + person + "/" + person + "_" + index + ".pgm", picture);
  }
  REQUIRE(work.shell("tar -cf faces.tar faces").exit == 0);
}

void write_cifar10(const Workplace& work) {
  for (const char* batch : {"data_batch_1.bin", "test_batch.bin"}) {
    std::string records;
    for (int i = 0; i < 2400; ++i)
      records += char(i % 10) + noise(3072, static_cast<std::uint32_t>(i));
    work.file(std::string("cifar/") + batch, records);
  }
}

/// The largest run for all sources, and its peak.
void check_peak(const Workplace& work, const Case& source, int threads) {
  CAPTURE(source.name);
  CAPTURE(threads);
  work.file("p.yaml", "name: peak\nnodes:\n  data: {is: source/" + source.source +
                          "}\n  x:    {is: normalizer/zscore, from: data}\n"
                          "  svm:  {is: solver/linear_svm_sgd, epochs: 1, from: x}\n"
                          "  test: {is: evaluator/classification, from: svm}\n");
  work.succeed("run p.yaml --data . --quiet --no-cache --out out --memory " +
               std::to_string(budget_mebibytes) + "M --threads " + std::to_string(threads));
  const auto peak = work.metrics("out").at("peak_memory_bytes").get<std::size_t>();
  MESSAGE(source.name << " with " << threads << " threads: " << (peak >> 20) << " MiB");
  CHECK((peak >> 20) <= budget_mebibytes);
}

}  // namespace

TEST_CASE("every source stays within the budget, with few threads and with many" *
          doctest::skip(sanitized)) {
  const Workplace work;
  const auto pictures = [&] { write_pictures(work, 7500); };
  const std::string split = ", test_fraction: 0.3";
  const std::string points = ", train: 1000000, test: 100000";
  const std::vector<Case> sources = {
      {"banana", "banana" + points},
      {"checkerboard", "checkerboard, classes: 20, examples_per_class: 3000, task: interexample"},
      {"cifar10", "cifar10, path: cifar, train_folds: [1], images_per_batch: 2400",
       [&] { write_cifar10(work); }},
      {"clusters", "clusters, columns: 200, train: 50000, test: 5000"},
      {"csv", "csv, path: t.csv, label: -1" + split,
       [&] { work.file("t.csv", table(100'000, 40, false)); }},
      {"double_interval",
       "double_interval, classes: 20, examples_per_class: 50, task: interexample"},
      {"glyphs", "glyphs, size: 40, train_per_class: 800, test_per_class: 200"},
      {"idx",
       "idx, train_images: images.idx, train_labels: labels.idx, test_images: images.idx, "
       "test_labels: labels.idx",
       [&] { write_idx(work, 20'000); }},
      {"images in a folder", "images, path: faces, color: grey" + split, pictures},
      {"images in an archive", "images, path: faces.tar, color: grey" + split, pictures},
      {"lfw",
       "lfw, path: ., images: faces, task: interexample, classes: 10, "
       "examples_per_class: 200, test_examples_per_class: 60",
       pictures},
      {"libsvm", "libsvm, path: t.libsvm" + split,
       [&] { work.file("t.libsvm", table(100'000, 40, true)); }},
      {"npy", "npy, path: values.npy, label: labels.npy" + split,
       [&] { write_npy(work, 20'000, 784); }},
      {"rings", "rings" + points},
      {"xor", "xor" + points}};
  for (std::size_t n = 0; n < sources.size(); ++n)
    for (const auto& [turn, threads] : {std::pair(0, 2), {1, 16}})
      if (of_the_day(2 * n + turn, 6)) {
        sources[n].write();
        check_peak(work, sources[n], threads);
      }
}

}  // namespace memory_peaks_test
