#include <algorithm>

#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"
#include "sim/workload/formula.hpp"
#include "sim/workload/step_context.hpp"

namespace hotline::workload {
namespace {

/// A name with what stands in brackets behind it, and where in the text that is.
struct Name {
  std::string_view name;
  std::string_view index;
  std::size_t index_at = 0;
  bool has_index = false;
};

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// Reads one reference; each step reports what is wrong with its own part.
class ReferenceReader {
 public:
  ReferenceReader(const input::Value& value, const StepContext& context, ProgramBuilder& builder)
      : value_(value), context_(context), builder_(builder) {}

  std::optional<Reference> read(std::string_view text, Want want) {
    text_ = text;
    const auto object = take_name();
    if (!object || !find_object(*object)) return std::nullopt;
    if (!read_instance(*object, want)) return std::nullopt;
    if (at_ < text_.size() && !read_field()) return std::nullopt;
    if (at_ < text_.size())
      return fail("ends in " + quoted(text_.substr(at_)) + "; expected nothing");
    return check(want) ? std::optional(reference_) : std::nullopt;
  }

 private:
  std::nullopt_t fail(const std::string& message) {
    value_.error(quoted(text_) + " " + message);
    return std::nullopt;
  }

  const ObjectSpec& object() const { return context_.scenario.objects[reference_.object]; }
  const FieldSpec& field() const { return object().fields[reference_.field]; }

  std::optional<Name> take_name() {
    Name found;
    const std::size_t end = std::min(text_.find_first_of(".[", at_), text_.size());
    found.name = text_.substr(at_, end - at_);
    at_ = end;
    if (at_ < text_.size() && text_[at_] == '[') {
      const std::size_t close = text_.find(']', at_);
      if (close == std::string_view::npos) return fail("has no closing bracket");
      found.has_index = true;
      found.index_at = at_ + 1;
      found.index = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
    }
    return found;
  }

  bool find_object(const Name& name) {
    std::vector<std::string> names;
    for (const ObjectSpec& spec : context_.scenario.objects) names.push_back(spec.name);
    const auto found = std::find(names.begin(), names.end(), name.name);
    if (found == names.end()) {
      value_.error("there is no object " + quoted(name.name) + "; " +
                   input::suggestion(name.name, names));
      return false;
    }
    reference_.object = static_cast<std::uint32_t>(found - names.begin());
    return true;
  }

  bool read_instance(const Name& name, Want want) {
    if (!name.has_index) {
      if (object().instances != Instances::kNumber || want == Want::kList) return true;
      fail("does not say which of the " + std::to_string(object().count) + " instances; write " +
           std::string(name.name) + "[thread % " + std::to_string(object().count) + "], say");
      return false;
    }
    if (want == Want::kList) {
      fail("has an instance; a list is an object with all its instances");
      return false;
    }
    return index(name, reference_.instance);
  }

  bool index(const Name& name, std::uint32_t& into) {
    auto formula =
        parse_formula(value_, name.index, name.index_at, number(context_.scenario.names.scope));
    if (!formula) return false;
    into = builder_.expression(std::move(*formula));
    return true;
  }

  bool read_field() {
    ++at_;  // the point
    const auto name = take_name();
    if (!name) return false;
    if (object().model) {
      fail("has a field, but " + quoted(object().name) + " is a " + object().model->name);
      return false;
    }
    std::vector<std::string> names;
    for (const FieldSpec& spec : object().fields) names.push_back(spec.name);
    const auto found = std::find(names.begin(), names.end(), name->name);
    if (found == names.end()) {
      value_.error(quoted(object().name) + " has no field " + quoted(name->name) + "; " +
                   input::suggestion(name->name, names));
      return false;
    }
    reference_.field = static_cast<std::uint32_t>(found - names.begin());
    return read_element(*name);
  }

  bool read_element(const Name& name) {
    if (name.has_index) return index(name, reference_.element);
    if (field().count == 1) return true;
    fail("does not say which of the " + std::to_string(field().count) + " elements");
    return false;
  }

  bool check(Want want) {
    const bool whole = reference_.field == kNone;
    const std::optional<ModelUse>& use = whole ? object().model : field().model;
    const bool is_counter = use && model::is_counter(use->entry->kind);
    const bool is_word = !use && !whole;
    bool good = false;
    std::string wanted;
    switch (want) {
      case Want::kLock:
        good = use && model::is_lock(use->entry->kind);
        wanted = "a lock";
        break;
      case Want::kReadWriteLock:
        good = use && use->entry->kind == model::Kind::kReadWriteLock;
        wanted = "a reader-writer lock (read_lock is for sequence locks too)";
        break;
      case Want::kSharedLock:
        good = use && model::has_readers(use->entry->kind);
        wanted = "a reader-writer lock or a sequence lock (with is for all locks)";
        break;
      case Want::kCounter:
        good = is_counter;
        wanted = "a counter";
        break;
      case Want::kReference:
        good = use && model::is_reference(use->entry->kind);
        wanted = "a reference";
        break;
      case Want::kCondition:
        good = use && use->entry->kind == model::Kind::kConditionVariable;
        wanted = "a condition variable";
        break;
      case Want::kRcu:
        good = use && use->entry->kind == model::Kind::kRcu;
        wanted = "an RCU domain";
        break;
      case Want::kWord:
        good = is_word;
        wanted = "a plain field of a struct";
        break;
      case Want::kCounterOrWord:
        good = is_counter || is_word;
        wanted = "a counter, or a plain field of a struct";
        break;
      default:
        good = !use;
        wanted = "a struct, or a plain field of one";
        break;
    }
    if (!good) fail("is " + what(use, whole) + "; expected " + wanted);
    return good;
  }

  static std::string what(const std::optional<ModelUse>& use, bool whole) {
    if (!use) return whole ? "a struct" : "a plain field";
    return std::string(what(use->entry->kind)) + " (" + use->name + ")";
  }

  static std::string_view what(model::Kind kind) {
    switch (kind) {
      case model::Kind::kCounter:
        return "a counter";
      case model::Kind::kReference:
        return "a reference";
      case model::Kind::kReadWriteLock:
        return "a reader-writer lock";
      case model::Kind::kSequenceLock:
        return "a sequence lock";
      case model::Kind::kConditionVariable:
        return "a condition variable";
      case model::Kind::kRcu:
        return "an RCU domain";
      default:
        return "a lock";
    }
  }

  const input::Value& value_;
  const StepContext& context_;
  ProgramBuilder& builder_;
  std::string_view text_;
  std::size_t at_ = 0;
  Reference reference_;
};

}  // namespace

std::optional<Reference> read_reference(const input::Value& value, Want want,
                                        const StepContext& context, ProgramBuilder& builder) {
  const auto text = value.as(input::text());
  if (!text) return std::nullopt;
  return ReferenceReader(value, context, builder).read(*text, want);
}

}  // namespace hotline::workload
