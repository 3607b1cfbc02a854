#include "runtime/process_host.h"
