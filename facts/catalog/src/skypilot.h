// Importer for SkyPilot's vms.csv (github.com/skypilot-org/skypilot-catalog), one file per cloud:
// InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone.
// Columns may stand in any order, unknown ones are ignored, numbers may be empty.
#pragma once

#include <string>

#include "draft.h"
#include "sextant/catalog/catalog.h"
#include "sextant/core/csv.h"

namespace sextant::catalog {

// One machine per instance type, with the lowest price of each region. A machine that `known` has keeps
// its hardware and gets the file's prices, since SkyPilot does not tell an H100 PCIe from an SXM.
// Rows without InstanceType price GPUs alone: they become "gcp/8xa100", marked accelerator_only, and
// are added to the host's price where a known machine names its `accelerator`.
// An unknown accelerator keeps its name and is listed in the warnings.
Draft import_skypilot(const CsvTable&, const Catalog& known);

// ".../catalogs/v7/aws/vms.csv" and ".../aws.csv" are of "aws"; "skypilot" where the path does not say.
std::string cloud_of_path(const std::string& path, const Catalog& known);

}  // namespace sextant::catalog
