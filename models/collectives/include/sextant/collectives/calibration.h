// The calibrated model of collectives: start-up, steps and rate by kind of wire, shared by all systems,
// with corrections for systems and placements that were measured, and how far predictions were off when
// that part was left out. Made by `sextant fit --method collective`; docs/models/collectives.md.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "sextant/collectives/collective.h"
#include "sextant/collectives/system.h"
#include "sextant/core/json.h"

namespace sextant::collectives {

// Times in seconds. The bulk protocol has the higher rate, the quick one the shorter start: NCCL's Simple
// and LL or LL128. The faster of the two is used.
struct WireCoefficients {
  double efficiency = 1;  // of the nominal bandwidth
  double start = 0;
  double step = 0;
  double quick_efficiency = 1;  // of the bulk rate
  double quick_start = 0;
  double quick_step = 0;
  double p2p_gain = 1;  // rate of a single message, of the bulk rate
  double p2p_start = 0;
  double p2p_floor = 0;  // no message is faster
};

// Factors on what all systems share.
struct SystemCorrection {
  double host = 1;     // time to launch
  double inside = 1;   // rates from here on
  double pairs = 1;    //
  double network = 1;  // of a card, for messages and collectives alike
  double message = 1;  // of a single message inside a node
  double reduce = 1;   // of collectives over the network
};

// Of one collective on one number of GPUs and nodes of a known system.
struct PlacementCorrection {
  double rate = 1;
  double start = 1;
  Bytes largest = {};  // that was timed
};

// What was known of a question when it was asked.
enum class Known { placement, longer, system, nothing };
inline constexpr std::array<const char*, 4> kKnown = {"placement", "longer", "system", "nothing"};

// Half-width of the 90 % interval of log time, near the launch time and above twice of it.
struct Width {
  double near_launch = 0.7;
  double above = 0.3;
};

struct Calibration {
  double launch = 4e-5;                         // host time that no collective is faster than
  double card_exponent = 0.95;                  // n cards carry n to this power as much as one
  std::map<std::string, double> architectures;  // factor on the launch, by architecture of the GPU
  std::array<WireCoefficients, kWires.size()> wires;
  std::map<std::string, SystemCorrection> systems;        // by folded id
  std::map<std::string, PlacementCorrection> placements;  // by placement_key()
  std::array<Width, kKnown.size()> collective_widths;     // by Known
  std::array<Width, kKnown.size()> message_widths;
  std::size_t rows = 0;
};

// Start values of the coefficients.
Calibration prior_calibration();

Json to_json(const Calibration& calibration);
Calibration calibration_from_json(const std::string& text, const std::string& file_name);
// The one that ships with the program.
const Calibration& builtin_calibration();

struct CollectiveQuestion {
  Collective collective = Collective::all_reduce;
  std::int64_t gpus = 2;
  std::int64_t nodes = 1;
  Bytes bytes;
};

std::string placement_key(const System& system, const CollectiveQuestion& question);

struct CollectiveEstimate {
  Seconds time;
  Seconds low, high;     // 90 % interval
  Seconds latency;       // launch, start and steps
  Seconds transfer;      // bytes over the slowest wire
  Bandwidth bus;         // bytes that the slowest link carries, over the time
  std::string protocol;  // "bulk", "quick", "switch", "message"; "none" with one GPU
  Known known = Known::nothing;

  Algorithm algorithm = Algorithm::ring;  // that the time is of
};

// InputError where the system cannot hold the question: more GPUs than its nodes have, no network.
CollectiveEstimate estimate(const Calibration& calibration, const System& system,
                            const CollectiveQuestion& question);

}  // namespace sextant::collectives
