# Rules under attack in the setting of epfml's runs (25 workers, 5 of them bad, each good one with samples of one class, one
# step of 32 samples a round, 600 rounds, worker momentum 0 or 0.9, buckets of 2 or none): runs all of it on Fashion-MNIST with a small
# perceptron, and compares the order of the accuracies with the published one, which is of MNIST and a CNN. Needs the table
# byzantine-results/epfml_runs.csv below SEXTANT_DATA (default ../shared/data); without it, says so and ends.
# A run that RECORDS holds is not made again. Usage: scripts/epfml_order.py RECORDS.db [ROUNDS] [SEEDS]
import csv
import json
import os
import pathlib
import subprocess
import sys

SEXTANT = os.environ.get("SEXTANT", "build/sextant")
ATTACKS = {
    "ALIE": "alie",
    "bit-flip": "sign-flip:scale=1",
    "IPM": "inner-product:epsilon=0.1",
    "label-flip": "label-permutation",
    "mimic": "mimic:warmup=1",
}
# Their momentum is beta m + g, ten times ours: so the learning rate is ten times as large with it, and as centered clipping
# sees updates, which hold the learning rate, its radius is too (theirs is 10 gradients, and 10 / (1 - beta) with momentum).
# Fewer rounds have a larger rate: rate times rounds is as theirs.
RATES = {"0.0": 0.01, "0.9": 0.1}
ROUNDS = 600
RULES = {"median": "median", "krum": "krum", "geometric-median": "geometric-median:iterations=8"}


def rate_of(momentum, rounds):
    return RATES[momentum] * ROUNDS / rounds


def rules_for(momentum, rounds):
    return RULES | {"centered-clipping": f"centered-clipping:radius={10 * rate_of(momentum, rounds):g}"}


def published(path):
    sums = {}
    for row in csv.DictReader(open(path)):
        if row["model"] != "cnn" or row["partition"] != "noniid" or row["attack"] not in ATTACKS:
            continue
        if row["rule"] == "mean":
            continue
        key = (row["rule"], row["attack"], row["worker_momentum"], row["bucket_size"])
        sums.setdefault(key, []).append(float(row["final_accuracy"]) / 100)
    return {key: sum(values) / len(values) for key, values in sums.items()}


def measured(records, momentum, rounds, seeds):
    rules = rules_for(momentum, rounds)
    with_buckets = [rule + bucket for rule in rules.values() for bucket in ("", ":bucket=2")]
    command = [SEXTANT, "federate", "flanders-mlp", "--image", "14", "--clients", "25", "--rounds", str(rounds)]
    command += ["--sampler", "n-labels:n=1", "--attackers-hold", "iid", "--attackers", "0.2", "--local-steps", "1"]
    command += ["--batch", "32", "--learning-rate", f"{rate_of(momentum, rounds):g}"]
    command += ["--worker-momentum", momentum, "--attack", ",".join(ATTACKS.values()), "--rule", ",".join(with_buckets), "--seeds", str(seeds)]
    command += ["--test-samples", "1000", "--transport", "none", "--hosts", "1", "--at-once", os.environ.get("AT_ONCE", "2")]
    command += ["--db", records, "--json"]
    answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    found = {}
    for cell in answer["federations"]:
        rule = cell["rule"].split(":")[0]
        bucket = "2" if "bucket=2" in cell["rule"] else "0"
        attack = next(name for name, text in ATTACKS.items() if text.split(":")[0] == cell["attack"].split(":")[0])
        found[(rule, attack, momentum, bucket)] = cell["accuracy"]
    return found


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            result[place] = (first + last) / 2
        first = last + 1
    return result


def correlation(a, b):
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    return top / (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5


def main():
    records, rounds, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS, int(sys.argv[3]) if len(sys.argv) > 3 else 1
    table = pathlib.Path(os.environ.get("SEXTANT_DATA", "../shared/data")) / "byzantine-results" / "epfml_runs.csv"
    if not table.exists():
        print(f"skipped: {table} is not there")
        return
    theirs = published(table)
    ours = {}
    for momentum in RATES:
        ours |= measured(records, momentum, rounds, seeds)
    both = sorted(set(theirs) & set(ours), key=lambda key: -theirs[key])
    print("rule                attack      momentum bucket  published   here")
    for key in both:
        print(f"{key[0]:<19} {key[1]:<11} {key[2]:>8} {key[3]:>6} {theirs[key]:>10.3f} {ours[key]:>6.3f}")
    print(f"{len(both)} settings, Spearman's rank correlation {correlation([theirs[k] for k in both], [ours[k] for k in both]):.3f}")
    # The order of rules with momentum and buckets, whatever the attack: what a reader takes from the table.
    groups = sorted({(k[0], k[2], k[3]) for k in both})
    means = [[sum(t[k] for k in both if (k[0], k[2], k[3]) == g) / len(ATTACKS) for g in groups] for t in (theirs, ours)]
    print(f"{len(groups)} rules with their momentum and buckets, means over attacks: {correlation(*means):.3f}")
    best = groups[max(range(len(groups)), key=lambda i: means[1][i])]
    print(f"best here: {best[0]}, momentum {best[1]}, buckets of {best[2]}")


main()
