#!/usr/bin/env python3
"""Draws instances like the published ones of ANDREAS, and compares methods with the bound that knows due dates.

  scripts/andreas_draws.py draw DATA OUT [--nodes 5,10] [--instances 50] [--seed 1000]
  sextant plan simulate --jobs OUT --times DATA/execution_times.csv --machines DATA/vm_types.csv \\
      --rules andreas --method greedy,sextant --json > runs.json
  scripts/andreas_draws.py compare OUT runs.json

DATA is the folder with execution_times.csv and vm_types.csv. Drawn as the authors' generator does by its description:
ten jobs for each node and one more, kinds at random, exponential gaps whose mean at each load is that of the published
instances, due dates U(1, 3) times the fastest time after the submission, weights U(.003, .015) USD/s. OUT.bounds has
what all jobs cost at least: each by the cheapest mix of two configurations that ends in time, or late.
"""
import argparse
import collections
import csv
import json
import random
import statistics

# Seconds between two jobs, times nodes: means of the published instances.
GAPS = {"low": 127000, "mixed": 82000, "high": 34500}


def read_times(data):
    times = collections.defaultdict(dict)
    with open(data + "/execution_times.csv") as file:
        for row in csv.DictReader(file):
            times[row["kind"]][row["gpu"], int(row["gpus"])] = float(row["seconds"])
    with open(data + "/vm_types.csv") as file:
        machines = [(row["gpu"], int(row["gpus"]), float(row["usd_per_hour"]) / 3600) for row in csv.DictReader(file)]
    return times, machines


def least_cost(times, machines, slack, weight):
    """USD of a job: times by GPU and number, seconds until its due date, USD for each second after it."""
    points = [(seconds, price / gpus * count * seconds)
              for gpu, gpus, price in machines
              for (of, count), seconds in times.items() if of == gpu and count <= gpus]
    least = min(cost + weight * max(0, seconds - slack) for seconds, cost in points)
    for fast, dear in points:
        for slow, cheap in points:
            if fast <= slack < slow:
                least = min(least, dear + (slack - fast) / (slow - fast) * (cheap - dear))
    return least


def draw(args):
    times, machines = read_times(args.data)
    kinds = sorted(times)
    with open(args.out, "w") as jobs_file, open(args.out + ".bounds", "w") as bounds_file:
        jobs, bounds = csv.writer(jobs_file), csv.writer(bounds_file)
        jobs.writerow(["instance", "nodes", "job", "kind", "submit_s", "due_s", "tardiness_usd_per_s"])
        bounds.writerow(["instance", "least_usd"])
        for nodes in map(int, args.nodes.split(",")):
            for load, gap in GAPS.items():
                for seed in range(args.seed, args.seed + args.instances):
                    rng = random.Random(f"{nodes}{load}{seed}")
                    name, now, least = f"{nodes}-{load}-{seed}", 0.0, 0.0
                    for job in range(10 * nodes + 1):
                        kind = rng.choice(kinds)
                        slack = rng.uniform(1, 3) * min(times[kind].values())
                        weight = rng.uniform(.003, .015)
                        jobs.writerow([name, nodes, f"J{job}", kind, round(now, 3), round(now + slack, 3),
                                       round(weight, 9)])
                        least += least_cost(times[kind], machines, slack, weight)
                        now += rng.expovariate(nodes / gap)
                    bounds.writerow([name, round(least, 2)])


def compare(args):
    with open(args.out + ".bounds") as file:
        least = {row["instance"]: float(row["least_usd"]) for row in csv.DictReader(file)}
    total = collections.defaultdict(dict)  # by method, then instance
    with open(args.runs) as file:
        for run in json.load(file)["runs"]:
            total[run["method"]][run["instance"]] = run["total_usd"]
    for method, costs in total.items():
        over = {name: cost / least[name] for name, cost in costs.items()}
        line = f"{method}: {statistics.mean(over.values()):.4f} of the bound on the mean, {max(over.values()):.3f} at worst"
        if "greedy" in total and method != "greedy":
            ratio = [cost / total["greedy"][name] for name, cost in costs.items()]
            line += f"; above greedy on {sum(r > 1 + 1e-9 for r in ratio)} of {len(ratio)}, at worst {max(ratio):.3f} of it"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawn = commands.add_parser("draw")
    drawn.add_argument("data")
    drawn.add_argument("out")
    drawn.add_argument("--nodes", default="5")
    drawn.add_argument("--instances", type=int, default=50, help="of each load")
    drawn.add_argument("--seed", type=int, default=1000)
    drawn.set_defaults(run=draw)
    compared = commands.add_parser("compare")
    compared.add_argument("out")
    compared.add_argument("runs")
    compared.set_defaults(run=compare)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
