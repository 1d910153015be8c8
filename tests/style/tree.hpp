#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hotline::tests::style {

/// A file of the tree: its path from the top, with slashes, and all of its text.
struct SourceFile {
  std::string path;
  std::string text;
};

/// The files that the rules look at, in order of path.
using Tree = std::vector<SourceFile>;

/// A breach of a rule: where it is (lines count from 1) and what is wrong, in words.
struct Violation {
  std::string path;
  std::size_t line;
  std::string message;
};
using Violations = std::vector<Violation>;

/// Reads the sources, CMake files and model pages below `root`; throws when a folder can't be read.
Tree read_tree(const std::filesystem::path& root);

/// Renders violations as `path:line: message`, one a line; empty when there are none.
std::string to_text(const Violations& violations);

/// An #include line.
struct Include {
  std::size_t line;
  std::string name;
  bool is_angled;
};

/// Lists the includes of a source text, those in comments left out.
std::vector<Include> includes_of(std::string_view text);

/// Returns the text with the contents of comments, strings and character literals blanked; lines
/// and columns keep their places.
std::string code_only(std::string_view text);

/// Says on which line of `text` the byte at `offset` stands, counted from 1.
std::size_t line_at(std::string_view text, std::size_t offset);

/// Says whether the path is a C++ source or header.
bool is_cpp(std::string_view path);

/// The folder of a path, without a slash at its end; empty at the top.
std::string folder_of(std::string_view path);

/// The file's name without folder and extension.
std::string stem_of(std::string_view path);

}  // namespace hotline::tests::style
