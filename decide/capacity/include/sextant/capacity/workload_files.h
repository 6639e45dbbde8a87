// Workloads from tables. Two forms are read, plain or packed by gzip:
// jobs with due dates and weights, times of each kind of job by GPU and number of GPUs, and machine types (as
// ANDREAS publishes its instances), and jobs with iterations and deadlines beside a table of throughputs, on
// machines that are owned (as ElasticFlow publishes its traces).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/capacity/trained_network.h"
#include "sextant/capacity/workload.h"
#include "sextant/catalog/catalog.h"
#include "sextant/clusters/cluster.h"
#include "sextant/core/csv.h"

namespace sextant::capacity {

// `jobs`: instance, nodes, job, submit_s, due_s, tardiness_usd_per_s; kind, or network with samples and, if
// they are there, batch (32), epochs (1) and precision (fp32); and priority, min_gpus, max_gpus and
// only_nodes (from 0, separated by blanks) if there are any. `times`: kind, gpu, gpus, seconds, and spread
// (standard deviation of ln(seconds)) if there is one. Not needed where every job is a network. `machines`:
// vm, gpu, gpus, usd_per_hour, and idle_w, gpu_w, minimum_s, losses_per_hour if there are any. Rows that
// leave out one of the first four are machines of the catalogue, which says whatever else they leave out.
struct JobTables {
  const CsvTable& jobs;
  const CsvTable* times = nullptr;
  const CsvTable& machines;
  const catalog::Catalog& catalog;
  NetworkTimes network_times = {};  // asked once for networks that are alike
};
// One for each instance, in the order of the table. InputError at the cell that cannot be.
std::vector<Workload> workloads_of(const JobTables& tables);

// `trace`: job, submit_s, iterations, model, deadline_s (absolute), batch (of all GPUs together), gpus.
// `throughputs`: gpu, model, global_batch, gpus, iterations_per_s (0: it does not run there).
struct DeadlineTables {
  const CsvTable& trace;
  const CsvTable& throughputs;
};
// Every pool of the cluster is a machine type that is owned: its nodes are nothing else, and cost its price.
// A job runs on as many GPUs as the table has and the pool allows. Weights are alike for all jobs.
Workload deadline_workload(const DeadlineTables& tables, const clusters::Cluster& cluster);

// The table in a file, unpacked where it is packed.
CsvTable read_table(const std::string& path);

}  // namespace sextant::capacity
