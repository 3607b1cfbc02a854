// Shapes of scheduling constraints.
#pragma once

#include "schema/shape.h"

namespace ebb::schema {

extern const Shape kAffinity;
extern const Shape kToleration;
extern const Shape kTopologySpreadConstraint;
extern const Shape kTaint;

}  // namespace ebb::schema
