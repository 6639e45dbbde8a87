#include "bare_training.h"

#include <torch/torch.h>

namespace sextant::bench {
namespace {

namespace nn = torch::nn;

nn::Conv2d conv(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

nn::ReLU relu() {
  return nn::ReLU(nn::ReLUOptions().inplace(true));
}

// As the zoo's lenet5.
nn::Sequential lenet5() {
  return nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 6, 5).padding(2)), nn::Tanh(), nn::AvgPool2d(2),
                        nn::Conv2d(nn::Conv2dOptions(6, 16, 5)), nn::Tanh(), nn::AvgPool2d(2), nn::Flatten(),
                        nn::Linear(400, 120), nn::Tanh(), nn::Linear(120, 84), nn::Tanh(),
                        nn::Linear(84, 10));
}

// As torchvision's BasicBlock.
struct BasicBlockImpl : nn::Module {
  BasicBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride) {
    branch = register_module("branch", nn::Sequential(conv(in, out, 3, stride), nn::BatchNorm2d(out), relu(),
                                                      conv(out, out, 3, 1), nn::BatchNorm2d(out)));
    if (stride != 1 || in != out) {
      shortcut = register_module("shortcut", nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out)));
    }
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return (branch->forward(x) + (shortcut.is_empty() ? x : shortcut->forward(x))).relu_();
  }
  nn::Sequential branch{nullptr};
  nn::Sequential shortcut{nullptr};
};
TORCH_MODULE(BasicBlock);

nn::Sequential resnet18() {
  nn::Sequential net(conv(3, 64, 7, 2), nn::BatchNorm2d(64), relu(),
                     nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1)));
  std::int64_t in = 64;
  for (const std::int64_t out : {64, 128, 256, 512}) {
    net->push_back(BasicBlock(in, out, out == 64 ? 1 : 2));
    net->push_back(BasicBlock(out, out, 1));
    in = out;
  }
  net->push_back(nn::AdaptiveAvgPool2d(1));
  net->push_back(nn::Flatten());
  net->push_back(nn::Linear(512, 1000));
  return net;
}

class TorchTraining final : public BareTraining {
 public:
  TorchTraining(nn::Sequential net, torch::Tensor images, std::int64_t classes)
      : net_(std::move(net)),
        images_(std::move(images)),
        labels_(torch::randint(classes, {images_.size(0)}, torch::kLong)),
        parameters_(net_->parameters()),
        optimizer_(parameters_, torch::optim::SGDOptions(0.01)) {
    net_->train();
  }

  double step() override {
    // Dropped rather than filled with zeros: the faster way.
    for (torch::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
    const torch::Tensor loss = nn::functional::cross_entropy(net_->forward(images_), labels_);
    const double value = loss.item<double>();
    loss.backward();
    optimizer_.step();
    return value;
  }

 private:
  nn::Sequential net_;
  torch::Tensor images_;
  torch::Tensor labels_;
  std::vector<torch::Tensor> parameters_;
  torch::optim::SGD optimizer_;
};

}  // namespace

std::unique_ptr<BareTraining> make_bare_training(const std::string& net, std::int64_t batch) {
  torch::manual_seed(0);
  if (net == "lenet5") return std::make_unique<TorchTraining>(lenet5(), torch::randn({batch, 1, 28, 28}), 10);
  return std::make_unique<TorchTraining>(resnet18(), torch::randn({batch, 3, 32, 32}), 1000);
}

}  // namespace sextant::bench
