// Controls what the process does with freed memory.
#pragma once

namespace ebb {

// Keeps freed memory in the process. A decision about many pods needs some megabytes for a moment.
// By default, the C library returns them to the system after each decision and gets them back page
// by page, which takes a good part of the decision's time. Call once, in main().
void keep_freed_memory();

}  // namespace ebb
