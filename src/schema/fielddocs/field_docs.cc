#include "schema/fielddocs/field_docs.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/check.h"
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {
namespace {

// Structure and field. The doc of the structure itself has an empty field.
using Place = std::pair<std::string, std::string>;
using FieldDocs = std::map<Place, std::string>;

class Reader {
 public:
  explicit Reader(FieldDocs& field_docs) : notes_(field_docs) {}

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
    if (!is_field) schema_ = package_ + name;
    const auto [place, is_new] =
        notes_.emplace(Place{schema_, is_field ? name : ""}, line.substr(colon + 2));
    EBB_CHECK(is_new);
    last_ = &place->second;
  }

  static constexpr std::size_t kFieldIndent = 2;

  FieldDocs& notes_;
  std::string package_;
  std::string schema_;
  std::string* last_ = nullptr;  // for continuation lines
};

FieldDocs read_all() {
  FieldDocs field_docs;
  Reader reader(field_docs);
  for (const std::string_view text :
       {kMetaFieldDocs, kAdmissionFieldDocs, kAppsFieldDocs, kCoreFieldDocs, kPodFieldDocs,
        kPodStatusFieldDocs, kContainerFieldDocs, kSecurityFieldDocs, kSchedulingFieldDocs,
        kVolumeFieldDocs, kStorageFieldDocs, kServiceFieldDocs, kNodeFieldDocs, kReviewFieldDocs}) {
    reader.read(text);
  }
  reader.read(ebb_field_docs());
  return field_docs;
}

const FieldDocs& all_field_docs() {
  static const FieldDocs kFieldDocs = read_all();
  return kFieldDocs;
}

std::string_view find(std::string_view schema, std::string_view field) {
  const FieldDocs& field_docs = all_field_docs();
  const auto found = field_docs.find(Place{schema, field});
  return found == field_docs.end() ? std::string_view() : std::string_view(found->second);
}

// Looks up the structure that contains the field itself.
std::string_view own_field_doc(const ObjectSchema& schema, std::string_view field_name) {
  if (const std::string_view field_doc = find(schema.name, field_name); !field_doc.empty())
    return field_doc;
  for (const Field& field : schema.fields) {
    if (!field.is_inlined) continue;
    if (const std::string_view field_doc = own_field_doc(*field.schema, field_name);
        !field_doc.empty()) {
      return field_doc;
    }
  }
  return {};
}

}  // namespace

std::string_view field_doc_of(const ObjectSchema& schema) { return find(schema.name, ""); }

std::string_view field_doc_of(std::string_view schema_name) { return find(schema_name, ""); }

std::string_view field_doc_of(const ObjectSchema& schema, std::string_view field_name) {
  const std::string_view field_doc = own_field_doc(schema, field_name);
  return field_doc.empty() ? find(kCommonFieldDocs, field_name) : field_doc;
}

std::vector<std::string> documented_fields() {
  std::vector<std::string> places;
  for (const auto& [place, field_doc] : all_field_docs()) {
    places.push_back(place.second.empty() ? place.first : place.first + '.' + place.second);
  }
  return places;
}

}  // namespace ebb::schema
