// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace semblance {

/// Which pictures show whom: for each person the positions of its pictures, number 1 first.
using PeoplePictures = std::map<std::string, std::vector<std::size_t>>;

/// Sorts out the pictures of `path` by their names. Throws DataError where a name is of another
/// kind, comes twice, or a person's numbers have a gap.
PeoplePictures people_pictures(const std::string& path, std::span<const std::string> names);

/// A row of the data set.
struct FaceRow {
  std::string person;
  std::size_t picture = 0;  ///< position among all pictures
};

/// All pictures, by person and number; those that are not named like the images of LFW
/// come last and are of nobody (an empty name).
std::vector<FaceRow> all_faces(std::span<const std::string> names);

struct FaceRows {
  std::vector<FaceRow> train;
  std::vector<FaceRow> test;
};

/// All pictures of these people, by name and number; at most `most` of each, 0: all.
std::vector<FaceRow> rows_of(const PeoplePictures& pictures, std::span<const std::string> people,
                             std::size_t most);

}  // namespace semblance
