// What a GPU can do at best: peak rates, memory, link. Facts from facts/catalog/data/gpus_*.toml or a
// user's file; a prediction multiplies them by fitted efficiencies. A board with two dies is
// listed as ONE die, which is what a framework sees as a device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::catalog {

struct Gpu {
  std::string id;                    // "v100-sxm2-16gb"
  std::string name;                  // "V100-SXM2-16GB"
  std::vector<std::string> aliases;  // other spellings, nvidia-smi's and SkyPilot's among them
  std::string vendor;
  std::string architecture;
  int year = 0;   // of release; 0 = not stated
  int sms = 0;    // streaming multiprocessors, or compute units; 0 = not stated
  int cores = 0;  // fp32 lanes; 0 = not stated
  std::optional<Hertz> boost;
  std::optional<Hertz> sustained;  // where the board is known to run below boost under load

  // Dense peaks (no sparsity), at the boost clock.
  FlopRate fp32;                        // vector units
  std::optional<FlopRate> fp16;         // vector units
  std::optional<FlopRate> tensor_fp16;  // matrix units, fp32 accumulation
  std::optional<FlopRate> tensor_bf16;  // matrix units; none: the board has no bf16 (Volta, Turing)
  std::optional<FlopRate> tensor_fp8;   // matrix units, e4m3 or e5m2, whatever the scales
  std::optional<FlopRate> tensor_fp4;   // matrix units, nvfp4 or mxfp4
  std::optional<FlopRate> tf32;         // matrix units
  std::optional<FlopRate> matrix_fp32;  // matrix units in true fp32 (AMD)
  std::optional<FlopRate> fp64;         // vector units

  Bytes memory;  // capacity of the chips; drivers and ECC keep a few per cent of it
  Bandwidth memory_bandwidth;
  std::string memory_kind;  // hbm, gddr, gddr-ecc (check bits share the bus), lpddr; empty = not stated
  std::optional<Bytes> l2;

  std::string link;                         // id in Catalog::links of the way to other GPUs; may be empty
  std::optional<Bandwidth> link_bandwidth;  // per direction, all lanes of this GPU together
  std::optional<Watts> tdp;

  std::string calibration;  // file of operators timed on it, which predictions then rest on; usually none

  std::string source;
  std::string date;  // when the source was read, YYYY-MM-DD
  std::string notes;
};

}  // namespace sextant::catalog
