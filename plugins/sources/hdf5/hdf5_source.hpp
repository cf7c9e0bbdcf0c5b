// SPDX-License-Identifier: MIT
#pragma once

#include "table_source.hpp"

namespace semblance {

/// Matrices in HDF5 files.
class Hdf5 final : public TableSource {
 public:
  void check_parameters() const override;
  void apply_model(const NewData& data) override;
  bool keeps_missing() const override { return missing_ == "keep"; }
  bool gives_weights() const override { return !weights_.empty(); }
  bool gives_groups() const override { return !groups_.empty(); }
  Outline outline(Context& context) const override;
  std::unique_ptr<Dataset> open(Context& context) const override;
  static Declaration<Hdf5> declare();

 private:
  /// A data set with samples, and those with their labels and weights.
  struct Part {
    std::string file, samples, labels, weights, groups;
  };
  /// The parts with training samples, and with test samples if these are separate.
  std::vector<Part> parts() const;
  /// Reads all labels, and the values of wanted rows.
  std::unique_ptr<Dataset> read(const WantedRows& values, Context& context) const;

  std::string samples_;
  std::string labels_;
  std::string weights_;
  std::string groups_;
  std::string test_samples_;
  std::string test_labels_;
  std::string missing_ = "refuse";
};

}  // namespace semblance
