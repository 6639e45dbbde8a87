#!/usr/bin/python3
"""Computes with PyTorch, in double precision, what the tests of the executor expect.

Usage: pytorch_reference.py FOLDER   (runtime/engine/tests/cases)
Needs Debian's python3-torch. Nothing is drawn: weights, inputs and labels follow formulas that the tests
compute too, rounded to single precision. For every case: the loss; for each weight tensor the sum, the
weighted sum and the norm of its gradient; for networks the loss after three steps of each optimizer.
"""
import math
import sys

import torch
import torch.nn.functional as F

STEPS = 3
INPUT = 1000  # counts as a tensor of its own


def scattered(count, tensor):
    """Numbers in [-sqrt(3), sqrt(3)), deviation 1, without a pattern that would make matrices singular."""
    low = 0xFFFFFFFF
    bits = (torch.arange(count) * 2654435761 + tensor * 97) & low
    bits = ((bits ^ (bits >> 15)) * 2246822519) & low
    bits = ((bits ^ (bits >> 13)) * 3266489917) & low
    bits = bits ^ (bits >> 16)
    return math.sqrt(3) * (bits.to(torch.float64) / 2**31 - 1)


def rounded(tensor):
    return tensor.to(torch.float32).to(torch.float64)


class Weights:
    """Hands out weight tensors in the order in which the network asks for them, first layer first."""

    def __init__(self):
        self.tensors = []
        self.statistics = []
        self.next = 0
        self.next_statistic = 0

    def restart(self):
        self.next = 0
        self.next_statistic = 0

    def _take(self, shape, make):
        if self.next == len(self.tensors):
            values = rounded(make(scattered(math.prod(shape), len(self.tensors)))).reshape(shape)
            self.tensors.append(values.requires_grad_(True))
        self.next += 1
        return self.tensors[self.next - 1]

    def matrix(self, *shape):  # of a convolution, a linear layer or an embedding
        return self._take(shape, lambda w: w / math.sqrt(math.prod(shape[1:])))

    def bias(self, size):
        return self._take((size,), lambda w: 0.1 * w)

    def gamma(self, size):
        return self._take((size,), lambda w: 1 + 0.1 * w)

    def value(self, *shape):  # learned values
        return self._take(shape, lambda w: w)

    def moving(self, size):
        if self.next_statistic == len(self.statistics):
            self.statistics.append((torch.zeros(size, dtype=torch.float64), torch.ones(size, dtype=torch.float64)))
        self.next_statistic += 1
        return self.statistics[self.next_statistic - 1]


def batch_norm(w, x, scale=True):
    channels = x.shape[1]
    gamma = w.gamma(channels) if scale else None
    beta = w.bias(channels)
    mean, var = w.moving(channels)
    return F.batch_norm(x, mean, var, gamma, beta, training=True)


def layer_norm(w, x):
    size = x.shape[-1]
    gamma = w.gamma(size)
    return F.layer_norm(x, (size,), gamma, w.bias(size))


def linear(w, x, size, bias=True):
    weight = w.matrix(size, x.shape[-1])
    return F.linear(x, weight, w.bias(size) if bias else None)


CONV = {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}


