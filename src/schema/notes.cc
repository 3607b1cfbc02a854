#include "schema/notes.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/check.h"
#include "schema/notes_text.h"

namespace ebb::schema {
namespace {

// Structure and field. The note of a structure itself has no field.
using Place = std::pair<std::string, std::string>;
using Notes = std::map<Place, std::string>;

class Reader {
 public:
  explicit Reader(Notes& notes) : notes_(notes) {}

  void read(std::string_view text) {
    package_.clear();
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      read_line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  }

 private:
  void read_line(std::string_view line) {
    constexpr std::string_view kPackage = "package ";
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos) return;
    line.remove_prefix(indent);
    if (line.starts_with(kPackage)) {
      package_ = std::string(line.substr(kPackage.size())) + '.';
    } else if (indent > kFieldIndent) {
      EBB_CHECK(last_ != nullptr);
      *last_ += ' ';
      *last_ += line;
    } else {
      add(line, indent == kFieldIndent);
    }
  }

  void add(std::string_view line, bool is_field) {
    const std::size_t colon = line.find(": ");
    EBB_CHECK(colon != std::string_view::npos);
    const std::string name(line.substr(0, colon));
    if (!is_field) shape_ = package_ + name;
    const auto [place, is_new] =
        notes_.emplace(Place{shape_, is_field ? name : ""}, line.substr(colon + 2));
    EBB_CHECK(is_new);
    last_ = &place->second;
  }

  static constexpr std::size_t kFieldIndent = 2;

  Notes& notes_;
  std::string package_;
  std::string shape_;
  std::string* last_ = nullptr;  // for a line that goes on
};

Notes read_all() {
  Notes notes;
  Reader reader(notes);
  for (const std::string_view text :
       {kMetaNotes, kAdmissionNotes, kAppsNotes, kCoreNotes, kPodNotes, kPodStatusNotes,
        kContainerNotes, kSecurityNotes, kSchedulingNotes, kVolumeNotes, kStorageNotes,
        kServiceNotes, kNodeNotes, kReviewNotes}) {
    reader.read(text);
  }
  reader.read(ebb_notes());
  return notes;
}

const Notes& all_notes() {
  static const Notes kNotes = read_all();
  return kNotes;
}

std::string_view find(std::string_view shape, std::string_view field) {
  const Notes& notes = all_notes();
  const auto found = notes.find(Place{shape, field});
  return found == notes.end() ? std::string_view() : std::string_view(found->second);
}

// Under the structure that really has the field.
std::string_view own_note(const Shape& shape, std::string_view field_name) {
  if (const std::string_view note = find(shape.name, field_name); !note.empty()) return note;
  for (const Field& field : shape.fields) {
    if (!field.is_inlined) continue;
    if (const std::string_view note = own_note(*field.shape, field_name); !note.empty()) {
      return note;
    }
  }
  return {};
}

}  // namespace

std::string_view note_of(const Shape& shape) { return find(shape.name, ""); }

std::string_view note_of(std::string_view shape_name) { return find(shape_name, ""); }

std::string_view note_of(const Shape& shape, std::string_view field_name) {
  const std::string_view note = own_note(shape, field_name);
  return note.empty() ? find(kCommonNotes, field_name) : note;
}

std::vector<std::string> noted_places() {
  std::vector<std::string> places;
  for (const auto& [place, note] : all_notes()) {
    places.push_back(place.second.empty() ? place.first : place.first + '.' + place.second);
  }
  return places;
}

}  // namespace ebb::schema
