// Keeps the ValidatingWebhookConfiguration of `ebb webhook` up to date, in every replica.
//
// It reads the object when policies or certificates have changed, and every few minutes, and writes
// only if something differs. A replica waits a random moment before it reads, so that usually one
// writes and the others find that nothing is left to do. There is no watch: replicas that disagree
// for a while must not answer each other's writes.
#pragma once

#include <memory>

#include "control/controller/controller.h"
#include "control/controller/registration_settings.h"
#include "control/controller/webhook_settings.h"

namespace ebb::control {

[[nodiscard]] std::unique_ptr<Controller> make_registration_controller(
    const ControllerContext& context, RegistrationSettings registration, WebhookSettings webhook);

}  // namespace ebb::control
