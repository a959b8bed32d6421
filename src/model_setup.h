/* SPDX-License-Identifier: MIT */
/* model_setup: the model that the options describe. */
#ifndef ASSENT_MODEL_SETUP_H
#define ASSENT_MODEL_SETUP_H

#include "base/error.h"
#include "base/loop.h"
#include "config/options.h"
#include "risk/model.h"

/* NULL without a message when none is configured, with one when the options cannot be used. */
struct model *model_setup(struct loop *loop, const struct options *options, struct error *error);

#endif
