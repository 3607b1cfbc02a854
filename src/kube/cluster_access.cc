#include "kube/cluster_access.h"
