// The API server's answer to one request, and the pieces of a watch.
#pragma once

#include <memory>

#include "apiserver/store/change.h"
#include "base/timestamp.h"

namespace ebb::apiserver {

class WatchCursor;      // watch.h
struct WebhookSession;  // admission/webhook_session.h

struct Reply {
  ApiResponse response;
  // Send the response once this revision is published; 0: immediately.
  Revision after = 0;
  // Set for watches: send the head of the response, then the output of follow() until it ends.
  std::shared_ptr<WatchCursor> watch;
  // Set if the request needs a future revision: call handle() with the same request again once this
  // revision is published, or at `retry_at`, whichever is first.
  Revision retry_after = 0;
  Timestamp retry_at;
  // Set if webhooks must be called first: answer the questions, then call handle() again with this
  // session and the same request. There is no response before that.
  std::shared_ptr<WebhookSession> session;
};

// A piece of a watch's stream.
struct Frames {
  Bytes bytes;
  bool more = false;   // more can be sent right now
  bool ended = false;  // close the stream
  Timestamp wake_at;   // call again then, even without a new revision
};

}  // namespace ebb::apiserver