def conv(w, x, channels, kernel, bias=True, groups=1, **options):
    weight = w.matrix(channels, x.shape[1] // groups, *kernel)
    return CONV[x.dim()](x, weight, w.bias(channels) if bias else None, groups=groups, **options)


def conv_transpose(w, x, channels, kernel, bias=True, groups=1, **options):
    weight = w.matrix(x.shape[1], channels // groups, *kernel)
    return F.conv_transpose2d(x, weight, w.bias(channels) if bias else None, groups=groups, **options)


def recurrent(w, x, run, gates, hidden, bias=True, both=False, batch_first=True):
    """One layer: weights of the input, of the state, biases of both; then the other direction."""
    weights = []
    for _ in range(2 if both else 1):
        weights += [w.matrix(gates * hidden, x.shape[-1]), w.matrix(gates * hidden, hidden)]
        if bias:
            weights += [w.bias(gates * hidden), w.bias(gates * hidden)]
    state = torch.zeros(2 if both else 1, x.shape[0 if batch_first else 1], hidden, dtype=torch.float64)
    start = (state, state) if run is torch.lstm else state
    return run(x, start, weights, bias, 1, 0.0, True, both, batch_first)[0]


def rms_norm(w, x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * w.gamma(x.shape[-1])


def group_norm(w, x, groups):
    gamma = w.gamma(x.shape[1])
    return F.group_norm(x, groups, gamma, w.bias(x.shape[1]))


def pool(x, kernel, stride, pads, ceil, largest):
    """Window by window. pads: top, bottom, left, right; averages count the padding but not what hangs over."""
    counts = []
    for i, (before, after) in enumerate((pads[:2], pads[2:])):
        extent = x.shape[2 + i]
        room = extent + before + after - kernel[i]
        count = room // stride[i] + 1
        if ceil and room % stride[i] != 0 and count * stride[i] < extent + before:
            count += 1
        counts.append(count)
    fill = -math.inf if largest else 0.0
    wide = F.pad(x, (pads[2], pads[3], pads[0], pads[1]), value=fill)
    rows = []
    for r in range(counts[0]):
        cells = []
        for c in range(counts[1]):
            top, left = r * stride[0], c * stride[1]
            window = wide[:, :, top:top + kernel[0], left:left + kernel[1]].flatten(2)
            cells.append(window.max(2).values if largest else window.mean(2))
        rows.append(torch.stack(cells, 2))
    return torch.stack(rows, 2)


def lenet5(w, x):
    x = F.avg_pool2d(torch.tanh(conv(w, x, 6, (5, 5), padding=2)), 2)
    x = F.avg_pool2d(torch.tanh(conv(w, x, 16, (5, 5))), 2).flatten(1)
    x = torch.tanh(linear(w, x, 120))
    x = torch.tanh(linear(w, x, 84))
    return linear(w, x, 10)


def resnet18(w, x):
    def conv_bn(y, channels, size, stride):
        y = conv(w, y, channels, (size, size), bias=False, stride=stride, padding=size // 2)
        return batch_norm(w, y)

    x = F.max_pool2d(F.relu(conv_bn(x, 64, 7, 2)), 3, stride=2, padding=1)
    for stage in range(4):
        for block in range(2):
            stride = 2 if stage > 0 and block == 0 else 1
            y = F.relu(conv_bn(x, 64 << stage, 3, stride))
            y = conv_bn(y, 64 << stage, 3, 1)
            x = F.relu(y + (x if y.shape == x.shape else conv_bn(x, 64 << stage, 1, stride)))
    return linear(w, F.adaptive_avg_pool2d(x, 1).flatten(1), 1000)


def mobilenet_v2(w, x):
    def conv_bn(y, channels, size, stride=1, groups=1):
        y = conv(w, y, channels, (size, size), bias=False, stride=stride, padding=size // 2, groups=groups)
        return batch_norm(w, y)

    x = F.relu6(conv_bn(x, 32, 3, 2))
    rows = [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]
    for expansion, channels, repeats, first in rows:
        for i in range(repeats):
            stride = first if i == 0 else 1
            wide = x.shape[1] * expansion
            y = x if expansion == 1 else F.relu6(conv_bn(x, wide, 1))
            y = F.relu6(conv_bn(y, wide, 3, stride, wide))
            y = conv_bn(y, channels, 1)
            x = x + y if y.shape == x.shape else y
    x = F.relu6(conv_bn(x, 1280, 1))
    return linear(w, F.adaptive_avg_pool2d(x, 1).flatten(1), 1000)


def transformer(w, tokens):
    vocabulary, width, heads = 50, 16, 4
    table = w.matrix(vocabulary, width)
    x = F.embedding(tokens.long(), table)
    x = x + w.value(12, width)[:tokens.shape[1]]
    for _ in range(2):
        q, k, v = linear(w, layer_norm(w, x), 3 * width).split(width, dim=2)
        q, k, v = (t.reshape(*t.shape[:2], heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(width // heads), -1)
        x = x + linear(w, (scores @ v).transpose(1, 2).reshape(x.shape), width)
        x = x + linear(w, F.gelu(linear(w, layer_norm(w, x), 4 * width), approximate="tanh"), width)
    return F.linear(layer_norm(w, x), table)


# name: (function, input shape, range of token ids, learning rate). Where batch norm sees few values, larger steps
# magnify the last bit until single and double precision end up elsewhere, in PyTorch as well.
NETWORKS = {
    "lenet5": (lenet5, (4, 1, 28, 28), 0, 0.01),
    "resnet18": (resnet18, (2, 3, 64, 64), 0, 0.0001),
    "mobilenet-v2": (mobilenet_v2, (2, 3, 64, 64), 0, 0.000001),
    "transformer": (transformer, (2, 9), 50, 0.01),
}

MAP = (2, 3, 7, 6)
VOLUME = (2, 3, 4, 5, 6)
OPERATORS = {  # of learned values, so that the gradient of the argument is seen as well
    "conv-asymmetric": lambda w: conv(w, F.pad(w.value(*MAP), (1, 0, 0, 1)), 4, (3, 2), stride=(2, 1)),
    "conv-dilated-groups": lambda w: conv(
        w, w.value(2, 4, 9, 9), 6, (3, 3), bias=False, groups=2, dilation=2, padding=2),
    "conv-relu": lambda w: F.relu(conv(w, w.value(*MAP), 5, (3, 3), padding=1)),
    "conv-depthwise-relu6": lambda w: F.relu6(conv(w, 9 * w.value(2, 4, 6, 6), 4, (3, 3), groups=4, padding=1)),
    "conv-silu": lambda w: F.silu(conv(w, w.value(*MAP), 4, (1, 1))),
    "linear-gelu": lambda w: F.gelu(linear(w, w.value(2, 5, 6), 4)),
    "linear-relu": lambda w: F.relu(linear(w, w.value(4, 6), 5)),
    "linear-4d": lambda w: linear(w, w.value(2, 3, 4, 5), 3, bias=False),
    "matmul": lambda w: w.value(2, 3, 4, 5) @ w.value(5, 6),
    "matmul-transposed": lambda w: w.value(2, 3, 4, 5) @ w.value(2, 3, 6, 5).transpose(2, 3),
    "batch-norm": lambda w: batch_norm(w, w.value(3, 4, 5, 5)),
    "batch-norm-relu": lambda w: F.relu(batch_norm(w, w.value(3, 4, 5, 5))),
    "batch-norm-no-scale": lambda w: batch_norm(w, w.value(3, 4, 5, 5), scale=False),
    "batch-norm-2d": lambda w: batch_norm(w, w.value(6, 4)),
    "layer-norm": lambda w: layer_norm(w, w.value(2, 5, 8)),
    "local-response-norm": lambda w: F.local_response_norm(20 * w.value(2, 7, 4, 4), 5),
    "local-response-norm-even": lambda w: F.local_response_norm(20 * w.value(2, 7, 4, 4), 4),
    "relu": lambda w: F.relu(6 * w.value(*MAP)),
    "relu6": lambda w: F.relu6(9 * w.value(*MAP)),
    "gelu": lambda w: F.gelu(3 * w.value(*MAP)),
    "gelu-tanh": lambda w: F.gelu(3 * w.value(*MAP), approximate="tanh"),
    "tanh": lambda w: torch.tanh(2 * w.value(*MAP)),
    "sigmoid": lambda w: torch.sigmoid(4 * w.value(*MAP)),
    "silu": lambda w: F.silu(4 * w.value(*MAP)),
    "hard-swish": lambda w: F.hardswish(5 * w.value(*MAP)),
    "hard-sigmoid": lambda w: F.hardsigmoid(5 * w.value(*MAP)),
    "softmax": lambda w: torch.softmax(3 * w.value(2, 3, 4, 5), -1),
    "max-pool": lambda w: F.max_pool2d(w.value(*MAP), 3, 2, 1),
    "max-pool-ceil": lambda w: F.max_pool2d(w.value(2, 3, 8, 8), 3, 2, ceil_mode=True),
    "max-pool-asymmetric": lambda w: pool(w.value(*MAP), (3, 2), (2, 2), (0, 1, 1, 0), False, True),
    "max-pool-asymmetric-ceil": lambda w: pool(w.value(*MAP), (2, 2), (3, 3), (1, 2, 0, 1), True, True),
    "avg-pool": lambda w: F.avg_pool2d(w.value(*MAP), 3, 1, 1),
    "avg-pool-ceil": lambda w: F.avg_pool2d(w.value(*MAP), 2, 2, ceil_mode=True),
    "avg-pool-asymmetric": lambda w: pool(w.value(*MAP), (3, 3), (2, 2), (0, 1, 1, 1), False, False),
    "avg-pool-asymmetric-ceil": lambda w: pool(w.value(*MAP), (2, 2), (3, 3), (1, 0, 0, 1), True, False),
    "adaptive-pool": lambda w: F.adaptive_avg_pool2d(w.value(2, 3, 7, 5), (3, 2)),
    "global-pool": lambda w: F.adaptive_avg_pool2d(w.value(2, 3, 7, 5), 1),
    "add": lambda w: w.value(2, 3, 4, 4) + w.value(3, 1, 1),
    "subtract": lambda w: w.value(2, 3, 4, 4) - w.value(3, 1, 1),
    "multiply": lambda w: w.value(2, 3, 4, 4) * w.value(3, 1, 1),
    "divide": lambda w: w.value(2, 3, 4, 4) / torch.sigmoid(w.value(4, 1)),
    "power": lambda w: torch.sigmoid(w.value(2, 3, 4, 4)) ** w.value(3, 1, 1),
    "add-to-itself": lambda w: (lambda x: x + torch.tanh(x))(w.value(*MAP)),
    "scale": lambda w: -1.75 * w.value(*MAP),
    "concat": lambda w: torch.cat([w.value(2, 3, 4, 4), w.value(2, 3, 1, 4), w.value(2, 3, 2, 4)], 2),
    "concat-relu": lambda w: F.relu(torch.cat([w.value(2, 3, 4, 4), w.value(2, 1, 4, 4)], 1)),
    "flatten": lambda w: w.value(2, 3, 4).flatten(1),
    "reshape-transposed": lambda w: w.value(2, 3, 4, 5).permute(0, 3, 1, 2).reshape(2, 5, 2, 6),
    "transpose": lambda w: w.value(2, 3, 4, 5).permute(0, 2, 3, 1),
    "slice": lambda w: w.value(2, 3, 4, 5)[:, :, :, 1:4],
    "zero-pad": lambda w: F.pad(w.value(*MAP), (2, 0, 1, 3)),
    "mean": lambda w: w.value(2, 3, 4, 5, 2).mean(1),
    "slice-steps": lambda w: w.value(2, 3, 9, 5)[:, :, 1:8:3],
    "gather": lambda w: w.value(2, 5, 3, 2)[:, torch.tensor([[4, 0], [-1, 2]])],
    "expand": lambda w: w.value(3, 1, 5).expand(2, 3, 4, 5),
    "sum-axes": lambda w: w.value(2, 3, 4, 5, 2).sum((1, 3)),
    "max-axis": lambda w: w.value(2, 3, 4, 5, 2).amax(2),
    "min-axis": lambda w: w.value(2, 3, 4, 5, 2).amin(2),
    "zero-pad-3d": lambda w: F.pad(w.value(2, 2, 3, 4, 3), (0, 2, 1, 0, 1, 2)),
    "conv-1d": lambda w: conv(w, w.value(2, 3, 9), 4, (3,), stride=2, padding=1),
    "conv-3d": lambda w: conv(w, w.value(*VOLUME), 4, (2, 3, 2), stride=(1, 2, 1), padding=(1, 1, 0)),
    "conv-3d-asymmetric": lambda w: conv(
        w, F.pad(w.value(*VOLUME), (1, 0, 0, 1, 0, 1)), 4, (2, 2, 2), bias=False),
    "conv-transpose": lambda w: conv_transpose(
        w, w.value(*MAP), 4, (3, 3), stride=2, padding=1, output_padding=1),
    "conv-transpose-groups": lambda w: conv_transpose(
        w, w.value(2, 6, 3, 4), 4, (2, 2), bias=False, groups=2, stride=2),
    "conv-transpose-asymmetric": lambda w: conv_transpose(
        w, w.value(*MAP), 2, (3, 3), stride=2)[:, :, :-1, 1:],
    "max-pool-1d": lambda w: F.max_pool1d(w.value(2, 3, 9), 3, 2, 1),
    "avg-pool-1d": lambda w: F.avg_pool1d(w.value(2, 3, 9), 3, 2),
    "max-pool-3d": lambda w: F.max_pool3d(w.value(*VOLUME), 2, 2),
    "avg-pool-3d": lambda w: F.avg_pool3d(w.value(*VOLUME), 2, 1, 1),
    "global-pool-1d": lambda w: F.adaptive_avg_pool1d(w.value(2, 3, 9), 1),
    "adaptive-pool-3d": lambda w: F.adaptive_avg_pool3d(w.value(*VOLUME), (1, 2, 3)),
    "resize-nearest": lambda w: F.interpolate(w.value(*MAP), (9, 12)),
    "resize-linear": lambda w: F.interpolate(w.value(*MAP), (9, 12), mode="bilinear"),
    "resize-nearest-1d": lambda w: F.interpolate(w.value(2, 3, 9), 14),
    "resize-linear-3d": lambda w: F.interpolate(w.value(*VOLUME), (5, 7, 6), mode="trilinear"),
    "lstm": lambda w: recurrent(w, w.value(3, 5, 4), torch.lstm, 4, 6),
    "lstm-both-ways": lambda w: recurrent(w, w.value(3, 5, 4), torch.lstm, 4, 3, both=True),
    "lstm-time-first": lambda w: recurrent(w, w.value(3, 5, 4), torch.lstm, 4, 6, bias=False, batch_first=False),
    "gru": lambda w: recurrent(w, w.value(3, 5, 4), torch.gru, 3, 6, both=True),
    "rnn": lambda w: recurrent(w, w.value(3, 5, 4), torch.rnn_tanh, 1, 6),
    "layer-norm-no-bias": lambda w: (lambda x: F.layer_norm(x, (8,), w.gamma(8)))(w.value(2, 5, 8)),
    "layer-norm-plain": lambda w: F.layer_norm(w.value(2, 5, 8), (8,)),
    "rms-norm": lambda w: rms_norm(w, w.value(2, 5, 8)),
    "group-norm": lambda w: group_norm(w, w.value(2, 6, 3, 4), 3),
    "instance-norm": lambda w: F.group_norm(w.value(2, 6, 3, 4), 6),
    "leaky-relu": lambda w: F.leaky_relu(6 * w.value(*MAP)),
    "elu": lambda w: F.elu(2 * w.value(*MAP)),
    "softplus": lambda w: F.softplus(2 * w.value(*MAP)),
    "exp": lambda w: torch.exp(0.5 * w.value(*MAP)),
    "erf": lambda w: torch.erf(w.value(*MAP)),
    "abs": lambda w: torch.abs(w.value(*MAP)),
    "sin": lambda w: torch.sin(2 * w.value(*MAP)),
    "cos": lambda w: torch.cos(2 * w.value(*MAP)),
    "log": lambda w: torch.log(torch.sigmoid(w.value(*MAP))),
    "sqrt": lambda w: torch.sqrt(torch.sigmoid(w.value(*MAP))),
    "reciprocal": lambda w: torch.reciprocal(torch.sigmoid(w.value(*MAP))),
    "clip": lambda w: torch.clamp(w.value(*MAP), -0.5, 0.75),
    "maximum": lambda w: torch.maximum(w.value(*MAP), w.value(6)),
    "minimum": lambda w: torch.minimum(w.value(*MAP), w.value(6)),
    "scale-add": lambda w: w.value(*MAP) + 1.5,
    "scale-power": lambda w: w.value(*MAP) ** 3,
    "where": lambda w: (lambda x, y: torch.where(x > y, x, y))(w.value(*MAP), w.value(6)),
    "causal-mask": lambda w: torch.softmax(
        w.value(2, 4, 3, 3).masked_fill(torch.ones(3, 3).triu(1) == 1, -30.0), -1),
}


def labels_for(output):
    rows = output.numel() // output.shape[-1]
    return (torch.arange(rows) * 7 + 3) % output.shape[-1]


def loss_of(output):
    if output.dim() in (2, 3):
        return F.cross_entropy(output.reshape(-1, output.shape[-1]), labels_for(output))
    return output.square().mean()


def input_of(shape, tokens):
    count = math.prod(shape)
    if tokens:
        return ((torch.arange(count) * 5 + 1) % tokens).reshape(shape)
    return rounded(scattered(count, INPUT)).reshape(shape)


def number(value):
    return f"{float(value):.12g}"


def write_case(out, name, run, weights):
    loss = run()
    loss.backward()
    out.write(f"case {name}\nloss {number(loss)}\n")
    for i, tensor in enumerate(weights.tensors):
        g = torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
        weighted = (g.flatten() * torch.cos(0.3 * torch.arange(g.numel(), dtype=torch.float64))).sum()
        out.write(f"gradient {i} {number(g.sum())} {number(weighted)} {number(g.norm())}\n")
    if weights.statistics:
        means = sum(m.sum() for m, _ in weights.statistics)
        variances = sum(v.sum() for _, v in weights.statistics)
        out.write(f"statistics {number(means)} {number(variances)}\n")


def operator_case(out, name, make):
    weights = Weights()

    def run():
        weights.restart()
        output = make(weights)
        return loss_of(output * weights.value(*output.shape))

    write_case(out, name, run, weights)


OPTIMIZERS = {  # of weights and a rate
    "sgd": lambda p, rate: torch.optim.SGD(p, lr=rate),
    "momentum": lambda p, rate: torch.optim.SGD(p, lr=rate, momentum=0.9),
    "adam": lambda p, rate: torch.optim.Adam(p, lr=0.1 * rate),
}


def network_case(out, name, make, shape, tokens, rate):
    def fresh():
        weights = Weights()

        def run():
            weights.restart()
            return loss_of(make(weights, input_of(shape, tokens)))

        return weights, run

    weights, run = fresh()
    write_case(out, name, run, weights)
    out.write(f"rate {number(rate)}\n")
    for optimizer_name, optimizer_of in OPTIMIZERS.items():
        weights, run = fresh()
        run()  # asks for the weights
        weights.statistics.clear()
        optimizer = optimizer_of(weights.tensors, rate)
        for _ in range(STEPS):
            optimizer.zero_grad()
            run().backward()
            optimizer.step()
        out.write(f"after {optimizer_name} {number(run())}\n")


def main():
    folder = sys.argv[1]
    header = f"# written by scripts/pytorch_reference.py with PyTorch {torch.__version__}, double precision\n"
    with open(f"{folder}/operators.txt", "w", encoding="utf-8") as out:
        out.write(header)
        for name, make in OPERATORS.items():
            operator_case(out, name, make)
    with open(f"{folder}/networks.txt", "w", encoding="utf-8") as out:
        out.write(header)
        for name, case in NETWORKS.items():
            network_case(out, name, *case)


main()
