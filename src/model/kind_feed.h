// Follows one kind on an API server for the machines of a process: every object once at
// the beginning, then every change, each decoded once however many machines look at it.
//
// It says what to ask for (a streaming list, or pages where the server has none, then watches)
// and takes the bytes that come, be it from within the process or over HTTP. If the history has
// gone past it, it lists again and tells of what is gone.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "model/api.h"
#include "model/machine.h"
#include "schema/kind.h"

namespace ebb::model {

class KindFeed {
 public:
  enum class Lists { kStreaming, kStreamingOrPages };

  explicit KindFeed(const schema::Kind& kind, Lists lists = Lists::kStreaming)
      : kind_(kind), lists_(lists) {}

  [[nodiscard]] const schema::Kind& kind() const { return kind_; }
  // Whether all that existed in the beginning has been told.
  [[nodiscard]] bool synced() const { return synced_; }

  // What to ask for next: from the start, or from where the last watch ended.
  [[nodiscard]] ApiRequest next_request();
  // Whether that was a page of a list, whose answer goes to take_page(), and not a watch.
  [[nodiscard]] bool asked_for_page() const { return paging_; }

  using Tell = std::function<void(const ObjectEvent&)>;
  // Bytes of the watch's stream; they may end anywhere. False: they are no watch's, or its
  // place is lost; nothing more of this stream is to be taken.
  [[nodiscard]] bool take(std::string_view bytes, const Tell& tell);
  // The body of a page. False: it is none.
  [[nodiscard]] bool take_page(std::string_view body, const Tell& tell);
  // The request was refused with this code: what it wanted to go on from may be too old, or
  // the server may have no streaming lists.
  void refused(int code);

 private:
  // What has to be known of an object to tell that it is gone.
  struct Known {
    std::string uid;
    bool seen = true;  // in the listing that is under way
  };
  using Key = std::pair<std::string, std::string>;  // namespace, name

  [[nodiscard]] bool take_line(std::string_view line, const Tell& tell);
  void take_object(std::string_view type, boost::json::object object, const Tell& tell);
  void take_bookmark(const boost::json::object& object, const Tell& tell);
  void take_error(const boost::json::object& status);
  void end_listing(const Tell& tell);
  // For objects whose last state nobody has: only what names them is told.
  void tell_gone(const Key& key, const Known& known, const Tell& tell) const;
  void start_over();
  void give_up_streams();

  const schema::Kind& kind_;
  const Lists lists_;
  std::map<Key, Known> known_;
  std::string rest_;      // of the stream: a line that has not ended
  std::string revision_;  // empty: nothing to go on from
  bool listing_ = false;
  bool paging_ = false;
  std::string continue_;  // of the page to come; empty: the first
  // Streaming lists of which something came, since one came to its end.
  unsigned unfinished_streams_ = 0;
  bool stream_began_ = false;
  bool synced_ = false;
};

}  // namespace ebb::model
