// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "semblance/report.hpp"

namespace semblance {

/// Whether it is a table of similarities, named `similarities`, whose rows and columns are the same
/// samples, each under the name of its class, ordered by class.
bool is_similarity_matrix(const Table& table);

/// The similarities as a heat map; `node` is the name of the table's node.
std::string similarity_matrix_html(const Table& table, const std::string& node);

/// Whether it is a table of places in the plane, named `classical_scaling`: two columns, one row
/// per sample under the name of its class.
bool is_plane_of_samples(const Table& table);

/// The places as points of the plane, in the colours of their classes.
std::string plane_of_samples_html(const Table& table, const std::string& node);

}  // namespace semblance
