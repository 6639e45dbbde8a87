#!/usr/bin/python3
"""Exports networks that people train to ONNX, the way docs/predicting.md says: ready for training.

Usage: export_networks.py FOLDER [--small] [--shapes] [NAME...]
Needs Debian's python3-torch and python3-torchvision. Weights are random: nothing is downloaded. Each file gets a
line "NAME PARAMETERS" in FOLDER/parameters.txt, as torch counts them.
  --small   cut-down versions of the same architectures, for tests
  --shapes  weights by shape only, as inputs of the graph (export_params=False), and short names: some kilobytes
            for each file. Needs python3-onnx too
"""
import argparse
import math
import os
import warnings

import torch
import torchvision
from torch import nn


class DoubleConv(nn.Sequential):
    def __init__(self, inputs, outputs):
        super().__init__(
            nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True),
            nn.Conv2d(outputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class UNet(nn.Module):
    """Ronneberger et al. 2015, with padding and batch norm; one step up by interpolation, the others learned."""

    def __init__(self, width=64, classes=21, depth=4):
        super().__init__()
        widths = [width << i for i in range(depth + 1)]
        self.first = DoubleConv(3, width)
        self.down = nn.ModuleList(DoubleConv(a, b) for a, b in zip(widths, widths[1:]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in zip(widths, widths[1:]))
        self.merge = nn.ModuleList(DoubleConv(2 * a, a) for a in widths[:-1])
        self.smooth = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False)
        self.last = nn.Conv2d(width, classes, 1)

    def forward(self, x):
        maps = [self.first(x)]
        for block in self.down:
            maps.append(block(nn.functional.max_pool2d(maps[-1], 2)))
        y = maps.pop()
        for up, merge in zip(reversed(self.up), reversed(self.merge)):
            y = merge(torch.cat([maps.pop(), up(y)], 1))
        return self.smooth(self.last(y))


class TextClassifier(nn.Module):
    """Two LSTM layers in both directions over token ids; the last states decide."""

    def __init__(self, entries=20000, features=128, hidden=256, classes=4, layers=2):
        super().__init__()
        self.table = nn.Embedding(entries, features)
        self.lstm = nn.LSTM(features, hidden, num_layers=layers, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.5)
        self.classes = nn.Linear(2 * hidden, classes)

    def forward(self, ids):
        states, (last, _) = self.lstm(self.table(ids))
        return self.classes(self.drop(torch.cat([last[-2], last[-1]], 1))) + states.mean((1, 2)).unsqueeze(1)


class RMSNorm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5))


def rotated(x):
    a, b = x.chunk(2, dim=-1)
    return torch.cat([-b, a], dim=-1)


class LlamaBlock(nn.Module):
    """Grouped-query attention with rotary positions, and a gated feed-forward layer."""

    def __init__(self, features, heads, groups, inner):
        super().__init__()
        self.heads, self.groups, self.size = heads, groups, features // heads
        self.norm1, self.norm2 = RMSNorm(features), RMSNorm(features)
        self.q = nn.Linear(features, heads * self.size, bias=False)
        self.k = nn.Linear(features, groups * self.size, bias=False)
        self.v = nn.Linear(features, groups * self.size, bias=False)
        self.out = nn.Linear(features, features, bias=False)
        self.gate = nn.Linear(features, inner, bias=False)
        self.up = nn.Linear(features, inner, bias=False)
        self.down = nn.Linear(inner, features, bias=False)

    def attend(self, x, cos, sin, mask):
        batch, length, _ = x.shape
        q = self.q(x).view(batch, length, self.heads, self.size).transpose(1, 2)
        k = self.k(x).view(batch, length, self.groups, self.size).transpose(1, 2)
        v = self.v(x).view(batch, length, self.groups, self.size).transpose(1, 2)
        q, k = q * cos + rotated(q) * sin, k * cos + rotated(k) * sin
        shared = (batch, self.groups, self.heads // self.groups, length, self.size)
        k = k[:, :, None].expand(shared).reshape(batch, self.heads, length, self.size)
        v = v[:, :, None].expand(shared).reshape(batch, self.heads, length, self.size)
        scores = (q @ k.transpose(2, 3)) / math.sqrt(self.size) + mask
        y = torch.softmax(scores.float(), dim=-1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, -1))

    def forward(self, x, cos, sin, mask):
        x = x + self.attend(self.norm1(x), cos, sin, mask)
        y = self.norm2(x)
        return x + self.down(nn.functional.silu(self.gate(y)) * self.up(y))


class Llama(nn.Module):
    """Touvron et al. 2023, small. Angles and the causal mask are computed in the graph from the length."""

    def __init__(self, entries=8000, features=512, layers=4, heads=8, groups=2, inner=1376):
        super().__init__()
        self.size = features // heads
        self.table = nn.Embedding(entries, features)
        self.blocks = nn.ModuleList(LlamaBlock(features, heads, groups, inner) for _ in range(layers))
        self.norm = RMSNorm(features)
        self.logits = nn.Linear(features, entries, bias=False)

    def forward(self, ids):
        length = ids.shape[1]
        frequencies = 10000.0 ** (-torch.arange(0, self.size, 2).float() / self.size)
        angles = torch.outer(torch.arange(length).float(), frequencies)
        angles = torch.cat([angles, angles], dim=-1)
        mask = torch.full((length, length), float("-inf")).triu(1)
        x = self.table(ids)
        for block in self.blocks:
            x = block(x, angles.cos(), angles.sin(), mask)
        return self.logits(self.norm(x))


