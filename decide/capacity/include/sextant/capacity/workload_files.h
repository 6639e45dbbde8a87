// Workloads from tables. Two forms are read, plain or packed by gzip:
// jobs with due dates and weights, times of each kind of job by GPU and number of GPUs, and machine types (as
// ANDREAS publishes its instances), and jobs with iterations and deadlines beside a table of throughputs, on
// machines that are owned (as ElasticFlow publishes its traces).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sextant/capacity/workload.h"
#include "sextant/clusters/cluster.h"
#include "sextant/core/csv.h"

namespace sextant::capacity {

// `jobs`: instance, nodes, job, kind, submit_s, due_s, tardiness_usd_per_s, and priority and only_nodes (from
// 0, separated by blanks) if there are any.
// `times`: kind, gpu, gpus, seconds, and spread (standard deviation of ln(seconds)) if there is one.
// `machines`: vm, gpu, gpus, usd_per_hour, and idle_w, gpu_w, minimum_s, losses_per_hour if there are any.
struct JobTables {
  const CsvTable& jobs;
  const CsvTable& times;
  const CsvTable& machines;
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
