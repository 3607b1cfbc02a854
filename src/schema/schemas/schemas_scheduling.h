// Schemas of scheduling constraints.
#pragma once  // private to its room

#include "schema/core/object_schema.h"

namespace ebb::schema {

extern const ObjectSchema kAffinity;
extern const ObjectSchema kToleration;
extern const ObjectSchema kTopologySpreadConstraint;
extern const ObjectSchema kTaint;

}  // namespace ebb::schema
