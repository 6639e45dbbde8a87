#include "round_seats.h"

namespace sextant::schedule {

void RoundSeats::vacate(JobSlot job) {
  Seat& seat = at(job);
  if (seat.partner >= 0) at(seat.partner).partner = -1;
  seat = {};
}

// On its type, and its GPUs are not claimed by a partner that stays without it.
bool RoundSeats::can_stay(JobSlot job, std::int32_t type) const {
  const Seat& seat = at(job);
  return seat.type == type && (seat.partner < 0 || !at(seat.partner).stays);
}

// Marks who keeps the GPUs of the group: both, if they sit together, else the first that can.
void RoundSeats::settle(const RoundGroup& group) {
  const bool together =
      group.second >= 0 && at(group.first).type == group.type && at(group.first).partner == group.second;
  if (together) {
    at(group.first).stays = at(group.second).stays = true;
  } else if (can_stay(group.first, group.type)) {
    at(group.first).stays = true;
  } else if (group.second >= 0 && can_stay(group.second, group.type)) {
    at(group.second).stays = true;
  }
}

void RoundSeats::start(const RoundGroup& group, Decision& out) const {
  const bool first_stays = at(group.first).stays;
  const bool second_stays = group.second >= 0 && at(group.second).stays;
  if (!first_stays) {
    out.start.push_back(
        {.job = group.first, .type = group.type, .beside = second_stays ? group.second : JobSlot{-1}});
  }
  if (group.second >= 0 && !second_stays)
    out.start.push_back({.job = group.second, .type = group.type, .beside = group.first});
}

void RoundSeats::move_to(std::span<const RoundGroup> wanted, std::span<const JobSlot> active, Decision& out) {
  for (const JobSlot job : active) at(job).stays = false;
  for (const RoundGroup& group : wanted) settle(group);
  for (const JobSlot job : active) {
    if (at(job).type >= 0 && !at(job).stays) out.stop.push_back(job);
  }
  for (const RoundGroup& group : wanted) start(group, out);
  for (const JobSlot job : active) at(job) = {};
  for (const RoundGroup& group : wanted) {
    at(group.first) = {.type = group.type, .partner = group.second};
    if (group.second >= 0) at(group.second) = {.type = group.type, .partner = group.first};
  }
}

}  // namespace sextant::schedule