def image(size):
    return torch.randn(2, 3, size, size)


def tokens(length, entries):
    return torch.randint(0, entries, (2, length))


def vision(name, **options):
    return torchvision.models.get_model(name, weights=None, **options)


def deeplab(classes):
    return torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None, num_classes=classes)


def small_vit():
    return torchvision.models.VisionTransformer(
        image_size=32, patch_size=8, num_layers=2, num_heads=2, hidden_dim=32, mlp_dim=64, num_classes=10)


def small_swin():
    return torchvision.models.SwinTransformer(
        patch_size=[4, 4], embed_dim=24, depths=[2], num_heads=[2], window_size=[4, 4], num_classes=10)


def small_convnext():
    block = torchvision.models.convnext.CNBlockConfig
    return torchvision.models.ConvNeXt([block(24, 48, 2), block(48, None, 1)], num_classes=10)


def small_efficientnet():
    block = torchvision.models.efficientnet.MBConvConfig
    return torchvision.models.EfficientNet(
        [block(1, 3, 1, 16, 16, 1), block(6, 5, 2, 16, 24, 2)], dropout=0.2, last_channel=64, num_classes=10)


def small_video():
    return torchvision.models.video.r3d_18(weights=None, num_classes=10)


FULL = {  # network, example
    "vit_b_16": (lambda: vision("vit_b_16"), lambda: image(224)),
    "efficientnet_b0": (lambda: vision("efficientnet_b0"), lambda: image(224)),
    "convnext_tiny": (lambda: vision("convnext_tiny"), lambda: image(224)),
    "swin_t": (lambda: vision("swin_t"), lambda: image(224)),
    "deeplabv3_resnet50": (lambda: deeplab(21), lambda: image(224)),
    "unet": (UNet, lambda: image(128)),
    "lstm_classifier": (TextClassifier, lambda: tokens(100, 20000)),
    "r3d_18": (small_video, lambda: torch.randn(2, 3, 8, 112, 112)),
    "llama_small": (Llama, lambda: tokens(128, 8000)),
}
SMALL = {
    "vit": (small_vit, lambda: image(32)),
    "efficientnet": (small_efficientnet, lambda: image(64)),
    "convnext": (small_convnext, lambda: image(64)),
    "swin": (small_swin, lambda: image(32)),
    "deeplabv3": (lambda: deeplab(3), lambda: image(64)),
    "unet": (lambda: UNet(8, 3, 2), lambda: image(32)),
    "lstm": (lambda: TextClassifier(50, 8, 12, 3), lambda: tokens(10, 50)),
    "r3d_18": (small_video, lambda: torch.randn(2, 3, 4, 32, 32)),
    "llama": (lambda: Llama(50, 32, 2, 4, 2, 64), lambda: tokens(12, 50)),
}


class FirstOutput(nn.Module):
    """Segmentation networks answer with a dictionary; training adds up losses of its entries."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        y = self.network(x)
        return y["out"] if isinstance(y, dict) else y


def export(path, network, example, shapes):
    network = FirstOutput(network).train()
    for module in network.modules():  # drawn anew for each sample: nothing that an exporter can write down
        if isinstance(module, torchvision.ops.StochasticDepth):
            module.p = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network, example, path, opset_version=14, training=torch.onnx.TrainingMode.TRAINING,
                          do_constant_folding=False, export_params=not shapes, input_names=["batch"],
                          dynamic_axes={"batch": {0: "batch"}})
    return sum(p.numel() for p in network.parameters())


def shorten(path):
    """Names that the exporter has made up take most of a file without weights."""
    import onnx
    model = onnx.load(path)
    given = {value.name for value in model.graph.input}
    short = {}
    for node in model.graph.node:
        for name in node.output:
            short[name] = str(len(short))
    for i, node in enumerate(model.graph.node):
        node.name = f"{node.op_type}_{i}"
        node.input[:] = [name if name in given else short.get(name, name) for name in node.input]
        node.output[:] = [short[name] for name in node.output]
    for value in model.graph.output:
        value.name = short[value.name]
    onnx.save(model, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--shapes", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(1)
    os.makedirs(options.folder, exist_ok=True)
    networks = SMALL if options.small else FULL
    for name in options.names or networks:
        make, example = networks[name]
        path = f"{options.folder}/{name}.onnx"
        parameters = export(path, make(), example(), options.shapes)
        if options.shapes:
            shorten(path)
        with open(f"{options.folder}/parameters.txt", "a", encoding="utf-8") as out:
            out.write(f"{name} {parameters}\n")
        print(name, parameters, flush=True)


main()
