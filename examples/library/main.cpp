// What a step of ResNet-50 takes on three GPUs, asked by a program of one's own.
#include <sextant/ask/predict.h>

#include <iostream>

int main() {
  const auto catalog = sextant::catalog::builtin_catalog();
  const sextant::ask::PredictQuestion question{.job = {.net = {.name = "resnet50"}},
                                               .gpus = {"v100", "a100", "h100"}};
  for (const auto& answer : sextant::ask::predict(question, catalog).list)
    std::cout << answer.gpu << ": " << answer.prediction.iteration.value * 1e3 << " ms a step\n";
}
