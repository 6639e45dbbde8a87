#!/usr/bin/env python3
# One worker of data-parallel training with PyTorch's DistributedDataParallel over Gloo: ResNet-18 as torchvision
# lays it out, on 32 pixels, SGD, one thread. Rank 0 prints the median iteration in seconds.
# Usage: ddp_bench.py RANK WORKERS STORE_FILE BATCH ITERATIONS WARMUP
import statistics
import sys
import time

import torch
import torch.distributed as dist
from torch import nn


def conv(inputs, outputs, kernel, stride):
    return nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)


class BasicBlock(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.branch = nn.Sequential(conv(inputs, outputs, 3, stride), nn.BatchNorm2d(outputs), nn.ReLU(True),
                                    conv(outputs, outputs, 3, 1), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(conv(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return torch.relu_(self.branch(x) + self.shortcut(x))


def resnet18():
    layers = [conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for outputs in (64, 128, 256, 512):
        layers += [BasicBlock(inputs, outputs, 1 if outputs == 64 else 2), BasicBlock(outputs, outputs, 1)]
        inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000))


def main():
    rank, workers = int(sys.argv[1]), int(sys.argv[2])
    batch, iterations, warmup = (int(text) for text in sys.argv[4:7])
    torch.set_num_threads(1)
    torch.manual_seed(0)
    dist.init_process_group("gloo", init_method="file://" + sys.argv[3], rank=rank, world_size=workers)
    model = nn.parallel.DistributedDataParallel(resnet18(), bucket_cap_mb=25)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    images = torch.randn(batch, 3, 32, 32)
    labels = torch.randint(1000, (batch,))
    times = []
    for _ in range(warmup + iterations):
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(model(images), labels)
        loss.item()
        loss.backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
    if rank == 0:
        print(statistics.median(times[warmup:]))


main()
