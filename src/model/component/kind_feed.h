// Follows one kind on an API server for the components of a process: delivers every existing object
// once, then every change. Each object is decoded once for all components.
//
// The feed says what to request (a streaming list, or pages where the server has none, then
// watches) and takes the bytes of the responses, from within the process or over HTTP. If its
// revision is too old for the server, it lists again and reports the objects that are gone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "model/api/api.h"
#include "model/component/component.h"
#include "schema/core/kind.h"

namespace ebb::model {

class KindFeed {
 public:
  enum class Lists { kStreaming, kStreamingOrPages };

  explicit KindFeed(const schema::Kind& kind, Lists lists = Lists::kStreaming)
      : kind_(kind), lists_(lists) {}

  [[nodiscard]] const schema::Kind& kind() const { return kind_; }
  // Whether all objects that existed at the start have been delivered.
  [[nodiscard]] bool synced() const { return synced_; }

  // The next request: a list at the start, or a watch from where the last one ended.
  [[nodiscard]] ApiRequest next_request();
  // Whether the last request was for a page of a list, whose response goes to take_page(), and not
  // a watch.
  [[nodiscard]] bool asked_for_page() const { return paging_; }

  using Notify = std::function<void(const ObjectEvent&)>;
  // Takes bytes of the watch's stream, split anywhere. Returns false if they are not from a watch
  // or its position is lost; the caller must then drop the rest of the stream.
  [[nodiscard]] bool take(std::string_view bytes, const Notify& notify);
  // Takes the body of a page. Returns false if it is not one.
  [[nodiscard]] bool take_page(std::string_view body, const Notify& notify);
  // The server rejected the request with this code: the revision may be too old, or the server may
  // not support streaming lists.
  void refused(int code);

 private:
  // The fields needed to report that an object is gone.
  struct Known {
    std::string uid;
    bool seen = true;  // in the listing in progress
  };
  using Key = std::pair<std::string, std::string>;  // namespace, name

  [[nodiscard]] bool take_line(std::string_view line, const Notify& notify);
  void take_object(std::string_view type, boost::json::object object, const Notify& notify);
  void take_bookmark(const boost::json::object& object, const Notify& notify);
  void take_error(const boost::json::object& status);
  void end_listing(const Notify& notify);
  // For objects whose last state is not kept: reports only their name, namespace and uid.
  void notify_deleted(const Key& key, const Known& known, const Notify& notify) const;
  void start_over();
  void give_up_streams();

  const schema::Kind& kind_;
  const Lists lists_;
  std::map<Key, Known> known_;
  std::string rest_;      // of the stream: an incomplete line
  std::string revision_;  // empty: start with a list
  bool listing_ = false;
  bool paging_ = false;
  std::string continue_;  // of the next page; empty: the first
  // Streaming lists that started but did not complete, since the last complete one.
  unsigned unfinished_streams_ = 0;
  bool stream_began_ = false;
  bool synced_ = false;
};

}  // namespace ebb::model
