# How long rounds of a federation take: measured, with every process in a network namespace of its own behind a link of a given
# rate (tbf), and predicted by `sextant simulate federation` from those rates and one timing of training without a network.
# Usage, as root: /usr/bin/python3 scripts/federation_rounds.py build/sextant [--rounds N] [NUMBER of a configuration ...]
# Prints a line for each configuration and the mean error. Needs iproute2, and about half a minute for each configuration on an
# idle machine of two cores.
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

PAYLOAD = 1448 / 1514  # of an Ethernet frame of TCP over IPv4 with time stamps, which is what tbf counts
PREFIX = "sxfed"

# Network, sampler, clients, processes, clients of a round, Mbit/s of the processes' links in turn, of the server's.
CONFIGURATIONS = [
    ("flanders-mlp", "iid", 4, 4, 0, [50], None),
    ("flanders-mlp", "iid", 8, 8, 0, [20], None),
    ("flanders-mlp", "iid", 8, 8, 4, [20], None),
    ("flanders-mlp", "iid", 8, 8, 0, [10, 20, 40, 80], None),
    ("flanders-mlp", "iid", 8, 8, 0, [100], 50),
    ("flanders-mlp", "iid", 16, 4, 0, [20], None),
    ("flanders-mlp", "dirichlet:alpha=0.5", 12, 6, 5, [10, 30], 60),
    ("lenet5", "iid", 8, 4, 6, [5], None),
]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def inside(space, *words):
    return run("ip", "netns", "exec", space, *words)


def limit(space, device, mbit):
    if mbit:
        inside(space, "tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", f"{mbit}mbit", "burst", "10kb",
               "latency", "50ms")


class Network:
    """A switch, and a namespace behind a link of its own for each process."""

    def __init__(self, rates):
        self.spaces = []
        self.switch = self.space("switch")
        inside(self.switch, "ip", "link", "add", "bridge", "type", "bridge")
        inside(self.switch, "ip", "link", "set", "bridge", "up")
        for rank, mbit in enumerate(rates):
            space = self.space(rank)
            run("ip", "link", "add", "eth0", "netns", space, "type", "veth", "peer", "name", f"port{rank}", "netns",
                self.switch)
            inside(self.switch, "ip", "link", "set", f"port{rank}", "master", "bridge", "up")
            inside(space, "ip", "address", "add", f"10.111.0.{rank + 1}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                inside(space, "ip", "link", "set", device, "up")
            limit(space, "eth0", mbit)
            limit(self.switch, f"port{rank}", mbit)

    def space(self, name):
        space = f"{PREFIX}-{name}"
        run("ip", "netns", "add", space)
        self.spaces.append(space)
        inside(space, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1")  # one address, so that nobody chooses
        return space

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for space in self.spaces:
            subprocess.run(["ip", "netns", "delete", space], check=False)


def goodput(mbit):
    return mbit * 1e6 / 8 * PAYLOAD


class Comparison:
    def __init__(self, sextant, rounds, folder):
        self.sextant, self.rounds, self.folder = sextant, rounds, folder

    def ask(self, *words):
        return json.loads(run(self.sextant, *words, "--json"))

    # One timing of training, with as many processes as cores, and no network to speak of.
    def calibration(self, net):
        kept = os.path.join(self.folder, f"calibration-{net}")
        cores = len(os.sched_getaffinity(0))
        if not os.path.exists(kept):
            run(self.sextant, "federate", net, "--clients", 2 * cores, "--hosts", cores, "--rounds", 4, "--folder", kept)
        return kept

    def one(self, net, sampler, clients, hosts, per_round, rates, server_rate):
        kept = self.calibration(net)
        common = [net, "--sampler", sampler, "--clients", clients, "--per-round", per_round, "--rounds", self.rounds,
                  "--hosts", hosts]
        links = [rates[host % len(rates)] for host in range(hosts)]
        with Network(links + [server_rate]):
            measured = self.ask("federate", *common, "--wrapper",
                                f"ip netns exec {PREFIX}-{{rank}} env SEXTANT_INTERFACE=eth0")
        rate = ["--server-bandwidth", f"{goodput(server_rate) / 1e6}MB/s"] if server_rate else []
        simulated = self.ask("simulate", "federation", *common, *rate, "--seeds", 1, "--measured", kept, "--speed", "measured",
                             "--server-time", "measured", "--cores", len(os.sched_getaffinity(0)), "--bandwidth",
                             "given:values=" + "/".join(str(goodput(link)) for link in links))
        # Libraries warm up in the first round, in both.
        return (simulated["times"][0]["rounds_s"][1:], [row["round_s"] for row in measured["rounds"]][1:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sextant")
    parser.add_argument("number", type=int, nargs="*")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--keep", help="folder of calibrations that are used again")
    arguments = parser.parse_args()
    errors = []
    print(f"{'':>2} {'network':<13} {'sampler':<20} {'clients':>7} {'hosts':>5} {'chosen':>6} {'Mbit/s':<12} {'server':>6} "
          f"{'predicted s':>11} {'measured s':>10} {'from':>6} {'to':>6} {'error':>7}")
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(os.path.abspath(arguments.sextant), arguments.rounds, arguments.keep or folder)
        for number, configuration in enumerate(CONFIGURATIONS, 1):
            if arguments.number and number not in arguments.number:
                continue
            predicted, measured = comparison.one(*configuration)
            error = statistics.mean(predicted) / statistics.mean(measured) - 1
            errors.append(abs(error))
            net, sampler, clients, hosts, per_round, rates, server = configuration
            print(f"{number:>2} {net:<13} {sampler:<20} {clients:>7} {hosts:>5} {per_round or 'all':>6} "
                  f"{'/'.join(str(rate) for rate in rates):<12} {server or '-':>6} {statistics.mean(predicted):11.3f} "
                  f"{statistics.mean(measured):10.3f} {min(measured):6.2f} {max(measured):6.2f} {error:+7.1%}", flush=True)
    print(f"mean error {statistics.mean(errors):.1%}, worst {max(errors):.1%}, of {len(errors)} configurations")


main()
