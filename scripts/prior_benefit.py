# What the answer of `predict` is worth to a search: PROFET's networks on AWS machines, cost per image over machine and
# batch size. Every network is predicted by a model that was fitted without it; then each of its image sizes is searched
# with that prior and without. Prints the best cost found over the optimum after each trial, mean over the searches.
# Usage: python3 scripts/prior_benefit.py build/sextant ../shared/data
import csv
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

SEXTANT, DATA = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
TABLES = ["profet_tf.csv", "profet_op_profile.csv"]
TRIALS, SEEDS = 8, 20


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def sextant(*words):
    done = subprocess.run([SEXTANT, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"sextant {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


def predicted_without(network, tables, work):
    """Seconds of a step of each row of a network, by coefficients that were fitted to the other networks."""
    folder = work / network / "cnn-training-times"
    folder.mkdir(parents=True)
    for name, rows in tables.items():
        write(folder / name, [row for row in rows if row["model"] != network])
    model, cases, answers = work / "model.json", work / "cases.csv", work / "answers.csv"
    sextant("fit", "--method", "kernel", "--recipe", "tensorflow-2.5", "--data", folder.parent, "--out", model)
    mine = [row for row in tables["profet_tf.csv"] if row["model"] == network]
    write(cases, [{"net": "profet/" + network.lower().replace("_", "-"), "gpu": row["gpu"], "batch": row["batch_size"],
                   "image": row["image_size"], "classes": row["num_classes"]} for row in mine])
    sextant("predict", "--cases", cases, "--model", model, "--stack", "tensorflow-2.5", "--out", answers)
    shutil.rmtree(folder.parent)
    return [(row, float(answer["predicted_s"])) for row, answer in zip(mine, read(answers))]


def searches(work):
    tables = {name: read(DATA / "cnn-training-times" / name) for name in TABLES}
    runs = []
    for network in sorted({row["model"] for row in tables["profet_tf.csv"]}):
        for row, seconds in predicted_without(network, tables, work):
            usd = float(row["price_usd_per_hour"]) / 3600 / int(row["batch_size"]) * 1e6
            runs.append({"search": f"{network} {row['image_size']}", "machine": row["aws_instance"],
                         "batch": row["batch_size"], "usd_per_million": float(row["batch_ms_median"]) / 1000 * usd,
                         "predicted": seconds * usd})
    # An upside-down prediction, to see what a wrong one costs.
    for run in runs:
        run["reversed"] = 1 / run["predicted"]
    write(work / "runs.csv", runs)
    return work / "runs.csv"


def course(table, *options):
    answer = sextant("explore", "--table", table, "--group", "search", "--config", "machine,batch", "--objective",
                     "usd_per_million", "--trials", str(TRIALS), "--seeds", str(SEEDS), "--json", *options)
    results = json.loads(answer)["searches"]
    means = [statistics.mean(each["best_over_optimum_mean"][t] for each in results) for t in range(TRIALS)]
    return len(results), means


with tempfile.TemporaryDirectory() as scratch:
    table = searches(pathlib.Path(scratch))
    for name, options in [("random", ["--strategy", "random"]), ("cherrypick", ["--strategy", "cherrypick"]),
                          ("sextant", ["--strategy", "sextant"]),
                          ("sextant, predicted", ["--strategy", "sextant", "--prior", "predicted"]),
                          ("sextant, predicted upside down", ["--strategy", "sextant", "--prior", "reversed"])]:
        count, means = course(table, *options)
        print(f"{name:32s}", *[f"{mean:.3f}" for mean in means], f"  ({count} searches)")
