// Parts of changes that several need.
#pragma once

#include "changes.h"

namespace sextant::daemon {

void close_job(Page& page, DaemonJob& job, Phase outcome, const std::string& reason);
void lose_job(Page& page, DaemonJob& job, const std::string& reason);

}  // namespace sextant::daemon
