#include "sim/model/params.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/input/suggest.hpp"

namespace hotline::model {

namespace {

struct Unit {
  std::uint64_t ps;
  const char* name;
};
constexpr std::array<Unit, 5> kUnits{
    {{1'000'000'000'000, "s"}, {1'000'000'000, "ms"}, {1'000'000, "us"}, {1'000, "ns"}, {1, "ps"}}};

/// As YAML spells it, in the largest unit that leaves a whole number.
std::string spell(engine::Duration length) {
  if (length.ps() == 0) return "0ns";
  const auto whole = std::find_if(kUnits.begin(), kUnits.end(),
                                  [&](Unit unit) { return length.ps() % unit.ps == 0; });
  return std::to_string(length.ps() / whole->ps) + whole->name;
}

std::string spell(bool value) { return value ? "true" : "false"; }

std::string join(const std::vector<std::string_view>& spellings) {
  std::string text;
  for (const std::string_view spelling : spellings) {
    if (!text.empty()) text += " | ";
    text += spelling;
  }
  return text;
}

/// What the user gave, for a message.
std::string given_text(const ParamValue& value) {
  struct Speller {
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(bool flag) const { return spell(flag); }
    std::string operator()(engine::Duration length) const { return spell(length); }
    std::string operator()(const std::string& text) const { return '"' + text + '"'; }
  };
  return std::visit(Speller{}, value);
}

std::vector<std::string> copies(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

}  // namespace

template <class T>
const T* ParamReader::find(std::string_view name, std::string_view expected) {
  const auto given = given_.find(name);
  if (given == given_.end()) return nullptr;
  const T* value = std::get_if<T>(&given->second);
  if (value == nullptr)
    reject(name, given_text(given->second) + " is not " + std::string(expected));
  return value;
}

void ParamReader::reject(std::string_view name, std::string message) {
  problems_.push_back({std::string(name), std::move(message)});
}

std::int64_t ParamReader::integer(std::string_view name, std::int64_t fallback, std::int64_t least,
                                  std::int64_t most, std::string_view description) {
  const std::string bounds = std::to_string(least) + " to " + std::to_string(most);
  declared_.push_back(
      {std::string(name), "integer", std::to_string(fallback), bounds, std::string(description)});
  const std::int64_t* value = find<std::int64_t>(name, "a whole number");
  if (value == nullptr) return fallback;
  if (*value >= least && *value <= most) return *value;
  reject(name, std::to_string(*value) + " is not in " + bounds);
  return fallback;
}

engine::Duration ParamReader::duration(std::string_view name, engine::Duration fallback,
                                       std::string_view description) {
  declared_.push_back(
      {std::string(name), "duration", spell(fallback), "", std::string(description)});
  const auto* value = find<engine::Duration>(name, "a duration; write 40ns or 1.5us");
  return value == nullptr ? fallback : *value;
}

bool ParamReader::boolean(std::string_view name, bool fallback, std::string_view description) {
  declared_.push_back(
      {std::string(name), "boolean", spell(fallback), "", std::string(description)});
  const bool* value = find<bool>(name, "true or false");
  return value == nullptr ? fallback : *value;
}

std::size_t ParamReader::choice(std::string_view name, std::size_t fallback,
                                const std::vector<std::string_view>& spellings,
                                std::string_view description) {
  declared_.push_back({std::string(name), "choice", std::string(spellings.at(fallback)),
                       join(spellings), std::string(description)});
  const std::string* value = find<std::string>(name, "one of " + join(spellings));
  if (value == nullptr) return fallback;
  const auto chosen = std::find(spellings.begin(), spellings.end(), *value);
  if (chosen != spellings.end()) return static_cast<std::size_t>(chosen - spellings.begin());
  reject(name, "unknown \"" + *value + "\"; " + input::suggestion(*value, copies(spellings)));
  return fallback;
}

std::vector<ParamProblem> ParamReader::problems() const {
  std::vector<std::string> known;
  for (const ParamSpec& spec : declared_) known.push_back(spec.name);

  std::vector<ParamProblem> all = problems_;
  for (const auto& [name, value] : given_) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string hint =
        known.empty() ? "this model has no parameters" : input::suggestion(name, known);
    all.push_back({name, "unknown parameter; " + hint});
  }
  return all;
}

}  // namespace hotline::model
