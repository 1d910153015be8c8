#pragma once

#include "tests/style/tree.hpp"

namespace hotline::tests::style {

/// Includes between layers go only to layers earlier in the order of design and CMakeLists.txt,
/// and are written from the top of the tree.
Violations check_layers(const Tree& tree);

/// No two folders include each other, unless one lies in the other.
Violations check_two_way_folders(const Tree& tree);

/// A third-party header is included only in the layers that own it.
Violations check_third_party(const Tree& tree);

/// A layer's CMakeLists.txt links only earlier layers, and third parties that the layer owns.
Violations check_links(const Tree& tree);

}  // namespace hotline::tests::style
