// Fields of one entry of a kubeconfig: a cluster, a user or a context.
//
// The first thing that is wrong is kept and reading goes on with defaults, so that readers read
// straight down and check once, at the end. Values never stand in an error: they may be secret.
#pragma once

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
  // `what` is for errors: `cluster "staging"`. The object must stay.
  Entry(const std::filesystem::path& file, std::string what, const boost::json::object& object)
      : file_(file), what_(std::move(what)), object_(&object) {}

  // Null counts as absent, and absent as empty.
  [[nodiscard]] std::string text(std::string_view key);
  [[nodiscard]] bool flag(std::string_view key);
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  // What is given as base64.
  [[nodiscard]] std::string data(std::string_view key);
  // Relative paths are relative to the file.
  [[nodiscard]] std::string path(std::string_view key);
  [[nodiscard]] const boost::json::object* object(std::string_view key);
  [[nodiscard]] const boost::json::array* array(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  // The content of `key`-data, or of the file that `key` names; empty if there is neither.
  [[nodiscard]] std::string data_or_file(std::string_view key);

  void report(std::string problem);
  void report(Error error);
  [[nodiscard]] Result<void> check() const;

  // An entry within this one, `exec` of a user: its errors are to be reported here.
  [[nodiscard]] Entry within(const boost::json::object& object, std::string_view key) const;

 private:
  [[nodiscard]] const boost::json::value* find(std::string_view key) const;
  void report_type(std::string_view key, std::string_view expected);

  std::filesystem::path file_;
  std::string what_;
  const boost::json::object* object_;
  std::optional<Error> problem_;
};

// Relative to the folder of `file`.
[[nodiscard]] std::string beside(const std::filesystem::path& file, const std::string& path);

}  // namespace ebb::kube
