// The fields of one kubeconfig entry: a cluster, a user or a context.
//
// The first problem is kept and reading goes on with defaults, so that callers read straight
// through and check once, at the end. Errors never contain values: they may be secret.
#pragma once  // private to its room

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/result.h"

namespace ebb::kube {

class Entry {
 public:
  // `what` is for errors: `cluster "staging"`. The object must outlive the entry.
  Entry(const std::filesystem::path& file, std::string what, const boost::json::object& object)
      : file_(file), what_(std::move(what)), object_(&object) {}

  // Null counts as absent, and absent as empty.
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] bool flag(std::string_view key);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  // A base64 value, decoded.
  [[nodiscard]] std::string data(std::string_view key);
  // Relative paths are relative to the file.
  [[nodiscard]] std::string path(std::string_view key);
  [[nodiscard]] const boost::json::object* object(std::string_view key);
  [[nodiscard]] const boost::json::array* array(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  // The content of `key`-data, or of the file that `key` names; empty if both are absent.
  [[nodiscard]] std::string data_or_file(std::string_view key);

  void report(std::string problem);
  void report(Error error);
  [[nodiscard]] Result<void> check() const;

  // A nested entry, such as `exec` of a user; its errors are reported here.
  [[nodiscard]] Entry within(const boost::json::object& object, std::string_view key) const;

 private:
  [[nodiscard]] const boost::json::value* find(std::string_view key) const;
  void report_type(std::string_view key, std::string_view expected);

  std::filesystem::path file_;
  std::string what_;
  const boost::json::object* object_;
  std::optional<Error> problem_;
};

// Resolves a path relative to the folder of `file`.
[[nodiscard]] std::string beside(const std::filesystem::path& file, const std::string& path);

}  // namespace ebb::kube
