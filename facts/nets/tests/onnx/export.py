#!/usr/bin/python3
"""Makes the ONNX files of this folder: torchvision's networks without the values of their weights.

Usage: export.py [FOLDER [NAME...]]
Needs Debian's python3-torch, python3-torchvision and python3-onnx. The files keep every shape,
integer and short constant, so a reader that needs only shapes sees the whole network.
"""
import io
import sys

import onnx
import torch
import torchvision
from onnx import helper

FLOATS = (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE)
SHORT = 8  # elements; scales of a resize or bounds of a clip are not weights
SHIPPED = ["alexnet", "vgg16", "resnet18", "resnet50", "mobilenet_v2", "shufflenet_v2_x1_0"]


def without_weights(model):
    for tensor in model.graph.initializer:
        elements = 1
        for extent in tensor.dims:
            elements *= extent
        if tensor.data_type in FLOATS and elements > SHORT:
            tensor.ClearField("raw_data")
            tensor.ClearField("float_data")
            tensor.ClearField("double_data")
    for node in model.graph.node:
        node.ClearField("doc_string")
    return model


def exported(network, example, **options):
    """The model as the exporter writes it, with batch normalisation kept apart from convolution."""
    buffer = io.BytesIO()
    torch.onnx.export(network.eval(), example, buffer, opset_version=13, do_constant_folding=False,
                      training=torch.onnx.TrainingMode.PRESERVE, **options)
    return without_weights(onnx.load_from_string(buffer.getvalue()))


class TinyEncoder(torch.nn.Module):
    """Two layers of self-attention over token ids, with learned positions; any batch and length."""

    def __init__(self, entries=1000, features=64, heads=4, classes=10):
        super().__init__()
        self.tokens = torch.nn.Embedding(entries, features)
        self.positions = torch.nn.Embedding(128, features)
        self.attention = torch.nn.ModuleList(torch.nn.Linear(features, 3 * features) for _ in range(2))
        self.norm = torch.nn.ModuleList(torch.nn.LayerNorm(features) for _ in range(2))
        self.widen = torch.nn.Linear(features, 4 * features)
        self.narrow = torch.nn.Linear(4 * features, features)
        self.classes = torch.nn.Linear(features, classes)
        self.heads = heads

    def attend(self, x, projection):
        batch, length, features = x.shape
        q, k, v = projection(x).chunk(3, dim=-1)
        shape = (batch, length, self.heads, features // self.heads)
        q, k, v = (part.reshape(shape).transpose(1, 2) for part in (q, k, v))
        weights = torch.softmax(q @ k.transpose(-1, -2) / shape[-1] ** 0.5, dim=-1)
        return (weights @ v).transpose(1, 2).reshape(batch, length, features)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        for projection, norm in zip(self.attention, self.norm):
            x = norm(x + self.attend(x, projection))
        x = x + self.narrow(torch.nn.functional.gelu(self.widen(x)))
        return self.classes(x[:, 0])


def tiny_encoder():
    ids = torch.zeros(1, 16, dtype=torch.int64)
    return exported(TinyEncoder(), ids, input_names=["ids"], dynamic_axes={"ids": {0: "batch", 1: "seq"}})


def weight(name, *dims):
    return onnx.TensorProto(name=name, dims=dims, data_type=onnx.TensorProto.FLOAT)


def small_model(nodes, weights, output, ir_version=8, opset=13):
    """One image of 3x16x16 in, no values of weights."""
    image = helper.make_tensor_value_info("image", onnx.TensorProto.FLOAT, [1, 3, 16, 16])
    result = helper.make_tensor_value_info("result", onnx.TensorProto.FLOAT, output)
    inputs = [image]
    if ir_version < 4:  # such files list their weights among the inputs too
        inputs += [helper.make_tensor_value_info(w.name, w.data_type, w.dims) for w in weights]
    graph = helper.make_graph(nodes, "small", inputs, [result], weights)
    return helper.make_model(graph, ir_version=ir_version, producer_name="by hand",
                             opset_imports=[helper.make_opsetid("", opset)])


def old_format():
    """Opset 8 and IR 3: bounds and sizes as attributes, weights in another file."""
    weights = [weight("w", 8, 3, 3, 3), weight("b", 8), weight("table", 10, 512)]
    for tensor in weights:
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="not-there.bin")
    weights.append(helper.make_tensor("rows", onnx.TensorProto.INT64, [2], [1, -1]))
    return small_model([
        helper.make_node("Conv", ["image", "w", "b"], ["c"], auto_pad="SAME_UPPER", strides=[2, 2]),
        helper.make_node("Clip", ["c"], ["r"], min=0.0, max=6.0),
        helper.make_node("Dropout", ["r"], ["d"], ratio=0.25),
        helper.make_node("Reshape", ["d", "rows"], ["f"]),
        helper.make_node("Gemm", ["f", "table"], ["result"], transB=1),
    ], weights, [1, 10], ir_version=3, opset=8)


def unknown_operators():
    """One operator of somebody else's domain, one of ONNX's that has no counterpart here."""
    return small_model([
        helper.make_node("Conv", ["image", "w"], ["c"], name="stem"),
        helper.make_node("Swirl", ["c"], ["s"], name="swirl", domain="com.example", turns=3),
        helper.make_node("ConvTranspose", ["s", "up"], ["u"], name="grow", strides=[2, 2]),
        helper.make_node("GlobalAveragePool", ["u"], ["result"], name="pool"),
    ], [weight("w", 4, 3, 3, 3), weight("up", 4, 5, 2, 2)], [1, 5, 1, 1])


SMALL = {"tiny_encoder": tiny_encoder, "old_format": old_format, "unknown_operators": unknown_operators}


def make(name):
    if name in SMALL:
        return SMALL[name]()
    size = 299 if name.startswith("inception") else 224
    options = {"init_weights": False} if name.startswith(("inception", "googlenet")) else {}
    network = getattr(torchvision.models, name)(weights=None, **options)
    return exported(network, torch.zeros(1, 3, size, size), input_names=["image"])


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    for name in sys.argv[2:] or SHIPPED + list(SMALL):
        onnx.save(make(name), f"{folder}/{name}.onnx")


main()
