// How the process deals with memory it is done with.
#pragma once

namespace ebb {

// A decision about many pods takes some megabytes for a moment. The C library would
// hand them back to the system after each decision and get them again page by page,
// which takes as long as a good part of the decision. To be called once, in main().
void keep_freed_memory();

}  // namespace ebb
