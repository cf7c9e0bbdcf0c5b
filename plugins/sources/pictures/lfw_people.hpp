// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace semblance::sources {

/// Which pictures show whom: for each person the positions of its pictures, number 1 first.
using PeoplePictures = std::map<std::string, std::vector<std::size_t>>;

/// Assigns the pictures of `path` to people by their names. Throws DataError if a name has another
/// form or occurs twice, or if a person's numbers have a gap.
PeoplePictures people_pictures(const std::string& path, std::span<const std::string> names);

/// A row of the data set.
struct FaceRow {
  std::string person;
  std::size_t picture = 0;  ///< position among all pictures
};

/// All pictures, by person and number; those not named like LFW images come last, without a person
/// (an empty name).
std::vector<FaceRow> all_faces(std::span<const std::string> names);

struct FaceRows {
  std::vector<FaceRow> train;
  std::vector<FaceRow> test;
};

/// All pictures of these people, by name and number; at most `most` per person, 0: all.
std::vector<FaceRow> rows_of(const PeoplePictures& pictures, std::span<const std::string> people,
                             std::size_t most);

}  // namespace semblance::sources
